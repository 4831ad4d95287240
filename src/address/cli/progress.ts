// One line of text that shows the progress of a batch.

const WIDTH = 30;

/** Bar, share, count, rate and the remaining time. */
export function progressLine(done: number, total: number, seconds: number): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * WIDTH);
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate > 0 ? Math.ceil((total - done) / rate) : 0;
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${done}/${total}  ${Math.round(rate)}/s  ${left} s left `;
}

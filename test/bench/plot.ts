// A small plot as SVG: one line per series over named steps, relative to the first step, so that cheap and dear workloads share an axis.

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [640, 400, 70, 50, 80, 60];
const COLOURS = ['#1b6ca8', '#c0392b', '#27813d', '#8e44ad'];

export function plotOf(title: string, steps: readonly string[], series: readonly { name: string; values: readonly number[] }[]): string {
  const lines = series.map(({ name, values }) => ({ name, first: values[0]!, points: values.map((value) => value / values[0]!) }));
  const top = Math.max(1.5, ...lines.flatMap(({ points }) => points)) * 1.1;
  const x = (step: number): number => LEFT + (step / (steps.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const text = (at: [number, number], content: string, more = ''): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${content}</text>`;
  const ticks = Array.from({ length: 5 }, (_, index) => (index * top) / 4.4).map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#ddd"/>${text([LEFT - 8, y(value) + 4], value.toFixed(2), 'text-anchor="end"')}`,
  );
  // Labels at the ends of lines keep a line's height apart, whatever the lines do.
  const ends = lines
    .map((line, index) => ({ ...line, colour: COLOURS[index % COLOURS.length]!, at: y(line.points.at(-1)!) }))
    .sort((a, b) => a.at - b.at);
  for (const [index, end] of ends.entries()) if (index > 0) end.at = Math.max(end.at, ends[index - 1]!.at + 14);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${text([WIDTH / 2, 26], title, 'text-anchor="middle" font-size="16"')}
${ticks.join('\n')}
${steps.map((step, index) => text([x(index), HEIGHT - BOTTOM + 20], step, 'text-anchor="middle"')).join('\n')}
${text([WIDTH / 2, HEIGHT - 12], 'Rows of the table; "deep" is a page four fifths into the list', 'text-anchor="middle"')}
${text([18, HEIGHT / 2], 'CPU per request, first column = 1', `text-anchor="middle" transform="rotate(-90 18 ${HEIGHT / 2})"`)}
${ends
  .map(
    ({ name, first, points, colour, at }) =>
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((value, step) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}"/>${text([WIDTH - RIGHT + 6, at + 4], `${name} (${first.toFixed(2)} ms)`, `fill="${colour}"`)}`,
  )
  .join('\n')}
</svg>
`;
}

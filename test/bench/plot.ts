// A small plot as SVG: one line per series over named steps, relative to the first step, so that cheap and expensive workloads share an axis.
// It is readable on light and on dark pages.

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [680, 400, 70, 50, 130, 60];
/** One colour per series, on a light page and on a dark one. */
const COLOURS = [
  ['#0969da', '#58a6ff'],
  ['#cf222e', '#ff7b72'],
  ['#1a7f37', '#56d364'],
  ['#8250df', '#d2a8ff'],
] as const;
const LABEL_HEIGHT = 15;
const TICK = 0.25;

const colours = (shade: 0 | 1): string =>
  COLOURS.map((pair, index) => `.s${index}{stroke:${pair[shade]}}.l${index}{fill:${pair[shade]}}`).join('');

const STYLE = `text{fill:#1f2328}.paper{fill:#fff}.grid{stroke:#d1d9e0}.one{stroke:#59636e}.line{fill:none;stroke-width:2}${colours(0)}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.grid{stroke:#30363d}.one{stroke:#9198a1}${colours(1)}}`;

interface Series {
  name: string;
  /** Milliseconds at each step. */
  values: readonly number[];
}

export function plotOf(labels: { title: string; x: string; y: string }, steps: readonly string[], series: readonly Series[]): string {
  const lines = series.map(({ name, values }) => ({ name, first: values[0]!, points: values.map((value) => value / values[0]!) }));
  const ticks = Math.ceil((Math.max(1.25, ...lines.flatMap(({ points }) => points)) + 0.05) / TICK);
  const x = (step: number): number => LEFT + (step / (steps.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / (ticks * TICK)) * (HEIGHT - TOP - BOTTOM);
  const text = (at: [number, number], content: string, more: string): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${content}</text>`;
  const grid = Array.from({ length: ticks + 1 }, (_, index) => index * TICK).map((value) => {
    const at = y(value).toFixed(1);
    const line = `<line class="${value === 1 ? 'one' : 'grid'}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`;
    return line + text([LEFT - 8, y(value) + 4], value.toFixed(2), 'text-anchor="end"');
  });
  // Labels at the ends of lines are at least a line height apart, wherever the lines end, and stay above the axis.
  const ends = lines.map((line, index) => ({ ...line, index, at: y(line.points.at(-1)!) })).sort((a, b) => a.at - b.at);
  for (const [index, end] of ends.entries()) if (index > 0) end.at = Math.max(end.at, ends[index - 1]!.at + LABEL_HEIGHT);
  for (const [behind, end] of ends.toReversed().entries()) end.at = Math.min(end.at, HEIGHT - BOTTOM - behind * LABEL_HEIGHT);
  const drawn = ends.map(({ name, first, points, index, at }) => {
    const path = points.map((value, step) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`);
    const dots = path.map((point) => `<circle class="l${index}" cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3"/>`);
    const label = text([WIDTH - RIGHT + 8, at + 4], `${name}, 1 = ${first.toFixed(2)} ms`, `class="l${index}"`);
    return `<polyline class="line s${index}" points="${path.join(' ')}"/>${dots.join('')}${label}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<style>${STYLE}</style>
<rect class="paper" width="100%" height="100%"/>
${text([(LEFT + WIDTH - RIGHT) / 2, 28], labels.title, 'text-anchor="middle" font-size="16"')}
${grid.join('\n')}
${steps.map((step, index) => text([x(index), HEIGHT - BOTTOM + 20], step, 'text-anchor="middle"')).join('\n')}
${text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12], labels.x, 'text-anchor="middle"')}
${text([18, (TOP + HEIGHT - BOTTOM) / 2], labels.y, `text-anchor="middle" transform="rotate(-90 18 ${(TOP + HEIGHT - BOTTOM) / 2})"`)}
${drawn.join('\n')}
</svg>
`;
}

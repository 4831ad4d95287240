// A picture of the record types and their references as SVG. The first column has the types without a reference to them, the last those that others
// need.
import { type Fragment, html } from '../parts/html.ts';
import type { PicturedType } from '../parts/model.ts';

const BOX = { width: 226, height: 32 } as const;
const GAP = { column: 90, row: 14 } as const;
const MARGIN = 12;

interface Placed extends PicturedType {
  readonly x: number;
  readonly y: number;
}

/** The column of every type: one after the last type that refers to it. */
function columnsOf(types: readonly PicturedType[]): PicturedType[][] {
  const users = new Map(types.map(({ name }) => [name, types.filter(({ references }) => references.some(({ to }) => to === name))]));
  const depths = new Map<string, number>();
  const depthOf = (name: string, above: readonly string[]): number => {
    const known = depths.get(name);
    if (known !== undefined) return known;
    const others = users.get(name)!.filter((user) => user.name !== name && !above.includes(user.name));
    const depth = others.length === 0 ? 0 : 1 + Math.max(...others.map((user) => depthOf(user.name, [...above, name])));
    depths.set(name, depth);
    return depth;
  };
  const columns: PicturedType[][] = [];
  for (const type of types) {
    const depth = depthOf(type.name, []);
    columns[depth] ??= [];
    columns[depth].push(type);
  }
  return columns.filter(Boolean);
}

/** Puts each type near those that refer to it, so that lines cross less. */
function placed(types: readonly PicturedType[]): Placed[] {
  const places = new Map<string, Placed>();
  const columns = columnsOf(types);
  const rows = Math.max(...columns.map(({ length }) => length));
  for (const [column, own] of columns.entries()) {
    const pull = ({ name }: PicturedType): number => {
      const users = [...places.values()].filter(({ references }) => references.some(({ to }) => to === name));
      return users.length === 0 ? 0 : users.reduce((sum, { y }) => sum + y, 0) / users.length;
    };
    const sorted = column === 0 ? own : [...own].sort((a, b) => pull(a) - pull(b));
    const height = BOX.height + GAP.row;
    const top = MARGIN + ((rows - own.length) * height) / 2;
    for (const [row, type] of sorted.entries())
      places.set(type.name, { ...type, x: MARGIN + column * (BOX.width + GAP.column), y: top + row * height });
  }
  return [...places.values()];
}

function line(from: Placed, to: Placed, label: string, isOwned: boolean): Fragment {
  const isForward = to.x > from.x;
  const start = [isForward ? from.x + BOX.width : from.x, from.y + BOX.height / 2] as const;
  const end = [isForward ? to.x : to.x + BOX.width, to.y + BOX.height / 2] as const;
  const bend = (end[0] - start[0]) / 2;
  const path = `M${start[0]} ${start[1]}C${start[0] + bend} ${start[1]} ${end[0] - bend} ${end[1]} ${end[0]} ${end[1]}`;
  return html`<path d="${path}"${isOwned ? html` class="owns"` : ''}><title>${from.name}.${label}</title></path>`;
}

/** The picture of record types; each leads to its page. */
export function modelPicture(types: readonly PicturedType[], title: string): Fragment {
  const boxes = placed(types);
  const at = new Map(boxes.map((box) => [box.name, box]));
  const width = Math.max(...boxes.map(({ x }) => x)) + BOX.width + MARGIN;
  const height = Math.max(...boxes.map(({ y }) => y)) + BOX.height + MARGIN;
  const lines = boxes.flatMap((from) =>
    from.references.flatMap(({ to, label, isOwned }) => (at.has(to) && to !== from.name ? [line(from, at.get(to)!, label, isOwned)] : [])),
  );
  return html`<div class="picture" tabindex="0" role="region" aria-label="${title}"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${title}">
<g class="lines" aria-hidden="true">${lines}</g>
${boxes.map(
  ({ name, x, y }) =>
    html`<a href="/docs/graphql/types/${name}"><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="7"></rect><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}" text-anchor="middle">${name}</text></a>`,
)}</svg></div>`;
}

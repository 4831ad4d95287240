// A picture of the record types and what each refers to, as SVG: in columns where there is room, as one column with arcs on a phone.
import { type Fragment, html } from '../parts/html.ts';
import type { PicturedType } from '../parts/model.ts';

const BOX = { width: 226, height: 32 } as const;
const GAP = { column: 90, row: 14 } as const;
const MARGIN = 12;
/** Distances of the arcs from the one column: of the shortest one, and of the longest one beyond it. */
const ARC = { least: 22, more: 120 } as const;

/** A place in a column: a box of its type, or room for the lines to a box further on. */
interface Place {
  readonly name: string;
  readonly type?: PicturedType;
  readonly x: number;
  readonly y: number;
}

/** The columns, each with its places from top to bottom. */
type Columns = readonly (readonly Place[])[];

/** The column of every type: one after the last type that refers to it. */
function depthsOf(types: readonly PicturedType[]): Map<string, number> {
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
  for (const { name } of types) depthOf(name, []);
  const used = [...new Set(depths.values())].sort((a, b) => a - b);
  return new Map([...depths].map(([name, depth]) => [name, used.indexOf(depth)]));
}

/** Puts each type near those that refer to it, so that lines cross less, and leaves room where lines pass a column, so that none crosses a box. */
function columnsOf(types: readonly PicturedType[]): Columns {
  const depths = depthsOf(types);
  const names: Set<string>[] = Array.from({ length: Math.max(...depths.values()) + 1 }, () => new Set());
  for (const { name, references } of types) {
    names[depths.get(name)!]!.add(name);
    for (const { to } of references)
      for (let column = depths.get(name)! + 1; column < (depths.get(to) ?? 0); column++) names[column]!.add(to);
  }
  const byName = new Map(types.map((type) => [type.name, type]));
  const rows = Math.max(...names.map(({ size }) => size));
  const height = BOX.height + GAP.row;
  const columns: Place[][] = [];
  for (const [column, own] of names.entries()) {
    const pull = (name: string): number => {
      const users = columns.flat().filter(({ type }) => type?.references.some(({ to }) => to === name));
      return users.length === 0 ? 0 : users.reduce((sum, { y }) => sum + y, 0) / users.length;
    };
    const sorted = column === 0 ? [...own] : [...own].sort((a, b) => pull(a) - pull(b));
    const top = MARGIN + ((rows - own.size) * height) / 2;
    columns.push(
      sorted.map((name, row) => ({
        name,
        ...(depths.get(name) === column ? { type: byName.get(name)! } : {}),
        x: MARGIN + column * (BOX.width + GAP.column),
        y: top + row * height,
      })),
    );
  }
  return columns;
}

const middle = ({ y }: Place): number => y + BOX.height / 2;

/** The line from a box to another one, through the room that the columns between them leave for it. */
function lineThrough(columns: Columns, from: Place, to: Place): string {
  const isForward = to.x > from.x;
  const between = columns.map((places) => places.find(({ name, type, x }) => name === to.name && !type && x > from.x && x < to.x));
  let [x, y] = [isForward ? from.x + BOX.width : from.x, middle(from)];
  let path = `M${x} ${y}`;
  for (const stop of [...between, to]) {
    if (!stop) continue;
    const end = isForward ? stop.x : stop.x + BOX.width;
    const half = (x + end) / 2;
    path += `C${half} ${y} ${half} ${middle(stop)} ${end} ${middle(stop)}`;
    if (stop !== to) path += `h${BOX.width}`;
    [x, y] = [end + (stop === to ? 0 : BOX.width), middle(stop)];
  }
  return path;
}

/** The arc next to one column. */
function arcNextTo(_: Columns, from: Place, to: Place): string {
  const height = Math.abs(to.y - from.y);
  const x = from.x + BOX.width;
  // A curve comes three quarters of the way to the points that bend it.
  const bend = Math.round(x + (ARC.least + (ARC.more * height) / (height + 10 * BOX.height)) / 0.75);
  return `M${x} ${middle(from)}C${bend} ${middle(from)} ${bend} ${middle(to)} ${x} ${middle(to)}`;
}

function drawing(columns: Columns, pathOf: typeof arcNextTo, size: 'large' | 'small', title: string): Fragment {
  const boxes = columns.flat().filter(({ type }) => type);
  const at = new Map(boxes.map((box) => [box.name, box]));
  const right = Math.max(...boxes.map(({ x }) => x)) + BOX.width;
  const width = right + (size === 'small' ? ARC.least + ARC.more : MARGIN);
  const height = Math.max(...columns.flat().map(({ y }) => y)) + BOX.height + MARGIN;
  const lines = boxes.flatMap((from) =>
    from.type!.references.flatMap(({ to, label, isOwned }) => {
      const end = at.get(to);
      if (!end || to === from.name) return [];
      return [
        html`<path d="${pathOf(columns, from, end)}" data-ends="${from.name} ${to}"${isOwned ? html` class="owns"` : ''}><title>${from.name}.${label}</title></path>`,
      ];
    }),
  );
  return html`<svg class="${size}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${title}">
<g class="lines" aria-hidden="true">${lines}</g>
${boxes.map(
  ({ name, x, y }) =>
    html`<a href="/docs/graphql/types/${name}" data-name="${name}"><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="7"></rect><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}" text-anchor="middle">${name}</text></a>`,
)}</svg>`;
}

/** The picture of record types; each leads to its page. */
export function modelPicture(types: readonly PicturedType[], title: string): Fragment {
  const columns = columnsOf(types);
  const boxes = columns.flat().filter(({ type }) => type);
  const column = boxes.map((place, row) => ({ ...place, x: MARGIN, y: MARGIN + row * (BOX.height + GAP.row) }));
  return html`<div class="picture" tabindex="0" role="region" aria-label="${title}">${drawing(columns, lineThrough, 'large', title)}${drawing([column], arcNextTo, 'small', title)}</div>`;
}

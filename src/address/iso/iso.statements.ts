// The statements that store ISO 3166 content: per part one that inserts and updates, and one that withdraws.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { modelOf, type Prop } from '../../records/metadata.ts';
import type { ContentRow } from './check.ts';
import { type IsoPart, isoParts, keyOf } from './records.ts';

/** The SQL of the new value of a column: the value of the given row `g.row` where it has one, otherwise that of the stored row `t`. */
function nextValue(part: IsoPart, { column, kind }: Prop): string {
  const given = `g.row ? '${column}'`;
  if (column === 'status') return `coalesce(g.row->>'status', 'CURRENT')`;
  if (column === 'withdrawn_at') return `case when g.row->>'status' = 'WITHDRAWN' then coalesce(t.withdrawn_at, $2::text::timestamptz) end`;
  // Every former country is withdrawn.
  if (column === 'withdrawal_date' && part !== 'former')
    return `case when g.row->>'status' = 'WITHDRAWN' then coalesce(g.row->>'withdrawal_date', t.withdrawal_date) end`;
  // Codes that come into force again have no successors, unless the row names some.
  if (column === 'superseded_by')
    return `case when ${given} then g.row->'superseded_by' when t.status = 'WITHDRAWN' then '[]' else coalesce(t.superseded_by, '[]') end`;
  if (kind === 'object') return `case when ${given} then coalesce(t.${column}, '{}') || (g.row->'${column}') else t.${column} end`;
  return `case when ${given} then g.row->>'${column}' else t.${column} end`;
}

function upsertText(part: IsoPart): string {
  const { table, props } = modelOf<object>(isoParts[part]);
  const key = keyOf(part);
  const others = [...props.values()].filter((prop) => prop.name !== key);
  const names = others.map((prop) => prop.column);
  return `insert into ${table} as c (${key}, ${names.join(', ')})
    select g.row->>'${key}', ${others.map((prop) => nextValue(part, prop)).join(', ')}
    from (select value as row from jsonb_array_elements($1::text::jsonb)) g left join ${table} t on t.${key} = g.row->>'${key}'
    on conflict (${key}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (${names.map((name) => `c.${name}`).join(', ')}) is distinct from (${names.map((name) => `excluded.${name}`).join(', ')})
    returning c.xmax = 0 as inserted`;
}

/** Inserts and updates the rows of a part; returns the changed ones, and whether each is new. Rows without a change stay untouched. */
export const upsertRows = (em: EntityManager, part: IsoPart, rows: readonly ContentRow[], now: Date): Promise<{ inserted: boolean }[]> =>
  executeIn(em, upsertText(part), [JSON.stringify(rows.map((row) => row.values)), now.toISOString()]);

/** Withdraws the current codes of a part that the rows leave out; subdivisions only of the countries the rows are about. */
export async function withdrawMissing(em: EntityManager, part: IsoPart, rows: readonly ContentRow[], now: Date): Promise<number> {
  const { table } = modelOf<object>(isoParts[part]);
  const key = keyOf(part);
  const mentioned = part === 'subdivisions' ? ' and country = any($3::text[])' : '';
  const countries = part === 'subdivisions' ? [[...new Set(rows.map((row) => row.values.country))]] : [];
  const gone = await executeIn(
    em,
    `update ${table} set status = 'WITHDRAWN', withdrawn_at = $2::text::timestamptz where status = 'CURRENT' and ${key} <> all($1::text[])${mentioned} returning ${key}`,
    [rows.map((row) => row.values[key]), now.toISOString(), ...countries],
  );
  return gone.length;
}

// Stores ISO 3166 content: per part one statement that inserts and updates, one that withdraws; both count what they changed.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { modelOf, type Prop } from '../../records/metadata.ts';
import type { ContentRow } from './check.ts';
import { type IsoPart, isoParts, keyOf } from './records.ts';
import type { StoredCodes } from './relations.ts';

/** What happened to the rows of a part. */
export interface PartCounts {
  received: number;
  inserted: number;
  updated: number;
  unchanged: number;
  withdrawn: number;
}

export const noRows = (): PartCounts => ({ received: 0, inserted: 0, updated: 0, unchanged: 0, withdrawn: 0 });

/** The SQL of the new value of a column: that of the given row `g.row` where it has one, else that of the stored row `t`. */
function nextValue({ column, kind }: Prop): string {
  const given = `g.row ? '${column}'`;
  if (column === 'status') return `coalesce(g.row->>'status', 'CURRENT')`;
  if (column === 'withdrawn_at') return `case when g.row->>'status' = 'WITHDRAWN' then coalesce(t.withdrawn_at, $2::text::timestamptz) end`;
  // Codes that come into force again have no successors, unless the row names some.
  if (column === 'superseded_by')
    return `case when ${given} then g.row->'superseded_by' when t.status = 'WITHDRAWN' then '[]' else coalesce(t.superseded_by, '[]') end`;
  if (kind === 'object') return `case when ${given} then coalesce(t.${column}, '{}') || (g.row->'${column}') else t.${column} end`;
  return `case when ${given} then g.row->>'${column}' else t.${column} end`;
}

function upsertText(part: IsoPart): string {
  const { table, props } = modelOf(isoParts[part]);
  const key = keyOf(part);
  const others = [...props.values()].filter((prop) => prop.name !== key);
  const names = others.map((prop) => prop.column);
  return `insert into ${table} as c (${key}, ${names.join(', ')})
    select g.row->>'${key}', ${others.map(nextValue).join(', ')}
    from (select value as row from jsonb_array_elements($1::text::jsonb)) g left join ${table} t on t.${key} = g.row->>'${key}'
    on conflict (${key}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (${names.map((name) => `c.${name}`).join(', ')}) is distinct from (${names.map((name) => `excluded.${name}`).join(', ')})
    returning c.xmax = 0 as inserted`;
}

/** Inserts and updates the rows of a part; rows without a change stay untouched. */
export async function upsertPart(em: EntityManager, part: IsoPart, rows: ContentRow[], now: Date): Promise<PartCounts> {
  const changed = await executeIn<{ inserted: boolean }>(em, upsertText(part), [
    JSON.stringify(rows.map((row) => row.values)),
    now.toISOString(),
  ]);
  const inserted = changed.filter((row) => row.inserted).length;
  return { received: rows.length, inserted, updated: changed.length - inserted, unchanged: rows.length - changed.length, withdrawn: 0 };
}

/** Withdraws the current codes of a part that the rows leave out; subdivisions only of the countries the rows are about. */
export async function withdrawMissing(em: EntityManager, part: IsoPart, rows: ContentRow[], now: Date): Promise<number> {
  const { table } = modelOf(isoParts[part]);
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

/** The number of codes of a part that are in force. */
export async function currentCount(em: EntityManager, part: IsoPart): Promise<number> {
  const rows = await executeIn<{ count: string | number }>(
    em,
    `select count(*) as count from ${modelOf(isoParts[part]).table} where status = 'CURRENT'`,
  );
  return Number(rows[0]!.count);
}

/** The stored codes, for checking a document against them. */
export async function storedCodes(em: EntityManager): Promise<StoredCodes> {
  const countries = await executeIn<{ alpha2: string; alpha3: string; numeric: string | null; status: string }>(
    em,
    'select alpha2, alpha3, "numeric", status from iso_country',
  );
  const subdivisions = await executeIn<{ code: string; parent: string | null; status: string }>(
    em,
    'select code, parent, status from iso_subdivision',
  );
  return {
    countries: new Map(
      countries.map((row) => [row.alpha2, { alpha3: row.alpha3, numeric: row.numeric, current: row.status === 'CURRENT' }]),
    ),
    subdivisions: new Map(subdivisions.map((row) => [row.code, { parent: row.parent, current: row.status === 'CURRENT' }])),
  };
}

/** Where content comes from, as its version row stores it. */
export interface ContentSource {
  name: string;
  version: string | null;
  publishedAt: string | null;
}

/** The current version; 0 before the first ingest. */
export async function currentVersion(em: EntityManager): Promise<number> {
  const rows = await executeIn<{ version: number }>(em, 'select coalesce(max(version), 0) as version from iso_content_version');
  return rows[0]!.version;
}

/** Adds a version and returns its number. */
export async function addVersion(em: EntityManager, source: ContentSource, sha256: string, mode: string, now: Date): Promise<number> {
  const rows = await executeIn<{ version: number }>(
    em,
    `insert into iso_content_version (version, source_name, source_version, published_at, sha256, mode, ingested_at, countries, subdivisions)
     select coalesce(max(v.version), 0) + 1, $1, $2, $3::text::timestamptz, $4, $5, $6::text::timestamptz,
       (select count(*) from iso_country where status = 'CURRENT'), (select count(*) from iso_subdivision where status = 'CURRENT')
     from iso_content_version v returning version`,
    [source.name, source.version, source.publishedAt, sha256, mode, now.toISOString()],
  );
  return rows[0]!.version;
}

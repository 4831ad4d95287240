// The statements of a product import: each works on a whole chunk of rows.
import { type EntityManager, executeIn } from '../../../database/open.ts';
import { DEFAULT_TAX_CODE, MAX_CUSTOMS_ENTRIES } from '../rules.ts';
import type { ImportRow, RefusedRow } from './rows.ts';

/** The result of a chunk. The lists hold lines of the file. */
export interface Applied {
  created: number;
  updated: number;
  /** Rows that would give a product the source id of another one. */
  conflicting: number[];
  /** Rows that would give a product too many customs codes. */
  overfull: number[];
}

// `m` pairs each row with the product it changes: by sku, or by source id for rows without one. `x` is the product that holds the source id.
// The look-ups are lateral with a limit so that they go through the unique indexes row by row: the embedded database keeps no statistics,
// and a plain join made it read all products of the corporation for every row.
const APPLY = `
with m as materialized (
  select r.*, p.id as product, (x.id is not null and x.id is distinct from p.id and (p.id is null or $4)) as conflicts,
    (r.codes is not null and p.id is not null and
      (select count(*) from jsonb_object_keys((p.codes || r.codes) - coalesce(r.removed, '{}'))) > ${MAX_CUSTOMS_ENTRIES}) as overfull
  from json_to_recordset($1::text::json) as r(line int, id text, corporation text, name text, sku text, description text, tax text,
    weight numeric, volume numeric, origin text, platform text, platform_id text, codes jsonb, removed text[])
  left join lateral (select id, codes from product where corporation_id = r.corporation and sku = r.sku and sku is not null
    and deleted_at is null limit 1) s on true
  left join lateral (select id, codes from product where corporation_id = r.corporation and source_platform = r.platform
    and source_platform_id = r.platform_id and source_platform_id is not null and deleted_at is null limit 1) x on true
  left join lateral (select coalesce(s.id, case when r.sku is null then x.id end) as id, coalesce(s.codes, x.codes) as codes) p on true
), updated as (
  update product p set
    name = coalesce(m.name, p.name), description = coalesce(m.description, p.description), tax_code = coalesce(m.tax, p.tax_code),
    weight_in_kg = coalesce(m.weight, p.weight_in_kg), volume_in_liters = coalesce(m.volume, p.volume_in_liters),
    origin_country = coalesce(m.origin, p.origin_country), codes = (p.codes || coalesce(m.codes, '{}')) - coalesce(m.removed, '{}'),
    source_platform = case when $4 then coalesce(m.platform, p.source_platform) else p.source_platform end,
    source_platform_id = case when $4 then coalesce(m.platform_id, p.source_platform_id) else p.source_platform_id end,
    updated_at = $3::timestamptz
  from m
  where p.id = m.product and not m.conflicts and not m.overfull and (
    m.name <> p.name or m.name is not null and p.name is null or m.description <> p.description or m.description is not null and p.description is null
    or m.tax <> p.tax_code or m.weight is not null and m.weight is distinct from p.weight_in_kg
    or m.volume is not null and m.volume is distinct from p.volume_in_liters or m.origin is not null and m.origin is distinct from p.origin_country
    or (p.codes || coalesce(m.codes, '{}')) - coalesce(m.removed, '{}') <> p.codes
    or $4 and (m.platform <> p.source_platform or m.platform_id is not null and m.platform_id is distinct from p.source_platform_id))
  returning 1
), created as (
  insert into product (id, organisation_id, corporation_id, name, sku, description, tax_code, codes, weight_in_kg, volume_in_liters,
    origin_country, source_platform, source_platform_id, created_at, updated_at)
  select id, $2, corporation, name, sku, description, coalesce(tax, '${DEFAULT_TAX_CODE}'), coalesce(codes, '{}'), weight, volume,
    origin, coalesce(platform, ''), platform_id, $3::timestamptz, $3::timestamptz
  from m where product is null and not conflicts
  returning 1
)
select (select count(*) from created)::int as created, (select count(*) from updated)::int as updated,
  (select coalesce(json_agg(line), '[]') from m where conflicts)::text as conflicting,
  (select coalesce(json_agg(line), '[]') from m where overfull and not conflicts)::text as overfull`;

/** Creates and updates the products of a chunk. */
export async function applyRows(
  em: EntityManager,
  organisationId: number,
  rows: readonly ImportRow[],
  now: Date,
  updateProtected: boolean,
): Promise<Applied> {
  if (rows.length === 0) return { created: 0, updated: 0, conflicting: [], overfull: [] };
  const [answer] = await executeIn<Record<'conflicting' | 'overfull', string> & { created: number; updated: number }>(em, APPLY, [
    JSON.stringify(rows),
    organisationId,
    now.toISOString(),
    updateProtected,
  ]);
  const { created, updated, conflicting, overfull } = answer!;
  return { created, updated, conflicting: JSON.parse(conflicting), overfull: JSON.parse(overfull) };
}

/** Which of these corporations the organisation has; they cannot be archived until the transaction ends. */
export async function knownCorporations(em: EntityManager, organisationId: number, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await executeIn<{ id: string }>(
    em,
    `select id from corporation where organisation_id = $1 and id in (select jsonb_array_elements_text($2::text::jsonb)) and archived_at is null
     order by id for share`,
    [organisationId, JSON.stringify(ids)],
  );
  return new Set(rows.map((row) => row.id));
}

/** Stores why rows were refused. */
export async function storeRefusals(
  em: EntityManager,
  organisationId: number,
  jobId: string,
  refused: readonly RefusedRow[],
): Promise<void> {
  if (refused.length === 0) return;
  const issues = refused.flatMap(({ line, cells, errors }) =>
    errors.map((error, position) => ({ line, position, ...error, cells: position === 0 ? cells : null })),
  );
  await executeIn(
    em,
    `insert into import_fault (job_id, "row", position, organisation_id, column_name, code, message, value, cells)
     select $1, i.line, i.position, $2, i."column", i.code, i.message, i.value, i.cells
     from json_to_recordset($3::text::json) as i(line int, position int, "column" text, code text, message text, value text, cells jsonb)`,
    [jobId, organisationId, JSON.stringify(issues)],
  );
}

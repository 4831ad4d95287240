// The statements of a product import: each works on a whole chunk of rows.
import { changeTimeSql } from '../../../database/change-times.ts';
import { type EntityManager, executeIn } from '../../../database/open.ts';
import { kinds, type Prop, writableProps } from '../../../records/metadata.ts';
import { versionTag } from '../../../records/version.ts';
import { MAX_CUSTOMS_ENTRIES, Product } from '../product.ts';
import type { ImportRow, RefusedRow, SourcedRow } from './rows.ts';

/** The result of a chunk. */
export interface Applied {
  created: { id: string }[];
  updated: { id: string; previousEtag: string }[];
  /** Lines of rows that would give a product the source id of another one. */
  conflicting: number[];
  /** Lines of rows that would give a product too many customs codes. */
  overfull: number[];
}

const literal = (value: unknown, type: string): string =>
  `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'::${type}`;

const props = writableProps(Product);
const typeOf = ({ kind }: Prop): string => kinds[kind].column;
/** What a row may change: neither the owner nor the sku, by which it is found. The source, fixed at creation, changes only on demand. */
const changeable = props.filter(({ name }) => name !== 'corporationId' && name !== 'sku');
const onDemand = ({ write }: Prop): boolean => write === 'create';

const rowColumns = props.map((prop) => `"${prop.name}" ${typeOf(prop)}`).join(', ');
const assignments = changeable
  .map((prop) => ({ prop, merged: `coalesce(m."${prop.name}", p.${prop.column})` }))
  .map(({ prop, merged }) => `${prop.column} = ${onDemand(prop) ? `case when $4 then ${merged} else p.${prop.column} end` : merged}`)
  .join(', ');
const differences = changeable
  .map((prop) => `${onDemand(prop) ? '$4 and ' : ''}m."${prop.name}" is not null and m."${prop.name}" is distinct from p.${prop.column}`)
  .join(' or ');
const columns = props.map(({ column }) => column).join(', ');
const created = props
  .map((prop) => (prop.fallback === undefined ? `"${prop.name}"` : `coalesce("${prop.name}", ${literal(prop.fallback, typeOf(prop))})`))
  .join(', ');

const bySource = (selected: string): string => `select ${selected} from product where corporation_id = r."corporationId"
    and source_platform = r."sourcePlatform" and source_platform_id = r."sourcePlatformId" and deleted_at is null order by id limit 1`;

// `m` pairs each row with the product it changes: by sku, or by source id for rows without one. `x` is the product that holds the source id. Each
// look-up is lateral, in the order of the one index that begins with what it looks for. A new table has no statistics. Without the order, another
// index of the corporation was as good to the planner. Each row then read all its products, and 50,000 of them ran into the statement timeout.
const APPLY = `
with m as materialized (
  select r.*, p.id as product, p.updated_at as replaced, (x.id is not null and x.id is distinct from p.id and (p.id is null or $4)) as conflicts,
    (r.codes is not null and p.id is not null and
      (select count(*) from jsonb_object_keys((p.codes || r.codes) - coalesce(r.removed, '{}'))) > ${MAX_CUSTOMS_ENTRIES}) as overfull
  from json_to_recordset($1::text::json) as r(line int, id text, ${rowColumns}, codes jsonb, removed text[])
  left join lateral (select id, codes, updated_at from product where corporation_id = r."corporationId" and sku = r.sku
    and deleted_at is null order by id limit 1) s on true
  left join lateral (${bySource('id, codes, updated_at')}) x on true
  left join lateral (select coalesce(s.id, case when r.sku is null then x.id end) as id, coalesce(s.codes, x.codes) as codes,
    coalesce(s.updated_at, x.updated_at) as updated_at) p on true
), updated as (
  update product p set ${assignments}, codes = (p.codes || coalesce(m.codes, '{}')) - coalesce(m.removed, '{}'), updated_at = ${changeTimeSql('$3', 'p.updated_at')}
  from m
  where p.id = m.product and not m.conflicts and not m.overfull
    and (${differences} or (p.codes || coalesce(m.codes, '{}')) - coalesce(m.removed, '{}') <> p.codes)
  returning p.id, m.replaced
), created as (
  insert into product (id, organisation_id, ${columns}, codes, created_at, updated_at)
  select id, $2, ${created}, coalesce(codes, '{}'), $3::timestamptz, $3::timestamptz
  from m where product is null and not conflicts
  returning id
)
select (select coalesce(json_agg(id), '[]') from created)::text as created, (select coalesce(json_agg(json_build_array(id, replaced)), '[]') from updated)::text as updated,
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
  if (rows.length === 0) return { created: [], updated: [], conflicting: [], overfull: [] };
  const [applied] = await executeIn<Record<keyof Applied, string>>(em, APPLY, [
    JSON.stringify(rows),
    organisationId,
    now.toISOString(),
    updateProtected,
  ]);
  const { created, updated, conflicting, overfull } = applied!;
  return {
    created: (JSON.parse(created) as string[]).map((id) => ({ id })),
    updated: (JSON.parse(updated) as [string, string][]).map(([id, replaced]) => ({ id, previousEtag: versionTag(id, replaced) })),
    conflicting: JSON.parse(conflicting),
    overfull: JSON.parse(overfull),
  };
}

/** The skus of the stored products with the source ids of rows, by line. */
export async function skusOfSources(em: EntityManager, rows: readonly SourcedRow[]): Promise<ReadonlyMap<number, string>> {
  const found = await executeIn<{ line: number; sku: string }>(
    em,
    `select r.line, x.sku
     from json_to_recordset($1::text::json) as r(line int, "corporationId" text, "sourcePlatform" text, "sourcePlatformId" text)
     cross join lateral (${bySource('sku')}) x where x.sku is not null`,
    [JSON.stringify(rows)],
  );
  return new Map(found.map(({ line, sku }) => [line, sku]));
}

/** Stores why rows were rejected. */
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

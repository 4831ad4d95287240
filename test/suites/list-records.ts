// Records for the suite of lists, one type at a time: many in the list under test and some in each of its neighbours, with common, rare and missing
// values.
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { filterOperators, kinds, type Model, modelOf, type Prop } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import type { Run } from '../support/plans.ts';

/** The list under test: the company, the organisation or the corporation of this number. */
export const LIST = 101;
export const ORGANISATION = 1000;
const NEIGHBOURS = { lists: 15, records: 60 };
const START = '2024-01-01';
const SECONDS = 366 * 86_400;

/** Share of the records, the oldest, that are all deleted; and of the others. */
const DELETED = { first: 0.15, others: 0.05 };
/** Word that half of the texts have. */
export const COMMON_WORD = 'Trading';

/** A number from 0 to 1 that follows from a row and a word. */
const chance = (word: string): string => `(('x' || substr(md5(n || '${word}' || c), 1, 7))::bit(28)::int / 268435456.0)`;

/** Values of a list, the first most often. */
const skewed = (word: string, values: readonly string[]): string =>
  `(array[${values.map((value) => `'${value}'`).join()}])[1 + floor(power(${chance(word)}, 3) * ${values.length})::int]`;

/** What of a kind a record has; nothing of the kinds that lists cannot look into. */
function valueFor(prop: Prop, place: number, records: number): string {
  const { name, kind } = prop;
  const share = [chance(name), `n / ${records + 1}.0`, `1 - n / ${records + 1}.0`][place % 3]!;
  switch (kind) {
    case 'moment':
      return `timestamptz '${START}' + floor((${share}) * ${SECONDS}) * interval '1 second'`;
    case 'date':
      return `date '${START}' + floor((${share}) * 366)::int`;
    case 'ledgerId':
      return `1 + floor(power(${chance(name)}, 3) * 500)::bigint`;
    case 'integer':
      return `floor(${chance(name)} * 1000)::int`;
    case 'amount':
      return `case when ${chance(`${name} zero`)} < 0.1 then 0 else round((${chance(name)} * 2000 - 500)::numeric, 2) end`;
    case 'flag':
      return `${chance(name)} < 0.8`;
    // The last value is the one that no record has.
    case 'enumeration': {
      const values = Object.values(prop.choices!.values);
      // A state that no list shows must not break a rule of the table.
      if (prop.hidden || values.length === 1) return `'${values.at(-1)}'`;
      return skewed(name, values.slice(0, -1).slice(0, 12));
    }
    case 'country':
      return skewed(name, ['US', 'GB', 'DE', 'FR']);
    case 'uuid':
      return `md5(n || '${name}' || c)::uuid::text`;
    case 'email':
      return `'u' || n || '@example.com'`;
    case 'url':
      return `'https://example.com/' || n`;
    case 'id':
      return `'${name}_' || floor(power(${chance(name)}, 3) * 500)::int`;
    case 'text':
      return `case when ${chance(`${name} common`)} < 0.2 then 'Ångström ${COMMON_WORD}' when ${chance(`${name} common`)} < 0.5 then '${COMMON_WORD} ' || substr(md5(n || '${name}'), 1, 8) else substr(md5(n || '${name}'), 1, 12) end`;
    case 'list':
      return `'[]'::jsonb`;
    case 'namedValues':
      return `jsonb_build_array(jsonb_build_object('name', 'region', 'value', ${skewed(name, ['North', 'South', 'East'])}))`;
    default:
      return `'{}'::jsonb`;
  }
}

/** The values of a natural key, of which a list has one live record each. The records before the last ones are deleted. */
function keyValues(model: Model, { name, choices }: Prop): string[] | undefined {
  const target = ledgerRecords.find((record) => modelOf(record) === model);
  return target && namesOf(target).naturalKey === name ? Object.values(choices!.values) : undefined;
}

/** The value of a column in SQL on the list `c` and the number `n` of the record in it. */
function columnValue(
  model: Model,
  prop: Prop,
  { place, records, unique }: { place: number; records: number; unique: ReadonlySet<string> },
) {
  const { key, listColumn, deletedAt } = model;
  if (prop.name === key)
    return kinds[prop.kind].column === 'bigint' ? 'c * 10000000::bigint + n' : `'${model.prefix}_' || c || '_' || lpad(n::text, 8, '0')`;
  if (prop.column === 'organisation_id') return listColumn === 'organisation_id' ? `${ORGANISATION} + c - ${LIST}` : `${ORGANISATION}`;
  if (prop.column === listColumn) return kinds[prop.kind].column === 'bigint' ? 'c' : `'corp_' || c`;
  const keys = keyValues(model, prop);
  if (keys) return `(array[${keys.map((value) => `'${value}'`).join()}])[1 + n % ${keys.length}]`;
  const live = [...model.props.values()].map((other) => keyValues(model, other)?.length ?? records).reduce((a, b) => Math.min(a, b));
  if (prop.name === deletedAt)
    return `case when n <= ${Math.max(Math.floor(records * DELETED.first), records - live)} or ${chance('deleted')} < ${DELETED.others} then timestamptz '2026-01-01' end`;
  if (unique.has(prop.column) && prop.kind === 'text') return `case when n % 10 < 5 then '${COMMON_WORD} ' else 'x' end || n`;
  const value = valueFor(prop, place, records);
  return prop.required ? value : `case when ${chance(`${prop.name} null`)} < 0.9 then ${value} end`;
}

/** Makes the lists, without records. */
export async function makeLists(run: Run): Promise<void> {
  const lists = `generate_series(${LIST}, ${LIST + NEIGHBOURS.lists}) c`;
  await run(
    `insert into organisation (id, public_id, name, created_at) select ${ORGANISATION} + c - ${LIST}, 'org_list_' || c, case when c = ${LIST} then 'Lists' else 'Lists ' || c end, now() from ${lists}`,
  );
  await run(
    `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
     select c, ${ORGANISATION}, 'Company ' || c, 'XERO', 'ACTIVE', now(), now() from ${lists}`,
  );
  await run(
    `insert into corporation (id, organisation_id, legal_name, jurisdiction, tax_ids, created_at, updated_at)
     select 'corp_' || c, ${ORGANISATION}, 'Corporation ' || c, 'GB', '[]', now(), now() from ${lists}`,
  );
}

/** Fills the lists of one type. Its table has no statistics afterwards. References name records that are not there: no list reads them. */
export async function fill(run: Run, model: Model, records: number): Promise<void> {
  const { rows } = await run(
    `select attname from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey) where indrelid = '"${model.table}"'::regclass and indisunique`,
  );
  const unique = new Set(rows.map(({ attname }) => String(attname)));
  const props = [...model.props.values()];
  const ranged = props.filter((prop) => filterOperators(prop).includes('gte'));
  // What no filter takes may have any values.
  const values = props.map((prop) => columnValue(model, prop, { place: Math.max(0, ranged.indexOf(prop)), records, unique }));
  await run('set session_replication_role = replica');
  await run(`alter table "${model.table}" set (autovacuum_enabled = false)`);
  await run(
    `insert into "${model.table}" (${props.map(({ column }) => `"${column}"`).join()})
     select ${values.join()} from generate_series(${LIST}, ${LIST + NEIGHBOURS.lists}) c, generate_series(1, case when c = ${LIST} then ${records} else ${NEIGHBOURS.records} end) n`,
  );
  await run('set session_replication_role = origin');
  // Lists are read without statistics first, and the gateway may have analyzed the table since.
  await run('begin');
  await run(`lock table "${model.table}" in share update exclusive mode`);
  await run(`delete from pg_statistic where starelid = '"${model.table}"'::regclass`);
  // Partial indexes have a count of their own, by which one that seems empty costs nothing.
  await run(
    `update pg_class set reltuples = -1, relpages = 0 where oid = '"${model.table}"'::regclass
       or oid in (select indexrelid from pg_index where indrelid = '"${model.table}"'::regclass)`,
  );
  await run('commit');
}

/** Removes what `fill` wrote. */
export async function empty(run: Run, model: Model): Promise<void> {
  const key = model.props.get(model.key)!;
  await run('set session_replication_role = replica');
  await run(
    `delete from "${model.table}" where ${kinds[key.kind].column === 'bigint' ? `${key.column} > 10000000` : `${key.column} like '${model.prefix}\\_%\\_%'`}`,
  );
  await run('set session_replication_role = origin');
  await run(`vacuum "${model.table}"`);
}

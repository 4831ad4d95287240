// The data of the list workloads: one large company and several middle ones among many small ones, skewed as real books are. It has no lines,
// because no list workload reads them.
import type { Client } from 'pg';

export interface ListSize {
  /** Bill credit notes of each middle company. */
  middle: number;
  /** Bill credit notes of the large company. */
  large: number;
  /** Number of small companies; each has between 1 and 300 bill credit notes, most of them few. */
  small: number;
}

/** The range of record numbers that one company uses. */
const SPAN = 10_000_000;
const NOTE = 2_000_000;
const CONTACT = 1_000_000;
const MIDDLE_COMPANIES = 20;
const ACCOUNTS = 30;
/** Bill credit notes to one contact, on average. */
const NOTES_PER_CONTACT = 5;

export const MIDDLE = Array.from({ length: MIDDLE_COMPANIES }, (_, index) => 1001 + index);
export const LARGE = 1001 + MIDDLE_COMPANIES;

/** Days that the dates of the documents span, and the first of them. */
export const DAYS = 1_096;
const FIRST_DAY = Date.UTC(2023, 6, 1);
const DAY_MS = 86_400_000;
/** The span of `ledger_updated_at`, which moves with the numbers of the records except for one record in twenty. */
const CHANGE_DAYS = 900;
const FIRST_CHANGE = Date.UTC(2024, 0, 1);

/** Midnight of a day of the documents. */
export const dayOf = (day: number): string => new Date(FIRST_DAY + day * DAY_MS).toISOString();

/** The time at this share of all changes, 0 to 1. */
export const changeAt = (share: number): string =>
  new Date(FIRST_CHANGE + Math.floor((share * CHANGE_DAYS * DAY_MS) / 1_000) * 1_000).toISOString();

/** Statuses by share of the documents; OVERDUE is rare, and no document is PARTIALLY_PAID. */
export const SHARES = { PAID: 0.62, SUBMITTED: 0.2, DRAFT: 0.12, VOID: 0.0598, OVERDUE: 0.0002, PARTIALLY_PAID: 0 };

/** What the names of contacts are made of. */
export const SYLLABLES =
  'mül ler çe ran ño ré my šk va ön bér gio zá na kle in wag ner sán ta høy er łuk asz fré dé ric bau mann co sta per ez ki rov lin da stró ma tí por té han sen du val ô lar go rès vin che zi nù bel lö we'.split(
    ' ',
  );

/** Contacts of a company with so many notes. */
export const contactsOf = (count: number): number => count / NOTES_PER_CONTACT;
export const noteOf = (company: number, index: number): number => company * SPAN + NOTE + index;
export const contactOf = (company: number, index: number): number => company * SPAN + CONTACT + index;

/** A number from 0 to below 1 that follows from the company, the row and the salt. */
const share = (salt: number, row = 'n'): string =>
  `((hashint8extended(c * ${SPAN}::bigint + ${row}, ${salt}) & 1099511627775) / 1099511627776.0::float8)`;
const pick = (salt: number, values: readonly string[]): string =>
  `(array['${values.join("','")}'])[1 + floor(${share(salt)} * ${values.length})::int]`;
const name = (...salts: number[]): string => `initcap(${salts.map((salt) => pick(salt, SYLLABLES)).join(' || ')})`;

/** An SQL expression of the status: the first whose share, added to those before it, exceeds the number of the row. */
function status(): string {
  let sum = 0;
  const cases = Object.entries(SHARES).flatMap(([value, part]) => {
    sum += part;
    return part > 0 ? [`when ${share(1)} < ${sum} then '${value}'`] : [];
  });
  return `case ${cases.join(' ')} else 'PAID' end`;
}

const day = `case when ${share(3)} < 0.25 then date_trunc('month', timestamp '2023-07-01' + ${share(2)} * ${DAYS} * interval '1 day') + interval '1 month - 1 day'
  when ${share(3)} < 0.4 then timestamp '2023-07-01' + floor(${DAYS} - 60 * power(${share(2)}, 2)) * interval '1 day'
  when ${share(3)} < 0.5 then date_trunc('second', timestamp '2023-07-01' + ${share(2)} * ${DAYS} * interval '1 day')
  else timestamp '2023-07-01' + floor(${share(2)} * ${DAYS}) * interval '1 day' end`;

/** Documents change in syncs of 500 records at one time; one record in twenty changed again since. */
const changed = `timestamptz '2024-01-01Z' + floor(86400 * ${CHANGE_DAYS} * (case when ${share(4)} < 0.95 then (n / 500) * 500 / total::float8
  else n / total::float8 + (1 - n / total::float8) * ${share(5)} end)) * interval '1 second'`;

const amount = `case when ${share(6)} < 0.02 then null when ${share(6)} < 0.3 then (array[50, 100, 250, 500, 1000, 2500])[1 + floor(${share(7)} * 6)::int]
  else round(exp(${share(7)} * 9)::numeric, 2) end`;

/** Fills a migrated database. The indexes are removed first and built afterwards from their own definitions, which is faster than to keep them. */
export async function fillLists(client: Client, { middle, large, small }: ListSize): Promise<void> {
  const last = LARGE + small;
  const run = (text: string): Promise<unknown> => client.query(text);
  // The references are right by construction, and their triggers would cost most of the time.
  await run(`set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '512MB'; set TimeZone = UTC`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any(array['bill_credit_note', 'contact', 'account']::regclass[]) and not indisprimary`,
  );
  for (const index of indexes) await run(`drop index ${index.name}`);
  const common = 'organisation_id, company_id, ledger_integration_type, data_hash, platform_id, ledger_deleted_at';
  const own = (prefix: string): string =>
    `1000, c, 'XERO', md5(c || '-' || n), '${prefix}-' || n, case when ${share(8)} < 0.01 then timestamptz '2026-07-01Z' end`;
  const stored = `timestamptz '2024-01-01Z' + n * interval '1 second', ${changed}`;
  const notes = `case when c < ${LARGE} then ${middle} when c = ${LARGE} then ${large} else 1 + floor(300 * power(${share(9, '0')}, 3))::int end`;
  /** The companies, with `total` rows each. */
  const each = (total: string): string =>
    `from generate_series(1001::bigint, ${last}) c cross join lateral (select ${total} as total) t cross join lateral generate_series(1, total) n`;
  const people = `(10 + (${notes}) / ${NOTES_PER_CONTACT})`;
  await run(`insert into organisation (id, public_id, name, created_at) values (1000, 'org_bench', 'Bench', '2024-01-01')`);
  await run(
    `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
     select c, 1000, 'Company ' || c, 'XERO', 'ACTIVE', '2024-01-01', '2024-01-01' from generate_series(1001, ${last}) c`,
  );
  await run(
    `insert into account (ledger_id, ledger_created_at, ledger_updated_at, ${common}, nominal_code, name, currency_id, current_balance, status, category)
     select c * ${SPAN} + 100 + n, ${stored}, ${own('acc')}, (1000 + n)::text, ${name(10, 11)} || ' ' || n, 'EUR', ${amount}, 'ACTIVE',
            ${pick(12, ['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE'])} ${each(`${ACCOUNTS}`)}`,
  );
  await run(
    `insert into contact (ledger_id, ledger_created_at, ledger_updated_at, ${common}, name, email, phone, tax_number, type, status, currency_id)
     select c * ${SPAN} + ${CONTACT} + n, ${stored}, ${own('con')}, ${name(13, 14)} || ' ' || ${name(15, 16, 17)} || ${pick(18, [' Ltd', ' GmbH', ' S.A.', ' AB', ''])},
            'office' || n || '@example.com', case when ${share(19)} < 0.6 then '+49 30 ' || floor(${share(20)} * 10000000) end, case when ${share(21)} < 0.5 then 'DE' || floor(${share(22)} * 1000000000) end,
            ${pick(23, ['VENDOR', 'VENDOR', 'VENDOR', 'CUSTOMER', 'BOTH'])}, 'ACTIVE', 'EUR' ${each(people)}`,
  );
  await run(
    `insert into bill_credit_note (ledger_id, ledger_created_at, ledger_updated_at, ${common}, bill_ids, contact_id, document_number, total_amount, is_tax_inclusive, remaining_credit, posted_date, currency_id, memo, status)
     select c * ${SPAN} + ${NOTE} + n, ${stored}, ${own('bcn')}, jsonb_build_array('bill-' || n), c * ${SPAN} + ${CONTACT} + 1 + floor(total / ${NOTES_PER_CONTACT} * power(${share(24)}, 3))::bigint,
            'CN-' || (n - case when n % 50 = 0 then 1 else 0 end), ${amount}, false, round((${share(25)} * 100)::numeric, 2), (${day}) at time zone 'UTC',
            case when ${share(26)} < 0.97 then 'EUR' else 'USD' end, case when ${share(27)} < 0.4 then ${name(28, 29)} || ' ' || n end, ${status()} ${each(notes)}`,
  );
  for (const { definition } of indexes) await run(definition);
  // The map of visible pages lets an index respond without the table, and the pending entries of text indexes are merged.
  await run('vacuum (analyze)');
}

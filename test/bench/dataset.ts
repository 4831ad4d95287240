// The data every subject reads: companies with bill credit notes of five lines each, generated in SQL from the row numbers alone.
/** Runs one statement on the database to fill. */
export type RunSql = (text: string, values?: unknown[]) => Promise<unknown>;

export interface DatasetSize {
  companies: number;
  notes: number;
}

/** The range of record numbers that one company uses. */
const SPAN = 10_000_000;
const CONTACTS = 200;
const ACCOUNTS = 100;
/** Records per company of a type that few companies use: enough for a full page of one status. */
const RARE = 400;

/** Statuses of the documents; a quarter of the documents has each. */
export const STATUSES = ['DRAFT', 'SUBMITTED', 'PAID', 'VOID'];

/** A hash of the content of row n, in the form of the program. */
const HASH = `left(translate(encode(sha256(n::text::bytea), 'base64'), '+/', '-_'), 22)`;

/** The position of row n among `rows` dates, in an order unrelated to its number. */
const scattered = (rows: number): string => `((n * 7919::bigint) % ${rows})`;

/** The date of the document at this position: the documents are an hour apart. */
export const hourOf = (place: number): string => new Date(Date.UTC(2026, 0, 1) + Math.floor(place) * 3_600_000).toISOString();

/** Fills a migrated database. Every value follows from the row number, so two runs have the same data. */
export async function fillDataset(run: RunSql, { companies, notes }: DatasetSize): Promise<void> {
  await run(`insert into organisation (id, public_id, name, created_at) values (1000, 'org_bench', 'Bench', '2026-01-01')`);
  const common = `organisation_id, company_id, ledger_created_at, ledger_updated_at, ledger_integration_type, platform_id, data_hash`;
  const own = (prefix: string) =>
    `1000, c, timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-02-01' + n * interval '1 second', 'XERO', '${prefix}-' || n, ${HASH}`;
  await run(
    `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
     select 1000 + c, 1000, 'Company ' || c, 'XERO', 'ACTIVE', '2026-01-01', '2026-01-01' from generate_series(1, $1::int) c`,
    [companies],
  );
  const each = (count: number) => `from generate_series(1001::bigint, 1000 + ${companies}) c, generate_series(1, ${count}) n`;
  await run(
    `insert into currency (ledger_id, ${common}, name, code, symbol, is_base_currency, exchange_rate) select c * ${SPAN} + n, ${own('cur')}, (array['Euro','Dollar'])[n], (array['EUR','USD'])[n], (array['€','$'])[n], n = 1, n + 0.1 ${each(2)}`,
  );
  await run(
    `insert into account (ledger_id, ${common}, nominal_code, name, currency_id, current_balance, status, category) select c * ${SPAN} + 100 + n, ${own('acc')}, (1000 + n)::text, 'Account ' || n, 'EUR', n * 10.25, 'ACTIVE', 'EXPENSE' ${each(ACCOUNTS)}`,
  );
  await run(
    `insert into contact (ledger_id, ${common}, name, email, type, status, currency_id) select c * ${SPAN} + 1000 + n, ${own('con')}, 'Vendor ' || n, 'vendor' || n || '@example.com', 'VENDOR', 'ACTIVE', 'EUR' ${each(CONTACTS)}`,
  );
  await run(
    `insert into bill_credit_note (ledger_id, ${common}, bill_ids, contact_id, document_number, total_amount, is_tax_inclusive, remaining_credit, posted_date, currency_id, memo, status)
     select c * ${SPAN} + 10000 + n, ${own('bcn')}, jsonb_build_array('bill-' || n), c * ${SPAN} + 1001 + n % ${CONTACTS}, 'CN-' || n, n * 1.5, false, n * 0.5,
            timestamptz '2026-01-01' + ${scattered(notes)} * interval '1 hour', (array['EUR','USD'])[1 + n % 2], 'Memo ' || n, (array['${STATUSES.join("','")}'])[1 + n % 4] ${each(notes)}`,
  );
  await run(
    `insert into line_item (ledger_id, ${common}, parent_type, parent_id, name, description, quantity, unit_amount, tax_amount, is_tax_inclusive, discount_amount, sub_total, total_amount, account_id)
     select c * ${SPAN} + 2000000 + n, ${own('li')}, 'BILL_CREDIT_NOTE', c * ${SPAN} + 10000 + (n + 4) / 5, 'Line ' || n, 'Description of line ' || n, n % 7 + 1, n % 100 + 0.25, 1.5, false, 0, n % 500 + 0.75, n % 500 + 2.25,
            c * ${SPAN} + 101 + n % ${ACCOUNTS} ${each(notes * 5)}`,
  );
  await run(
    `insert into goods_receipt_note (ledger_id, ${common}, description, document_number, posted_date, delivery_date, currency_id, currency_rate, sub_total, tax_amount, is_tax_inclusive, total_amount, contact_id, status)
     select c * ${SPAN} + 1000000 + n, ${own('grn')}, 'Goods ' || n, 'GR-' || n, timestamptz '2026-01-01' + n * interval '1 hour', timestamptz '2026-01-02' + n * interval '1 hour', (array['EUR','USD'])[1 + n % 2], 1.5, n, n * 0.5, false, n * 1.5,
            c * ${SPAN} + 1001 + n % ${CONTACTS}, (array['DRAFT','SUBMITTED','RECEIVED','VOID'])[1 + n % 4] ${each(RARE)}`,
  );
  await run('analyze');
}

/** The company a single request reads. */
export const COMPANY = 1001;

/** An account of a company; numbers beyond the last one wrap around. */
export const accountOf = (company: number, index = 49): number => company * SPAN + 101 + (index % ACCOUNTS);

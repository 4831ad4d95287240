// History as retention finds it: deliveries, writes and pulls that ended long ago, generated in SQL from their numbers alone.

import { accountOf, COMPANY } from './dataset.ts';

/** Longer ago than every retention. */
export const AGED = `now() - interval '100 days'`;

/** Deliveries that wait while the old ones are removed. */
const WAITING = 50_000;

/**
 * Companies that are pulled every hour in addition to those of writes, the number before the first pull, and the data models that each pull has a job
 * for.
 */
const PULLED = { companies: 100, first: 2001, before: 10_000_000 };
const MODELS =
  'ACCOUNT BILL BILL_CREDIT_NOTE CONTACT CURRENCY EXPENSE INVOICE INVOICE_CREDIT_NOTE ITEM JOURNAL_ENTRY PURCHASE_ORDER TAX_RATE'.split(
    ' ',
  );

/** An id as the program makes them, of a row. */
const id = (prefix: string, row = 'n'): string => `'${prefix}_01' || lpad(to_hex(${row}), 24, '0')`;

export const fillDeliveries = (count: number): string[] => [
  `insert into webhook (id, organisation_id, url, topics, secret_preview, status, created_at, updated_at, sealed_secret)
   select 'whk_' || n, 1000, 'https://example.com/', '["ALL"]', '…', 'ENABLED', ${AGED}, ${AGED}, 'v1.' from generate_series(0, 15) n`,
  `insert into event (id, organisation_id, organization_id, topic, data, test, triggered_at, commit_order, subject_id, operation)
   select ${id('evt')}, 1000, 'org_bench', 'PRODUCTS_CREATED', jsonb_build_object('id', ${id('prod')}, 'sku', 'SKU-' || n, 'name', repeat('x', 100)), false, ${AGED}, n, ${id('prod')}, 'CREATE'
   from generate_series(1, ${count}) n`,
  `insert into webhook_delivery (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, next_attempt_at, created_at, finished_at)
   select ${id('dlv')}, 1000, 'whk_' || n % 16, ${id('evt')}, 'DELIVERED', 1, 9, null, ${AGED}, ${AGED} from generate_series(1, ${count}) n`,
  `insert into webhook_attempt (id, organisation_id, delivery_id, status, duration, response_body, error, at)
   select ${id('att')}, 1000, ${id('dlv')}, 200, 12, 'ok', null, ${AGED} from generate_series(1, ${count}) n`,
];

/** Deliveries that are due, of events that the retention keeps. */
export const fillWaiting = `insert into webhook_delivery (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, next_attempt_at, created_at)
   select 'dlv_02' || lpad(to_hex(n), 24, '0'), 1000, 'whk_' || n % 16, 'evt_02' || lpad(to_hex(n), 24, '0'), 'PENDING', 1, 10, now(), now() from generate_series(1, ${WAITING}) n`;

/** Syncs of one job each, as writes leave them. */
export const fillWrites = (count: number): string[] => [
  `insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, full_sync, strict, sync_type, job_type, status, job_counts, data_model_counts, start_time, end_time, created_at)
   select ${id('sync')}, 1000, 1001, 'XERO', '["ACCOUNT"]', 'CREATE', false, false, 'MANUAL', 'PUSH', 'SUCCESS', '{"SUCCESS": 1}', '{"ACCOUNT": 1}', ${AGED}, ${AGED}, ${AGED} from generate_series(1, ${count}) n`,
  `insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, start_time, end_time, created_at)
   select ${id('syncjob')}, 1000, 1001, ${id('sync')}, 'ACCOUNT', 'SUCCESS', 'PUSH', 'CREATE', 1, 0, ${AGED}, ${AGED}, ${AGED} from generate_series(1, ${count}) n`,
];

/** Hourly pulls of many companies, with a job for each data model; 72,000 are those of a month. */
export const fillPulls = (count: number): string[] => {
  const company = `${PULLED.first} + n % ${PULLED.companies}`;
  const at = `${AGED} - (n / ${PULLED.companies}) * interval '1 hour'`;
  const own = `${PULLED.before} + n`;
  return [
    `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
     select ${PULLED.first} + n, 1000, 'Pulled ' || n, 'XERO', 'ACTIVE', ${AGED}, ${AGED} from generate_series(0, ${PULLED.companies - 1}) n`,
    `insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, full_sync, strict, sync_type, job_type, status, job_counts, data_model_counts, start_time, end_time, created_at)
     select ${id('sync', own)}, 1000, ${company}, 'XERO', '${JSON.stringify(MODELS)}', 'READ', false, false, 'AUTO_SYNC', 'PULL', 'SUCCESS', '{"SUCCESS": ${MODELS.length}}',
       '${JSON.stringify(Object.fromEntries(MODELS.map((model) => [model, 1])))}', ${at}, ${at}, ${at} from generate_series(1, ${count}) n`,
    `insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, start_time, end_time, created_at)
     select ${id('syncjob', `(${own}) * 16 + place`)}, 1000, ${company}, ${id('sync', own)}, model, 'SUCCESS', 'PULL', 'READ', 3, 0, ${at}, ${at}, ${at}
     from generate_series(1, ${count}) n, unnest('{${MODELS.join()}}'::text[]) with ordinality models(model, place)`,
  ];
};

const delivery = 'nodes { id status createdAt attempts { status duration } event { topic } }';
const sync = 'nodes { id status createdAt jobs(first: 12) { nodes { dataModel status } } }';
const syncs = (company: number): string[] =>
  ['', 'filter: { status: { eq: SUCCESS } }', 'orderBy: [{ field: CREATED_AT, direction: ASC }]'].map(
    (args) => `{ company(id: ${company}) { syncs(first: 20 ${args}) { ${sync} } } }`,
  );

const line = '{ id name quantity totalAmount account { name } }';

/** The lists that show a table, first pages in several orders and by several conditions. */
export const listsOf = {
  lines: [
    `lineItems(first: 20) { nodes ${line} }`,
    `lineItems(first: 20, filter: { accountId: { eq: ${accountOf(COMPANY)} } }) { nodes ${line} }`,
    `lineItems(first: 20, orderBy: [{ field: LEDGER_UPDATED_AT, direction: DESC }]) { nodes ${line} }`,
    `billCreditNotes(first: 20, filter: { status: { eq: PAID } }) { nodes { id documentNumber lineItems ${line} } }`,
  ].map((list) => `{ company(id: ${COMPANY}) { ${list} } }`),
  deliveries: [
    '',
    'filter: { status: { eq: DELIVERED } }',
    'filter: { webhookId: { eq: "whk_3" } }',
    'orderBy: [{ field: CREATED_AT, direction: ASC }]',
  ].map((args) => `{ webhookDeliveries(first: 20 ${args}) { ${delivery} } }`),
  writes: syncs(1001),
  pulls: syncs(PULLED.first),
};

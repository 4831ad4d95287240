// The baseline: a bare node:http server with one prepared statement per request that builds the whole JSON in SQL.
// It has no keys, checks or logs, so its cost is the lower limit that the gateway is compared with.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';

const moment = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const common = (t: string): string =>
  `'ledger_id', ${t}.ledger_id, 'ledger_created_at', ${moment(`${t}.ledger_created_at`)}, 'ledger_updated_at', ${moment(`${t}.ledger_updated_at`)}, 'ledger_integration_type', ${t}.ledger_integration_type, 'platform_id', ${t}.platform_id`;
const plain = (t: string, columns: string): string =>
  columns
    .split(' ')
    .map((column) => `'${column}', ${t}.${column}`)
    .join(', ');
const object = (...parts: string[]): string => `json_build_object(${parts.join(', ')})`;

const account = object(
  common('a'),
  plain('a', 'nominal_code name description currency_id current_balance status category sub_category parent_account_id'),
  `'updated_at', ${moment('a.updated_at')}`,
);
const note = [
  common('n'),
  plain('n', 'bill_ids contact_id document_number total_amount is_tax_inclusive remaining_credit'),
  `'posted_date', ${moment('n.posted_date')}`,
  plain('n', 'currency_id memo status'),
  `'updated_at', ${moment('n.updated_at')}`,
].join(', ');
const contact = object(
  common('c'),
  plain('c', 'name contact_name email phone tax_number type status currency_id registration_number website'),
  `'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')}`,
);
const currency = object(
  common('u'),
  plain('u', 'name code symbol is_base_currency exchange_rate'),
  `'updated_at', ${moment('u.updated_at')}`,
);
// json_build_object takes at most 100 arguments, so a line item is two objects joined.
const line = `(${`jsonb_build_object(${common('l')}, ${plain('l', 'parent_id tracking_category_ids parent_type item_id name description quantity unit_amount tax_amount is_tax_inclusive discount_amount sub_total total_amount tax_id account_id variant_id')}, 'created_at', ${moment('l.created_at')}, 'updated_at', ${moment('l.updated_at')})`})`;

const linesOf = (shape: string): string =>
  `(select coalesce(json_agg(${shape} order by l.ledger_id), '[]') from line_item l where l.company_id = n.company_id and l.parent_type = 'BILL_CREDIT_NOTE' and l.parent_id = n.ledger_id and l.ledger_deleted_at is null)`;
const contactOf = (shape: string): string =>
  `(select ${shape} from contact c where c.company_id = n.company_id and c.ledger_id = n.contact_id)`;
const currencyOf = (shape: string): string =>
  `(select ${shape} from currency u where u.company_id = n.company_id and u.code = n.currency_id and u.ledger_deleted_at is null limit 1)`;
const graphContact = object(`'ledgerId', c.ledger_id, 'name', c.name, 'email', c.email, 'type', c.type`);
const graphCurrency = object(`'code', u.code, 'name', u.name, 'symbol', u.symbol`);
const graphLine = object(
  `'ledgerId', l.ledger_id, 'name', l.name, 'description', l.description, 'quantity', l.quantity, 'unitAmount', l.unit_amount, 'taxAmount', l.tax_amount, 'totalAmount', l.total_amount, 'accountId', l.account_id`,
);
const graphNote = object(
  `'ledgerId', n.ledger_id, 'platformId', n.platform_id, 'documentNumber', n.document_number, 'totalAmount', n.total_amount, 'remainingCredit', n.remaining_credit, 'isTaxInclusive', n.is_tax_inclusive, 'postedDate', ${moment('n.posted_date')}, 'memo', n.memo, 'status', n.status, 'currencyId', n.currency_id, 'ledgerUpdatedAt', ${moment('n.ledger_updated_at')}`,
  `'contact', ${contactOf(graphContact)}, 'currency', ${currencyOf(graphCurrency)}, 'lineItems', ${linesOf(graphLine)}`,
);

const one = {
  name: 'one',
  text: `select ${account}::text from account a where a.company_id = $1 and a.ledger_id = $2 and a.ledger_deleted_at is null`,
};

const shapes = {
  list: { shape: object(note), limit: 100 },
  expanded: {
    shape: object(note, `'contact', ${contactOf(contact)}, 'currency', ${currencyOf(currency)}, 'line_items', ${linesOf(line)}`),
    limit: 100,
  },
  graph: { shape: graphNote, limit: 100 },
  small: {
    shape: object(
      `'ledgerId', n.ledger_id, 'documentNumber', n.document_number, 'totalAmount', n.total_amount, 'status', n.status, 'postedDate', ${moment('n.posted_date')}`,
    ),
    limit: 10,
  },
};

/** The parameters of a list request. */
interface ListQuery {
  company: number;
  status: string;
  from?: string | null | undefined;
  to?: string | null | undefined;
  field: string;
  isDescending: boolean;
  after?: string | null | undefined;
}

const lists = new Map<string, { name: string; text: string }>();

/** The prepared statement of a list: one for each order, with and without dates and cursor. It reads only the requested rows. */
function statementOf(shape: keyof typeof shapes, { from, to, field, isDescending, after }: ListQuery): { name: string; text: string } {
  const key = [shape, from ? 'dates' : '', field, isDescending ? 'desc' : '', after ? 'after' : ''].join();
  let found = lists.get(key);
  if (!found) {
    const columns = [...new Set([field.toLowerCase(), 'ledger_id'])].map((column) => `n.${column}`);
    const values = [...'3456'].map((number) => `$${number}`);
    const dates = from && to ? ` and n.posted_date >= ${values.shift()} and n.posted_date <= ${values.shift()}` : '';
    const beyond = after ? ` and (${columns.join()}) ${isDescending ? '<' : '>'} (${values.slice(0, columns.length).join()})` : '';
    const order = columns.map((column) => `${column}${isDescending ? ' desc' : ''}`).join();
    const rows = `select ${shapes[shape].shape} as row from bill_credit_note n where n.company_id = $1 and n.status = $2 and n.ledger_deleted_at is null${dates}${beyond} order by ${order} limit ${shapes[shape].limit}`;
    found = { name: `list${lists.size}`, text: `select coalesce(json_agg(r.row), '[]')::text from (${rows}) r` };
    lists.set(key, found);
  }
  return found;
}

function listOf(shape: keyof typeof shapes, listQuery: ListQuery): Promise<string> {
  const { company, status, from, to, after } = listQuery;
  // The values in front of a cursor's signature; the baseline does not check the signature.
  const position = after ? (JSON.parse(Buffer.from(after.split('.')[0]!, 'base64url').toString()) as unknown[]) : [];
  return run(planned, statementOf(shape, listQuery), [company, status, ...(from && to ? [from, to] : []), ...position]);
}

// A batch: orders and lines from one JSON parameter. Order n has the number $2 + 6n; its lines have the next five numbers.
const insertInto = (source: string, names: string) =>
  `insert into ${source} (company_id, organisation_id, ledger_id, ledger_created_at, ledger_updated_at, ledger_integration_type, data_hash, ${names})`;
const commonValues = (id: string, row: string) => `$1::bigint, 1000, ${id}, now(), now(), 'XERO', md5(${row}::text)`;
const batch = {
  name: 'batch',
  text: `with sent as materialized (
    select o.*, $2::bigint + 6 * n as id from rows from (json_to_recordset($3::json -> 'data') as (platform_id text, document_number text, posted_date timestamptz, currency_id text, total_amount numeric, status text, line_items json))
      with ordinality as o(platform_id, document_number, posted_date, currency_id, total_amount, status, line_items, n)),
  orders as (${insertInto('purchase_order', 'platform_id, document_number, posted_date, currency_id, total_amount, status')}
    select ${commonValues('id', 'sent')}, platform_id, document_number, posted_date, currency_id, total_amount, status from sent)
  ${insertInto('line_item', 'parent_type, parent_id, platform_id, name, quantity, unit_amount, sub_total, tax_amount, total_amount')}
    select ${commonValues('sent.id + l.n', 'l')}, 'PURCHASE_ORDER', sent.id, l.platform_id, l.name, l.quantity, l.unit_amount, l.sub_total, l.tax_amount, l.total_amount
    from sent, rows from (json_to_recordset(line_items) as (platform_id text, name text, quantity numeric, unit_amount numeric, sub_total numeric, tax_amount numeric, total_amount numeric))
      with ordinality as l(platform_id, name, quantity, unit_amount, sub_total, tax_amount, total_amount, n)`,
};
// Above the numbers that the gateway assigns in a measurement.
let nextId = 5_000_000_000_000;

const pool = new Pool({ connectionString: process.argv[2], max: 10 });
/** For lists: the best index depends on how much a range matches, so PostgreSQL plans them with the values. */
const planned = new Pool({ connectionString: process.argv[2], max: 10, options: '-c plan_cache_mode=force_custom_plan' });

let sent = 0;

async function run(on: Pool, statement: { name: string; text: string }, values: unknown[]): Promise<string> {
  sent++;
  const result = await on.query({ ...statement, values, rowMode: 'array' });
  return (result.rows as string[][])[0]![0]!;
}

function reply(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const page = '"pagination":{"total_count":null,"next":null,"prev":null},"request_id":"-"';

const server = createServer(async (request, response) => {
  if (request.url === '/metrics') return reply(response, `gateway_database_statements_total ${sent}\n`);
  const [, named] = /^\/v4\/core\/companies\/(\d+)\//.exec(request.url!) ?? [];
  const company = Number(named);
  if (request.method !== 'GET') {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.method === 'PUT') {
      sent++;
      await pool.query({ ...batch, values: [company, nextId, body] });
      nextId += 1_000_000;
      return reply(response, '{"data":{}}');
    }
    const { query, variables } = JSON.parse(body);
    const { field, direction } = variables.orderBy;
    const listQuery = { ...variables, field, isDescending: direction === 'DESC' };
    const nodes = await listOf(query.includes('first: 10,') ? 'small' : 'graph', listQuery);
    return reply(response, `{"data":{"company":{"billCreditNotes":{"nodes":${nodes}}}}}`);
  }
  const { pathname, searchParams: given } = new URL(request.url!, 'http://baseline');
  const id = /\/accounts\/(\d+)$/.exec(pathname)?.[1];
  if (id) return reply(response, `{"data":${await run(pool, one, [company, Number(id)])},"request_id":"-"}`);
  const [sort, direction] = [...given].find(([name]) => name.startsWith('sort[')) ?? ['sort[ledger_id]', 'ASC'];
  const listQuery = {
    company,
    status: given.get('status[eq]')!,
    from: given.get('posted_date[gte]'),
    to: given.get('posted_date[lte]'),
    field: sort.slice('sort['.length, -1),
    isDescending: direction === 'DESC',
    after: given.get('next'),
  };
  reply(response, `{"data":${await listOf(given.has('expand') ? 'expanded' : 'list', listQuery)},${page}}`);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${(server.address() as AddressInfo).port}`));

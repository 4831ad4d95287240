// The baseline: a bare node:http server with one prepared statement per request that builds the whole JSON in SQL.
// It has no keys, checks or logs, so its cost is the lower limit that the gateway is compared with.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import {
  type Condition,
  companies,
  type List,
  listStatement,
  one,
  type Statement,
  type Summary,
  summaryStatement,
} from './baseline-statements.ts';

// A batch: orders and lines from one JSON parameter. Order n has the number $2 + 6n; its lines have the next five numbers.
const insertInto = (source: string, names: string) =>
  `insert into ${source} (company_id, organisation_id, ledger_id, ledger_created_at, ledger_updated_at, ledger_integration_type, data_hash, ${names})`;
const commonValues = (id: string, row: string) => `$1::bigint, 1000, ${id}, now(), now(), 'XERO', md5(${row}::text)`;
const batch: Statement = {
  name: 'batch',
  text: `with sent as materialized (
    select o.*, $2::bigint + 6 * n as id from rows from (json_to_recordset($3::json -> 'data') as (platform_id text, document_number text, posted_date timestamptz, currency_id text, total_amount numeric, status text, line_items json))
      with ordinality as o(platform_id, document_number, posted_date, currency_id, total_amount, status, line_items, n)),
  orders as (${insertInto('purchase_order', 'platform_id, document_number, posted_date, currency_id, total_amount, status')}
    select ${commonValues('id', 'sent')}, platform_id, document_number, posted_date, currency_id, total_amount, status from sent)
  ${insertInto('line_item', 'parent_type, parent_id, position, platform_id, name, quantity, unit_amount, sub_total, tax_amount, total_amount')}
    select ${commonValues('sent.id + l.n', 'l')}, 'PURCHASE_ORDER', sent.id, l.n, l.platform_id, l.name, l.quantity, l.unit_amount, l.sub_total, l.tax_amount, l.total_amount
    from sent, rows from (json_to_recordset(line_items) as (platform_id text, name text, quantity numeric, unit_amount numeric, sub_total numeric, tax_amount numeric, total_amount numeric))
      with ordinality as l(platform_id, name, quantity, unit_amount, sub_total, tax_amount, total_amount, n)`,
};
// Above the numbers that the gateway assigns in a measurement.
let nextId = 5_000_000_000_000;

const pooled = (options: string): Pool => new Pool({ connectionString: process.argv[2], max: 10, options });
const pool = pooled('-c TimeZone=UTC -c plan_cache_mode=force_generic_plan');
/** For statements whose best plan depends on their values. */
const planned = pooled('-c TimeZone=UTC -c plan_cache_mode=force_custom_plan -c jit=off');

let sent = 0;

/** The one value of a statement; undefined when it finds no row. */
async function run(on: Pool, statement: Statement, values: unknown[]): Promise<string | undefined> {
  sent++;
  const result = await on.query({ ...statement, values, rowMode: 'array' });
  return (result.rows as string[][])[0]?.[0];
}

function nodesOf(list: List): Promise<string | undefined> {
  const { statement, values, hasOnePlan } = listStatement(list);
  return run(hasOnePlan ? pool : planned, statement, values);
}

function sumsOf(summary: Summary): Promise<string | undefined> {
  const { statement, values } = summaryStatement(summary);
  return run(planned, statement, values);
}

/** The values in front of a cursor's signature; the baseline does not check the signature. */
const positionOf = (cursor: string | null | undefined): unknown[] | undefined =>
  cursor ? (JSON.parse(Buffer.from(cursor.split('.')[0]!, 'base64url').toString()) as unknown[]) : undefined;

/** The conditions that the variables of a GraphQL request stand for. */
const meaning: Record<string, Omit<Condition, 'value'>> = {
  status: { column: 'status', operator: 'eq' },
  currency: { column: 'currency_id', operator: 'eq' },
  contact: { column: 'contact_id', operator: 'eq' },
  from: { column: 'posted_date', operator: 'gte' },
  to: { column: 'posted_date', operator: 'lte' },
  most: { column: 'total_amount', operator: 'lte' },
  part: { column: 'name', operator: 'contains' },
};

/** The `data` of a GraphQL request, which is identified by the field it asks for; its order and page size stand in the document. */
async function graphResponse(query: string, variables: Record<string, unknown>): Promise<string> {
  const after = variables.after as string | undefined;
  if (query.includes('companies(')) {
    const [from] = positionOf(after) ?? [0];
    return `{"companies":{"nodes":${await run(pool, companies, [from, variables.type, variables.status])}}}`;
  }
  const company = variables.company as number;
  const where = Object.entries(variables).flatMap(([name, value]) => (meaning[name] ? [{ ...meaning[name], value }] : []));
  if (query.includes('billCreditNotesSummary')) return `{"company":{"billCreditNotesSummary":${await sumsOf({ company, where })}}}`;
  const [, list, first] = /(\w+)\(first: (\d+)/.exec(query)!;
  const [, field, direction] = /orderBy: \[?\{ field: (\w+), direction: (\w+)/.exec(query) ?? [];
  const order = field && { column: field.toLowerCase(), isDescending: direction === 'DESC' };
  const shape = list === 'contacts' ? 'contacts' : query.includes('lineItems') ? 'graph' : 'small';
  const nodes = await nodesOf({ shape, company, where, order: order || undefined, position: positionOf(after), limit: Number(first) });
  return `{"company":{"${list}":{"nodes":${nodes}}}}`;
}

/** The order a REST request asks for: `order_by=-posted_date` or `sort[ledger_created_at]=ASC`. */
function orderOf(given: URLSearchParams): List['order'] {
  const by = given.get('order_by');
  if (by) return { column: by.replace(/^-/, ''), isDescending: by.startsWith('-') };
  const [sort, direction] = [...given].find(([name]) => name.startsWith('sort[')) ?? [];
  return sort ? { column: sort.slice('sort['.length, -1), isDescending: direction === 'DESC' } : undefined;
}

/** A REST request for a list. */
const listOf = (company: number, given: URLSearchParams): List => ({
  company,
  shape: given.has('expand') ? 'expanded' : 'list',
  where: [...given].flatMap(([name, value]) => {
    const [, column, operator] = /^(\w+)\[(eq|gte|lte)\]$/.exec(name) ?? [];
    return column ? [{ column, operator: operator as 'eq' | 'gte' | 'lte', value }] : [];
  }),
  order: orderOf(given),
  position: positionOf(given.get('next')),
  limit: Number(given.get('limit')),
});

function reply(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) });
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
      await run(pool, batch, [company, nextId, body]);
      nextId += 1_000_000;
      return reply(response, '{"data":{}}');
    }
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    return reply(response, `{"data":${await graphResponse(query, variables)}}`);
  }
  const { pathname, searchParams: given } = new URL(request.url!, 'http://baseline');
  const id = /\/accounts\/(\d+)$/.exec(pathname)?.[1];
  if (id) {
    const found = await run(pool, one, [company, Number(id)]);
    return reply(response, `{"data":${found ?? null},"request_id":"-"}`, found ? 200 : 404);
  }
  reply(response, `{"data":${await nodesOf(listOf(company, given))},${page}}`);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${(server.address() as AddressInfo).port}`));

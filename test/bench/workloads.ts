// The workloads: byte for byte the same requests for every subject, a few hundred different ones each.
import { accountOf, COMPANY, type DatasetSize, hourOf, STATUSES } from './dataset.ts';
import { oneOf, sequence } from './random.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

export interface Order {
  field: string;
  direction: 'ASC' | 'DESC';
}

/** The parameters of one list request; every parameter a caller may set differs from request to request. */
export interface ListQuery {
  company: number;
  status: string;
  /** First and last date of the documents. */
  window?: readonly [string, string];
  order: Order;
  /** Cursor of the record before the page. */
  after?: string;
}

export interface Workload {
  name: string;
  title: string;
  /** Sent in a cycle. */
  requests: readonly Request[];
  /** Ratio of CPU per request to the baseline that must be reached, and the one aimed at. */
  must: number;
  aim: number;
  /** Connections, where one request takes so long that the usual number would only wait. */
  connections?: number;
}

const byNumber = { field: 'LEDGER_ID', direction: 'ASC' } as const;

/** The first page of a company's paid documents, or the one after a cursor. */
export const paidOf = (company = COMPANY, after?: string): ListQuery => ({
  company,
  status: 'PAID',
  order: byNumber,
  ...(after ? { after } : {}),
});

/** Enough that one request is unlikely to profit from caches that another filled, and few enough to compare one by one. */
export const LIST_QUERIES = 256;
/** The order by number, and those whose REST names are documented. */
const orders: readonly Order[] = [
  byNumber,
  byNumber,
  byNumber,
  { field: 'LEDGER_UPDATED_AT', direction: 'DESC' },
  { field: 'LEDGER_CREATED_AT', direction: 'ASC' },
];

/**
 * The list requests on the dataset: date ranges of a quarter of the dates and more. Half of them are beyond the first page, whose end `next` returns.
 */
export async function listQueriesOf({ companies, notes }: DatasetSize, next: (list: Request) => Promise<string>): Promise<ListQuery[]> {
  const below = sequence();
  const listQueries: ListQuery[] = [];
  for (let made = 0; made < LIST_QUERIES; made++) {
    const from = below(notes * 0.5);
    const to = from + notes * 0.25 + below(notes * 0.75);
    const listQuery: ListQuery = {
      company: COMPANY + below(companies),
      status: oneOf(STATUSES, below),
      window: [hourOf(from), hourOf(to)],
      order: oneOf(orders, below),
    };
    const after = below(2) === 1 ? await next(listOf(listQuery)) : undefined;
    listQueries.push(after ? { ...listQuery, after } : listQuery);
  }
  return listQueries;
}

export const small = `ledgerId documentNumber totalAmount status postedDate`;
const large = `ledgerId platformId documentNumber totalAmount remainingCredit isTaxInclusive postedDate memo status currencyId ledgerUpdatedAt
  contact { ledgerId name email type }
  currency { code name symbol }
  lineItems { ledgerId name description quantity unitAmount taxAmount totalAmount accountId }`;

export const get = (path: string): Request => ({ method: 'GET', path });

/** A page of 100 over REST. */
function listOf({ company, status, window, order, after }: ListQuery, more = ''): Request {
  const dates = window ? `&posted_date[gte]=${window[0]}&posted_date[lte]=${window[1]}` : '';
  const sort = order.field === 'LEDGER_ID' ? '&order_by=ledger_id' : `&sort[${order.field.toLowerCase()}]=${order.direction}`;
  const next = after ? `&next=${encodeURIComponent(after)}` : '';
  return get(`/v4/core/companies/${company}/bill_credit_notes?limit=100&status[eq]=${status}${dates}${sort}${next}${more}`);
}

/** A GraphQL request. */
export const post = (query: string, variables: Record<string, unknown>): Request => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
});

/** A page over GraphQL: one document for each order, whose variables differ. */
function graphOf({ company, status, window, order, after }: ListQuery, first: number, fields: string): Request {
  const dates = window ? ', postedDate: { gte: $from, lte: $to }' : '';
  const declared = `$company: ID!, $status: DocumentStatus, ${window ? '$from: DateTime, $to: DateTime, ' : ''}$after: String`;
  const by = `{ field: ${order.field}, direction: ${order.direction} }`;
  const query = `query Page(${declared}) { company(id: $company) { billCreditNotes(first: ${first}, after: $after, orderBy: ${by}, filter: { status: { eq: $status }${dates} }) { nodes { ${fields} } } } }`;
  return post(query, { company, status, from: window?.[0], to: window?.[1], after });
}

/** The workloads with these list requests; the account reads use the same companies. */
export function workloadsOf(listQueries: readonly ListQuery[] = [paidOf()]): Workload[] {
  const all = (request: (listQuery: ListQuery, index: number) => Request): Request[] => listQueries.map(request);
  const account = ({ company }: ListQuery, index: number): Request =>
    get(`/v4/core/companies/${company}/accounts/${accountOf(company, index)}`);
  return [
    { name: 'W1', title: 'one account by id (REST)', requests: all(account), must: 2, aim: 1.4 },
    { name: 'W2', title: 'list of 100, filtered (REST)', requests: all((each) => listOf(each)), must: 0.95, aim: 0.65 },
    {
      name: 'W3',
      title: 'the same, expanded (REST)',
      requests: all((each) => listOf(each, '&expand=contact,currency,line_items')),
      must: 0.95,
      aim: 0.65,
    },
    { name: 'W4', title: 'GraphQL, 25 fields of W3', requests: all((each) => graphOf(each, 100, large)), must: 1.1, aim: 0.7 },
    { name: 'W4b', title: 'GraphQL, 10 records x 5 fields', requests: all((each) => graphOf(each, 10, small)), must: 1.6, aim: 1.2 },
  ];
}

/** The cursor of the page after `pages` pages of the paid documents; both endpoints take it. */
export async function pageStart(pages: number, next: (list: Request) => Promise<string>): Promise<string | undefined> {
  let after: string | undefined;
  for (let page = 0; page < pages; page++) after = await next(listOf(paidOf(COMPANY, after)));
  return after;
}

/** A page of 100 of a common record type, and of a rarely used one. */
export const pair: { common: Request; rare: Request } = {
  common: { method: 'GET', path: `/v4/core/companies/${COMPANY}/bill_credit_notes?limit=100` },
  rare: { method: 'GET', path: `/v4/core/companies/${COMPANY}/goods_receipt_notes?limit=100` },
};

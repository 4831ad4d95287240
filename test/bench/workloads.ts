// The workloads: one request each, sent to every contender. Each request is the same bytes for all of them.
import { accountOf, COMPANY } from './dataset.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

export interface Workload extends Request {
  name: string;
  title: string;
  /** Ratio of CPU per request to the bare contender that must be reached, and the one aimed at. */
  must: number;
  aim: number;
}

const pageQuery = `query Page($company: PositiveInt!, $after: String) { company(id: $company) { billCreditNotes(first: 100, after: $after, filter: { status: { eq: PAID } }) { nodes {
  ledgerId platformId documentNumber totalAmount remainingCredit isTaxInclusive postedDate memo status currencyId ledgerUpdatedAt
  contact { ledgerId name email type }
  currency { code name symbol }
  lineItems { ledgerId name description quantity unitAmount taxAmount totalAmount accountId }
} } } }`;

const smallQuery = `query Small($company: PositiveInt!) { company(id: $company) { billCreditNotes(first: 10, filter: { status: { eq: PAID } }) { nodes { ledgerId documentNumber totalAmount status postedDate } } } }`;

/** The workloads on a company; lists start after the cursor, when there is one. */
export function workloadsOf(company = COMPANY, after?: string): Workload[] {
  const base = `/v4/core/companies/${company}`;
  const list = `${base}/bill_credit_notes?limit=100&status[eq]=PAID${after ? `&next=${encodeURIComponent(after)}` : ''}`;
  const graphql = (query: string): string => JSON.stringify({ query, variables: { company, after } });
  const get = (path: string) => ({ method: 'GET' as const, path });
  const post = (query: string) => ({ method: 'POST' as const, path: '/graphql', body: graphql(query) });
  return [
    { name: 'W1', title: 'one account by id (REST)', ...get(`${base}/accounts/${accountOf(company)}`), must: 2, aim: 1.4 },
    { name: 'W2', title: 'list of 100, filtered (REST)', ...get(list), must: 0.95, aim: 0.65 },
    { name: 'W3', title: 'the same, expanded (REST)', ...get(`${list}&expand=contact,currency,line_items`), must: 0.95, aim: 0.65 },
    { name: 'W4', title: 'GraphQL, 25 fields of W3', ...post(pageQuery), must: 1.1, aim: 0.7 },
    { name: 'W4b', title: 'GraphQL, 10 records x 5 fields', ...post(smallQuery), must: 1.6, aim: 1.2 },
  ];
}

/** Where the page after so many pages of the list begins; both doors take the cursor. */
export async function pageStart(pages: number, next: (list: Request) => Promise<string>): Promise<string | undefined> {
  let after: string | undefined;
  for (let page = 0; page < pages; page++) after = await next(workloadsOf(COMPANY, after)[1]!);
  return after;
}

/** A page of 100 of a type of record in daily use, and of one that hardly anybody uses. */
export const pair: { common: Request; rare: Request } = {
  common: { method: 'GET', path: `/v4/core/companies/${COMPANY}/bill_credit_notes?limit=100` },
  rare: { method: 'GET', path: `/v4/core/companies/${COMPANY}/goods_receipt_notes?limit=100` },
};

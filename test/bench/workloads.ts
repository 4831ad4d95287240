// The workloads: one request each, sent to every contender. Each request is the same bytes for all of them.
import { target } from './dataset.ts';

export interface Workload {
  name: string;
  title: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Ratio of CPU per request to the bare contender that must be reached, and the one aimed at. */
  must: number;
  aim: number;
}

const company = `/v4/core/companies/${target.company}`;
const list = `${company}/bill_credit_notes?limit=100&status[eq]=PAID`;
const graphql = (query: string): string => JSON.stringify({ query, variables: { company: target.company } });

const page = `query Page($company: PositiveInt!) { company(id: $company) { billCreditNotes(first: 100, filter: { status: { eq: PAID } }) { nodes {
  ledgerId platformId documentNumber totalAmount remainingCredit isTaxInclusive postedDate memo status currencyId ledgerUpdatedAt
  contact { ledgerId name email type }
  currency { code name symbol }
  lineItems { ledgerId name description quantity unitAmount taxAmount totalAmount accountId }
} } } }`;

const small = `query Small($company: PositiveInt!) { company(id: $company) { billCreditNotes(first: 10, filter: { status: { eq: PAID } }) { nodes { ledgerId documentNumber totalAmount status postedDate } } } }`;

export const workloads: Workload[] = [
  { name: 'W1', title: 'one account by id (REST)', method: 'GET', path: `${company}/accounts/${target.account}`, must: 2, aim: 1.4 },
  { name: 'W2', title: 'list of 100, filtered (REST)', method: 'GET', path: list, must: 0.95, aim: 0.65 },
  {
    name: 'W3',
    title: 'the same, expanded (REST)',
    method: 'GET',
    path: `${list}&expand=contact,currency,line_items`,
    must: 0.95,
    aim: 0.65,
  },
  { name: 'W4', title: 'GraphQL, 25 fields of W3', method: 'POST', path: '/graphql', body: graphql(page), must: 1.1, aim: 0.7 },
  { name: 'W4b', title: 'GraphQL, 10 records x 5 fields', method: 'POST', path: '/graphql', body: graphql(small), must: 1.6, aim: 1.2 },
];

// The workloads: the same requests for every subject, byte for byte, a few hundred different ones each.
import { accountOf, COMPANY, type DatasetSize, hourOf, STATUSES } from './dataset.ts';

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** One question of lists: every part that a caller may set differs from request to request. */
export interface ListQuestion {
  company: number;
  status: string;
  /** First and last moment of the documents' dates. */
  window?: readonly [string, string];
  order: { field: string; direction: 'ASC' | 'DESC' };
  /** Cursor of the record that the page begins after. */
  after?: string;
}

export interface Workload {
  name: string;
  title: string;
  /** Sent in turn, again and again. */
  requests: readonly Request[];
  /** Ratio of CPU per request to the baseline subject that must be reached, and the one aimed at. */
  must: number;
  aim: number;
}

const byNumber = { field: 'LEDGER_ID', direction: 'ASC' } as const;

/** The first page of a company's paid documents, or the one after a cursor. */
export const paidOf = (company = COMPANY, after?: string): ListQuestion => ({
  company,
  status: 'PAID',
  order: byNumber,
  ...(after ? { after } : {}),
});

/** As many as make it unlikely that what one request leaves behind serves the next one, and few enough to be compared one by one. */
const QUESTIONS = 256;
/** REST has no other ones. */
const orders: readonly ListQuestion['order'][] = [
  byNumber,
  byNumber,
  byNumber,
  { field: 'LEDGER_UPDATED_AT', direction: 'DESC' },
  { field: 'LEDGER_CREATED_AT', direction: 'ASC' },
];

/** Numbers below a limit, the same in every run. */
function sequence(): (below: number) => number {
  let state = 42;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The questions on the dataset: windows of a quarter of the dates and more, half of them beyond the first page, whose end `next` tells. */
export async function questionsOf({ companies, notes }: DatasetSize, next: (list: Request) => Promise<string>): Promise<ListQuestion[]> {
  const below = sequence();
  const questions: ListQuestion[] = [];
  for (let made = 0; made < QUESTIONS; made++) {
    const from = below(notes * 0.5);
    const to = from + notes * 0.25 + below(notes * 0.75);
    const question: ListQuestion = {
      company: COMPANY + below(companies),
      status: STATUSES[below(STATUSES.length)]!,
      window: [hourOf(from), hourOf(to)],
      order: orders[below(orders.length)]!,
    };
    const after = below(2) === 1 ? await next(listOf(question)) : undefined;
    questions.push(after ? { ...question, after } : question);
  }
  return questions;
}

const small = `ledgerId documentNumber totalAmount status postedDate`;
const large = `ledgerId platformId documentNumber totalAmount remainingCredit isTaxInclusive postedDate memo status currencyId ledgerUpdatedAt
  contact { ledgerId name email type }
  currency { code name symbol }
  lineItems { ledgerId name description quantity unitAmount taxAmount totalAmount accountId }`;

const get = (path: string): Request => ({ method: 'GET', path });

/** A page of 100 over REST. */
function listOf({ company, status, window, order, after }: ListQuestion, more = ''): Request {
  const dates = window ? `&posted_date[gte]=${window[0]}&posted_date[lte]=${window[1]}` : '';
  const sort = order.field === 'LEDGER_ID' ? '' : `&sort[${order.field.toLowerCase()}]=${order.direction}`;
  const next = after ? `&next=${encodeURIComponent(after)}` : '';
  return get(`/v4/core/companies/${company}/bill_credit_notes?limit=100&status[eq]=${status}${dates}${sort}${next}${more}`);
}

/** A page over GraphQL: one document, whose variables differ. */
function graphOf({ company, status, window, order, after }: ListQuestion, first: number, fields: string): Request {
  const dates = window ? ', postedDate: { gte: $from, lte: $to }' : '';
  const declared = `$company: PositiveInt!, $status: BillCreditNoteStatus, ${window ? '$from: DateTime, $to: DateTime, ' : ''}$orderBy: LedgerOrder, $after: String`;
  const query = `query Page(${declared}) { company(id: $company) { billCreditNotes(first: ${first}, after: $after, orderBy: $orderBy, filter: { status: { eq: $status }${dates} }) { nodes { ${fields} } } } }`;
  const variables = { company, status, from: window?.[0], to: window?.[1], orderBy: order, after };
  return { method: 'POST', path: '/graphql', body: JSON.stringify({ query, variables }) };
}

/** The workloads, asking these questions of lists; accounts are read in the same companies. */
export function workloadsOf(questions: readonly ListQuestion[] = [paidOf()]): Workload[] {
  const all = (request: (question: ListQuestion, index: number) => Request): Request[] => questions.map(request);
  const account = ({ company }: ListQuestion, index: number): Request =>
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

/** Where the page after so many pages of the paid documents begins; both adapters take the cursor. */
export async function pageStart(pages: number, next: (list: Request) => Promise<string>): Promise<string | undefined> {
  let after: string | undefined;
  for (let page = 0; page < pages; page++) after = await next(listOf(paidOf(COMPANY, after)));
  return after;
}

/** A page of 100 of a type of record in daily use, and of one that hardly anybody uses. */
export const pair: { common: Request; rare: Request } = {
  common: { method: 'GET', path: `/v4/core/companies/${COMPANY}/bill_credit_notes?limit=100` },
  rare: { method: 'GET', path: `/v4/core/companies/${COMPANY}/goods_receipt_notes?limit=100` },
};

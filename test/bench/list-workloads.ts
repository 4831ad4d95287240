// W2r and W7 to W12: lists, sums and nested lists, in companies of two sizes. Company, state, dates, amount, cursor and order differ from request to request.
import { changeAt, contactOf, contactsOf, DAYS, dayOf, LARGE, type ListSize, MIDDLE, SHARES, SYLLABLES } from './list-dataset.ts';
import { oneOf, sequence } from './random.ts';
import { bodyOf, type Subjects } from './side-by-side.ts';
import { get, LIST_QUERIES, post, type Request, small, type Workload } from './workloads.ts';

/** Sums over the large company take so long that fewer requests are compared and sent at once. */
const SUMS = { requests: 32, connections: 4 };
const LETTERS = { least: 4, more: 3 };

/** The companies that the requests read, each with this many documents. */
interface Place {
  companies: readonly number[];
  notes: number;
  isLarge: boolean;
}

type Below = (limit: number) => number;
/** Makes one request; `after` asks the gateway for the cursor at the end of a page, which is undefined for the last page. */
type Make = (place: Place, below: Below, after: (page: Request) => Promise<string | undefined>) => Promise<Request> | Request;

interface Kind extends Pick<Workload, 'name' | 'title' | 'must' | 'aim'> {
  make: Make;
  isSum?: boolean;
}

/** What lists are narrowed by; the last states match few documents or none. */
const states = [...Object.keys(SHARES), 'PAID', 'PAID', 'SUBMITTED'];

const listPath = (company: number, rest: string): string => `/v4/core/companies/${company}/bill_credit_notes?${rest}`;

/** A date range of a week to two years. */
function window(below: Below): [string, string] {
  const from = below(DAYS - 1);
  const days = oneOf([7, 31, 92, 365, 730], below);
  return [dayOf(from), dayOf(Math.min(DAYS, from + days))];
}

/** Every third page follows another one. */
const paged = async (
  below: Below,
  page: (cursor: string) => Request,
  after: (page: Request) => Promise<string | undefined>,
): Promise<Request> => {
  const first = page('');
  const cursor = below(3) === 0 ? await after(first) : undefined;
  return cursor ? page(cursor) : first;
};

/** What narrows a list besides its order; most lists begin at some value of the order's property instead of its end. */
function narrowed(below: Below): { status?: string; currency?: string; isLimited: boolean } {
  const by = below(4);
  return {
    ...(by === 0 ? { status: oneOf(states, below) } : {}),
    ...(by === 1 ? { currency: oneOf(['EUR', 'USD'], below) } : {}),
    isLimited: below(6) > 0,
  };
}

/** The variables of the GraphQL conditions on documents. */
const conditions = {
  status: { type: 'DocumentStatus', filter: 'status: { eq: $status }' },
  currency: { type: 'CurrencyCode', filter: 'currencyId: { eq: $currency }' },
  most: { type: 'Decimal', filter: 'totalAmount: { lte: $most }' },
};

const documents = (declared: string, args: string, fields: string): string =>
  `query Documents($company: ID!${declared}) { company(id: $company) { billCreditNotes(${args}) { nodes { ${fields} } } } }`;

/** Letters out of a name; case and accents differ from the names that contain it. */
function partOfName(below: Below): string {
  const plain = Array.from({ length: 3 }, () => oneOf(SYLLABLES, below)).join('');
  const from = below(2);
  const text = plain.slice(from, from + LETTERS.least + below(LETTERS.more));
  const written = oneOf([text, text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''), text.replace('e', 'é').replace('a', 'Ä')], below);
  return below(2) === 0 ? written.toUpperCase() : written;
}

const kinds: readonly Kind[] = [
  {
    name: 'W2r',
    title: 'list of 100 by status and date window (REST)',
    must: 1,
    aim: 0.7,
    make: ({ companies }, below, after) => {
      const [from, to] = window(below);
      const path = listPath(
        oneOf(companies, below),
        `limit=100&status[eq]=${oneOf(states, below)}&posted_date[gte]=${from}&posted_date[lte]=${to}`,
      );
      return paged(below, (cursor) => get(cursor ? `${path}&next=${encodeURIComponent(cursor)}` : path), after);
    },
  },
  {
    name: 'W7',
    title: 'one record by document number (REST)',
    must: 1.6,
    aim: 1.2,
    make: ({ companies, notes }, below) => get(listPath(oneOf(companies, below), `limit=100&document_number[eq]=CN-${1 + below(notes)}`)),
  },
  {
    name: 'W7b',
    title: '20 records of a contact (GraphQL)',
    must: 1.6,
    aim: 1.2,
    make: ({ companies, notes }, below) => {
      const company = oneOf(companies, below);
      // Contacts with small numbers have most of the documents.
      const contact = contactOf(company, 1 + Math.floor(contactsOf(notes) * (below(1_000) / 1_000) ** 3));
      return post(documents(', $contact: ID!', 'first: 20, filter: { contactId: { eq: $contact } }', small), { company, contact });
    },
  },
  {
    name: 'W8',
    title: 'newest 100 by date (REST)',
    must: 1,
    aim: 0.7,
    make: ({ companies }, below, after) => {
      const { status, currency, isLimited } = narrowed(below);
      const conditions = [
        status && `&status[eq]=${status}`,
        currency && `&currency_id[eq]=${currency}`,
        isLimited && `&posted_date[lte]=${dayOf(below(DAYS))}`,
      ];
      const narrow = conditions.filter(Boolean).join('');
      const path = listPath(oneOf(companies, below), `limit=100&order_by=-posted_date${narrow}`);
      return paged(below, (cursor) => get(cursor ? `${path}&next=${encodeURIComponent(cursor)}` : path), after);
    },
  },
  {
    name: 'W8b',
    title: '100 by amount, largest first (GraphQL)',
    must: 1,
    aim: 0.7,
    make: ({ companies }, below, after) => {
      const { isLimited, ...values } = narrowed(below);
      const narrow = { ...values, ...(isLimited ? { most: 1 + below(8_000) } : {}) };
      const parts = Object.entries(conditions).filter(([name]) => name in narrow);
      const declared = parts.map(([name, { type }]) => `, $${name}: ${type}`).join('');
      const filter = parts.length > 0 ? `, filter: { ${parts.map(([, { filter }]) => filter).join(', ')} }` : '';
      const order = 'orderBy: [{ field: TOTAL_AMOUNT, direction: DESC, nulls: LAST }]';
      const query = documents(`${declared}, $after: String`, `first: 100, after: $after, ${order}${filter}`, small);
      const variables = { company: oneOf(companies, below), ...narrow };
      return paged(below, (cursor) => post(query, { ...variables, ...(cursor ? { after: cursor } : {}) }), after);
    },
  },
  {
    name: 'W9',
    title: '100 changed since (REST)',
    must: 1,
    aim: 0.7,
    make: ({ companies }, below, after) => {
      // Half of the callers poll, so little or nothing changed since; the others catch up.
      const since = below(2) === 0 ? 1 - below(1_000) / 500_000 : below(10_000) / 10_000;
      const path = listPath(oneOf(companies, below), `limit=100&ledger_updated_at[gte]=${changeAt(since)}`);
      return paged(below, (cursor) => get(cursor ? `${path}&next=${encodeURIComponent(cursor)}` : path), after);
    },
  },
  {
    name: 'W10',
    title: 'sums by status and month (GraphQL)',
    must: 1.05,
    aim: 1,
    isSum: true,
    make: ({ companies }, below) => {
      // The window leaves out a few days at either end, so that nearly all documents are summed and no two requests are equal.
      const variables = { company: oneOf(companies, below), from: dayOf(below(20)), to: dayOf(DAYS - below(20)), currency: 'EUR' };
      const groups = 'groupBy: [{ field: STATUS }, { field: POSTED_DATE, bucket: MONTH }]';
      const query = `query Sums($company: ID!, $from: DateTime, $to: DateTime, $currency: CurrencyCode) { company(id: $company) {
        billCreditNotesSummary(first: 1000, ${groups}, filter: { currencyId: { eq: $currency }, postedDate: { gte: $from, lte: $to } }) { totalCount groups { key { field value } count sum { totalAmount } } } } }`;
      return post(query, variables);
    },
  },
  {
    name: 'W11',
    title: '20 companies x 3 lists x 10 records (GraphQL)',
    must: 1,
    aim: 0.6,
    make: async ({ isLarge }, below, after) => {
      // Every page holds the large company, or small companies alone: the middle ones and the large one are the first of all.
      const before = isLarge ? 1 + below(MIDDLE.length) : MIDDLE.length + 1 + below(60);
      const from = await after(post(`{ companies(first: ${before}) { nodes { ledgerId } } }`, {}));
      const query = `query Overview($after: String, $type: ContactType, $status: DocumentStatus) { companies(first: 20, after: $after) { nodes { ledgerId name
        accounts(first: 10) { nodes { ledgerId name nominalCode currentBalance } }
        contacts(first: 10, filter: { type: { eq: $type } }) { nodes { ledgerId name email type } }
        billCreditNotes(first: 10, filter: { status: { eq: $status } }) { nodes { ${small} } } } } }`;
      return post(query, { after: from, type: oneOf(['VENDOR', 'CUSTOMER', 'BOTH'], below), status: oneOf(states, below) });
    },
  },
  {
    name: 'W12',
    title: '20 contacts whose name contains letters (GraphQL)',
    must: 1.2,
    aim: 1,
    make: ({ companies }, below) =>
      post(
        'query Contacts($company: ID!, $part: String) { company(id: $company) { contacts(first: 20, filter: { name: { contains: $part } }) { nodes { ledgerId name email type } } } }',
        { company: oneOf(companies, below), part: partOfName(below) },
      ),
  },
];

export const listWorkloads: readonly string[] = kinds.map(({ name }) => name);

/** The chosen workloads: each in companies of the middle size, then in the large one. */
export async function listWorkloadsOf({ gateway, key }: Subjects, size: ListSize, chosen: (name: string) => boolean): Promise<Workload[]> {
  const after = async (page: Request): Promise<string | undefined> => {
    const asked = page.body?.replace(/nodes \{[^{}]*\}/, 'pageInfo { endCursor }');
    const { data, pagination } = await bodyOf(gateway, asked ? { ...page, body: asked } : page, key);
    const found = pagination ? pagination.next : (data.companies ?? data.company.billCreditNotes).pageInfo.endCursor;
    return found ?? undefined;
  };
  const places: Place[] = [
    { companies: MIDDLE, notes: size.middle, isLarge: false },
    { companies: [LARGE], notes: size.large, isLarge: true },
  ];
  const workloads: Workload[] = [];
  for (const kind of kinds.filter(({ name }) => chosen(name)))
    for (const place of places) {
      const below = sequence(place.isLarge ? 7 : 5);
      const isLong = kind.isSum && place.isLarge;
      const requests: Request[] = [];
      for (let made = 0; made < (isLong ? SUMS.requests : LIST_QUERIES); made++) requests.push(await kind.make(place, below, after));
      const { name, title, must, aim } = kind;
      workloads.push({
        name: place.isLarge ? `${name} large` : name,
        title: place.isLarge ? `${title}, large company` : title,
        requests,
        must,
        aim,
        ...(isLong ? { connections: SUMS.connections } : {}),
      });
    }
  return workloads;
}

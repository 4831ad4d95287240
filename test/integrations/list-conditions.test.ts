// Conditions of lists: what they match, in every group, and the same on REST and GraphQL.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

interface Note {
  platform_id: string;
  document_number: string | null;
  total_amount: number | null;
  posted_date: string | null;
  status: string | null;
  contact?: { platform_id: string; name: string };
  line_items?: { platform_id: string; description: string; quantity: number }[];
}

const contacts = [
  { platform_id: 'acme', name: 'Äcme Ltd' },
  { platform_id: 'bolt', name: 'Bolt & Söhne' },
];
const statuses = ['DRAFT', 'PAID', 'VOID', null];
const days = [null, '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'];

const notes: Note[] = Array.from({ length: 24 }, (_, at) => ({
  platform_id: `n${String(at).padStart(2, '0')}`,
  document_number: at % 5 === 0 ? null : `CN-${at % 3}00${at}`,
  total_amount: at % 7 === 0 ? null : at * 10.5,
  posted_date: days[at % days.length]!,
  status: statuses[at % statuses.length]!,
  ...(at % 3 === 0 ? {} : { contact: contacts[at % 2]! }),
  ...(at % 4 === 0 ? {} : { line_items: [{ platform_id: `l${at}`, description: at % 2 ? 'Cable' : 'Plug', quantity: at }] }),
}));

beforeAll(async () => {
  company = await buildCompany(gateway);
  for (const data of notes) {
    const response = await gateway.send('PUT', `${company.base}/bill_credit_notes`, { headers: company.headers, body: { data } });
    expect(response.status, response.text).toBe(200);
  }
});

/** The platform ids that a GraphQL list returns, in its order. */
async function found(filter: unknown, orderBy: unknown = null): Promise<string[]> {
  const response = await gateway.graphql(
    company.key,
    `query ($filter: BillCreditNoteFilter, $orderBy: [BillCreditNoteOrder!]) { company(id: ${company.id}) { billCreditNotes(filter: $filter, orderBy: $orderBy) { nodes { platformId } } } }`,
    { filter, orderBy },
  );
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.company.billCreditNotes.nodes.map(({ platformId }: { platformId: string }) => platformId);
}

async function foundByRest(query: [string, string][]): Promise<string[]> {
  const response = await gateway.send('GET', `${company.base}/bill_credit_notes?${new URLSearchParams(query)}`, {
    headers: company.headers,
  });
  expect(response.status, response.text).toBe(200);
  return response.body.data.map(({ platform_id }: Note) => platform_id);
}

const idsWhere = (matches: (note: Note) => boolean): string[] => notes.filter(matches).map(({ platform_id }) => platform_id);
const has = (text: string | null | undefined, part: string): boolean => text?.toLowerCase().includes(part) === true;

/** A condition: as GraphQL and REST write it, and what it means. */
interface Condition {
  filter: Record<string, unknown>;
  query: [string, string];
  matches: (note: Note) => boolean;
}

const condition = (filter: Record<string, unknown>, query: [string, string], matches: Condition['matches']): Condition => ({
  filter,
  query,
  matches,
});

const someCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .constantFrom('DRAFT', 'PAID', 'VOID')
    .map((value) => condition({ status: { eq: value } }, ['status', value], ({ status }) => status === value)),
  fc
    .uniqueArray(fc.constantFrom('DRAFT', 'PAID', 'VOID'), { minLength: 1 })
    .map((value) =>
      condition({ status: { in: value } }, ['status[in]', value.join()], ({ status }) => value.some((each) => each === status)),
    ),
  fc
    .boolean()
    .map((value) => condition({ status: { isNull: value } }, ['status[is_null]', `${value}`], ({ status }) => (status === null) === value)),
  fc.tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), fc.integer({ min: 0, max: 24 })).map(([operator, at]) =>
    condition({ totalAmount: { [operator]: at * 10.5 } }, [`total_amount[${operator}]`, `${at * 10.5}`], ({ total_amount: amount }) => {
      if (amount === null) return false;
      const order = Math.sign(amount - at * 10.5);
      return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator]!;
    }),
  ),
  fc
    .constantFrom<[string, (moment: string) => boolean]>(
      ['gt', (moment) => moment >= '2026-02-01'],
      ['gte', (moment) => moment >= '2026-01-31'],
      ['lt', (moment) => moment < '2026-01-31'],
      ['lte', (moment) => moment < '2026-02-01'],
    )
    .map(([operator, matches]) =>
      condition(
        { postedDate: { [operator]: '2026-01-31' } },
        [`posted_date[${operator}]`, '2026-01-31'],
        (note) => note.posted_date !== null && matches(note.posted_date),
      ),
    ),
  fc
    .constantFrom('cn-1', 'CN', '00', '_', '%')
    .map((value) =>
      condition({ documentNumber: { contains: value } }, ['document_number[contains]', value], (note) =>
        has(note.document_number, value.toLowerCase()),
      ),
    ),
  fc
    .constantFrom('cn-1', '00')
    .map((value) =>
      condition(
        { documentNumber: { startsWith: value } },
        ['document_number[starts_with]', value],
        (note) => note.document_number?.toLowerCase().startsWith(value) === true,
      ),
    ),
  fc
    .constantFrom<[string, string]>(['ACME', 'äcme'], ['soh', 'söh'], ['ltd', 'ltd'])
    .map(([value, part]) =>
      condition({ contact: { name: { contains: value } } }, ['contact.name[contains]', value], (note) => has(note.contact?.name, part)),
    ),
  fc
    .constantFrom('some', 'none')
    .map((match) =>
      condition(
        { lineItems: { [match]: { description: { eq: 'Cable' } } } },
        [`line_items.${match}.description`, 'Cable'],
        (note) => (note.line_items?.some(({ description }) => description === 'Cable') === true) === (match === 'some'),
      ),
    ),
  fc.constant(
    condition({ search: 'cn 1005' }, ['search', 'cn 1005'], (note) => has(note.document_number, 'cn') && has(note.document_number, '1005')),
  ),
);

interface Tree {
  filter: Record<string, unknown>;
  matches: (note: Note) => boolean;
}

const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const some = fc.array(tie('tree'), { minLength: 1, maxLength: 3 });
  return {
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      someCondition,
      some.map((all) => ({
        filter: { and: all.map(({ filter }) => filter) },
        matches: (note: Note) => all.every(({ matches }) => matches(note)),
      })),
      some.map((any) => ({
        filter: { or: any.map(({ filter }) => filter) },
        matches: (note: Note) => any.some(({ matches }) => matches(note)),
      })),
      tie('tree').map(({ filter, matches }) => ({ filter: { not: filter }, matches: (note: Note) => !matches(note) })),
    ),
  };
});

describe('conditions', () => {
  it('a filter of random groups returns the records that meet it, and its opposite the others', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async ({ filter, matches }) => {
        expect(await found(filter), JSON.stringify(filter)).toEqual(idsWhere(matches));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('the same conditions return the same records on REST and GraphQL', async () => {
    const conditions = fc.uniqueArray(someCondition, {
      minLength: 1,
      maxLength: 4,
      selector: ({ query: [name] }) => name.split('[')[0]!.split('.')[0]!,
    });
    await fc.assert(
      fc.asyncProperty(conditions, async (all) => {
        const filter = Object.assign({}, ...all.map((each) => each.filter));
        const ids = await found(filter);
        expect(await foundByRest(all.map(({ query }) => query)), JSON.stringify(filter)).toEqual(ids);
        expect(ids).toEqual(idsWhere((note) => all.every(({ matches }) => matches(note))));
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  it('a literal date alone is read as in a variable', async () => {
    const literal = async (bound: string): Promise<string[]> => {
      const query = `{ company(id: ${company.id}) { billCreditNotes(filter: { postedDate: { ${bound}: "2026-01-31" } }) { nodes { platformId } } } }`;
      const { body } = await gateway.graphql(company.key, query);
      return body.data.company.billCreditNotes.nodes.map(({ platformId }: { platformId: string }) => platformId);
    };
    for (const bound of ['eq', 'gt', 'gte', 'lt', 'lte'])
      expect(await literal(bound), bound).toEqual(await found({ postedDate: { [bound]: '2026-01-31' } }));
  });
});

describe('orders', () => {
  const byNumber = (a: Note, b: Note): number => (a.platform_id < b.platform_id ? -1 : 1);

  it('order_by and orderBy sort alike, by several keys in their directions, and records without a value where they are asked to be', async () => {
    const amountOf = ({ total_amount }: Note): number => total_amount ?? Number.POSITIVE_INFINITY;
    const ascending = notes
      .toSorted((a, b) => (amountOf(a) === amountOf(b) ? byNumber(a, b) : amountOf(a) - amountOf(b)))
      .map((note) => note.platform_id);
    expect(await found({}, { field: 'TOTAL_AMOUNT' })).toEqual(ascending);
    expect(await foundByRest([['order_by', 'total_amount']])).toEqual(ascending);
    const descending = await found({}, { field: 'TOTAL_AMOUNT', direction: 'DESC', nulls: 'LAST' });
    expect(descending.slice(0, 20)).toEqual(
      notes
        .filter((note) => note.total_amount !== null)
        .map((note) => note.platform_id)
        .reverse()
        .slice(0, 20),
    );
    const mixed = [
      { field: 'STATUS', direction: 'DESC' },
      { field: 'TOTAL_AMOUNT', direction: 'ASC' },
    ];
    expect(await foundByRest([['order_by', '-status,total_amount']])).toEqual(await found({}, mixed));
    // Without a value comes last, and the number follows the direction of the first key.
    const status = (note: Note): string => note.status ?? '';
    const expected = notes.toSorted((a, b) =>
      status(a) !== status(b) ? (status(a) < status(b) ? 1 : -1) : amountOf(a) === amountOf(b) ? byNumber(b, a) : amountOf(a) - amountOf(b),
    );
    expect(await found({}, mixed)).toEqual(expected.map((note) => note.platform_id));
  });

  it('sort[…] orders as before', async () => {
    const all = await foundByRest([['sort[ledger_created_at]', 'DESC']]);
    expect(all).toEqual(notes.map((note) => note.platform_id).reverse());
    expect(await found({}, { field: 'LEDGER_CREATED_AT', direction: 'DESC' })).toEqual(all);
  });
});

describe('lists of the platform API', () => {
  it('take conditions and orders as those of the integrations API', async () => {
    const key = await gateway.key(['PLATFORM']);
    const headers = { authorization: `Bearer ${key}` };
    for (const legal_name of ['Beta Inc.', 'Alpha Inc.', 'Gamma GmbH'])
      await gateway.send('POST', '/api/v1/corporations', { headers, body: { legal_name, jurisdiction: 'US', state: 'DE' } });
    const names = async (query: string): Promise<string[]> => {
      const response = await gateway.send('GET', `/api/v1/corporations?${query}`, { headers });
      expect(response.status, response.text).toBe(200);
      return response.body.data.corporations.map(({ legal_name }: { legal_name: string }) => legal_name);
    };
    expect(await names('legal_name[contains]=INC&order_by=legal_name')).toEqual(['Alpha Inc.', 'Beta Inc.']);
    expect(await names('search=gamma')).toEqual(['Gamma GmbH']);
    const refused = await gateway.send('GET', '/api/v1/corporations?legal_name[gt]=a', { headers });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'legal_name[gt]']);
  });
});

// Summaries: groups and aggregates of random records against a plain evaluation in exact decimals, REST against GraphQL, currencies, rejections.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();

interface Note {
  status: string | null;
  postedDate: string | null;
  updatedAt: string | null;
  documentNumber: string | null;
  isTaxInclusive: boolean | null;
  currencyId: string | null;
  totalAmount: number | null;
  remainingCredit: number | null;
  deleted: boolean;
}

/** Moments around midnight, the changes of summer time, and the day that Samoa left out. */
const moments = [
  '2026-03-08T04:59:59.999Z',
  '2026-03-08T05:00:00.000Z',
  '2026-03-08T06:59:59.999Z',
  '2026-03-08T07:00:00.000Z',
  '2026-11-01T03:59:59.999Z',
  '2026-11-01T06:30:00.000Z',
  '2026-12-31T18:14:59.999Z',
  '2026-12-31T18:15:00.000Z',
  '2011-12-30T09:59:59.999Z',
  '2011-12-30T10:00:00.000Z',
  '2024-12-30T00:00:00.000Z',
  '2025-01-01T00:00:00.000Z',
];

const moment = fc.option(
  fc.oneof(
    fc.constantFrom(...moments),
    fc.date({ min: new Date('2010-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  { freq: 6 },
);
const amount = fc.option(
  fc.oneof(
    fc.constantFrom(0, 0.1, 0.2, -0.3, 1e-4),
    fc.integer({ min: -9_999_999, max: 9_999_999 }).map((n) => n / 1e4),
  ),
  {
    freq: 5,
  },
);
const note: fc.Arbitrary<Note> = fc.record({
  status: fc.option(fc.constantFrom('DRAFT', 'PAID', 'VOID')),
  postedDate: moment,
  updatedAt: moment,
  documentNumber: fc.option(fc.constantFrom('Ä-1', 'a-1', 'Z-1', '\u{1F600}', '\uFFFD', 'ß,{"x"}', 'null')),
  isTaxInclusive: fc.option(fc.boolean()),
  currencyId: fc.option(fc.constantFrom('EUR', 'USD', 'JPY'), { freq: 8 }),
  totalAmount: amount,
  remainingCredit: amount,
  deleted: fc.constantFrom(false, false, false, false, true),
});

const buckets = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
type Bucket = (typeof buckets)[number];
const keyProps = {
  STATUS: 'status',
  POSTED_DATE: 'postedDate',
  UPDATED_AT: 'updatedAt',
  DOCUMENT_NUMBER: 'documentNumber',
  IS_TAX_INCLUSIVE: 'isTaxInclusive',
  CURRENCY_ID: 'currencyId',
} as const;
type KeyName = keyof typeof keyProps;
interface Key {
  field: KeyName;
  bucket?: Bucket;
}
interface Query {
  groupBy: Key[];
  orderBy: { field: string; direction: 'ASC' | 'DESC' }[];
  members: { member: 'sum' | 'avg' | 'min' | 'max'; prop: 'totalAmount' | 'remainingCredit' | 'postedDate' }[];
  filter: Record<string, Record<string, unknown>>;
  first: number;
  timeZone: string;
  includeDeleted: boolean;
}

const isMoment = (field: KeyName): boolean => field === 'POSTED_DATE' || field === 'UPDATED_AT';
const groupBy = fc.uniqueArray(
  fc.record({ field: fc.constantFrom(...(Object.keys(keyProps) as KeyName[])), bucket: fc.constantFrom(...buckets) }),
  { maxLength: 3, selector: ({ field }) => field },
);
const query: fc.Arbitrary<Query> = groupBy
  .map((keys): Key[] => keys.map(({ field, bucket }) => (isMoment(field) ? { field, bucket } : { field })))
  .chain((keys) =>
    fc.record({
      groupBy: fc.constant(keys),
      orderBy: fc.uniqueArray(
        fc.record({
          field: fc.constantFrom('COUNT', 'SUM_TOTAL_AMOUNT', ...keys.map(({ field }) => field)),
          direction: fc.constantFrom('ASC' as const, 'DESC' as const),
        }),
        { maxLength: 2, selector: ({ field }) => field },
      ),
      members: fc.uniqueArray(
        fc.oneof(
          fc.record({
            member: fc.constantFrom('sum' as const, 'avg' as const, 'min' as const, 'max' as const),
            prop: fc.constantFrom('totalAmount' as const, 'remainingCredit' as const),
          }),
          fc.record({ member: fc.constantFrom('min' as const, 'max' as const), prop: fc.constant('postedDate' as const) }),
        ),
        { maxLength: 4, selector: ({ member, prop }) => member + prop },
      ),
      filter: fc.oneof(
        fc.constant({}),
        fc.constantFrom('EUR', 'USD', 'JPY').map((eq) => ({ currencyId: { eq } })),
        fc.constant({ currencyId: { in: ['EUR'] }, status: { in: ['PAID', 'VOID'] } }),
        fc.constant({ currencyId: { in: ['EUR', 'USD'] } }),
        fc.constantFrom(...moments).map((gte) => ({ postedDate: { gte } })),
      ),
      first: fc.constantFrom(1, 3, 100, 1_000),
      timeZone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'),
      includeDeleted: fc.boolean(),
    }),
  );

/** A decimal of at most four places as a whole number of its ten thousandths. */
const units = (value: number): bigint => BigInt(Math.round(value * 1e4));
const decimal = (tenThousandths: bigint): number => Number(`${tenThousandths}e-4`);

/** The mean of whole units, rounded half away from zero to ten places. */
function mean(values: bigint[]): number {
  const sum = values.reduce((total, value) => total + value, 0n);
  const [size, n] = [sum < 0n ? -sum : sum, BigInt(values.length)];
  const scaled = size * 10n ** 6n;
  const rounded = scaled / n + ((scaled % n) * 2n >= n ? 1n : 0n);
  return Number(`${sum < 0n ? '-' : ''}${rounded}e-10`);
}

/** The first day of the bucket of a moment. */
function bucketOf(text: string, bucket: Bucket, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' }).formatToParts(
    new Date(text),
  );
  const [year, month, day] = ['year', 'month', 'day'].map((name) => Number(parts.find(({ type }) => type === name)!.value)) as [
    number,
    number,
    number,
  ];
  const local = new Date(Date.UTC(year, month - 1, day));
  if (bucket === 'WEEK') local.setUTCDate(day - ((local.getUTCDay() + 6) % 7));
  if (bucket === 'MONTH') local.setUTCDate(1);
  if (bucket === 'QUARTER') local.setUTCMonth(Math.floor((month - 1) / 3) * 3, 1);
  if (bucket === 'YEAR') local.setUTCMonth(0, 1);
  return local.toISOString().slice(0, 10);
}

function matches(record: Note, { filter, includeDeleted }: Query): boolean {
  if (record.deleted && !includeDeleted) return false;
  return Object.entries(filter).every(([name, condition]) => {
    const value = record[name as keyof Note];
    return Object.entries(condition).every(([operator, wanted]) => {
      if (value === null) return false;
      if (operator === 'in') return (wanted as unknown[]).includes(value);
      return operator === 'eq' ? value === wanted : String(value) >= String(wanted);
    });
  });
}

const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));
/** Groups without a value come last in both directions. */
function compared<T>(left: T | null, right: T | null, descending: boolean, compare: (a: T, b: T) => number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return descending ? compare(right, left) : compare(left, right);
}

/** The summary of records, or `null` where their currencies are mixed. */
function evaluate(records: Note[], asked: Query): unknown {
  const found = records.filter((record) => matches(record, asked));
  const hasMoney =
    asked.members.some(({ prop }) => prop !== 'postedDate') || asked.orderBy.some(({ field }) => field === 'SUM_TOTAL_AMOUNT');
  const isGrouped = asked.groupBy.some(({ field }) => field === 'CURRENCY_ID');
  if (hasMoney && !isGrouped && new Set(found.map(({ currencyId }) => currencyId)).size > 1) return null;
  const keysOf = (record: Note): (string | null)[] =>
    asked.groupBy.map(({ field, bucket }) => {
      const value = record[keyProps[field]];
      return value === null ? null : bucket ? bucketOf(String(value), bucket, asked.timeZone) : String(value);
    });
  const byKey = Map.groupBy(found, (record) => JSON.stringify(keysOf(record)));
  if (asked.groupBy.length === 0 && byKey.size === 0) byKey.set('[]', []);
  const sumOf = (group: Note[], prop: 'totalAmount' | 'remainingCredit'): bigint[] =>
    group.flatMap((record) => (record[prop] === null ? [] : [units(record[prop])]));
  const groups = [...byKey].map(([key, group]) => ({ keys: JSON.parse(key) as (string | null)[], group }));
  groups.sort((left, right) => {
    for (const { field, direction } of asked.orderBy) {
      const descending = direction === 'DESC';
      const total = ({ group }: { group: Note[] }): bigint | null => {
        const values = sumOf(group, 'totalAmount');
        return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0n);
      };
      const place = asked.groupBy.findIndex((key) => key.field === field);
      const order =
        field === 'COUNT'
          ? compared(left.group.length, right.group.length, descending, (a, b) => a - b)
          : field === 'SUM_TOTAL_AMOUNT'
            ? compared(total(left), total(right), descending, (a, b) => (a < b ? -1 : a > b ? 1 : 0))
            : compared(left.keys[place]!, right.keys[place]!, descending, byBytes);
      if (order !== 0) return order;
    }
    for (const [index, value] of left.keys.entries()) {
      const order = compared(value, right.keys[index]!, false, byBytes);
      if (order !== 0) return order;
    }
    return 0;
  });
  const shown = groups.slice(0, asked.first).map(({ keys, group }) => {
    const members: Record<string, Record<string, unknown>> = {};
    for (const { member, prop } of asked.members) {
      members[member] ??= {};
      if (prop === 'postedDate') {
        const dates = group.flatMap(({ postedDate }) => (postedDate === null ? [] : [postedDate])).sort();
        members[member][prop] = (member === 'min' ? dates[0] : dates.at(-1)) ?? null;
        continue;
      }
      const values = sumOf(group, prop).sort((a, b) => (a < b ? -1 : 1));
      const sum = values.reduce((total, value) => total + value, 0n);
      members[member][prop] =
        values.length === 0
          ? null
          : { sum: () => decimal(sum), avg: () => mean(values), min: () => decimal(values[0]!), max: () => decimal(values.at(-1)!) }[
              member
            ]();
    }
    return { key: keys.map((value, index) => ({ field: asked.groupBy[index]!.field, value })), count: group.length, ...members };
  });
  return { totalCount: found.length, groupCount: groups.length, groups: shown };
}

/** A negative zero is a zero. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function parametersOf(asked: Query): URLSearchParams {
  const parameters = new URLSearchParams({ time_zone: asked.timeZone, limit: String(asked.first) });
  if (asked.groupBy.length > 0)
    parameters.set(
      'group_by',
      asked.groupBy.map(({ field, bucket }) => field.toLowerCase() + (bucket ? `:${bucket.toLowerCase()}` : '')).join(),
    );
  if (asked.orderBy.length > 0)
    parameters.set('order_by', asked.orderBy.map(({ field, direction }) => (direction === 'DESC' ? '-' : '') + field.toLowerCase()).join());
  for (const [member, props] of Map.groupBy(asked.members, ({ member }) => member))
    parameters.set(member, props.map(({ prop }) => snake(prop)).join());
  for (const [name, condition] of Object.entries(asked.filter))
    for (const [operator, value] of Object.entries(condition)) parameters.set(`${snake(name)}[${operator}]`, String(value));
  if (asked.includeDeleted) parameters.set('include_deleted_records', 'true');
  return parameters;
}

/** Renames the members of a GraphQL response as REST names them. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snake(name), renamed(member)]));
}

async function store(company: TestCompany, notes: Note[]): Promise<void> {
  const ids: number[] = [];
  for (const { deleted: _, ...data } of notes) {
    const body = Object.fromEntries(Object.entries(data).map(([name, value]) => [snake(name), value]));
    const made = await gateway.send('POST', `${company.base}/bill_credit_notes`, { headers: company.headers, body: { data: body } });
    expect(made.status, made.text).toBe(201);
    ids.push(made.body.data.data.ledger_id);
  }
  for (const [index, { deleted }] of notes.entries())
    if (deleted) await gateway.send('DELETE', `${company.base}/bill_credit_notes/${ids[index]}`, { headers: company.headers });
}

/** The summary of a company's records, or the first error. */
async function ask(
  company: TestCompany,
  field: string,
  args: string,
): Promise<{ summary: unknown; error: { message: string } | undefined }> {
  const { body } = await gateway.graphql(company.key, `{ company(id: ${company.id}) { summary: ${field}Summary${args} } }`);
  return { summary: body.data?.company?.summary, error: body.errors?.[0] };
}

const SEED = 18;

describe('summaries of random records', () => {
  let notes: Note[];
  let companies: { company: TestCompany; notes: Note[] }[];

  beforeAll(async () => {
    notes = fc.sample(note, { numRuns: 70, seed: SEED });
    const uniform = fc.sample(note, { numRuns: 30, seed: SEED + 1 }).map((one) => ({ ...one, currencyId: 'EUR' }));
    const [mixed, single, empty, other] = [
      await buildCompany(gateway),
      await buildCompany(gateway),
      await buildCompany(gateway),
      await buildCompany(gateway),
    ] as [TestCompany, TestCompany, TestCompany, TestCompany];
    await store(mixed, notes);
    await store(single, uniform);
    // Records of another organisation, none of which may be counted.
    await store(other, notes.slice(0, 5));
    companies = [
      { company: mixed, notes },
      { company: single, notes: uniform },
      { company: empty, notes: [] },
    ];
  }, 120_000);

  it('groups, counts and exact aggregates are those of a plain evaluation, in REST and GraphQL alike', async () => {
    let mixtures = 0;
    await fc.assert(
      fc.asyncProperty(query, fc.nat(2), async (asked, which) => {
        const { company, notes: stored } = companies[which]!;
        const wanted = evaluate(stored, asked);
        const members = [...Map.groupBy(asked.members, ({ member }) => member)].map(
          ([member, props]) => `${member} { ${props.map(({ prop }) => prop).join(' ')} }`,
        );
        const selection = `{ totalCount groupCount groups { key { field value } count ${members.join(' ')} } }`;
        const response = await gateway.graphql(
          company.key,
          `query($id: ID!, $groupBy: [BillCreditNoteGroupBy!], $orderBy: [BillCreditNoteSummaryOrder!], $filter: BillCreditNoteFilter,
            $first: Int, $timeZone: String, $includeDeleted: Boolean) {
            company(id: $id) { billCreditNotesSummary(groupBy: $groupBy, orderBy: $orderBy, filter: $filter, first: $first,
              timeZone: $timeZone, includeDeleted: $includeDeleted) ${selection} } }`,
          { ...asked, id: company.id },
        );
        const rest = await gateway.send('GET', `${company.base}/bill_credit_notes/summary?${parametersOf(asked)}`, {
          headers: company.headers,
        });
        if (wanted === null) {
          mixtures++;
          expect(response.body.errors?.[0].extensions.code, response.text).toBe('MIXED_CURRENCIES');
          expect([rest.status, rest.body.error.error_code, rest.body.error.field]).toEqual([400, 'MIXED_CURRENCIES', 'group_by']);
          return;
        }
        expect(response.body.errors, response.text).toBeUndefined();
        expect(response.body.data.company.billCreditNotesSummary).toEqual(plain(wanted));
        expect(rest.status, rest.text).toBe(200);
        expect(rest.body.data).toEqual(renamed(plain(wanted)));
      }),
      { seed: SEED, numRuns: 250 },
    );
    expect(mixtures).toBeGreaterThan(10);
  }, 120_000);

  it('a key limited to one company counts no records of the others', async () => {
    const [first, second] = [companies[0]!.company, companies[1]!.company];
    const organisation = await gateway.key(['INTEGRATIONS'], 'Two companies');
    const one = await buildCompany(gateway, { key: organisation });
    const two = await buildCompany(gateway, { key: organisation });
    const limited = await gateway.key(['INTEGRATIONS'], 'Two companies', [one.id]);
    const total = async (key: string): Promise<number> =>
      (await gateway.graphql(key, '{ companiesSummary { totalCount } }')).body.data.companiesSummary.totalCount;
    expect([await total(organisation), await total(limited)]).toEqual([2, 1]);
    for (const company of [two, first, second]) {
      const response = await gateway.graphql(limited, `{ company(id: ${company.id}) { billCreditNotesSummary { totalCount } } }`);
      expect(response.body.errors[0].extensions.code).toBe('COMPANY_NOT_FOUND');
    }
  });
});

describe('sums of large and fine amounts', () => {
  it('a sum is exact to fifteen digits, and the nearest double beyond', async () => {
    const company = await buildCompany(gateway);
    const blank = {
      status: null,
      postedDate: null,
      updatedAt: null,
      documentNumber: null,
      isTaxInclusive: null,
      currencyId: 'EUR',
      remainingCredit: null,
    };
    const amounts = [0.1, 0.2, 999_999_999_999.999, 999_999_999_999.999, 1e-15];
    await store(
      company,
      amounts.map((totalAmount, index) => ({ ...blank, deleted: false, totalAmount, status: index < 2 ? 'PAID' : 'DRAFT' })),
    );
    const response = await ask(company, 'billCreditNotes', '(groupBy: [{ field: STATUS }]) { groups { sum { totalAmount } } }');
    const sums = [Number('1999999999999.998000000000001'), 0.3];
    expect(response.summary).toEqual({ groups: sums.map((totalAmount) => ({ sum: { totalAmount } })) });
  });
});

describe('summaries of lines', () => {
  it('the amounts of lines are in the currency of their document, which is a key of their groups', async () => {
    const company = await buildCompany(gateway);
    const add = (path: string, currency: string | null, total: number): Promise<unknown> =>
      gateway.send('POST', `${company.base}/${path}`, {
        headers: company.headers,
        body: { data: { currency_id: currency, line_items: [{ total_amount: total, quantity: 2 }] } },
      });
    await add('bill_credit_notes', 'EUR', 1.5);
    await add('bill_credit_notes', 'EUR', 2.25);
    await add('estimates', 'USD', 4);
    await add('invoice_credit_notes', null, 8);
    const refused = await ask(company, 'lineItems', '{ groups { sum { totalAmount } } }');
    expect(refused.error?.message).toContain('EUR, USD, no currency');
    const free = await ask(company, 'lineItems', '{ groups { sum { quantity } } }');
    expect(free.summary).toEqual({ groups: [{ sum: { quantity: 8 } }] });
    const grouped = await ask(company, 'lineItems', '(groupBy: [{ field: CURRENCY_ID }]) { groups { key { value } sum { totalAmount } } }');
    expect(grouped.summary).toEqual({
      groups: [
        { key: [{ value: 'EUR' }], sum: { totalAmount: 3.75 } },
        { key: [{ value: 'USD' }], sum: { totalAmount: 4 } },
        { key: [{ value: null }], sum: { totalAmount: 8 } },
      ],
    });
    const one = await ask(company, 'lineItems', '(filter: { parentType: { eq: BILL_CREDIT_NOTE } }) { groups { sum { totalAmount } } }');
    expect(one.summary).toEqual({ groups: [{ sum: { totalAmount: 3.75 } }] });
  });
});

describe('input that a summary rejects', () => {
  it.each([
    ['(groupBy: [{ field: STATUS }, { field: STATUS }])', 'groupBy[1].field'],
    ['(groupBy: [{ field: STATUS, bucket: DAY }])', 'groupBy[0].bucket'],
    ['(groupBy: [{ field: STATUS }, { field: CURRENCY_ID }, { field: POSTED_DATE }, { field: UPDATED_AT }])', 'groupBy'],
    ['(orderBy: [{ field: STATUS }])', 'orderBy[0].field'],
    ['(orderBy: [{ field: COUNT }, { field: COUNT }])', 'orderBy[1].field'],
    ['(first: 0)', 'first'],
    ['(first: 1001)', 'first'],
    ['(timeZone: "Mars/Olympus")', 'timeZone'],
    ['(timeZone: "CET")', 'timeZone'],
    ['(timeZone: "+05:30")', 'timeZone'],
    ['(timeZone: "")', 'timeZone'],
    ['(filter: { status: { eq: null } })', 'filter.status.eq'],
  ])('%s names %s', async (args, field) => {
    const company = await buildCompany(gateway);
    const response = await gateway.graphql(
      company.key,
      `{ company(id: ${company.id}) { billCreditNotesSummary${args} { groups { count } } } }`,
    );
    expect(response.body.errors?.[0].extensions, response.text).toMatchObject({ code: 'INVALID_PARAMS', field });
  });

  it.each([
    ['group_by=colour', 'group_by'],
    ['group_by=posted_date:hour', 'group_by'],
    ['group_by=posted_date:day:day', 'group_by'],
    ['group_by=status,status', 'group_by'],
    ['group_by=status:day', 'group_by'],
    ['sum=status', 'sum'],
    ['order_by=status', 'order_by'],
    ['limit=1001', 'limit'],
    ['limit=x', 'limit'],
    ['time_zone=Mars/Olympus', 'time_zone'],
    ['next=abc', 'next'],
    ['expand=contact', 'expand'],
    ['status[eq]=NONE', 'status[eq]'],
  ])('REST rejects %s and names %s', async (parameters, field) => {
    const company = await buildCompany(gateway);
    const response = await gateway.send('GET', `${company.base}/bill_credit_notes/summary?${parameters}`, { headers: company.headers });
    expect([response.status, response.body.error.error_code, response.body.error.field], response.text).toEqual([
      400,
      'INVALID_PARAMS',
      field,
    ]);
  });
});

describe('the price of a summary', () => {
  it('100 and its groups; a summary of one group costs that of one', async () => {
    const company = await buildCompany(gateway);
    const of = (count: number, args: string): Promise<{ text: string; body: { errors?: { extensions?: { code: string } }[] } }> =>
      gateway.graphql(
        company.key,
        `{ companies(first: 20) { nodes { ${Array.from({ length: count }, (_, index) => `s${index}: accountsSummary${args} { groups { key { value } count } }`).join(' ')} } } }`,
      );
    expect((await of(9, '')).body.errors).toBeUndefined();
    expect((await of(9, '(groupBy: [{ field: STATUS }], first: 5)')).body.errors?.[0]?.extensions?.code).toBe('QUERY_TOO_COMPLEX');
  });
});

// Lists cost what their page costs: for random conditions, orders and positions in every list of ledger records, the page is correct and the
// database reads few rows for it, by its own count.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../src/database/open.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { filterOperators, type Model, modelOf, type Prop } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const LISTS = 60 * ROUNDS;
/** Records of each type in the company under test, and in each of the others. */
const RECORDS = 2_500;
const OTHERS = { companies: 15, records: 60 };
const COMPANY = 101;
const MOST_ON_PAGE = 25;
/** The guarantee of the reader: at most so many records in their order, twice that where the page is then not full, plus the rows in the range. */
const rowsInOrder = (limit: number): number => Math.max(20 * limit, 500);
const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const DAYS = 366;

type Run = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

interface Stored {
  ledgerId: number;
  isDeleted: boolean;
  /** Timestamps by property, in milliseconds, and the status. */
  moments: Record<string, number | null>;
  status: string | null;
}

interface RecordType {
  model: Model;
  moments: Prop[];
  states: string[];
  rows: Stored[];
}

const isMoment = (prop: Prop): boolean => filterOperators(prop).includes('gte');

const types: RecordType[] = ledgerRecords.map((record) => {
  const model = modelOf(record);
  const props = [...model.props.values()];
  return { model, moments: props.filter(isMoment), states: Object.keys(model.props.get('status')?.choices?.values ?? {}), rows: [] };
});

/** A number from 0 to 1 that follows from a row and a word. */
const chance = (word: string): string => `(('x' || substr(md5(n || '${word}' || c), 1, 7))::bit(28)::int / 268435456.0)`;
const textArray = (values: string[]): string => `(array[${values.map((value) => `'${value}'`).join()}])`;

/** The value of a column of a generated row: timestamps rise with the number of the record, fall with it, or neither; the first statuses are common, the last rare. */
function columnValue(prop: Prop, place: number, states: string[]): string {
  const given: Record<string, string> = {
    companyId: 'c',
    ledgerId: 'c * 1000000 + n',
    organisationId: '1000',
    ledgerIntegrationType: `'XERO'`,
    platformId: `'p-' || n`,
    dataHash: 'md5(n::text)',
    ledgerDeletedAt: `case when ${chance('deleted')} < 0.05 then timestamptz '2026-01-01' end`,
    ledgerUpdatedAt: `timestamptz '2024-01-01' + floor(n * ${DAYS} * 86400.0 / ${RECORDS + 1}) * interval '1 second'`,
  };
  const known = given[prop.name];
  if (known) return known;
  if (prop.name === 'status') return `${textArray(states)}[1 + floor(power(${chance('status')}, 3) * ${states.length})::int]`;
  const share = [chance(prop.name), `n / ${RECORDS + 1}.0`, `1 - n / ${RECORDS + 1}.0`][place % 3]!;
  if (isMoment(prop)) {
    const value = `timestamptz '2024-01-01' + floor((${share}) * ${DAYS * 86_400}) * interval '1 second'`;
    return prop.required ? value : `case when ${chance(`${prop.name} null`)} < 0.9 then ${value} end`;
  }
  return prop.required ? `'v-' || n` : 'null';
}

async function fill(run: Run): Promise<void> {
  const companies = `generate_series(${COMPANY}::bigint, ${COMPANY + OTHERS.companies}) c`;
  await run(`insert into organisation (id, public_id, name, created_at) values (1000, 'org_lists', 'Lists', now())`);
  await run(
    `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
     select c, 1000, 'Company ' || c, 'XERO', 'ACTIVE', now(), now() from ${companies}`,
  );
  for (const { model, states, moments } of types) {
    const props = [...model.props.values()];
    const values = props.map((prop) => columnValue(prop, moments.indexOf(prop), states));
    await run(
      `insert into "${model.table}" (${props.map(({ column }) => `"${column}"`).join()})
       select ${values.join()} from ${companies}, generate_series(1, case when c = ${COMPANY} then ${RECORDS} else ${OTHERS.records} end) n`,
    );
  }
}

async function load(run: Run): Promise<void> {
  for (const type of types) {
    const { model, moments, states } = type;
    const columns = [
      'ledger_id::text',
      'ledger_deleted_at::text',
      ...(states.length > 0 ? ['status'] : ['null::text as status']),
      ...moments.map(({ column, name }) => `(extract(epoch from ${column}) * 1000)::bigint::text as "${name}"`),
    ];
    const { rows } = await run(`select ${columns.join()} from "${model.table}" where company_id = ${COMPANY}`);
    type.rows = rows.map((row) => ({
      ledgerId: Number(row.ledger_id),
      isDeleted: row.ledger_deleted_at !== null,
      status: row.status as string | null,
      moments: Object.fromEntries(moments.map(({ name }) => [name, row[name] === null ? null : Number(row[name])])),
    }));
  }
}

interface Range {
  moment: string;
  from: number | undefined;
  to: number | undefined;
}

interface List {
  type: () => RecordType;
  status: string[];
  ranges: Range[];
  order: string;
  isDescending: boolean;
  isBackwards: boolean;
  includeDeleted: boolean;
  /** Whether the caller's key is limited to the company. */
  isLimited: boolean;
  size: number;
}

const orders: Record<string, string | undefined> = {
  LEDGER_ID: undefined,
  LEDGER_CREATED_AT: 'ledgerCreatedAt',
  LEDGER_UPDATED_AT: 'ledgerUpdatedAt',
};

/** Windows from a second to more than all dates, or open on one side. */
const someRange = (moments: Prop[]): fc.Arbitrary<Range> =>
  fc
    .record({
      moment: fc.constantFrom(...moments.map(({ name }) => name)),
      start: fc.integer({ min: -10, max: DAYS }),
      days: fc.oneof(fc.constantFrom(0, 1, 3), fc.integer({ min: 1, max: DAYS + 20 })),
      open: fc.constantFrom('', '', 'from', 'to'),
    })
    .map(({ moment, start, days, open }) => ({
      moment,
      from: open === 'from' ? undefined : START + start * DAY,
      to: open === 'to' ? undefined : START + (start + days) * DAY,
    }));

const someList: fc.Arbitrary<List> = fc.constantFrom(...types).chain((type) =>
  fc.record({
    // A function, so that a failed list is printed without its records.
    type: fc.constant(() => type),
    status: type.states.length > 0 ? fc.uniqueArray(fc.constantFrom(...type.states), { maxLength: 2 }) : fc.constant([]),
    ranges: fc.uniqueArray(someRange(type.moments), { minLength: 1, maxLength: 2, selector: ({ moment }) => moment }),
    order: fc.constantFrom('LEDGER_ID', 'LEDGER_ID', ...Object.keys(orders)),
    isDescending: fc.boolean(),
    isBackwards: fc.boolean(),
    includeDeleted: fc.constantFrom(false, false, true),
    isLimited: fc.boolean(),
    size: fc.integer({ min: 1, max: MOST_ON_PAGE }),
  }),
);

const iso = (moment: number): string => new Date(moment).toISOString();

function queryOf(list: List, cursor: string | undefined): string {
  const { status, ranges, order, isDescending, isBackwards, includeDeleted, size } = list;
  const filters = ranges.map(({ moment, from, to }) => {
    const bounds = [from === undefined ? '' : `gte: "${iso(from)}"`, to === undefined ? '' : `lte: "${iso(to)}"`];
    return `${moment}: { ${bounds.join(' ')} }`;
  });
  if (status.length > 0) filters.push(`status: { ${status.length === 1 ? `eq: ${status[0]}` : `in: [${status.join()}]`} }`);
  const page = isBackwards
    ? `last: ${size}${cursor ? ` before: "${cursor}"` : ''}`
    : `first: ${size}${cursor ? ` after: "${cursor}"` : ''}`;
  const orderBy = `orderBy: { field: ${order} direction: ${isDescending ? 'DESC' : 'ASC'} }`;
  return `{ company(id: ${COMPANY}) { list: ${namesOf(list.type().model.class).many}(${page} ${orderBy} includeDeleted: ${includeDeleted} filter: { ${filters.join(' ')} }) { nodes { ledgerId } pageInfo { startCursor endCursor } } } }`;
}

const isWithin = ({ moment, from, to }: Range, row: Stored): boolean => {
  const value = row.moments[moment];
  return value != null && value >= (from ?? Number.NEGATIVE_INFINITY) && value <= (to ?? Number.POSITIVE_INFINITY);
};

/** The page after a record, and the number of rows that may be read for it. */
function expected(list: List, after: number | undefined): { ids: number[]; most: number } {
  const { status, ranges, includeDeleted, size } = list;
  const { rows } = list.type();
  const orderMoment = orders[list.order];
  const key = (row: Stored): number => (orderMoment ? row.moments[orderMoment]! : row.ledgerId);
  const sign = list.isDescending !== list.isBackwards ? -1 : 1;
  const sorted = rows.toSorted((a, b) => sign * (key(a) - key(b) || a.ledgerId - b.ledgerId));
  const begin = after === undefined ? 0 : sorted.findIndex(({ ledgerId }) => ledgerId === after) + 1;
  const hasState = (row: Stored): boolean => status.length === 0 || status.includes(row.status!);
  const leading = ranges.filter(({ moment }) => moment === orderMoment);
  const free = ranges.filter(({ moment }) => moment !== orderMoment);
  // The rows that an index returns in this order: all of the company, those of one status when ordered by number, or those of a range on the order column.
  const given = sorted
    .slice(begin)
    .filter((row) => leading.every((range) => isWithin(range, row)) && (orderMoment || status.length !== 1 || hasState(row)));
  const matches = (row: Stored): boolean =>
    (includeDeleted || !row.isDeleted) && hasState(row) && ranges.every((range) => isWithin(range, row));
  const found = given.filter(matches).slice(0, size + 1);
  const inOrder = found.length > size ? given.indexOf(found[size]!) + 1 : given.length;
  const most = rowsInOrder(size + 1);
  const matched = Math.max(
    ...(free.length > 0 ? free.map((range) => rows.filter((row) => isWithin(range, row)).length) : [rows.filter(hasState).length]),
  );
  // When the status is not narrowed either, the index of the order alone is enough.
  const isPlain = free.length === 0 && (status.length === 0 || (!orderMoment && status.length === 1));
  return {
    ids: found.slice(0, size).map(({ ledgerId }) => ledgerId),
    most: isPlain || (found.length > size && inOrder <= most) ? inOrder : Math.min(inOrder, most) * 2 + matched,
  };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** The rows that a plan read from tables, returned or filtered out, and how. */
function tablesRead(plan: Plan): { rows: number; how: string }[] {
  const rows =
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) * plan['Actual Loops'];
  const below = (plan.Plans ?? []).flatMap(tablesRead);
  const how = [plan['Node Type'], plan['Index Name'] ?? below.map((each) => each.how)].join(' ');
  return plan['Relation Name'] ? [{ rows, how: `${how}: ${rows}` }] : plan['Index Name'] ? [{ rows: 0, how }] : below;
}

describe('lists narrowed by ranges of time', () => {
  const gateway = useGateway();
  const sent: { statement: Statement; values: readonly (string | null)[] }[] = [];
  let keys: { limited: string; full: string };
  let withSession: <T>(work: (run: Run) => Promise<T>) => Promise<T>;

  beforeAll(async () => {
    const { database } = gateway.services;
    const native = await database.native();
    withSession = async (work) => {
      if (!('totalCount' in native)) return work((text, values) => native.query(text, values));
      const client = await native.connect();
      try {
        return await work((text, values) => client.query(text, values));
      } finally {
        client.release(true);
      }
    };
    await withSession(async (run) => {
      if (database.kind === 'postgres') await run('set statement_timeout = 0');
      await fill(run);
      await load(run);
    });
    keys = { limited: await gateway.key(['INTEGRATIONS'], 'Lists', [COMPANY]), full: await gateway.key(['INTEGRATIONS'], 'Lists') };
    const readRows = database.readRows.bind(database);
    database.readRows = (statement, values, primary) => {
      sent.push({ statement, values });
      return readRows(statement, values, primary);
    };
  }, 180_000);

  /** Rows that the reads of the last request take from a table, from running them again under the same settings. */
  async function readOf(table: string): Promise<{ rows: number; how: string }[]> {
    const reads = sent.filter(({ statement }) => statement.text.includes(`from "${table}"`));
    const all: { rows: number; how: string }[] = [];
    await withSession(async (run) => {
      for (const { statement, values } of reads) {
        await run(`prepare planned as ${statement.text}`);
        const given = values.map((value) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)).join();
        const { rows } = await run(`explain (analyze, timing off, format json) execute planned(${given})`);
        await run('deallocate planned');
        all.push(...tablesRead((rows[0]!['QUERY PLAN'] as [{ Plan: Plan }])[0].Plan));
      }
    });
    return all;
  }

  const property = fc.asyncProperty(someList, async (list) => {
    let [cursor, after]: [string | undefined, number | undefined] = [undefined, undefined];
    for (let page = 1; page <= 2; page++) {
      const { ids, most } = expected(list, after);
      sent.length = 0;
      const query = queryOf(list, cursor);
      const { status, body, text } = await gateway.graphql(list.isLimited ? keys.limited : keys.full, query);
      expect(status, text).toBe(200);
      const { nodes, pageInfo } = body.data.company.list;
      const shown = nodes.map(({ ledgerId }: { ledgerId: number }) => ledgerId);
      expect(list.isBackwards ? shown.reverse() : shown, query).toEqual(ids);
      const read = await readOf(list.type().model.table);
      const sum = read.reduce((total, { rows }) => total + rows, 0);
      expect(sum, `rows read for ${query}\n${read.map(({ how }) => how).join('\n')}\n`).toBeLessThanOrEqual(most);
      if (ids.length < list.size) break;
      [cursor, after] = [list.isBackwards ? pageInfo.startCursor : pageInfo.endCursor, ids.at(-1)];
    }
  });

  const seed = ROUNDS === 1 ? 1 : randomInt(2 ** 31);

  // The embedded database never gathers statistics by itself, and a table that was just filled has none yet.
  it.each(['before', 'after'])(
    `chosen: the page is right, and no more is read than its rows in order, or some pages and what the range matches, %s statistics are gathered (seed ${seed})`,
    async (when) => {
      if (when === 'after') await withSession((run) => run('analyze'));
      await fc.assert(property, { numRuns: LISTS, seed });
    },
    300_000 * ROUNDS,
  );
});

// Lists cost what their page costs. Every filter and every order that the declarations offer returns the right page, and the database reads no more
// rows for it, by its own count, than the reader promises.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIST_BOUNDS, type ListBounds } from '../../src/database/reader/list-plan.ts';
import { Reader } from '../../src/database/reader/reader.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import {
  allModels,
  type FilterOperator,
  filterOperators,
  listUse,
  type Model,
  modelOf,
  orderProps,
  type Prop,
  searchProps,
} from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { captured, ownConnection, planOf, type Run, type Scan, type Sent, scansOf } from '../support/plans.ts';
import { COMMON_WORD, empty, fill, LIST, makeLists } from './list-records.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const RECORDS = Number(process.env.SUITE_RECORDS ?? (ROUNDS < 100 ? 3_000 : 1_000_000));
/** Random lists of each type. */
const LISTS = 4 * ROUNDS;
/**
 * The bounds are as small against these few records as the real ones are against a million. Every attempt is therefore made, and some lists are
 * rejected.
 */
const BOUNDS: ListBounds = RECORDS < 100_000 ? { few: 100, inOrder: (rows) => Math.max(2 * rows, 60), most: 300 } : LIST_BOUNDS;
/** A page that an index has is read once. Three pages leave room for rows that are read once more for a cursor or the row that says whether there is a next page. */
const PAGES = 3;
const SPARE = 5;
/** Records of a table that the database may read whole. */
const SMALL = 40_000;
const MAX_ON_PAGE = 25;

/** Where the lists of a type are in the schema, and the order that they have on their own. */
interface Place {
  field: string;
  args?: string;
  inCompany?: boolean;
  by?: string;
  descending?: boolean;
  isForwards?: boolean;
}
const NEWEST = { by: 'createdAt', descending: true };
const places: Record<string, Place> = {
  Company: { field: 'companies' },
  Sync: { field: 'syncs', inCompany: true, isForwards: true, ...NEWEST },
  Corporation: { field: 'corporations', ...NEWEST },
  Product: { field: 'products', args: `corporationId: "corp_${LIST}"`, ...NEWEST },
  IncorporationRequest: { field: 'incorporationRequests', ...NEWEST },
  WebhookDelivery: { field: 'webhookDeliveries', descending: true },
  ...Object.fromEntries(ledgerRecords.map((record) => [modelOf(record).name, { field: namesOf(record).many, inCompany: true }])),
};
const isLedger = (model: Model): boolean => ledgerRecords.some((record) => modelOf(record) === model);

/** A condition as a caller writes it and in plain SQL. */
interface Asked {
  input: Record<string, unknown>;
  sql: string;
  prop?: Prop;
  operator?: FilterOperator | 'search';
}

interface Key {
  prop: Prop;
  descending: boolean;
  nulls?: 'FIRST' | 'LAST';
}

interface List {
  where: readonly Asked[];
  orderBy: readonly Key[];
  size: number;
  /** Records before the page, which then starts at a cursor. */
  skipped: number;
  isBackwards: boolean;
  includeDeleted: boolean;
  isLimited: boolean;
}

const PLAIN: List = { where: [], orderBy: [], size: 20, skipped: 0, isBackwards: false, includeDeleted: false, isLimited: false };

const quoted = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`;
const isRange = (operator: string | undefined): boolean => /^[gl]te?$/.test(operator ?? '');

/** A named value as a caller writes it: its name, or name and value. */
function named(text: string): { name: string; value?: string } {
  const [name = '', value] = text.split('=', 2);
  return value === undefined ? { name } : { name, value };
}

/** A condition on one property. */
function asked(prop: Prop, operators: Partial<Record<FilterOperator, unknown>>): Asked {
  const { column } = prop;
  const parts = Object.entries(operators).map(([operator, value]) => {
    if (operator === 'isNull') return `t.${column} is ${value ? '' : 'not '}null`;
    if (operator === 'in') return `t.${column} in (${(value as unknown[]).map(quoted).join()})`;
    if (operator === 'has') return `t.${column} @> '${JSON.stringify([named(String(value))])}'::jsonb`;
    if (operator === 'contains') return `strpos(folded_text(t.${column}), folded_text(${quoted(value)})) > 0`;
    if (operator === 'startsWith') return `starts_with(folded_text(t.${column}), folded_text(${quoted(value)}))`;
    return `t.${column} ${{ eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator]!} ${quoted(value)}`;
  });
  return { input: { [prop.name]: operators }, sql: parts.join(' and '), prop, operator: Object.keys(operators)[0] as FilterOperator };
}

function searched(model: Model, search: string): Asked {
  const text = searchProps(model)
    .map(({ column }) => `coalesce(t.${column}, '')`)
    .join(` || E'\\n' || `);
  const words = search.split(' ').map((word) => `strpos(folded_text(${text}), folded_text(${quoted(word)})) > 0`);
  return { input: { search }, sql: words.join(' and '), operator: 'search' };
}

/** Values of a property as callers write them: the most common, the rarest, one that no record has, and those at some shares of the sorted values. */
interface Values {
  common: unknown;
  rare: unknown;
  absent: unknown;
  shares: unknown[];
}

const numeric = new Set(['amount', 'integer', 'ledgerId']);
const absentValues: Partial<Record<Prop['kind'], unknown>> = {
  amount: 12345678.5,
  integer: 99999,
  ledgerId: 99999999,
  moment: '2031-05-05T05:05:05.000Z',
  date: '2031-05-05',
  country: 'ZW',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'nobody@example.org',
  url: 'https://example.org/nothing',
  ipAddress: '192.0.2.77',
};

async function valuesOf(run: Run, model: Model, prop: Prop, list: string): Promise<Values> {
  const text =
    prop.kind === 'moment' ? `to_char(${prop.column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : `${prop.column}::text`;
  const own = `select ${prop.column} from "${model.table}" t where ${list} and ${prop.column} is not null`;
  const counts = await run(`select ${text} as value from (${own}) t group by ${prop.column} order by count(*), ${prop.column}`);
  const values = counts.rows.map(({ value }) => (numeric.has(prop.kind) ? Number(value) : prop.kind === 'flag' ? value === 'true' : value));
  const absent = prop.kind === 'enumeration' ? Object.values(prop.choices!.values).at(-1) : (absentValues[prop.kind] ?? 'no such value');
  const isSorted = filterOperators(prop).includes('gte');
  const sorted = isSorted ? await run(`select ${text} as value from (${own}) t order by ${prop.column}`) : { rows: [] };
  const at = (share: number): unknown => {
    const value = sorted.rows[Math.min(Math.floor(share * sorted.rows.length), sorted.rows.length - 1)]?.value ?? absent;
    return numeric.has(prop.kind) ? Number(value) : value;
  };
  return { common: values.at(-1) ?? absent, rare: values[0] ?? absent, absent, shares: isSorted ? [0, 0.001, 0.5, 0.999].map(at) : [] };
}

/** The conditions that a property offers, by operator. */
function conditionsOn(prop: Prop, { common, rare, absent, shares }: Values): Asked[][] {
  const [first, low, middle, high] = shares;
  const of: Record<FilterOperator, () => Asked[]> = {
    eq: () => [common, rare, ...(prop.kind === 'flag' ? [] : [absent])].map((eq) => asked(prop, { eq })),
    in: () =>
      (prop.kind === 'flag' ? [[true], [true, false]] : [[common], [rare], [rare, absent], [common, rare, absent]]).map((one) =>
        asked(prop, { in: one }),
      ),
    gt: () => [low, middle, high].map((gt) => asked(prop, { gt })),
    gte: () => [
      ...[first, middle, high].map((gte) => asked(prop, { gte })),
      asked(prop, { gte: middle, lte: middle }),
      asked(prop, { gte: low, lt: high }),
    ],
    lt: () => [low, middle, high].map((lt) => asked(prop, { lt })),
    lte: () => [low, middle, high].map((lte) => asked(prop, { lte })),
    contains: () =>
      [COMMON_WORD.toUpperCase(), 'angstrom', String(rare).slice(-6), 'no such value', 'a'].map((contains) => asked(prop, { contains })),
    startsWith: () => [COMMON_WORD, 'ang', String(rare).slice(0, 6), 'no such value', 'a'].map((startsWith) => asked(prop, { startsWith })),
    has: () => ['region', 'region=North', 'no such name'].map((has) => asked(prop, { has })),
    isNull: () => [true, false].map((isNull) => asked(prop, { isNull })),
  };
  return filterOperators(prop).map((operator) => of[operator]());
}

describe('every filter and order of every list', () => {
  // Without its work in the background, which removes old syncs and deliveries between two looks at them.
  const gateway = useGateway({ worker: false });
  let sent: Sent[];
  let run: Run;
  let close: () => void;
  let keys: { full: string; limited: string };
  const seed = ROUNDS === 1 ? 1 : randomInt(2 ** 31);

  beforeAll(async () => {
    const { services } = gateway;
    ({ run, close } = await ownConnection(services.database));
    await makeLists(run);
    const roles = ['INTEGRATIONS', 'PLATFORM'] as const;
    keys = { full: await gateway.key([...roles], 'Lists'), limited: await gateway.key(['INTEGRATIONS'], 'Lists', [LIST]) };
    services.reader = new Reader(services.database, BOUNDS);
    sent = captured(services.database);
  });
  afterAll(() => close());

  it('every type with lists is among them', () => {
    const listed = allModels().filter((model) => model.listed);
    expect(Object.keys(places).sort()).toEqual(listed.map(({ name }) => name).sort());
  });

  describe.each(
    allModels()
      .filter((model) => model.listed)
      .map((model) => [model.name, model] as const),
  )('%s', (name, model) => {
    const place = places[name]!;
    const key = model.props.get(model.key)!;
    const own = `t.${model.listColumn} = ${model.listColumn === 'corporation_id' ? `'corp_${LIST}'` : model.listColumn === 'organisation_id' ? 1000 : LIST}`;
    const live = model.deletedAt === undefined ? undefined : `t.${model.props.get(model.deletedAt)!.column} is null`;
    /** Groups of the conditions of each property and operator. */
    const filters: Asked[][] = [];
    const truths = new Map<string, unknown[]>();

    const plain = async <T>(text: string): Promise<T[]> => (await run(text)).rows as T[];

    beforeAll(async () => {
      await fill(run, model, RECORDS);
      const list = [own, ...(live ? [live] : [])].join(' and ');
      for (const prop of model.props.values())
        if (filterOperators(prop).length > 0) filters.push(...conditionsOn(prop, await valuesOf(run, model, prop, list)));
      if (searchProps(model).length > 0)
        filters.push([COMMON_WORD, `ang ${COMMON_WORD}`, 'no such', 'a'].map((text) => searched(model, text)));
    }, 3_600_000);

    afterAll(() => empty(run, model), 3_600_000);

    const document = `query ($filter: ${name}Filter, $orderBy: [${name}Order!], $first: Int, $after: String, ${place.isForwards ? '' : '$last: Int, $before: String, '}$offset: Int${isLedger(model) ? ', $includeDeleted: Boolean! = false' : ''}) {
      ${place.inCompany ? `company(id: ${LIST}) {` : ''} list: ${place.field}(${place.args ?? ''} filter: $filter orderBy: $orderBy first: $first after: $after ${place.isForwards ? '' : 'last: $last before: $before'} offset: $offset ${isLedger(model) ? 'includeDeleted: $includeDeleted' : ''}) {
        nodes { ${model.key} } pageInfo { startCursor endCursor }
      } ${place.inCompany ? '}' : ''} }`;

    /** The order of a list with its last key. */
    function orderOf({ where, orderBy }: List): Key[] {
      if (orderBy.length > 0) {
        const at = orderBy.findIndex(({ prop }) => prop === key);
        return at < 0 ? [...orderBy, { prop: key, descending: orderBy[0]!.descending }] : orderBy.slice(0, at + 1);
      }
      const descending = place.descending ?? false;
      if (place.by) return [model.props.get(place.by)!, key].map((prop) => ({ prop, descending }));
      const ranged = new Set(
        where.flatMap(({ prop, operator }) => (prop && isRange(operator) && listUse(prop) === 'indexed' ? [prop] : [])),
      );
      const unindexed = where.some(({ prop, operator }) => prop && isRange(operator) && listUse(prop) !== 'indexed');
      return [...(ranged.size === 1 && !unindexed ? ranged : []), key]
        .filter((prop, index, all) => all.indexOf(prop) === index)
        .map((prop) => ({ prop, descending }));
    }

    const conditions = ({ where, includeDeleted }: List): string =>
      [own, ...(live && !includeDeleted ? [live] : []), ...where.map(({ sql }) => `(${sql})`)].join(' and ');

    /** The keys of the page by plain SQL. */
    async function truth(list: List): Promise<unknown[]> {
      const order = orderOf(list).map(({ prop, descending, nulls }) => {
        const isDescending = descending !== list.isBackwards;
        const isFirst = (nulls ? nulls === 'FIRST' : descending) !== list.isBackwards;
        return `t.${prop.column} ${isDescending ? 'desc' : 'asc'} nulls ${isFirst ? 'first' : 'last'}`;
      });
      const text = `select ${key.column}::text as key from "${model.table}" t where ${conditions(list)} order by ${order.join()} offset ${list.skipped} limit ${list.size}`;
      const known = truths.get(text);
      if (known) return known;
      const rows = await plain<{ key: string }>(text);
      const found = rows.map((row) => kinds(row.key));
      truths.set(text, found);
      return found;
    }
    const kinds = (text: string): unknown => (key.kind === 'ledgerId' ? Number(text) : text);

    async function count(list: List, where: readonly Asked[]): Promise<number> {
      const [row] = await plain<{ count: string }>(
        `select count(*) as count from "${model.table}" t where ${conditions({ ...list, where })}`,
      );
      return Number(row!.count);
    }

    const request = (list: List, more: Record<string, unknown>) => {
      const and = list.where.map(({ input }) => input);
      const orderBy = list.orderBy.map(({ prop, descending, nulls }) => ({
        field: snakeCase(prop.name).toUpperCase(),
        direction: descending ? 'DESC' : 'ASC',
        ...(nulls ? { nulls } : {}),
      }));
      return gateway.graphql(list.isLimited ? keys.limited : keys.full, document, {
        ...(and.length === 0 ? {} : { filter: and.length === 1 ? and[0] : { and } }),
        ...(orderBy.length > 0 ? { orderBy } : {}),
        ...(list.includeDeleted ? { includeDeleted: true } : {}),
        ...more,
      });
    };
    const connection = (body: { data: { list: unknown; company: { list: unknown } } }) =>
      (place.inCompany ? body.data.company.list : body.data.list) as {
        nodes: Record<string, unknown>[];
        pageInfo: { startCursor: string; endCursor: string };
      };

    const isIndexed = ({ prop, operator }: Asked, { includeDeleted }: List): boolean =>
      prop !== undefined && (prop === key || hasIndex(prop, includeDeleted)) && operator !== 'contains' && operator !== 'startsWith';
    /** Whether the search index finds the records of a condition. */
    const isText = ({ prop, operator, input }: Asked, { includeDeleted }: List): boolean =>
      !(includeDeleted && live) &&
      ((operator === 'search' && String(input.search).length >= 3) ||
        (prop?.search === true &&
          Object.entries(Object(input[prop.name])).some(
            ([name, value]) => /^(contains|startsWith)$/.test(name) && String(value).length >= 3,
          )));

    /** Whether an index has the order of a property in the list. None has that of the column all rows of a list share, nor of every key; few hold deleted records. */
    const hasIndex = (prop: Prop, includeDeleted: boolean): boolean => {
      const wanted = [...new Set([model.listColumn, prop.column, key.column])].join();
      const serves = (index: Model['indexes'][number]): boolean => index.columns.join() === wanted && !(index.live && includeDeleted);
      return prop.column !== model.listColumn && model.indexes.some(serves);
    };

    /** Whether an index has the page: its order, and the condition. */
    function isExact(list: List): boolean {
      const { where, orderBy, includeDeleted } = list;
      const [lead, last] = orderOf(list);
      if (last && last.descending !== lead!.descending) return false;
      if (where.length === 0) return orderBy.length === 0 || (orderOf(list).length <= 2 && hasIndex(lead!.prop, includeDeleted));
      const [one] = where as [Asked];
      if (where.length > 1 || orderBy.length > 0 || place.by !== undefined || !isIndexed(one, list)) return false;
      return one.operator !== 'in' && !('isNull' in Object(one.input[one.prop!.name]) && one.sql.includes('not null'));
    }

    /** Deleted records that stand between those of the page, where the index of the order has them. */
    async function passedOver(list: List): Promise<number> {
      if (!live || list.includeDeleted) return 0;
      const columns = [model.listColumn, ...orderOf(list).map(({ prop }) => prop.column)].join();
      const isLive = (index: Model['indexes'][number]): boolean => index.live && index.columns.join() === columns;
      if (model.indexes.some(isLive)) return 0;
      deleted ??= (await count({ ...list, includeDeleted: true }, [])) - (await count(list, []));
      return deleted;
    }
    let deleted: number | undefined;

    /** Most rows that may be read for a page. */
    async function most(list: List): Promise<number> {
      const rows = list.size + 1;
      const passed = await passedOver(list);
      if (isExact(list)) return PAGES * rows + SPARE + passed;
      const { few, inOrder, most } = BOUNDS;
      const finds = Math.min(Math.max(list.where.length, 1), 3);
      // Each scan looks once more for a row beyond its bound, and skips the deleted rows both times. A find reads its bound and one row. Records
      // without a value of the order are a scan of their own.
      const scans = list.orderBy.some(({ prop }) => !prop.required) ? 4 : 2;
      const promised = scans * (inOrder(rows) + 1) + finds * (few + 1) + scans * (most + 1) + finds * (most + 1) + 2 * scans * passed;
      // A small table is read whole where the planner finds that as good as an index, or takes any index for as good without statistics.
      return list.where.some((one) => isText(one, list) || one.operator === 'in' || one.prop === key)
        ? promised + 2 * finds * Math.min(RECORDS * 2, SMALL)
        : promised;
    }

    /** Whether no attempt can know the page: its rows end beyond the bound in their order, and the indexed conditions find more than the bound. */
    async function isTooBroad(list: List): Promise<boolean> {
      if (isExact(list) || (await count(list, [])) <= BOUNDS.most) return false;
      for (const one of list.where)
        if ((isIndexed(one, list) || isText(one, list)) && (await count(list, [one])) <= BOUNDS.most) return list.where.length > 3;
      // The list's own order may have an index of live records alone, too.
      const keys = list.orderBy.length > 0 ? list.orderBy : orderOf(list).slice(0, 1);
      if (keys.length > 1 || keys.some(({ prop }) => !hasIndex(prop, list.includeDeleted))) return true;
      const page = await truth({ ...list, size: list.size + 1 });
      if (page.length <= list.size) return true;
      // A page that ends at the bound itself may be rejected, because a row beyond it is looked for.
      return !(await truth({ ...list, where: [], size: BOUNDS.most - 1 })).includes(page.at(-1));
    }

    async function check(list: List): Promise<string[]> {
      let start: string | undefined;
      if (list.skipped > 0) {
        const before = { ...list, skipped: list.skipped - 1, size: 1, isBackwards: false };
        const { status, body, text } = await request(before, { first: 1, offset: list.skipped - 1 });
        expect(status, text).toBe(200);
        if (body.errors) return [];
        start = connection(body).pageInfo.endCursor;
        if (!start) return [];
      }
      sent.length = 0;
      const about = JSON.stringify({
        where: list.where.map(({ input }) => input),
        order: list.orderBy.map(({ prop, ...rest }) => [prop.name, rest]),
        size: list.size,
        skipped: list.skipped,
        isBackwards: list.isBackwards,
        includeDeleted: list.includeDeleted,
        isLimited: list.isLimited,
      });
      const page = list.isBackwards
        ? { last: list.size, ...(start ? { before: start } : {}) }
        : { first: list.size, ...(start ? { after: start } : {}) };
      const { body, text } = await request(list, page);
      const all = sent.filter(({ statement }) => statement.text.includes(`"${model.table}" t`));
      // A request that fails is run a second time, to render its error.
      const reads = body.errors ? all.slice(0, all.length / 2) : all;
      const issues: string[] = [];
      if (body.errors) {
        const [{ extensions }] = body.errors;
        if (extensions?.code !== 'FILTER_TOO_BROAD') return [`${about}: ${text}`];
        if (!(await isTooBroad(list))) issues.push(`${about}: refused`);
      } else {
        const shown = connection(body).nodes.map((node) => node[model.key]);
        const before = list.skipped - 1;
        const first = Math.max(before - list.size, 0);
        const isBefore = list.isBackwards && start !== undefined;
        const wanted = await truth(isBefore ? { ...list, isBackwards: false, skipped: first, size: before - first } : list);
        const right = list.isBackwards && !isBefore ? wanted.toReversed() : wanted;
        if (JSON.stringify(shown) !== JSON.stringify(right)) issues.push(`${about}: ${shown} instead of ${right}`);
      }
      const scans: Scan[] = [];
      for (const one of reads) scans.push(...scansOf(await planOf(run, one, true)));
      const sum = scans.reduce((total, { rows }) => total + rows, 0);
      const allowed = await most(list);
      if (sum > allowed)
        issues.push(`${about}: ${sum} rows read, at most ${allowed}: ${scans.map(({ how, rows }) => `${how}: ${rows}`).join('; ')}`);
      return issues;
    }

    it.each(['before', 'after'])(
      `the page is right and costs what it may, %s statistics are collected (seed ${seed})`,
      async (when) => {
        if (when === 'after') await plain(`analyze "${model.table}"`);
        const random = generator(seed + (when === 'after' ? 1 : 0));
        const some = <T>(group: readonly T[]): readonly T[] => (ROUNDS === 1 ? [group[random(group.length)]!] : group);
        const middle = Math.min(Math.floor(RECORDS / 3), 10_000);
        const positions = [{}, { skipped: middle }, ...(place.isForwards ? [] : [{ isBackwards: true }])];
        const orders = orderProps(model).map((prop) =>
          [false, true].flatMap((descending) =>
            (prop.required ? [undefined] : (['FIRST', 'LAST'] as const)).flatMap((nulls) =>
              positions.map((position): List => ({ ...PLAIN, ...position, orderBy: [{ prop, descending, ...(nulls ? { nulls } : {}) }] })),
            ),
          ),
        );
        const groups = [...filters.map((group) => group.map((one): List => ({ ...PLAIN, where: [one] }))), ...orders];
        // One round checks one list of every group, half of the groups with statistics and half without.
        const cases = groups.filter((_, index) => ROUNDS > 1 || index % 2 === Number(when === 'after')).flatMap(some);
        const issues: string[] = [];
        for (const list of cases) issues.push(...(await check(list)));
        expect(issues).toEqual([]);
        const someList = fc.record({
          where: fc.uniqueArray(fc.constantFrom(...filters.flat()), { maxLength: 3, selector: ({ input }) => Object.keys(input)[0] }),
          orderBy: fc.uniqueArray(
            fc.record({
              prop: fc.constantFrom(...orderProps(model)),
              descending: fc.boolean(),
              nulls: fc.constantFrom('FIRST' as const, 'LAST' as const),
            }),
            { maxLength: 2, selector: ({ prop }) => prop },
          ),
          size: fc.integer({ min: 1, max: MAX_ON_PAGE }),
          skipped: fc.constantFrom(0, 0, 1, 30),
          isBackwards: place.isForwards ? fc.constant(false) : fc.boolean(),
          includeDeleted: isLedger(model) ? fc.boolean() : fc.constant(false),
          isLimited: isLedger(model) ? fc.boolean() : fc.constant(false),
        });
        await fc.assert(
          fc.asyncProperty(someList, async (list) => {
            expect(await check(list)).toEqual([]);
          }),
          { numRuns: LISTS, seed },
        );
      },
      3_600_000,
    );
  });
});

/** A number from a seed, so that all runs have the same lists. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

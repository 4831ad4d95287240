// Pages of lists by the reader: for random conditions, orders, page sizes, positions and parents they equal a plain evaluation in memory.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import type { Condition, Filter, Order } from '../../src/database/reader/conditions.ts';
import { LIST_BOUNDS } from '../../src/database/reader/list-plan.ts';
import type { PageQuery } from '../../src/database/reader/list-reader.ts';
import { projectionOf } from '../../src/database/reader/projection.ts';
import { Reader } from '../../src/database/reader/reader.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { BillCreditNote } from '../../src/integrations/records/bill-credit-note.ts';
import { Contact } from '../../src/integrations/records/contact.ts';
import { filterOperators, type Model, modelOf, orderProps, type Prop, propOf, searchProps } from '../../src/records/metadata.ts';
import { folded } from '../../src/records/search-text.ts';
import { useGateway } from '../support/gateway.ts';

const RUNS = Number(process.env.SUITE_ROUNDS ?? 1) * 200;
const gateway = useGateway();
const note = modelOf(BillCreditNote);
const contact = modelOf(Contact);
const COMPANIES = [901, 902, 903];

const sql = (text: string): Promise<unknown> => systemTransaction(gateway.services.database, (em) => executeIn(em, text));

type Stored = Record<string, unknown>;
let organisationId = 0;
const notes: Stored[] = [];
const contacts: Stored[] = [];

const NAMES = ['Ångström AB', 'angstrom', 'Łódź 50%', 'A_B', 'Ünïcode GmbH', 'ΣΊΣΥΦΟΣ', 'x', 'Acme', 'ACME\\ltd', null];
const day = (n: number): string => new Date(Date.UTC(2025, 0, 1 + n)).toISOString();

/** A number from a seed, so that all runs have the same records. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

beforeAll(async () => {
  const key = await gateway.key(['INTEGRATIONS']);
  organisationId = (await gateway.services.keys.find(key))!.organisationId!;
  const random = generator(7);
  let ledgerId = 9_000_000;
  for (const companyId of COMPANIES) {
    const own: number[] = [];
    const base = (): Stored => ({
      organisationId,
      companyId,
      ledgerId: ++ledgerId,
      ledgerCreatedAt: day(random(30)),
      ledgerUpdatedAt: day(random(30)),
      ledgerIntegrationType: 'XERO',
      sourceState: ['IN_SYNC', 'LOCAL', 'CONFLICT'][random(3)],
      platformId: `p-${ledgerId}`,
      ledgerDeletedAt: random(8) === 0 ? day(40) : null,
      dataHash: 'x',
    });
    for (let n = 0; n < 12; n++) {
      const row: Stored = {
        ...base(),
        name: NAMES[random(NAMES.length)],
        email: random(2) ? `u${n}@example.com` : null,
        status: ['ACTIVE', 'INACTIVE', null][random(3)],
      };
      own.push(row.ledgerId as number);
      contacts.push(row);
    }
    for (let n = 0; n < 90; n++)
      notes.push({
        ...base(),
        contactId: random(5) ? own[random(own.length)] : null,
        documentNumber: random(4) ? `N-${random(40)}` : null,
        totalAmount: random(6) ? [0, -5.25, 1000000000000.01, random(50), random(5000) / 100][random(5)] : null,
        isTaxInclusive: [true, false, null][random(3)],
        postedDate: random(5) ? day(random(20)) : null,
        currencyId: ['EUR', 'USD', 'JPY', null][random(4)],
        memo: NAMES[random(NAMES.length)],
        status: ['DRAFT', 'SUBMITTED', 'PAID', null][random(4)],
      });
  }
  const run = async (model: Model, rows: Stored[]): Promise<void> => {
    const names = Object.keys(rows[0]!);
    const columns = names.map((name) => propOf(model, name).column);
    await sql(
      `insert into "${model.table}" (${columns.join()}) select ${columns.join()} from jsonb_populate_recordset(null::"${model.table}", '${JSON.stringify(
        rows.map((row) => Object.fromEntries(names.map((name, index) => [columns[index], row[name]]))),
      ).replaceAll("'", "''")}'::jsonb)`,
    );
  };
  for (const id of COMPANIES)
    await sql(
      `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at) values (${id}, ${organisationId}, 'c', 'XERO', 'ACTIVE', now(), now())`,
    );
  await run(contact, contacts);
  await run(note, notes);
});

const comparable = (prop: Prop, value: unknown): string | number => {
  if (prop.kind === 'moment') return Date.parse(String(value));
  return typeof value === 'boolean' ? Number(value) : (value as string | number);
};

function meets(model: Model, row: Stored, filter: Filter, includeDeleted: boolean): boolean {
  if ('all' in filter) return filter.all.every((one) => meets(model, row, one, includeDeleted));
  if ('any' in filter) return filter.any.some((one) => meets(model, row, one, includeDeleted));
  if ('not' in filter) return !meets(model, row, filter.not, includeDeleted);
  if ('relation' in filter) {
    const related = contacts.filter(
      (other) =>
        (includeDeleted || other.ledgerDeletedAt === null) && other.ledgerId === row.contactId && other.companyId === row.companyId,
    );
    return related.some((other) => meets(contact, other, filter.where, includeDeleted)) === (filter.match === 'some');
  }
  if ('search' in filter) {
    const text = folded(
      searchProps(model)
        .map(({ name }) => row[name] ?? '')
        .join('\n'),
    );
    return filter.search
      .split(/\s+/)
      .filter(Boolean)
      .every((word) => text.includes(folded(word)));
  }
  const { prop, operator, value } = filter;
  const own = row[prop.name] ?? null;
  if (operator === 'isNull') return (own === null) === value;
  if (own === null) return false;
  if (operator === 'contains') return folded(String(own)).includes(folded(String(value)));
  if (operator === 'startsWith') return folded(String(own)).startsWith(folded(String(value)));
  const [left] = [comparable(prop, own)];
  if (operator === 'in') return (value as unknown[]).some((one) => comparable(prop, one) === left);
  const right = comparable(prop, value);
  if (operator === 'has') throw new Error('no generated condition looks into a list');
  return { eq: left === right, gt: left > right, gte: left >= right, lt: left < right, lte: left <= right }[operator];
}

function compare(order: readonly Order[], a: Stored, b: Stored): number {
  for (const { prop, descending, nulls } of order) {
    const [left, right] = [a[prop.name] ?? null, b[prop.name] ?? null];
    const first = nulls === 'first';
    if (left === null && right === null) continue;
    if (left === null) return first ? -1 : 1;
    if (right === null) return first ? 1 : -1;
    const [x, y] = [comparable(prop, left), comparable(prop, right)];
    if (x !== y) return (x < y ? -1 : 1) * (descending ? -1 : 1);
  }
  return 0;
}

const pool: Record<string, readonly unknown[]> = {
  moment: Array.from({ length: 12 }, (_, n) => day(n * 3)),
  amount: [0, -5.25, 1000000000000.01, 3, 7.5, 20],
  flag: [true, false],
  text: ['N-1', 'N-7', 'angstrom', 'Acme', 'a', '%', '_', '\\', 'lod', 'łód', 'Σίσυφος', 'u1@example.com', 'N-'],
};

function valueFor(prop: Prop): fc.Arbitrary<unknown> {
  if (prop.name === 'contactId' || prop.kind === 'ledgerId')
    return fc.integer({ min: 0, max: 60 }).map((n) => contacts[n % contacts.length]!.ledgerId);
  if (prop.kind === 'enumeration')
    return fc.constantFrom(...(prop.name === 'currencyId' ? ['EUR', 'JPY', 'GBP'] : ['DRAFT', 'PAID', 'VOID', 'ACTIVE']));
  return fc.constantFrom(...(pool[prop.kind] ?? pool.text!));
}

function condition(props: readonly Prop[]): fc.Arbitrary<Condition> {
  return fc.constantFrom(...props).chain((prop) =>
    fc.constantFrom(...filterOperators(prop)).chain((operator): fc.Arbitrary<Condition> => {
      if (operator === 'isNull') return fc.boolean().map((value) => ({ prop, operator, value }));
      const value = valueFor(prop);
      return (operator === 'in' ? fc.array(value, { minLength: 1, maxLength: 3 }) : value).map((one) => ({ prop, operator, value: one }));
    }),
  );
}

const propsFor = (model: Model): Prop[] =>
  [...model.props.values()].filter(
    (prop) => filterOperators(prop).length > 0 && !['ledgerDeletedAt', 'updatedAt', 'createdAt', 'remainingCredit'].includes(prop.name),
  );

const filterOf = (depth: number): fc.Arbitrary<Filter> => {
  const leaf: fc.Arbitrary<Filter> = fc.oneof(
    { weight: 8, arbitrary: condition(propsFor(note)) },
    { weight: 1, arbitrary: fc.constantFrom('acme', 'N-1', 'a b', 'łódź 50', 'n- 5').map((search) => ({ search })) },
    {
      weight: 2,
      arbitrary: fc.record({
        relation: fc.constant(note.relations.get('contact')!),
        match: fc.constantFrom('some' as const, 'none' as const),
        where: condition(propsFor(contact)),
      }),
    },
  );
  if (depth === 0) return leaf;
  const below = fc.array(filterOf(depth - 1), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    below.map((all) => ({ all })),
    below.map((any) => ({ any })),
    filterOf(depth - 1).map((not) => ({ not })),
  );
};

const orderOf = (): fc.Arbitrary<Order[]> =>
  fc.uniqueArray(fc.constantFrom(...orderProps(note).filter(({ name }) => name !== 'ledgerId')), { maxLength: 2 }).chain((props) =>
    fc
      .tuple(
        fc.boolean(),
        ...props.map((prop) =>
          fc.record({
            prop: fc.constant(prop),
            descending: fc.boolean(),
            nulls: fc.constantFrom(undefined, 'first' as const, 'last' as const),
          }),
        ),
      )
      .map(([isAgainst, ...keys]) => {
        const given = (keys as unknown as { prop: Prop; descending: boolean; nulls: 'first' | 'last' | undefined }[]).map(
          ({ nulls, ...key }): Order => (nulls ? { ...key, nulls } : key),
        );
        // The key itself may run against the others.
        return [...given, { prop: propOf(note, 'ledgerId'), descending: isAgainst !== (given[0]?.descending ?? false) }];
      }),
  );

describe('pages', () => {
  // With the small bounds every attempt is made: most first ones read too many records.
  it.each([
    ['the bounds in force', LIST_BOUNDS],
    ['small bounds', { few: 3, inOrder: () => 5, most: 100_000 }],
  ])(
    'a page has the rows that a plain evaluation has, from its position on, for one parent and for several, with %s',
    async (_, bounds) => {
      const reader = new Reader(gateway.services.database, bounds);
      const projection = projectionOf(note, ['ledgerId', ...orderProps(note).map(({ name }) => name as never)]);
      await fc.assert(
        fc.asyncProperty(
          fc.array(filterOf(2), { maxLength: 3 }),
          orderOf(),
          fc.integer({ min: 1, max: 30 }),
          fc.constantFrom(0, 0, 3, 40),
          fc.boolean(),
          fc.subarray(COMPANIES, { minLength: 1 }),
          fc.option(fc.nat(80)),
          async (where, order, limit, offset, includeDeleted, companies, at) => {
            const scope = { tenant: { organisationId, companyIds: null }, includeDeleted };
            const all = companies.map((companyId) =>
              notes
                .filter((row) => row.companyId === companyId && (includeDeleted || row.ledgerDeletedAt === null))
                .filter((row) => where.every((one) => meets(note, row, one, includeDeleted)))
                .sort((a, b) => compare(order, a, b)),
            );
            const before = companies.length === 1 && at !== null ? all[0]![at] : undefined;
            const after = before && order.map(({ prop }) => before[prop.name] ?? null);
            const query: PageQuery = { ...scope, where, order, limit, ...(after ? { after } : { offset }) };
            const parents = { props: [propOf(note, 'companyId')], values: companies.map((id) => [id]) };
            const pages = await reader.pages(projection, query, parents, (rows) => rows);
            const expected = all.map((rows) => {
              const from = before ? rows.indexOf(before) + 1 : offset;
              return rows.slice(from, from + limit).map(({ ledgerId }) => ledgerId);
            });
            expect(pages.map((page) => (page instanceof Error ? page : page.rows.map(({ ledgerId }) => ledgerId)))).toEqual(expected);
            const counts = await reader.counts(note, where, scope, { exact: false, parents });
            expect(counts).toEqual(all.map((rows) => ({ count: rows.length, isEstimate: false })));
          },
        ),
        { numRuns: RUNS },
      );
    },
    120_000,
  );
});

// The statements of a distributed engine, as they are written where no such engine is: each part on the rows of a company names the company, which
// says at which node they are.
import { MikroORM } from '@mikro-orm/postgresql';
import { describe, expect, it } from 'vitest';
import { engineSettings, type Run } from '../../src/database/engine/engine.ts';
import { distributedEngines } from '../../src/database/engines.ts';
import { newRows } from '../../src/database/parts.statements.ts';
import type { Condition, Filter } from '../../src/database/reader/conditions.ts';
import { LIST_BOUNDS } from '../../src/database/reader/list-plan.ts';
import { attemptsFor, countText, type ListParts, pageText } from '../../src/database/reader/list-statement.ts';
import { allModels, type Model, modelOf, type Prop, propOf } from '../../src/records/metadata.ts';
import { scopeCondition } from '../../src/records/tenancy.ts';
import { entities } from '../../src/registry.ts';

const equal = (prop: Prop): Condition => ({ prop, operator: 'eq', value: '1' });

/** Conditions on a record and on the records of each of its relations. */
const conditionsOf = (model: Model): Filter[][] => [
  [],
  [{ search: 'ledger' }],
  ...[...model.props.values()].map((prop) => [equal(prop)]),
  ...[...model.relations.values()].flatMap((relation) =>
    (['some', 'none'] as const).flatMap((match) => {
      const target = modelOf(relation.target());
      return [
        [{ relation, match, where: equal(propOf(target, target.key)) }],
        [{ relation, match, where: { any: [{ search: 'ledger' }, equal([...target.props.values()].at(-1)!)] } }],
      ];
    }),
  ),
];

const tables = new Map(allModels().map((model) => [model.table, model]));

/** What follows an opening bracket up to the one that closes it. */
function inBrackets(text: string): string {
  let depth = 1;
  const end = [...text].findIndex((character) => {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    return depth === 0;
  });
  return end === -1 ? text : text.slice(0, end);
}

describe.each(distributedEngines)('a distributed engine', (engine) => {
  const distributed = entities.map((entity) => modelOf(entity)).filter((model) => engine.nodeColumn(model) !== undefined);
  const partsOf = (model: Model, where: readonly Filter[]): ListParts => ({
    model,
    columns: [propOf(model, model.key).column],
    scope: scopeCondition(model, { organisationId: 1, companyIds: null }, 1),
    where,
    includeDeleted: false,
    parents: [],
    order: [{ prop: propOf(model, model.key), descending: false }],
    limit: 20,
    position: undefined,
    hasOffset: false,
    reach: 20,
    bounds: LIST_BOUNDS,
    engine,
  });
  const statementsOf = (parts: ListParts): string[] => [
    ...attemptsFor(parts).map((_, number) => pageText(parts, number)),
    countText(parts, { matching: 10, read: 20, checked: 20 }),
  ];

  /** The statements with a part on the rows of companies that does not compare these so. */
  const unnamedIn = (texts: readonly string[], compared: string): string[] =>
    texts.filter((text) =>
      [...text.matchAll(/from "(\w+)" (\w+) where /g)].some(({ 1: table, 2: alias, index, 0: { length } }) => {
        const column = engine.nodeColumn(tables.get(table!)!);
        return column !== undefined && !inBrackets(text.slice(index + length)).includes(`${alias}.${column} = ${compared}`);
      }),
    );

  it.each(distributed)('$name: each part of a list of a company names the company', (model) => {
    const ofCompany = equal([...model.props.values()].find(({ column }) => column === engine.nodeColumn(model))!);
    const unnamed = conditionsOf(model).flatMap((conditions) => unnamedIn(statementsOf(partsOf(model, [...conditions, ofCompany])), '$'));
    expect(unnamed).toEqual([]);
  });

  it.each(distributed)('$name: each part of the lists below several companies names them, in a form that nodes take', (model) => {
    const parents = [{ column: engine.nodeColumn(model)!, type: 'bigint', isList: false }];
    for (const conditions of conditionsOf(model)) {
      const texts = statementsOf({ ...partsOf(model, conditions), parents });
      expect(unnamedIn(texts, 'any($')).toEqual([]);
      for (const text of texts) expect(text).not.toMatch(/materialized|with ordinality| null where/);
    }
  });

  it.each(distributed)('$name: without a company, each node reads and sorts its own rows', (model) => {
    for (const conditions of conditionsOf(model)) {
      const isNamed = conditions.some((one) => 'prop' in one && one.prop.column === engine.nodeColumn(model));
      const parts = partsOf(model, conditions);
      if (!isNamed) expect(attemptsFor(parts)).toEqual([{ kind: 'merge' }]);
      if (!isNamed) for (const text of statementsOf(parts)) expect(text).not.toMatch(/ offset 0|lateral|materialized|union all/);
    }
  });

  it('no statement stores rows in two tables', () => {
    const { em } = new MikroORM({ ...engineSettings(engine), dbName: 'none', discovery: { warnWhenNoEntities: false } });
    const columns = [{ column: 'id', type: 'bigint', each: (row: number) => row }];
    const parts = ['sync', 'sync_job'].map((table) => newRows(em, { table, rows: [1, 2], columns }));
    const texts = engine.together(parts).map((together) => {
      let bound = 0;
      return together.map((part) => part(() => `$${++bound}`));
    });
    expect(texts).toEqual(['sync', 'sync_job'].map((table) => [`insert into "${table}" (id) values ($1::bigint), ($2::bigint) `]));
  });

  it.each(distributed)('$name: old rows are removed company by company', async (model) => {
    const texts: string[] = [];
    const found = [
      { key: 'a', company: '1' },
      { key: 'b', company: '2' },
    ];
    const run: Run = async <T>(sql: string) => {
      texts.push(sql);
      return found as T[];
    };
    await engine.remove(run, { model, condition: 'true', values: [], chosen: `"${model.table}" t` });
    const [chosen, ...removed] = texts;
    expect(chosen).toMatch(/^select /);
    expect(removed).toHaveLength(2);
    for (const text of removed) expect(text).toContain(` where t.${engine.nodeColumn(model)} = $1::bigint `);
  });
});

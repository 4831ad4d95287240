// Applies the integrity rules: refuses changes of a strict write inside its transaction, and lists the issues of stored records for readers.
import DataLoader from 'dataloader';
import { Field, ObjectType } from 'type-graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { type Projection, projectionOf, propOf } from '../../database/reader/projection.ts';
import type { Condition } from '../../database/reader/reader.ts';
import { invalid } from '../../records/errors.ts';
import { type Model, modelOf, type Relation } from '../../records/metadata.ts';
import { type Change, fieldOf, type WriteScope } from './change.ts';
import { type Facts, type IntegrityRule, type Issue, issuesOf, relatedProps, rulesOf } from './integrity-rules.ts';
import { readStored } from './record-store.ts';

@ObjectType({ description: 'An integrity rule that a record breaks, as records of source systems sometimes do.', simpleResolvers: true })
export class IntegrityIssue {
  @Field(() => String, { description: 'Name of the rule.' }) rule!: string;
  @Field(() => String, { description: 'Field that breaks the rule.' }) field!: string;
  @Field(() => String, { description: 'What is wrong, in one sentence.' }) message!: string;
}

/** Refuses the changes that break a rule, reading related records as the transaction has stored them. */
export async function checkIntegrity(em: EntityManager, scope: WriteScope, model: Model, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  const related = new Map<IntegrityRule, Map<unknown, Facts[]>>();
  const facts = (change: Change): Facts => ({ ...change.values, ledgerId: change.ledgerId, companyId: scope.company.ledgerId });
  for (const rule of rulesOf(model)) {
    const relation = rule.related?.relation(model);
    if (!relation) continue;
    const target = modelOf(relation.target());
    const keys = [...new Set(changes.map((change) => facts(change)[relation.from]))];
    const where = Object.entries(relation.where ?? {})
      .map(([name, value]) => ` and ${target.props.get(name)!.column} = '${value}'`)
      .join('');
    const rows = await readStored(em, scope, target, `${target.props.get(relation.to)!.column} = any($3::bigint[])${where}`, [keys]);
    related.set(
      rule,
      Map.groupBy(rows, (row) => row[relation.to]),
    );
  }
  for (const change of changes) {
    if (change.error) continue;
    const own = facts(change);
    const issue = issuesOf(model, own, (rule) => related.get(rule)!.get(own[rule.related!.relation(model)!.from]) ?? [])[0];
    if (issue)
      change.error = invalid(fieldOf(change, issue.field), `${fieldOf(change, issue.field)}: ${issue.message} (rule ${issue.rule})`);
  }
}

type Loaders = Map<IntegrityRule, DataLoader<string, Facts[]>>;
const loadersOf = new WeakMap<RequestContext, Map<Model, Loaders>>();

/** The issues of a record that was read. A data loader reads the related records of all records of the request together. */
export async function readIssues(context: RequestContext, model: Model, record: Facts): Promise<Issue[]> {
  const related = new Map<IntegrityRule, Facts[]>();
  for (const rule of rulesOf(model)) {
    const relation = rule.related?.relation(model);
    if (relation) related.set(rule, await loaderOf(context, model, rule, relation).load(`${record.companyId} ${record[relation.from]}`));
  }
  return issuesOf(model, record, (rule) => related.get(rule)!);
}

function loaderOf(context: RequestContext, model: Model, rule: IntegrityRule, relation: Relation): DataLoader<string, Facts[]> {
  const perModel = loadersOf.get(context) ?? new Map<Model, Loaders>();
  loadersOf.set(context, perModel);
  const loaders: Loaders = perModel.get(model) ?? new Map();
  perModel.set(model, loaders);
  const loader =
    loaders.get(rule) ?? new DataLoader<string, Facts[]>((keys) => loadRelated(context, rule, relation, keys), { cache: false });
  loaders.set(rule, loader);
  return loader;
}

/** Made once per rule, because the reader caches statements by projection. */
const projections = new Map<IntegrityRule, Projection>();

/** Related records by company and key, one statement per company. */
async function loadRelated(context: RequestContext, rule: IntegrityRule, relation: Relation, keys: readonly string[]): Promise<Facts[][]> {
  const target = modelOf(relation.target());
  const projection = projections.get(rule) ?? projectionOf(target, [...relatedProps(rule, relation), 'companyId']);
  projections.set(rule, projection);
  const byCompany = Map.groupBy(
    keys.map((key) => key.split(' ') as [string, string]),
    ([company]) => company,
  );
  const found = await Promise.all(
    [...byCompany].map(([company, pairs]) => {
      const where: Condition[] = [
        { prop: propOf(target, 'companyId'), operator: 'eq', value: company },
        { prop: propOf(target, relation.to), operator: 'in', value: pairs.map(([, value]) => value) },
        ...Object.entries(relation.where ?? {}).map(([name, value]): Condition => ({ prop: propOf(target, name), operator: 'eq', value })),
      ];
      return context.services.reader.rows({ projection, tenant: tenantOf(context), where, primary: context.primary });
    }),
  );
  const byKey = Map.groupBy(found.flat(), (row) => `${row.companyId} ${row[relation.to]}`);
  return keys.map((key) => byKey.get(key) ?? []);
}

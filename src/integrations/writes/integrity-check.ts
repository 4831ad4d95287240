// Applies the integrity rules: rejects changes of a strict write inside its transaction, and lists the issues of stored records for readers.
import type { GraphQLResolveInfo } from 'graphql';
import { Field, ObjectType } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import { conditionsOf } from '../../database/reader/conditions.ts';
import { projectionOf } from '../../database/reader/projection.ts';
import { LevelLoaders } from '../../graphql/level-loaders.ts';
import { invalid } from '../../records/errors.ts';
import { type Model, modelOf, propOf, type Relation } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { type CurrencyParent, currencyOf } from '../../records/summaries.ts';
import { type Change, fieldOf, type WriteScope } from './change.ts';
import { type Facts, type IntegrityRule, type Issue, issuesOf, relatedProps, rulesOf } from './integrity-rules.ts';
import { readStored } from './record.statements.ts';

@ObjectType({
  description: 'An integrity rule that a record breaks. `OPEN_REFERENCE` is a reference to a record that the source has not sent yet.',
  simpleResolvers: true,
})
export class IntegrityIssue {
  @Field(() => String, { description: 'Name of the rule.' }) rule!: string;
  @Field(() => String, { description: 'Field that breaks the rule.' }) field!: string;
  @Field(() => String, { description: 'One sentence for people.' }) message!: string;
}

/** The rules that a write rejects records by. */
const enforced = (scope: WriteScope, model: Model): IntegrityRule[] =>
  rulesOf(model).filter(({ always }) => scope.strict || (always && !scope.isPull));

/** Rejects the changes that break a rule, reading related records as the transaction has stored them. Children are checked with their parents. */
export async function checkIntegrity(
  em: EntityManager,
  scope: WriteScope,
  model: Model,
  live: Change[],
  parentOf: (change: Change) => Facts | undefined = () => undefined,
): Promise<void> {
  const rules = enforced(scope, model);
  if (rules.length === 0) return;
  const names = rules.flatMap(({ related }) => related?.relation(model)?.name ?? []);
  // Without `strict`, what a write leaves as it is may stay: a source may have sent it.
  const changes = live.filter(({ input }) => scope.strict || names.some((name) => input[name] !== undefined));
  if (changes.length === 0) return;
  const related = new Map<IntegrityRule, Map<unknown, Facts[]>>();
  const isInParents = (currencyOf(model)?.parents.length ?? 0) > 0;
  const facts = (change: Change): Facts => ({
    ...(isInParents ? withParent(change.values, parentOf(change)) : change.values),
    ledgerId: change.ledgerId,
    companyId: scope.company.ledgerId,
  });
  for (const rule of rules) {
    const relation = rule.related?.relation(model);
    if (!relation || rule.isToldOnly) continue;
    const target = modelOf(relation.target());
    const keys = [...new Set(changes.map((change) => facts(change)[relation.from]))];
    const wheres = Object.entries(relation.where ?? {});
    const where = wheres.map(([name, value]) => ` and ${target.props.get(name)!.column} = '${value}'`).join('');
    // Two writes that each see no other record could break a rule over the company together, so the lock runs them one after the other. They lock no
    // record of each other then, because the other one waits for this lock.
    const isOfCompany = relation.from === 'companyId';
    if (isOfCompany && changes.some(({ values }) => wheres.every(([name, value]) => String(values[name]) === value)))
      await lockUntilCommit(em, `${rule.name} ${scope.company.ledgerId}`);
    const condition = `${target.props.get(relation.to)!.column} = any($3::bigint[])${where}`;
    const rows = await readStored(em, scope, target, condition, [keys], { isLocked: !isOfCompany });
    related.set(
      rule,
      Map.groupBy(rows, (row) => row[relation.to]),
    );
  }
  for (const change of changes) {
    if (change.error) continue;
    const own = facts(change);
    const issue = issuesOf(rules, own, (rule) => related.get(rule)?.get(own[rule.related!.relation(model)!.from]) ?? [])[0];
    if (issue)
      change.error = invalid(fieldOf(change, issue.field), `${fieldOf(change, issue.field)}: ${issue.message} (rule ${issue.rule})`);
  }
}

/** What children have of their parents: the currency of their amounts, and whether these include tax where a child does not say so. */
const OF_PARENT = ['currencyId', 'isTaxInclusive'];

const withParent = (child: Facts, parent: Facts | undefined): Facts => ({
  ...child,
  currencyId: parent?.currencyId,
  isTaxInclusive: child.isTaxInclusive ?? parent?.isTaxInclusive,
});

interface IssueRequest {
  model: Model;
  record: Facts;
}

const issues = new LevelLoaders<IssueRequest, Issue[]>('integrity_issues', async (context, _info, requests) => {
  const { model } = requests[0]!;
  const related = new Map<IntegrityRule, Facts[][]>();
  const read = async (rule: IntegrityRule): Promise<void> => {
    const relation = rule.related?.relation(model);
    if (relation) related.set(rule, await relatedOfEach(context, requests, rule, relation));
  };
  const [parents] = await Promise.all([parentsOf(context, model, requests), ...rulesOf(model).map(read)]);
  return requests.map(({ record }, place) => {
    const facts = parents.has(place) ? withParent(record, parents.get(place)) : record;
    return issuesOf(rulesOf(model), facts, (rule) => related.get(rule)![place]!);
  });
});

/** The issues of a record that was read. The related records of all records of a level are read with one statement per rule. */
export async function readIssues(context: RequestContext, info: GraphQLResolveInfo, model: Model, record: Facts): Promise<Issue[]> {
  const found = await issues.load(context, info, { model, record });
  return context.isRest ? found.map(onRest) : found;
}

/** An issue with the names of REST. What is quoted is an id of the source. */
const onRest = ({ rule, field, message }: Issue): Issue => ({
  ...{ rule, field: snakeCase(field) },
  message: message.replaceAll(/"(?:[^"\\]|\\.)*"|\b[a-z]+[A-Z]\w*/g, (word) => (word.startsWith('"') ? word : snakeCase(word))),
});

/** What the parents of records in the currency of their parent say, by the place of the record; one statement per type of parent. */
async function parentsOf(
  context: RequestContext,
  model: Model,
  requests: readonly IssueRequest[],
): Promise<Map<number, Facts | undefined>> {
  const found = new Map<number, Facts | undefined>();
  const read = async ({ model: parent, relation }: CurrencyParent): Promise<void> => {
    const places = [...requests.keys()].filter((place) => {
      const { record } = requests[place]!;
      return record[relation.to] != null && Object.entries(relation.where ?? {}).every(([name, value]) => record[name] === value);
    });
    if (places.length === 0) return;
    const parents = {
      props: [propOf(parent, 'companyId'), propOf(parent, relation.from)],
      values: places.map((place) => [requests[place]!.record.companyId, requests[place]!.record[relation.to]]),
    };
    const query = { projection: projectionOf(parent, [parent.key, ...OF_PARENT.filter((name) => parent.props.has(name))]), where: [] };
    const rows = await context.services.reader.rowsOfEach({ ...scopeOf(context), ...query }, parents);
    for (const [index, place] of places.entries()) found.set(place, rows[index]![0]);
  };
  await Promise.all((currencyOf(model)?.parents ?? []).map(read));
  return found;
}

/** The related records of each record, by company and key. */
function relatedOfEach(
  context: RequestContext,
  requests: readonly IssueRequest[],
  rule: IntegrityRule,
  relation: Relation,
): Promise<Facts[][]> {
  const target = modelOf(relation.target());
  const parents = {
    props: [propOf(target, 'companyId'), propOf(target, relation.to)],
    values: requests.map(({ record }) => [record.companyId, record[relation.from]]),
  };
  const query = { projection: projectionOf(target, relatedProps(rule, relation)), where: conditionsOf(target, relation.where ?? {}) };
  return context.services.reader.rowsOfEach({ ...scopeOf(context), ...query }, parents);
}

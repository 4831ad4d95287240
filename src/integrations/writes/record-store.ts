// The statements of the write path: find stored records, check references, insert, update, mark deleted. Each works on any number of records.
import { arrayLiteral } from '../../database/array-literal.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { jsonOfRow } from '../../database/reader/json-expression.ts';
import { invalid, missing } from '../../records/errors.ts';
import { type Model, modelOf, type Prop, type RecordClass, type Relation } from '../../records/metadata.ts';
import { namesOf, recordOf } from '../ledger/ledger-record.ts';
import { type Change, type CurrentRecord, contentProps, fieldOf, type WriteScope } from './change.ts';

/** Live records that meet a condition, locked in the order of their numbers. The condition's parameters begin with $3. */
export async function readStored(
  em: EntityManager,
  scope: WriteScope,
  model: Model,
  condition: string,
  values: unknown[],
): Promise<CurrentRecord[]> {
  const rows = await executeIn<{ row: CurrentRecord }>(
    em,
    `select ${jsonOfRow(model)} as row from "${model.table}" where company_id = $1 and organisation_id = $2 and ${condition} and ledger_deleted_at is null order by ledger_id for update`,
    [scope.company.ledgerId, scope.organisationId, ...values],
  );
  return rows.map((entry) => entry.row);
}

/**
 * Reads the stored records that changes name by a property, children within their parents, and locks them in the order of their names. The
 * conditions are the expressions of the unique index, and each name is one index lookup. With `= any`, a plan made for a small table reads
 * every record of the company and compares it with every name: that took half the time of a batch on a table that had grown since its
 * statistics.
 */
export async function readMatching(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  name: string,
  changes: Change[],
): Promise<CurrentRecord[]> {
  const model = modelOf(target);
  const parts = [
    { property: name, type: 'text', absent: '', expression: model.props.get(name)!.column },
    ...namesOf(target).parent.map((property) => {
      const { column, kind } = model.props.get(property)!;
      return kind === 'ledgerId'
        ? { property, type: 'bigint', absent: 0, expression: `coalesce(${column}, 0)` }
        : { property, type: 'text', absent: '', expression: `coalesce(${column}, '')` };
    }),
  ];
  const sorted = changes
    .map((change) => ({ change, name: String(change.input[name]) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const rows = await executeIn<{ row: CurrentRecord }>(
    em,
    `select found.row from unnest(${parts.map(({ type }, index) => `$${index + 4}::${type}[]`).join(', ')}) as wanted(${parts.map((_, index) => `part${index}`).join(', ')})
     cross join lateral (
       select ${jsonOfRow(model)} as row from "${model.table}" where company_id = $1 and organisation_id = $2 and ledger_integration_type = $3 and ledger_deleted_at is null
         and ${parts.map(({ expression }, index) => `${expression} = wanted.part${index}`).join(' and ')} for update) found`,
    [
      scope.company.ledgerId,
      scope.organisationId,
      scope.company.integrationType,
      ...parts.map(({ property, type, absent }) =>
        sorted.map(({ change: { input } }) => (type === 'text' ? String(input[property] ?? absent) : (input[property] ?? absent))),
      ),
    ],
  );
  return rows.map((entry) => entry.row);
}

/** A reference of a change to another record. */
interface Use {
  change: Change;
  prop: Prop;
  table: string;
  id: number;
}

/** The references in a property that are new. Most changes have none and are skipped after one check. */
function usesOf(prop: Prop, changes: Change[], isParent: boolean): Use[] {
  const uses: Use[] = [];
  const { table } = modelOf(prop.target!());
  for (const change of changes) {
    const value = change.values[prop.name];
    if (value == null || change.error || (isParent && change.parent)) continue;
    const known = change.stored?.[prop.name];
    if (!Array.isArray(value)) {
      if (value !== known) uses.push({ change, prop, table, id: value as number });
      continue;
    }
    const before = new Set((known ?? []) as number[]);
    for (const id of value as number[]) if (!before.has(id)) uses.push({ change, prop, table, id });
  }
  return uses;
}

/**
 * The same for children whose parents are of several types: `parentType` decides the table. A parent of a type that is not stored here has
 * the number of the source, like `bill_ids`, and is not checked.
 */
function parentUsesOf(target: RecordClass, changes: Change[]): Use[] {
  const { props } = modelOf(target);
  if (!namesOf(target).parent.includes('parentType')) return [];
  const prop = props.get('parentId')!;
  return changes.flatMap((change) => {
    const { parentType, parentId } = change.values;
    const isKnown = parentType === change.stored?.parentType && parentId === change.stored?.parentId;
    if (parentId == null || change.error || change.parent || isKnown) return [];
    if (parentType == null) {
      const field = fieldOf(change, 'parentType');
      change.error = missing(field, `${field} is required with parentId`);
      return [];
    }
    const parentClass = recordOf(parentType as string);
    return parentClass ? [{ change, prop, table: modelOf(parentClass).table, id: parentId as number }] : [];
  });
}

/** Refuses changes that refer to a record the company does not have; one statement checks all record types. */
export async function checkReferences(em: EntityManager, scope: WriteScope, target: RecordClass, changes: Change[]): Promise<void> {
  const { parent } = namesOf(target);
  const uses = [
    ...[...modelOf(target).props.values()]
      .filter((prop) => prop.target)
      .flatMap((prop) => usesOf(prop, changes, parent.includes(prop.name))),
    ...parentUsesOf(target, changes),
  ];
  if (uses.length === 0) return;
  const wanted = Map.groupBy(uses, (use) => use.table);
  const parts = [...wanted.keys()].map(
    (table, index) =>
      `select '${table}' as kind, ledger_id as id from "${table}" where company_id = $1 and organisation_id = $2 and ledger_deleted_at is null and ledger_id = any($${index + 3}::bigint[])`,
  );
  const ids = [...wanted.values()].map((group) => [...new Set(group.map((use) => use.id))]);
  const rows = await executeIn<{ kind: string; id: string | number }>(em, parts.join(' union all '), [
    scope.company.ledgerId,
    scope.organisationId,
    ...ids,
  ]);
  const found = new Set(rows.map((row) => `${row.kind} ${row.id}`));
  for (const { change, prop, table, id } of uses) {
    const field = fieldOf(change, prop.name);
    if (!found.has(`${table} ${id}`))
      change.error ??= invalid(field, `${field} ${id} names no ${table.replaceAll('_', ' ')} of this company`, 'NOT_FOUND');
  }
}

const sqlTypes: Partial<Record<Prop['kind'], string>> = {
  ledgerId: 'bigint',
  integer: 'integer',
  amount: 'numeric',
  flag: 'boolean',
  moment: 'timestamptz',
  date: 'date',
  json: 'jsonb',
  object: 'jsonb',
  list: 'jsonb',
};
const sqlType = (prop: Prop): string => sqlTypes[prop.kind] ?? 'text';

/** A value in the form its column takes: JSON text for a JSON column, in which a text has quotes; otherwise the value itself. */
const sentValue = (prop: Prop, value: unknown) =>
  value !== null && sqlType(prop) === 'jsonb' ? JSON.stringify(value) : (value as string | number | boolean | null);

/**
 * Changes as the table `r` of a statement: one array parameter per column, from `$first` on. A column that is null in all of them is not
 * sent.
 */
function rowsOf(
  model: Model,
  changes: Change[],
  first: number,
): { table: string; values: string[]; columns: string[]; contents: string[] } {
  const content = [...contentProps(model), model.props.get('dataHash')!];
  const sent = content.filter(({ name }) => changes.some((change) => change.values[name] !== null));
  const arrays = ['bigint', ...sent.map(sqlType)].map((type, index) => `$${first + index}::text::${type}[]`);
  return {
    table: `unnest(${arrays.join(', ')}) as r(${['id', ...sent.map(({ column }) => column)].join(', ')})`,
    values: [
      arrayLiteral(changes, ({ ledgerId }) => ledgerId),
      ...sent.map((prop) => arrayLiteral(changes, ({ values }) => sentValue(prop, values[prop.name]))),
    ],
    columns: content.map(({ column }) => column),
    contents: content.map((prop) => (sent.includes(prop) ? `r.${prop.column}` : 'null')),
  };
}

/** Inserts the new records and updates the changed ones, one statement each. */
export async function store(em: EntityManager, scope: WriteScope, model: Model, fresh: Change[], changed: Change[]): Promise<void> {
  const now = scope.now.toISOString();
  if (fresh.length > 0) {
    const { table, values, columns, contents } = rowsOf(model, fresh, 5);
    await executeIn(
      em,
      `insert into "${model.table}" (ledger_id, organisation_id, company_id, ledger_integration_type, ledger_created_at, ledger_updated_at, ${columns.join(', ')})
       select r.id, $1::bigint, $2::bigint, $3, $4::timestamptz, $4::timestamptz, ${contents.join(', ')} from ${table}`,
      [scope.organisationId, scope.company.ledgerId, scope.company.integrationType, now, ...values],
    );
  }
  if (changed.length > 0) {
    const { table, values, columns, contents } = rowsOf(model, changed, 4);
    await executeIn(
      em,
      `update "${model.table}" t set ledger_updated_at = ${nextVersion('$3')}, ${columns.map((column, index) => `${column} = ${contents[index]}`).join(', ')}
       from ${table} where t.company_id = $1 and t.organisation_id = $2 and t.ledger_id = r.id`,
      [scope.company.ledgerId, scope.organisationId, now, ...values],
    );
  }
}

/** Two changes in one millisecond must not share a version. */
const nextVersion = (now: string): string => `greatest(${now}::timestamptz, t.ledger_updated_at + interval '1 millisecond')`;

/** Sets a new version on records whose children changed. */
export async function touch(em: EntityManager, scope: WriteScope, model: Model, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await executeIn(
    em,
    `update "${model.table}" t set ledger_updated_at = ${nextVersion('$4')} where company_id = $1 and organisation_id = $2 and ledger_id = any($3::bigint[])`,
    [scope.company.ledgerId, scope.organisationId, ids, scope.now.toISOString()],
  );
}

/** Marks records that meet a condition deleted, with their children; returns their numbers. The condition's parameters begin with $4. */
export async function markDeleted(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  condition: string,
  values: unknown[],
): Promise<number[]> {
  const model = modelOf(target);
  const rows = await executeIn<{ id: string | number }>(
    em,
    `update "${model.table}" t set ledger_deleted_at = ${nextVersion('$3')}, ledger_updated_at = ${nextVersion('$3')}
     where company_id = $1 and organisation_id = $2 and ledger_deleted_at is null and ${condition} returning ledger_id as id`,
    [scope.company.ledgerId, scope.organisationId, scope.now.toISOString(), ...values],
  );
  const ids = rows.map((row) => Number(row.id));
  for (const relation of model.relations.values()) if (relation.owned && ids.length > 0) await deleteChildren(em, scope, relation, ids);
  return ids;
}

/** Marks the children of the parents deleted, except those in `keep`; returns the parents that lost a child. */
export async function deleteChildren(
  em: EntityManager,
  scope: WriteScope,
  relation: Relation,
  parents: number[],
  keep: number[] = [],
): Promise<Set<number>> {
  const model = modelOf(relation.target());
  const column = model.props.get(relation.to)!.column;
  const where = Object.entries(relation.where ?? {});
  const conditions = where.map(([name], index) => ` and ${model.props.get(name)!.column} = $${index + 6}`).join('');
  const rows = await executeIn<{ parent: string | number }>(
    em,
    `update "${model.table}" t set ledger_deleted_at = ${nextVersion('$1')}, ledger_updated_at = ${nextVersion('$1')}
     where company_id = $2 and organisation_id = $3 and ${column} = any($4::bigint[]) and ledger_deleted_at is null and ledger_id <> all($5::bigint[])${conditions}
     returning ${column} as parent`,
    [scope.now.toISOString(), scope.company.ledgerId, scope.organisationId, parents, keep, ...where.map(([, value]) => value)],
  );
  return new Set(rows.map((row) => Number(row.parent)));
}

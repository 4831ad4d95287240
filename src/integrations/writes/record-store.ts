// The references of changed records, their storage, and the deletion of records with their children.
import type { EntityManager } from '../../database/open.ts';
import { invalid, missing } from '../../records/errors.ts';
import { type Model, modelOf, type Prop, type RecordClass } from '../../records/metadata.ts';
import { etagOf, type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { childRelations } from '../ledger/references.ts';
import { type Change, type ChangeEvent, type CurrentRecord, fieldOf, isDecided, refuse, type WriteScope } from './change.ts';
import {
  readParental,
  readReferences,
  readStored,
  reviveChildren,
  reviveRecord,
  stampRecords,
  stateOf,
  VERSION,
} from './record.statements.ts';

/** A reference of a change to another record. */
interface Use {
  change: Change;
  prop: Prop;
  table: string;
  id: number;
}

/** The references in a property that are new. Most changes have none and are skipped after one check. */
function usesOf(scope: WriteScope, prop: Prop, changes: Change[], isParent: boolean): Use[] {
  const uses: Use[] = [];
  // A list that may be open may name anything.
  if (prop.mayBeOpen) return uses;
  const { table } = modelOf(prop.target!());
  for (const change of changes) {
    const value = change.values[prop.name];
    if (value == null || isDecided(scope, change) || (isParent && change.parent) || change.found?.has(prop.name)) continue;
    const known = change.stored?.[prop.name];
    if (!Array.isArray(value)) {
      if (value !== known) uses.push({ change, prop, table, id: Number(value) });
      continue;
    }
    const before = new Set<unknown>(Array.isArray(known) ? known : []);
    for (const id of value) if (!before.has(id)) uses.push({ change, prop, table, id });
  }
  return uses;
}

/**
 * The same for a property whose records are of several types: the property `typedBy` decides the table. A record of a type that is not stored
 * here has the number of the source and is not checked.
 */
function typedUsesOf(scope: WriteScope, prop: Prop & { typedBy: string }, changes: Change[], isParent: boolean): Use[] {
  return changes.flatMap((change) => {
    const { values, stored } = change;
    const [type, id] = [values[prop.typedBy], values[prop.name]];
    const isKnown = type === stored?.[prop.typedBy] && id === stored?.[prop.name];
    if (id == null || isDecided(scope, change) || (isParent && change.parent) || isKnown || change.found?.has(prop.name)) return [];
    if (type == null) {
      const field = fieldOf(change, prop.typedBy);
      refuse(scope, change, missing(field, `${field} is required with ${prop.name}`));
      return [];
    }
    const named = recordOf(String(type));
    return named ? [{ change, prop, table: modelOf(named).table, id: Number(id) }] : [];
  });
}

const isTyped = (prop: Prop): prop is Prop & { typedBy: string } => prop.typedBy !== undefined;

/** Rejects changes that refer to a record the company does not have; one statement checks all record types. */
export async function checkReferences(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: Change[],
): Promise<void> {
  const { parent } = namesOf(target);
  const uses = [...modelOf(target).props.values()].flatMap((prop) => {
    const isParent = parent.includes(prop.name);
    if (prop.target) return usesOf(scope, prop, changes, isParent);
    return isTyped(prop) ? typedUsesOf(scope, prop, changes, isParent) : [];
  });
  if (uses.length === 0) return;
  const wanted = [...Map.groupBy(uses, (use) => use.table)].map(
    ([table, group]) => [table, [...new Set(group.map(({ id }) => id))]] as const,
  );
  const rows = await readReferences(em, scope, new Map(wanted));
  const found = new Set(rows.map((row) => `${row.table} ${row.id}`));
  for (const { change, prop, table, id } of uses) {
    const field = fieldOf(change, prop.name);
    if (!found.has(`${table} ${id}`))
      refuse(scope, change, invalid(field, `${field} ${id} names no ${table.replaceAll('_', ' ')} of this company`, 'NOT_FOUND'));
  }
}

/** Sets a new version on records whose children changed. */
export async function touch(em: EntityManager, scope: WriteScope, model: Model, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await stampRecords(em, scope, model, {
    isDeleted: false,
    condition: 'ledger_id = any($4::bigint[])',
    values: [ids],
  });
}

/** Marks records that meet a condition deleted, with their children; returns their numbers. The condition's parameters begin with $4. */
export async function markDeleted(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  condition: string,
  values: unknown[],
): Promise<number[]> {
  const model = modelOf(target);
  const mayReturn = stateOf(scope, target) === 'PENDING_PUSH';
  const ids = await stampRecords(em, scope, model, { isDeleted: true, condition, values, mayReturn });
  await deleteChildren(em, scope, target, ids, mayReturn);
  return ids;
}

/** The deletion of a record, with the version that it had. */
export const deletionOf = (target: RecordClass<LedgerRecord>, stored: CurrentRecord): ChangeEvent => ({
  ...{ target, ledgerId: stored.ledgerId, operation: 'DELETE' },
  ...{ previousEtag: etagOf(stored), before: stored.dataHash as string },
});

/** Marks the live records that meet a condition deleted, with their children, and reports each; returns their numbers. Its parameters begin with $3. */
export async function deleteReported(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  condition: string,
  values: unknown[],
): Promise<number[]> {
  const stored = await readStored(em, scope, modelOf(target), condition, values, { select: VERSION });
  const ids = stored.map(({ ledgerId }) => ledgerId);
  if (ids.length > 0) await markDeleted(em, scope, target, 'ledger_id = any($4::bigint[])', [ids]);
  for (const record of stored) scope.changes.push(deletionOf(target, record));
  return ids;
}

/** Makes a deleted record and what was deleted with it live again; returns false where another record has taken its source id or its key. */
export async function undelete(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  ledgerId: number,
): Promise<boolean> {
  const model = modelOf(target);
  const deletedAt = await reviveRecord(em, scope, model, ledgerId);
  if (deletedAt === undefined) return false;
  await undeleteChildren(em, scope, target, [ledgerId], deletedAt);
  scope.changes.push({ target, ledgerId, operation: 'CREATE' });
  return true;
}

/** Makes the children of records live again that were deleted with them, and theirs. */
async function undeleteChildren(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  parents: readonly number[],
  deletedAt: string,
): Promise<void> {
  for (const relation of parents.length === 0 ? [] : childRelations(target)) {
    const ids = await reviveChildren(em, scope, relation, parents, deletedAt);
    await undeleteChildren(em, scope, relation.target() as RecordClass<LedgerRecord>, ids, deletedAt);
  }
}

/** Marks all children of the parents deleted, and theirs. */
async function deleteChildren(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  parents: readonly number[],
  mayReturn: boolean,
): Promise<void> {
  if (parents.length === 0) return;
  const { table } = modelOf(target);
  for (const relation of await readParental(em, scope, childRelations(target), parents)) {
    const model = modelOf(relation.target());
    const { column } = model.props.get(relation.to)!;
    const where = Object.entries(relation.where ?? {});
    const conditions = where.map(([name], index) => ` and ${model.props.get(name)!.column} = $${index + 5}`).join('');
    const ids = await stampRecords(em, scope, model, {
      isDeleted: true,
      condition: `${column} = any($4::bigint[])${conditions}`,
      values: [parents, ...where.map(([, value]) => value)],
      mayReturn,
      notBefore: `(select p.ledger_deleted_at from "${table}" p where p.company_id = $1 and p.ledger_id = t.${column})`,
    });
    await deleteChildren(em, scope, relation.target() as RecordClass<LedgerRecord>, ids, mayReturn);
  }
}

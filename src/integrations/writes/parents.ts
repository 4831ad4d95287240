// The parents of children that are written on their own. As in a write of the parent, they are locked before the children, held to their rules, and
// given their next version. Children of which a rule holds over all, as the lines of a journal entry, are written with their parent only.
import type { EntityManager } from '../../database/open.ts';
import { type GatewayError, invalid, missing } from '../../records/errors.ts';
import { modelOf, propOf, type RecordClass, type Relation } from '../../records/metadata.ts';
import { etagOf, type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { childRelations } from '../ledger/references.ts';
import { type Change, type CurrentRecord, changeOf, type Entry, fieldOf, isDecided, refuse, type WriteScope } from './change.ts';
import { checkIntegrity } from './integrity-check.ts';
import { readLastPlaces, readNames, readStored, stateOf } from './record.statements.ts';
import { touch } from './record-store.ts';

/** A parent by its type and number. */
interface ParentName {
  target: RecordClass<LedgerRecord>;
  ledgerId: number;
}

/** A locked parent. */
interface Parent {
  target: RecordClass<LedgerRecord>;
  stored: CurrentRecord;
  /** Place of its last child of the type that is written. */
  last: number;
}

/** The locked parents of the children that a write is of. */
export type Parents = Map<string, Parent>;

type Values = Readonly<Record<string, unknown>>;

const keyOf = ({ target, ledgerId }: ParentName): string => `${namesOf(target).dataModel} ${ledgerId}`;

/** The parent that the values of a child name; undefined where they name none that is stored here. */
export function parentNamed(target: RecordClass<LedgerRecord>, child: Values): ParentName | undefined {
  const name = namesOf(target).parent.at(-1);
  if (name === undefined || child[name] == null) return undefined;
  const { target: only, typedBy } = propOf(modelOf(target), name);
  const parent = typedBy === undefined ? (only?.() as RecordClass<LedgerRecord>) : recordOf(String(child[typedBy]));
  return parent && relationOf(parent, target) && { target: parent, ledgerId: Number(child[name]) };
}

/** The relation under which a record has children of a type. */
const relationOf = (parent: RecordClass<LedgerRecord>, child: RecordClass<LedgerRecord>): Relation | undefined =>
  childRelations(parent).find(({ target }) => target() === child);

/** Locks the parents that entries name, and those of the stored children that they name by number; none where records have no parent. */
export async function lockedParents(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  entries: readonly Pick<Entry, 'input' | 'ledgerId'>[],
): Promise<Parents> {
  const parents: Parents = new Map();
  const { parent } = namesOf(target);
  if (parent.length === 0) return parents;
  const ids = entries.flatMap(({ ledgerId }) => ledgerId ?? []);
  const stored = ids.length === 0 ? [] : await readNames(em, scope, modelOf(target), parent, ids);
  const named = [...entries.map(({ input }) => input), ...stored].flatMap((child) => parentNamed(target, child) ?? []);
  await lockParents(em, scope, target, parents, named);
  return parents;
}

/** Locks parents that are not locked yet. One that the company does not have stays out. */
export async function lockParents(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  parents: Parents,
  named: readonly ParentName[],
): Promise<void> {
  const wanted = named.filter((name) => !parents.has(keyOf(name)));
  const byType = [...Map.groupBy(wanted, (name) => name.target)];
  for (const [parent, names] of byType.sort(([a], [b]) => (namesOf(a).dataModel < namesOf(b).dataModel ? -1 : 1))) {
    const ids = [...new Set(names.map(({ ledgerId }) => ledgerId))];
    const found = await readStored(em, scope, modelOf(parent), 'ledger_id = any($3::bigint[])', [ids]);
    const last = await readLastPlaces(em, scope, relationOf(parent, target)!, ids);
    for (const stored of found)
      parents.set(keyOf({ target: parent, ledgerId: stored.ledgerId }), { target: parent, stored, last: last.get(stored.ledgerId) ?? 0 });
  }
}

/** The locked parent of a child. */
export function lockedParent(parents: Parents, target: RecordClass<LedgerRecord>, child: Values): Parent | undefined {
  const name = parentNamed(target, child);
  return name && parents.get(keyOf(name));
}

/** Rejects children that a parent would break a rule with, or without one that is moved away, where the write is strict. */
export async function checkParents(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  parents: Parents,
  changes: readonly Change[],
): Promise<void> {
  if (!scope.strict) return;
  const parentsOf = ({ values, stored }: Change): Parent[] => [
    ...new Set([values, ...(stored ? [stored] : [])].flatMap((child) => lockedParent(parents, target, child) ?? [])),
  ];
  const held = changes.flatMap((change) => (change.error ? [] : parentsOf(change).map((parent) => ({ parent, change }))));
  const byParent = Map.groupBy(held, ({ parent }) => parent);
  for (const [type, all] of Map.groupBy(byParent.keys(), (parent) => parent.target)) {
    const checks = all.map(({ stored }) => ({
      ...changeOf({}, '', { stored, ledgerId: stored.ledgerId }),
      values: stored as Record<string, unknown>,
    }));
    await checkIntegrity(em, scope, modelOf(type), checks);
    for (const [place, { error }] of checks.entries())
      if (error) for (const { change } of byParent.get(all[place]!)!) refuse(scope, change, broken(target, change, error));
  }
}

/** The error of a child whose parent would break a rule. */
function broken(target: RecordClass<LedgerRecord>, change: Change, error: GatewayError): GatewayError {
  const field = fieldOf(change, namesOf(target).parent.at(-1)!);
  // The error of the parent begins with the path of its field, which the caller has not sent.
  return invalid(field, `${field}: ${error.message.slice(error.message.indexOf(': ') + 2)}`);
}

/** Gives the parents of changed children their next version, unless the write has changed them already. */
export async function touchParents(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  parents: Parents,
  children: readonly Values[],
): Promise<void> {
  const changed = new Set(children.flatMap((child) => lockedParent(parents, target, child) ?? []));
  const known = new Set(scope.changes.map(({ ledgerId }) => ledgerId));
  const touched = [...changed].filter(({ stored }) => !known.has(stored.ledgerId));
  for (const [parent, ofType] of Map.groupBy(touched, (one) => one.target)) {
    // The source knows no children that the record does not show, so what it last said of the record still counts.
    const keepsSource = relationOf(parent, target)!.rest === 'never' && stateOf(scope, parent) === 'LOCAL';
    await touch(
      em,
      { ...scope, keepsSource: scope.keepsSource || keepsSource },
      modelOf(parent),
      ofType.map(({ stored }) => stored.ledgerId),
    );
    for (const { stored } of ofType) {
      const hash = stored.dataHash as string;
      scope.changes.push({
        ...{ target: parent, ledgerId: stored.ledgerId, operation: 'UPDATE' as const },
        ...{ previousEtag: etagOf(stored), before: hash, after: hash },
      });
    }
  }
}

/** The error of a child that is written or deleted without its parent, where that may not be. */
export function refusalOf(target: RecordClass<LedgerRecord>, child: Record<string, unknown>, field: string): GatewayError | undefined {
  const parent = parentNamed(target, child)?.target;
  const relation = parent && [...modelOf(parent).relations.values()].find((one) => one.whole && one.target() === target);
  if (!relation) return undefined;
  const label = namesOf(parent).dataModel.toLowerCase().replaceAll('_', ' ');
  return invalid(field, `${field} cannot be written alone: it is written with all ${relation.name} of its ${label}`);
}

/** Rejects changes of a caller that write such children alone, or move them from or to such a parent. One that changes nothing may be sent. */
export function checkWhole(scope: WriteScope, target: RecordClass<LedgerRecord>, changes: Change[]): void {
  if (scope.isPull) return;
  for (const change of changes) {
    const { stored, values, parent } = change;
    if (parent || change.error || (stored && stored.dataHash === values.dataHash)) continue;
    const field = fieldOf(change, namesOf(target).parent.at(-1) ?? '');
    const error = refusalOf(target, values, field) ?? (stored && refusalOf(target, stored, field));
    if (error) refuse(scope, change, error);
  }
}

/** Rejects changes of a caller that take a child from its parent: no record would have it, though it is live. To delete it is another operation. */
export function checkBelongs(scope: WriteScope, target: RecordClass<LedgerRecord>, changes: Change[]): void {
  const name = namesOf(target).parent.at(-1);
  if (scope.isPull || name === undefined) return;
  for (const change of changes)
    if (!change.parent && change.stored?.[name] != null && change.values[name] == null && !isDecided(scope, change))
      refuse(scope, change, missing(fieldOf(change, name)));
}

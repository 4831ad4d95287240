// Stores the open references of written records, and lets writes that leave one open and writes that store what it names see each other.
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { awaitedTypes, referencesOf } from '../ledger/references.ts';
import type { Change, RecordInput, WriteScope } from './change.ts';
import { type GivenProperty, type OpenRow, readNamed, replaceOpen } from './reference.statements.ts';

/** Stores the open references of written records in place of those that they had in the properties given. */
export async function storeOpenReferences(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
): Promise<void> {
  const references = referencesOf(target);
  if (references.length === 0) return;
  const given: GivenProperty[] = [];
  const rows: OpenRow[] = [];
  for (const change of changes) {
    if (!change.stored && !change.open) continue;
    const { stored, input, ledgerId, open = [] } = change;
    // A property with a number has no open reference, unless it is a list.
    for (const { prop, isList } of references)
      if (stored && input[prop.name] !== undefined && (isList || stored[prop.name] == null))
        given.push({ recordId: ledgerId, property: prop.name, kept: open.filter(({ property }) => property === prop.name).length });
    for (const entry of open)
      rows.push({ ...entry, ...parentOf(target, change.values), recordId: ledgerId, dataModel: namesOf(target).dataModel });
  }
  if (given.length > 0 || rows.length > 0) await replaceOpen(em, scope, given, rows);
}

/** The parent of a child, from its values. */
export function parentOf(
  target: RecordClass<LedgerRecord>,
  values: Readonly<Record<string, unknown>>,
): Pick<OpenRow, 'parentModel' | 'parentId'> {
  const { parent } = namesOf(target);
  const reference = referencesOf(target).find(({ isParent }) => isParent);
  if (!reference) return { parentModel: null, parentId: null };
  const parentModel = parent.includes('parentType') ? values.parentType : namesOf(reference.targets()[0]!).dataModel;
  return { parentModel: parentModel as string | null, parentId: values[reference.prop.name] as number | null };
}

/**
 * Locks the types that the write may name before they are stored, and its own type if others may. A write that names one waits for those that store
 * some, and they for it; those that store some do not wait for each other. The locks come before those of records and in one order. A pull looks
 * for what it names again at its end, and a reference that is completed was open before.
 */
export async function lockAwaited(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  inputs: readonly RecordInput[],
): Promise<void> {
  if (!scope.arrived || scope.keepsSource) return;
  const named = scope.isPull ? new Set() : await openTypes(em, scope, target, inputs);
  for (const type of awaitedTypes())
    if (type === target || named.has(type))
      await lockUntilCommit(em, `references to ${namesOf(type).dataModel} of company ${scope.company.ledgerId}`, !named.has(type));
}

/** The types of the records that lists of the inputs name and that are not stored. */
async function openTypes(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  inputs: readonly RecordInput[],
): Promise<Set<RecordClass<LedgerRecord>>> {
  const wanted = new Map<RecordClass<LedgerRecord>, Set<string>>();
  for (const { prop, field, targets } of referencesOf(target)) {
    if (!prop.mayBeOpen) continue;
    const given = inputs.flatMap((input) => [input[prop.name] ?? [], input[field] ?? []].flat());
    const ids = given.map((entry) => (typeof entry === 'object' ? (entry as RecordInput | null)?.platformId : entry));
    const [named] = targets() as [RecordClass<LedgerRecord>];
    for (const id of ids) if (typeof id === 'string') wanted.set(named, (wanted.get(named) ?? new Set()).add(id));
  }
  const found = await readNamed(em, scope, wanted);
  return new Set([...wanted].flatMap(([type, ids]) => ([...ids].every((id) => found.get(type)?.has(id)) ? [] : [type])));
}

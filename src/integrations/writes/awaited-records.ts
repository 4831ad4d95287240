// Lets writes that name records before they are stored, and writes that store such records, see each other when they run at the same time.
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { awaitedTypes, referencesOf } from '../ledger/references.ts';
import type { RecordInput, WriteScope } from './change.ts';
import { readNamed } from './reference.statements.ts';

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

// What the source says of records that a caller may have changed: what is kept, what agrees, and what is in conflict.
import type { EntityManager } from '../../database/open.ts';
import { digestOf } from '../../json/digest.ts';
import { isPlainObject } from '../../records/checked.ts';
import { type Model, modelOf, type RecordClass } from '../../records/metadata.ts';
import { etagOf, type LedgerRecord } from '../ledger/ledger-record.ts';
import { nestedRelations } from '../ledger/references.ts';
import type { Change, ChangeEvent, CurrentRecord, WriteScope } from './change.ts';
import { readStored, stateOf, VERSION } from './record.statements.ts';
import { deleteReported } from './record-store.ts';
import { CHANGED_HERE, deletedHere, markConflicts, storeAgreement, storeStanding } from './source-version.statements.ts';

const NONE: ReadonlySet<never> = new Set();

/** Whether the source sent something else of a record than is kept of it. What its retention has removed does not come back. */
const isRawNew = (kept: unknown, sent: unknown): boolean =>
  sent != null && !(isPlainObject(kept) && Object.keys(kept).length === 0) && digestOf(kept ?? null) !== digestOf(sent);

/** Whether a pull of the record leaves the stored one as it is. */
function keeps(
  change: Change,
  target: RecordClass<LedgerRecord>,
  pushed: ReadonlySet<string>,
): 'nothing new' | 'older' | 'conflict' | undefined {
  const { stored, source, values, input } = change;
  if (source && pushed.has(String(values.platformId))) return 'older';
  if (!stored || !source) return undefined;
  if (stored.sourceHash === source.hash && !(stored.sourceState === 'IN_SYNC' && isRawNew(stored.rawData, input.rawData)))
    return 'nothing new';
  if (stored.sourceState === 'IN_SYNC') return undefined;
  const isSame = stored.dataHash === values.dataHash && nestedRelations(target).every(({ name }) => input[name] == null);
  return isSame ? undefined : 'conflict';
}

/**
 * Keeps what a caller wrote and the source has not seen. A pulled record does not change a stored one that was changed here since. Where the source
 * changed it too, the record is in CONFLICT, with the source's version next to it. A record is not touched where the source says nothing new of it.
 * Nor is one that was pushed since the source was asked, or that the source shows as an attempt to push it may have left it. A record that was
 * deleted here is not brought back before the source has received the deletion.
 */
export async function keepLocal(em: EntityManager, scope: WriteScope, model: Model, changes: Change[]): Promise<void> {
  const target = model.class as RecordClass<LedgerRecord>;
  const differing: Change[] = [];
  const fresh = changes.filter((change) => !change.error && !change.stored && change.source);
  // Asked before the pushes: a deleted record is not locked, and the push of its deletion may end between the two questions.
  const deleted = await deletedHere(
    em,
    scope,
    model,
    fresh.map(({ values }) => String(values.platformId)),
  );
  // Asked after the records are locked: a push that ends now has waited for this write.
  const pushed = (await scope.pushedSince?.(em, target)) ?? NONE;
  for (const change of changes) {
    if (change.error) continue;
    const reason = keeps(change, target, pushed);
    change.isKept = reason !== undefined;
    if (reason === 'conflict') differing.push(change);
  }
  for (const change of fresh) change.isKept ||= deleted.has(String(change.values.platformId));
  const own = differing.length > 0 ? ((await scope.ownEffects?.(em, target, differing)) ?? NONE) : NONE;
  const conflicts = differing.filter(({ ledgerId }) => !own.has(ledgerId));
  await markConflicts(
    em,
    scope,
    model,
    conflicts.map(({ stored, source }) => ({ ledgerId: stored!.ledgerId, version: source!.record })),
  );
  for (const { stored } of conflicts) scope.changes.push(unchangedContent(target, stored!));
}

/** Notes that the source has records as they are stored. */
export async function agree(em: EntityManager, scope: WriteScope, model: Model, changes: Change[]): Promise<void> {
  const read = changes.flatMap(({ ledgerId, source }) => (source ? [{ ledgerId, hash: source.hash }] : []));
  if (read.length > 0) await storeAgreement(em, scope, model, read);
}

/** A new version of a stored record with the same content. */
const unchangedContent = (target: RecordClass<LedgerRecord>, stored: CurrentRecord): ChangeEvent => ({
  ...{ target, ledgerId: stored.ledgerId, operation: 'UPDATE', previousEtag: etagOf(stored) },
  ...{ before: stored.dataHash as string, after: stored.dataHash as string },
});

/** Which records the source has deleted: a condition for a statement whose parameters begin with `$first`, and its values. */
export interface Deleted {
  condition: (first: number) => string;
  values: readonly unknown[];
}

/**
 * Marks records deleted that the source has deleted. What a caller changed here since is not deleted: it is in CONFLICT, where the source had it
 * before.
 */
export async function deleteFromSource(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  { condition, values }: Deleted,
): Promise<void> {
  const model = modelOf(target);
  const named = `ledger_integration_type = $3 and ${condition(4)}`;
  const known = [scope.company.integrationType, ...values];
  const changed = await readStored(em, scope, model, `${named} and ${CHANGED_HERE}`, known, { select: VERSION });
  await markConflicts(
    em,
    scope,
    model,
    changed.map(({ ledgerId }) => ({ ledgerId, version: { deleted: true } })),
  );
  for (const stored of changed) scope.changes.push(unchangedContent(target, stored));
  await deleteReported(em, scope, target, `source_state = 'IN_SYNC' and ${named}`, known);
}

/**
 * Keeps a stored record in conflict as it is, to be sent to the source where the source takes the type. `hash` is the digest of what the source has.
 */
export async function keepStored(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  stored: CurrentRecord,
  hash: string | null,
): Promise<void> {
  await storeStanding(em, scope, modelOf(target), stored.ledgerId, stateOf(scope, target), hash);
  scope.changes.push(unchangedContent(target, stored));
}

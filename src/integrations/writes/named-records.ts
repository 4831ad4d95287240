// Writes of stored records that the caller names by their numbers: finds them, checks their versions, and marks them deleted.
import type { EntityManager } from '../../database/open.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { type Change, type CurrentRecord, checked, type Entry, type RecordResult, requireVersion, type WriteScope } from './change.ts';
import { lockedParents, refusalOf, touchParents } from './parents.ts';
import { readStored } from './record.statements.ts';
import { deletionOf, markDeleted } from './record-store.ts';

/** Finds the stored records that entries name by their numbers. */
export async function findNamed(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  entries: Entry[],
  changes: Change[],
): Promise<void> {
  const stored = await storedRecords(em, scope, target, entries);
  const seen = new Set<number>();
  for (const [place, { path, ledgerId, ifMatch, input, error }] of entries.entries()) {
    const change = changes[place]!;
    // An id that was rejected before names no record: no record has -1.
    if (ledgerId === undefined) {
      if (error) change.ledgerId = -1;
      continue;
    }
    const record = stored.get(ledgerId);
    change.ledgerId = 0;
    change.stored = record;
    checked(scope, change, () => {
      if (seen.has(ledgerId)) throw invalid(`${path}.id`, `${path}.id occurs twice in this request`, 'DUPLICATE');
      seen.add(ledgerId);
      requireNamed(target, record, ledgerId, path, ifMatch);
      if (input.platformId != null && input.platformId !== record?.platformId)
        throw invalid(`${path}.platformId`, `${path}.platformId cannot be changed`);
    });
    change.ledgerId = ledgerId;
  }
}

/** The stored records that entries name by their numbers. */
async function storedRecords(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  entries: readonly Entry[],
): Promise<Map<number, CurrentRecord>> {
  const ids = entries.flatMap(({ ledgerId }) => ledgerId ?? []);
  const rows = await readStored(em, scope, modelOf(target), 'ledger_id = any($3::bigint[])', [ids]);
  return new Map(rows.map((row) => [row.ledgerId, row]));
}

/** Rejects a record that is not stored, or not in the version that the entry names. */
function requireNamed(
  target: RecordClass<LedgerRecord>,
  stored: CurrentRecord | undefined,
  ledgerId: number,
  path: string,
  ifMatch: string | null | undefined,
): void {
  if (!stored) throw notFound(target, ledgerId, `${path}.id`);
  if (ifMatch != null) requireVersion(ifMatch, stored, `${path}.ifMatch`);
}

/** Marks the records that entries name deleted, with their children; rejects the others. */
export async function deleteRecords(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  entries: Entry[],
): Promise<RecordResult[]> {
  const parents = await lockedParents(em, scope, target, entries);
  const stored = await storedRecords(em, scope, target, entries);
  const known = new Map(stored);
  const results = entries.map(({ path, ledgerId = 0, ifMatch, error: refused }): RecordResult => {
    if (refused) return refused;
    try {
      const record = stored.get(ledgerId);
      requireNamed(target, record, ledgerId, path, ifMatch);
      const refusal = record && refusalOf(target, record, `${path}.id`);
      if (refusal) return refusal;
      // One that is named twice is gone when it is named again.
      stored.delete(ledgerId);
      return { ledgerId, changed: 'updated' };
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  });
  const ids = results.flatMap((result) => (result instanceof GatewayError ? [] : [result.ledgerId]));
  const gone = ids.length > 0 ? await markDeleted(em, scope, target, 'ledger_id = any($4::bigint[])', [ids]) : [];
  const deleted = gone.map((id) => known.get(id)!);
  for (const record of deleted) scope.changes.push(deletionOf(target, record));
  await touchParents(em, scope, target, parents, deleted);
  return results;
}

// Writes records of which each is stored or rejected on its own.
import { retryable, unavailable } from '../../database/errors.ts';
import type { EntityManager } from '../../database/open.ts';
import { savepoint } from '../../database/savepoint.statements.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import type { Entry, RecordResult, WriteScope } from './change.ts';
import { type WriteMode, writeRecords } from './write.ts';

/**
 * Writes what can be written: a rejected record leaves nothing behind and does not stop the others. When the database rejects a record for a
 * reason that no check foresaw, the entries are written in halves until that record is found.
 */
export async function writeRemaining(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  entries: Entry[],
  mode: WriteMode,
  ifMatch?: string | null,
): Promise<RecordResult[]> {
  if (entries.length === 0) return [];
  const known = scope.changes.length;
  const undo = async (): Promise<void> => {
    await savepoint(em, 'rollback to');
    await savepoint(em, 'release');
    scope.changes.length = known;
  };
  await savepoint(em, 'set');
  let results: RecordResult[];
  try {
    results = await writeRecords(em, scope, target, entries, mode, ifMatch);
  } catch (error) {
    if (error instanceof GatewayError || retryable(error) || unavailable(error)) throw error;
    await undo();
    if (entries.length === 1) return [new GatewayError('INTERNAL_ERROR', 'the record could not be stored')];
    const middle = Math.ceil(entries.length / 2);
    const first = await writeRemaining(em, scope, target, entries.slice(0, middle), mode, ifMatch);
    return [...first, ...(await writeRemaining(em, scope, target, entries.slice(middle), mode, ifMatch))];
  }
  const refused = (_: unknown, index: number): boolean => results[index] instanceof GatewayError;
  // The savepoint is not released here: it ends with the transaction, or with an outer savepoint of the same name.
  if (!entries.some(refused)) return results;
  await undo();
  const remaining = entries.filter((entry, index) => !refused(entry, index));
  const written = (await writeRemaining(em, scope, target, remaining, mode, ifMatch)).values();
  return results.map((result) => (result instanceof GatewayError ? result : written.next().value!));
}

// Writes the records of a sync job, each stored or refused on its own, and reports the outcome.
import type { Services } from '../../access/context.ts';
import { retryable, unavailable } from '../../database/errors.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { emitEvents, sourceOf } from '../../events/events.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { snakePath } from '../../records/naming.ts';
import type { WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { type Entry, type RecordResult, type WriteMode, writeRecords } from '../writes/write.ts';
import { type JobState, type Refusal, reportProgress, type SyncState } from './sync-state.ts';

/** The outcome of a job's entries. */
interface Outcome {
  stored: number;
  refusals: Refusal[];
}

/** Writes the entries of a job: stores what can be stored, and returns a refusal for every other entry. */
export async function writeEntries(
  em: EntityManager,
  scope: WriteScope,
  sync: SyncState,
  target: RecordClass,
  entries: Entry[],
  position: number,
): Promise<Outcome> {
  const results = await writeSurvivors(em, scope, target, entries, sync.configMode === 'CREATE' ? 'create' : 'upsert');
  const refusals = results.flatMap((result, index): Refusal[] => {
    if (!(result instanceof GatewayError)) return [];
    const { input } = entries[index]!;
    return [
      {
        error: scope.isGraphql ? result : withRestNames(result),
        index: position + index,
        platformId: (input.platformId as string | undefined) ?? null,
        input: JSON.stringify(input),
      },
    ];
  });
  return { stored: results.length - refusals.length, refusals };
}

/** Adds the outcome of entries to their job, and emits the events of what they changed. */
export async function reportEntries(
  em: EntityManager,
  services: Services,
  scope: WriteScope,
  sync: SyncState,
  job: Pick<JobState, 'id' | 'dataModel'>,
  { stored, refusals }: Outcome,
): Promise<void> {
  await reportProgress(em, scope.organisationId, sync, job, stored, refusals, scope.now);
  const source = sourceOf(services, scope.organisationId);
  await emitEvents(em, source, changeEventsOf(em, source, scope.company, scope.changes));
}

/** The error with its field named as in REST bodies and files. */
function withRestNames(error: GatewayError): GatewayError {
  const { field } = error.info;
  if (field === undefined) return error;
  const restField = snakePath(field);
  return new GatewayError(error.code, error.message.replaceAll(field, restField), { ...error.info, field: restField });
}

/**
 * Writes what can be written: a refused record leaves nothing behind and does not stop the others. When the database refuses a record for a
 * reason that no check foresaw, the entries are written in halves until that record is found.
 */
async function writeSurvivors(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  entries: Entry[],
  mode: WriteMode,
): Promise<RecordResult[]> {
  if (entries.length === 0) return [];
  const known = scope.changes.length;
  const undo = async (): Promise<void> => {
    await executeIn(em, 'rollback to savepoint entries');
    await executeIn(em, 'release savepoint entries');
    scope.changes.length = known;
  };
  await executeIn(em, 'savepoint entries');
  let results: RecordResult[];
  try {
    results = await writeRecords(em, scope, target, entries, mode);
  } catch (error) {
    if (error instanceof GatewayError || retryable(error) || unavailable(error)) throw error;
    await undo();
    if (entries.length === 1) return [new GatewayError('INTERNAL_ERROR', 'the record could not be stored')];
    const middle = Math.ceil(entries.length / 2);
    const first = await writeSurvivors(em, scope, target, entries.slice(0, middle), mode);
    return [...first, ...(await writeSurvivors(em, scope, target, entries.slice(middle), mode))];
  }
  const refused = (_: unknown, index: number): boolean => results[index] instanceof GatewayError;
  // The savepoint is not released here: it ends with the transaction, or with an outer savepoint of the same name.
  if (!entries.some(refused)) return results;
  await undo();
  const survivors = entries.filter((entry, index) => !refused(entry, index));
  const written = (await writeSurvivors(em, scope, target, survivors, mode)).values();
  return results.map((result) => (result instanceof GatewayError ? result : written.next().value!));
}

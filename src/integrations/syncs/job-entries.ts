// Writes the records of a sync job, each stored or rejected on its own, and reports the outcome.
import type { GraphQLSchema } from 'graphql';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { emitEvents, sourceOf } from '../../events/events.ts';
import { inRestWords } from '../../graphql/rest/rest-words.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { snakePath } from '../../records/naming.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { CHILD_ID } from '../ledger/record-input.ts';
import type { Entry, WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { writeRemaining } from '../writes/remaining.ts';
import { type JobState, type Refusal, reportProgress, type SyncState } from './state/sync-state.ts';

/** The outcome of a job's entries. */
export interface Outcome {
  stored: number;
  refusals: Refusal[];
}

/** Writes the entries of a job: stores what can be stored, and returns a rejection for every other entry. */
export async function writeEntries(
  em: EntityManager,
  scope: WriteScope,
  sync: SyncState,
  target: RecordClass<LedgerRecord>,
  entries: Entry[],
  position: number,
): Promise<Outcome> {
  const results = await writeRemaining(em, scope, target, entries, sync.configMode === 'CREATE' ? 'create' : 'upsert');
  const refusals = results.flatMap((result, index): Refusal[] => {
    if (!(result instanceof GatewayError)) return [];
    const { input } = entries[index]!;
    return [
      {
        error: scope.isGraphql ? result : withRestNames(scope.services.schema, result),
        index: position + index,
        platformId: input.platformId == null ? null : String(input.platformId),
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
  await reportProgress(em, sync, job, stored, refusals, scope.now);
  const source = sourceOf(services, scope.organisationId);
  emitEvents(em, source, changeEventsOf(em, source, scope.company, scope.changes));
}

/** The error with its field named as in REST bodies and files, where a record names itself by its `ledger_id`. */
function withRestNames(schema: GraphQLSchema, error: GatewayError): GatewayError {
  const { field } = error.info;
  if (field === undefined) return new GatewayError(error.code, inRestWords(schema, error.message), error.info);
  // The number of a record is the one member that REST does not call by the snake case of its name.
  const named = field.replace(/(?<=\.)id$/, CHILD_ID);
  const message = inRestWords(
    schema,
    error.message.replaceAll(field, () => named),
  );
  return new GatewayError(error.code, message, { ...error.info, field: snakePath(named) });
}

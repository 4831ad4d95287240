// The outcome of a push: the response of the source, a conflict, a rejection, or another attempt later. Each is stored in the transaction that ends
// the attempt.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { type EventSource, emitEvents, sourceOf } from '../../events/events.ts';
import { digestOf } from '../../json/digest.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import type { CompanyRow } from '../companies/company.ts';
import { noteRun } from '../connections/connection-runs.ts';
import type { RunConnection } from '../connections/sources.ts';
import type { PushResponse, SentPush, SourceRecord } from '../connectors/connector.ts';
import { type LedgerRecord, recordOf } from '../ledger/ledger-record.ts';
import { moveReferences } from '../writes/arrived-records.ts';
import type { WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { undelete } from '../writes/record-store.ts';
import { closeReferences } from '../writes/reference.statements.ts';
import { type FormOf, type StoredForm, storedForm } from '../writes/source-form.ts';
import { markConflicts } from '../writes/source-version.statements.ts';
import { takeOver, writeRecords } from '../writes/write.ts';
import { freeId, keepDuplicate } from './duplicates.ts';
import { type ClaimedPush, noteLeftOut, notePush, notePushedDuringPulls, releasePush, removePush } from './push.statements.ts';
import { Conflict, isEarlier, type Prepared } from './push-sending.ts';
import { recordCoercer, sourceDigest } from './source-record.ts';
import { endJob } from './state/sync.statements.ts';
import { SourcePush, SyncChunk } from './state/sync.ts';
import { lockSync, type Refusal, reportProgress, type SyncState, settleSync } from './state/sync-state.ts';

/** Attempts of one push that a source may fail for the moment, some hours together, before the pushes behind it have their turn. */
const MAX_FAILURES = 20;
/** Longest wait before a push that failed for the moment is tried again. */
const MAX_DELAY_SECONDS = 900;
/** Errors after which the same push may succeed. */
const failures = new Set<ErrorCode>(['PLATFORM_ERROR', 'PLATFORM_TIMEOUT']);
/** Those after which each further attempt waits longer. A limit and credentials that are rejected say themselves when the next one is. */
const waits = new Set<ErrorCode>([...failures, 'STALE_RECORD']);
const passing = new Set<ErrorCode>([...waits, 'PLATFORM_RATE_LIMIT_EXCEEDED', 'CONNECTION_EXPIRED']);

/** The connection that a push was sent over, with the credentials that it used; undefined where none was opened. */
type Used = RunConnection | undefined;

/** The outcomes of the pushes of a company. */
export class PushOutcomes {
  readonly #services: Services;
  readonly #organisationId: number;
  readonly #companyId: number;

  constructor(services: Services, organisationId: number, companyId: number) {
    this.#services = services;
    this.#organisationId = organisationId;
    this.#companyId = companyId;
  }

  /** Stores what the source made of a push; `used` is the connection of the call. */
  async done(em: EntityManager, prepared: Prepared, response: SentPush | null, used: Used): Promise<void> {
    const { push, target, company, stored } = prepared;
    const source = sourceOf(this.#services, this.#organisationId);
    const sync = await lockSync(em, this.#services, { id: push.syncId, companyId: push.companyId });
    if (stored.sourceState === 'CONFLICT' || stored.sourceState === 'PUSH_FAILED') {
      await settle(em, source, sync, push, refusalOf(push, stored.platformId, undecided(stored)));
      return;
    }
    let isDone = true;
    if (response) {
      const scope = this.#scope(company);
      isDone = await this.#storeResponse(em, scope, prepared, response);
      if (isDone && response.leftOut?.length) await noteLeftOut(em, modelOf(target), push, response.leftOut);
      emitEvents(em, source, changeEventsOf(em, source, company, scope.changes));
      await notePushedDuringPulls(em, push, response.platformId);
      await noteRun(em, source, this.#companyId, { used });
    } else await notePush(em, modelOf(target), push, { state: 'IN_SYNC' });
    if (isDone && stored.isDeleted) await closeReferences(em, push.companyId, target, push.ledgerId);
    if (isDone) await settle(em, source, sync, push);
    else await releasePush(em, push, { sent: [] });
  }

  /** Stores a response; returns false where the same push has to send what the record is now. */
  async #storeResponse(em: EntityManager, scope: WriteScope, prepared: Prepared, response: PushResponse): Promise<boolean> {
    const { push, target, stored, form } = prepared;
    const { platformId } = response;
    const coerce = recordCoercer(this.#services.schema, target);
    const record: SourceRecord = response.record ?? { ...form, platform_id: platformId };
    const input = coerce({ ...record, platform_id: platformId }, 'data');
    const hash = sourceDigest(input);
    const of = this.formOf(target, push);
    const current = await storedForm(em, of);
    // A pull may have stored what this push made of the record before the response arrived.
    const met = current.sourceVersion?.deleted === true ? null : current.sourceVersion;
    const isOwn = met !== null && sourceDigest(coerce({ ...met, platform_id: platformId }, 'data')) === hash;
    const isConflict = current.sourceState === 'CONFLICT' && !isOwn;
    // It has stored the record, and the decision stays open.
    if (isConflict && platformId === stored.platformId) return true;
    const isSame = current.etag === stored.etag || (isOwn && digestOf(current.record) === digestOf(stored.record));
    const isAsSent = isSame && !isEarlier(prepared);
    const duplicate = current.isDeleted ? undefined : await freeId(em, scope, of, platformId);
    let gone: number | undefined;
    if (current.isDeleted) await notePush(em, modelOf(target), push, { state: isAsSent ? 'IN_SYNC' : 'PENDING_PUSH', hash, platformId });
    else if (isAsSent) gone = await takeOver(em, scope, target, push.ledgerId, platformId, { input, source: { record, hash } });
    else {
      // It was written again since, and the next push sends that; what the source has now is noted for it.
      const later = { ...scope, isPull: false, pushed: new Set([push.dataModel]) };
      gone = await takeOver(em, later, target, push.ledgerId, platformId, { input: {}, source: { record, hash } });
      await notePush(em, modelOf(target), push, { state: 'PENDING_PUSH', hash });
    }
    if (gone !== undefined) await moveReferences(em, scope, target, gone, platformId);
    if (duplicate) await keepDuplicate(em, scope, of, prepared, { current: current.record, hash }, duplicate);
    if (isConflict) {
      // What a pull took for this record, which was given its id here, is another one.
      const other = coerce(current.sourceVersion!, 'data');
      await writeRecords(
        em,
        scope,
        target,
        [{ path: 'data', input: other, source: { record: current.sourceVersion!, hash: sourceDigest(other) } }],
        'upsert',
      );
    }
    return !isConflict && !isEarlier(prepared) && !duplicate;
  }

  /**
   * Stores why a push failed. Returns when the push is tried again, where the source cannot be reached at the moment. Null means not before the
   * connection is fixed, and undefined that the next pushes have their turn.
   */
  async failed(em: EntityManager, prepared: Prepared, error: GatewayError, used: Used): Promise<Date | null | undefined> {
    const { push, target, company, stored } = prepared;
    const source = sourceOf(this.#services, this.#organisationId);
    const scope = this.#scope(company);
    if (error instanceof Conflict) {
      if (stored.isDeleted) await this.#bringBack(em, scope, prepared, error.version);
      else {
        await markConflicts(em, scope, modelOf(target), [{ ledgerId: push.ledgerId, version: error.version }]);
        scope.changes.push({ target, ledgerId: push.ledgerId, operation: 'UPDATE', previousEtag: stored.etag });
      }
    } else if (passing.has(error.code) && (push.failures < MAX_FAILURES || !failures.has(error.code))) {
      await notePush(em, modelOf(target), push, { state: 'PENDING_PUSH', error: error.message });
      // A record that changed while it was sent is compared again by the next attempt; a limit is a pause.
      if ((error.code === 'CONNECTION_EXPIRED' && used) || failures.has(error.code))
        await noteRun(em, source, this.#companyId, { error, used });
      // Credentials that are rejected are rejected again: the next settings of the connection start the pushes again.
      const isDue = error.code !== 'CONNECTION_EXPIRED';
      const delay = error.info.retryAfterSeconds ?? Math.min(MAX_DELAY_SECONDS, 2 ** Math.min(push.failures, 10));
      const due = isDue ? new Date(this.#services.clock.now().getTime() + delay * 1_000) : null;
      await releasePush(em, push, { due, failures: push.failures + Number(waits.has(error.code)) });
      return due;
    } else if (isEarlier(prepared)) {
      // The source has nothing of it: it is created from the record as it is now.
      await releasePush(em, push, { sent: [] });
      return undefined;
    }
    const current = await storedForm(em, this.formOf(target, push));
    const isAsSent = current.etag === stored.etag;
    if (isAsSent && current.isDeleted) await undelete(em, scope, target, push.ledgerId);
    emitEvents(em, source, changeEventsOf(em, source, company, scope.changes));
    await refuse(em, source, push, error, { platformId: stored.platformId, isAsSent });
    return undefined;
  }

  /** Makes a record live again that was deleted here and has changed at the source since, as it is there: its deletion is rejected. */
  async #bringBack(em: EntityManager, scope: WriteScope, { push, target }: Prepared, version: SourceRecord): Promise<void> {
    await notePush(em, modelOf(target), push, { state: 'IN_SYNC' });
    await undelete(em, scope, target, push.ledgerId);
    const input = recordCoercer(this.#services.schema, target)(version, 'data');
    const written: WriteScope = { ...scope, changes: [] };
    await writeRecords(em, written, target, [{ path: 'data', input, source: { record: version, hash: sourceDigest(input) } }], 'upsert');
    const known = new Set(scope.changes.map(({ ledgerId }) => ledgerId));
    for (const change of written.changes) if (!known.has(change.ledgerId)) scope.changes.push(change);
  }

  #scope(company: CompanyRow): WriteScope {
    const now = this.#services.clock.now();
    return { services: this.#services, organisationId: this.#organisationId, company, now, isPull: true, changes: [] };
  }

  /** How the record of a push is read. */
  formOf(target: RecordClass<LedgerRecord>, { ledgerId }: ClaimedPush): FormOf {
    const { schema } = this.#services;
    return { schema, organisationId: this.#organisationId, companyId: this.#companyId, target, ledgerId };
  }
}

const undecided = ({ sourceState, sourceError }: StoredForm): GatewayError =>
  sourceState === 'CONFLICT'
    ? new GatewayError('STALE_RECORD', 'the record is in CONFLICT; `resolveConflict` decides which version stays')
    : new GatewayError('PLATFORM_DENIED', `the source rejected the record as it is now: ${sourceError}`);

/** Ends every waiting push of a company as rejected, because the company has no connection any more. */
export async function endPushes(em: EntityManager, source: EventSource, companyId: number): Promise<void> {
  const error = new GatewayError('CONNECTION_DISCONNECTED', 'the company was disconnected before the source had the record');
  const waiting = await em.find(SourcePush, { companyId }, { disableIdentityMap: true, orderBy: { id: 'asc' } });
  for (const push of waiting) await refuse(em, source, push, error);
}

const refusalOf = ({ ledgerId }: Pick<SourcePush, 'ledgerId'>, platformId: string | null, error: GatewayError): Refusal => ({
  error,
  index: 0,
  platformId,
  ledgerId,
  input: null,
});

/** Ends a push as rejected. The message of the source is stored at a job of its own, and at the record unless it was written since. */
async function refuse(
  em: EntityManager,
  source: EventSource,
  push: ClaimedPush,
  error: GatewayError,
  { platformId, isAsSent }: { platformId: string | null; isAsSent: boolean } = { platformId: null, isAsSent: true },
): Promise<void> {
  const words = typeof error.info.platformError?.body === 'string' ? error.info.platformError.body : error.message;
  if (isAsSent) await notePush(em, modelOf(recordOf(push.dataModel)!), push, { state: 'PUSH_FAILED', error: words });
  const sync = await lockSync(em, source.services, { id: push.syncId, companyId: push.companyId });
  await settle(em, source, sync, push, refusalOf(push, platformId, error));
}

/** Removes a push and reports it to its job; the last push of a sync ends it. */
async function settle(
  em: EntityManager,
  source: EventSource,
  sync: SyncState | undefined,
  push: ClaimedPush,
  refusal?: Refusal,
): Promise<void> {
  const hasOthers = await removePush(em, push);
  if (!sync) return;
  const now = source.services.clock.now();
  // A record that was nested in another counts with that one.
  const stored = Number(!refusal && sync.dataModels.includes(push.dataModel));
  await reportProgress(em, sync, { id: push.jobId, dataModel: push.dataModel }, stored, refusal ? [refusal] : [], now);
  if (hasOthers || (await em.count(SyncChunk, { companyId: sync.companyId, syncId: sync.id })) > 0) return;
  await endJob(em, { id: push.jobId, companyId: push.companyId }, now);
  await settleSync(em, source, sync, now);
}

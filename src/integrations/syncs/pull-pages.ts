// The types of records that are pulled, and the pages of a pull. Each page is stored in one transaction, together with its rejected rows, and skips
// records pushed since the request.
import type { GraphQLSchema } from 'graphql';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { emitEvents, sourceOf } from '../../events/events.ts';
import { digestOf } from '../../json/digest.ts';
import { MAX_INDEXED_TEXT } from '../../records/decorators.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { isStorableText } from '../../records/storable.ts';
import { LEDGER_TRANSACTION, LedgerTransaction } from '../books/ledger-transaction.ts';
import { removeTransactions, type SentTransaction, type SourceBooks, writeTransactions } from '../books/source-transactions.statements.ts';
import { checkTransaction, type TransactionInput, transactionType } from '../books/source-transactions.ts';
import { connectedCompany } from '../companies/company.ts';
import type { Connector, SourcePage, SourceRecord } from '../connectors/connector.ts';
import { type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { inOrderOfReferences } from '../ledger/references.ts';
import { resolveArrived } from '../writes/arrived-records.ts';
import type { Entry, WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { deleteFromSource } from '../writes/source-versions.ts';
import { type Outcome, reportEntries, writeEntries } from './job-entries.ts';
import { NAMELESS, named, noteRefused, noteSeen, noteShown, type RefusedEntry, repeatedOf } from './pull.statements.ts';
import { ownEffects } from './push-sending.ts';
import { inputCoercer, type RecordCoercer, recordCoercer, sourceDigest } from './source-record.ts';
import { SyncSeen } from './state/sync.ts';
import { type JobState, type Refusal, type SyncState, settleSync } from './state/sync-state.ts';

/** A type of pulled records. */
export interface PulledType {
  /** The table that has a row of each record, with its source id and when it was deleted. */
  record: RecordClass;
  coercer(schema: GraphQLSchema, isTyped?: boolean): RecordCoercer;
  /** Stores records, each or none of it. */
  store(em: EntityManager, scope: WriteScope, sync: SyncState, entries: Entry[], start: number): Promise<Outcome>;
  /** Marks records deleted that the source has no more. */
  remove(em: EntityManager, scope: WriteScope, ids: readonly string[]): Promise<unknown>;
}

const recordType = (record: RecordClass<LedgerRecord>): PulledType => ({
  record,
  coercer: (schema, isTyped) => recordCoercer(schema, record, isTyped),
  async store(em, scope, sync, entries, start) {
    const outcome = await writeEntries(em, scope, sync, record, entries, start);
    await resolveArrived(em, scope);
    return outcome;
  },
  remove: (em, scope, ids) => deleteFromSource(em, scope, record, { condition: named, values: [ids] }),
});

const booksOf = ({ organisationId, company }: WriteScope): SourceBooks => ({
  organisationId,
  companyId: company.ledgerId,
  integrationType: company.integrationType,
});

const transactions: PulledType = {
  record: LedgerTransaction,
  coercer(schema, isTyped = false) {
    const coerce = inputCoercer(transactionType(schema), (record) => record, isTyped);
    return (record, path) => {
      const input = coerce(record, path);
      checkTransaction(input as unknown as TransactionInput, path);
      return input;
    };
  },
  async store(em, scope, _sync, entries) {
    const sent = entries.map(
      ({ input, source }): SentTransaction => ({ transaction: input as unknown as TransactionInput, hash: source!.hash }),
    );
    await writeTransactions(em, booksOf(scope), sent);
    return { stored: sent.length, refusals: [] };
  },
  remove: (em, scope, ids) => removeTransactions(em, booksOf(scope), ids, scope.now),
};

/** The types of pulled records by data model, in the order of their references: those that others name come first. */
export const pulledTypes = (records: readonly RecordClass<LedgerRecord>[]): ReadonlyMap<string, PulledType> =>
  new Map([
    ...inOrderOfReferences(records.filter((target) => namesOf(target).parent.length === 0)).map(
      (target) => [namesOf(target).dataModel, recordType(target)] as const,
    ),
    [LEDGER_TRANSACTION, transactions],
  ]);

/** What coerces the records of a data model that is pulled. */
export const modelCoercer = (schema: GraphQLSchema, dataModel: string, isTyped?: boolean): RecordCoercer =>
  (dataModel === LEDGER_TRANSACTION ? transactions : recordType(recordOf(dataModel)!)).coercer(schema, isTyped);

/** The scope of what a pull writes. */
export async function pullScope(services: Services, organisationId: number, em: EntityManager, sync: SyncState): Promise<WriteScope> {
  const company = await connectedCompany(em, organisationId, sync.companyId);
  return {
    services,
    organisationId,
    company,
    now: services.clock.now(),
    isPull: true,
    ownEffects: (inner, target, met) => ownEffects(inner, services, company.ledgerId, target, met),
    changes: [],
    arrived: new Map(),
  };
}

/** Context of a page that its records do not carry. */
export interface PageOptions {
  /** Position of its first record in the pull. */
  start: number;
  /** How often each record had been pushed when it was asked for on its own; absent for a page of a list. */
  read?: ReadonlyMap<string, number>;
}

/** The pages of one job. */
export class PullPages {
  readonly #services: Services;
  readonly #organisationId: number;
  readonly #job: JobState;
  readonly #type: PulledType;
  readonly #coerce: RecordCoercer;
  /** Whether the source can be asked again for single records, as for those that were pushed while the pages were read. */
  readonly #isAskedAgain: boolean;

  constructor(
    services: Services,
    organisationId: number,
    job: JobState,
    type: PulledType,
    { read, isTyped }: Pick<Connector, 'read' | 'isTyped'>,
  ) {
    this.#services = services;
    this.#organisationId = organisationId;
    this.#job = job;
    this.#type = type;
    this.#coerce = type.coercer(services.schema, isTyped);
    this.#isAskedAgain = read !== undefined;
  }

  /** Stores a page in the transaction of the caller, which has locked the sync. */
  async store(
    em: EntityManager,
    sync: SyncState,
    { records, places = [], rejected = new Map(), deleted = [] }: SourcePage,
    { start, read }: PageOptions,
  ): Promise<void> {
    const entries: Entry[] = [];
    const refusals: Refusal[] = [];
    const last = lastOfEach(records.filter((_, index) => !rejected.has(index)));
    for (const [index, record] of records.entries()) {
      if (!last.has(record)) continue;
      const path = `data[${start + index}]`;
      try {
        const input = this.#coerce(record, path);
        entries.push({ path, input, source: { record, hash: sourceDigest(input) } });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        refusals.push({
          error,
          index: start + index,
          platformId: idOf(record) ?? null,
          input: null,
        });
      }
    }
    const scope = await pullScope(this.#services, this.#organisationId, em, sync);
    const pushed: typeof scope.pushedSince = async (inner, written) =>
      written === this.#type.record ? pushedSince(inner, sync, this.#job.id, read) : new Set<string>();
    if (this.#isAskedAgain) scope.pushedSince = pushed;
    const outcome = await this.#type.store(em, scope, sync, entries, start);
    outcome.refusals.unshift(...refusals);
    outcome.refusals = outcome.refusals.map((refusal) => placed(refusal, `data[${refusal.index}]`, places[refusal.index - start]));
    // An id that cannot be stored is that of no record here.
    const gone = deleted.filter(isStorableText);
    const placeOf = new Map(records.map((record, index) => [record, places[index]]));
    const { refused, stored } = refusedOf([...last], outcome.refusals, placeOf);
    const repeated: RefusedEntry[] = [];
    for (const [index, error] of rejected) {
      const record = records[index]!;
      repeated.push({ platformId: repeatedOf(nameOf(record)), record, error });
      outcome.refusals.push({ error, index: start + index, platformId: idOf(record) ?? null, input: null });
    }
    await noteRefused(em, sync, this.#job.dataModel, { refused: [...refused, ...repeated], stored, deleted: gone });
    if (gone.length > 0) await this.#type.remove(em, scope, gone);
    const shown = [...new Set(records.flatMap((record) => idOf(record) ?? []))];
    if (sync.fullSync) await noteSeen(em, sync, this.#job.id, shown);
    else await noteShown(em, sync, this.#job.dataModel, shown);
    await reportEntries(em, this.#services, scope, sync, this.#job, outcome);
    await settleSync(em, sourceOf(this.#services, this.#organisationId), sync, scope.now);
  }

  /** Notes that the source has records no more; they are deleted when all of these are known. */
  async noteAbsent(em: EntityManager, sync: SyncState, platformIds: readonly string[]): Promise<void> {
    await noteSeen(em, sync, this.#job.id, platformIds, true);
  }

  /** How many records the source is known to have no more. */
  countAbsent(em: EntityManager, sync: SyncState): Promise<number> {
    return em.count(SyncSeen, { ...seenBy(sync, this.#job.id), isAbsent: true });
  }

  /** Marks some records deleted that the source has no more; returns whether these were the last. */
  async deleteAbsent(em: EntityManager, sync: SyncState, limit: number): Promise<boolean> {
    const absent = { ...seenBy(sync, this.#job.id), isAbsent: true };
    const found = await em.find(SyncSeen, absent, {
      fields: ['platformId'],
      limit,
      orderBy: { platformId: 'asc' },
      disableIdentityMap: true,
    });
    if (found.length === 0) return true;
    const ids = found.map(({ platformId }) => platformId);
    const scope = await pullScope(this.#services, this.#organisationId, em, sync);
    await this.#type.remove(em, scope, ids);
    await em.nativeDelete(SyncSeen, { ...absent, platformId: { $in: ids } });
    const source = sourceOf(this.#services, this.#organisationId);
    emitEvents(em, source, changeEventsOf(em, source, scope.company, scope.changes));
    return ids.length < limit;
  }

  /** Some records that were pushed since the pages were asked for, with how often. */
  async pushed(em: EntityManager, sync: SyncState, limit: number): Promise<Map<string, number>> {
    const found = await em.find(SyncSeen, { ...seenBy(sync, this.#job.id), pushes: { $gt: 0 } }, { limit, disableIdentityMap: true });
    return new Map(found.map(({ platformId, pushes }) => [platformId, pushes]));
  }

  /** Stores records that were requested individually because they were pushed `read` times. Those that were pushed again since are left out. */
  async storePushed(
    em: EntityManager,
    sync: SyncState,
    { found, absent }: { found: SourceRecord[]; absent: readonly string[] },
    start: number,
    read: ReadonlyMap<string, number>,
  ): Promise<void> {
    await this.store(em, sync, { records: found }, { start, read });
    for (const id of [...found.flatMap((record) => idOf(record) ?? []), ...absent])
      await em.nativeUpdate(SyncSeen, { ...seenBy(sync, this.#job.id), platformId: id, pushes: read.get(id)! }, { pushes: 0 });
  }
}

const seenBy = ({ companyId }: SyncState, jobId: string) => ({ companyId, jobId });

/** The records that were pushed since a page was requested, or since they were read when they had been pushed as often as `read` says. */
async function pushedSince(em: EntityManager, sync: SyncState, jobId: string, read?: ReadonlyMap<string, number>) {
  const found = await em.find(SyncSeen, { ...seenBy(sync, jobId), pushes: { $gt: 0 } }, { disableIdentityMap: true });
  return new Set(found.filter(({ platformId, pushes }) => pushes !== read?.get(platformId)).map(({ platformId }) => platformId));
}

/** A rejection whose error says where in its file the record is. */
const placed = (refusal: Refusal, path: string, place: string | undefined): Refusal =>
  place === undefined
    ? refusal
    : {
        ...refusal,
        error: new GatewayError(refusal.error.code, `${place}: ${refusal.error.message.replaceAll(`${path}.`, '')}`, refusal.error.info),
      };

const idOf = ({ platform_id: id }: SourceRecord): string | undefined =>
  typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_INDEXED_TEXT && isStorableText(id)) ? String(id) : undefined;

/** The records of a page without those that a later page shows again. That may happen in a list that changes while it is read. */
const lastOfEach = (records: readonly SourceRecord[]): ReadonlySet<SourceRecord> =>
  new Set(new Map(records.map((record) => [idOf(record) ?? record, record])).values());

/** What a record is kept under that was rejected: its id, or its digest where it has none. */
const nameOf = (record: SourceRecord): string => idOf(record) ?? `${NAMELESS} ${digestOf(record)}`;

/** The records of a page that could not be stored, to be tried again, and the names of the others. One without an id is always rejected. */
function refusedOf(
  records: readonly SourceRecord[],
  refusals: readonly Refusal[],
  placeOf: ReadonlyMap<SourceRecord, string | undefined>,
): { refused: RefusedEntry[]; stored: string[] } {
  const ids = new Set(refusals.map(({ platformId }) => platformId));
  const named = [...new Map(records.map((record) => [nameOf(record), record]))];
  const isRefused = ([, record]: [string, SourceRecord]): boolean => ids.has(idOf(record) ?? null);
  return {
    refused: named.filter(isRefused).map(([platformId, record]) => ({ platformId, record, place: placeOf.get(record) })),
    stored: named.filter((entry) => !isRefused(entry)).map(([name]) => name),
  };
}

// The writes of one ledger record type, as its mutations run them: in one transaction, with their sync and events, and read back afterwards.
import type { GraphQLResolveInfo } from 'graphql';
import { auditRecords } from '../../access/audit.ts';
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { afterCommit } from '../../database/effects.ts';
import type { EntityManager } from '../../database/open.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { emitEvents } from '../../events/events.ts';
import { lookAhead, mergeTrees } from '../../graphql/look-ahead.ts';
import { selectsErrors, selectsRecordErrors } from '../../graphql/mutations/selected-errors.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { companyOf, connectedCompany } from '../companies/company.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { acceptBatch, MAX_BATCH } from '../syncs/batch.ts';
import { pushesOf, queuePushes } from '../syncs/push.ts';
import { syncEvent } from '../syncs/state/sync-events.ts';
import { recordWrite } from '../syncs/state/sync-state.ts';
import { resolveArrived } from '../writes/arrived-records.ts';
import type { Entry, RecordInput, RecordResult, WriteScope } from '../writes/change.ts';
import { auditedChange, changeEventsOf } from '../writes/change-events.ts';
import { writeRemaining } from '../writes/remaining.ts';
import { identifiedBy, parallelisable, type WriteMode, writeRecords } from '../writes/write.ts';
import { refusedBySource, requireWait, waitForSource } from './push-wait.ts';

/** How the sync of a write describes it. */
export interface Account {
  configMode: 'CREATE' | 'UPDATE' | 'DELETE';
  strict: boolean;
}

/** A write, and how long its response may wait for the source. */
export interface Call extends Account {
  wait: number | null | undefined;
}

/** The options of a write of several records. */
export interface WriteOptions {
  mode: WriteMode;
  runAsync: boolean;
  strict: boolean;
  ifMatch: string | null;
  wait: number | null | undefined;
  /** Whether all records are stored or none. */
  atomic: boolean;
}

/** Writes the records of a bulk form; one that is rejected does not stop the others unless the result is taken as a whole. */
type Bulk = (em: EntityManager, scope: WriteScope) => Promise<RecordResult[]>;

/** All records of a bulk form were rejected: the transaction stores nothing, not even a sync. */
class NoneStored extends Error {
  readonly results: RecordResult[];
  constructor(results: RecordResult[]) {
    super('no record was stored');
    this.results = results;
  }
}

/** The writes of one record type. */
export class RecordWrites {
  readonly #target: RecordClass<LedgerRecord>;
  readonly #one: string;
  readonly #many: string;
  readonly #dataModel: string;

  constructor(target: RecordClass<LedgerRecord>) {
    const { one, many, dataModel } = namesOf(target);
    this.#target = target;
    this.#one = one;
    this.#many = many;
    this.#dataModel = dataModel;
  }

  /** Writes one record, which `work` stores, and returns its payload. */
  async change(
    context: RequestContext,
    info: GraphQLResolveInfo,
    companyId: number,
    call: Call,
    work: (em: EntityManager, scope: WriteScope) => Promise<number>,
  ): Promise<Row> {
    const collectsAllErrors = !context.isRest && selectsErrors(info.fieldNodes, info.fragments);
    const { result, syncId, refused } = await this.#inScope(context, companyId, { ...call, collectsAllErrors }, async (em, scope) => {
      const ledgerId = await work(em, scope);
      return { result: ledgerId, stored: 1 };
    });
    const [refusal] = refused.values();
    if (refusal) throw refusal;
    return { syncId, [this.#one]: (await this.#readBack(context, info, companyId, [result])).get(result) };
  }

  /** Creates or upserts one record. */
  write(
    context: RequestContext,
    info: GraphQLResolveInfo,
    companyId: number,
    input: RecordInput,
    { mode, strict, ifMatch, wait }: Omit<WriteOptions, 'runAsync' | 'atomic'>,
  ): Promise<Row> {
    return this.change(
      context,
      info,
      companyId,
      { configMode: mode === 'create' ? 'CREATE' : 'UPDATE', strict, wait },
      async (em, scope) => {
        const [result] = await writeRecords(em, scope, this.#target, [{ path: 'data', input }], mode, ifMatch);
        if (result instanceof GatewayError) throw result;
        return result!.ledgerId;
      },
    );
  }

  /** Creates or upserts records: at once, or later as a batch. */
  async writeMany(
    context: RequestContext,
    info: GraphQLResolveInfo,
    companyId: number,
    data: RecordInput[],
    { mode, runAsync, strict, ifMatch, wait, atomic }: WriteOptions,
  ): Promise<Row> {
    requireCount(data);
    const isWhole = this.#isWhole(info, atomic);
    const reportsEach = !runAsync && selectsRecordErrors(info.fieldNodes, info.fragments);
    const entries = reportsEach
      ? data.map((input, index): Entry => ({ path: `data[${index}]`, input, error: context.refused?.get(input) }))
      : this.#distinct(data);
    if (ifMatch !== null && (entries.length > 1 || runAsync))
      throw invalid('ifMatch', 'ifMatch can only be given for a single record that is written at once');
    if (wait != null && runAsync) throw invalid('wait', 'wait can only be given for a write that is stored at once');
    if (runAsync) return this.#accept(context, companyId, data, entries, mode, strict);
    return this.bulk(
      context,
      info,
      companyId,
      { configMode: mode === 'create' ? 'CREATE' : 'UPDATE', strict, wait },
      atomic,
      (em, scope) =>
        isWhole
          ? writeRecords(em, scope, this.#target, entries, mode, ifMatch)
          : writeRemaining(em, scope, this.#target, entries, mode, ifMatch),
    );
  }

  /** Changes the records that entries name. */
  updateMany(
    context: RequestContext,
    info: GraphQLResolveInfo,
    companyId: number,
    entries: Entry[],
    { strict, wait }: Pick<Call, 'strict' | 'wait'>,
    atomic: boolean,
  ): Promise<Row> {
    requireCount(entries);
    return this.bulk(context, info, companyId, { configMode: 'UPDATE', strict, wait }, atomic, (em, scope) =>
      this.#isWhole(info, atomic)
        ? writeRecords(em, scope, this.#target, entries, 'upsert')
        : writeRemaining(em, scope, this.#target, entries, 'upsert'),
    );
  }

  /** Runs a bulk form and returns its payload: the outcome of each record, or one error for all where they are taken as a whole. */
  async bulk(context: RequestContext, info: GraphQLResolveInfo, companyId: number, call: Call, atomic: boolean, work: Bulk): Promise<Row> {
    const isWhole = this.#isWhole(info, atomic);
    const collectsAllErrors = !context.isRest && selectsRecordErrors(info.fieldNodes, info.fragments);
    const {
      results: written,
      syncId,
      refused,
    } = await this.#inScope(context, companyId, { ...call, collectsAllErrors }, async (em, scope) => {
      const outcomes = await work(em, scope);
      const refusals = outcomes.filter((outcome) => outcome instanceof GatewayError);
      if (isWhole && refusals.length > 0) throw together(refusals);
      if (refusals.length === outcomes.length) throw new NoneStored(outcomes);
      return { result: outcomes, stored: outcomes.length - refusals.length };
    }).then(
      ({ result, ...rest }) => ({ ...rest, results: result, syncId: rest.syncId as string | null }),
      (error) => {
        if (error instanceof NoneStored) return { results: error.results, syncId: null, refused: new Map<number, GatewayError>() };
        throw error;
      },
    );
    const owners = refused.size > 0 ? await this.#sentAs(context, companyId, written) : new Map<number, number>();
    const results = written.map((result, index) => {
      if (result instanceof GatewayError) return result;
      const refusal = refused.get(owners.get(result.ledgerId) ?? result.ledgerId);
      return refusal ? new GatewayError(refusal.code, refusal.message, { ...refusal.info, field: `data[${index}].id` }) : result;
    });
    const refusals = results.filter((result) => result instanceof GatewayError);
    if (isWhole && refusals.length > 0) throw together(refusals);
    const stored = results.flatMap((result) => (result instanceof GatewayError ? [] : [result.ledgerId]));
    const rows = await this.#readBack(context, info, companyId, stored);
    return {
      syncId,
      [this.#many]: stored.map((id) => rows.get(id)),
      results: results.map((result, index) =>
        result instanceof GatewayError ? { index, refusal: result } : { index, [this.#one]: rows.get(result.ledgerId) },
      ),
    };
  }

  /** Whether one rejected record rejects all: as asked, or because the operation would not see which were rejected. */
  #isWhole(info: GraphQLResolveInfo, atomic: boolean): boolean {
    return atomic || !selectsRecordErrors(info.fieldNodes, info.fragments);
  }

  /** The records of a request with their paths. Rejects a repeated platform id before any statement runs. */
  #distinct(data: RecordInput[]): Entry[] {
    const identityOf = identifiedBy(this.#target, 'platformId');
    const seen = new Set<string>();
    return data.map((input, index) => {
      const path = `data[${index}]`;
      if (input.platformId == null) return { path, input };
      const identity = identityOf(input);
      if (seen.has(identity)) throw invalid(`${path}.platformId`, `${path}.platformId occurs twice in this request`, 'DUPLICATE');
      seen.add(identity);
      return { path, input };
    });
  }

  async #accept(
    context: RequestContext,
    companyId: number,
    data: RecordInput[],
    entries: Entry[],
    mode: WriteMode,
    strict: boolean,
  ): Promise<Row> {
    const company = await companyOf(context, companyId);
    const { services } = context;
    const { organisationId } = tenantOf(context);
    const syncId = await transaction(context, async (em) => {
      await connectedCompany(em, organisationId, companyId);
      return acceptBatch(em, services, {
        organisationId,
        company,
        dataModel: this.#dataModel,
        entries,
        mode,
        strict,
        // A record that is named by its number may be that of a platform id in another chunk, and the last of the two decides its values.
        parallelisable:
          !strict && data.every(({ id, platformId }) => id == null || platformId != null) && parallelisable(this.#target, data),
        isGraphql: !context.isRest,
        now: services.clock.now(),
      });
    });
    return { syncId, [this.#many]: null };
  }

  /** The records of a payload after the commit, by their numbers; none where the operation selects none. */
  async #readBack(context: RequestContext, info: GraphQLResolveInfo, companyId: number, ids: number[]): Promise<Map<unknown, Row>> {
    const { fields } = lookAhead(info);
    const tree = mergeTrees(fields.get(this.#many) ?? fields.get(this.#one), fields.get('results')?.fields.get(this.#one));
    if (!tree) return new Map(ids.map((ledgerId) => [ledgerId, { ledgerId }]));
    const query = { where: { companyId, ledgerId: { in: ids } } };
    const rows = await context.services.reader.findRows(projectionFor(modelOf(this.#target), tree), query, {
      ...scopeOf(context),
      includeDeleted: true,
    });
    return new Map(rows.map((row) => [row.ledgerId, row]));
  }

  /** The numbers of the parents with which the source hears of written children; empty for records that are sent on their own. */
  async #sentAs(context: RequestContext, companyId: number, results: readonly RecordResult[]): Promise<Map<number, number>> {
    const { parent } = namesOf(this.#target);
    if (parent.length === 0) return new Map();
    const ids = results.flatMap((result) => (result instanceof GatewayError ? [] : [result.ledgerId]));
    const select = ['ledgerId', parent.at(-1)!] as never[];
    const scope = { ...scopeOf(context), includeDeleted: true };
    const rows: Row[] = await context.services.reader.find(this.#target, { where: { companyId, ledgerId: { in: ids } } }, select, scope);
    return new Map(rows.map((row) => [row.ledgerId as number, row[parent.at(-1)!] as number]));
  }

  /**
   * Runs a write for one company and stores its sync and events, in one transaction; then waits for the source as long as asked. Returns why the
   * source has rejected deletions, by the number of the record that was sent. A response to a deletion has no record that shows it.
   */
  async #inScope<T>(
    context: RequestContext,
    companyId: number,
    { collectsAllErrors, wait, ...account }: Call & { collectsAllErrors: boolean },
    work: (em: EntityManager, scope: WriteScope) => Promise<{ result: T; stored: number }>,
  ): Promise<{ result: T; syncId: string; refused: ReadonlyMap<number, GatewayError> }> {
    requireWait(wait);
    await companyOf(context, companyId);
    const { organisationId } = tenantOf(context);
    const { services } = context;
    const { isPushed, ...outcome } = await transaction(context, async (em) => {
      const startedAt = services.clock.now();
      const company = await connectedCompany(em, organisationId, companyId);
      const pushed = new Set(company.pushedModels);
      const scope: WriteScope = {
        services,
        organisationId,
        company,
        now: startedAt,
        strict: account.strict,
        collectsAllErrors,
        pushed,
        changes: [],
        arrived: new Map(),
      };
      const { result, stored } = await work(em, scope);
      const pushes = pushesOf(scope);
      // What a completed reference names is no news to the source.
      await resolveArrived(em, scope);
      const isPushed = pushes.length > 0;
      const { id, jobId } = await recordWrite(
        em,
        {
          ...account,
          dataModel: this.#dataModel,
          organisationId,
          companyId,
          integrationType: company.integrationType,
          recordsSynced: stored,
          startedAt,
          endedAt: services.clock.now(),
        },
        isPushed,
      );
      if (isPushed) await queuePushes(em, services, { organisationId, companyId, syncId: id, jobId }, pushes);
      // A write that changed nothing is named by its sync.
      auditRecords(em, scope.changes.length > 0 ? scope.changes.map(auditedChange) : [{ id }]);
      const sync = { id, companyId, integrationType: company.integrationType };
      if (!isPushed) afterCommit(em, () => services.tallies.syncs.add('write', 'SUCCESS'));
      const source = { services, organisationId, organisation: context.principal?.organisation ?? null };
      emitEvents(em, source, [
        syncEvent(em, source, 'SYNC_STARTED', sync),
        ...changeEventsOf(em, source, company, scope.changes),
        ...(isPushed ? [] : [syncEvent(em, source, 'SYNC_COMPLETED', sync)]),
      ]);
      return { result, syncId: sync.id, isPushed };
    });
    if (isPushed && wait) await waitForSource(context, outcome.syncId, wait);
    const reportsRejections = isPushed && wait && account.configMode === 'DELETE';
    return { ...outcome, refused: reportsRejections ? await refusedBySource(context, outcome.syncId) : new Map() };
  }
}

/** Rejects an empty or too large request before any statement runs. */
export function requireCount(data: readonly unknown[]): void {
  if (data.length === 0) throw new GatewayError('MISSING_PARAMS', 'data must have at least one record', { field: 'data' });
  if (data.length > MAX_BATCH)
    throw new GatewayError('BATCH_LIMIT_EXCEEDED', `data has ${data.length} records, more than ${MAX_BATCH}`, { field: 'data' });
}

/** One error for several: the first, with the others. */
function together([first, ...others]: GatewayError[]): GatewayError {
  const { code, message, info } = first!;
  return others.length === 0 ? first! : new GatewayError(code, message, { ...info, others: [...(info.others ?? []), ...others] });
}

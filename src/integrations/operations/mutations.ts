// The writes of every ledger record type: create, upsert, update, delete. What is special to one type belongs in that record's file.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { projectionFor, propOf, type Row } from '../../database/reader/projection.ts';
import { emitEvents } from '../../events/events.ts';
import { GivenArg, type InputClass } from '../../graphql/input-types.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { companyOf, connectedCompany } from '../companies/company.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import { recordInput } from '../ledger/record-input.ts';
import { acceptBatch, MAX_BATCH } from '../syncs/batch.ts';
import { syncEvent } from '../syncs/sync-events.ts';
import { recordFinishedWrite } from '../syncs/sync-state.ts';
import type { RecordInput, WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { deleteRecord, type Entry, identifiedBy, parallelisable, updateRecord, type WriteMode, writeRecords } from '../writes/write.ts';

function payloadType(name: string, description: string, member: string, type: () => unknown, nullable: boolean, what: string): RecordClass {
  const payload = { [name]: class {} }[name]!;
  Field(() => ID, { description: 'Sync that reports the write.' })(payload.prototype, 'syncId');
  Field(type as never, { description: what, nullable })(payload.prototype, member);
  ObjectType(name, { description, simpleResolvers: true })(payload as never);
  return payload;
}

/** The options of a write of several records. */
interface WriteOptions {
  mode: WriteMode;
  runAsync: boolean;
  strict: boolean;
  ifMatch: string | null;
}

const texts = {
  unnamed:
    'A record without a platform id is created again by each write, because nothing identifies it (a currency is identified by its code); `Idempotency-Key` makes such a write safe to repeat.',
  runAsync: 'Accept the records now and store them later; the sync reports the outcome. The answer then has no records.',
  strict: 'Refuse records that break an integrity rule; otherwise they are stored and flagged.',
  ifMatch: 'Write only if the record is still this version, given as its `etag`; `*` matches any version. For a single record.',
};

/** The mutations of a ledger record type. */
export function recordMutations(target: RecordClass): RecordClass {
  const model = modelOf(target);
  const names = namesOf(target);
  const label = names.dataModel.toLowerCase().replaceAll('_', ' ');
  const plural = names.many[0]!.toUpperCase() + names.many.slice(1);
  const Input: InputClass = recordInput(target);
  const WritePayload = payloadType(
    `${model.name}WritePayload`,
    `Result of a write of ${label} records.`,
    names.many,
    () => [target],
    true,
    'The stored records, in the order given; null when the write runs asynchronously.',
  );
  const OnePayload = payloadType(
    `${model.name}Payload`,
    `Result of a change of one ${label}.`,
    names.one,
    () => target,
    false,
    'The record as it is stored now.',
  );

  const write = async (
    context: RequestContext,
    info: GraphQLResolveInfo,
    companyId: number,
    data: RecordInput[],
    { mode, runAsync, strict, ifMatch }: WriteOptions,
  ): Promise<Row> => {
    const entries = entriesOf(target, data);
    if (ifMatch !== null && (entries.length > 1 || runAsync))
      throw invalid('ifMatch', 'ifMatch can only be given for a single record that is written at once');
    const company = await companyOf(context, companyId);
    if (runAsync) {
      const { services } = context;
      const { organisationId } = tenantOf(context);
      const syncId = await transaction(context, async (em) => {
        await connectedCompany(em, organisationId, companyId);
        return acceptBatch(em, services, {
          organisationId,
          company,
          dataModel: names.dataModel,
          entries,
          mode,
          strict,
          parallelisable: !strict && parallelisable(target, data),
          isGraphql: !context.isRest,
          now: services.clock.now(),
        });
      });
      return { syncId, [names.many]: null };
    }
    const { ids, syncId } = await inScope(
      context,
      companyId,
      { dataModel: names.dataModel, configMode: mode === 'create' ? 'CREATE' : 'UPDATE', strict },
      async (em, scope) => {
        const results = await writeRecords(em, scope, target, entries, mode, ifMatch);
        return results.map((result) => {
          if (result instanceof GatewayError) throw result;
          return result.ledgerId;
        });
      },
    );
    return { syncId, [names.many]: await readBack(context, info, names.many, companyId, ids) };
  };

  const change = async (
    context: RequestContext,
    info: GraphQLResolveInfo,
    companyId: number,
    ledgerId: number,
    account: Pick<Account, 'configMode' | 'strict'>,
    work: (em: EntityManager, scope: WriteScope) => Promise<void>,
  ): Promise<Row> => {
    const { syncId } = await inScope(context, companyId, { dataModel: names.dataModel, ...account }, async (em, scope) => {
      await work(em, scope);
      return [ledgerId];
    });
    return { syncId, [names.one]: (await readBack(context, info, names.one, companyId, [ledgerId]))[0] };
  };

  const readBack = async (
    context: RequestContext,
    info: GraphQLResolveInfo,
    member: string,
    companyId: number,
    ids: number[],
  ): Promise<Row[]> => {
    const tree = lookAhead(info).fields.get(member);
    if (!tree) return [];
    const where = [
      { prop: propOf(model, 'companyId'), operator: 'eq' as const, value: companyId },
      { prop: propOf(model, 'ledgerId'), operator: 'in' as const, value: ids },
    ];
    const rows = await context.services.reader.rows({
      projection: projectionFor(model, tree),
      tenant: tenantOf(context),
      where,
      includeDeleted: true,
      primary: true,
    });
    const byId = new Map(rows.map((row) => [row.ledgerId, row]));
    return ids.map((id) => byId.get(id)!);
  };

  @Resolver()
  class RecordMutations {
    @access('INTEGRATIONS')
    @Mutation(() => WritePayload as never, {
      name: `create${plural}`,
      description: `Creates ${label} records, all or none unless asynchronous. RECORD_ALREADY_EXISTS when a platform id is taken.`,
    })
    create(
      @Arg('companyId', () => PositiveInt, { description: 'Company to write to.' }) companyId: number,
      @GivenArg('data', () => [Input], { description: `The records, at most ${MAX_BATCH}.` }) data: RecordInput[],
      @Arg('runAsync', () => Boolean, { defaultValue: false, description: texts.runAsync }) runAsync: boolean,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return write(context, info, companyId, data, { mode: 'create', runAsync, strict, ifMatch: null });
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload as never, {
      name: `upsert${plural}`,
      description: `Creates ${label} records, or updates those whose platform id is known; all or none unless asynchronous. ${texts.unnamed}`,
    })
    upsert(
      @Arg('companyId', () => PositiveInt, { description: 'Company to write to.' }) companyId: number,
      @GivenArg('data', () => [Input], {
        description: `The records, at most ${MAX_BATCH}, each with its \`platformId\` where it may exist already.`,
      })
      data: RecordInput[],
      @Arg('runAsync', () => Boolean, { defaultValue: false, description: texts.runAsync }) runAsync: boolean,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return write(context, info, companyId, data, { mode: 'upsert', runAsync, strict, ifMatch: ifMatch ?? null });
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload as never, { name: `update${model.name}`, description: `Changes the given fields of one ${label}.` })
    update(
      @Arg('companyId', () => PositiveInt, { description: 'Company the record belongs to.' }) companyId: number,
      @Arg('ledgerId', () => PositiveInt, { description: 'Number of the record.' }) ledgerId: number,
      @GivenArg('data', () => Input, { description: 'The fields to change.' }) data: RecordInput,
      @Arg('strict', () => Boolean, { defaultValue: false, description: texts.strict }) strict: boolean,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return change(context, info, companyId, ledgerId, { configMode: 'UPDATE', strict }, async (em, scope) => {
        const result = await updateRecord(em, scope, target, ledgerId, data, ifMatch);
        if (result instanceof GatewayError) throw result;
      });
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload as never, { name: `delete${model.name}`, description: `Marks one ${label} and what belongs to it deleted.` })
    remove(
      @Arg('companyId', () => PositiveInt, { description: 'Company the record belongs to.' }) companyId: number,
      @Arg('ledgerId', () => PositiveInt, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('ifMatch', () => String, { nullable: true, description: texts.ifMatch }) ifMatch: string | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return change(context, info, companyId, ledgerId, { configMode: 'DELETE', strict: false }, (em, scope) =>
        deleteRecord(em, scope, target, ledgerId, ifMatch),
      );
    }
  }
  return RecordMutations;
}

/** The records of a request with their paths. Refuses an empty or too large request and a repeated platform id before any statement runs. */
function entriesOf(target: RecordClass, data: RecordInput[]): Entry[] {
  if (data.length === 0) throw new GatewayError('MISSING_PARAMS', 'data must have at least one record', { field: 'data' });
  if (data.length > MAX_BATCH)
    throw new GatewayError('BATCH_LIMIT_EXCEEDED', `data has ${data.length} records, more than ${MAX_BATCH}`, { field: 'data' });
  const identityOf = identifiedBy(target, 'platformId');
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

/** How the sync of a write describes it. */
interface Account {
  dataModel: string;
  configMode: 'CREATE' | 'UPDATE' | 'DELETE';
  strict: boolean;
}

/** Runs a write for one company and stores its sync and events, in one transaction. */
async function inScope(
  context: RequestContext,
  companyId: number,
  account: Account,
  work: (em: EntityManager, scope: WriteScope) => Promise<number[]>,
): Promise<{ ids: number[]; syncId: string }> {
  await companyOf(context, companyId);
  const { organisationId } = tenantOf(context);
  const { services } = context;
  return transaction(context, async (em) => {
    const startedAt = services.clock.now();
    const company = await connectedCompany(em, organisationId, companyId);
    const scope: WriteScope = { services, organisationId, company, now: startedAt, strict: account.strict, changes: [] };
    const ids = await work(em, scope);
    const id = await recordFinishedWrite(em, {
      ...account,
      organisationId,
      companyId,
      integrationType: company.integrationType,
      recordsSynced: ids.length,
      startedAt,
      endedAt: services.clock.now(),
    });
    const sync = { id, companyId, integrationType: company.integrationType };
    const source = { services, organisationId, organisation: context.principal?.organisation ?? null };
    await emitEvents(em, source, [
      syncEvent(em, source, 'SYNC_STARTED', sync),
      ...changeEventsOf(em, source, company, scope.changes),
      syncEvent(em, source, 'SYNC_COMPLETED', sync),
    ]);
    return { ids, syncId: sync.id };
  });
}

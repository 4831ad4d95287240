// What callers ask of a source beyond an ordinary pull: a run of a connection, its state per data model, and the decision on a conflict.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { needs } from '../../database/reader/projection.ts';
import { DataModel } from '../../events/data-model.ts';
import { emitEvents } from '../../events/events.ts';
import { argument, id, mutation, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation } from '../../graphql/declared/payloads.ts';
import { LevelLoaders } from '../../graphql/level-loaders.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { Node, readNodes } from '../../graphql/node.ts';
import { ownProperties } from '../../graphql/own-record.ts';
import { defineEnum } from '../../records/enums.ts';
import { invalid } from '../../records/errors.ts';
import { decodeGlobalId, ledgerGlobalId } from '../../records/ids.ts';
import { modelOf, propOf, type RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { DateTime } from '../../records/scalars.ts';
import { connectedCompany } from '../companies/company.ts';
import { Connection } from '../connections/connection.ts';
import { liveConnection } from '../connections/connection-store.ts';
import { connectorsOf } from '../connections/connectors.ts';
import { ofConnection } from '../connections/resolver.ts';
import { dataModelsOf } from '../connections/sources.ts';
import { isSourced, type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import type { WriteScope } from '../writes/change.ts';
import { auditedChange, changeEventsOf } from '../writes/change-events.ts';
import { beginPull, pulledModels } from './begin-pull.ts';
import { resolveConflict } from './conflicts.ts';
import { pushesOf, queuePushes } from './push.ts';
import { SourcePush, Sync } from './state/sync.ts';
import { recordWrite } from './state/sync-state.ts';

export const KeptVersion = defineEnum('KeptVersion', 'Version of a record in CONFLICT to keep.', {
  LOCAL: 'The stored version; it is sent to the source if the source accepts writes.',
  SOURCE: 'The version of the source; it replaces the stored one.',
});

@ObjectType({ description: 'Result of `resolveConflict`.', simpleResolvers: true })
export class ResolveConflictPayload {
  @Field(() => Node, {
    nullable: true,
    description: 'The stored record; null if you keep the deletion of the source.',
  })
  record!: Node | null;
}

@ObjectType({ description: 'State of the records of a data model of a connection.', simpleResolvers: true })
export class DataModelState {
  @Field(() => DataModel.values, { description: 'Data model, such as CONTACT.' }) dataModel!: string;
  @Field(() => DateTime, { nullable: true, description: 'When a pull last succeeded; null if none has.' })
  lastSuccessAt!: string | null;
  @Field(() => String, { nullable: true, description: 'Error message of the source for the last pull; null if it succeeded.' })
  lastError!: string | null;
  @Field(() => Int, { description: 'Records stored at the end of the last pull.' }) stored!: number;
  @Field(() => Int, { description: 'Records of the source that could not be stored; the next pull retries them.' })
  refused!: number;
  @Field(() => Int, { description: 'Writes waiting for the source.' }) pending!: number;
  @Field(() => Int, { description: 'Records marked as deleted at the end of the last pull.' }) deleted!: number;
}

/** The numbers of writes that wait for the source, of each data model of companies. */
const pendingWrites = new LevelLoaders<{ companyId: number; dataModels: readonly string[] }, number[]>(
  'pending_writes',
  async (context, _info, asked) => {
    const model = modelOf(SourcePush);
    const values = asked.flatMap(({ companyId, dataModels }) => dataModels.map((dataModel) => [companyId, dataModel]));
    if (values.length === 0) return asked.map(() => []);
    const parents = { props: [propOf(model, 'companyId'), propOf(model, 'dataModel')], values };
    const found = await context.services.reader.counts(model, [], scopeOf(context), { exact: true, parents });
    const counts = found.values();
    return asked.map(({ dataModels }) => dataModels.map(() => counts.next().value!.count));
  },
);

@Resolver(() => Connection)
export class DataModelStateResolver {
  @needs(Connection, 'companyId', 'source', 'pullStates')
  @FieldResolver(() => [DataModelState], { description: 'State of the records of each data model.' })
  async dataModelStates(
    @Root() { companyId, source, pullStates }: Pick<Connection, 'companyId' | 'source' | 'pullStates'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<DataModelState[]> {
    const dataModels =
      connectorsOf(context.services)
        .get(source)
        ?.capabilities.map(({ dataModel }) => dataModel) ?? [];
    const pending = await pendingWrites.load(context, info, { companyId, dataModels });
    const none = { lastSuccessAt: null, lastError: null, stored: 0, refused: 0, deleted: 0 };
    return dataModels.map((dataModel, index) => ({ dataModel, ...(pullStates[dataModel] ?? none), pending: pending[index]! }));
  }
}

const roles = ['INTEGRATIONS'] as const;

export const SourceResolver = resolver({
  syncConnection: recordMutation(Sync, { roles, stored: 'The started sync.' })(
    'Runs a connection now: pulls changes, or everything. SYNC_IN_PROGRESS if another pull of the company is running, CONNECTION_DISCONNECTED if the connection has ended.',
    {
      ...ofConnection,
      fullSync: argument<boolean>(() => Boolean, 'Pull every record, and mark those that the source no longer has as deleted.', {
        defaultValue: false,
      }),
    },
    async ({ fullSync, ...connection }, { context }) => {
      const { services } = context;
      const { organisationId } = tenantOf(context);
      const { companyId, source } = await liveConnection(context, connection);
      const [served] = await dataModelsOf(services, [{ organisationId, ledgerId: companyId, integrationType: source }]);
      const id = await transaction(context, async (em) => {
        const company = await connectedCompany(em, organisationId, companyId);
        return beginPull(em, services, { organisationId, company, dataModels: pulledModels(company, served!, null), fullSync });
      });
      return { id };
    },
  ),
  resolveConflict: mutation(() => ResolveConflictPayload, { roles })(
    'Resolves the conflict of a record that changed both here and at the source. INVALID_STATE_TRANSITION unless it is in CONFLICT.',
    {
      id: id('Global id of the record.'),
      keep: argument<'LOCAL' | 'SOURCE'>(() => KeptVersion.values, 'Version to keep.'),
    },
    async ({ id, keep }, { context, info }) => {
      const named = decodeGlobalId(id);
      if (!named || !isSourced(named.model.class))
        throw invalid('id', `${JSON.stringify(id.slice(0, 100))} is not the id of a record that has a source`);
      const target = named.model.class as RecordClass<LedgerRecord>;
      const ledgerId = Number(named.key);
      const given = { id, field: 'id' };
      const { companyId } = await ownProperties(context, target, { ledgerId }, ['companyId'], given);
      const { services } = context;
      const { organisationId } = tenantOf(context);
      await transaction(context, async (em) => {
        const company = await connectedCompany(em, organisationId, companyId);
        const now = services.clock.now();
        const pushed = new Set(company.pushedModels);
        const scope: WriteScope = { services, organisationId, company, now, pushed, changes: [] };
        const isFound = await resolveConflict(em, services, scope, target, ledgerId, keep);
        if (!isFound) throw notFound(target, id, 'id');
        const pushes = keep === 'LOCAL' ? pushesOf(scope) : [];
        const write = { organisationId, companyId, integrationType: company.integrationType, dataModel: namesOf(target).dataModel };
        const { id: syncId, jobId } = await recordWrite(
          em,
          { ...write, configMode: 'UPDATE', recordsSynced: 1, strict: false, startedAt: now, endedAt: now },
          pushes.length > 0,
        );
        if (pushes.length > 0) await queuePushes(em, services, { organisationId, companyId, syncId, jobId }, pushes);
        auditRecords(
          em,
          scope.changes.length > 0 ? scope.changes.map(auditedChange) : [{ id: ledgerGlobalId(named.model.prefix, ledgerId) }],
        );
        const source = { services, organisationId, organisation: context.principal?.organisation ?? null };
        emitEvents(em, source, changeEventsOf(em, source, company, scope.changes));
      });
      const tree = lookAhead(info).fields.get('record');
      const [record] = tree ? await readNodes([id], context, tree) : [null];
      return { record: record ?? null };
    },
  ),
});

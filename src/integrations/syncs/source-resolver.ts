// What callers ask of a source beyond a pull of their choice: a run of a connection, and the decision on a conflict.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { Row } from '../../database/reader/projection.ts';
import { emitEvents } from '../../events/events.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { Node, readNodes } from '../../graphql/node.ts';
import { ownProperties, ownRecord } from '../../graphql/own-record.ts';
import { defineEnum } from '../../records/enums.ts';
import { invalid } from '../../records/errors.ts';
import { decodeGlobalId, ledgerGlobalId } from '../../records/ids.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { connectedCompany } from '../companies/company.ts';
import { liveConnection } from '../connections/connection-store.ts';
import { OwnerArg } from '../connections/resolver.ts';
import { dataModelsOf } from '../connections/sources.ts';
import { isSourced, type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import type { WriteScope } from '../writes/change.ts';
import { auditedChange, changeEventsOf } from '../writes/change-events.ts';
import { resolveConflict } from './conflicts.ts';
import { beginPull, pulledModels } from './pull.ts';
import { pushesOf, queuePushes } from './push.ts';
import { Sync } from './sync.ts';
import { recordWrite } from './sync-state.ts';

export const KeptVersion = defineEnum('KeptVersion', 'The version of a record in CONFLICT that stays.', {
  LOCAL: 'The one that is stored here; it is sent to the source, where the source takes it.',
  SOURCE: 'The one of the source; it replaces the stored one.',
});

@ObjectType({ description: 'Result of `syncConnection`.', simpleResolvers: true })
export class SyncConnectionPayload {
  @Field(() => Sync, { description: 'The sync, which has just begun.' }) sync!: Sync;
}

@ObjectType({ description: 'Result of `resolveConflict`.', simpleResolvers: true })
export class ResolveConflictPayload {
  @Field(() => Node, {
    nullable: true,
    description: 'The record as it is now; null where the source had deleted it and its version stays.',
  })
  record!: Node | null;
}

@Resolver()
export class SourceResolver {
  @access('INTEGRATIONS')
  @Mutation(() => SyncConnectionPayload, {
    description:
      'Runs a connection now: pulls what changed, or everything. SYNC_IN_PROGRESS while another pull of its company is under way, CONNECTION_DISCONNECTED where it has ended.',
  })
  async syncConnection(
    @Arg('id', () => ID, { description: 'Identifier of the connection.' }) id: string,
    @OwnerArg() owner: number | null,
    @Arg('fullSync', () => Boolean, {
      defaultValue: false,
      description: 'Pull everything, so that what the source no longer has is marked deleted.',
    })
    fullSync: boolean,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ sync: Row }> {
    const { services } = context;
    const { organisationId } = tenantOf(context);
    const { companyId, source } = await liveConnection(context, { id, companyId: owner });
    const [served] = await dataModelsOf(services, [{ organisationId, ledgerId: companyId, integrationType: source }]);
    const syncId = await transaction(context, async (em) => {
      const company = await connectedCompany(em, organisationId, companyId);
      return beginPull(em, services, { organisationId, company, dataModels: pulledModels(company, served!, null), fullSync });
    });
    const tree = lookAhead(info).fields.get('sync');
    return { sync: tree ? await ownRecord(context, tree, Sync, { id: syncId }, { id: syncId, field: 'id' }) : { id: syncId } };
  }

  @access('INTEGRATIONS')
  @Mutation(() => ResolveConflictPayload, {
    description: 'Decides on a record that changed here and at the source. INVALID_STATE_TRANSITION for a record that is not in CONFLICT.',
  })
  @Extensions({ folds: { isNew: true } })
  async resolveConflict(
    @Arg('id', () => ID, { description: 'Global id of the record.' }) id: string,
    @Arg('keep', () => KeptVersion.values, { description: 'The version that stays.' }) keep: 'LOCAL' | 'SOURCE',
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ record: Row | null }> {
    const named = decodeGlobalId(id);
    if (!named || !isSourced(named.model.class))
      throw invalid('id', `${JSON.stringify(id.slice(0, 100))} is no id of a record that has a source`);
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
  }
}

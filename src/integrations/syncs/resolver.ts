// Syncs and their jobs in GraphQL: read, subscribe to progress, request a pull, cancel, retry.

import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { DataModel } from '../../events/data-model.ts';
import type { EventSource } from '../../events/events.ts';
import { progressOf } from '../../events/progress.ts';
import { connectionOf, forwardArguments, type Page, type PageArguments, readConnection } from '../../graphql/connections.ts';
import { argument, id, query, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation, type Written } from '../../graphql/declared/payloads.ts';
import { LevelLoaders } from '../../graphql/level-loaders.ts';
import { FilterArg, type FilterInput, narrowed, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { ownProperties, ownRecord } from '../../graphql/own-record.ts';
import { readSummary, type Summary } from '../../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../../graphql/summaries/summary-types.ts';
import { notFound } from '../../records/not-found.ts';
import { Company, type CompanyRow, companyOf, connectedCompany } from '../companies/company.ts';
import { dataModelsOf } from '../connections/sources.ts';
import type { ConnectorCompany } from '../connectors/connector.ts';
import { retryWrite } from './batch.ts';
import { beginPull, confirmPull, lockPulls, pulledModels } from './begin-pull.ts';
import { ConfigMode, JobStatus, JobType, Sync, SyncJob, SyncStatus, SyncType } from './state/sync.ts';
import { cancelSync, forbiddenTransition, isOver, lockSync, type SyncState } from './state/sync-state.ts';

const PageOptions = forwardArguments(20);

@InputType({ description: 'A pull to request.' })
export class RequestSyncInput {
  @Field(() => [DataModel.values], { nullable: true, description: 'Data models to pull; default all of the source.' })
  @Extensions({ rules: { minItems: 1, maxItems: 50, unique: true } })
  dataModels?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Pull every record, and mark those that the source no longer has as deleted; otherwise pull only changes since the last pull.',
  })
  fullSync?: boolean | null;
}

@ObjectType({ description: 'Result of requesting, cancelling or retrying a sync.', simpleResolvers: true })
export class SyncPayload {
  @Field(() => Sync, { description: 'The sync; after a retry, the new one.' }) sync!: Sync;
}

const SyncConnection = connectionOf(Sync);
const SyncJobConnection = connectionOf(SyncJob);
const SyncTotals = summaryOf(Sync);
const SyncJobTotals = summaryOf(SyncJob);

const subscribedSync = {
  record: Sync,
  field: 'syncId',
  isOver: (status: string) => isOver({ status }),
};

const pullable = new LevelLoaders<ConnectorCompany, string[]>('pullable_data_models', ({ services }, _info, companies) =>
  dataModelsOf(services, companies),
);

@Resolver(() => Company)
export class CompanySyncsResolver {
  @needs(Company, 'integrationType')
  @FieldResolver(() => [DataModel.values], {
    description: 'Data models that `requestSync` can pull from the source.',
  })
  @Extensions({ rest: 'never' })
  pullableDataModels(
    @Root() { ledgerId, integrationType }: CompanyRow,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<string[]> {
    const { organisationId } = tenantOf(context);
    return pullable.load(context, info, { organisationId, ledgerId, integrationType });
  }

  @FieldResolver(() => SyncConnection, { description: 'Syncs of the company, newest first.' })
  syncs(
    @Root() company: CompanyRow,
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(Sync) filter: FilterInput | null,
    @OrderArg(Sync) orderBy: OrderInput[] | null,
    @Arg('jobType', () => JobType.values, { nullable: true, description: 'Only syncs with jobs in this direction.' }) jobType:
      | string
      | null,
    @Arg('status', () => SyncStatus.values, { nullable: true, description: 'Only syncs in this state.' }) status: string | null,
    @Arg('syncType', () => SyncType.values, { nullable: true, description: 'Only syncs started this way.' }) syncType: string | null,
    @Arg('configMode', () => ConfigMode.values, { nullable: true, description: 'Only syncs of this kind of write or read.' }) configMode:
      | string
      | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      record: Sync,
      list: `${company.ledgerId}.syncs`,
      where: { companyId: company.ledgerId },
      filter: narrowed(filter, { jobType, status, syncType, configMode }),
      orderBy,
      order: { by: ['createdAt'], descending: true },
    });
  }

  @FieldResolver(() => SyncTotals.type, { description: 'Counts and extremes of the syncs of the company, in groups.' })
  @Extensions(PRICED)
  syncsSummary(
    @Root() company: CompanyRow,
    @Args(() => SyncTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    return readSummary(context, info, args, { record: Sync, where: { companyId: company.ledgerId } });
  }
}

@Resolver(() => Sync)
export class SyncFieldResolver {
  @needs(Sync, 'id', 'companyId')
  @FieldResolver(() => SyncJobConnection, { description: 'The jobs of the sync, oldest first.' })
  jobs(
    @Root() sync: Pick<Sync, 'id' | 'companyId'>,
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(SyncJob) filter: FilterInput | null,
    @OrderArg(SyncJob) orderBy: OrderInput[] | null,
    @Arg('status', () => JobStatus.values, { nullable: true, description: 'Only jobs in this state.' }) status: string | null,
    @Arg('dataModel', () => DataModel.values, { nullable: true, description: 'Only jobs of this data model.' }) dataModel: string | null,
    @Arg('jobType', () => JobType.values, { nullable: true, description: 'Only jobs with this direction.' }) jobType: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      record: SyncJob,
      list: `${sync.id}.jobs`,
      filter: narrowed(filter, { status, dataModel, jobType }),
      orderBy,
      where: { companyId: sync.companyId, syncId: sync.id },
      order: { by: ['createdAt'] },
    });
  }

  @needs(Sync, 'id')
  @FieldResolver(() => SyncJobTotals.type, { description: 'Counts, sums, averages and extremes of the jobs of the sync, in groups.' })
  @Extensions(PRICED)
  jobsSummary(
    @Root() sync: Pick<Sync, 'id'>,
    @Args(() => SyncJobTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    return readSummary(context, info, args, { record: SyncJob, where: { syncId: sync.id } });
  }

  @access('INTEGRATIONS')
  @Subscription(() => Sync, {
    description:
      'Current state of a sync, then each change of it or its jobs; rapid changes may be combined. The final state ends the stream. SYNC_NOT_FOUND if you cannot read it.',
    subscribe: ({ args, context, info }) => progressOf(subscribedSync, args?.syncId, context as RequestContext, info),
  })
  syncProgress(
    @Root() sync: Pick<Sync, 'id'>,
    @Arg('syncId', () => ID, { description: 'Identifier of the sync.' }) _syncId: string,
    @Ctx() context: RequestContext,
  ): Row {
    context.primary = true;
    return sync;
  }
}

/** Runs a change of a sync the caller may see, under its lock; `work` returns the id of the sync to return. */
async function changed(
  context: RequestContext,
  id: string,
  work: (em: EntityManager, sync: SyncState) => Promise<string>,
  { field = 'id', before }: { field?: string; before?: (em: EntityManager, companyId: number) => Promise<void> } = {},
): Promise<Written> {
  const { companyId } = await ownProperties(context, Sync, { id }, ['companyId'], { id, field });
  const syncId = await transaction(context, async (em) => {
    await before?.(em, companyId);
    const sync = await lockSync(em, context.services, { id, companyId });
    if (!sync) throw notFound(Sync, id, field);
    auditRecords(em, [{ id }]);
    return work(em, sync);
  });
  return { id: syncId };
}

const roles = ['INTEGRATIONS'] as const;
const syncId = id('Identifier of the sync.');

const sourceOf = (context: RequestContext): EventSource => ({
  services: context.services,
  organisationId: tenantOf(context).organisationId,
  organisation: context.principal?.organisation ?? null,
});

const change = recordMutation(Sync, { roles, payload: SyncPayload });

export const SyncResolver = resolver({
  sync: query(() => Sync, { roles, nullable: true })(
    'Sync with this id. SYNC_NOT_FOUND if you cannot read it.',
    { id: syncId },
    ({ id }, { context, info }) => ownRecord(context, info, Sync, { id }, { id, field: 'id' }),
  ),
  requestSync: change(
    'Requests a pull of records from the source system. SYNC_IN_PROGRESS if another pull of the company is running, OPERATION_NOT_SUPPORTED if the source has none of the data models.',
    {
      companyId: recordNumber(() => Company, 'Company whose records to pull.'),
      input: argument<RequestSyncInput>(() => RequestSyncInput, 'Company and data models to pull.'),
    },
    async ({ companyId, input }, { context }) => {
      const { integrationType } = await companyOf(context, companyId);
      const { organisationId } = tenantOf(context);
      const { services } = context;
      const [served] = await dataModelsOf(services, [{ organisationId, ledgerId: companyId, integrationType }]);
      const id = await transaction(context, async (em) => {
        const company = await connectedCompany(em, organisationId, companyId);
        const dataModels = pulledModels(company, served!, input.dataModels);
        return beginPull(em, services, { organisationId, company, dataModels, fullSync: input.fullSync ?? false });
      });
      return { id };
    },
  ),
  cancelSync: change('Cancels a sync. Stored records stay; a retry writes the remaining ones.', { id: syncId }, ({ id }, { context }) =>
    changed(context, id, async (em, sync) => {
      await cancelSync(em, sourceOf(context), sync, context.services.clock.now());
      return sync.id;
    }),
  ),
  confirmSync: change(
    'Confirms the deletions of a full run: records that the source no longer has. INVALID_STATE_TRANSITION unless the sync is PENDING_CONFIRMATION, SYNC_IN_PROGRESS if another pull of the company is running.',
    { syncId },
    ({ syncId }, { context }) => {
      const work = async (em: EntityManager, sync: SyncState): Promise<string> => {
        await confirmPull(em, context.services, sourceOf(context), sync);
        return sync.id;
      };
      return changed(context, syncId, work, { field: 'syncId', before: lockPulls });
    },
  ),
  retrySync: change(
    'Starts a new sync for what an ended one did not store: rejected and remaining records of a write, records that the source rejected in their current state, or the same pull again.',
    { id: syncId },
    ({ id }, { context }) => {
      const { organisationId } = tenantOf(context);
      const { services } = context;
      return changed(context, id, async (em, sync) => {
        if (!isOver(sync) || sync.status === 'SUCCESS') throw forbiddenTransition('sync', sync.status, 'a new sync by a retry', 'id');
        const company = await connectedCompany(em, organisationId, sync.companyId);
        if (sync.jobType === 'PULL')
          return beginPull(em, services, { organisationId, company, dataModels: sync.dataModels, fullSync: sync.fullSync });
        return retryWrite(em, services, organisationId, company, sync, !context.isRest);
      });
    },
  ),
});

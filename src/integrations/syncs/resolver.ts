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
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { type Projection, projectionFor, projectionOf, propOf, type Row, resolverNeeds } from '../../database/reader/projection.ts';
import type { Condition } from '../../database/reader/reader.ts';
import { progressOf } from '../../events/progress.ts';
import { connectionOf, forwardArguments, orderBy, type Page, type PageArguments, readConnection } from '../../graphql/connections.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { Company, type CompanyRow, companyOf, connectedCompany } from '../companies/company.ts';
import { DataModel } from '../ledger/enums.ts';
import { retryBatch } from './batch.ts';
import { connectorFor } from './connectors.ts';
import { beginPull, pulledModels } from './pull.ts';
import { ConfigMode, JobStatus, JobType, Sync, SyncJob, SyncStatus, SyncType } from './sync.ts';
import { cancelSync, forbiddenTransition, isOver, lockSync, type SyncState } from './sync-state.ts';

const PageOptions = forwardArguments(20);

@InputType({ description: 'A pull to request.' })
export class RequestSyncInput {
  @Field(() => [DataModel.values], { nullable: true, description: 'Data models to pull; all that the source has when absent.' })
  @Extensions({ rules: { minItems: 1, maxItems: 50, unique: true } })
  dataModels?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Pull every record and mark those deleted that the source no longer has; otherwise only what changed since the last pull.',
  })
  fullSync?: boolean | null;
}

@ObjectType({ description: 'Result of a request, cancellation or retry of a sync.', simpleResolvers: true })
export class SyncPayload {
  @Field(() => Sync, { description: 'The sync; after a retry the new one.' }) sync!: Sync;
}

const SyncConnection = connectionOf(Sync);
const SyncJobConnection = connectionOf(SyncJob);
resolverNeeds('Sync', 'jobs', ['id']);

const syncNotFound = (id: string, argument = 'id'): GatewayError =>
  new GatewayError('SYNC_NOT_FOUND', `sync ${JSON.stringify(id.slice(0, 60))} was not found`, { field: argument });

const subscribedSync = {
  target: Sync,
  notFound: (id: string) => syncNotFound(id, 'syncId'),
  isOver: (status: string) => isOver({ status }),
};

const idOnly = projectionOf(modelOf(Sync), ['id']);

/** Reads a sync the caller may see; SYNC_NOT_FOUND otherwise. */
async function readSync(context: RequestContext, id: string, projection: Projection): Promise<Row> {
  const row = await context.services.reader.row({
    projection,
    tenant: tenantOf(context),
    where: [{ prop: propOf(modelOf(Sync), 'id'), operator: 'eq', value: id }],
    primary: context.primary,
  });
  if (!row) throw syncNotFound(id);
  return row;
}

/** The conditions of list arguments that were given. */
function conditionsOf(model: ReturnType<typeof modelOf>, given: Record<string, unknown>): Condition[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value == null ? [] : [{ prop: propOf(model, name), operator: 'eq' as const, value }],
  );
}

@Resolver(() => Company)
export class CompanySyncsResolver {
  @FieldResolver(() => SyncConnection as never, { description: 'The syncs of the company, newest first.' })
  syncs(
    @Root() company: CompanyRow,
    @Args(() => PageOptions) page: PageArguments,
    @Arg('jobType', () => JobType.values, { nullable: true, description: 'Only syncs whose jobs have this direction.' }) jobType:
      | string
      | null,
    @Arg('status', () => SyncStatus.values, { nullable: true, description: 'Only syncs in this state.' }) status: string | null,
    @Arg('syncType', () => SyncType.values, { nullable: true, description: 'Only syncs started this way.' }) syncType: string | null,
    @Arg('configMode', () => ConfigMode.values, { nullable: true, description: 'Only syncs that do this with the records.' }) configMode:
      | string
      | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const model = modelOf(Sync);
    const filter = { jobType, status, syncType, configMode };
    const where = conditionsOf(model, { companyId: company.ledgerId, ...filter });
    return readConnection(context, info, page, {
      model,
      list: `${company.ledgerId}.syncs`,
      where,
      filter,
      order: orderBy(model, ['createdAt'], true),
    });
  }
}

@Resolver(() => Sync)
export class SyncResolver {
  @FieldResolver(() => SyncJobConnection as never, { description: 'The jobs of the sync, oldest first.' })
  jobs(
    @Root() sync: Row,
    @Args(() => PageOptions) page: PageArguments,
    @Arg('status', () => JobStatus.values, { nullable: true, description: 'Only jobs in this state.' }) status: string | null,
    @Arg('dataModel', () => DataModel.values, { nullable: true, description: 'Only jobs of this data model.' }) dataModel: string | null,
    @Arg('jobType', () => JobType.values, { nullable: true, description: 'Only jobs with this direction.' }) jobType: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const model = modelOf(SyncJob);
    const filter = { status, dataModel, jobType };
    const where = conditionsOf(model, { syncId: sync.id, ...filter });
    return readConnection(context, info, page, {
      model,
      list: `${sync.id}.jobs`,
      where,
      filter,
      order: orderBy(model, ['createdAt'], false),
    });
  }

  @access('INTEGRATIONS')
  @Query(() => Sync, { nullable: true, description: 'The sync with this id. SYNC_NOT_FOUND when the key may see none.' })
  sync(
    @Arg('id', () => ID, { description: 'Identifier of the sync.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return readSync(context, id, projectionFor(modelOf(Sync), lookAhead(info)));
  }

  @access('INTEGRATIONS')
  @Subscription(() => Sync, {
    description:
      'The sync as it is now, and again after each change of it or its jobs. The stream ends with its final state. Changes in quick succession may be sent as one. SYNC_NOT_FOUND when the key may see none.',
    subscribe: ({ args, context, info }) => progressOf(subscribedSync, args?.syncId, context as RequestContext, info) as never,
  })
  syncProgress(
    @Root() sync: Row,
    @Arg('syncId', () => ID, { description: 'Identifier of the sync.' }) _syncId: string,
    @Ctx() context: RequestContext,
  ): Row {
    context.primary = true;
    return sync;
  }

  @access('INTEGRATIONS')
  @Mutation(() => SyncPayload, {
    description:
      'Requests a pull of records from the source system. SYNC_IN_PROGRESS while another pull of the company is under way, OPERATION_NOT_SUPPORTED where its source serves none of the data models.',
  })
  async requestSync(
    @Arg('companyId', () => PositiveInt, { description: 'Company to pull for.' }) companyId: number,
    @Arg('input', () => RequestSyncInput, { description: 'What to pull.' }) input: RequestSyncInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ sync: Row }> {
    const { integrationType } = await companyOf(context, companyId);
    const { organisationId } = tenantOf(context);
    const { services } = context;
    const served = await connectorFor(services, integrationType).dataModels({ organisationId, ledgerId: companyId, integrationType });
    const syncId = await transaction(context, async (em) => {
      const company = await connectedCompany(em, organisationId, companyId);
      const dataModels = pulledModels(company, served, input.dataModels);
      return beginPull(em, services, { organisationId, company, dataModels, fullSync: input.fullSync ?? false });
    });
    return payload(context, info, syncId);
  }

  @access('INTEGRATIONS')
  @Mutation(() => SyncPayload, { description: 'Stops a sync. Stored records stay; a retry writes the remaining ones.' })
  cancelSync(
    @Arg('id', () => ID, { description: 'Identifier of the sync.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ sync: Row }> {
    return changed(context, info, id, async (em, sync) => {
      await cancelSync(
        em,
        {
          services: context.services,
          organisationId: tenantOf(context).organisationId,
          organisation: context.principal?.organisation ?? null,
        },
        sync,
        context.services.clock.now(),
      );
      return sync.id;
    });
  }

  @access('INTEGRATIONS')
  @Mutation(() => SyncPayload, {
    description:
      'Starts a new sync for what an ended one did not store: the refused and remaining records of a write, or the same pull again.',
  })
  retrySync(
    @Arg('id', () => ID, { description: 'Identifier of the sync.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ sync: Row }> {
    const { organisationId } = tenantOf(context);
    const { services } = context;
    return changed(context, info, id, async (em, sync) => {
      if (!isOver(sync) || sync.status === 'SUCCESS') throw forbiddenTransition('sync', sync.status, 'a new sync by a retry', 'id');
      const company = await connectedCompany(em, organisationId, sync.companyId);
      if (sync.jobType === 'PULL')
        return beginPull(em, services, { organisationId, company, dataModels: sync.dataModels, fullSync: sync.fullSync });
      return retryBatch(em, services, organisationId, company, sync, !context.isRest);
    });
  }
}

async function payload(context: RequestContext, info: GraphQLResolveInfo, syncId: string): Promise<{ sync: Row }> {
  const tree = lookAhead(info).fields.get('sync');
  const model = modelOf(Sync);
  return { sync: await readSync(context, syncId, tree ? projectionFor(model, tree) : idOnly) };
}

/** Runs a change of a sync the caller may see, under its lock; `work` returns the id of the sync to answer with. */
async function changed(
  context: RequestContext,
  info: GraphQLResolveInfo,
  id: string,
  work: (em: EntityManager, sync: SyncState) => Promise<string>,
): Promise<{ sync: Row }> {
  await readSync(context, id, idOnly);
  const syncId = await transaction(context, async (em) => {
    const sync = await lockSync(em, context.services, id);
    if (!sync) throw syncNotFound(id);
    return work(em, sync);
  });
  return payload(context, info, syncId);
}

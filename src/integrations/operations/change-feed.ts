// The change feed of a company: its records in the order in which they last changed. The order is that of the stamps of writes, so nothing is logged for it.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Field, FieldResolver, ID, Info, ObjectType, Resolver, Root } from 'type-graphql';
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { arrayLiteral } from '../../database/array-literal.ts';
import type { Row } from '../../database/reader/projection.ts';
import { ChangeOperation } from '../../events/changes.ts';
import { DataModel } from '../../events/data-model.ts';
import { cursorExpired, FeedArguments, FeedPageInfo, feedCursors, feedSize } from '../../graphql/feeds.ts';
import { loadRecord } from '../../graphql/graph/record-loader.ts';
import { LevelLoaders } from '../../graphql/level-loaders.ts';
import { Node } from '../../graphql/node.ts';
import { readRestRecords } from '../../graphql/rest/rest-read.ts';
import { cutoff } from '../../queue/schedules.ts';
import { invalid } from '../../records/errors.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { DateTime, JSONObject, PositiveInt } from '../../records/scalars.ts';
import { Company, type CompanyRow } from '../companies/company.ts';
import { etagOf, ledgerTypes, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { changesAfter, type StampedRecord, stampedRecord } from './change-feed.statements.ts';

@ObjectType({ description: 'Latest change of a record of a company.', simpleResolvers: true })
export class CompanyChange {
  @Field(() => ChangeOperation.values, {
    description:
      'CREATED for a record that is new since the end of the feed was last reached, DELETED for one that is now deleted, UPDATED for any other. Several changes count as one.',
  })
  operation!: keyof typeof ChangeOperation.values;
  @Field(() => DataModel.values, { description: 'Type of the record.' }) dataModel!: string;
  // Not `id`: caches that key objects by it would take the change for its record.
  @Field(() => ID, { description: 'Global id of the record, for client caches.' })
  @Extensions({ rest: 'never' })
  nodeId!: string;
  @Field(() => PositiveInt, { description: 'Number of the record.' }) ledgerId!: number;
  @Field(() => String, { description: 'Id of the record in the source system.' }) platformId!: string;
  @Field(() => String, { description: 'Name of the source system.' }) ledgerIntegrationType!: string;
  @Field(() => DateTime, { description: 'When the record last changed.' }) changedAt!: string;
  @Field(() => String, { description: 'Version of the record after the change, for `ifMatch`.' }) etag!: string;
}

@ObjectType({ description: 'A page of the changes of a company.', simpleResolvers: true })
export class CompanyChanges {
  @Field(() => [CompanyChange], { description: 'Changes, oldest first, each record once.' }) nodes!: CompanyChange[];
  @Field(() => FeedPageInfo, { description: 'Position of the next page of the feed.' }) pageInfo!: FeedPageInfo;
}

interface ChangeRow extends CompanyChange {
  companyId: number;
}

interface ChangePage {
  nodes: ChangeRow[];
  pageInfo: FeedPageInfo;
}

/** A place in the feed, and how far its reader knew it: the end that was reached last, and when the reading began. */
interface Position {
  /** The stamp and the number of the last record. */
  at: string;
  ledgerId: number;
  /** In milliseconds since 1970; 0 before the first end. */
  reached: number;
  begun: number;
}

/** A record that belongs to another one changes it, because it is among the fields of that one. It is in the feed only where it is asked for. */
const standingAlone = (): string[] =>
  ledgerTypes()
    .map(namesOf)
    .flatMap(({ dataModel, parent }) => (parent.length === 0 ? [dataModel] : []));

/** Deleted records are removed by the clock of another process, which may be ahead. */
const CLOCKS_MS = 60_000;

/** Rejects a cursor after which deleted records have been removed that its reader knows. */
function requireDeletions({ config, clock }: RequestContext['services'], { at, begun }: Position): void {
  const days = config.retention.deletedRecordDays;
  const before = cutoff({ clock }, days);
  const known = Math.max(Date.parse(at) || 0, begun);
  if (before !== undefined && known < Date.parse(before) + CLOCKS_MS) throw cursorExpired(`deleted records are removed after ${days} days`);
}

async function readChanges(
  context: RequestContext,
  companyId: number,
  args: FeedArguments,
  dataModels: readonly string[] | null,
): Promise<ChangePage> {
  if (dataModels?.length === 0) throw invalid('dataModels', 'dataModels must name at least one data model', 'REQUIRED');
  const { services } = context;
  const { database } = services;
  const { organisationId } = tenantOf(context);
  const size = feedSize(args);
  const models = [...new Set(dataModels ?? standingAlone())].sort();
  const cursors = feedCursors(context, `${companyId}.changes`, organisationId, models);
  let from: Position = { at: '-infinity', ledgerId: 0, reached: 0, begun: services.clock.now().getTime() };
  if (args.after) {
    const [at, ledgerId, reached, begun] = cursors.decode(args.after, 'after') as [string, number, number, number];
    from = { at, ledgerId, reached, begun };
    requireDeletions(services, from);
  }
  const end = await database.settledTimes.of(organisationId);
  await database.requireCommits([companyId]);
  const until = new Date(end).toISOString();
  // The reads must see everything before that end, as do the records that are read with them. So the place of the reads is chosen again.
  if (context.freshness) {
    const freshness = database.consistency.freshness(organisationId);
    if (freshness) context.freshness = freshness;
  }
  const found = await database.readRows(
    changesAfter(),
    [String(companyId), String(organisationId), from.at, String(from.ledgerId), arrayLiteral(models, (name) => name), until],
    scopeOf(context).freshness,
  );
  const records = found.texts().map(stampedRecord);
  const page = records.slice(0, size);
  const last = page.at(-1);
  const isOver = records.length <= size;
  // The end may be before a cursor that was at it: a transaction takes its time before others can see that it runs.
  const isAhead = isOver && !(end <= Date.parse(from.at));
  const next: Position = {
    at: isAhead ? until : (last?.ledgerUpdatedAt ?? from.at),
    ledgerId: isAhead ? 0 : (last?.ledgerId ?? from.ledgerId),
    reached: isOver ? Math.max(from.reached, end) : from.reached,
    begun: from.begun,
  };
  return {
    nodes: page.map((record) => changeOf(companyId, record, from)),
    pageInfo: { hasNextPage: !isOver, endCursor: cursors.encode([next.at, next.ledgerId, next.reached, next.begun]) },
  };
}

function changeOf(companyId: number, { ledgerUpdatedAt, ledgerCreatedAt, isDeleted, ...record }: StampedRecord, from: Position): ChangeRow {
  const isNew = Date.parse(ledgerCreatedAt) >= from.reached;
  return {
    ...record,
    companyId,
    operation: isDeleted ? 'DELETED' : isNew ? 'CREATED' : 'UPDATED',
    nodeId: ledgerGlobalId(modelOf(recordOf(record.dataModel)!).prefix, record.ledgerId),
    changedAt: ledgerUpdatedAt,
    etag: etagOf({ ledgerId: record.ledgerId, ledgerUpdatedAt }),
  };
}

/** Reads the records of changes in their REST form, with one statement per type. */
const restRecords = new LevelLoaders<ChangeRow, Row | null>('changed_rest_records', async (context, _, changes) => {
  const found = new Map<ChangeRow, Row>();
  await Promise.all(
    [...Map.groupBy(changes, ({ dataModel, companyId }) => `${companyId} ${dataModel}`).values()].map(async (group) => {
      const [{ dataModel, companyId }] = group as [ChangeRow];
      const where = { companyId, ledgerId: { in: group.map(({ ledgerId }) => ledgerId) } };
      const rows = await readRestRecords(context, recordOf(dataModel)!, where);
      for (const change of group) {
        const row = rows.get(change.ledgerId);
        if (row) found.set(change, row);
      }
    }),
  );
  return changes.map((change) => found.get(change) ?? null);
});

@Resolver(() => Company)
export class CompanyChangesResolver {
  @FieldResolver(() => CompanyChanges, {
    description:
      'Change feed of the company: each record that changed after the cursor, once, sorted by its latest change. It starts with all stored records, stops before unfinished writes, and misses nothing. CURSOR_EXPIRED if deleted records that you know were purged.',
  })
  changes(
    @Root() { ledgerId }: CompanyRow,
    @Args(() => FeedArguments) args: FeedArguments,
    @Arg('dataModels', () => [DataModel.values], {
      nullable: true,
      description: 'Only records of these types; default all except children, which change their parent. A cursor keeps its types.',
    })
    dataModels: string[] | null,
    @Ctx() context: RequestContext,
  ): Promise<ChangePage> {
    return readChanges(context, ledgerId, args, dataModels);
  }
}

/** The records of changes. */
@Resolver(() => CompanyChange)
export class ChangedRecordResolver {
  @FieldResolver(() => Node, {
    nullable: true,
    description: 'Current record, even if deleted; null once it is purged.',
  })
  @Extensions({ rest: 'never' })
  node(
    @Root() { dataModel, ledgerId, companyId }: ChangeRow,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> {
    return loadRecord(context, info, recordOf(dataModel)!, { key: ledgerId, companyId });
  }

  @FieldResolver(() => JSONObject, { nullable: true, description: 'The record as REST returns it, without expansions.' })
  @Extensions({ rest: 'select' })
  record(@Root() change: ChangeRow, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row | null> {
    return restRecords.load(context, info, change);
  }
}

// The subscription to changes of records of any type that can be followed.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Field, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { type Change, changeOf, type Followed, followChanges } from '../../events/changes.ts';
import { filterMember, RecordFilters, type RecordFiltersInput, recordFiltersOf } from '../../events/record-filters.ts';
import { authoriseRead } from '../../graphql/graph/visibility.ts';
import { RecordArg } from '../../graphql/input-types.ts';
import { Node } from '../../graphql/node.ts';
import { invalid } from '../../records/errors.ts';
import { followedModels, RecordType } from '../../records/record-types.ts';
import { Company, companyOf } from '../companies/company.ts';

@ObjectType({ description: 'A change of a record of one of the followed types.', simpleResolvers: true })
class RecordChange extends changeOf(() => Node) {
  @Field(() => Boolean, {
    description:
      'Whether the changed record matches `filter`. If not, remove it from your list; new records that do not match send no message.',
  })
  matches!: boolean;
}

interface ChangeArguments {
  type: string[];
  companyId?: number | null;
  filter?: RecordFiltersInput | null;
  after?: string | null;
}

async function changesOf(args: ChangeArguments, context: RequestContext, info: GraphQLResolveInfo): Promise<AsyncIterableIterator<Change>> {
  return followChanges(context, info, await followedBy(args, context), args.after);
}

/** What the arguments name, checked as a read of it would be. */
async function followedBy({ type, companyId, filter }: ChangeArguments, context: RequestContext): Promise<Followed> {
  if (type.length === 0) throw invalid('type', 'type must name at least one record type', 'REQUIRED');
  const known = followedModels();
  const models = [...new Set(type)].map((name) => known.get(name)!);
  for (const model of models) authoriseRead(context, model);
  if (companyId != null) {
    await companyOf(context, companyId);
    const other = models.find(({ companyColumn }) => companyColumn === undefined);
    if (other) throw invalid('companyId', `companyId goes with records of a company, which ${other.name} records are not`);
  }
  const filters = recordFiltersOf(filter ?? {});
  const named = new Set(models);
  const unnamed = [...filters.keys()].find((model) => !named.has(model));
  if (unnamed)
    throw invalid(`filter.${filterMember(unnamed)}`, `filter.${filterMember(unnamed)} is for a record type that type does not name`);
  return { models, ...(companyId == null ? {} : { companyId }), filters };
}

@Resolver()
export class RecordChangeResolver {
  @access('PLATFORM', 'INTEGRATIONS')
  @Subscription(() => RecordChange, {
    description:
      'Changes of records as they happen, each with the record. A child, such as a line of a document, also changes its parent. FORBIDDEN for types that you cannot read.',
    subscribe: ({ args, context, info }) => changesOf(args as unknown as ChangeArguments, context, info),
  })
  recordChanged(
    @Root() change: Change,
    @Arg('type', () => [RecordType.values], { description: 'Types of record to follow, at least one.' }) _type: string[],
    @RecordArg('companyId', () => Company, {
      nullable: true,
      description: 'Only records of this company. COMPANY_NOT_FOUND if you cannot read it.',
    })
    _companyId: number | null,
    @Arg('filter', () => RecordFilters, {
      nullable: true,
      description: 'Conditions on the records to follow; `matches` has the result for a change.',
    })
    _filter: object | null,
    @Arg('after', () => ID, {
      nullable: true,
      description:
        'Resume after the message with this `eventId`, within seven days. Missed changes come first, one message per record and hundred events.',
    })
    _after: string | null,
  ): Change {
    return change;
  }
}

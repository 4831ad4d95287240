// The subscription to the changes of one corporation.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { type Change, changeOf, followChanges } from '../../events/changes.ts';
import { authoriseRead } from '../../graphql/graph/visibility.ts';
import { ownProperties } from '../../graphql/own-record.ts';
import { modelOf } from '../../records/metadata.ts';
import { Corporation } from './corporation.ts';

@ObjectType({ description: 'A change of a corporation.', simpleResolvers: true })
class CorporationChange extends changeOf(() => Corporation) {}

interface ChangeArguments {
  id: string;
  after?: string | null;
}

async function changesOf(
  { id, after }: ChangeArguments,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<AsyncIterableIterator<Change>> {
  const model = modelOf(Corporation);
  authoriseRead(context, model);
  await ownProperties(context, Corporation, { id }, ['id'], { id, field: 'id' });
  return followChanges(context, info, { models: [model], id }, after);
}

@Resolver()
export class CorporationChangeResolver {
  @access('PLATFORM')
  @Subscription(() => CorporationChange, {
    description: 'Changes of one corporation as they happen, each with the corporation. CORPORATION_NOT_FOUND if it does not exist.',
    subscribe: ({ args, context, info }) => changesOf(args as unknown as ChangeArguments, context, info),
  })
  corporationChanged(
    @Root() change: Change,
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) _id: string,
    @Arg('after', () => ID, { nullable: true, description: 'Resume after the message with this `eventId`, within seven days.' })
    _after: string | null,
  ): Change {
    return change;
  }
}

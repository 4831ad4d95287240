// Relay's object identification: the Node interface, and the two root fields that read any record by its global id.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, InterfaceType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, scopeOf } from '../access/context.ts';
import type { FieldTree } from '../database/reader/field-tree.ts';
import { projectionFor, type Row } from '../database/reader/projection.ts';
import { invalid } from '../records/errors.ts';
import { decodeGlobalId } from '../records/ids.ts';
import type { Model } from '../records/metadata.ts';
import { lookAhead } from './look-ahead.ts';

@InterfaceType({
  description: 'A record with a global id.',
  resolveType: (value: { __typename?: string }) => value.__typename ?? '',
})
export abstract class Node {
  @Field(() => ID, { description: 'Globally unique id; its prefix names the type.' }) id!: string;
}

/** Most records that one field reads by their global ids. */
export const MAX_IDS = 100;

/** Whether the caller may read records of a type, some of them at least. */
export const mayRead = ({ principal }: RequestContext, { node }: Model): boolean =>
  node?.roles.some((role) => principal?.roles.has(role)) === true;

/** What a global id names; undefined for one that names nothing, or a type that the key may not read. */
function named(id: string, context: RequestContext): ReturnType<typeof decodeGlobalId> {
  const found = decodeGlobalId(id);
  return found && mayRead(context, found.model) ? found : undefined;
}

async function readNode(id: string, context: RequestContext, info: GraphQLResolveInfo): Promise<Row | null> {
  return (await readNodes([id], context, info))[0]!;
}

/** Reads records by their global ids with what the operation selects of them, all of a type in one statement. */
export async function readNodes(
  ids: readonly string[],
  context: RequestContext,
  selection: GraphQLResolveInfo | FieldTree,
): Promise<(Row | null)[]> {
  const tree = 'fields' in selection ? selection : lookAhead(selection);
  const found = ids.map((id) => named(id, context));
  const rows = new Map<Model, Map<unknown, Row>>();
  const read = async (model: Model, keys: (string | number)[]): Promise<void> => {
    const where = { [model.key]: keys.length === 1 ? keys[0] : { in: keys } };
    const own = await context.services.reader.findRows(
      projectionFor(model, tree),
      { where, ...(keys.length === 1 ? { limit: 1 } : {}) },
      scopeOf(context),
    );
    rows.set(model, new Map(own.map((row) => [row[model.key], Object.assign(row, { __typename: model.name })])));
  };
  const groups = Map.groupBy(
    found.filter((one) => one !== undefined),
    ({ model }) => model,
  );
  await Promise.all([...groups].map(([model, group]) => read(model, [...new Set(group.map(({ key }) => key))])));
  return found.map((one) => (one && rows.get(one.model)?.get(one.key)) ?? null);
}

@Resolver()
export class NodeResolver {
  @access('PLATFORM', 'ENTITIES', 'INTEGRATIONS', 'ADMIN')
  @Query(() => Node, { nullable: true, description: 'Record with this global id; null if you cannot read it.' })
  node(
    @Arg('id', () => ID, { description: 'Global id of the record.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> {
    return readNode(id, context, info);
  }

  @access('PLATFORM', 'ENTITIES', 'INTEGRATIONS', 'ADMIN')
  @Query(() => [Node], {
    nullable: 'items',
    description: 'Records with these global ids, in input order; null for each that is not found.',
  })
  @Extensions({ sizedBy: ['ids'] })
  nodes(
    @Arg('ids', () => [ID], { description: 'Global ids, at most 100.' }) ids: string[],
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<(Row | null)[]> {
    if (ids.length > MAX_IDS) throw invalid('ids', `ids must have at most ${MAX_IDS} entries`, 'OUT_OF_RANGE');
    return readNodes(ids, context, info);
  }
}

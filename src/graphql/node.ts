// Relay's object identification: the Node interface, and the two root fields that read any record by its global id.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, InterfaceType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { projectionFor, propOf, type Row } from '../database/reader/projection.ts';
import { invalid } from '../records/errors.ts';
import { decodeGlobalId } from '../records/ids.ts';
import { lookAhead } from './look-ahead.ts';

@InterfaceType({
  description: 'A record with a global id.',
  resolveType: (value: { __typename?: string }) => value.__typename ?? '',
})
export abstract class Node {
  @Field(() => ID, { description: 'Globally unique id; its prefix names the type.' }) id!: string;
}

const MOST_IDS = 100;

async function readNode(id: string, context: RequestContext, info: GraphQLResolveInfo): Promise<Row | null> {
  const found = decodeGlobalId(id);
  if (!found || !nodeRoles.get(found.model.name)?.some((role) => context.principal?.roles.has(role as never))) return null;
  if (context.principal!.companyIds !== null && ofWholeOrganisation.has(found.model.name)) return null;
  const row = await context.services.reader.row({
    projection: projectionFor(found.model, lookAhead(info)),
    tenant: tenantOf(context),
    where: [{ prop: propOf(found.model, found.model.key), operator: 'eq', value: found.key }],
    primary: context.primary,
  });
  return row ? Object.assign(row, { __typename: found.model.name }) : null;
}

const nodeRoles = new Map<string, readonly string[]>();
const ofWholeOrganisation = new Set<string>();

/** Makes a record type readable through `node`, for keys with one of the roles. */
export function exposeNode(typeName: string, ...roles: string[]): void {
  nodeRoles.set(typeName, roles);
}

/** Hides a record type from keys limited to some companies, because its records concern every company of the organisation. */
export function closeNodeToLimitedKeys(typeName: string): void {
  ofWholeOrganisation.add(typeName);
}

@Resolver()
export class NodeResolver {
  @access('PLATFORM', 'ENTITIES', 'INTEGRATIONS', 'ADMIN')
  @Query(() => Node, { nullable: true, description: 'The record with this global id; null when there is none the key may see.' })
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
    description: 'The records with these global ids, in the order given; null in the place of each that is not found.',
  })
  nodes(
    @Arg('ids', () => [ID], { description: 'Global ids, at most 100.' }) ids: string[],
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<(Row | null)[]> {
    if (ids.length > MOST_IDS) throw invalid('ids', `ids must have at most ${MOST_IDS} entries`, 'OUT_OF_RANGE');
    return Promise.all(ids.map((id) => readNode(id, context, info)));
  }
}

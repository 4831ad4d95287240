// The public id of the organisation that owns a record, as `organizationId` shows it.

import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext, Services } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import { LevelLoaders } from '../../graphql/level-loaders.ts';

/** The public id of an organisation by its number. */
export async function organisationId({ reader }: Services, id: number): Promise<string> {
  const found = await reader.one(Organisation, { id }, ['publicId'], { tenant: null });
  return found!.publicId;
}

const owners = new LevelLoaders<number, string>('owners', async ({ services }, _info, ids) => {
  const where = { id: { in: [...new Set(ids)] } };
  const found = await services.reader.find(Organisation, { where }, ['id', 'publicId'], { tenant: null });
  const byId = new Map(found.map(({ id, publicId }) => [id, publicId]));
  return ids.map((id) => byId.get(id)!);
});

/** The public id of a record's organisation. The principal has the caller's own; only operators, who have no organisation, need a read. */
export function ownerOf(context: RequestContext, info: GraphQLResolveInfo, row: { organisationId: number }): string | Promise<string> {
  return context.principal?.organisation ?? owners.load(context, info, row.organisationId);
}

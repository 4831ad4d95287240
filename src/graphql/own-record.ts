// The one record a field asks for among those of the caller's organisation.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { projectionFor, propOf, type Row } from '../database/reader/projection.ts';
import type { GatewayError } from '../records/errors.ts';
import type { Model } from '../records/metadata.ts';
import { lookAhead } from './look-ahead.ts';

/** The record whose properties have these values, with what was selected of it; throws what `missing` makes when the caller has none. */
export async function ownRecord(
  context: RequestContext,
  info: GraphQLResolveInfo,
  model: Model,
  values: Record<string, unknown>,
  missing: () => GatewayError,
): Promise<Row> {
  const row = await context.services.reader.row({
    projection: projectionFor(model, lookAhead(info)),
    tenant: tenantOf(context),
    where: Object.entries(values).map(([name, value]) => ({ prop: propOf(model, name), operator: 'eq', value })),
    primary: context.primary,
  });
  if (!row) throw missing();
  return row;
}

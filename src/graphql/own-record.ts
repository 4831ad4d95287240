// Reads the one record of the caller's organisation that a field asks for.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { projectionFor, propOf, type Row } from '../database/reader/projection.ts';
import type { GatewayError } from '../records/errors.ts';
import type { Model } from '../records/metadata.ts';
import { lookAhead } from './look-ahead.ts';

/** The record with these property values, with its selected fields; throws the error of `missing` when the organisation has none. */
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

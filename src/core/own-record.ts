// The one record a field asks for among those of the caller's organisation.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, tenantOf } from './context.ts';
import type { GatewayError } from './errors.ts';
import type { Model } from './model.ts';
import { propOf, type Row, selectionFor } from './record-selection.ts';
import { lookAhead } from './selection.ts';

/** The record whose properties have these values, with what was selected of it; throws what `missing` makes when the caller has none. */
export async function ownRecord(
  context: RequestContext,
  info: GraphQLResolveInfo,
  model: Model,
  values: Record<string, unknown>,
  missing: () => GatewayError,
): Promise<Row> {
  const row = await context.services.reader.row({
    selection: selectionFor(model, lookAhead(info)),
    tenant: tenantOf(context),
    where: Object.entries(values).map(([name, value]) => ({ prop: propOf(model, name), operator: 'eq', value })),
    primary: context.primary,
  });
  if (!row) throw missing();
  return row;
}

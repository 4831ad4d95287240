// The public id of the organisation that owns a record, as `organizationId` shows it.

import type { RequestContext, Services } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import { projectionOf, propOf } from '../../database/reader/projection.ts';
import { modelOf } from '../../records/metadata.ts';

const model = modelOf(Organisation);
const projection = projectionOf(model, ['publicId']);

/** The public id of an organisation by its number. */
export async function organisationId(services: Services, number: number): Promise<string> {
  const row = await services.reader.row({
    projection,
    tenant: null,
    where: [{ prop: propOf(model, 'id'), operator: 'eq', value: number }],
    primary: true,
  });
  return row!.publicId as string;
}

/** The public id of a record's organisation. The principal has the caller's own; only operators, who have no organisation, need a read. */
export function ownerOf(context: RequestContext, row: { organisationId: number }): string | Promise<string> {
  return context.principal?.organisation ?? organisationId(context.services, row.organisationId);
}

// Reads whole rows inside a transaction, for the records of events.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { jsonOfRow } from '../../database/reader/json-expression.ts';
import type { Row } from '../../database/reader/projection.ts';
import { type Model, type Prop, propOf } from '../../records/metadata.ts';

/** Which rows of a record type. */
export interface RestRows {
  organisationId: number;
  /** Company of the records, where their key begins with it. */
  companyId?: number;
  /** The property that must have one of the values. */
  by: Prop;
  values: readonly unknown[];
  /** Whether to leave out deleted rows. */
  onlyLive: boolean;
  /** Constant conditions by property. */
  where: Readonly<Record<string, string>>;
  /** The property that orders them before their keys. */
  orderedBy?: string | undefined;
}

/** The rows in their order. */
export async function restRows(
  em: EntityManager,
  model: Model,
  { organisationId, companyId, by, values, onlyLive, where, orderedBy }: RestRows,
): Promise<Row[]> {
  const deletedAt = model.deletedAt ? model.props.get(model.deletedAt)!.column : undefined;
  const conditions = [
    `${by.column} = any($1::${by.kind === 'ledgerId' ? 'bigint' : 'text'}[])`,
    'organisation_id = $2',
    ...(companyId === undefined ? [] : ['company_id = $3']),
    ...(onlyLive && deletedAt ? [`${deletedAt} is null`] : []),
    ...Object.entries(where).map(([name, value]) => `${model.props.get(name)!.column} = '${value}'`),
  ];
  const order = [...(orderedBy ? [orderedBy] : []), model.key].map((name) => propOf(model, name).column);
  const found = await executeIn<{ row: Row }>(
    em,
    `select ${jsonOfRow(model)} as row from "${model.table}" where ${conditions.join(' and ')} order by ${order.join(', ')}`,
    [values, organisationId, ...(companyId === undefined ? [] : [companyId])],
  );
  return found.map(({ row }) => row);
}

// The statements that read a record for its source: its synchronisation state, its children, and the source ids of what it refers to.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { jsonMoment } from '../../database/reader/json-expression.ts';
import type { Model, Relation } from '../../records/metadata.ts';

/** Whose records are read. */
interface Within {
  organisationId: number;
  companyId: number;
}

/** The synchronisation state of a record, live or deleted. */
export interface Standing {
  state: string;
  error: string | null;
  hash: string | null;
  version: Record<string, unknown> | null;
  deleted: boolean;
  at: string;
}

/** The synchronisation state of the record. Locks it, so that what is read or written behind this in the transaction is of the same version. */
export async function readStanding(
  em: EntityManager,
  { companyId, ledgerId }: Within & { ledgerId: number },
  table: string,
): Promise<Standing> {
  const rows = await executeIn<Standing>(
    em,
    `select source_state as state, source_error as error, source_hash as hash, source_version as version, ledger_deleted_at is not null as deleted, ${jsonMoment('ledger_updated_at')} as at
     from "${table}" where company_id = $1 and ledger_id = $2 for update`,
    [companyId, ledgerId],
  );
  return rows[0]!;
}

/** The numbers of the live children of records in their order, with those of their parents. */
export async function readChildren(
  em: EntityManager,
  { organisationId, companyId }: Within,
  model: Model,
  { to, where = {}, orderedBy }: Relation,
  parents: readonly number[],
): Promise<{ id: number; parent: number }[]> {
  const { column } = model.props.get(to)!;
  const conditions = Object.entries(where).map(([name, value]) => ` and ${model.props.get(name)!.column} = '${value}'`);
  const rows = await executeIn<{ id: string | number; parent: string | number }>(
    em,
    `select ledger_id as id, ${column} as parent from "${model.table}"
     where company_id = $1 and organisation_id = $2 and ${column} = any($3::bigint[])${conditions.join('')} and ledger_deleted_at is null
     order by ${orderedBy ? `${model.props.get(orderedBy)!.column}, ` : ''}ledger_id`,
    [companyId, organisationId, parents],
  );
  return rows.map(({ id, parent }) => ({ id: Number(id), parent: Number(parent) }));
}

/** The source ids of records by their numbers, live or deleted. */
export const readSourceIds = (
  em: EntityManager,
  { organisationId, companyId }: Within,
  table: string,
  ids: readonly number[],
): Promise<{ id: string | number; name: string }[]> =>
  executeIn(
    em,
    `select ledger_id as id, platform_id as name from "${table}" where company_id = $1 and organisation_id = $2 and ledger_id = any($3::bigint[])`,
    [companyId, organisationId, ids],
  );

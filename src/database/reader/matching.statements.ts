// Which of the records that a transaction has changed meet a filter, as a list would find them once it has committed.
import type { Model } from '../../records/metadata.ts';
import { propOf } from '../../records/metadata.ts';
import { scopeCondition, type TenantScope } from '../../records/tenancy.ts';
import { engineOf } from '../engine/engine.ts';
import { type EntityManager, executeIn } from '../open.ts';
import type { Filter } from './conditions.ts';
import { bindFilters } from './filter-sql.ts';
import { plainText } from './list-statement.ts';

/** The keys, as text, of the records that meet the conditions in the view of the transaction. */
export async function keysMeeting(
  em: EntityManager,
  model: Model,
  where: readonly Filter[],
  tenant: TenantScope,
): Promise<ReadonlySet<string>> {
  const { column } = propOf(model, model.key);
  const scope = scopeCondition(model, tenant, 1);
  const values = [...scope.values];
  bindFilters(where, values);
  const text = plainText({
    model,
    columns: [column],
    scope,
    where,
    includeDeleted: false,
    parents: [],
    engine: engineOf(em),
    order: [],
    limit: undefined,
  });
  const rows = await executeIn(em, text, values);
  return new Set(rows.map((row) => String(row[column])));
}

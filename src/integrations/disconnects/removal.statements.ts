// The rows of a company that was removed, page by page.
import type { EntityManager } from '../../database/open.ts';
import { removeRows } from '../../queue/retention.statements.ts';
import { allModels, type Model } from '../../records/metadata.ts';
import { Company } from '../companies/company.ts';

/** Most rows removed in one transaction. */
const BATCH = 500;

/** Parts of a sync are found through it, because their tables have no index by company. */
const ofSync = (model: Model): boolean => model.props.has('syncId');

/** Removes some rows of a company in any table but its own; returns whether there were any. Parts of syncs come before the syncs. */
export async function removeSome(em: EntityManager, companyId: number): Promise<boolean> {
  const models = allModels().filter((model) => model.companyColumn !== undefined && model.class !== Company);
  for (const model of models.sort((a, b) => Number(ofSync(b)) - Number(ofSync(a)))) {
    const condition = ofSync(model)
      ? 't.company_id = $1::bigint and t.sync_id in (select id from sync where company_id = $1::bigint)'
      : `t.${model.companyColumn} = $1::bigint`;
    const removed = await removeRows(em, model.class, { condition, values: [companyId], limit: BATCH });
    if (removed.length > 0) return true;
  }
  return false;
}

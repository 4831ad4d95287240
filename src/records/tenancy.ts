// Tenant isolation, defined once: the ORM filter, the condition in every read, and the row-level security policy express the same rule.
import type { Model, Scope } from './metadata.ts';

/** The rows a request may touch. */
export interface TenantScope {
  organisationId: number;
  /** Companies of the organisation the key is limited to; null means all. */
  companyIds: readonly number[] | null;
}

/** Role that write transactions switch to. It owns no tables, so row-level security applies to it. */
export const APPLICATION_ROLE = 'ledger_gateway';

/** Session setting that names the organisation of a transaction. */
export const ORGANISATION_SETTING = 'app.organisation';

/**
 * Where a distributed engine keeps the rows of a record: those of companies on a worker, all rows of one company together, everything else at the
 * coordinator (docs/decisions/placement.md). A record that names a company and is not limited by it, such as an event, belongs to the organisation.
 */
export const placementOf = ({ companyColumn }: Pick<Model, 'companyColumn'>): 'company' | 'coordinator' =>
  companyColumn === undefined ? 'coordinator' : 'company';

/** On by default for every record that belongs to an organisation; an entity manager without the parameter throws instead of returning rows of others. */
export const tenantFilter = {
  name: 'tenant',
  cond: (args: { organisationId: number }) => ({ organisationId: args.organisationId }),
  default: true,
  args: true,
};

/** Policies of a table whose rows belong to an organisation. Without the setting no row is visible or writable. */
export function tenantPolicies(scope: Scope): { name: string; using: string; check: string }[] {
  if (scope === 'shared') return [];
  const condition = `organisation_id = nullif(current_setting('${ORGANISATION_SETTING}', true), '')::bigint`;
  return [{ name: 'tenant', using: condition, check: condition }];
}

/** The tenant condition of a read statement on the table alias `t`, with the values it binds from parameter `$first` on. */
export function scopeCondition(
  model: Pick<Model, 'scope' | 'companyColumn'>,
  tenant: TenantScope | null,
  first: number,
): { sql: string; values: string[] } {
  if (model.scope === 'shared') return { sql: 'true', values: [] };
  if (!tenant) throw new Error('a read of tenant rows needs an organisation');
  const own = `t.organisation_id = $${first}`;
  if (!model.companyColumn || tenant.companyIds === null) return { sql: own, values: [String(tenant.organisationId)] };
  return {
    sql: `${own} and t.${model.companyColumn} = any($${first + 1}::bigint[])`,
    values: [String(tenant.organisationId), `{${tenant.companyIds.join(',')}}`],
  };
}

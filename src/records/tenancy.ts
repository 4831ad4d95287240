// Tenant isolation, defined once: the ORM filter, the condition in every read, and the row-level security policy express the same rule.
import { type Model, modelOf, propOf, type Scope } from './metadata.ts';

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

type Limited = Pick<Model, 'companyColumn' | 'companyLimit'>;

/** The condition on a table alias for keys that are limited to some companies, given as a parameter; undefined where they see every row. */
function companyCondition({ companyColumn, companyLimit }: Limited, alias: string, companies: string): string | undefined {
  if (companyColumn) return `${alias}.${companyColumn} = any(${companies}::bigint[])`;
  if (!companyLimit) return undefined;
  if ('company' in companyLimit) return `${alias}.${companyLimit.company} = any(${companies}::bigint[])`;
  if ('companies' in companyLimit) return `${alias}.${companyLimit.companies} <@ to_jsonb(${companies}::bigint[])`;
  const target = modelOf(companyLimit.through());
  const other = `${alias}l`;
  const conditions = [
    `${other}.organisation_id = ${alias}.organisation_id`,
    `${other}.${propOf(target, target.key).column} = ${alias}.${companyLimit.by}`,
    companyCondition(target, other, companies),
  ];
  return `exists (select from "${target.table}" ${other} where ${conditions.join(' and ')})`;
}

/** The column by which a record is limited to companies. */
function limitColumn({ companyColumn, companyLimit }: Limited): string | undefined {
  if (companyColumn || !companyLimit) return companyColumn;
  return 'company' in companyLimit ? companyLimit.company : 'companies' in companyLimit ? companyLimit.companies : companyLimit.by;
}

/** The tenant condition of a read statement on the table alias `t`, with its columns, and its values bound from parameter `$first` on. */
export function scopeCondition(
  model: Pick<Model, 'scope'> & Limited,
  tenant: TenantScope | null,
  first: number,
): { sql: string; columns: string[]; values: string[] } {
  if (model.scope === 'shared') return { sql: 'true', columns: [], values: [] };
  if (!tenant) throw new Error('a read of tenant rows needs an organisation');
  const own = `t.organisation_id = $${first}`;
  const organisation = String(tenant.organisationId);
  const limit = tenant.companyIds === null ? undefined : companyCondition(model, 't', `$${first + 1}`);
  const columns = ['organisation_id', limitColumn(model)].filter((column) => column !== undefined);
  if (limit === undefined) return { sql: own, columns, values: [organisation] };
  return { sql: `${own} and ${limit}`, columns, values: [organisation, `{${tenant.companyIds!.join(',')}}`] };
}

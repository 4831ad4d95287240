// The companies that a corporation names: who may name them, and the check of its registrations that a change of them begins.
import { authorise } from '../../access/authorise.ts';
import { type RequestContext, type Services, tenantOf } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { enqueue } from '../../queue/queue.ts';
import { invalid } from '../../records/errors.ts';
import { modelOf, namedBy, propOf } from '../../records/metadata.ts';
import type { RoleName } from '../../records/roles.ts';
import { Corporation } from './corporation.ts';

/** Who may read invoices. */
const LEDGER_ROLES: readonly RoleName[] = ['INTEGRATIONS'];

/** What every company has. */
interface NamedCompany {
  ledgerId: number;
}

/** Rejects companies that the caller may not see. A removed company is not one. */
export async function requireCompanies(context: RequestContext, em: EntityManager, ids: readonly number[]): Promise<void> {
  authorise(context, LEDGER_ROLES);
  const [company] = namedBy(Corporation, propOf(modelOf(Corporation), 'companyIds'))();
  const { organisationId, companyIds } = tenantOf(context);
  const found = (await em.find(company!.class, {
    organisationId,
    ledgerId: { $in: [...ids] },
    [company!.deletedAt!]: null,
  })) as NamedCompany[];
  const known = new Set(found.map(({ ledgerId }) => ledgerId));
  const visible = companyIds && new Set(companyIds);
  const unknown = ids.find((id) => !known.has(id) || visible?.has(id) === false);
  if (unknown !== undefined)
    throw invalid('input.companyIds', `companyIds has ${unknown}, which is not a company of the organisation`, 'NOT_FOUND');
}

/** The task that compares the sales of a corporation with thresholds. */
export const NEXUS_TASK = 'corporation-nexus';

/** Which corporation a job looks at. */
export interface NexusPayload {
  readonly organisationId: number;
  readonly corporationId: string;
  readonly [name: string]: string | number;
}

/** Has the sales of a corporation compared with thresholds, once the transaction commits. */
export const enqueueNexus = (em: EntityManager, { queue }: Pick<Services, 'queue'>, payload: NexusPayload): void =>
  enqueue(em, queue, NEXUS_TASK, payload, { singletonKey: payload.corporationId });

// Quotas: how much an organisation may have, so that one does not fill the disk of all.
import type { Config } from '../config.ts';
import { lockUntilCommit } from '../database/locks.ts';
import type { EntityManager } from '../database/open.ts';
import { GatewayError } from '../records/errors.ts';
import { countOf, type QuotaName } from './quotas.statements.ts';

/** Whether transactions may count at once: one after the other they would be slow. */
const isShared = (name: QuotaName): boolean => name === 'megabytes' || name === 'batches' || name === 'rawMegabytes';

/** What the unit of a quota is of what is counted. */
const unitOf = (name: QuotaName): number => (name === 'megabytes' || name === 'rawMegabytes' ? 1_048_576 : 1);

/** What each quota counts, how more of it is made possible, and its setting; `/limits` publishes them. */
export const quotas: Readonly<Record<QuotaName, { what: string; remedy: string; setting: string }>> = {
  megabytes: { what: 'MB of files', remedy: 'delete attachments, wait until unused files expire', setting: 'QUOTA_MEGABYTES' },
  rawMegabytes: {
    what: 'MB of source records that connections keep',
    remedy: 'end `keepsRawData` of a connection, wait until its retention is over',
    setting: 'QUOTA_RAW_MEGABYTES',
  },
  companies: { what: 'companies', remedy: 'remove a company', setting: 'QUOTA_COMPANIES' },
  connections: { what: 'connections', remedy: 'disconnect a company', setting: 'QUOTA_CONNECTIONS' },
  keys: { what: 'access keys', remedy: 'revoke a key', setting: 'QUOTA_KEYS' },
  batches: { what: 'batches that are not written', remedy: 'wait until some are written, cancel them', setting: 'QUOTA_BATCHES' },
};

/** What an organisation has of a quota, rounded up. */
export const usedOf = async (em: EntityManager, organisationId: number, name: QuotaName): Promise<number> =>
  Math.ceil((await countOf(em, organisationId, name)) / unitOf(name));

/** Whether an organisation has as much of a quota as it may have, where what is beyond it is left out and not rejected. */
export async function hasReached(em: EntityManager, { quotas: limits }: Config, organisationId: number, name: QuotaName): Promise<boolean> {
  return limits[name] !== 0 && (await countOf(em, organisationId, name)) >= limits[name] * unitOf(name);
}

/**
 * Throws QUOTA_EXCEEDED where an organisation has as much as it may have; called in the transaction that adds one. Two transactions cannot both add
 * the last company, connection or key. Uploads and batches that arrive at the same time may together exceed their quota.
 */
export async function requireQuota(em: EntityManager, { quotas: limits }: Config, organisationId: number, name: QuotaName): Promise<void> {
  const limit = limits[name];
  if (limit === 0) return;
  if (!isShared(name)) await lockUntilCommit(em, `${name} of organisation ${organisationId}`);
  const count = await countOf(em, organisationId, name);
  if (count < limit * unitOf(name)) return;
  const { what, remedy, setting } = quotas[name];
  throw new GatewayError(
    'QUOTA_EXCEEDED',
    `the organisation has ${Math.ceil(count / unitOf(name))} ${what}, and may have ${limit}: ${remedy}, or ask the operator for more (${setting})`,
  );
}

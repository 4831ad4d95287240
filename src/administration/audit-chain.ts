/**
 * The chains of the audit log. Entries are stored by the writes that they describe. Afterwards the sealer takes those that have committed, in the
 * order of their times. It gives each the next place in the chain of its organisation, and a hash over its content and the previous hash. So no write
 * waits for another. Altering, removing or moving an entry breaks the chain from there on, unless all later hashes are computed again. The heads show
 * that too: the log of the process has each of them, where a user of the database cannot reach it.
 */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { AuditChain } from '../access/audit-entry.ts';
import { Organisation } from '../access/tables.ts';
import { afterCommit } from '../database/effects.ts';
import { lockUntilCommit } from '../database/locks.ts';
import type { EntityManager } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { type Chore, cutoff, type ScheduleServices } from '../queue/schedules.ts';
import type { Watch } from '../queue/watches.ts';
import {
  chainFrom,
  entriesFrom,
  lastPositions,
  removeOldest,
  type SealedEntry,
  storeSeals,
  UNSEALED,
  unsealedEntries,
} from './audit.statements.ts';

/** Entries that one transaction seals, verifies or removes. */
const BATCH = 1_000;

/** Most entries that one call verifies, some tenths of a second. */
const MAX_VERIFIED = 10_000;

/** Most problems that one call reports. */
const MAX_PROBLEMS = 100;

/** The hash of an entry at its place: SHA-256 over the previous hash, a line feed and the members of the entry as a JSON array. */
export function hashOfEntry(previous: string, position: number, entry: SealedEntry): string {
  const { id, organisationId, at, actorKind, actorId, operation, recordIds, recordCount } = entry;
  const { beforeHash, afterHash, address, requestId, reason } = entry;
  const who = [at, actorKind, actorId, address, requestId, reason];
  const what = [operation, recordIds, recordCount, beforeHash, afterHash];
  return createHash('sha256')
    .update(`${previous}\n${JSON.stringify([position, id, organisationId, ...who, ...what])}`)
    .digest('hex');
}

/** Seals a batch of entries; returns whether more may be left. One sealer works at a time. */
async function sealBatch(em: EntityManager, log: Logger): Promise<boolean> {
  await lockUntilCommit(em, 'audit chains');
  const entries = await unsealedEntries(em, BATCH);
  if (entries.length === 0) return false;
  const byChain = Map.groupBy(entries, ({ chain }) => chain);
  const chains = await em.find(AuditChain, { organisationId: { $in: [...byChain.keys()] } });
  const ends = new Map(chains.map(({ organisationId, endPosition, endHash }) => [organisationId, { endPosition, endHash }]));
  // An entry that continues a chain whose record is gone has no hash to continue. Verification therefore finds the place.
  const lost = [...byChain.keys()].filter((chain) => !ends.has(chain));
  for (const { chain, position } of await lastPositions(em, lost)) ends.set(chain, { endPosition: position, endHash: '' });
  const seals = [...byChain].flatMap(([chain, own]) => {
    let { endPosition, endHash } = ends.get(chain) ?? { endPosition: 0, endHash: '' };
    const sealed = own.map((entry) => {
      endPosition++;
      endHash = hashOfEntry(endHash, endPosition, entry);
      return { id: entry.id, position: endPosition, hash: endHash };
    });
    ends.set(chain, { endPosition, endHash });
    return sealed;
  });
  await storeSeals(
    em,
    seals,
    [...ends].map(([chain, end]) => ({ chain, ...end })),
  );
  afterCommit(em, () => {
    for (const [chain, { endPosition, endHash }] of ends)
      log.info({ organisationId: byChain.get(chain)![0]!.organisationId, position: endPosition, hash: endHash }, 'audit chain head');
  });
  return entries.length === BATCH;
}

/** Seals what has committed since the last run. */
export const auditSealing: Watch = {
  name: 'audit-sealing',
  everyMs: 10_000,
  due: () => ({ statement: UNSEALED, values: [] }),
  batch: (em, { log }) => sealBatch(em, log),
};

/**
 * Removes entries past their retention from the start of each chain, but never the newest. The chain keeps the hash that the first kept entry
 * continues.
 */
export const auditRetention: Chore = {
  name: 'audit-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.auditDays);
    return before !== undefined && (await removeOldest(em, before, BATCH)) > 0;
  },
};

/** What is wrong at a place of a chain. */
export interface ChainProblem {
  organisationId: string | null;
  position: number;
  entryId: string | null;
  kind: 'ALTERED' | 'MISSING';
}

/** The newest entry of a chain that was verified to its end. */
export interface ChainHead {
  organisationId: string | null;
  position: number;
  hash: string;
}

/** Where a verification continues: a chain, and the last entry of it that was verified. */
export interface VerifiedTo {
  chain: number;
  position: number;
}

/** What verification works with. */
type AuditServices = Pick<ScheduleServices, 'database' | 'config' | 'clock' | 'log'>;

export interface Verification {
  checked: number;
  problems: ChainProblem[];
  heads: ChainHead[];
  /** Null after the last chain. */
  next: VerifiedTo | null;
}

/** Verifies the chains of all organisations, or of one, from a place on and for a bounded number of entries. What has committed is sealed before. */
export async function verifyChains(
  services: AuditServices,
  organisation: number | undefined,
  from: VerifiedTo | null,
): Promise<Verification> {
  const { database, log } = services;
  if (!from) while (await systemTransaction(database, (em) => sealBatch(em, log)));
  const result: Verification = { checked: 0, problems: [], heads: [], next: null };
  let at: VerifiedTo | null = from ?? { chain: organisation ?? 0, position: 0 };
  while (at && result.checked < MAX_VERIFIED && result.problems.length < MAX_PROBLEMS) {
    const start: VerifiedTo = at;
    at = await systemTransaction(database, (em) => verifyBatch(em, services, organisation, start, result));
  }
  return { ...result, next: at };
}

/** Verifies up to a batch of entries of one chain; returns where to continue. */
async function verifyBatch(
  em: EntityManager,
  services: AuditServices,
  organisation: number | undefined,
  from: VerifiedTo,
  result: Verification,
): Promise<VerifiedTo | null> {
  const found = await chainFrom(em, from.chain);
  if (!found || (organisation !== undefined && found.number !== organisation)) return null;
  const { number, chain } = found;
  const start = chain ?? { startPosition: 0, startHash: '' };
  const owner = await em.findOne(Organisation, { id: number }, { fields: ['publicId'] });
  const organisationId = owner?.publicId ?? null;
  const begun = number === from.chain && from.position > start.startPosition;
  // A continued chain begins with the entry that was verified last, because its hash is needed. Any other begins with its first entry, also one
  // before its start.
  const first = begun ? from.position : Number.MIN_SAFE_INTEGER;
  const entries = await entriesFrom(em, number, first, BATCH);
  const known = begun && entries[0]?.position === first ? entries.shift()! : undefined;
  let position = begun ? first : start.startPosition;
  let previous: string | null = begun ? (known?.hash ?? null) : start.startHash;
  // Retention keeps the newest entry that is old enough, so the first one is.
  const before = cutoff(services, services.config.retention.auditDays);
  if (!begun && position > 0 && !(before && entries[0] && entries[0].at < before))
    result.problems.push({ organisationId, position, entryId: null, kind: 'MISSING' });
  for (const entry of entries) {
    const expected = position + 1;
    position = entry.position!;
    if (position !== expected) result.problems.push({ organisationId, position: expected, entryId: null, kind: 'MISSING' });
    else if (previous !== null && hashOfEntry(previous, position, entry) !== entry.hash)
      result.problems.push({ organisationId, position, entryId: entry.id, kind: 'ALTERED' });
    previous = entry.hash;
  }
  result.checked += entries.length;
  if (entries.length + (known ? 1 : 0) === BATCH) return { chain: number, position };
  if (chain) checkEnd(chain, { organisationId, position, hash: previous }, result);
  else result.problems.push({ organisationId, position: position + 1, entryId: null, kind: 'MISSING' });
  return { chain: number + 1, position: 0 };
}

/** Compares the last entry of a chain with its recorded end. */
function checkEnd(
  { endPosition, endHash }: AuditChain,
  { organisationId, position, hash }: Omit<ChainHead, 'hash'> & { hash: string | null },
  result: Verification,
): void {
  if (position < endPosition) result.problems.push({ organisationId, position: position + 1, entryId: null, kind: 'MISSING' });
  else if (position > endPosition || (hash !== null && hash !== endHash))
    result.problems.push({ organisationId, position, entryId: null, kind: 'ALTERED' });
  result.heads.push({ organisationId, position: endPosition, hash: endHash });
}

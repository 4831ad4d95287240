// Waiting for the source: a write that returns only when the source has accepted it, or when the time is over.
import { type RequestContext, type Services, scopeOf } from '../../access/context.ts';
import { watchProgress } from '../../events/progress.ts';
import { type ErrorCode, type ErrorInfo, GatewayError, invalid } from '../../records/errors.ts';
import { CacheKey } from '../../runtime/caches.ts';
import { subscribe } from '../../runtime/poll.ts';
import { Sync, SyncJob } from '../syncs/state/sync.ts';
import { isOver } from '../syncs/state/sync-state.ts';

/** Longest wait, in seconds. */
export const MAX_SECONDS = 30;
/** Calls that wait at a time in one process. A further call returns immediately, as if its time were over. */
export const MAX_WAITING = 200;

/** What the job of a rejected push says of it. */
interface RefusedPush {
  ledger_id: number;
  platform_error?: ErrorInfo['platformError'];
}

/** The syncs whose callers wait in this process. */
export const waitingWrites = new CacheKey<Services, Set<string>>('waiting_writes', () => new Set());

/** Rejects a wait that is too long, before anything is stored. */
export function requireWait(wait: number | null | undefined): void {
  if (wait != null && (wait < 0 || wait > MAX_SECONDS))
    throw invalid('wait', `wait must be 0 to ${MAX_SECONDS} seconds, not ${wait}`, 'OUT_OF_RANGE');
}

/**
 * Waits until the sync of a write is over, wherever its pushes run, at most so many seconds and no longer than the caller does. Holds neither a
 * transaction nor a connection to the database while it waits.
 */
export async function waitForSource(context: RequestContext, syncId: string, seconds: number): Promise<void> {
  const { caches, notifications, reader } = context.services;
  const syncs = caches.of(waitingWrites);
  if (syncs.size >= MAX_WAITING) return;
  syncs.add(syncId);
  const states = subscribe<never>(
    (wake) => watchProgress(context.services, syncId, wake),
    async () => {
      const sync = await reader.one(Sync, { id: syncId }, ['status'], scopeOf(context));
      return { items: [], isOver: !sync || isOver(sync) };
    },
    notifications.pollMs,
  );
  const end = (): void => void states.return?.();
  const timer = setTimeout(end, seconds * 1_000);
  const stay = context.onLeave?.(end);
  try {
    await states.next();
  } finally {
    clearTimeout(timer);
    stay?.();
    syncs.delete(syncId);
  }
}

/** Why the source has rejected records of a sync, in its words, by their numbers. */
export async function refusedBySource(context: RequestContext, syncId: string): Promise<Map<number, GatewayError>> {
  const select = ['errorCode', 'errorMessage', 'errorResponse'] as const;
  const jobs = await context.services.reader.find(SyncJob, { where: { syncId, status: 'FAILED' } }, select, scopeOf(context));
  return new Map(
    jobs.flatMap(({ errorCode, errorMessage, errorResponse }): [number, GatewayError][] => {
      // The job of the data model reports no record.
      if (!errorResponse) return [];
      const { ledger_id: ledgerId, platform_error: platformError } = errorResponse as unknown as RefusedPush;
      return [[ledgerId, new GatewayError(errorCode as ErrorCode, errorMessage!, platformError ? { platformError } : {})]];
    }),
  );
}

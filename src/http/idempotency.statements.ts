// The statement that claims an idempotency key.
import { type EntityManager, executeIn } from '../database/open.ts';
import type { IdempotencyKey } from './idempotency-key.ts';

/** A claim of a run of a request on its key. */
export type NewClaim = Pick<IdempotencyKey, 'keyId' | 'method' | 'path' | 'name' | 'bodyHash' | 'owner' | 'leaseUntil' | 'expiresAt'>;

/**
 * Claims a key that is new or expired, or whose claim by the same request has neither written nor responded and has outlived its lease. Returns
 * whether it did. Of concurrent claims one succeeds.
 */
export async function claimKey(em: EntityManager, claim: NewClaim, now: Date): Promise<boolean> {
  const { keyId, method, path, name, bodyHash, owner, leaseUntil, expiresAt } = claim;
  const rows = await executeIn(
    em,
    `insert into idempotency_key (key_id, method, path, name, body_hash, owner, is_written, lease_until, expires_at)
     values ($1, $2, $3, $4, $5, $6, false, $7::timestamptz, $8::timestamptz)
     on conflict (key_id, method, path, name) do update set body_hash = excluded.body_hash, owner = excluded.owner, is_written = false,
         status = null, headers = null, body = null, lease_until = excluded.lease_until, expires_at = excluded.expires_at
       where idempotency_key.expires_at <= $9::timestamptz
         or (idempotency_key.body_hash = excluded.body_hash and idempotency_key.status is null and not idempotency_key.is_written and idempotency_key.lease_until <= $9::timestamptz)
     returning owner`,
    [keyId, method, path, name, bodyHash, owner, leaseUntil.toISOString(), expiresAt.toISOString(), now.toISOString()],
  );
  return rows.length > 0;
}

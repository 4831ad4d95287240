// Digests of values that JSON columns hold.
import { hash } from 'node:crypto';

/** SHA-256 of a value as JSON, whatever the order of its members. */
export const digestOf = (value: unknown, encoding: 'hex' | 'base64url' = 'hex'): string =>
  hash('sha256', JSON.stringify(canonical(value)), encoding);

/** JSON columns do not keep the order of members, so hashes must not depend on it. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, canonical(entry)]),
  );
}

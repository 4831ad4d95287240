// The audit log of a gateway under test, as it is stored.
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import type { Gateway } from './gateway.ts';

/** An entry as it is stored. */
export interface StoredEntry {
  id: string;
  operation: string;
  request_id: string;
  actor_kind: string;
  actor_id: string | null;
  organisation_id: string | null;
  record_ids: string[];
  record_count: number;
  before_hash: string | null;
  after_hash: string | null;
  address: string | null;
  reason: string | null;
}

/** Runs a statement on the database of a gateway. */
export const execute = <T>(gateway: Gateway, text: string, values: unknown[] = []): Promise<T[]> =>
  systemTransaction(gateway.services.database, (em) => executeIn<T>(em, text, values));

/** The entries of the requests with these ids, or of all, in the order of their ids. */
export const entriesOf = (gateway: Gateway, requestId?: string): Promise<StoredEntry[]> =>
  execute(gateway, `select * from audit_entry where $1::text is null or request_id = $1 order by id`, [requestId ?? null]);

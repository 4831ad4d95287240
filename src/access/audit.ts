// Entries of the audit log: one for each write transaction of a request, stored by one statement in that transaction. They are sealed later, so that no write waits for another.
import { createHash } from 'node:crypto';
import type { EventSubscriber, FlushEventArgs } from '@mikro-orm/core';
import { addEffects, type Effect } from '../database/effects.ts';
import type { EntityManager } from '../database/open.ts';
import { newId, storedGlobalId } from '../records/ids.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';
import { AuditEntry } from './audit-entry.ts';
import type { RequestContext } from './context.ts';

/** Most record ids of an entry; it counts the others. */
const MAX_IDS = 100;

/** A record that a write named. */
export interface AuditedRecord {
  /** Global id, or the name of content that has none. */
  id: string;
  /** Hash of its content before and after the write, where they are known. */
  before?: string | null;
  after?: string | null;
}

/** A part of the entry of a transaction. */
interface Part {
  /** The request that writes, and the organisation it writes for; null for content that all organisations share. */
  call?: { context: RequestContext; organisationId: number | null };
  records?: readonly AuditedRecord[];
  reason?: string | null;
}

/** Stores the entry of a transaction. Background work has no call, and what changed nothing names no records: neither has an entry. */
const audited: Effect<Part> = {
  async store(em, parts) {
    const call = parts.find((part) => part.call)?.call;
    // Transactions of the whole system end here too.
    call?.context.committing?.();
    const records = together(parts.flatMap((part) => part.records ?? []));
    if (!call || records.length === 0) return;
    const { context, organisationId } = call;
    if (!context.mutation) throw new Error('a write needs the name of its mutation');
    await em.insert(AuditEntry, {
      id: newId('audit'),
      organisationId,
      at: context.services.clock.now(),
      actorKind: context.principal?.kind ?? 'LINK',
      actorId: context.principal?.identity ?? null,
      operation: context.mutation,
      recordIds: records.slice(0, MAX_IDS).map(({ id }) => id),
      recordCount: records.length,
      beforeHash: hashOf(records.map(({ before }) => before)),
      afterHash: hashOf(records.map(({ after }) => after)),
      address: context.ip,
      requestId: context.requestId,
      reason: parts.find((part) => part.reason)?.reason ?? null,
    });
  },
};

/** Begins the entry of a write transaction. Records that the unit of work stores name themselves; statements name theirs by `auditRecords`. */
export function audit(em: EntityManager, context: RequestContext, organisationId: number | null): void {
  addEffects(em, audited, [{ call: { context, organisationId } }]);
  em.getEventManager().registerSubscriber(new FlushedRecords(em));
}

/** Names records that the transaction writes, and why an operator does so. */
export const auditRecords = (em: EntityManager, records: readonly AuditedRecord[], reason: string | null = null): void =>
  addEffects(em, audited, [{ records, reason }]);

/** A row of the unit of work as the audit log names it. */
export function auditedRow(row: object): AuditedRecord {
  const model = modelOf(row.constructor as RecordClass);
  return { id: storedGlobalId(model, (row as Record<string, string | number>)[model.key]!) };
}

/** Names the records of each flush. */
class FlushedRecords implements EventSubscriber {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  async afterFlush({ uow }: FlushEventArgs): Promise<void> {
    auditRecords(
      this.#em,
      uow.getChangeSets().map(({ entity }) => auditedRow(entity)),
    );
  }
}

/** The records by their ids. One that was written twice has its state before the first write and after the last. */
function together(records: readonly AuditedRecord[]): AuditedRecord[] {
  const byId = new Map<string, AuditedRecord>();
  for (const record of records) {
    const first = byId.get(record.id);
    byId.set(record.id, first ? { ...first, after: record.after ?? first.after ?? null } : record);
  }
  return [...byId.values()];
}

/** One hash for the content of all records; of one record its own, and null where one is not known. */
function hashOf(hashes: readonly (string | null | undefined)[]): string | null {
  if (hashes.some((hash) => hash == null)) return null;
  return hashes.length === 1 ? hashes[0]! : createHash('sha256').update(hashes.join()).digest('hex');
}

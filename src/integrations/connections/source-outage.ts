// Outages of sources: all processes leave a source alone that fails one call after the other, and later try it with one call at a time.
import { LockMode } from '@mikro-orm/core';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { integer, moment, object, record, text } from '../../records/decorators.ts';
import { SourceDown } from '../connectors/source-http.ts';
import type { Connection } from './connection.ts';

/** Failures one after the other after which the source is left alone. */
const MAX_FAILURES = 5;
/** First pause after them; each further failure doubles it. A call that tries whether it is over has as long: its own limit is a minute. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 900_000;
/** Failures before a day without any do not count. */
const DAY_MS = 86_400_000;

@record({
  description: 'A source whose calls fail, from the first failure until one succeeds.',
  scope: 'shared',
  key: 'address',
  prefix: 'source_outage',
  primaryKey: ['source', 'address'],
  internal: true,
})
export class SourceOutage {
  @text('Name of the source.', { required: true }) source!: string;
  @text('Hosts that the settings of its connections name; empty for a source that is in one place.', { required: true }) address!: string;
  @integer('Calls that failed one after the other.', { required: true }) failures!: number;
  @object('The organisations of the connections whose calls failed, by the ids of the connections.', { required: true })
  connections!: Record<string, number>;
  @moment('Until when it is not called.', { required: true }) until!: Date;
  @moment('When a call last failed.', { required: true }) failedAt!: Date;
}

type Known = Pick<SourceOutage, 'failures' | 'connections' | 'until'>;

/** Whose calls are made. */
export type Caller = Pick<Connection, 'id' | 'companyId' | 'source'> & { organisationId: number };

/** What a run of a connection reads and reports about outages of its source. */
export interface OutageWatch {
  /** Throws SourceDown while the source is left alone. */
  enter(): Promise<void>;
  responded(): Promise<void>;
  failed(): Promise<void>;
}

/**
 * Whether an outage holds back the calls of a connection. A connection that fails alone holds back only itself, and those of one organisation only
 * their own: what a caller has set up wrongly must not stop others.
 */
function holdsBack({ failures, connections }: Known, { id, organisationId }: Caller): boolean {
  if (failures < MAX_FAILURES) return false;
  const owners = Object.values(connections);
  return id in connections || new Set(owners).size > 1 || owners.filter((owner) => owner === organisationId).length > 1;
}

/** Watches for outages during a run. A run asks the database at its first call, and then only while something has failed. */
export function watchOutages({ database, reader, clock }: Services, caller: Caller, address: string): OutageWatch {
  const place = { source: caller.source, address };
  const read = async (): Promise<Known | null> => {
    const found = await reader.one(SourceOutage, place, ['failures', 'connections', 'until'], { tenant: null });
    return found ? { ...found, until: new Date(found.until) } : null;
  };
  const change = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => systemTransaction(database, work);
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms);
  /** Null while nothing has failed since the last response; undefined before the first call. */
  let known: Known | null | undefined;
  return {
    async enter() {
      if (known === null) return;
      known = await read();
      if (!known || !holdsBack(known, caller)) return;
      const now = clock.now();
      if (known.until > now) throw new SourceDown(known.failures, known.until, now);
      const next = later(FIRST_PAUSE_MS);
      const isMine = await change((em) => em.nativeUpdate(SourceOutage, { ...place, until: { $lte: now } }, { until: next }));
      if (isMine === 0) throw new SourceDown(known.failures, next, now);
    },
    async responded() {
      if (known) await change((em) => em.nativeDelete(SourceOutage, place));
      known = null;
    },
    async failed() {
      await change(async (em) => {
        const now = clock.now();
        const first = { ...place, failures: 0, connections: {}, until: now, failedAt: now };
        await em.upsert(SourceOutage, first, { onConflictAction: 'ignore' });
        const outage = await em.findOneOrFail(SourceOutage, place, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
        if (outage.failedAt < later(-DAY_MS)) Object.assign(outage, first);
        outage.failures += 1;
        outage.connections = { ...outage.connections, [caller.id]: caller.organisationId };
        outage.failedAt = now;
        const beyond = outage.failures - MAX_FAILURES;
        if (beyond >= 0) outage.until = later(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** beyond));
        known = { failures: outage.failures, connections: outage.connections, until: outage.until };
      });
    },
  };
}

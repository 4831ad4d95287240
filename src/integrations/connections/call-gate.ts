// The calls of a connection at its source: paced by what the connector declares, paused where the source limits them. All processes share it.
import { setTimeout } from 'node:timers/promises';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { GatewayError } from '../../records/errors.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import type { CallLimits } from '../connectors/connector.ts';
import type { CallGate } from '../connectors/source-http.ts';
import { claimCall, type Pace } from './call-gate.statements.ts';
import { Connection } from './connection.ts';
import { type Caller, watchOutages } from './source-outage.ts';

/** Calls are made for a connection that was found already; the gate asks for no other. */
const UNSCOPED = { filters: { tenant: false } };
const MINUTE_MS = 60_000;
/** Part of the calls of a minute that may be made at once. */
const BURST_PART = 6;
/** Part of the allowance that is used: calls arrive with the delays of the network, so some that are apart here arrive together there. */
const USED_PART = 0.9;
/** Longest wait for a call; a run that would wait longer pauses instead. */
const WAIT_MS = 10_000;
/**
 * The pace that keeps within a number of calls in any sixty seconds. The burst and the calls regained in a minute do not exceed that number together.
 */
export function paceOf(perMinute: number): Pace {
  const burst = Math.max(1, Math.floor(perMinute / BURST_PART));
  return { burst, intervalMs: MINUTE_MS / Math.max(1, USED_PART * perMinute - burst), waitMs: WAIT_MS };
}

/** What decides when the calls of a run are made. */
export interface GateOptions {
  connection: Caller & StoredRecord<Connection, 'callsPausedUntil'>;
  /** The hosts of the source, where its settings name them. */
  address: string;
  limits: CallLimits | undefined;
}

/** The gate of a connection. One without limits asks the database at its first call, and then only where something has failed. */
export function callGate(services: Services, { connection, address, limits }: GateOptions): CallGate {
  const { database, clock } = services;
  const { id, companyId, callsPausedUntil } = connection;
  const key = { id, companyId };
  const pace = limits && paceOf(limits.perMinute);
  const outages = watchOutages(services, connection, address);
  let pausedUntil = callsPausedUntil ? new Date(callsPausedUntil) : null;
  const change = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => systemTransaction(database, work);

  /** Throws what a pause means. */
  const refuse = (until: Date): never => {
    throw new GatewayError('PLATFORM_RATE_LIMIT_EXCEEDED', 'the source limits the rate of requests', {
      retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - clock.now().getTime()) / 1_000)),
    });
  };
  /** Claims a call; returns how long to wait for it. */
  const claim = (byPace: Pace): Promise<number> =>
    change(async (em) => {
      const now = clock.now();
      const ahead = (pacedUntil: Date): number => pacedUntil.getTime() - byPace.burst * byPace.intervalMs - now.getTime();
      const claimed = await claimCall(em, key, now, byPace);
      if (claimed) return ahead(claimed);
      const fields = ['callsPacedUntil', 'callsPausedUntil'] as const;
      const state = await em.findOne(Connection, key, { ...UNSCOPED, fields, disableIdentityMap: true });
      if (!state) throw new GatewayError('CONNECTION_DISCONNECTED', `connection ${id} has ended`);
      pausedUntil = state.callsPausedUntil;
      if (pausedUntil && pausedUntil > now) return refuse(pausedUntil);
      return refuse(new Date(now.getTime() + ahead(state.callsPacedUntil ?? now) + byPace.intervalMs));
    });

  return {
    async enter(signal) {
      if (pausedUntil && pausedUntil > clock.now()) refuse(pausedUntil);
      await outages.enter();
      const waitMs = pace ? await claim(pace) : 0;
      if (waitMs > 0) await setTimeout(waitMs, undefined, { signal });
    },
    async responded(headers) {
      await outages.responded();
      const seconds = limits?.pauseAfter?.(headers);
      if (seconds !== undefined) await this.limited(seconds);
    },
    async limited(seconds) {
      const until = new Date(clock.now().getTime() + seconds * 1_000);
      pausedUntil = until;
      const isEarlier = { $or: [{ callsPausedUntil: null }, { callsPausedUntil: { $lt: until } }] };
      await change((em) => em.nativeUpdate(Connection, { $and: [key, isEarlier] }, { callsPausedUntil: until }, UNSCOPED));
    },
    failed: () => outages.failed(),
  };
}

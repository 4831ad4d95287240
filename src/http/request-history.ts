// The requests of organisations, kept for some days. They are collected when they end and stored every five seconds, so that no request sends a
// statement for it.
import type { Services } from '../access/context.ts';
import { systemTransaction } from '../database/transaction.ts';
import { RETENTION_BATCH, removeRows } from '../queue/retention.statements.ts';
import { type Chore, cutoff } from '../queue/schedules.ts';
import { newId } from '../records/ids.ts';
import { storeParts } from './request-history.statements.ts';
import { errorCodesOf, observedPath, type RequestObserver, statusSent } from './request-log.ts';
import { type KeptRequest, MAX_OF_PART, RequestPart } from './request-part.ts';

/** Most requests in memory. Beyond that, as when the database has been away for long, requests are not kept. */
const MAX_WAITING = 50_000;

const STORE_MS = 5_000;

/** Requests that wait to be stored. */
interface Part {
  organisationId: number;
  second: number;
  usesDeprecated: boolean;
  /** Each as JSON. */
  requests: string[];
}

const NONE: readonly string[] = [];

/** Collects the requests of a process. */
export class RequestHistory {
  readonly #services: Pick<Services, 'database' | 'clock' | 'failures'>;
  /** The newest part of each organisation. */
  readonly #open = new Map<number, Part>();
  #parts: Part[] = [];
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(services: Pick<Services, 'database' | 'clock' | 'failures'>) {
    this.#services = services;
  }

  /** Keeps a request of an organisation. */
  readonly observe: RequestObserver = (request, response, ms) => {
    const principal = request.context?.principal;
    if (!principal || principal.organisationId === null || this.#waiting >= MAX_WAITING || observedPath(request) === undefined) return;
    const at = this.#services.clock.now().getTime();
    const { operation = request.graphql?.name, graphql } = request;
    const deprecated = graphql?.traits?.deprecatedFields ?? NONE;
    const part = this.#partOf(principal.organisationId, at - (at % 1_000));
    const kept: KeptRequest = [
      at,
      request.id,
      operation ?? null,
      statusSent(response),
      errorCodesOf(request)[0] ?? null,
      principal.kind,
      principal.identity,
      Math.round(ms * 10) / 10,
      deprecated,
    ];
    part.requests.push(JSON.stringify(kept));
    if (deprecated.length > 0) part.usesDeprecated = true;
    this.#waiting++;
    this.#storeLater();
  };

  /** Stores what waits. Without this it is stored within five seconds. */
  store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing = this.#storing.then(() => this.#storeParts());
    return this.#storing;
  }

  #storeLater(): void {
    this.#timer ??= setTimeout(() => void this.store(), STORE_MS).unref();
  }

  #partOf(organisationId: number, second: number): Part {
    const open = this.#open.get(organisationId);
    if (open && open.second === second && open.requests.length < MAX_OF_PART) return open;
    const part: Part = { organisationId, second, usesDeprecated: false, requests: [] };
    this.#open.set(organisationId, part);
    this.#parts.push(part);
    return part;
  }

  async #storeParts(): Promise<void> {
    const parts = this.#parts;
    this.#parts = [];
    this.#open.clear();
    if (parts.length === 0) return;
    const { database, failures } = this.#services;
    try {
      await systemTransaction(database, (em) => storeParts(em, parts.map(rowOf)));
      for (const { requests } of parts) this.#waiting -= requests.length;
    } catch (error) {
      failures.note(error, 'request-history');
      this.#parts = [...parts, ...this.#parts];
      this.#storeLater();
    }
  }
}

const rowOf = ({ organisationId, second, usesDeprecated, requests }: Part): RequestPart => ({
  id: newId('reqpart'),
  organisationId,
  second: new Date(second),
  size: requests.length,
  usesDeprecated,
  requests: `[${requests.join()}]`,
});

/** Removes requests past their retention. */
export const requestRetention: Chore = {
  name: 'request-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.requestDays);
    if (before === undefined) return false;
    const gone = await removeRows(em, RequestPart, { condition: 't.second < $1::timestamptz', values: [before], order: 'second' });
    return gone.length === RETENTION_BATCH;
  },
};

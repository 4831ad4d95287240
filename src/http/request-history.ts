// The requests of organisations, kept for some days. They are collected when they end and stored every five seconds, or when a thousand are together,
// so that no request sends a statement for it.
import { setTimeout as pause } from 'node:timers/promises';
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

/** Pause between two statements: storing everything at once held the requests of that moment up, one in a hundred under full load. */
const PAUSE_MS = 20;

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
  readonly #parts = new Set<Part>();
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
    if (part.requests.length === MAX_OF_PART) void this.#begin([part]);
    else this.#storeLater();
  };

  /** Stores what waits. Without this it is stored within five seconds. */
  store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#begin([...this.#parts]);
  }

  /** Stores parts after those that are being stored. */
  #begin(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      this.#parts.delete(part);
      if (this.#open.get(part.organisationId) === part) this.#open.delete(part.organisationId);
    }
    this.#storing = this.#storing.then(() => this.#storeParts(parts));
    return this.#storing;
  }

  #storeLater(): void {
    this.#timer ??= setTimeout(() => void this.store(), STORE_MS).unref();
  }

  #partOf(organisationId: number, second: number): Part {
    const open = this.#open.get(organisationId);
    if (open?.second === second) return open;
    const part: Part = { organisationId, second, usesDeprecated: false, requests: [] };
    this.#open.set(organisationId, part);
    this.#parts.add(part);
    return part;
  }

  async #storeParts(parts: readonly Part[]): Promise<void> {
    const { database, failures } = this.#services;
    const left = new Set(parts);
    try {
      for (const some of together(parts)) {
        await systemTransaction(database, (em) => storeParts(em, some.map(rowOf)));
        for (const part of some) {
          left.delete(part);
          this.#waiting -= part.requests.length;
        }
        if (left.size > 0) await pause(PAUSE_MS);
      }
    } catch (error) {
      failures.note(error, 'request-history');
      for (const part of left) this.#parts.add(part);
      this.#storeLater();
    }
  }
}

/** The parts in groups with as many requests as one part may have. */
function together(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  let size = MAX_OF_PART;
  for (const part of parts) {
    size += part.requests.length;
    if (size > MAX_OF_PART) {
      groups.push([]);
      size = part.requests.length;
    }
    groups.at(-1)!.push(part);
  }
  return groups;
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

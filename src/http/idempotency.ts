/**
 * Idempotency keys: a request repeated with its `Idempotency-Key` within 24 hours gets the first response again instead of running again.
 *
 * Guarantee: the writes of one key happen at most once, even when the process is killed at any moment. A claim is stored before the work.
 * Every write transaction of the request marks the claim as written in that same transaction, and fails when another request owns the claim.
 * The response is stored afterwards. A rejection that wrote nothing frees the key, so that the corrected request may use it. After a crash
 * before the write, a retry runs the request once the claim's lease has expired. After a crash between write and response, a retry gets
 * RECORD_ALREADY_EXISTS, because the write is stored and its response is lost.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '../access/context.ts';
import type { EntityManager } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { digestOf } from '../json/digest.ts';
import { RETENTION_BATCH, removeRows } from '../queue/retention.statements.ts';
import { type Chore } from '../queue/schedules.ts';
import { GatewayError } from '../records/errors.ts';
import { isSealed } from '../security/secret-box.ts';
import { returnToken } from './consistency.ts';
import { claimKey } from './idempotency.statements.ts';
import { IdempotencyKey } from './idempotency-key.ts';

/** How long a response is stored for retries of its request. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000;
/** Requests end after 30 s, so a claim this old belongs to a process that no longer runs. */
const LEASE_MS = 60_000;

/** A response as it is stored and sent again. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  name: string;
  method: string;
  /** The path with decoded parameters in one spelling, the same on every host. */
  path: string;
  /** The decoded content of the request as JSON; a retry must send the same, in any order of members. */
  content: unknown;
}

const HEADER = 'Idempotency-Key';

/** What a key may be. */
export const KEY_FORM = /^[\x20-\x7e]{1,128}$/;

/** The value of the header, checked; undefined without one. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !KEY_FORM.test(header))
    throw new GatewayError('INVALID_PARAMS', 'Idempotency-Key must have 1 to 128 printable ASCII characters', { header: HEADER });
  return header;
}

/** Rejects a request with several keys, which Node joins to one text. */
export function requireOneKey(request: IncomingMessage): void {
  if (request.headers['idempotency-key'] !== undefined && request.headersDistinct['idempotency-key']!.length > 1)
    throw new GatewayError('INVALID_PARAMS', 'Idempotency-Key may be sent once', { header: HEADER });
}

/** Responses with 429 or 5xx are not stored, because the caller should retry those. */
const isStored = (status: number): boolean => status < 500 && status !== 429;

/** The claim of a request on its idempotency key. */
export class Claim {
  readonly #context: RequestContext;
  readonly #request: KeyedRequest;
  readonly #owner = randomUUID();

  private constructor(context: RequestContext, request: KeyedRequest) {
    this.#context = context;
    this.#request = request;
  }

  /** Claims the key for this request, or returns the stored response; throws while the first request runs, and when the body differs. */
  static async take(context: RequestContext, request: KeyedRequest): Promise<Claim | StoredResponse> {
    const claim = new Claim(context, request);
    const stored = await claim.#insert();
    if (stored) {
      returnToken(context);
      return stored;
    }
    const writing = (em: EntityManager): Promise<void> => claim.#markWritten(em);
    context.writing = writing;
    return claim;
  }

  /** Ends the claim: stores the response, or frees the key of a rejection that wrote nothing. */
  async end(response: StoredResponse): Promise<void> {
    const { services, isRefused } = this.#context;
    const { database, secrets } = services;
    await systemTransaction(database, async (em) => {
      if ((isRefused || response.status >= 400) && (await em.nativeDelete(IdempotencyKey, { ...this.#own, isWritten: false })) > 0) return;
      if (!isStored(response.status)) return;
      await em.nativeUpdate(IdempotencyKey, this.#own, {
        status: response.status,
        headers: response.headers,
        body: secrets.seal(response.body, this.#sealOwner),
      });
    });
  }

  get #key(): Pick<IdempotencyKey, 'keyId' | 'method' | 'path' | 'name'> {
    const { method, path, name } = this.#request;
    return { keyId: this.#context.principal!.identity, method, path, name };
  }

  /** The row of the key, while this claim owns it. */
  get #own(): Pick<IdempotencyKey, 'keyId' | 'method' | 'path' | 'name' | 'owner'> {
    return { ...this.#key, owner: this.#owner };
  }

  get #sealOwner(): string {
    const { keyId, method, path, name } = this.#key;
    return `${keyId} ${method} ${path} ${name}`;
  }

  #insert(): Promise<StoredResponse | undefined> {
    const { services } = this.#context;
    const now = services.clock.now();
    const bodyHash = digestOf(this.#request.content);
    const at = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
    return systemTransaction(services.database, async (em) => {
      const claim = {
        ...this.#own,
        bodyHash,
        leaseUntil: at(LEASE_MS),
        expiresAt: at(services.config.retention.idempotencyKeyDays * IDEMPOTENCY_LIFETIME_MS),
      };
      if (await claimKey(em, claim, now)) return undefined;
      return readStored(await em.findOne(IdempotencyKey, this.#key), bodyHash, now, (body) => this.#opened(body));
    });
  }

  /** The body of a stored response; undefined when it was sealed under a key that the settings have no more. Rows of earlier versions hold it unencrypted. */
  #opened(body: string): string | undefined {
    if (!isSealed(body)) return body;
    try {
      return this.#context.services.secrets.open(body, this.#sealOwner);
    } catch {
      return undefined;
    }
  }

  async #markWritten(em: EntityManager): Promise<void> {
    if ((await em.nativeUpdate(IdempotencyKey, this.#own, { isWritten: true })) === 0)
      throw new GatewayError('IDEMPOTENCY_IN_PROGRESS', 'another request with this idempotency key has taken over', {
        retryAfterSeconds: 1,
      });
  }
}

/** Removes expired keys. A request only takes over its own expired key, because removing all of them would slow it down. */
export const idempotencyKeyRetention: Chore = {
  name: 'idempotency-key-retention',
  batch: async (em, { clock }) => {
    const condition = 't.expires_at <= $1::timestamptz';
    const gone = await removeRows(em, IdempotencyKey, { condition, values: [clock.now().toISOString()], order: 'expires_at' });
    return gone.length === RETENTION_BATCH;
  },
};

function readStored(row: IdempotencyKey | null, bodyHash: string, now: Date, opened: (body: string) => string | undefined): StoredResponse {
  if (row && row.bodyHash !== bodyHash)
    throw new GatewayError('IDEMPOTENCY_KEY_REUSED', 'this idempotency key was used with another body', { header: HEADER });
  const { status = null, headers = null, body = null } = row ?? {};
  const text = body === null ? undefined : opened(body);
  if (status !== null && headers !== null && text !== undefined) return { status, headers, body: text };
  if (row && (status !== null || (row.isWritten && row.leaseUntil <= now))) {
    throw new GatewayError(
      'RECORD_ALREADY_EXISTS',
      'the first request with this idempotency key was carried out, but its response was lost; read what it wrote',
      { header: HEADER },
    );
  }
  throw new GatewayError('IDEMPOTENCY_IN_PROGRESS', 'the first request with this idempotency key is still running', {
    header: HEADER,
    retryAfterSeconds: 1,
  });
}

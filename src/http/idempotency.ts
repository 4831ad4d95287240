/**
 * Idempotency keys: a request repeated with its `Idempotency-Key` within 24 hours gets the first answer again instead of running again.
 *
 * Guarantee: the writes of one key happen at most once, even when the process is killed at any moment. A claim is stored before the work;
 * every write transaction of the request marks the claim as written in that same transaction, and fails when another request owns the claim;
 * the answer is stored afterwards. After a crash before the write, a repetition runs the request once the claim's lease has expired. After a
 * crash between write and answer, a repetition gets RECORD_ALREADY_EXISTS, because the write is stored and its answer is lost.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { RequestContext } from '../access/context.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import type { Schedule } from '../queue/schedules.ts';
import { flag, identifier, integer, moment, object, record, text } from '../records/decorators.ts';
import { GatewayError } from '../records/errors.ts';

@record({
  description: 'A request that was sent with an idempotency key, and its answer.',
  scope: 'shared',
  key: 'name',
  prefix: 'idempotency',
  primaryKey: ['keyId', 'method', 'path', 'name'],
  indexes: [{ name: 'idempotency_key_expiry', columns: 'expires_at' }],
  internal: true,
})
export class IdempotencyKey {
  @identifier('The caller: the id of the key, or issuer, organisation and subject of a token.', { required: true }) keyId!: string;
  @text('Method of the request.', { required: true }) method!: string;
  @text('Path of the request.', { required: true }) path!: string;
  @text('The idempotency key.', { required: true }) name!: string;
  @text('SHA-256 of the query string and body.', { required: true }) bodyHash!: string;
  @identifier('The run of the request that owns the claim.', { required: true }) owner!: string;
  @flag('Whether a write of the request was committed.', { required: true }) isWritten!: boolean;
  @integer('Status of the answer; null while there is none.') status!: number | null;
  @object('Headers of the answer that are sent again.') headers!: Record<string, string> | null;
  @text('Body of the answer, encrypted: it may show a key or a secret that is stored nowhere else.') body!: string | null;
  @moment('When a claim without answer may be taken over.', { required: true }) leaseUntil!: string;
  @moment('When the key expires and its answer is removed.', { required: true }) expiresAt!: string;
}

/** How long an answer is stored for repetitions of its request. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000;
/** Requests end after 30 s, so a claim this old belongs to a process that no longer runs. */
const LEASE_MS = 60_000;

/** An answer as it is stored and sent again. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  name: string;
  method: string;
  path: string;
  /** The content of the request; a repetition must send the same. */
  content: string | Buffer;
}

const HEADER = 'Idempotency-Key';

/** The value of the header, checked; undefined without one. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x20-\x7e]{1,128}$/.test(header))
    throw new GatewayError('INVALID_PARAMS', 'Idempotency-Key must have 1 to 128 printable ASCII characters', { header: HEADER });
  return header;
}

/** Answers with 429 or 5xx are not stored, because the caller should retry those. */
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

  /** Claims the key for this request, or returns the stored answer; throws while the first request runs, and when the body differs. */
  static async take(context: RequestContext, request: KeyedRequest): Promise<Claim | StoredResponse> {
    const claim = new Claim(context, request);
    const stored = await claim.#insert();
    if (stored) return stored;
    context.writing = (em) => claim.#markWritten(em);
    return claim;
  }

  /** Ends the claim: stores the answer, or frees the key when the answer is not to be repeated and nothing was written. */
  async end(answer: StoredResponse): Promise<void> {
    await systemTransaction(this.#context.services.database, (em) =>
      isStored(answer.status)
        ? executeIn(em, `update idempotency_key set status = $6, headers = $7::jsonb, body = $8 where ${ownRow} and owner = $5`, [
            ...this.#key,
            this.#owner,
            answer.status,
            JSON.stringify(answer.headers),
            this.#context.services.secrets.seal(answer.body, this.#sealOwner),
          ])
        : executeIn(em, `delete from idempotency_key where ${ownRow} and owner = $5 and not is_written`, [...this.#key, this.#owner]),
    );
  }

  get #key(): string[] {
    return [this.#context.principal!.identity, this.#request.method, this.#request.path, this.#request.name];
  }

  get #sealOwner(): string {
    return this.#key.join(' ');
  }

  async #insert(): Promise<StoredResponse | undefined> {
    const { services } = this.#context;
    const now = services.clock.now();
    const hash = createHash('sha256').update(this.#request.content).digest('hex');
    const at = (milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString();
    return systemTransaction(services.database, async (em) => {
      const taken = await executeIn(
        em,
        `insert into idempotency_key (key_id, method, path, name, body_hash, owner, is_written, lease_until, expires_at)
         values ($1, $2, $3, $4, $5, $6, false, $7::timestamptz, $8::timestamptz)
         on conflict (key_id, method, path, name) do update set body_hash = excluded.body_hash, owner = excluded.owner, is_written = false,
             status = null, headers = null, body = null, lease_until = excluded.lease_until, expires_at = excluded.expires_at
           where idempotency_key.expires_at <= $9::timestamptz
             or (idempotency_key.body_hash = excluded.body_hash and idempotency_key.status is null and not idempotency_key.is_written and idempotency_key.lease_until <= $9::timestamptz)
         returning owner`,
        [...this.#key, hash, this.#owner, at(LEASE_MS), at(IDEMPOTENCY_LIFETIME_MS), at(0)],
      );
      if (taken.length > 0) return undefined;
      const rows = await executeIn<StoredResponse & { hash: string; isWritten: boolean; isRunning: boolean }>(
        em,
        `select body_hash as hash, status, headers, body, is_written as "isWritten", lease_until > $5::timestamptz as "isRunning" from idempotency_key where ${ownRow}`,
        [...this.#key, at(0)],
      );
      return readStored(rows[0], hash, (body) => this.#opened(body));
    });
  }

  /** The body of a stored answer; undefined when it was sealed under another SIGNING_SECRET. Rows of earlier versions hold it unencrypted. */
  #opened(body: string): string | undefined {
    if (!body.startsWith('v1.')) return body;
    try {
      return this.#context.services.secrets.open(body, this.#sealOwner);
    } catch {
      return undefined;
    }
  }

  async #markWritten(em: EntityManager): Promise<void> {
    const rows = await executeIn(em, `update idempotency_key set is_written = true where ${ownRow} and owner = $5 returning owner`, [
      ...this.#key,
      this.#owner,
    ]);
    if (rows.length === 0)
      throw new GatewayError('IDEMPOTENCY_IN_PROGRESS', 'another request with this idempotency key has taken over', {
        retryAfterSeconds: 1,
      });
  }
}

/** Rows removed in one transaction. */
const BATCH = 2_000;

/** Removes expired keys. A request only takes over its own expired key, because removing all of them would slow it down. */
export const idempotencyKeyRetention: Schedule = {
  name: 'idempotency-sweep',
  everyMs: 600_000,
  batch: async (em, { clock }) => {
    const gone = await executeIn(
      em,
      `delete from idempotency_key where ctid = any(array(
         select ctid from idempotency_key where expires_at <= $1::timestamptz order by expires_at limit ${BATCH} for update skip locked))
       returning 1`,
      [clock.now().toISOString()],
    );
    return gone.length === BATCH;
  },
};

const ownRow = 'key_id = $1 and method = $2 and path = $3 and name = $4';

function readStored(
  row: (StoredResponse & { hash: string; isWritten: boolean; isRunning: boolean }) | undefined,
  hash: string,
  opened: (body: string) => string | undefined,
): StoredResponse {
  if (row && row.hash !== hash)
    throw new GatewayError('IDEMPOTENCY_KEY_REUSED', 'this idempotency key was used with another body', { header: HEADER });
  const body = row && row.status !== null ? opened(row.body) : undefined;
  if (row && body !== undefined) return { status: row.status, headers: row.headers, body };
  if (row && (row.status !== null || (row.isWritten && !row.isRunning))) {
    throw new GatewayError(
      'RECORD_ALREADY_EXISTS',
      'the first request with this idempotency key was carried out, but its answer was lost; read what it wrote',
      { header: HEADER },
    );
  }
  throw new GatewayError('IDEMPOTENCY_IN_PROGRESS', 'the first request with this idempotency key is still running', {
    header: HEADER,
    retryAfterSeconds: 1,
  });
}

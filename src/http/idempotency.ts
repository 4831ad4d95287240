/**
 * Idempotency keys: a request repeated with its `Idempotency-Key` within 24 hours gets the first answer again instead of being carried out again.
 *
 * What is promised: the writes of one key happen at most once, also when the process is killed at any moment. A claim is stored before the work;
 * every write transaction of the request marks the claim as written in that same transaction and fails when the claim is no longer its own;
 * the answer is stored afterwards. A crash before the write lets a repetition carry the request out once the claim's lease has passed; a crash
 * between write and answer makes a repetition answer RECORD_ALREADY_EXISTS, because the write is there and its answer is lost.
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
  @identifier('Who sent it: the id of the key, or issuer, organisation and subject of a token.', { required: true }) keyId!: string;
  @text('Method of the request.', { required: true }) method!: string;
  @text('Path of the request.', { required: true }) path!: string;
  @text('The idempotency key.', { required: true }) name!: string;
  @text('SHA-256 of the query string and body.', { required: true }) bodyHash!: string;
  @identifier('The run of the request that holds the claim.', { required: true }) owner!: string;
  @flag('Whether a write of the request was committed.', { required: true }) isWritten!: boolean;
  @integer('Status of the answer; null while there is none.') status!: number | null;
  @object('Headers of the answer that are sent again.') headers!: Record<string, string> | null;
  @text('Body of the answer, encrypted: it may show a key or a secret that is stored nowhere else.') body!: string | null;
  @moment('When a claim without answer may be taken over.', { required: true }) leaseUntil!: string;
  @moment('When the answer is forgotten.', { required: true }) expiresAt!: string;
}

/** How long an answer is kept for repetitions of its request. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000;
/** Requests end after 30 s, so a claim this old belongs to a process that is gone. */
const LEASE_MS = 60_000;

/** An answer as it is stored and sent again. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a request with an idempotency key is. */
export interface KeyedRequest {
  name: string;
  method: string;
  path: string;
  /** Everything that makes two requests the same. */
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

/** Answers a 429 or an issue of ours are never kept: the caller is to try those again. */
const isStored = (status: number): boolean => status < 500 && status !== 429;

/** A request's hold on its idempotency key. */
export class Claim {
  readonly #context: RequestContext;
  readonly #request: KeyedRequest;
  readonly #owner = randomUUID();

  private constructor(context: RequestContext, request: KeyedRequest) {
    this.#context = context;
    this.#request = request;
  }

  /** Takes the key for this request, or returns the answer that is kept; throws while the first request runs, or when the body differs. */
  static async take(context: RequestContext, request: KeyedRequest): Promise<Claim | StoredResponse> {
    const claim = new Claim(context, request);
    const kept = await claim.#insert();
    if (kept) return kept;
    context.writing = (em) => claim.#markWritten(em);
    return claim;
  }

  /** Ends the claim: keeps the answer, or gives the key free when the answer is not one to repeat and nothing was written. */
  async end(answer: StoredResponse): Promise<void> {
    const keep = isStored(answer.status);
    await systemTransaction(this.#context.services.database, (em) =>
      keep
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

  /** The body of a kept answer; undefined when it was sealed under another SIGNING_SECRET. Earlier rows hold it as it was. */
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
const PORTION = 2_000;

/** Forgets expired keys. A request never does: it would pay for everybody's, and only takes over its own. */
export const idempotencySweep: Schedule = {
  name: 'idempotency-sweep',
  everyMs: 600_000,
  batch: async (em, { clock }) => {
    const gone = await executeIn(
      em,
      `delete from idempotency_key where ctid = any(array(
         select ctid from idempotency_key where expires_at <= $1::timestamptz order by expires_at limit ${PORTION} for update skip locked))
       returning 1`,
      [clock.now().toISOString()],
    );
    return gone.length === PORTION;
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

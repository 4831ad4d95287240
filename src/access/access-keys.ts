// Issues, looks up and revokes access keys.
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Database, type EntityManager, executeIn } from '../database/open.ts';
import { projectionOf, propOf } from '../database/reader/projection.ts';
import type { Reader } from '../database/reader/reader.ts';
import { systemTransaction } from '../database/transaction.ts';
import { GatewayError } from '../records/errors.ts';
import { newId } from '../records/ids.ts';
import { modelOf } from '../records/metadata.ts';
import type { Clock } from '../runtime/clock.ts';
import { hashOf, isKeyValue, newKeyValue, previewOf } from '../security/key-values.ts';
import type { TokenVerifier } from './oidc.ts';
import type { Principal, RoleName } from './principal.ts';
import { AccessKey, Organisation } from './tables.ts';

/** Further writes in the transaction that issues or ends a key of an organisation. */
export type WithKey = (em: EntityManager, organisationId: number, keyId: string) => Promise<void>;

/** The attributes of a key to issue. */
export interface KeyRequest {
  organisationName: string;
  roles: RoleName[];
  label?: string | null;
  companyIds?: number[] | null;
  expiresAt?: string | null;
}

/** Runs the check of a credential, or refuses to by throwing. */
export type Guard = (check: () => Promise<Principal | null>) => Promise<Principal | null>;

/** How long a look-up is cached; a revoked key works on other processes for at most this long. */
const LOOKUP_MS = 5_000;

/** The keys as one process knows them: looks them up, caches each for five seconds, records their use. */
export class AccessKeys {
  readonly #database: Database;
  readonly #reader: Reader;
  readonly #clock: Clock;
  readonly #adminHash: Buffer;
  readonly #found = new LRUCache<string, { principal: Principal | null; until: number }>({ max: 10_000 });
  /** Hashes of the credentials that were valid at their last check. */
  readonly #valid = new LRUCache<string, true>({ max: 10_000 });
  readonly #used = new Set<string>();

  readonly #verifyToken: TokenVerifier | undefined;

  constructor(database: Database, reader: Reader, clock: Clock, adminHash: string, verifyToken?: TokenVerifier) {
    this.#verifyToken = verifyToken;
    this.#database = database;
    this.#reader = reader;
    this.#clock = clock;
    this.#adminHash = Buffer.from(adminHash, 'hex');
  }

  /**
   * The principal of a credential, or null when it is unknown, expired or revoked. Usually answers without a promise. A credential that was
   * not valid before is checked through `guard`, which may refuse; the admin token costs no look-up and is always checked.
   */
  find(value: string, guard: Guard = (check) => check()): Principal | null | Promise<Principal | null> {
    const hash = hashOf(value);
    const known = this.#found.get(hash);
    if (known && known.until > this.#clock.now().getTime()) {
      if (known.principal) this.#used.add(known.principal.identity);
      return known.principal;
    }
    if (timingSafeEqual(Buffer.from(hash, 'hex'), this.#adminHash)) {
      return {
        identity: 'admin',
        organisationId: null,
        organisationName: null,
        organisation: null,
        roles: new Set(['ADMIN']),
        companyIds: null,
      };
    }
    const check = async (): Promise<Principal | null> => {
      const principal = await this.#check(value, hash);
      if (principal) this.#valid.set(hash, true);
      else this.#valid.delete(hash);
      return principal;
    };
    return this.#valid.has(hash) ? check() : guard(check);
  }

  #check(value: string, hash: string): null | Promise<Principal | null> {
    if (isKeyValue(value)) return this.#lookUp(hash);
    return this.#verifyToken && value.split('.').length === 3 ? this.#fromToken(value, this.#verifyToken) : null;
  }

  /** The principal of an OpenID Connect token, if its organisation exists in the database. */
  async #fromToken(token: string, verify: TokenVerifier): Promise<Principal | null> {
    const claims = await verify(token);
    if (!claims) return null;
    const organisation = await this.#organisation('name', claims.organisationName);
    if (!organisation) return null;
    const publicId = organisation.publicId as string;
    return {
      // As JSON, so that no subject can imitate the identity of another organisation.
      identity: `token:${JSON.stringify([claims.issuer, publicId, claims.subject])}`,
      organisationId: organisation.id as number,
      organisationName: claims.organisationName,
      organisation: publicId,
      roles: new Set(claims.roles),
      companyIds: claims.companyIds,
    };
  }

  async #lookUp(hash: string): Promise<Principal | null> {
    const model = modelOf(AccessKey);
    this.#projection ??= projectionOf(model, ['id', 'organisationId', 'organisationName', 'roles', 'companyIds', 'expiresAt', 'revokedAt']);
    const projection = this.#projection;
    const row = await this.#reader.row({
      projection,
      tenant: null,
      where: [{ prop: propOf(model, 'hash'), operator: 'eq', value: hash }],
      primary: true,
    });
    const now = this.#clock.now();
    const live = row && row.revokedAt === null && (row.expiresAt === null || (row.expiresAt as string) > now.toISOString());
    const principal = live ? await this.#principal(row) : null;
    // An unknown key is not cached: another process may issue it a moment later.
    if (principal) {
      this.#found.set(hash, { principal, until: now.getTime() + LOOKUP_MS });
      this.#used.add(principal.identity);
    }
    return principal;
  }

  #projection: ReturnType<typeof projectionOf> | undefined;

  async #principal(row: Record<string, unknown>): Promise<Principal> {
    const organisation = await this.#organisation('id', row.organisationId);
    return {
      identity: row.id as string,
      organisationId: row.organisationId as number,
      organisationName: row.organisationName as string,
      organisation: (organisation?.publicId as string | undefined) ?? null,
      roles: new Set(row.roles as RoleName[]),
      companyIds: row.companyIds as number[] | null,
    };
  }

  #organisation(property: 'id' | 'name', value: unknown): Promise<Record<string, unknown> | undefined> {
    const model = modelOf(Organisation);
    this.#organisationProjection ??= projectionOf(model, ['id', 'publicId']);
    const projection = this.#organisationProjection;
    return this.#reader.row({ projection, tenant: null, where: [{ prop: propOf(model, property), operator: 'eq', value }], primary: true });
  }

  #organisationProjection: ReturnType<typeof projectionOf> | undefined;

  /** Issues a key with this value if none exists; returns whether it did. */
  async ensure(value: string, request: KeyRequest): Promise<boolean> {
    if (await this.#lookUp(hashOf(value))) return false;
    await this.issue(request, { value });
    return true;
  }

  /** Issues a key and creates the organisation when its name is new. The value is returned here and never again. */
  async issue(
    request: KeyRequest,
    { value = newKeyValue(), also }: { value?: string; also?: WithKey } = {},
  ): Promise<{ key: string; id: string; organisationId: number }> {
    const id = newId('key');
    const organisationId = await systemTransaction(this.#database, async (em) => {
      const organisation = await ensureOrganisation(em, request.organisationName, this.#clock.now());
      await executeIn(
        em,
        `insert into access_key (id, organisation_id, organisation_name, roles, label, company_ids, expires_at, created_at, key_preview, hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          id,
          organisation,
          request.organisationName,
          JSON.stringify([...new Set(request.roles)]),
          request.label ?? null,
          request.companyIds ? JSON.stringify(request.companyIds) : null,
          request.expiresAt ?? null,
          this.#clock.now().toISOString(),
          previewOf(value),
          hashOf(value),
        ],
      );
      await also?.(em, organisation, id);
      return organisation;
    });
    return { key: value, id, organisationId };
  }

  /** Ends a key at the given time (now, or after the grace period of a rotation). Other processes refuse it within five seconds after that. */
  async end(id: string, at: Date, field: 'revokedAt' | 'expiresAt', also?: WithKey): Promise<void> {
    const column = field === 'revokedAt' ? 'revoked_at' : 'expires_at';
    await systemTransaction(this.#database, async (em) => {
      const [row] = await executeIn<{ organisation_id: string | number }>(
        em,
        `update access_key set ${column} = least(coalesce(${column}, $2::timestamptz), $2::timestamptz) where id = $1 returning organisation_id`,
        [id, at.toISOString()],
      );
      if (!row) throw new GatewayError('ACCESS_KEY_NOT_FOUND', `no access key has the id ${id}`);
      await also?.(em, Number(row.organisation_id), id);
    });
    for (const [hash, entry] of this.#found) if (entry.principal?.identity === id) this.#found.delete(hash);
  }

  /** Stores the time of use of the keys used since the last call. Called once a minute, never by a request. */
  async noteUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used.clear();
    await systemTransaction(this.#database, (em) =>
      executeIn(em, 'update access_key set last_used_at = $2::timestamptz where id = any($1::text[])', [
        ids,
        this.#clock.now().toISOString(),
      ]),
    );
  }
}

/** The id of the organisation with this name; creates it when it is new. */
export async function ensureOrganisation(em: Parameters<typeof executeIn>[0], name: string, now: Date): Promise<number> {
  const rows = await executeIn<{ id: string | number }>(
    em,
    `insert into organisation (id, public_id, name, created_at) values (nextval('organisation_id'), $1, $2, $3::timestamptz)
     on conflict (name) do update set name = excluded.name returning id`,
    [newId('org'), name, now.toISOString()],
  );
  return Number(rows[0]!.id);
}

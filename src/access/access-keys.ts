// Issues, looks up and revokes access keys.
import { timingSafeEqual } from 'node:crypto';
import { LockMode } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import type { Database, EntityManager } from '../database/open.ts';
import type { ReadScope } from '../database/reader/conditions.ts';
import type { Reader } from '../database/reader/reader.ts';
import { systemTransaction } from '../database/transaction.ts';
import { accept } from '../records/checked.ts';
import { checkNew, type Given } from '../records/fields.ts';
import { newId } from '../records/ids.ts';
import type { StoredRecord } from '../records/metadata.ts';
import { notFound } from '../records/not-found.ts';
import type { RoleName } from '../records/roles.ts';
import { atMost } from '../runtime/caches.ts';
import type { Clock } from '../runtime/clock.ts';
import { hashOf, isKeyValue, newKeyValue, previewOf } from '../security/key-values.ts';
import type { TokenVerifier } from './oidc.ts';
import type { Principal } from './principal.ts';
import { AccessKey, Organisation } from './tables.ts';

/** Further writes in the transaction that issues or ends a key of an organisation. */
export type WithKey = (em: EntityManager, organisationId: number, keyId: string) => void;

/** The attributes of a key to issue. */
export interface KeyRequest extends Given<AccessKey> {
  organisationName: string;
  roles: RoleName[];
}

/** Runs the check of a credential, or throws instead. */
export type Guard = (check: () => Promise<Principal | null>) => Promise<Principal | null>;

/** Keys and organisations are read whatever organisation they belong to, and from the primary, so that a new key works at once. */
const ALL: ReadScope = { tenant: null };

/** How long a look-up is cached; a revoked key works on other processes for at most this long. */
const LOOKUP_MS = 5_000;

/** An operator, who belongs to no organisation. */
const operator = (identity: string): Principal => ({
  kind: 'OPERATOR',
  identity,
  organisationId: null,
  organisationName: null,
  organisation: null,
  roles: new Set(['ADMIN']),
  companyIds: null,
});

/** Whether a key still works. */
export const isLive = ({ revokedAt, expiresAt }: StoredRecord<AccessKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now.toISOString());

/** The keys as one process knows them: looks them up, caches each for five seconds, records their use. */
export class AccessKeys {
  readonly #database: Database;
  readonly #reader: Reader;
  readonly #clock: Clock;
  /** Null where no admin token opens the gateway. */
  readonly #adminHash: Buffer | null;
  readonly #found = new LRUCache<string, { principal: Principal | null; until: number }>(atMost(10_000));
  /** Hashes of the credentials that were valid at their last check. */
  readonly #valid = new LRUCache<string, true>(atMost(10_000));
  readonly #used = new Set<string>();
  /** Checks in progress of credentials that were valid before. Callers that ask at the same moment, such as the subscribers of a key, share one. */
  readonly #checking = new Map<string, Promise<Principal | null>>();

  readonly #verifyToken: TokenVerifier | undefined;

  constructor(database: Database, reader: Reader, clock: Clock, adminHash: string | null, verifyToken?: TokenVerifier) {
    this.#verifyToken = verifyToken;
    this.#database = database;
    this.#reader = reader;
    this.#clock = clock;
    this.#adminHash = adminHash === null ? null : Buffer.from(adminHash, 'hex');
  }

  /** Number of credentials whose look-up is cached. */
  get size(): number {
    return this.#found.size;
  }

  /** Drops the cached look-ups. */
  clear(): void {
    this.#found.clear();
    this.#valid.clear();
  }

  /**
   * The principal of a credential, or null when it is unknown, expired or revoked. Usually returned without a promise. A credential that was
   * not valid before is checked through `guard`, which may reject it; the admin token costs no look-up and is always checked.
   */
  find(value: string, guard: Guard = (check) => check()): Principal | null | Promise<Principal | null> {
    const hash = hashOf(value);
    const known = this.#found.get(hash);
    if (known && known.until > this.#clock.now().getTime()) {
      if (known.principal) this.#used.add(known.principal.identity);
      return known.principal;
    }
    if (this.#adminHash && timingSafeEqual(Buffer.from(hash, 'hex'), this.#adminHash)) {
      return operator('admin');
    }
    const check = async (): Promise<Principal | null> => {
      const principal = await this.#check(value, hash);
      if (principal) this.#valid.set(hash, true);
      else this.#valid.delete(hash);
      return principal;
    };
    return this.#valid.has(hash) ? this.#together(hash, check) : guard(check);
  }

  #together(hash: string, check: () => Promise<Principal | null>): Promise<Principal | null> {
    let checking = this.#checking.get(hash);
    if (!checking) {
      checking = check().finally(() => this.#checking.delete(hash));
      this.#checking.set(hash, checking);
    }
    return checking;
  }

  #check(value: string, hash: string): null | Promise<Principal | null> {
    if (isKeyValue(value)) return this.#lookUp(hash);
    return this.#verifyToken && value.split('.').length === 3 ? this.#fromToken(value, this.#verifyToken) : null;
  }

  /** The principal of an OpenID Connect token: an operator, or a person whose organisation exists in the database. */
  async #fromToken(token: string, verify: TokenVerifier): Promise<Principal | null> {
    const claims = await verify(token);
    if (!claims) return null;
    const { issuer, subject, member } = claims;
    if (!member) return operator(`token:${JSON.stringify([issuer, subject])}`);
    const organisation = await this.#reader.one(Organisation, { name: member.organisationName }, ['id', 'publicId'], ALL);
    if (!organisation) return null;
    const { id, publicId } = organisation;
    return {
      kind: 'PERSON',
      // As JSON, so that no subject can imitate the identity of another organisation.
      identity: `token:${JSON.stringify([issuer, publicId, subject])}`,
      organisationId: id,
      organisationName: member.organisationName,
      organisation: publicId,
      roles: new Set(member.roles),
      companyIds: member.companyIds,
    };
  }

  async #lookUp(hash: string): Promise<Principal | null> {
    const row = await this.#reader.one(
      AccessKey,
      { hash },
      ['id', 'organisationId', 'organisationName', 'roles', 'companyIds', 'tools', 'expiresAt', 'revokedAt'],
      ALL,
    );
    const now = this.#clock.now();
    const principal = row && isLive(row, now) ? await this.#principal(row) : null;
    // An unknown key is not cached: another process may issue it a moment later.
    if (principal) {
      const ends = row?.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY;
      this.#found.set(hash, { principal, until: Math.min(now.getTime() + LOOKUP_MS, ends) });
      this.#used.add(principal.identity);
    }
    return principal;
  }

  async #principal(
    row: StoredRecord<AccessKey, 'id' | 'organisationId' | 'organisationName' | 'roles' | 'companyIds' | 'tools'>,
  ): Promise<Principal> {
    const organisation = await this.#reader.one(Organisation, { id: row.organisationId }, ['publicId'], ALL);
    return {
      kind: 'KEY',
      identity: row.id,
      organisationId: row.organisationId,
      organisationName: row.organisationName,
      organisation: organisation?.publicId ?? null,
      roles: new Set(row.roles),
      companyIds: row.companyIds,
      tools: row.tools,
    };
  }

  /** Issues a key with this value if none exists. */
  async ensure(value: string, request: KeyRequest): Promise<void> {
    if (!(await this.#lookUp(hashOf(value)))) await this.issue(request, { value });
  }

  /** Issues a key and creates the organisation when its name is new. The value is returned here and never again. */
  async issue(
    request: KeyRequest,
    { value = newKeyValue(), also }: { value?: string; also?: (...given: Parameters<WithKey>) => Promise<void> | void } = {},
  ): Promise<{ key: string; id: string; organisationId: number }> {
    const id = newId('key');
    const fields = accept(checkNew(AccessKey, { ...request, roles: [...new Set(request.roles)] }), '');
    const organisationId = await systemTransaction(this.#database, async (em) => {
      const now = this.#clock.now();
      const organisation = await ensureOrganisation(em, request.organisationName, now);
      em.persist(
        em.create(AccessKey, {
          ...fields,
          id,
          organisationId: organisation,
          organisationName: fields.organisationName!,
          roles: fields.roles!,
          createdAt: now,
          keyPreview: previewOf(value),
          hash: hashOf(value),
        }),
      );
      await also?.(em, organisation, id);
      return organisation;
    });
    return { key: value, id, organisationId };
  }

  /** Ends a key at the given time (now, or after the grace period of a rotation). Other processes reject it at most five seconds later. */
  async end(id: string, at: Date, field: 'revokedAt' | 'expiresAt', also?: WithKey): Promise<void> {
    await systemTransaction(this.#database, async (em) => {
      const key = await endKey(em, id, at, field);
      also?.(em, key.organisationId, id);
    });
    this.#forget(id);
  }

  /** Issues the successor of a key, which ends at the given time, in one transaction. */
  async rotate(id: string, request: KeyRequest, at: Date, also: WithKey): Promise<{ key: string; id: string }> {
    const issued = await this.issue(request, {
      also: async (em, organisation, successor) => {
        also(em, organisation, successor);
        await endKey(em, id, at, 'expiresAt');
      },
    });
    this.#forget(id);
    return issued;
  }

  #forget(id: string): void {
    for (const [hash, entry] of this.#found) if (entry.principal?.identity === id) this.#found.delete(hash);
  }

  /** Stores the time of use of the keys used since the last call. Called once a minute, never by a request. */
  async noteUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used.clear();
    await systemTransaction(this.#database, (em) => em.nativeUpdate(AccessKey, { id: { $in: ids } }, { lastUsedAt: this.#clock.now() }));
  }
}

/** Has a key end at the given time, unless it ends before. */
async function endKey(em: EntityManager, id: string, at: Date, field: 'revokedAt' | 'expiresAt'): Promise<AccessKey> {
  const key = await em.findOne(AccessKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!key) throw notFound(AccessKey, id, 'id');
  const ends = key[field];
  if (!ends || ends > at) key[field] = at;
  return key;
}

/** The id of the organisation with this name; creates it when it is new. */
export async function ensureOrganisation(em: EntityManager, name: string, createdAt: Date): Promise<number> {
  const values = { publicId: newId('org'), name, createdAt };
  // The update of the name to itself returns the row that is there; without it a conflict returns none.
  const { id } = await em.upsert(Organisation, values, { onConflictFields: ['name'], onConflictMergeFields: ['name'] });
  return id;
}

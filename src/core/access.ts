// Access keys: their record, issue, look-up and revocation, and the decorator by which every root field declares who may use it.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Extensions } from 'type-graphql';
import type { Clock } from './context.ts';
import { type Database, type EntityManager, executeIn } from './database.ts';
import { defineEnum } from './enums.ts';
import { GatewayError } from './errors.ts';
import { newId } from './ids.ts';
import { identifier, ledgerNumber, list, moment, record, text } from './kit.ts';
import { modelOf } from './model.ts';
import type { TokenVerifier } from './oidc.ts';
import type { Reader } from './reader.ts';
import { propOf, selectionOf } from './record-selection.ts';
import { PositiveInt } from './scalars.ts';
import { systemTransaction } from './transact.ts';

/** What a key opens. */
export const Role = defineEnum('Role', 'What an access key opens.', {
  PLATFORM: 'Platform and indirect tax operations, incorporation requests.',
  ENTITIES: 'The registrations of business entities.',
  GEOCODE: 'Geocoding.',
  MANAGE_CONTENT: 'Ingesting ISO 3166 content.',
  INTEGRATIONS: 'The records, syncs and jobs of companies.',
  ADMIN: 'Issuing keys and operator mutations.',
});
export type RoleName = keyof typeof Role.values;

/** What else belongs in the transaction that makes or ends a key of an organisation. */
export type WithKey = (em: EntityManager, organisationId: number, keyId: string) => Promise<void>;

/** Who makes a request. */
export interface Principal {
  /** Who this is to idempotency keys, allowances and the trace of operators: the id of a key, or issuer, organisation and subject of a token. */
  identity: string;
  organisationId: number | null;
  organisationName: string | null;
  /** Public id of the organisation, as records show it. */
  organisation: string | null;
  roles: ReadonlySet<RoleName>;
  companyIds: readonly number[] | null;
}

@record({
  description: 'A customer of the gateway; owner of every other record.',
  scope: 'shared',
  key: 'id',
  prefix: 'org',
  primaryKey: ['id'],
  unique: [
    { name: 'organisation_name_key', columns: 'name' },
    { name: 'organisation_public_id_key', columns: 'public_id' },
  ],
  internal: true,
})
export class Organisation {
  @ledgerNumber('Internal number.', { required: true }) id!: number;
  @text('Public id, `org_…`.', { required: true }) publicId!: string;
  @text('Name, unique.', { required: true }) name!: string;
  @moment('When it was created.', { required: true }) createdAt!: Date;
}

@record({
  description: 'A credential of an organisation. Its value is shown once, at issue; only a hash is stored.',
  scope: 'shared',
  key: 'id',
  prefix: 'key',
  primaryKey: ['id'],
  unique: [{ name: 'access_key_hash_key', columns: 'hash' }],
  indexes: [{ name: 'access_key_organisation', columns: 'organisation_name, id' }],
})
export class AccessKey {
  @identifier('Identifier, `key_…`.', { required: true }) id!: string;
  @ledgerNumber('Internal number of the organisation.', { required: true, hidden: true }) organisationId!: number;
  @text('Name of the organisation the key belongs to.', { required: true }) organisationName!: string;
  @list(() => Role.values, 'What the key opens.', { required: true }) roles!: RoleName[];
  @text('Free text that helps to recognise the key.') label!: string | null;
  @list(() => PositiveInt, 'Ledger ids of the companies the key is limited to; null means all of the organisation.') companyIds!:
    | number[]
    | null;
  @moment('When the key stops working; null means never.') expiresAt!: Date | null;
  @moment('When the key was revoked.') revokedAt!: Date | null;
  @moment('When the key was last used, to the minute.') lastUsedAt!: Date | null;
  @moment('When the key was issued.', { required: true }) createdAt!: Date;
  @text('Prefix and last four characters of the value.', { required: true }) keyPreview!: string;
  @text('SHA-256 of the value, hexadecimal.', { required: true, hidden: true }) hash!: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = '';
  while (digits.length < length) {
    digits = ALPHABET[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), 6);

/** A new key value: `ent_`, 43 characters for 256 random bits, 6 for a CRC32 that lets scanners recognise it and typing mistakes fail without a look-up. */
export const newKeyValue = (): string => keyValueFrom(randomBytes(32));

/** The key value made of 32 given bytes, for keys that can be derived again instead of being stored. */
export function keyValueFrom(bytes: Buffer): string {
  const body = `ent_${base62(BigInt(`0x${bytes.toString('hex')}`), 43)}`;
  return body + checksum(body);
}

/** Whether a text has the form of a key value with a right checksum. */
export const isKeyValue = (value: string): boolean =>
  /^ent_[0-9A-Za-z]{49}$/.test(value) && checksum(value.slice(0, -6)) === value.slice(-6);

export const hashOf = (value: string): string => hash('sha256', value, 'hex');

const previewOf = (value: string): string => `${value.slice(0, 8)}…${value.slice(-4)}`;

/** What to issue a key for. */
export interface KeyRequest {
  organisationName: string;
  roles: RoleName[];
  label?: string | null;
  companyIds?: number[] | null;
  expiresAt?: string | null;
}

/** Runs the judgement of a credential, or refuses to. */
export type Guard = (judge: () => Promise<Principal | null>) => Promise<Principal | null>;

/** How long a look-up is remembered; bounds how long a revoked key works on other processes. */
const LOOKUP_MS = 5_000;

/** The keys of one process: looks them up, remembers each for five seconds, notes their use. */
export class AccessKeys {
  readonly #database: Database;
  readonly #reader: Reader;
  readonly #clock: Clock;
  readonly #adminHash: Buffer;
  readonly #found = new LRUCache<string, { principal: Principal | null; until: number }>({ max: 10_000 });
  /** Hashes of the credentials that were right when last judged. */
  readonly #right = new LRUCache<string, true>({ max: 10_000 });
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
   * The principal of a credential, or null when it is unknown, expired or revoked. Usually answers without a promise. `guard` decides
   * whether one is judged that was not right before; the admin token, which costs no look-up, always is.
   */
  find(value: string, guard: Guard = (judge) => judge()): Principal | null | Promise<Principal | null> {
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
    const judge = async (): Promise<Principal | null> => {
      const principal = await this.#judge(value, hash);
      if (principal) this.#right.set(hash, true);
      else this.#right.delete(hash);
      return principal;
    };
    return this.#right.has(hash) ? judge() : guard(judge);
  }

  #judge(value: string, hash: string): null | Promise<Principal | null> {
    if (isKeyValue(value)) return this.#lookUp(hash);
    return this.#verifyToken && value.split('.').length === 3 ? this.#fromToken(value, this.#verifyToken) : null;
  }

  /** The principal of an OpenID Connect token, if its organisation exists here. */
  async #fromToken(token: string, verify: TokenVerifier): Promise<Principal | null> {
    const claims = await verify(token);
    if (!claims) return null;
    const organisation = await this.#organisation('name', claims.organisationName);
    if (!organisation) return null;
    const publicId = organisation.publicId as string;
    return {
      // As JSON, so that no subject can be written that reads like another organisation's.
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
    this.#selection ??= selectionOf(model, ['id', 'organisationId', 'organisationName', 'roles', 'companyIds', 'expiresAt', 'revokedAt']);
    const selection = this.#selection;
    const row = await this.#reader.row({
      selection,
      tenant: null,
      where: [{ prop: propOf(model, 'hash'), operator: 'eq', value: hash }],
      primary: true,
    });
    const now = this.#clock.now();
    const live = row && row.revokedAt === null && (row.expiresAt === null || (row.expiresAt as string) > now.toISOString());
    const principal = live ? await this.#principal(row) : null;
    // An unknown key is not remembered: it may be issued by another process a moment later.
    if (principal) {
      this.#found.set(hash, { principal, until: now.getTime() + LOOKUP_MS });
      this.#used.add(principal.identity);
    }
    return principal;
  }

  #selection: ReturnType<typeof selectionOf> | undefined;

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
    this.#organisationSelection ??= selectionOf(model, ['id', 'publicId']);
    const selection = this.#organisationSelection;
    return this.#reader.row({ selection, tenant: null, where: [{ prop: propOf(model, property), operator: 'eq', value }], primary: true });
  }

  #organisationSelection: ReturnType<typeof selectionOf> | undefined;

  /** Makes sure a key with this value exists; answers whether it was made now. */
  async ensure(value: string, request: KeyRequest): Promise<boolean> {
    if (await this.#lookUp(hashOf(value))) return false;
    await this.issue(request, { value });
    return true;
  }

  /** Issues a key, creating the organisation when its name is new. The value is returned here and never again. */
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

  /** Ends a key at a time (now, or after a rotation's grace). Other processes follow within five seconds. */
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

  /** Writes the time of use of the keys used since the last call; called once a minute, never by a request. */
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

/** The id of the organisation of a name; creates it when new. */
export async function ensureOrganisation(em: Parameters<typeof executeIn>[0], name: string, now: Date): Promise<number> {
  const rows = await executeIn<{ id: string | number }>(
    em,
    `insert into organisation (id, public_id, name, created_at) values (nextval('organisation_id'), $1, $2, $3::timestamptz)
     on conflict (name) do update set name = excluded.name returning id`,
    [newId('org'), name, now.toISOString()],
  );
  return Number(rows[0]!.id);
}

/** Declares the roles (any one suffices) that may use a root field; none means everybody, also without a key. */
export const access = (...roles: RoleName[]): MethodDecorator & PropertyDecorator =>
  Extensions({ access: roles }) as MethodDecorator & PropertyDecorator;

/** Throws unless the principal has one of the roles. */
export function requireRole(principal: Principal | null, roles: readonly RoleName[]): void {
  if (roles.length === 0) return;
  if (!principal) throw new GatewayError('UNAUTHENTICATED', 'a key is required');
  if (!roles.some((role) => principal.roles.has(role))) {
    throw new GatewayError('FORBIDDEN', `the key lacks the role ${roles.join(' or ')}`, { role: roles[0]! });
  }
}

// The statements of the audit log: its entries as callers see them, the seals of its chains, and what retention removes.
import { AuditChain } from '../access/audit-entry.ts';
import { type Database, type EntityManager, executeIn, type Statement } from '../database/open.ts';
import type { Clock } from '../runtime/clock.ts';

/** An entry as it is shown, exported and hashed. */
export interface SealedEntry {
  id: string;
  /** Public id of the organisation; null for content that all organisations share. */
  organisationId: string | null;
  at: string;
  actorKind: string;
  actorId: string | null;
  operation: string;
  recordIds: string[];
  recordCount: number;
  beforeHash: string | null;
  afterHash: string | null;
  address: string | null;
  requestId: string;
  reason: string | null;
  position: number | null;
  hash: string | null;
}

const MEMBERS = `e.id, o.public_id as "organisationId", to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
  e.actor_kind as "actorKind", e.actor_id as "actorId", e.operation, e.record_ids as "recordIds", e.record_count as "recordCount",
  e.before_hash as "beforeHash", e.after_hash as "afterHash", e.address, e.request_id as "requestId", e.reason, e.position::float8 as position, e.hash`;
const ENTRY = 'audit_entry e left join organisation o on o.id = e.organisation_id';

/** The chain of an entry: its organisation, or 0. */
const CHAIN = 'coalesce(e.organisation_id, 0)';

/** Entries that meet a condition in SQL, in an order, each with its chain. */
const entriesWhere = (em: EntityManager, condition: string, values: readonly unknown[]): Promise<(SealedEntry & { chain: number })[]> =>
  executeIn(em, `select ${MEMBERS}, ${CHAIN}::float8 as chain from ${ENTRY} where ${condition}`, [...values]);

/** The oldest entries that are not sealed. Their time orders them and not their id, because a migration took entries over from another table. */
export const unsealedEntries = (em: EntityManager, limit: number): ReturnType<typeof entriesWhere> =>
  entriesWhere(em, 'e.position is null order by e.at, e.id limit $1', [limit]);

/** A row while an entry waits for its seal. */
export const UNSEALED: Statement = { name: 'unsealed_entries', text: 'select 1 from audit_entry where position is null limit 1' };

/** How many seconds the oldest entry has waited for its seal; 0 when none waits. */
export async function oldestUnsealedSeconds({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const [row] = await database.read(
    {
      name: 'audit_oldest_unsealed',
      text: 'select coalesce(greatest(0, extract(epoch from $1::timestamptz - min(at))), 0) from audit_entry where position is null',
    },
    [clock.now().toISOString()],
  );
  return Number(row![0]);
}

/** Entries of a chain from a position on, in its order. */
export const entriesFrom = (em: EntityManager, chain: number, position: number, limit: number): Promise<SealedEntry[]> =>
  entriesWhere(em, `${CHAIN} = $1 and e.position >= $2 and e.position is not null order by e.position limit $3`, [chain, position, limit]);

/** The first chain from a number on, by its record or by its entries. A chain that has lost one of the two is found by the other. */
export async function chainFrom(em: EntityManager, number: number): Promise<{ number: number; chain: AuditChain | null } | undefined> {
  const [found] = await executeIn<{ number: number | null }>(
    em,
    `select least((select organisation_id from audit_chain where organisation_id >= $1 order by organisation_id limit 1),
       (select ${CHAIN} from audit_entry e where ${CHAIN} >= $1 and e.position is not null order by ${CHAIN}, e.position limit 1))::float8 as number`,
    [number],
  );
  const next = found!.number;
  return next === null ? undefined : { number: next, chain: await em.findOne(AuditChain, { organisationId: next }) };
}

/** The last sealed position of each of these chains that has sealed entries. */
export const lastPositions = (em: EntityManager, chains: readonly number[]): Promise<{ chain: number; position: number }[]> =>
  executeIn(
    em,
    `select c.chain::float8 as chain, e.position::float8 as position from unnest($1::bigint[]) as c(chain) cross join lateral (
       select e.position from audit_entry e where ${CHAIN} = c.chain and e.position is not null order by e.position desc limit 1) e`,
    [chains],
  );

/** A head of a chain as it was written down. */
export interface KeptHead {
  organisationId?: string | null | undefined;
  position: number;
  hash: string;
}

/** The heads that the chains no longer have. One that retention has removed cannot be compared. */
export const lostHeads = (
  em: EntityManager,
  heads: readonly KeptHead[],
): Promise<{ organisationId: string | null; position: number; entryId: string | null; kind: 'ALTERED' | 'MISSING' }[]> =>
  executeIn(
    em,
    `select * from (
       select h."organisationId", h.position::float8 as position, e.id as "entryId", case
         when c.organisation_id is null or h.position > c.end_position or h.position > c.start_position and e.id is null then 'MISSING'
         when coalesce(e.hash, case when h.position = c.start_position then c.start_hash else h.hash end) is distinct from h.hash then 'ALTERED' end as kind
       from jsonb_to_recordset($1::text::jsonb) as h("organisationId" text, position bigint, hash text)
       left join organisation o on o.public_id = h."organisationId"
       left join audit_chain c on c.organisation_id = case when h."organisationId" is null then 0 else o.id end
       left join audit_entry e on ${CHAIN} = c.organisation_id and e.position = h.position) compared
     where kind is not null order by "organisationId", position`,
    [JSON.stringify(heads)],
  );

/** Stores the seals of entries and the new ends of their chains. */
export async function storeSeals(
  em: EntityManager,
  seals: readonly { id: string; position: number; hash: string }[],
  ends: readonly ({ chain: number } & Pick<AuditChain, 'endPosition' | 'endHash'>)[],
): Promise<void> {
  await executeIn(
    em,
    `with sealed as (
       update audit_entry e set position = s.position, hash = s.hash from jsonb_to_recordset($1::text::jsonb) as s(id text, position bigint, hash text) where e.id = s.id)
     insert into audit_chain as c (organisation_id, start_position, start_hash, end_position, end_hash)
     select s.chain, 0, '', s."endPosition", s."endHash" from jsonb_to_recordset($2::text::jsonb) as s(chain bigint, "endPosition" bigint, "endHash" text)
     on conflict (organisation_id) do update set end_position = excluded.end_position, end_hash = excluded.end_hash`,
    [JSON.stringify(seals), JSON.stringify(ends)],
  );
}

/**
 * Removes up to `limit` of the oldest entries of one chain that are from before a time, and moves its start; returns how many. The last of them
 * stays: its time shows that those before it were old enough.
 */
export async function removeOldest(em: EntityManager, before: string, limit: number): Promise<number> {
  const rows = await executeIn<{ removed: number }>(
    em,
    `with aged as materialized (
       select c.organisation_id as chain, c.start_position from audit_chain c
       where (select count(*) from audit_entry e where ${CHAIN} = c.organisation_id and e.position between c.start_position + 1 and c.start_position + 2
         and e.at < $1::timestamptz) = 2
       order by c.organisation_id limit 1 for update skip locked),
     oldest as materialized (
       select e.id, e.position, e.hash, lead(e.position) over w is not null
         and bool_and(e.at < $1::timestamptz) over (w rows between unbounded preceding and 1 following) as aged
       from aged a join audit_entry e on ${CHAIN} = a.chain and e.position > a.start_position and e.position <= a.start_position + ${limit + 1}
       window w as (order by e.position)),
     gone as (delete from audit_entry e using oldest k where e.id = k.id and k.aged returning e.position),
     moved as (
       update audit_chain c set start_position = k.position, start_hash = k.hash from aged a, (select position, hash from oldest where aged order by position desc limit 1) k
       where c.organisation_id = a.chain)
     select count(*)::int as removed from gone`,
    [before],
  );
  return rows[0]!.removed;
}

/** Which entries a page shows. */
export interface EntryConditions {
  /** Number of the organisation; undefined for those of all. */
  organisation?: number | undefined;
  actorId?: string | null | undefined;
  operation?: string | null | undefined;
  recordId?: string | null | undefined;
  requestId?: string | null | undefined;
  since?: string | null | undefined;
  until?: string | null | undefined;
}

/** The place of an entry among all by time: its moment, to the microsecond, and its id. */
export type EntryPlace = [at: string, id: string];

/** An entry of a page. */
export interface ListedEntry extends SealedEntry {
  place: EntryPlace;
}

const PLACE = `array[to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), e.id]`;

/** Most entries that a page with conditions looks at, because no index leads to those that match. */
const MAX_EXAMINED = 10_000;

const TERMS: readonly [keyof EntryConditions, (value: string) => string][] = [
  ['actorId', (value) => `e.actor_id = ${value}`],
  ['operation', (value) => `e.operation = ${value}`],
  ['recordId', (value) => `e.record_ids @> jsonb_build_array(${value}::text)`],
  ['requestId', (value) => `e.request_id = ${value}`],
];

/**
 * Up to `limit` entries, newest first, after the place `after`. `seenTo` is the place of the last entry that was looked at where others follow it;
 * a page may hold fewer entries then.
 */
export async function pageOfEntries(
  em: EntityManager,
  conditions: EntryConditions,
  after: EntryPlace | null,
  limit: number,
): Promise<{ entries: ListedEntry[]; seenTo: EntryPlace | null }> {
  const values: unknown[] = [];
  const bound = (value: unknown): string => `$${values.push(value)}`;
  const place = [
    ...(conditions.organisation === undefined ? [] : [`e.organisation_id = ${bound(conditions.organisation)}`]),
    ...(conditions.since == null ? [] : [`e.at >= ${bound(conditions.since)}::timestamptz`]),
    ...(conditions.until == null ? [] : [`e.at < ${bound(conditions.until)}::timestamptz`]),
    ...(after === null ? [] : [`(e.at, e.id) < (${bound(after[0])}::timestamptz, ${bound(after[1])})`]),
  ];
  const terms = TERMS.flatMap(([name, term]) => (conditions[name] == null ? [] : [term(bound(conditions[name]))]));
  const examined = terms.length === 0 ? limit : MAX_EXAMINED;
  const rows = await executeIn<ListedEntry & { seenTo: EntryPlace | null }>(
    em,
    `with seen as materialized (select * from audit_entry e ${place.length > 0 ? `where ${place.join(' and ')}` : ''} order by e.at desc, e.id desc limit ${examined})
     select (select ${PLACE} from seen e order by e.at desc, e.id desc offset ${examined - 1}) as "seenTo", shown.*
     from (select 1) as one left join lateral (
       select ${MEMBERS}, ${PLACE} as place from seen e left join organisation o on o.id = e.organisation_id
       ${terms.length > 0 ? `where ${terms.join(' and ')}` : ''} order by e.at desc, e.id desc limit ${limit}) as shown on true
     order by shown.place desc`,
    values,
  );
  return { entries: rows.filter(({ id }) => id !== null), seenTo: rows[0]!.seenTo };
}

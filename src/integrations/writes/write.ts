// The write path of ledger records: any number of records of one type, with their nested records, in set-based statements of one transaction.
import { randomUUID } from 'node:crypto';
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { type Model, modelOf, type RecordClass, type Relation } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { others } from '../../runtime/others.ts';
import { etagOf, isSourced, type LedgerRecord, namesOf, POSITION } from '../ledger/ledger-record.ts';
import { awaitedTypes, nestedRelations, referencesOf } from '../ledger/references.ts';
import {
  type Change,
  type CurrentRecord,
  changeOf,
  checked,
  type Entry,
  fieldOf,
  isDecided,
  merge,
  type RecordInput,
  type RecordResult,
  refuse,
  requireVersion,
  type SourceVersion,
  type WriteScope,
} from './change.ts';
import { matchContents, nestedChanges, placeChildren, readSiblings } from './children.ts';
import { checkIntegrity } from './integrity-check.ts';
import { findNamed } from './named-records.ts';
import { alreadyExists, matchNaturalKeys, occursTwice, refuseRepeated } from './natural-keys.ts';
import { lockAwaited, storeOpenReferences } from './open-references.ts';
import {
  checkBelongs,
  checkParents,
  checkWhole,
  lockedParent,
  lockedParents,
  lockParents,
  type Parents,
  parentNamed,
  refusalOf,
  touchParents,
} from './parents.ts';
import { insertRecords, readCircular, readMatching, readReferences, readStored, stateOf, updateRecords } from './record.statements.ts';
import { checkReferences, deleteReported, deletionOf, markDeleted, touch } from './record-store.ts';
import { clearReference, disagreement, isPulledReference, refuseNaming, resolveReferences, settleReserved } from './references.ts';
import { agree, keepLocal } from './source-versions.ts';

/** Whether a write may only create records, or also update those whose platform id is stored. */
export type WriteMode = 'create' | 'upsert';

/** Changes that are merged before the process may do other work. */
const MERGED = 500;

/**
 * Writes records and everything nested in them; the result has one entry per record, in order. When one of them is rejected, parts of it may
 * be stored already: the caller must roll back the transaction or savepoint.
 */
export async function writeRecords(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  entries: Entry[],
  mode: WriteMode,
  ifMatch?: string | null,
): Promise<RecordResult[]> {
  const named = entries.map((entry) => withOwnId(target, entry, mode));
  await lockAwaited(
    em,
    scope,
    target,
    named.map(({ input }) => input),
  );
  const parents = await lockedParents(em, scope, target, named);
  const changes = named.map(({ input, path, error, source, shownNumber }): Change => {
    const change = changeOf(input, path, { error, source });
    return shownNumber === undefined ? change : { ...change, shownNumber };
  });
  if (named.some(({ ledgerId }) => ledgerId !== undefined)) await findNamed(em, scope, target, named, changes);
  if (mode === 'create')
    for (const [place, { path, ledgerId }] of named.entries())
      if (ledgerId !== undefined)
        refuse(scope, changes[place]!, invalid(`${path}.id`, `${path}.id names a stored record, and this operation creates new ones`));
  return writeAlone(em, scope, target, changes, mode, parents, ifMatch);
}

/**
 * A record that says its own number, as an entry that names the record. Next to a platform id the number names nothing: REST shows both, and what was
 * read in one company may be sent to another. A child is named by its number in any case.
 */
function withOwnId(target: RecordClass<LedgerRecord>, entry: Entry, mode?: WriteMode): Entry {
  if (!('id' in entry.input)) return entry;
  const { id, ...input } = entry.input;
  if (id == null) return { ...entry, input };
  const ledgerId = id as number;
  if (namesOf(target).parent.length > 0 || mode === undefined) return { ...entry, input, ledgerId };
  if (mode === 'create') return { ...entry, input };
  return input.platformId == null ? { ...entry, input, ledgerId } : { ...entry, input, shownNumber: ledgerId };
}

/** Writes records on their own; the parents of those that are children change with them. */
async function writeAlone(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: Change[],
  mode: WriteMode,
  parents: Parents,
  ifMatch?: string | null,
): Promise<RecordResult[]> {
  const results = await writeChanges(em, scope, target, changes, mode, ifMatch, parents);
  if (parents.size === 0) return results;
  await checkParents(em, scope, target, parents, changes);
  const changed = changes.flatMap(({ error, values, stored }, place) => {
    const result = results[place]!;
    return error || result instanceof GatewayError || result.changed === 'unchanged' ? [] : [values, ...(stored ? [stored] : [])];
  });
  await touchParents(em, scope, target, parents, changed);
  return changes.map(({ error }, place) => error ?? results[place]!);
}

/** Updates one record by its number. */
export async function updateRecord(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  ledgerId: number,
  given: RecordInput,
  ifMatch?: string | null,
): Promise<RecordResult> {
  const { input, ledgerId: own = ledgerId } = withOwnId(target, { path: 'data', input: given });
  await lockAwaited(em, scope, target, [input]);
  const parents = await lockedParents(em, scope, target, [{ input, ledgerId }]);
  const stored = await storedRecord(em, scope, target, ledgerId);
  if (ifMatch != null) requireVersion(ifMatch, stored);
  if (input.platformId != null && input.platformId !== stored.platformId)
    throw invalid('data.platformId', 'data.platformId cannot be changed');
  if (own !== ledgerId) throw invalid('data.id', `data.id is ${own}, but the record to change is ${ledgerId}`, 'MISMATCH');
  return (await writeAlone(em, scope, target, [changeOf(input, 'data', { stored, ledgerId })], 'upsert', parents))[0]!;
}

/**
 * Stores what the source made of a write: its id, and the record as it has it now, if it returns it. A record of a pull that has that id already is
 * the same one, which the pull saw first. It is removed, and its number is returned.
 */
export async function takeOver(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  ledgerId: number,
  platformId: string,
  response: { input: RecordInput; source: SourceVersion },
): Promise<number | undefined> {
  // Whatever the scope says of the record, this deletion is not sent to the source.
  const gone = await deleteReported(
    em,
    { ...scope, isPull: true },
    target,
    `platform_id = $3 and ledger_integration_type = $4 and ledger_id <> $5::bigint`,
    [platformId, scope.company.integrationType, ledgerId],
  );
  const stored = await storedRecord(em, scope, target, ledgerId);
  const { input, source } = response;
  const agreed = { ...stored, sourceState: 'IN_SYNC', sourceHash: null };
  const [result] = await writeChanges(
    em,
    scope,
    target,
    [changeOf({ ...input, platformId }, 'data', { stored: agreed, ledgerId, source })],
    'upsert',
  );
  if (result instanceof GatewayError) throw result;
  return gone[0];
}

/** Gives a record that its source has not seen another id, because the source has given its own to another record. */
export async function replaceId(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  stored: CurrentRecord,
): Promise<void> {
  const change = changeOf({ platformId: randomUUID() }, 'data', { stored, ledgerId: stored.ledgerId });
  const [result] = await writeChanges(em, { ...scope, keepsSource: true }, target, [change], 'upsert');
  if (result instanceof GatewayError) throw result;
}

/** Marks a record and its children deleted; throws RECORD_NOT_FOUND if it does not exist. */
export async function deleteRecord(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  ledgerId: number,
  ifMatch?: string | null,
): Promise<void> {
  const parents = await lockedParents(em, scope, target, [{ input: {}, ledgerId }]);
  const stored = await storedRecord(em, scope, target, ledgerId);
  if (ifMatch != null) requireVersion(ifMatch, stored);
  const refusal = refusalOf(target, stored, 'ledgerId');
  if (refusal) throw refusal;
  await markDeleted(em, scope, target, 'ledger_id = $4::bigint', [ledgerId]);
  scope.changes.push(deletionOf(target, stored));
  await touchParents(em, scope, target, parents, [stored]);
}

async function storedRecord(em: EntityManager, scope: WriteScope, target: RecordClass<LedgerRecord>, ledgerId: number) {
  const stored = (await readStored(em, scope, modelOf(target), 'ledger_id = $3::bigint', [ledgerId]))[0];
  if (!stored) throw notFound(target, ledgerId, 'ledgerId');
  return stored;
}

async function writeChanges(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: Change[],
  mode: WriteMode,
  ifMatch?: string | null,
  parents?: Parents,
): Promise<RecordResult[]> {
  const model = modelOf(target);
  await writeLinked(em, scope, target, changes);
  await resolveReferences(em, scope, target, changes);
  if (parents && namesOf(target).parent.length > 0) await lockNamed(em, scope, target, changes, parents);
  const numbered = new Set(changes.filter(({ stored }) => stored));
  await findStored(em, scope, target, changes, mode);
  await matchNaturalKeys(em, scope, target, changes, mode === 'create');
  refuseRepeated(scope, target, changes, numbered);
  settleReserved(changes);
  for (const [place, change] of changes.entries()) {
    if (place % MERGED === MERGED - 1) await others();
    if (ifMatch != null) checked(scope, change, () => requireVersion(ifMatch, change.stored));
    checked(scope, change, () => merge(scope, model, change));
  }
  if (namesOf(target).parent.length > 0) {
    await refuseTaken(em, scope, target, changes);
    matchContents(target, changes);
    placeChildren(target, changes, parents ?? new Map());
  }
  checkWhole(scope, target, changes);
  checkBelongs(scope, target, changes);
  if (scope.isPull && isSourced(target)) await keepLocal(em, scope, model, changes);
  const written = changes.filter(({ isKept }) => !isKept);
  await checkReferences(em, scope, target, written);
  refuseNaming(scope, changes);
  const live = written.filter((change) => !change.error && !change.parent?.error);
  const fresh = live.filter((change) => !change.stored);
  const numberless = fresh.filter(({ reserved }) => reserved === undefined);
  const ids = await scope.services.ledgerIds.take(em, numberless.length);
  for (const change of fresh) change.ledgerId = change.reserved ?? ids.shift()!;
  const changed = live.filter(
    ({ stored, values }) => stored && (stored.dataHash !== values.dataHash || stored[POSITION] !== values[POSITION]),
  );
  await insertRecords(em, scope, model, fresh);
  await updateRecords(em, scope, model, changed);
  await storeOpenReferences(em, scope, target, live);
  noteArrived(scope, target, fresh);
  await checkCycles(em, scope, target, [...fresh, ...changed]);
  const touched = await writeOwned(em, scope, target, scope.collectsAllErrors ? changes : live);
  // Writing a record again sends it again that the source has rejected.
  if (stateOf(scope, target) === 'PENDING_PUSH')
    for (const change of live) if (change.stored?.sourceState === 'PUSH_FAILED') touched.add(change);
  const sent = new Set(changed);
  const updated = new Set([...changed, ...touched].filter((change) => change.stored));
  await touch(
    em,
    scope,
    model,
    [...updated].filter((change) => !sent.has(change)).map((change) => change.ledgerId),
  );
  if (scope.isPull && isSourced(target))
    await agree(
      em,
      scope,
      model,
      live.filter((change) => change.stored && !sent.has(change)),
    );
  await checkIntegrity(
    em,
    scope,
    model,
    live,
    ({ parent, values }) => parent?.values ?? (parents && lockedParent(parents, target, values)?.stored),
  );
  refuseNaming(scope, changes);
  return changes.map((change): RecordResult => {
    if (change.error) return change.error;
    const operation = change.isKept ? undefined : change.stored ? (updated.has(change) ? 'UPDATE' : undefined) : 'CREATE';
    // An event reports the change of a child as a change of its parent.
    if (operation && !change.parent) {
      const previous = change.stored && { previousEtag: etagOf(change.stored), before: change.stored.dataHash as string };
      scope.changes.push({ target, ledgerId: change.ledgerId, operation, after: change.values.dataHash as string, ...previous });
    }
    return { ledgerId: change.ledgerId, changed: operation === 'CREATE' ? 'created' : operation ? 'updated' : 'unchanged' };
  });
}

/** Locks the parents that children name by the ids of the source too, so that they need no further check. */
async function lockNamed(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
  parents: Parents,
): Promise<void> {
  const valuesOf = ({ stored, input }: Change) => ({ ...stored, ...input });
  const named = changes.flatMap((change) => parentNamed(target, valuesOf(change)) ?? []);
  await lockParents(em, scope, target, parents, named);
  const name = namesOf(target).parent.at(-1)!;
  for (const change of changes)
    if (lockedParent(parents, target, valuesOf(change))) change.found = new Set([...(change.found ?? []), name]);
}

/**
 * Notes the records that were created, for the references that wait for them. Of callers, only records of types that others may name before are
 * noted.
 */
function noteArrived({ arrived, isPull }: WriteScope, target: RecordClass<LedgerRecord>, fresh: readonly Change[]): void {
  if (!arrived || fresh.length === 0 || !(isPull || awaitedTypes().includes(target))) return;
  arrived.set(target, [...(arrived.get(target) ?? []), ...fresh.map(({ values }) => String(values.platformId))]);
}

/**
 * Whether the chunks of a batch that names each record once may be written in any order. They may not when a record refers to another of its own
 * type, or when it nests a contact or currency. Of several records that nest the same one, the last decides its values.
 */
export function parallelisable(target: RecordClass<LedgerRecord>, inputs: readonly RecordInput[]): boolean {
  const above = referencesOf(target).filter(({ prop }) => prop.target?.() === target);
  return (
    inputs.every((input) => above.every(({ prop, field }) => input[prop.name] == null && input[field] == null)) &&
    nestedRelations(target).every((relation) => {
      const nested = inputs.flatMap((input) => nestedIn(input, relation));
      return relation.owned ? parallelisable(relation.target(), nested) : nested.length === 0;
    })
  );
}

/** The records that the input of a record nests under a relation; one that is not a list may come alone. */
function nestedIn(input: RecordInput, { name }: Relation): RecordInput[] {
  const given = (input[name] ?? []) as RecordInput | RecordInput[];
  return Array.isArray(given) ? given : [given];
}

/** A nested record with the records that nest it, and the natural key of those that name it by that alone. */
interface Shared {
  child: Change;
  uses: { change: Change; key?: unknown }[];
}

/**
 * The nested records of one relation. A record is the same as another where the platform ids agree, or the natural keys if one of the two gives no
 * platform id.
 */
class SharedRecords {
  readonly all: Shared[] = [];
  readonly naturalKey: string | undefined;
  readonly #keys: ReadonlyMap<unknown, unknown>;
  readonly #byId = new Map<unknown, Shared>();
  readonly #byNaturalKey = new Map<unknown, Shared>();

  /** `keys` has the natural keys of stored records by their platform ids. */
  constructor(naturalKey: string | undefined, keys: ReadonlyMap<unknown, unknown>) {
    this.naturalKey = naturalKey;
    this.#keys = keys;
  }

  add(input: RecordInput, path: string, change: Change): void {
    const { platformId = null } = input;
    const key = (this.naturalKey && (input[this.naturalKey] ?? this.#keys.get(platformId))) ?? null;
    let shared = platformId === null ? undefined : this.#byId.get(platformId);
    const alike = key === null ? undefined : this.#byNaturalKey.get(key);
    if (!shared && alike && (platformId === null || alike.child.input.platformId == null)) shared = alike;
    if (shared) shared.child.input = { ...shared.child.input, ...input };
    else {
      shared = { child: changeOf(input, path), uses: [] };
      this.all.push(shared);
    }
    shared.uses.push(platformId === null && key !== null ? { change, key } : { change });
    if (platformId !== null) this.#byId.set(platformId, shared);
    if (key !== null && !alike) this.#byNaturalKey.set(key, shared);
  }
}

/** Writes nested contacts and currencies first and sets their number or code in the change. Records that nest the same one share one write. */
async function writeLinked(em: EntityManager, scope: WriteScope, target: RecordClass<LedgerRecord>, changes: Change[]): Promise<void> {
  for (const relation of nestedRelations(target).filter((entry) => !entry.owned)) {
    const linked = modelOf(relation.target());
    const given: { change: Change; path: string; input: RecordInput }[] = [];
    const shown = relation.to === linked.key ? changes.flatMap(({ input }) => nestedIn(input, relation)) : [];
    const gone = await goneAmong(em, scope, linked, shown);
    for (const change of changes) {
      const nested = nestedIn(change.input, relation);
      const path = fieldOf(change, relation.name);
      if (nested.length > 1) refuse(scope, change, invalid(path, `${path} must have at most one entry`));
      const [input] = nested;
      if (!input && change.input[relation.name] !== undefined) clearReference(scope, change, relation.name, relation.from);
      if (!input || nested.length > 1 || isDecided(scope, change) || (relation.to === linked.key && isPulledReference(scope, input)))
        continue;
      // What is gone is not written, and the number next to it says whether it may be named.
      if (gone.has(input.id)) continue;
      given.push({ change, path, input });
    }
    const { naturalKey } = namesOf(relation.target());
    const keys = await storedKeys(
      em,
      scope,
      relation.target(),
      naturalKey,
      given.map(({ input }) => input),
    );
    const shared = new SharedRecords(naturalKey, keys);
    for (const { change, path, input } of given) shared.add(input, path, change);
    const { all } = shared;
    if (all.length === 0) continue;
    const results = await writeChanges(
      em,
      scope,
      relation.target(),
      all.map(({ child }) => child),
      'upsert',
    );
    for (const [position, { child, uses }] of all.entries()) {
      const result = results[position]!;
      for (const { change, key } of uses) {
        const path = fieldOf(change, relation.name);
        if (result instanceof GatewayError) refuse(scope, change, movedTo(result, child.path, path));
        else if (key !== undefined && child.values[shared.naturalKey!] !== key)
          refuse(scope, change, invalid(path, `${path} names a record to which this request gives another ${shared.naturalKey}`));
        else link(scope, change, relation, relation.to === linked.key ? result.ledgerId : child.values[relation.to]);
      }
    }
  }
}

/** The numbers of nested records, as reads show them, of which the company has no live record. */
async function goneAmong(
  em: EntityManager,
  scope: WriteScope,
  { table }: Model,
  nested: readonly RecordInput[],
): Promise<ReadonlySet<unknown>> {
  const numbers = nested.flatMap(({ id }) => (id as number | null | undefined) ?? []);
  if (numbers.length === 0) return new Set();
  const live = new Set((await readReferences(em, scope, new Map([[table, numbers]]))).map(({ id }) => Number(id)));
  return new Set(numbers.filter((number) => !live.has(number)));
}

/** The natural keys of the stored records that inputs name by platform ids alone, where others may name them by those. */
async function storedKeys(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  naturalKey: string | undefined,
  inputs: readonly RecordInput[],
): Promise<Map<unknown, unknown>> {
  if (naturalKey === undefined || inputs.every(({ platformId }) => platformId != null)) return new Map();
  const alone = inputs.filter((input) => input[naturalKey] == null && input.platformId != null).map((input) => changeOf(input, ''));
  const rows = alone.length === 0 ? [] : await readMatching(em, scope, target, 'platformId', alone);
  return new Map(rows.map((row) => [row.platformId, row[naturalKey]]));
}

/** Sets the number or code of a nested record, which must be the one that the change gives next to it. */
function link(scope: WriteScope, change: Change, relation: Relation, value: unknown): void {
  const given = change.input[relation.from];
  const field = fieldOf(change, relation.name);
  const isNew = relation.to !== 'code' && nestedIn(change.input, relation)[0]?.platformId == null;
  if (given != null && given !== value && isNew)
    refuse(scope, change, invalid(field, `${field} without platformId is a new record, so it cannot be ${String(given)}`, 'MISMATCH'));
  else if (given !== undefined && given !== value) refuse(scope, change, disagreement(field, relation.from, given));
  else change.input = { ...change.input, [relation.from]: value };
}

/** The error of a shared record, with the path of another place that nests it. */
function movedTo(error: GatewayError, from: string, to: string): GatewayError {
  const moved = (text: string): string => text.replaceAll(from, to);
  const { field, issues } = error.info;
  return new GatewayError(error.code, moved(error.message), {
    ...error.info,
    field: field && moved(field),
    ...(issues ? { issues: issues.map((issue) => ({ ...issue, field: moved(issue.field), message: moved(issue.message) })) } : {}),
    ...(error.info.others ? { others: error.info.others.map((other) => movedTo(other, from, to)) } : {}),
  });
}

/** Returns a function that computes the identity of a record within its company: its parent and the value it is matched by. */
export function identifiedBy(target: RecordClass<LedgerRecord>, name: string): (row: RecordInput) => string {
  const parts = [...namesOf(target).parent, name];
  return (row) => {
    let identity = '';
    for (const part of parts) identity += `${row[part] ?? ''}\u0001`;
    return identity;
  };
}

async function findStored(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: Change[],
  mode: WriteMode,
): Promise<void> {
  const wanted = changes.filter(
    (change) => !change.stored && !change.parent && !isDecided(scope, change) && change.input.platformId != null,
  );
  if (wanted.length === 0) return;
  const rows = await readMatching(em, scope, target, 'platformId', wanted);
  const identityOf = identifiedBy(target, 'platformId');
  const byIdentity = new Map(rows.map((row) => [identityOf(row), row]));
  const seen = new Set<string>();
  for (const [place, change] of wanted.entries()) {
    if (place % MERGED === MERGED - 1) await others();
    const own = identityOf(change.input);
    change.stored = byIdentity.get(own);
    change.ledgerId = change.stored?.ledgerId ?? 0;
    if (seen.has(own)) refuse(scope, change, occursTwice(change, 'platformId'));
    else if (change.stored && mode === 'create') refuse(scope, change, alreadyExists(change, 'platformId'));
    seen.add(own);
  }
  await refuseOtherNumbers(em, scope, target, wanted);
}

/** Rejects children that are moved to a parent which has another one with their platform id, or gets it by this request. */
async function refuseTaken(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
): Promise<void> {
  const identityOf = identifiedBy(target, 'platformId');
  const alone = changes.filter((change) => !change.parent && !isDecided(scope, change));
  const isMoved = ({ stored, values }: Change): boolean => stored !== undefined && identityOf(stored) !== identityOf(values);
  const moved = alone.filter(isMoved);
  if (moved.length === 0) return;
  const rows = await readMatching(
    em,
    scope,
    target,
    'platformId',
    moved.map((change) => ({ ...change, input: change.values })),
  );
  const ofOneSource = (row: RecordInput): string => `${row.ledgerIntegrationType}\u0001${identityOf(row)}`;
  const taken = new Set(rows.map(ofOneSource));
  const { integrationType } = scope.company;
  for (const change of [...alone.filter((one) => !isMoved(one)), ...moved]) {
    const own = ofOneSource({ ...change.values, ledgerIntegrationType: change.stored?.ledgerIntegrationType ?? integrationType });
    if (taken.has(own) && isMoved(change)) refuse(scope, change, alreadyExists(change, 'platformId'));
    taken.add(own);
  }
}

/** Rejects changes whose number is that of a record with another platform id than the one next to it. A number of another company says nothing. */
async function refuseOtherNumbers(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
): Promise<void> {
  const apart = changes.filter(({ shownNumber, stored }) => shownNumber !== undefined && shownNumber !== stored?.ledgerId);
  if (apart.length === 0) return;
  const numbers = apart.map(({ shownNumber }) => shownNumber);
  const rows = await readStored(em, scope, modelOf(target), 'ledger_id = any($3::bigint[])', [numbers]);
  const platformIds = new Map(rows.map(({ ledgerId, platformId }) => [ledgerId, platformId]));
  for (const change of apart) {
    const { platformId } = change.input;
    const own = platformIds.get(change.shownNumber!) ?? platformId;
    if (own !== platformId) refuse(scope, change, disagreement(fieldOf(change, 'id'), 'platformId', JSON.stringify(platformId)));
  }
}

/** Rejects changes that would make a record its own ancestor, through a reference that can name its own type. */
async function checkCycles(em: EntityManager, scope: WriteScope, target: RecordClass<LedgerRecord>, changes: Change[]): Promise<void> {
  const model = modelOf(target);
  for (const { prop, isList, typedBy, targets } of referencesOf(target)) {
    if (isList || !targets().includes(target)) continue;
    const type = typedBy === undefined ? undefined : { prop: model.props.get(typedBy)!, name: namesOf(target).dataModel };
    const moved = changes.filter(
      ({ values, stored }) =>
        values[prop.name] !== null && values[prop.name] !== stored?.[prop.name] && (!type || values[type.prop.name] === type.name),
    );
    if (moved.length === 0) continue;
    // Two writes that each see no cycle could make one together, so the lock runs them one after the other.
    await lockUntilCommit(em, `${model.table}.${prop.column} ${scope.company.ledgerId}`);
    const ids = moved.map((change) => change.ledgerId);
    const circular = await readCircular(em, scope, model, prop, ids, type);
    for (const change of moved) {
      const field = fieldOf(change, prop.name);
      if (circular.has(change.ledgerId)) change.error ??= invalid(field, `${field} would make the record its own ancestor`);
    }
  }
}

/** Writes the given children, which are those of their record from now on. Returns the changes whose children changed. */
async function writeOwned(em: EntityManager, scope: WriteScope, target: RecordClass<LedgerRecord>, live: Change[]): Promise<Set<Change>> {
  const touched = new Set<Change>();
  for (const relation of nestedRelations(target).filter((entry) => entry.owned)) {
    const given = live.filter((change) => change.input[relation.name] !== undefined && !isDecided(scope, change));
    const siblings = await readSiblings(em, scope, relation, given);
    const children = given.flatMap((parent) =>
      nestedChanges(scope, relation, parent, nestedIn(parent.input, relation), siblings.get(parent.ledgerId) ?? []),
    );
    const results = children.length > 0 ? await writeChanges(em, scope, relation.target(), children, 'upsert') : [];
    const kept = new Set<number>();
    for (const [position, { parent }] of children.entries()) {
      const result = results[position]!;
      if (result instanceof GatewayError) refuse(scope, parent!, result);
      else if (!parent!.error) {
        kept.add(result.ledgerId);
        if (result.changed !== 'unchanged') touched.add(parent!);
      }
    }
    const gone: number[] = [];
    for (const change of given)
      for (const { ledgerId } of change.error ? [] : (siblings.get(change.ledgerId) ?? [])) {
        if (kept.has(ledgerId)) continue;
        gone.push(ledgerId);
        touched.add(change);
      }
    if (gone.length > 0) await markDeleted(em, scope, relation.target(), 'ledger_id = any($4::bigint[])', [gone]);
  }
  return touched;
}

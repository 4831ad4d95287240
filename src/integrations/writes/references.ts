// References by the ids of the source: finds the numbers of the records they name, and rejects those that name none or puts them aside.
import type { EntityManager } from '../../database/open.ts';
import { type GatewayError, invalid, missing as missingValue } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { isReference, type Reference, referencesOf } from '../ledger/references.ts';
import { type Change, fieldOf, isDecided, type OpenEntry, type RecordInput, refuse, type WriteScope } from './change.ts';
import { type FoundRecords, type NamedRecord, readNamed, readPlatformIds } from './reference.statements.ts';

/** A reference that a change gives. */
interface Use {
  change: Change;
  reference: Reference;
  /** The record type it names; undefined for one that is not stored here. */
  target: RecordClass<LedgerRecord> | undefined;
  /** The ids of the source in their order, and among them the numbers of a list that may have both. */
  ids: (string | number)[];
  /** Whether the property itself was given, not the field next to it. */
  isPlain: boolean;
  /** The records of this write that it names, by their ids. */
  named?: Map<string | number, Change>;
}

/** Whether a pulled record only names another, which is then neither created nor changed. */
export const isPulledReference = (scope: WriteScope, input: RecordInput | undefined): boolean =>
  scope.isPull === true && input !== undefined && isReference(input);

/** Replaces references by the source's id with numbers; one statement finds the records of all types that the changes name. */
export async function resolveReferences(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: Change[],
): Promise<void> {
  const references = referencesOf(target);
  const uses: Use[] = [];
  const shown: Shown[] = [];
  for (const change of changes) {
    if (isDecided(scope, change)) continue;
    for (const reference of references) {
      for (const record of shownBy(change, reference)) shown.push(record);
      const use = useOf(scope, change, reference);
      if (use) uses.push(use);
    }
  }
  await refuseOtherIds(em, scope, shown);
  if (uses.length === 0) return;
  const wanted = new Map<RecordClass<LedgerRecord>, Set<string>>();
  for (const { target: named, ids } of uses) {
    if (!named) continue;
    const known = wanted.get(named) ?? new Set();
    for (const id of ids) if (typeof id === 'string') known.add(id);
    wanted.set(named, known);
  }
  const found = await readNamed(em, scope, wanted);
  await reserveNamed(em, scope, target, changes, uses, found);
  // The children that a record names are looked for within the parent that it names too, so those come last.
  const isChild = ({ target: named }: Use): boolean => named !== undefined && namesOf(named).parent.length > 0;
  for (const use of [...uses.filter((one) => !isChild(one)), ...uses.filter(isChild)]) settle(scope, references, use, found);
}

/** A record that REST shows with both ids, at its place in a change. */
interface Shown {
  change: Change;
  path: string;
  target: RecordClass<LedgerRecord>;
  number: number;
  platformId: string;
}

/** Takes the records that a field of references shows out of a change, which names them by their numbers as well. */
function shownBy(change: Change, reference: Reference): Shown[] {
  const { field, isList } = reference;
  const given = [change.input[field] ?? []].flat() as RecordInput[];
  if (given.length === 0 || !given.every(({ ledgerId }) => ledgerId !== undefined)) return [];
  const { [field]: _, ...input } = change.input;
  change.input = input;
  const target = targetOf(change, reference);
  if (!target) return [];
  const path = fieldOf(change, field);
  return given.map(({ ledgerId, platformId }, place) => ({
    change,
    path: `${isList ? `${path}[${place}]` : path}.platformId`,
    target,
    number: ledgerId as number,
    platformId: platformId as string,
  }));
}

/** Rejects the changes that show a record with the platform id of another one. */
async function refuseOtherIds(em: EntityManager, scope: WriteScope, shown: readonly Shown[]): Promise<void> {
  if (shown.length === 0) return;
  const byTarget = Map.groupBy(shown, ({ target }) => target);
  const wanted = new Map([...byTarget].map(([target, ofTarget]) => [target, new Set(ofTarget.map(({ number }) => number))]));
  const found = await readPlatformIds(em, scope, wanted);
  for (const { change, path, target, number, platformId } of shown) {
    const own = found.get(target)?.get(number);
    if (own !== undefined && own !== platformId)
      refuse(
        scope,
        change,
        invalid(
          path,
          `${path} ${JSON.stringify(platformId.slice(0, 100))} is not the id that record ${number} has in its source`,
          'MISMATCH',
        ),
      );
  }
}

/**
 * Takes the numbers of records that this write creates and that others of it name, so that their order does not matter. A pull has none: it
 * stores a record without what it names, and completes it.
 */
async function reserveNamed(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
  uses: readonly Use[],
  found: FoundRecords,
): Promise<void> {
  const own = uses.filter((use) => use.target === target && use.ids.some((id) => typeof id === 'string' && !found.get(target)?.has(id)));
  if (own.length === 0 || scope.isPull) return;
  const byId = Map.groupBy(changes, ({ input }) => input.platformId);
  const named = new Set<Change>();
  for (const use of own) {
    use.named = new Map();
    for (const id of use.ids) {
      // Of several records with one id the others are rejected.
      const one = found.get(target)?.has(String(id)) ? undefined : byId.get(id)?.[0];
      if (!one) continue;
      use.named.set(id, one);
      named.add(one);
    }
  }
  const ids = await scope.services.ledgerIds.take(em, named.size);
  for (const [place, change] of [...named].entries()) change.reserved = ids[place]!;
}

/** Has references to records of this write name those that another request has stored since they were looked for. */
export function settleReserved(changes: readonly Change[]): void {
  for (const change of changes)
    for (const { prop, change: named } of change.names ?? []) {
      if (!named.stored) continue;
      const settled = (number: unknown): unknown => (number === named.reserved ? named.ledgerId : number);
      const value = change.input[prop.name];
      change.input = { ...change.input, [prop.name]: Array.isArray(value) ? value.map(settled) : settled(value) };
    }
}

/** Rejects the changes that name a record of this write which was rejected, and those that name them. */
export function refuseNaming(scope: WriteScope, changes: readonly Change[]): void {
  if (!changes.some(({ names }) => names)) return;
  const naming = Map.groupBy(
    changes.flatMap((change) => (change.names ?? []).map((name) => ({ ...name, by: change }))),
    ({ change }) => change,
  );
  const refused = [...naming.keys()].filter(({ error }) => error);
  for (const change of refused)
    for (const { by, path, id } of naming.get(change) ?? []) {
      if (by.error) continue;
      refuse(
        scope,
        by,
        invalid(path, `${path} ${JSON.stringify(id.slice(0, 100))} names a record of this request that was rejected`, 'NOT_FOUND'),
      );
      refused.push(by);
    }
}

/** Whether records of one type name others among them by the ids of the source. */
export function nameEachOther(target: RecordClass<LedgerRecord>, inputs: readonly RecordInput[]): boolean {
  const own = referencesOf(target).filter(({ targets }) => targets().includes(target));
  if (own.length === 0) return false;
  const ids = new Set(inputs.map(({ platformId }) => platformId));
  const names = (given: unknown): boolean => [given ?? []].flat().some((entry) => ids.has((entry as RecordInput).platformId));
  return inputs.some((input) => own.some(({ field }) => names(input[field])));
}

/** The reference of a change that a field gives; none when it is absent, null, or a record to write. */
function useOf(scope: WriteScope, change: Change, reference: Reference): Use | undefined {
  const { field, prop, isParent, nested } = reference;
  const given = change.input[field];
  if (given === undefined && prop.mayBeOpen) return plainUseOf(change, reference);
  if (given === undefined || (nested && !isPulledReference(scope, one(given)))) return undefined;
  const { [field]: _, ...input } = change.input;
  change.input = input;
  if (isParent && change.parent) {
    const { input: nesting, stored } = change.parent;
    const named = one(given)?.platformId;
    if (named !== undefined && named !== (nesting.platformId ?? stored?.platformId)) refuse(scope, change, anotherParent(change, field));
    return undefined;
  }
  if (given === null) {
    clearReference(scope, change, field, prop.name);
    return undefined;
  }
  const ids = [given].flat().map((entry) => String((entry as RecordInput).platformId));
  return { change, reference, target: targetOf(change, reference), ids, isPlain: false };
}

/** Clears what null in the field of a reference clears; rejects a change that also gives its number or code. */
export function clearReference(scope: WriteScope, change: Change, field: string, name: string): void {
  const given = change.input[name];
  if (given != null) refuse(scope, change, disagreement(fieldOf(change, field), name, given));
  else change.input = { ...change.input, [name]: null };
}

/** The ids of the source in a list that mixes them with numbers. */
function plainUseOf(change: Change, reference: Reference): Use | undefined {
  const given = change.input[reference.prop.name] as (string | number)[] | null | undefined;
  if (!given?.some((id) => typeof id === 'string')) return undefined;
  return { change, reference, target: reference.targets()[0], ids: given, isPlain: true };
}

/** The one record of a relation, which some show as a list of at most one. */
const one = (given: unknown): RecordInput | undefined => [given ?? []].flat()[0] as RecordInput | undefined;

/** The data model that a reference names, where it names one of several, from the field next to it. */
const typeOf = ({ input, stored }: Change, { typedBy }: Reference): unknown =>
  typedBy === undefined ? undefined : (input[typedBy] ?? stored?.[typedBy]);

/** The type that a reference names. */
function targetOf(change: Change, reference: Reference): RecordClass<LedgerRecord> | undefined {
  if (reference.typedBy === undefined) return reference.targets()[0];
  const type = typeOf(change, reference);
  return type == null ? undefined : recordOf(String(type));
}

/** Sets the numbers of one reference, or rejects the change; a pull puts aside what it does not find. */
function settle(scope: WriteScope, references: readonly Reference[], use: Use, found: FoundRecords): void {
  const { change, reference, target, ids, isPlain, named } = use;
  const { prop, field, isList } = reference;
  if (isDecided(scope, change)) return;
  const numbers = ids.map((id) => {
    if (typeof id === 'number') return id;
    const records = target && found.get(target)?.get(id);
    return records ? numberOf(change, references, records) : named?.get(id)?.reserved;
  });
  const missing = numbers.flatMap((number, place) => (number === undefined ? [place] : []));
  const isUntyped = reference.typedBy !== undefined && typeOf(change, reference) == null;
  if (missing.length > 0 && !prop.mayBeOpen && (!scope.isPull || isUntyped)) {
    const path = fieldOf(change, field);
    for (const place of missing)
      refuse(scope, change, unknownId(change, reference, `${isList ? `${path}[${place}]` : path}.platformId`, String(ids[place])));
    return;
  }
  const stored = numbers.filter((number) => number !== undefined);
  const value = prop.mayBeOpen ? ids.map((id, place) => numbers[place] ?? id) : isList ? stored : (stored[0] ?? null);
  const given = change.input[prop.name];
  if (given !== undefined && !isPlain && !agree(given, value)) {
    refuse(scope, change, disagreement(fieldOf(change, field), prop.name, given));
    return;
  }
  change.input = { ...change.input, [prop.name]: value };
  change.found = new Set([...(change.found ?? []), prop.name]);
  if (named && !prop.mayBeOpen) {
    const path = `${fieldOf(change, field)}.platformId`;
    change.names = [...(change.names ?? []), ...[...named].map(([id, one]) => ({ prop, change: one, path, id: String(id) }))];
  }
  if (missing.length > 0) change.open = [...(change.open ?? []), ...openEntries(use, numbers)];
}

/** Longest platform id. */
const LONGEST = 255;

/** The open entries of a property. A list that keeps the ids of the source itself needs only those that may be found one day. */
function openEntries({ change, reference, target, ids }: Use, numbers: readonly (number | undefined)[]): OpenEntry[] {
  const { prop } = reference;
  const targetModel = target ? namesOf(target).dataModel : String(typeOf(change, reference));
  const entry = (platformId: string, position: number, isOpen: boolean) => ({
    property: prop.name,
    position,
    targetModel,
    platformId,
    isOpen,
  });
  if (!prop.mayBeOpen) return ids.map((id, position) => entry(String(id), position, numbers[position] === undefined));
  return ids
    .filter((id, place): id is string => typeof id === 'string' && numbers[place] === undefined && id.length > 0 && id.length <= LONGEST)
    .map((id, position) => entry(id, position, true));
}

/** The error of a reference that names another record than the number next to it, of which callers of GraphQL know no path but that of the error. */
export const disagreement = (field: string, numberField: string, given: unknown): GatewayError =>
  invalid(
    field,
    `${field} names another record than ${numberField}, which is ${[given].flat().slice(0, 10).map(String).join(', ')}`,
    'MISMATCH',
  );

/** The error of a nested child whose field names another parent than the record that it is nested in. */
export const anotherParent = (change: Change, name: string): GatewayError =>
  invalid(fieldOf(change, name), `${fieldOf(change, name)} names another record than the one that it is in`, 'MISMATCH');

const agree = (given: unknown, value: unknown): boolean => JSON.stringify(given) === JSON.stringify(value);

function unknownId(change: Change, reference: Reference, path: string, id: string): GatewayError {
  const { field, typedBy, targets } = reference;
  const type = typedBy === undefined ? namesOf(targets()[0]!).dataModel : typeOf(change, reference);
  if (type == null) {
    const typeField = fieldOf(change, typedBy!);
    return missingValue(typeField, `${typeField} is required with ${field}`);
  }
  const noun = String(type).toLowerCase().replaceAll('_', ' ');
  const isWithin = typedBy === undefined && namesOf(targets()[0]!).parent.length > 0;
  const what = isWithin
    ? `not exactly one ${noun} of this company, within its parent where that is named too`
    : `no ${noun} of this company`;
  return invalid(path, `${path} ${JSON.stringify(id.slice(0, 100))} names ${what}`, 'NOT_FOUND');
}

/**
 * The number of the record that an id names. Children of different parents may share an id. It is then the child within the parent that the change
 * names too, as a line names the item of its variant. Where the change names no parent, only one record may have the id.
 */
function numberOf(change: Change, references: readonly Reference[], records: readonly NamedRecord[]): number | undefined {
  const { input, stored, open } = change;
  const owners = references.filter(({ prop, isParent, targets }) => {
    const isNamed = (input[prop.name] ?? stored?.[prop.name]) != null || open?.some(({ property }) => property === prop.name);
    return isNamed && !isParent && targets().some((named) => records.some(({ parentType }) => parentType === namesOf(named).dataModel));
  });
  const within = records.filter(({ parentId }) => owners.every(({ prop }) => (input[prop.name] ?? stored?.[prop.name]) === parentId));
  return within.length === 1 ? within[0]!.id : undefined;
}

// The write path of ledger records: any number of records of one type, with their nested records, in set-based statements of one transaction.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { type Model, modelOf, type RecordClass } from '../../records/metadata.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import { nestedRelations } from '../ledger/record-input.ts';
import { type Change, changeOf, checked, fieldOf, merge, type RecordInput, requireVersion, type WriteScope } from './change.ts';
import { checkIntegrity } from './integrity-check.ts';
import { checkReferences, deleteChildren, markDeleted, readMatching, readStored, store, touch } from './record-store.ts';

/** Whether a write may only create records, or also update those whose platform id is stored. */
export type WriteMode = 'create' | 'upsert';

/** The outcome of one record. */
export interface WriteOutcome {
  ledgerId: number;
  changed: 'created' | 'updated' | 'unchanged';
}

/** The outcome of one record, or the error that refused it. */
export type RecordResult = WriteOutcome | GatewayError;

/** A record to write, with its path in the request. */
export interface Entry {
  path: string;
  input: RecordInput;
}

/**
 * Writes records and everything nested in them; the result has one entry per record, in order. When one of them is refused, parts of it may
 * be stored already: the caller must roll back the transaction or savepoint.
 */
export async function writeRecords(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  entries: Entry[],
  mode: WriteMode,
  ifMatch?: string | null,
): Promise<RecordResult[]> {
  return writeChanges(
    em,
    scope,
    target,
    entries.map(({ input, path }) => changeOf(input, path)),
    mode,
    ifMatch,
  );
}

/** Updates one record by its number. */
export async function updateRecord(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  ledgerId: number,
  input: RecordInput,
  ifMatch?: string | null,
): Promise<RecordResult> {
  const stored = await storedRecord(em, scope, target, ledgerId);
  if (ifMatch) requireVersion(ifMatch, stored);
  if (input.platformId != null && input.platformId !== stored.platformId)
    throw invalid('data.platformId', 'data.platformId cannot be changed');
  return (await writeChanges(em, scope, target, [changeOf(input, 'data', { stored, ledgerId })], 'upsert'))[0]!;
}

/** Marks a record and its children deleted; throws RECORD_NOT_FOUND when there is none. */
export async function deleteRecord(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  ledgerId: number,
  ifMatch?: string | null,
): Promise<void> {
  if (ifMatch) requireVersion(ifMatch, await storedRecord(em, scope, target, ledgerId));
  const gone = await markDeleted(em, scope, target, 'ledger_id = $4::bigint', [ledgerId]);
  if (gone.length === 0) throw recordNotFound(target, ledgerId);
  scope.changes.push(...gone.map((id) => ({ target, ledgerId: id, operation: 'DELETE' as const })));
}

async function storedRecord(em: EntityManager, scope: WriteScope, target: RecordClass, ledgerId: number) {
  const stored = (await readStored(em, scope, modelOf(target), 'ledger_id = $3::bigint', [ledgerId]))[0];
  if (!stored) throw recordNotFound(target, ledgerId);
  return stored;
}

export const recordNotFound = (target: RecordClass, ledgerId: number): GatewayError =>
  new GatewayError('RECORD_NOT_FOUND', `${namesOf(target).one} ${ledgerId} was not found`, { field: 'ledgerId' });

async function writeChanges(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  changes: Change[],
  mode: WriteMode,
  ifMatch?: string | null,
): Promise<RecordResult[]> {
  const model = modelOf(target);
  await writeLinked(em, scope, target, changes);
  await findStored(em, scope, target, changes, mode);
  for (const change of changes) {
    checked(change, () => {
      if (ifMatch) requireVersion(ifMatch, change.stored);
      merge(model, change);
    });
  }
  await checkReferences(em, scope, target, changes);
  const live = changes.filter((change) => !change.error);
  const fresh = live.filter((change) => !change.stored);
  const ids = await scope.services.ledgerIds.take(em, fresh.length);
  for (const [position, change] of fresh.entries()) change.ledgerId = ids[position]!;
  const changed = live.filter((change) => change.stored && change.stored.dataHash !== change.values.dataHash);
  await store(em, scope, model, fresh, changed);
  await checkCycles(em, scope, model, [...fresh, ...changed]);
  const touched = await writeOwned(em, scope, target, live);
  const updated = new Set([...changed, ...touched].filter((change) => change.stored));
  await touch(
    em,
    scope,
    model,
    [...updated].filter((change) => !changed.includes(change)).map((change) => change.ledgerId),
  );
  if (scope.strict) await checkIntegrity(em, scope, model, live);
  return changes.map((change): RecordResult => {
    if (change.error) return change.error;
    const operation = change.stored ? (updated.has(change) ? 'UPDATE' : undefined) : 'CREATE';
    // An event reports the change of a child as a change of its parent.
    if (operation && !change.parent) scope.changes.push({ target, ledgerId: change.ledgerId, operation });
    return { ledgerId: change.ledgerId, changed: operation === 'CREATE' ? 'created' : operation ? 'updated' : 'unchanged' };
  });
}

/**
 * Whether the chunks of a batch that names each record once may be written in any order. They may not when a record refers to another of
 * its own type, or when it nests a contact or currency: of several records that nest the same one, the last decides its values.
 */
export function parallelisable(target: RecordClass, inputs: readonly RecordInput[]): boolean {
  const { props } = modelOf(target);
  const above = [...props.values()].filter((prop) => prop.target?.() === target);
  return (
    inputs.every((input) => above.every(({ name }) => input[name] == null)) &&
    nestedRelations(target).every((relation) => {
      const nested = inputs.flatMap((input) => input[relation.name] ?? []) as RecordInput[];
      return relation.owned ? parallelisable(relation.target(), nested) : nested.length === 0;
    })
  );
}

/** Writes nested contacts and currencies first and sets their number or code in the change. Records that nest the same one share one write. */
async function writeLinked(em: EntityManager, scope: WriteScope, target: RecordClass, changes: Change[]): Promise<void> {
  for (const relation of nestedRelations(target).filter((entry) => !entry.owned)) {
    const linked = modelOf(relation.target());
    const groups = new Map<string, { child: Change; uses: Change[] }>();
    for (const change of changes) {
      const value = change.input[relation.name];
      const path = fieldOf(change, relation.name);
      if (Array.isArray(value) && value.length > 1) change.error = invalid(path, `${path} must have at most one entry`);
      const input = (Array.isArray(value) ? value[0] : value) as RecordInput | null | undefined;
      if (input == null || change.error) continue;
      const name = matchProperty(linked, input);
      const key = input[name] == null ? path : `${name} ${input[name]}`;
      const group = groups.get(key);
      if (group) {
        group.uses.push(change);
        group.child.input = { ...group.child.input, ...input };
      } else groups.set(key, { child: changeOf(input, path), uses: [change] });
    }
    if (groups.size === 0) continue;
    const all = [...groups.values()];
    const results = await writeChanges(
      em,
      scope,
      relation.target(),
      all.map((group) => group.child),
      'upsert',
    );
    for (const [position, { child, uses }] of all.entries()) {
      const result = results[position]!;
      for (const change of uses) {
        if (result instanceof GatewayError) change.error = movedTo(result, child.path, fieldOf(change, relation.name));
        else change.input = { ...change.input, [relation.from]: relation.to === linked.key ? result.ledgerId : child.values[relation.to] };
      }
    }
  }
}

/** The error of a shared record, with the path of another place that nests it. */
function movedTo(error: GatewayError, from: string, to: string): GatewayError {
  const moved = (text: string): string => text.replaceAll(from, to);
  const { field, issues } = error.info;
  return new GatewayError(error.code, moved(error.message), {
    ...error.info,
    field: field && moved(field),
    ...(issues ? { issues: issues.map((issue) => ({ ...issue, field: moved(issue.field), message: moved(issue.message) })) } : {}),
  });
}

/** Property by which an upsert finds a stored record: the platform id, or the code of a type that requires one when no platform id is given. */
const matchProperty = (model: Model, input: RecordInput): string =>
  model.props.get('code')?.required && input.platformId == null ? 'code' : 'platformId';

/** Returns a function that computes the identity of a record within its company: its parent and the value it is matched by. */
export function identifiedBy(target: RecordClass, name: string): (row: RecordInput) => string {
  const parts = [...namesOf(target).parent, name];
  return (row) => {
    let identity = '';
    for (const part of parts) identity += `${row[part] ?? ''}\u0001`;
    return identity;
  };
}

async function findStored(em: EntityManager, scope: WriteScope, target: RecordClass, changes: Change[], mode: WriteMode): Promise<void> {
  const model = modelOf(target);
  for (const name of ['platformId', 'code']) {
    const wanted = changes.filter(
      (change) =>
        !change.stored && !change.error && matchProperty(model, change.input) === name && (change.input[name] ?? change.assigned) != null,
    );
    if (wanted.length === 0) continue;
    for (const change of wanted) if (change.input[name] == null) change.input = { ...change.input, [name]: change.assigned };
    const old = wanted.filter((change) => change.parent === undefined || change.parent.stored !== undefined);
    const rows = old.length > 0 ? await readMatching(em, scope, target, name, old) : [];
    const identityOf = identifiedBy(target, name);
    const byIdentity = new Map(rows.map((row) => [identityOf(row), row]));
    const seen = new Set<string>();
    for (const change of wanted) {
      const own = identityOf(change.input);
      change.stored = byIdentity.get(own);
      change.ledgerId = change.stored?.ledgerId ?? 0;
      if (seen.has(own))
        change.error = invalid(fieldOf(change, name), `${fieldOf(change, name)} occurs twice in this request`, 'DUPLICATE');
      else if (change.stored && mode === 'create') change.error = alreadyExists(fieldOf(change, name), String(change.input[name]));
      seen.add(own);
    }
  }
}

const alreadyExists = (field: string, value: string): GatewayError => {
  const message = `a record with ${field.split('.').at(-1)} ${JSON.stringify(value.slice(0, 100))} exists already`;
  return new GatewayError('RECORD_ALREADY_EXISTS', message, { field, issues: [{ field, code: 'DUPLICATE', message }] });
};

/** Refuses changes that would make a record its own ancestor, through a property that refers to its own type. */
async function checkCycles(em: EntityManager, scope: WriteScope, model: Model, changes: Change[]): Promise<void> {
  for (const prop of model.props.values()) {
    if (prop.target?.() !== model.class) continue;
    const moved = changes.filter((change) => change.values[prop.name] !== null && change.values[prop.name] !== change.stored?.[prop.name]);
    if (moved.length === 0) continue;
    // Two writes that each see no cycle could make one together, so the lock runs them one after the other.
    await executeIn(em, `select pg_advisory_xact_lock(hashtext($1))`, [`${model.table}.${prop.column} ${scope.company.ledgerId}`]);
    const rows = await executeIn<{ id: string | number }>(
      em,
      `with recursive above(start, id) as (
         select ledger_id, ${prop.column} from "${model.table}" where company_id = $1 and ledger_id = any($2::bigint[])
         union
         select above.start, t.${prop.column} from above join "${model.table}" t on t.company_id = $1 and t.ledger_id = above.id where above.id <> above.start)
       select distinct start as id from above where id = start`,
      [scope.company.ledgerId, moved.map((change) => change.ledgerId)],
    );
    const circular = new Set(rows.map((row) => Number(row.id)));
    for (const change of moved) {
      const field = fieldOf(change, prop.name);
      if (circular.has(change.ledgerId)) change.error ??= invalid(field, `${field} would make the record its own ancestor`);
    }
  }
}

/** Writes the given children, which replace the stored ones. Returns the changes whose children changed. */
async function writeOwned(em: EntityManager, scope: WriteScope, target: RecordClass, live: Change[]): Promise<Set<Change>> {
  const touched = new Set<Change>();
  for (const relation of nestedRelations(target).filter((entry) => entry.owned)) {
    const given = live.filter((change) => change.input[relation.name] !== undefined && !change.error);
    const children = given.flatMap((parent) =>
      ((parent.input[relation.name] ?? []) as RecordInput[]).map((entry, index) =>
        // Children without a platform id are identified by their position, so that writing the same document again changes nothing.
        changeOf({ ...entry, ...relation.where, [relation.to]: parent.ledgerId }, `${fieldOf(parent, relation.name)}[${index}]`, {
          parent,
          assigned: `#${index + 1}`,
        }),
      ),
    );
    const results = children.length > 0 ? await writeChanges(em, scope, relation.target(), children, 'upsert') : [];
    const keep: number[] = [];
    for (const [position, { parent }] of children.entries()) {
      const result = results[position]!;
      if (result instanceof GatewayError) parent!.error ??= result;
      else {
        keep.push(result.ledgerId);
        if (result.changed !== 'unchanged') touched.add(parent!);
      }
    }
    const replaced = given.filter((change) => change.stored);
    if (replaced.length === 0) continue;
    const gone = await deleteChildren(
      em,
      scope,
      relation,
      replaced.map((change) => change.ledgerId),
      keep,
    );
    for (const change of replaced) if (gone.has(change.ledgerId)) touched.add(change);
  }
  return touched;
}

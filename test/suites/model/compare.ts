// Compares what the gateway shows with the model, and learns on the way the numbers and ids that the gateway has given out.

import type { Books, Stored } from './books.ts';
import type { Row } from './caller.ts';
import { contentOf } from './reference.ts';
import { brokenRules } from './rules.ts';
import { type Type, typeOf } from './types.ts';

/** A difference between the model and the gateway. */
export class Difference extends Error {
  /** What kind of difference it is, for counting. */
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

export function same(kind: string, place: string, seen: unknown, expected: unknown): void {
  if (JSON.stringify(seen ?? null) !== JSON.stringify(expected ?? null))
    throw new Difference(kind, `${place} is ${JSON.stringify(seen ?? null)}, expected ${JSON.stringify(expected ?? null)}`);
}

/** Takes over the number and the id of the source of a record that was not known by them. */
function bind(books: Books, record: Stored, row: Row, place: string): void {
  if (record.id === undefined) {
    const other = books.records.find(({ id }) => id === row.id);
    if (other) throw new Difference('identity', `${place} is stored as ${row.id}, which is another record`);
    record.id = row.id as number;
  } else same('identity', `${place}.id`, row.id, record.id);
  record.platformId ??= row.platformId as string;
  same('identity', `${place}.platformId`, row.platformId, record.platformId);
}

/** Compares the fields that a row has; those of a read have all of them. */
export function compareRecord(books: Books, record: Stored, row: Row, place: string): void {
  const type = typeOf(record.type);
  bind(books, record, row, place);
  for (const name of Object.keys(type.fields)) if (name in row) same('value', `${place}.${name}`, row[name], record.values[name]);
  for (const { id } of type.references) {
    if (!(id in row)) continue;
    const named = books.get(record.values[id]);
    if (named && named.id === undefined && row[id] !== null) named.id = row[id] as number;
    same('reference', `${place}.${id}`, row[id], named?.id);
  }
  for (const { field, type: child } of type.children) {
    const rows = row[field] as Row[] | undefined;
    if (rows === undefined || record.isDeleted) continue;
    const children = books.childrenOf(record, child);
    same('children', `number of ${place}.${field}`, rows.length, children.length);
    compareOrder(children, rows, `${place}.${field}`);
    for (const [index, one] of children.entries()) compareRecord(books, one, rows[index]!, `${place}.${field}[${index}]`);
  }
  if (row.integrityIssues !== undefined && !record.isDeleted) {
    const rules = [...new Set((row.integrityIssues as { rule: string }[]).map(({ rule }) => rule))].sort();
    same('rules', `${place}.integrityIssues`, rules, [...brokenRules(books, record)].sort());
  }
}

/** Children that are known come in the order of the model. */
function compareOrder(children: readonly Stored[], rows: readonly Row[], place: string): void {
  const ids = (list: readonly unknown[]): unknown[] =>
    list.filter((id) => children.some((child) => child.id !== undefined && child.id === id));
  const [expected, seen] = [ids(children.map(({ id }) => id)), ids(rows.map(({ id }) => id))];
  if (expected.length === seen.length) same('order', `order of ${place}`, seen, expected);
}

/** Compares all records of a type, deleted ones too, with the rows of a list, and takes their versions over. */
export function compareType(books: Books, type: Type, rows: readonly Row[], changed: ReadonlySet<number>): void {
  const place = type.many;
  const all = books.records.filter((record) => record.type === type.name);
  const unbound = all.filter(({ id }) => id === undefined);
  if (unbound.length > 0) {
    const known = new Set(all.map(({ id }) => id));
    const fresh = rows.filter(({ id }) => !known.has(id as number)).sort((a, b) => Number(a.id) - Number(b.id));
    for (const record of unbound) {
      const index = fresh.findIndex((row) => fits(books, type, record, row));
      if (index >= 0) record.id = fresh.splice(index, 1)[0]!.id as number;
    }
  }
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = (list: unknown[]): unknown[] => list.map((id) => id ?? 0).sort((a, b) => Number(a) - Number(b));
  same('records', `numbers of ${place}`, ids([...byId.keys()]), ids(all.map(({ id }) => id)));
  for (const record of all) {
    const row = byId.get(record.id)!;
    const name = `${place}[${record.id}]`;
    same('deleted', `${name} deleted`, row.ledgerDeletedAt !== null, record.isDeleted);
    compareRecord(books, record, row, name);
    if (type.parent) same('parent', `${name}.${type.parent}`, row[type.parent], books.get(record.parent)?.id);
    compareVersion(record, row, changed, name);
  }
}

/** A record keeps its version as long as it does not change, and gets another one when it does. */
function compareVersion(record: Stored, row: Row, changed: ReadonlySet<number>, place: string): void {
  const last = record.etags.at(-1);
  const etag = row.etag as string;
  if (last !== undefined && changed.has(record.key) && last === etag)
    throw new Difference('version', `${place} has changed, but keeps its version ${etag}`);
  // A child that only moved may have another version.
  const mayChange = changed.has(record.key) || typeOf(record.type).parent !== undefined;
  if (last !== undefined && !mayChange && last !== etag)
    throw new Difference('version', `${place} has not changed, but its version is ${etag} after ${last}`);
  if (last !== etag) record.etags.push(etag);
}

const fits = (books: Books, type: Type, record: Stored, row: Row): boolean =>
  (record.platformId === undefined || record.platformId === row.platformId) &&
  (type.parent === undefined || books.get(record.parent)?.id === row[type.parent]) &&
  Object.keys(type.fields).every((name) => JSON.stringify(row[name] ?? null) === JSON.stringify(record.values[name] ?? null));

export type Change = 'CREATE' | 'UPDATE' | 'DELETE';

/** What an operation has changed: a record, or a record whose children have changed. */
export function changesBetween(before: Books, after: Books): Map<number, Change> {
  const known = new Map(before.records.map((record) => [record.key, record]));
  const changes = new Map<number, Change>();
  for (const record of after.records) {
    const old = known.get(record.key);
    if (!old) changes.set(record.key, 'CREATE');
    else if (record.isDeleted !== old.isDeleted) changes.set(record.key, 'DELETE');
    else if (contentOf(record) !== contentOf(old)) changes.set(record.key, 'UPDATE');
  }
  for (const record of after.records) {
    const old = known.get(record.key);
    const parent = record.parent === undefined ? undefined : after.get(record.parent);
    const hasMoved = old !== undefined && !record.isDeleted && rank(before, old) !== rank(after, record);
    if (parent && (changes.has(record.key) || hasMoved) && !changes.has(parent.key)) changes.set(parent.key, 'UPDATE');
  }
  return changes;
}

/** Place of a child among those that are left of the others. */
const rank = (books: Books, child: Stored): number => {
  const parent = books.get(child.parent);
  return parent ? books.childrenOf(parent, child.type).findIndex(({ key }) => key === child.key) : 0;
};

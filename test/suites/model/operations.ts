// Random operations as data. What an operation names of the stored records is a place among them, `{ $pick: 3 }`, so that any subset of a history can
// be run. `resolved` inserts the numbers of that moment.
import type { Books, Input, Stored } from './books.ts';
import { type Type, typeOf } from './types.ts';

export type Surface = 'rest' | 'graphql';
export type Match = 'current' | 'stale' | 'any' | 'wrong';

export interface WriteOperation {
  do: 'write';
  type: string;
  mode: 'create' | 'upsert' | 'update';
  surface: Surface;
  /** Whether the members of the input are variables of their own, of which some are not sent. */
  hasVariables: boolean;
  at: number;
  input: Input;
  strict: boolean;
  match?: Match;
  /** Sends it again with its idempotency key: as it is, spelled otherwise, or with another content. */
  repeat?: 'same' | 'spelled' | 'other';
}

export interface BulkOperation {
  do: 'bulk' | 'batch';
  type: string;
  mode: 'create' | 'upsert' | 'update';
  surface: Surface;
  atomic: boolean;
  strict: boolean;
  entries: { at: number; input: Input; match?: Match }[];
}

export interface DeleteOperation {
  do: 'delete' | 'deleteMany';
  type: string;
  surface: Surface;
  atomic: boolean;
  at: number[];
  match?: Match;
}

export interface ReadOperation {
  do: 'read';
  type: string;
  at: number;
  expands: boolean;
  selects: boolean;
}

export interface ListOperation {
  do: 'list' | 'walk' | 'sum';
  type: string;
  surface: Surface;
  size: number;
  isBackwards: boolean;
  includeDeleted: boolean;
  conditions: Condition[];
  /** Whether any of the conditions is enough; only GraphQL can say so. */
  isAny: boolean;
  order?: { field: string; isDescending: boolean; nulls?: 'FIRST' | 'LAST' };
  /** What is written between the first page and the others of a walk. */
  between: WriteOperation[];
}

export interface Condition {
  field: string;
  operator: 'eq' | 'contains' | 'startsWith' | 'gte' | 'lt' | 'isNull' | 'in';
  value: unknown;
  isNot: boolean;
}

export type Operation = WriteOperation | BulkOperation | DeleteOperation | ReadOperation | ListOperation;

/** The record at a place among those of a type: mostly a live one. */
export function picked(books: Books, type: string, at: number): Stored | undefined {
  const all = books.records.filter((record) => record.type === type && record.id !== undefined && (!record.isDeleted || at % 5 === 4));
  return all[at % Math.max(1, all.length)];
}

interface Mark {
  $pick?: number;
  of?: string;
  $child?: number;
}

/** An input with the numbers of this moment; what names nothing is left out. */
export function resolved(books: Books, type: Type, input: Input, about: Stored | undefined): Input {
  const members = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const children = type.children.find(({ field }) => field === name);
    if (children && Array.isArray(value))
      return [[name, value.map((child) => resolvedChild(books, typeOf(children.type), child as Input, about))]];
    const mark = value as Mark | null;
    if (mark?.$pick !== undefined) {
      const record = picked(books, mark.of!, mark.$pick);
      return record ? [[name, record.id]] : [];
    }
    return [[name, value]];
  });
  return Object.fromEntries(members);
}

function resolvedChild(books: Books, type: Type, { id, ...input }: Input, parent: Stored | undefined): Input {
  const rest = resolved(books, type, input, undefined);
  const mark = id as Mark | undefined;
  if (mark?.$child !== undefined) {
    const all = parent ? books.childrenOf(parent, type.name) : [];
    const child = all[mark.$child % Math.max(1, all.length)];
    return child?.id === undefined ? rest : { id: child.id, ...rest };
  }
  const record = mark?.$pick === undefined ? undefined : picked(books, type.name, mark.$pick);
  return record ? { id: record.id, ...rest } : rest;
}

/** The stored record that a write is about, as far as it names one. */
export function aboutOf(books: Books, type: Type, mode: WriteOperation['mode'], at: number, input: Input): Stored | undefined {
  if (mode === 'update') return picked(books, type.name, at);
  return books.live(type.name).find(({ platformId }) => platformId !== undefined && platformId === input.platformId);
}

/** The version that a condition names. */
export function versionOf(match: Match | undefined, record: Stored | undefined): string | undefined {
  if (match === undefined) return undefined;
  if (match === 'any') return '*';
  if (match === 'current') return record?.etags.at(-1) ?? '*';
  return (match === 'stale' ? record?.etags.at(-2) : undefined) ?? '"1-2000-01-01T00:00:00.000000Z"';
}

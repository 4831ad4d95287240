// What a file of this folder declares of a data model: where its records are in Tryton, how they are read, and how they are written.
import type { SourceRecord } from '../connector.ts';
import type { DeclaredFields } from '../declared.ts';
import { withRaw } from '../source-facts.ts';
import type { Domain, TrytonClient } from './client.ts';

/** A model whose changes change the records of another. */
export interface Part {
  model: string;
  /** Field that names the records: a number, a list of them, or a reference such as `stock.shipment.in,4`. May be one of another row: `line.move`. */
  field: string;
  /** Whether a database may be without it, or a user without the right to read it: its changes are then those of no record. */
  isOptional?: boolean;
}

/** A command of Tryton on the rows of a relation: `['create', […]]`, `['write', […ids], {…}]`, `['delete', […ids]]`, `['add', […ids]]`. */
export type Command = readonly [string, ...unknown[]];

/** How a data model is written. */
export interface Writes {
  /** Condition that finds the record which carries a mark. */
  marked(mark: string): Domain;
  /** Values of a new record, the mark among them. */
  create(client: TrytonClient, record: SourceRecord, mark: string): Promise<Record<string, unknown>>;
  /** What differs from the record as Tryton has it, with the mark; null where nothing does. */
  update(
    client: TrytonClient,
    id: number,
    record: SourceRecord,
    current: SourceRecord,
    mark: string,
  ): Promise<Record<string, unknown> | null>;
  /** What Tryton leaves to its forms when a record is created; repeated without harm. */
  complete?(client: TrytonClient, id: number): Promise<void>;
}

/** A data model in Tryton. */
export interface Stream {
  /** What its source ids begin with before the id of the row; nothing when absent. */
  prefix?: string;
  /** Further records of the data model, which are in another model. A database may be without it. */
  more?: Stream;
  dataModel: string;
  /** Model whose ids are the source ids. */
  model: string;
  /** Which of its rows are records of the data model, as far as a search can decide. */
  domain(company: number): Domain;
  parts: readonly Part[];
  fields: DeclaredFields;
  /** The models of the children, by the names of their lists. */
  children?: Readonly<Record<string, string>>;
  /** The records with these ids; those of another data model are left out. */
  read(client: TrytonClient, ids: readonly number[]): Promise<SourceRecord[]>;
  /** The record with a source id that is not the number of a row; null where there is none. */
  readNamed?(client: TrytonClient, platformId: string): Promise<SourceRecord | null>;
  writes?: Writes;
}

/** The models whose rows are the records of a data model and their children. */
export const modelsOf = ({ model, children = {} }: Stream): string[] => [model, ...Object.values(children)];

/** The source id of a row. */
export const platformIdOf = ({ prefix = '' }: Stream, id: number): string => `${prefix}${id}`;

/** The records with these ids, with the rows that were read whole for them. */
export async function readRecords(client: TrytonClient, stream: Stream, ids: readonly number[]): Promise<SourceRecord[]> {
  const records = await stream.read(client, ids);
  for (const record of records) {
    withRaw(record, client.takeWhole(stream.model, String(record.platform_id).slice(stream.prefix?.length ?? 0)));
    for (const [name, model] of Object.entries(stream.children ?? {}))
      for (const child of childrenOf(record, name) ?? []) withRaw(child, client.takeWhole(model, child.platform_id));
  }
  return records;
}

/**
 * Tryton has no idempotency keys. The key of a write is therefore stored with what it makes, in the same request. An attempt whose response was lost
 * is found there.
 */
const MARK = 'ledger-gateway:';

/** The mark of a write. */
export const markOf = (idempotencyKey: string): string => `${MARK}${idempotencyKey}`;

/** Whether a text is a mark. */
export const isMark = (text: string | null): boolean => text?.startsWith(MARK) ?? false;

/** A note with the mark in its last line, in place of an earlier one. */
export function marked(note: string | null, mark: string): string {
  const lines = (note ?? '').split('\n').filter((line) => line !== '' && !isMark(line));
  return [...lines, mark].join('\n');
}

/** The members of `next` that differ from those of `current`. */
export const changedValues = (next: Record<string, unknown>, current: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(current[name])));

/** The children of a record, where the write carries them. */
export const childrenOf = (record: SourceRecord, name: string): SourceRecord[] | undefined => record[name] as SourceRecord[] | undefined;

/**
 * The commands that bring the rows of a relation to the state of a record: new ones are created, changed ones written and missing ones deleted. None
 * where the record does not carry the relation.
 */
export async function childCommands(
  given: readonly SourceRecord[] | undefined,
  current: readonly SourceRecord[],
  valuesOf: (child: SourceRecord, existing: SourceRecord | undefined) => Promise<Record<string, unknown>>,
): Promise<Command[]> {
  if (!given) return [];
  const known = new Map(current.map((child) => [String(child.platform_id), child]));
  const commands: Command[] = [];
  for (const child of given) {
    const existing = known.get(String(child.platform_id));
    known.delete(String(child.platform_id));
    const values = await valuesOf(child, existing);
    if (!existing) commands.push(['create', [values]]);
    else if (Object.keys(values).length > 0) commands.push(['write', [Number(existing.platform_id)], values]);
  }
  if (known.size > 0) commands.push(['delete', [...known.keys()].map(Number)]);
  return commands;
}

/** The rows that commands delete. */
export const deletedIds = (commands: readonly Command[]): number[] =>
  commands.flatMap(([name, ids]) => (name === 'delete' ? (ids as number[]) : []));

// What a file of this folder declares of a data model: which rows of which endpoint are its records, how they are read, and how they are written.
import type { PullRequest, SourcePage, SourceRecord } from '../connector.ts';
import type { DeclaredFields } from '../declared.ts';
import type { Row, XeroClient } from './client.ts';

/** How a data model is written. */
export interface Writes {
  /** The record for Xero, of the members that it has; null takes a value away. */
  row(client: XeroClient, record: SourceRecord, base?: SourceRecord): Promise<Row> | Row;
  /** What a new record needs besides that. */
  created?(idempotencyKey: string): Row;
  /** Whether Xero changes such records; it only makes and deletes others. */
  isChangeable: boolean;
  /** How a record ends: the row that says so; null deletes it. */
  removed: ((current: Row) => Row) | null;
  /** Conditions that find a record whose creation got no response; undefined where nothing of it is unique. */
  search?(record: SourceRecord, idempotencyKey: string): Readonly<Record<string, string>> | undefined;
  /** Whether a found row is that record. */
  isSame?(row: Row, record: SourceRecord): boolean;
}

/** A data model in Xero. */
export interface Stream {
  dataModel: string;
  /** Name of the endpoint and of the list in its responses. */
  endpoint: string;
  /** Member with the id. */
  id: string;
  /** Conditions of a list that leave out the rows of other data models. */
  query?: Readonly<Record<string, string>>;
  /** Options of every call, such as the digits of prices. */
  options?: Readonly<Record<string, string>>;
  /** Whether a list has pages; `sized` where their size may be chosen. A function reads those that go by something else than their number. */
  pages: 'sized' | 'fixed' | 'none' | ((client: XeroClient, request: PullRequest, signal: AbortSignal) => AsyncGenerator<SourcePage>);
  /** Whether a list of what changed since a moment can be asked for. */
  reportsChanges: boolean;
  fields: DeclaredFields;
  /** Whether a row that was read by its id belongs to the data model. */
  owns?(row: Row): boolean;
  /** Whether Xero shows the row as deleted. */
  isGone?(row: Row): boolean;
  record(row: Row, client: XeroClient): Promise<SourceRecord> | SourceRecord;
  /** Reads one row where Xero has no call for it. */
  readOne?(client: XeroClient, id: string): Promise<Row | null>;
  writes?: Writes;
}

/** Prices with four digits after the point; two without it. */
export const FOUR_DIGITS = { unitdp: '4' } as const;

/** A row whose state says that it is deleted. */
export const isDeleted = ({ Status }: Row): boolean => Status === 'DELETED';

/** A value in the language of Xero's filters. */
export const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

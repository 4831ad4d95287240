// The change of one record: its input, the current record, the merged values, and the error that rejects it.
import { randomUUID } from 'node:crypto';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { digestOf } from '../../json/digest.ts';
import { declaredProps } from '../../records/decorators.ts';
import { GatewayError, missing } from '../../records/errors.ts';
import type { Model, Prop, RecordClass } from '../../records/metadata.ts';
import { namesVersion } from '../../records/version.ts';
import type { CompanyRow } from '../companies/company.ts';
import { etagOf, type LedgerRecord, POSITION } from '../ledger/ledger-record.ts';

/** The values of one record as the input coercer left them, by property and relation name. */
export type RecordInput = Record<string, unknown>;

/** A record as the database has it, by property name, with moments in the format of the input coercer. */
export type CurrentRecord = Record<string, unknown> & { ledgerId: number };

/** The context of a write: organisation, company, time and rules. */
export interface WriteScope {
  services: Pick<Services, 'ledgerIds' | 'schema'>;
  organisationId: number;
  company: CompanyRow;
  now: Date;
  /** Whether a broken integrity rule rejects a record; otherwise the record is stored and flagged. */
  strict?: boolean;
  /** Whether the error of a record reports everything that is wrong with it, not only what was found first. */
  collectsAllErrors?: boolean;
  /** Whether errors name fields as GraphQL does; otherwise as REST does. */
  isGraphql?: boolean;
  /** Whether the records come from the source, and are stored and flagged where only a caller's are rejected; a caller wrote them otherwise. */
  isPull?: boolean;
  /** Source ids of a type that were pushed since the source was asked for the records to write. These may be older than the stored ones. */
  pushedSince?: (em: EntityManager, target: RecordClass<LedgerRecord>) => Promise<ReadonlySet<string>>;
  /** Numbers of the given records that the source shows as an attempt to send them may have left them. That is no change of the source. */
  ownEffects?: (em: EntityManager, target: RecordClass<LedgerRecord>, met: readonly MetRecord[]) => Promise<ReadonlySet<number>>;
  /** Whether the records keep their synchronisation state: the source says nothing new, but what it said is understood now. */
  keepsSource?: boolean;
  /** The data models whose records are sent to the source. */
  pushed?: ReadonlySet<string>;
  /** What the write changed; filled as it goes. */
  changes: ChangeEvent[];
  /** The platform ids of the records that were created, by type, for references that wait for them; filled as it goes. */
  arrived?: Map<RecordClass<LedgerRecord>, string[]>;
}

/** A stored record, and what the source shows of it. */
export interface MetRecord {
  ledgerId: number;
  input: RecordInput;
}

/** A stored change that an event reports. */
export interface ChangeEvent {
  target: RecordClass<LedgerRecord>;
  ledgerId: number;
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Version before the change; absent for a new record. */
  previousEtag?: string;
  /** Hash of the content before and after, where the change has them. */
  before?: string | null;
  after?: string | null;
}

/** The outcome of one record. */
export interface WriteOutcome {
  ledgerId: number;
  changed: 'created' | 'updated' | 'unchanged';
}

/** The outcome of one record, or the error that rejected it. */
export type RecordResult = WriteOutcome | GatewayError;

/** A record as the source sent it, and its digest. */
export interface SourceVersion {
  record: Record<string, unknown>;
  hash: string;
}

/** A record to write, with its path in the request. */
export interface Entry {
  path: string;
  input: RecordInput;
  /** Number of the record to change, where the caller names it. */
  ledgerId?: number;
  /** The number next to a platform id, which names the record. */
  shownNumber?: number;
  /** The version that the record must be. */
  ifMatch?: string | null;
  /** The error of a record that was rejected before, so that it is checked further but not stored. */
  error?: GatewayError | undefined;
  /** The record as the source sent it, for a pull. */
  source?: SourceVersion | undefined;
}

export interface Change {
  /** Path of the record in the request, such as `data[2].lineItems[0]`. */
  path: string;
  input: RecordInput;
  /** Column values as they will be stored. */
  values: Record<string, unknown>;
  stored: CurrentRecord | undefined;
  ledgerId: number;
  /** The number that the caller gave next to the platform id. */
  shownNumber?: number;
  /** The parent of a nested child; its reference needs no check. */
  parent: Change | undefined;
  /** The stored children of the parent that nothing names. A nested child that names none and has the content of one of them is that one. */
  unnamed?: Set<CurrentRecord>;
  error: GatewayError | undefined;
  /** The record as the source sent it. */
  source: SourceVersion | undefined;
  /** Whether the stored record stays as it is: the source said nothing new, or what it said is in conflict with what a caller wrote. */
  isKept: boolean;
  /** Properties whose numbers were found by the ids of the source, so that they need no check. */
  found?: ReadonlySet<string>;
  /** References to records that the source has not sent yet. */
  open?: readonly OpenEntry[];
  /** The number of a new record that others of the same write name. */
  reserved?: number;
  /** References to new records of the same write, with the path and id that name each. */
  names?: readonly { prop: Prop; change: Change; path: string; id: string }[];
}

/** An entry of a property that names records of which one is not stored yet. */
export interface OpenEntry {
  property: string;
  /** Place in a list. */
  position: number;
  targetModel: string;
  platformId: string;
  /** Whether this is one that is not stored. */
  isOpen: boolean;
}

const NO_VALUES: Record<string, unknown> = Object.freeze({});

export const changeOf = (
  input: RecordInput,
  path: string,
  more: Partial<Pick<Change, 'stored' | 'ledgerId' | 'parent' | 'error' | 'source'>> = {},
): Change => ({
  path,
  input,
  values: NO_VALUES,
  stored: more.stored,
  ledgerId: more.ledgerId ?? 0,
  parent: more.parent,
  error: more.error,
  source: more.source,
  isKept: false,
});

/** Path of a field of the record. */
export const fieldOf = (change: Change, name: string): string => `${change.path}.${name}`;

/** Rejects a change; the other records are still written. Of several errors the first stays, with the others where the scope reports all. */
export function refuse(scope: WriteScope, change: Change, error: GatewayError): void {
  const { error: first } = change;
  if (!first) change.error = error;
  else if (scope.collectsAllErrors)
    change.error = new GatewayError(first.code, first.message, { ...first.info, others: [...(first.info.others ?? []), error] });
}

/** Whether a change needs no further check. It has an error and no other is to be reported, or the record that it names is not stored. */
export const isDecided = (scope: WriteScope, { error, stored, ledgerId }: Change): boolean =>
  error !== undefined && (!scope.collectsAllErrors || (!stored && ledgerId !== 0));

/** Runs a check of one change. A GatewayError it throws becomes the change's error. */
export function checked(scope: WriteScope, change: Change, check: () => void): void {
  if (isDecided(scope, change)) return;
  try {
    check();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    refuse(scope, change, error);
  }
}

/** The part of a record that callers write. */
interface Content {
  props: Prop[];
  /** Those that the content hash covers, by name. A place belongs to the list of the parent. */
  hashed: string[];
  /**
   * An object with null in every property, copied for each record. Copies of a parsed object share one hidden class in V8. An object whose properties
   * are set one by one becomes a hash table of its own.
   */
  blank: Record<string, unknown>;
}

const contents = new WeakMap<Model, Content>();

/** Computed once per model, not twice per record. */
function contentOf(model: Model): Content {
  let content = contents.get(model);
  if (!content) {
    const props = [...model.props.values()].filter((prop) => prop.write !== 'never');
    content = {
      props,
      hashed: props.map(({ name }) => name).filter((name) => name !== POSITION),
      blank: JSON.parse(JSON.stringify(Object.fromEntries([...props.map(({ name }) => name), 'dataHash'].map((name) => [name, null])))),
    };
    contents.set(model, content);
  }
  return content;
}

/** The properties that callers may write; the content of a record. */
export const contentProps = (model: Model): Prop[] => contentOf(model).props;

/** Required properties that a write gives itself where the caller does not. */
const MADE: ReadonlySet<string> = new Set(['platformId', POSITION]);

/** Merges the input into the values of the current record, and makes the checks that need no other record. */
export function merge(scope: WriteScope, model: Model, change: Change): void {
  const { input, stored } = change;
  const { props, hashed, blank } = contentOf(model);
  const values = { ...blank };
  change.values = values;
  for (const prop of props) {
    const given = input[prop.name];
    const value = given === undefined ? stored?.[prop.name] : prop.kind === 'namedValues' ? withAllMembers(prop, given) : given;
    if (value != null) values[prop.name] = value;
    else if (prop.required && !MADE.has(prop.name)) {
      refuse(scope, change, missing(fieldOf(change, prop.name)));
      if (!scope.collectsAllErrors) return;
    }
  }
  if (!stored && Object.keys(input).length === 0) throw missing(change.path, `${change.path} has no field`);
  values.platformId ??= stored?.platformId ?? randomUUID();
  values.dataHash = contentHash(hashed, values);
}

/** Named values with all their members: one that is left out is null, as a read shows it. */
function withAllMembers({ type }: Prop, given: unknown): unknown {
  const [item] = type!() as [RecordClass];
  const blank = Object.fromEntries(declaredProps(item).map(({ name }) => [name, null]));
  return Array.isArray(given) ? given.map((entry) => ({ ...blank, ...entry })) : given;
}

/** Characters of a content hash in base64url: 132 bits of the SHA-256, a third of what the whole takes in hexadecimal in every row. */
const HASH_LENGTH = 22;

function contentHash(hashed: readonly string[], values: Record<string, unknown>): string {
  const content = hashed.map((name) => values[name]);
  return digestOf(content, 'base64url').slice(0, HASH_LENGTH);
}

/** The digest of the content of a child without what identifies it. */
export const contentKey = (model: Model, values: Readonly<Record<string, unknown>>): string =>
  digestOf(
    contentOf(model)
      .hashed.filter((name) => !MADE.has(name))
      .map((name) => values[name] ?? null),
  );

/** The content hash in the form that is stored; earlier releases stored the whole SHA-256 in hexadecimal. */
export const storedHash = (text: string): string =>
  text.length > HASH_LENGTH ? Buffer.from(text, 'hex').toString('base64url').slice(0, HASH_LENGTH) : text;

/** Rejects a write whose `ifMatch` names another version than the stored one; `*` matches any. */
export function requireVersion(ifMatch: string, stored: CurrentRecord | undefined, field = 'ifMatch'): void {
  if (stored && namesVersion(ifMatch, etagOf(stored))) return;
  throw new GatewayError(
    'STALE_RECORD',
    stored
      ? 'the record is no longer the version that ifMatch names'
      : 'the record does not exist, so it has no version that ifMatch could name',
    { field },
  );
}

// The change of one record: its input, the current record, the merged values, and the error that refuses it.
import { hash, randomUUID } from 'node:crypto';
import type { Services } from '../../access/context.ts';
import { GatewayError, missing } from '../../records/errors.ts';
import type { Model, Prop, RecordClass } from '../../records/metadata.ts';
import type { CompanyRow } from '../companies/company.ts';
import { etagOf, versionOf } from '../ledger/ledger-record.ts';

/** The values of one record as the input coercer left them, by property and relation name. */
export type RecordInput = Record<string, unknown>;

/** A record as the database has it, by property name, with moments in the format of the input coercer. */
export type CurrentRecord = Record<string, unknown> & { ledgerId: number };

/** The context of a write: organisation, company, time and rules. */
export interface WriteScope {
  services: Pick<Services, 'ledgerIds'>;
  organisationId: number;
  company: CompanyRow;
  now: Date;
  /** Whether a broken integrity rule refuses a record; otherwise the record is stored and flagged. */
  strict?: boolean;
  /** Whether errors name fields as GraphQL does; otherwise as REST does. */
  isGraphql?: boolean;
  /** What the write changed; filled as it goes. */
  changes: ChangeEvent[];
}

/** A stored change that an event reports. */
export interface ChangeEvent {
  target: RecordClass;
  ledgerId: number;
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
}

export interface Change {
  /** Path of the record in the request, such as `data[2].lineItems[0]`. */
  path: string;
  input: RecordInput;
  /** Column values as they will be stored. */
  values: Record<string, unknown>;
  stored: CurrentRecord | undefined;
  ledgerId: number;
  /** Platform id to assign when none is given; a random one when absent. */
  assigned: string | undefined;
  /** The parent of a nested child; its reference needs no check, and a new parent has no children yet. */
  parent: Change | undefined;
  error: GatewayError | undefined;
}

const NO_VALUES: Record<string, unknown> = Object.freeze({});

export const changeOf = (
  input: RecordInput,
  path: string,
  more: Partial<Pick<Change, 'stored' | 'ledgerId' | 'assigned' | 'parent'>> = {},
): Change => ({
  path,
  input,
  values: NO_VALUES,
  stored: more.stored,
  ledgerId: more.ledgerId ?? 0,
  assigned: more.assigned,
  parent: more.parent,
  error: undefined,
});

/** Path of a field of the record. */
export const fieldOf = (change: Change, name: string): string => `${change.path}.${name}`;

/** Runs a check of one change. A GatewayError it throws becomes the change's error, so that the other records are still written. */
export function checked(change: Change, check: () => void): void {
  if (change.error) return;
  try {
    check();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    change.error = error;
  }
}

/** The part of a record that callers write. */
interface Content {
  props: Prop[];
  /**
   * An object with null in every property, copied for each record. Copies of a parsed object share one hidden class in V8; an object
   * whose properties are set one by one becomes a hash table of its own.
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
      blank: JSON.parse(JSON.stringify(Object.fromEntries([...props.map(({ name }) => name), 'dataHash'].map((name) => [name, null])))),
    };
    contents.set(model, content);
  }
  return content;
}

/** The properties that callers may write; the content of a record. */
export const contentProps = (model: Model): Prop[] => contentOf(model).props;

/** Merges the input into the values of the current record, and makes the checks that need no other record. */
export function merge(model: Model, change: Change): void {
  const { input, stored } = change;
  const { props, blank } = contentOf(model);
  const values = { ...blank };
  change.values = values;
  for (const prop of props) {
    const given = input[prop.name];
    const value = given === undefined ? stored?.[prop.name] : given;
    if (value != null) values[prop.name] = value;
    else if (prop.required && prop.name !== 'platformId') throw missing(fieldOf(change, prop.name));
  }
  if (!stored && Object.keys(input).length === 0) throw missing(change.path, `${change.path} has no field`);
  values.platformId ??= stored?.platformId ?? change.assigned ?? randomUUID();
  values.dataHash = contentHash(props, values);
}

function contentHash(props: Prop[], values: Record<string, unknown>): string {
  return hash('sha256', JSON.stringify(props.map((prop) => canonical(values[prop.name]))), 'hex');
}

/** JSON columns do not keep the order of members, so hashes must not depend on it. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, canonical(entry)]),
  );
}

/** Refuses a write whose `ifMatch` names another version than the stored one; `*` matches any. */
export function requireVersion(ifMatch: string, stored: CurrentRecord | undefined): void {
  const named = ifMatch.split(',').map((tag) => versionOf(tag.trim()));
  if (stored && (named.includes('*') || named.includes(etagOf(stored)))) return;
  throw new GatewayError(
    'STALE_RECORD',
    stored
      ? 'the record is no longer the version that ifMatch names'
      : 'the record does not exist, so it has no version that ifMatch could name',
    { field: 'ifMatch' },
  );
}

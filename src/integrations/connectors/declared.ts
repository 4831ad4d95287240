// The fields of a data model that a connector declares, and the connector kept to them.
import { isPlainObject } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import type { Capability, Connector, FieldCapability, SourceRecord } from './connector.ts';
import { mapRecords, rawOf, withRaw } from './source-facts.ts';

/** The fields of a data model by the names of REST bodies; a field of a child has that of its list before it: `line_items.quantity`. */
export interface DeclaredFields {
  /** Read from the source only, such as what it computes. */
  read: readonly string[];
  /** Read from the source and sent to it. */
  both?: readonly string[];
  /** The same, and the source takes no new record without them. */
  required?: readonly string[];
  /** Sent to the source and not read from it. */
  sent?: readonly string[];
}

/** The declared fields one by one, in the order of their names. */
export const fieldsOf = ({ read, both = [], required = [], sent = [] }: DeclaredFields): FieldCapability[] =>
  [...new Set([...read, ...both, ...required, ...sent])].sort().map((name) => ({
    name,
    pull: !sent.includes(name),
    push: !read.includes(name),
    required: required.includes(name),
  }));

/** The declared members of an object of records: the names without a point, and those of each list of children. */
interface Members {
  own: ReadonlySet<string>;
  children: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Members that name a record: they are never left out. */
const NAMES = ['platform_id'];

function membersOf(names: readonly string[]): Members {
  const pairs = names.map((name) => name.split('.', 2) as [string, string?]);
  const inner = Map.groupBy(
    pairs.filter(([, member]) => member !== undefined),
    ([list]) => list,
  );
  return {
    own: new Set([...NAMES, ...pairs.map(([name]) => name)]),
    children: new Map([...inner].map(([list, entries]) => [list, new Set([...NAMES, ...entries.map(([, member]) => member!)])])),
  };
}

const picked = (record: SourceRecord, names: ReadonlySet<string>): SourceRecord =>
  withRaw(Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name))), rawOf(record));

/** A record with the declared members alone. */
function only(record: SourceRecord, { own, children }: Members): SourceRecord {
  const kept = picked(record, own);
  for (const [list, names] of children)
    if (Array.isArray(kept[list])) kept[list] = kept[list].map((entry) => (isPlainObject(entry) ? picked(entry, names) : entry));
  return kept;
}

/** A connector that pulls the declared fields alone, and creates no record without those that the source requires. */
export function keptToDeclared(connector: Connector, title: string, capabilities: readonly Capability[]): Connector {
  const membersByModel = new Map(capabilities.map(({ dataModel, fields }) => [dataModel, membersOf(namesWith(fields, 'pull'))]));
  const requiredByModel = new Map(capabilities.map(({ dataModel, fields }) => [dataModel, namesWith(fields, 'required')]));
  const kept = mapRecords(connector, (dataModel, record) => {
    const members = membersByModel.get(dataModel);
    return members ? only(record, members) : record;
  });
  const { push } = kept;
  if (!push) return kept;
  return {
    ...kept,
    taken: new Map(capabilities.map(({ dataModel, fields }) => [dataModel, new Set(namesWith(fields, 'push'))])),
    push: async (request) => {
      const { operation, dataModel, record } = request;
      const lacking = operation === 'CREATE' ? (requiredByModel.get(dataModel) ?? []).filter((name) => isLacking(record, name)) : [];
      if (lacking.length === 0) return push(request);
      throw new GatewayError('PLATFORM_DENIED', `${title} takes no new ${dataModel} record without ${lacking.join(', ')}`);
    },
  };
}

const namesWith = (fields: readonly FieldCapability[], use: 'pull' | 'push' | 'required'): string[] =>
  fields.filter((field) => field[use]).map(({ name }) => name);

/** Whether a record has no value of a field; of a field of children, whether it has no child or one without it. */
function isLacking(record: SourceRecord, field: string): boolean {
  const [name, member] = field.split('.', 2) as [string, string?];
  const value = record[name];
  if (member === undefined) return value == null || value === '';
  return !Array.isArray(value) || value.length === 0 || value.some((child) => isLacking(child, member));
}

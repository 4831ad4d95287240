// What pulled records name: the ids of the source, in the shape in which a write takes them.
import { parseSourceJson } from '../../json/exact-json.ts';
import { isPlainObject } from '../../records/checked.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import type { SourceRecord } from '../connectors/connector.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { CHILD_ID } from '../ledger/record-input.ts';
import { nestedRelations, type Reference, referencesOf } from '../ledger/references.ts';

/** Rewrites some fields of a record in place. */
type Rewrite = (record: SourceRecord) => void;

/**
 * Makes copies of pulled records in which every reference is an object with the source's id, also in the records that they contain. No source
 * knows the numbers of this API, so a plain `contact_id` is an id of the source; where `contact` is there too, that counts. Cells of CSV
 * files are text, which may be JSON.
 */
export const sourceReferences = (target: RecordClass<LedgerRecord>): ((record: SourceRecord) => SourceRecord) => rewriterOf(target, false);

function rewriterOf(target: RecordClass<LedgerRecord>, isChild: boolean): (record: SourceRecord) => SourceRecord {
  const rewrites = [
    ...referencesOf(target).flatMap((reference) => (reference.isParent ? (isChild ? withoutParent(reference) : []) : rewriteOf(reference))),
    ...nestedRelations(target).map((relation): Rewrite => {
      const name = snakeCase(relation.name);
      const inner = rewriterOf(relation.target() as RecordClass<LedgerRecord>, relation.owned);
      const entry = (value: unknown): unknown => (isPlainObject(value) ? inner(value) : value);
      return (record) => {
        const value = parsed(record[name]);
        if (typeof value === 'object' && value !== null) record[name] = Array.isArray(value) ? value.map(entry) : entry(value);
      };
    }),
  ];
  return (record) => {
    const copy = { ...record };
    for (const rewrite of rewrites) rewrite(copy);
    return copy;
  };
}

const plainName = ({ prop }: Reference): string => prop.jsonName ?? snakeCase(prop.name);

/** A child belongs to the record that contains it, whatever it says itself, and no source knows its number. */
const withoutParent = (reference: Reference): Rewrite => {
  const names = [plainName(reference), snakeCase(reference.field), CHILD_ID];
  return (record) => {
    for (const name of names) delete record[name];
  };
};

function rewriteOf(reference: Reference): Rewrite {
  const { field, isList, nested } = reference;
  const [plain, name] = [plainName(reference), snakeCase(field)];
  const isWrapped = isList || nested?.wrapped === true;
  return (record) => {
    const objects = [parsed(record[name]) ?? []].flat();
    if (objects.length > 0 && objects.every(isNamed)) {
      // A record that a write takes stays whole: it is created or updated.
      const entries = objects.map((entry) => ({ ...(nested ? entry : {}), platform_id: idText(entry.platform_id) }));
      record[name] = isWrapped || entries.length > 1 ? entries : entries[0];
      delete record[plain];
      return;
    }
    const value = isList ? parsed(record[plain]) : record[plain];
    if (value === '') record[plain] = null;
    if (value == null || value === '') return;
    const named = [value].flat().map((id) => ({ platform_id: idText(id) }));
    record[name] = isWrapped ? named : named[0];
    delete record[plain];
  };
}

const isNamed = (value: unknown): value is SourceRecord => isPlainObject(value) && value.platform_id != null;

/** The source's id as text; sources that number their records send numbers. */
const idText = (id: unknown): unknown => (Number.isSafeInteger(id) ? String(id) : id);

/** The value of a field that is no text; a cell of a CSV file holds it as JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseSourceJson(value);
  } catch {
    return value;
  }
}

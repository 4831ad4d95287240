// Records of a source as the input of a write.

import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { checkStorable, coercerFor, namingStrategies } from '../../graphql/input/input-coercion.ts';
import { digestOf } from '../../json/digest.ts';
import { parseWritten } from '../../json/exact-json.ts';
import { Gathering } from '../../records/checked.ts';
import { missing } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { restTypeOf } from '../../records/schema-extensions.ts';
import { exactNumber } from '../../records/storable.ts';
import type { SourceRecord } from '../connectors/connector.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import type { RecordInput } from '../writes/change.ts';
import { sourceReferences } from './source-references.ts';

/** The digest of what a source says of a record. What it sent of it is left out: it may be kept from now on, or no longer. */
export const sourceDigest = ({ rawData: _, ...input }: RecordInput): string => digestOf(input);

/** Coerces a record of a source; throws INVALID_PARAMS or MISSING_PARAMS, which name the field below `path`. */
export type RecordCoercer = (record: SourceRecord, path: string) => RecordInput;

/** Returns what coerces a source record of a record type like a REST body. */
export const recordCoercer = (schema: GraphQLSchema, target: RecordClass<LedgerRecord>, isTyped = false): RecordCoercer =>
  inputCoercer(schema.getType(`${modelOf(target).name}Input`) as GraphQLInputObjectType, sourceReferences(target), isTyped);

/**
 * Returns what coerces a source record to an input type, after `named` has put its references in their form. The text of a CSV cell is first
 * converted to the type of its field. Keys are taken in any form, unless people have typed them.
 */
export function inputCoercer(type: GraphQLInputObjectType, named: (record: SourceRecord) => SourceRecord, isTyped: boolean): RecordCoercer {
  const coercer = coercerFor(type, isTyped ? namingStrategies.typed : namingStrategies.source);
  const types = new Map(
    Object.values(type.getFields()).map((field) => [namingStrategies.ledger.fieldName(field.name, field), restTypeOf(field)]),
  );
  return (record, path) => {
    const typed = Object.fromEntries(
      Object.entries(named(record)).map(([name, value]) => [name, typeof value === 'string' ? cellValue(value, types.get(name)) : value]),
    );
    const issues = new Gathering();
    // Members that are skipped too: what is in conflict, or rejected, is kept as it was sent.
    checkStorable(record, path, issues);
    issues.refuse();
    const input = coercer(typed, path, issues) as RecordInput;
    issues.refuse();
    if (input.platformId == null) throw missing(`${path}.platform_id`);
    return input;
  };
}

const numeric = new Set(['Decimal', 'Int', 'PositiveInt']);

/** Converts the text of a cell to the type of its field. Text that does not convert is returned unchanged, so that the coercer reports it. */
function cellValue(text: string, type: GraphQLInputType | undefined): unknown {
  if (!type) return text;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const { name } = getNamedType(nullable);
  if (isListType(nullable) || isInputObjectType(nullable) || name === 'JSONObject') return jsonOr(text);
  // Free-form text of a source that has types, such as "1.10" or "null", is text and goes back to it as such.
  if (name === 'JSON') return /^\s*[[{]/.test(text) ? jsonOr(text) : text;
  if (numeric.has(name)) return exactNumber(text.trim()) ?? text;
  if (name === 'Boolean') return /^(true|false)$/i.test(text.trim()) ? /^true$/i.test(text.trim()) : text;
  return text;
}

function jsonOr(text: string): unknown {
  try {
    return parseWritten(text);
  } catch {
    return text;
  }
}

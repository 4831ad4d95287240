// The types that look-ahead passes to the reader: the fields that an operation selects below one field, and the JSON shape of a record.
import type { GraphQLNamedType } from 'graphql';
import type { Derived, Model, Prop, Relation } from '../../records/metadata.ts';

/** The fields selected on an object type; on an abstract type also those per concrete type. */
export interface FieldTree {
  type: GraphQLNamedType;
  fields: Map<string, FieldTree>;
  byType: Map<string, FieldTree>;
  /** The JSON to write, for a field that is answered as JSON directly from the rows. */
  shape?: JsonShape;
}

/** The members of a record's JSON in the order of the answer, each under its response key. */
export interface JsonShape {
  model: Model;
  members: JsonMember[];
}

/** One member: a constant, a column, a computed field, or the records of a relation. */
export type JsonMember =
  | { key: string; constant: string }
  | { key: string; prop: Prop }
  | { key: string; derived: Derived }
  | { key: string; relation: Relation; shape: JsonShape };

// The types that look-ahead passes to the reader: the fields that an operation selects below one field, and the JSON shape of a record.
import type { GraphQLNamedType } from 'graphql';
import type { Derived, Model, Prop, Relation } from '../../records/metadata.ts';
import { Memo } from './memo.ts';

/** The fields selected on an object type; on an abstract type also those per concrete type. It owns what is derived from it. */
export class FieldTree extends Memo {
  readonly type: GraphQLNamedType;
  readonly fields: Map<string, FieldTree>;
  readonly byType: Map<string, FieldTree>;
  /** The JSON to write, for a field that is returned as JSON directly from the rows. */
  shape?: JsonShape;
  /** The members of each object, for objects without a table that are returned as JSON. */
  members?: readonly SelectedMember[];

  constructor(type: GraphQLNamedType, fields: Iterable<[string, FieldTree]> = [], byType: Iterable<[string, FieldTree]> = []) {
    super();
    this.type = type;
    this.fields = new Map(fields);
    this.byType = new Map(byType);
  }
}

/** The members of a record's JSON in the order of the response, each under its response key. */
export interface JsonShape {
  model: Model;
  members: JsonMember[];
  /** The projections made for it, by the further properties they read. */
  projections: Memo;
}

/** One member of an object, in the order of the response: the field under its response key with the members of its objects, or a constant as JSON. */
export interface SelectedMember {
  key: string;
  name: string;
  constant?: string;
  members?: readonly SelectedMember[] | undefined;
}

/** A list of a record's own, whose pages are written into its JSON. The layer that declares lists reads them. */
export interface NestedList {
  /** The properties of the record that its list is read by. */
  needs: readonly string[];
  /** The response key of the records of a page, the one member of its JSON. */
  nodes: string;
}

/** One member: a constant, a column, a computed field, the records of a relation, or the page of a list. */
export type JsonMember =
  | { key: string; constant: string }
  | { key: string; prop: Prop }
  | { key: string; derived: Derived }
  | { key: string; relation: Relation; shape: JsonShape }
  | { key: string; list: NestedList };

// JSON lists: finds the lists of an operation that can be read as JSON text, because they select only columns, computed fields, relations and lists
// of that kind. The groups of summaries qualify too, because they have no other fields.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { RequestContext } from '../access/context.ts';
import type { Where } from '../database/reader/conditions.ts';
import type { JsonMember, JsonShape, NestedList, SelectedMember } from '../database/reader/field-tree.ts';
import { Memo } from '../database/reader/memo.ts';
import { needsOf, type Row } from '../database/reader/projection.ts';
import { allModels, type Model, modelOf, type RecordClass } from '../records/metadata.ts';

/** The field of a connection that returns `nodes` as JSON text. A client cannot select it, because GraphQL names cannot contain `$`. */
export const JSON_NODES = 'nodes$';

/** The field of a summary that returns `groups` as JSON text. */
export const JSON_GROUPS = 'groups$';

/** The field that replaces `groups` in a compiled document. */
export interface JsonGroupsNode extends FieldNode {
  members: readonly SelectedMember[];
}

/** The field that replaces `nodes` in a compiled document. */
export interface JsonNode extends FieldNode {
  shape: JsonShape;
}

/**
 * Where the list of one record is: the name that binds its cursors, the values that its records share, and their owner where it may differ from the
 * caller.
 */
export interface ListPlace {
  list: string;
  where: Where<object>;
  organisationId?: number;
}

type PlaceOf = (record: Row, context: RequestContext) => ListPlace;

/** The places of the lists of records, by type and field name. */
const places = new Map<string, PlaceOf>();

/**
 * What differs between the pages of a list below several records; an option of the resolver, which is named after its field. Below a list such pages
 * are written into the JSON of the records. The resolver is called for the first record, and only for its page.
 */
export const placedBy =
  (record: RecordClass, place: PlaceOf) =>
  (_prototype: object, field: string): void => {
    places.set(`${modelOf(record).name}.${field}`, place);
  };

/** A list below a list whose pages are written into the records: the field, its node in the document, and the JSON of its records. */
export interface NestedPages extends NestedList {
  field: GraphQLField<unknown, unknown>;
  placeOf: PlaceOf;
  node: FieldNode;
  shape: JsonShape;
}

/**
 * A page of a list below a list could not be written. Its error belongs to a place in the response that does not exist in the JSON of the records.
 */
export class UnwrittenError extends Error {}

/** Scalars whose values the database returns in the form of the response. */
const plainScalars = new Set(['DateTime', 'Decimal', 'ExternalId', 'JSON', 'JSONObject', 'LocalDate', 'PositiveInt']);

const jsonScalar = new GraphQLScalarType({ name: 'JsonFragment' });
const modelsByName = new Map<string, Model>();

/** The field with the JSON text of the list in a connection or a summary. */
function jsonFieldOf({ name }: GraphQLNamedType): typeof JSON_NODES | typeof JSON_GROUPS | undefined {
  const [, record, kind] = /^(.+)(Connection|Summary)$/.exec(name) ?? [];
  if (!record || !modelsByName.has(record)) return undefined;
  return kind === 'Connection' ? JSON_NODES : JSON_GROUPS;
}

const jsonField = (name: string): GraphQLField<unknown, unknown> => ({
  name,
  description: undefined,
  type: jsonScalar,
  args: [],
  deprecationReason: undefined,
  extensions: {},
  astNode: undefined,
});

/**
 * A view of the schema by which documents are compiled, where connections and summaries have their JSON fields. graphql-jit looks fields up in the
 * types, so each type has a view too, which is made when a document uses it.
 */
export function withJsonFields(schema: GraphQLSchema): GraphQLSchema {
  for (const model of allModels()) modelsByName.set(model.name, model);
  const made = new Map<unknown, GraphQLCompositeType>();
  const fieldsOf = (type: GraphQLObjectType | GraphQLInterfaceType): GraphQLFieldMap<unknown, unknown> => {
    const fields = Object.values(type.getFields()).map((field) => [field.name, { ...field, type: typeOf(field.type) }]);
    const added = jsonFieldOf(type);
    return Object.fromEntries(added ? [...fields, [added, jsonField(added)]] : fields);
  };
  const named = <T>(type: T): T => {
    if (!isCompositeType(type)) return type;
    let own = made.get(type);
    if (!own) {
      let fields: GraphQLFieldMap<unknown, unknown> | undefined;
      const getFields = (): typeof fields => (fields ??= fieldsOf(type as GraphQLObjectType));
      own = Object.create(type, isUnionType(type) ? {} : { getFields: { value: getFields } }) as GraphQLCompositeType;
      made.set(type, own);
    }
    return own as T;
  };
  const typeOf = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(typeOf(type.ofType));
    return isListType(type) ? new GraphQLList(typeOf(type.ofType)) : named(type);
  };
  const methods: Partial<GraphQLSchema> = {
    getQueryType: () => named(schema.getQueryType()),
    getMutationType: () => named(schema.getMutationType()),
    getSubscriptionType: () => named(schema.getSubscriptionType()),
    getType: (name) => named(schema.getType(name)),
    getPossibleTypes: (type) => schema.getPossibleTypes(type).map(named),
  };
  return Object.assign(Object.create(schema) as GraphQLSchema, methods);
}

/**
 * The document with the JSON field in place of `nodes` wherever that is possible, under the same response key. With `nests`, also where the records
 * have lists.
 */
export function withJsonLists(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  nests = false,
): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const finder = new Finder(schema, fragments, nests);
  const root = schema.getRootType(operation.operation);
  if (root) finder.walk(root, [operation.selectionSet]);
  if (![...finder.lists.values(), ...finder.groups.values()].some((found) => found)) return document;
  return visit(document, {
    Field: (node) => {
      const shape = finder.lists.get(node);
      if (shape) return { ...renamed(node, JSON_NODES), shape } satisfies JsonNode;
      const members = finder.groups.get(node);
      return members && ({ ...renamed(node, JSON_GROUPS), members } satisfies JsonGroupsNode);
    },
  });
}

/** A field without arguments and selections under the response key of another. */
const renamed = (node: FieldNode, name: string): FieldNode => ({
  kind: Kind.FIELD,
  alias: { kind: Kind.NAME, value: responseKey(node) },
  name: { kind: Kind.NAME, value: name },
});

/** Whether records of the document have lists in their JSON. */
export function hasNestedLists(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: (node) => {
      if ('shape' in node && (node as JsonNode).shape.members.some((member) => 'list' in member)) found = true;
    },
  });
  return found;
}

const responseKey = (node: FieldNode): string => (node.alias ?? node.name).value;

class Finder {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Map<string, FragmentDefinitionNode>;
  readonly #nests: boolean;
  /** Every `nodes` field found, with its shape where every use of it can be JSON text. */
  readonly lists = new Map<FieldNode, JsonShape | undefined>();
  /** Every `groups` field found, with the members of its objects where every use of it can be JSON text. */
  readonly groups = new Map<FieldNode, SelectedMember[] | undefined>();

  constructor(schema: GraphQLSchema, fragments: Map<string, FragmentDefinitionNode>, nests: boolean) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#nests = nests;
  }

  walk(type: GraphQLObjectType, selections: SelectionSetNode[]): void {
    const fields = new Map<string, FieldNode[]>();
    for (const selection of selections) this.#collect(type, selection, fields);
    const jsonField = jsonFieldOf(type);
    const groups = [...fields.values()].flat().filter(({ name }) => name.value === 'groups').length;
    const lists = [...fields.values()].flat().filter(({ name }) => name.value === 'nodes' || name.value === 'edges').length;
    for (const nodes of fields.values()) {
      const field = type.getFields()[nodes[0]!.name.value];
      if (!field) continue;
      const named = getNamedType(field.type);
      if (jsonField === JSON_NODES && isObjectType(named) && field.name === 'nodes') this.#list(named, nodes, lists === 1);
      if (jsonField === JSON_GROUPS && isObjectType(named) && field.name === 'groups') this.#groups(named, nodes, groups === 1);
      const below = nodes.flatMap((node) => node.selectionSet ?? []);
      for (const target of isObjectType(named) ? [named] : isAbstractType(named) ? this.#schema.getPossibleTypes(named) : [])
        this.walk(target, below);
    }
  }

  /** A page that is selected twice is read once, as records: the executor merges the two selections. */
  #list(type: GraphQLObjectType, nodes: FieldNode[], isOnly: boolean): void {
    const shape = isOnly ? this.#shape(type, nodes, this.#nests) : undefined;
    for (const node of nodes) this.lists.set(node, this.lists.has(node) ? this.lists.get(node) && shape : shape);
  }

  #groups(type: GraphQLObjectType, nodes: FieldNode[], isOnly: boolean): void {
    const members = isOnly ? this.#members(type, nodes) : undefined;
    for (const node of nodes) this.groups.set(node, this.groups.has(node) ? this.groups.get(node) && members : members);
  }

  /** The selected members of an object; undefined where one depends on a directive or is selected twice. */
  #members(type: GraphQLObjectType, nodes: FieldNode[]): SelectedMember[] | undefined {
    const fields = new Map<string, FieldNode[]>();
    for (const { directives, selectionSet } of nodes)
      if (directives?.length || !this.#collect(type, selectionSet!, fields)) return undefined;
    const members: SelectedMember[] = [];
    for (const [key, same] of fields) {
      const name = same[0]!.name.value;
      const field = type.getFields()[name];
      const named = field && getNamedType(field.type);
      const below = isObjectType(named) ? this.#members(named, same) : [];
      if (!below || same.length > 1) return undefined;
      members.push(field ? { key, name, members: below } : { key, name, constant: JSON.stringify(type.name) });
    }
    return members;
  }

  /** Groups the fields that apply to a type by response key; returns whether all of them are unconditional. */
  #collect(type: GraphQLObjectType, selectionSet: SelectionSetNode, fields: Map<string, FieldNode[]>): boolean {
    let unconditional = true;
    for (const node of selectionSet.selections) {
      if (node.directives?.length) unconditional = false;
      if (node.kind === Kind.FIELD) {
        const known = fields.get(responseKey(node));
        if (known) known.push(node);
        else fields.set(responseKey(node), [node]);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value)!;
      const condition = fragment.typeCondition && this.#schema.getType(fragment.typeCondition.name.value);
      const applies = !condition || condition === type || (isAbstractType(condition) && this.#schema.isSubType(condition, type));
      if (applies && !this.#collect(type, fragment.selectionSet, fields)) unconditional = false;
    }
    return unconditional;
  }

  #shape(type: GraphQLObjectType, nodes: FieldNode[], nests: boolean): JsonShape | undefined {
    const model = modelsByName.get(type.name);
    const fields = new Map<string, FieldNode[]>();
    if (!model) return undefined;
    for (const { directives, selectionSet } of nodes)
      if (directives?.length || !selectionSet || !this.#collect(type, selectionSet, fields)) return undefined;
    const members: JsonMember[] = [];
    for (const [key, same] of fields) {
      const member = this.#member(type, model, key, same, nests);
      if (!member) return undefined;
      members.push(member);
    }
    return { model, members, projections: new Memo() };
  }

  #member(type: GraphQLObjectType, model: Model, key: string, nodes: FieldNode[], nests: boolean): JsonMember | undefined {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, constant: JSON.stringify(type.name) };
    const field = type.getFields()[name];
    const placeOf = nests && field ? places.get(`${model.name}.${name}`) : undefined;
    if (placeOf) {
      const list = this.#nested(model, { field: field!, placeOf }, nodes);
      return list && { key, list };
    }
    if (!field || field.resolve || field.args.length > 0) return undefined;
    const named = getNamedType(field.type);
    const relation = model.relations.get(name);
    if (relation) {
      const shape = isObjectType(named) ? this.#shape(named, nodes, false) : undefined;
      return shape && { key, relation, shape };
    }
    if (!isEnumType(named) && !isSpecifiedScalarType(named) && !plainScalars.has(named.name)) return undefined;
    const derived = model.derived.get(name);
    if (derived) return { key, derived };
    const prop = model.props.get(name);
    return prop && { key, prop };
  }

  /** A list of a record of which nothing but its records is selected. */
  #nested(model: Model, list: Pick<NestedPages, 'field' | 'placeOf'>, nodes: FieldNode[]): NestedPages | undefined {
    const { field } = list;
    const connection = getNamedType(field.type);
    const [node] = nodes as [FieldNode];
    if (nodes.length > 1 || node.directives?.length || !isObjectType(connection)) return undefined;
    const fields = new Map<string, FieldNode[]>();
    if (!this.#collect(connection, node.selectionSet!, fields) || fields.size !== 1) return undefined;
    const [[key, records]] = [...fields] as [[string, FieldNode[]]];
    const record = getNamedType(connection.getFields().nodes!.type);
    if (records[0]!.name.value !== 'nodes' || !isObjectType(record)) return undefined;
    const shape = this.#shape(record, records, true);
    return shape && { needs: [model.key, ...needsOf(model, field.name)], nodes: key, ...list, node, shape };
  }
}

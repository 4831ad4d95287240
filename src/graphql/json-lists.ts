// JSON lists: finds the lists of an operation that can be read as JSON text, because only columns, computed fields and relations are selected.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { JsonMember, JsonShape } from '../database/reader/field-tree.ts';
import { allModels, type Model } from '../records/metadata.ts';

/** The field of a connection that returns `nodes` as JSON text. A client cannot select it, because GraphQL names cannot contain `$`. */
export const JSON_NODES = 'nodes$';

/** The field that replaces `nodes` in a compiled document. */
export interface JsonNode extends FieldNode {
  shape: JsonShape;
}

/** Scalars whose values the database returns in the form of the answer. */
const plainScalars = new Set(['DateTime', 'Decimal', 'ExternalId', 'JSON', 'JSONObject', 'LocalDate', 'PositiveInt']);

const jsonScalar = new GraphQLScalarType({ name: 'JsonFragment' });
const modelsByName = new Map<string, Model>();

/** Adds the JSON field to the connection of every record. It is not enumerable, so neither introspection nor the printed schema shows it. */
export function addJsonNodes(schema: GraphQLSchema): void {
  for (const model of allModels()) {
    modelsByName.set(model.name, model);
    const type = schema.getType(`${model.name}Connection`);
    if (!isObjectType(type)) continue;
    const field: GraphQLField<unknown, unknown> = {
      name: JSON_NODES,
      description: undefined,
      type: jsonScalar,
      args: [],
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
    };
    Object.defineProperty(type.getFields(), JSON_NODES, { value: field, enumerable: false });
  }
}

/** The document with the JSON field in place of `nodes` wherever that is possible, under the same response key. */
export function withJsonLists(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const finder = new Finder(schema, fragments);
  const root = schema.getRootType(operation.operation);
  if (root) finder.walk(root, [operation.selectionSet]);
  if (![...finder.lists.values()].some((shape) => shape)) return document;
  return visit(document, {
    Field: (node) => {
      const shape = finder.lists.get(node);
      if (!shape) return undefined;
      const field: JsonNode = {
        kind: Kind.FIELD,
        alias: { kind: Kind.NAME, value: responseKey(node) },
        name: { kind: Kind.NAME, value: JSON_NODES },
        shape,
      };
      return field;
    },
  });
}

const responseKey = (node: FieldNode): string => (node.alias ?? node.name).value;

class Finder {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Map<string, FragmentDefinitionNode>;
  /** Every `nodes` field found, with its shape where every use of it can be JSON text. */
  readonly lists = new Map<FieldNode, JsonShape | undefined>();

  constructor(schema: GraphQLSchema, fragments: Map<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  walk(type: GraphQLObjectType, selections: SelectionSetNode[]): void {
    const fields = new Map<string, FieldNode[]>();
    for (const selection of selections) this.#collect(type, selection, fields);
    const isConnection = JSON_NODES in type.getFields();
    const lists = [...fields.values()].flat().filter(({ name }) => name.value === 'nodes' || name.value === 'edges').length;
    for (const nodes of fields.values()) {
      const field = type.getFields()[nodes[0]!.name.value];
      if (!field) continue;
      const named = getNamedType(field.type);
      if (isConnection && isObjectType(named) && field.name === 'nodes') this.#list(named, nodes, lists === 1);
      const below = nodes.flatMap((node) => node.selectionSet ?? []);
      for (const target of isObjectType(named) ? [named] : isAbstractType(named) ? this.#schema.getPossibleTypes(named) : [])
        this.walk(target, below);
    }
  }

  /** A page that is selected twice is read once, as records: the executor merges the two selections. */
  #list(type: GraphQLObjectType, nodes: FieldNode[], isOnly: boolean): void {
    const shape = isOnly ? this.#shape(type, nodes) : undefined;
    for (const node of nodes) this.lists.set(node, this.lists.has(node) ? this.lists.get(node) && shape : shape);
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

  #shape(type: GraphQLObjectType, nodes: FieldNode[]): JsonShape | undefined {
    const model = modelsByName.get(type.name);
    const fields = new Map<string, FieldNode[]>();
    if (!model) return undefined;
    for (const { directives, selectionSet } of nodes)
      if (directives?.length || !selectionSet || !this.#collect(type, selectionSet, fields)) return undefined;
    const members: JsonMember[] = [];
    for (const [key, same] of fields) {
      const member = this.#member(type, model, key, same);
      if (!member) return undefined;
      members.push(member);
    }
    return { model, members };
  }

  #member(type: GraphQLObjectType, model: Model, key: string, nodes: FieldNode[]): JsonMember | undefined {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, constant: JSON.stringify(type.name) };
    const field = type.getFields()[name];
    if (!field || field.resolve || field.args.length > 0) return undefined;
    const named = getNamedType(field.type);
    const relation = model.relations.get(name);
    if (relation) {
      const shape = isObjectType(named) ? this.#shape(named, nodes) : undefined;
      return shape && { key, relation, shape };
    }
    if (!isEnumType(named) && !isSpecifiedScalarType(named) && !plainScalars.has(named.name)) return undefined;
    const derived = model.derived.get(name);
    if (derived) return { key, derived };
    const prop = model.props.get(name);
    return prop && { key, prop };
  }
}

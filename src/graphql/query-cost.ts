// The limits of a GraphQL document: levels, fields, repeated fields, directives, and a cost in which list sizes multiply.
// Counts before validation and each definition once, so that the time is linear in the document's length, whatever its fragments expand to.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { memberOf } from '../records/checked.ts';
import { GatewayError } from '../records/errors.ts';
import type { ListSizes } from './introspection-sizes.ts';

/** The limits in force; `/limits` publishes them. */
export const operationLimits = {
  tokens: 2_000,
  depth: 10,
  aliases: 30,
  rootFields: 20,
  directives: 10,
  /** Fragments count wherever they are spread, as the compiler expands them: 5,000 selections took 90 ms, 20,000 took 380 ms. */
  selections: 5_000,
  cost: 20_000,
  /** Groups and relations inside each other in the filter of a list. */
  filterLevels: 5,
  /** Conditions of the filter of a list: its operators, searches and relations. */
  conditions: 50,
  /** The cost limit without a key, which opens introspection and a few fields only. The names of all fields of the schema stay below it. */
  costWithoutKey: 16_000,
  /** Cost that counts as one request more against the rate limit of a caller without a key. */
  costPerRequest: 1_600,
  bodyMegabytes: 1,
  /** What is read of a body before its key is missed: fifty of 1 MB without a key held the event loop for 70 ms. Standard introspection has 2 kB. */
  bodyKilobytesWithoutKey: 64,
} as const;

/**
 * Bounds of a cache of parsed or compiled documents: their number and the characters of their texts. A parsed document takes about 50 bytes per
 * character.
 */
export const documentCache = { max: 1_000, maxSize: 2_097_152 } as const;

/**
 * The cost of an operation for given variables: every object costs 1, multiplied by the sizes of the lists around it. In introspection every
 * value costs 1 too, because graphql-js resolves it like an object; values of records come with their row. A field with a price, such as a
 * summary, costs that besides, because it reads all records that match.
 */
export type CostFunction = (variables: Record<string, unknown>) => number;

/** The counts of a selection set; fragments count wherever they are spread. */
interface Weight {
  levels: number;
  /** Fields of the set itself, without nested ones. */
  fields: number;
  selections: number;
  repeats: number;
  directives: number;
  cost: CostFunction;
}

/** Assumed length of a list without a size argument or the extension `size`: a record rarely owns more children. */
const ASSUMED_LIST = 10;

const free: CostFunction = () => 0;

/** A value of introspection. */
const value: Weight = { levels: 1, fields: 0, selections: 0, repeats: 0, directives: 0, cost: () => 1 };

/** The fragments of a document by name. */
export const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );

/** The definition of a field of an object or interface type, `__schema` and `__type` of the query type included. */
export function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const meta = type === schema.getQueryType() && [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name);
  return meta || type.getFields()[name];
}

/** The cost of each operation of a document. Throws when an operation or a fragment exceeds a limit or spreads itself. The document need not be valid. */
export function checkDocument(schema: GraphQLSchema, document: DocumentNode, sizes: ListSizes): Map<OperationDefinitionNode, CostFunction> {
  const scale = new Scale(schema, document, sizes);
  const costs = new Map<OperationDefinitionNode, CostFunction>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) check(scale.fragment(definition));
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const weight = scale.operation(definition);
    check(weight);
    if (weight.fields > operationLimits.rootFields) throw tooComplex('root fields', operationLimits.rootFields);
    costs.set(definition, weight.cost);
  }
  return costs;
}

/** The cost of the one operation of a stored document: no limit applies to it, and it holds no introspection. */
export function costOf(schema: GraphQLSchema, document: DocumentNode): CostFunction {
  const node = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)!;
  return new Scale(schema, document, () => ({ length: 1, ofAll: false })).operation(node).cost;
}

const tooComplex = (what: string, limit: number): GatewayError =>
  new GatewayError('QUERY_TOO_COMPLEX', `the operation has more than ${limit} ${what}`);

function check({ levels, selections, repeats, directives }: Weight): void {
  if (levels > operationLimits.depth) throw tooComplex('levels', operationLimits.depth);
  if (repeats > operationLimits.aliases) throw tooComplex('repeated fields', operationLimits.aliases);
  if (directives > operationLimits.directives) throw tooComplex('directives', operationLimits.directives);
  if (selections > operationLimits.selections) throw tooComplex('selections', operationLimits.selections);
}

/** Weighs the definitions of one document. A count that overflows becomes Infinity, which is over every limit. */
class Scale {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Map<string, FragmentDefinitionNode>;
  readonly #sizes: ListSizes;
  /** Weights of fragments; `null` while one is being weighed, so that a fragment that spreads itself is found. */
  readonly #weighed = new Map<FragmentDefinitionNode, Record<'one' | 'all', Weight | null | undefined>>();

  constructor(schema: GraphQLSchema, document: DocumentNode, sizes: ListSizes) {
    this.#schema = schema;
    this.#fragments = fragmentsOf(document);
    this.#sizes = sizes;
  }

  operation(node: OperationDefinitionNode): Weight {
    const weight = this.#set(node.selectionSet, this.#schema.getRootType(node.operation) ?? undefined, false);
    return { ...weight, directives: weight.directives + (node.directives?.length ?? 0) };
  }

  /** The weight of a fragment; `ofAll` where it is spread below the list of all types. */
  fragment(node: FragmentDefinitionNode, ofAll = false): Weight {
    const place = ofAll ? 'all' : 'one';
    let weighed = this.#weighed.get(node);
    if (!weighed) {
      weighed = { one: undefined, all: undefined };
      this.#weighed.set(node, weighed);
    }
    const known = weighed[place];
    if (known === null) throw new GraphQLError(`Cannot spread fragment "${node.name.value}" within itself.`, { nodes: node });
    if (known) return known;
    weighed[place] = null;
    const weight = this.#set(node.selectionSet, this.#schema.getType(node.typeCondition.name.value), ofAll);
    weighed[place] = weight;
    return weight;
  }

  #set({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined, ofAll: boolean): Weight {
    const sum: Weight = { levels: 1, fields: 0, selections: selections.length, repeats: repeatsIn(selections), directives: 0, cost: free };
    const costs: CostFunction[] = [];
    for (const selection of selections) {
      const weight = this.#selection(selection, type, ofAll);
      sum.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FIELD) sum.fields++;
      if (!weight) continue;
      if (selection.kind !== Kind.FIELD) sum.fields += weight.fields;
      sum.levels = Math.max(sum.levels, weight.levels);
      sum.selections += weight.selections;
      sum.repeats += weight.repeats;
      sum.directives += weight.directives;
      if (weight.cost !== free) costs.push(weight.cost);
    }
    if (costs.length === 1) sum.cost = costs[0]!;
    else if (costs.length > 1) sum.cost = (variables) => costs.reduce((total, cost) => total + cost(variables), 0);
    return sum;
  }

  /** The weight a selection adds to its set; undefined for a leaf or an unknown fragment. */
  #selection(node: SelectionNode, type: GraphQLNamedType | undefined, ofAll: boolean): Weight | undefined {
    if (node.kind === Kind.FIELD) return this.#field(node, type, ofAll);
    if (node.kind === Kind.INLINE_FRAGMENT) {
      const condition = node.typeCondition ? this.#schema.getType(node.typeCondition.name.value) : type;
      return this.#set(node.selectionSet, condition, ofAll);
    }
    const fragment = this.#fragments.get(node.name.value);
    return fragment && this.fragment(fragment, ofAll);
  }

  #field(node: FieldNode, type: GraphQLNamedType | undefined, ofAll: boolean): Weight | undefined {
    if (!node.selectionSet) return type && isIntrospectionType(type) ? value : undefined;
    const name = node.name.value;
    const field = fieldOf(this.#schema, type, name);
    const named = field && getNamedType(field.type);
    const listed = type && isIntrospectionType(type) ? this.#sizes(type, name, ofAll) : undefined;
    const below = this.#set(node.selectionSet, named, listed?.ofAll ?? false);
    // `nodes`, `edges`, `node` and `groups` have the size that their list was priced with, unless they state one. `ofType` unwraps a type. Neither
    // adds a level.
    const passes =
      (isObjectType(type) && /(Connection|Edge|Summary)$/.test(type.name)) ||
      (name === 'nodes' && field?.args.length === 0 && field.extensions.size === undefined) ||
      (name === 'ofType' && listed !== undefined);
    const size = passes || isOfRecords(type) ? 1 : listed ? listed.length : sizeOf(node, field);
    const { cost } = below;
    const price = priceOf(node, field);
    return {
      ...below,
      levels: below.levels + (passes ? 0 : 1),
      cost:
        typeof size === 'number'
          ? (variables) => price(variables) + size * (1 + cost(variables))
          : (variables) => price(variables) + size(variables) * (1 + cost(variables)),
    };
  }
}

/**
 * Counts the selections of a set that select a field or fragment again, by an alias or plainly: validation compares them in pairs. An alias
 * that only renames, as in the operations of REST routes, does not count.
 */
function repeatsIn(selections: readonly SelectionNode[]): number {
  const counts = new Map<string, { plain: number; aliased: number }>();
  for (const selection of selections) {
    const key = selectedBy(selection);
    const count = counts.get(key) ?? { plain: 0, aliased: 0 };
    if (selection.kind === Kind.FIELD && selection.alias) count.aliased++;
    else count.plain++;
    counts.set(key, count);
  }
  let repeats = 0;
  for (const { plain, aliased } of counts.values()) if (plain + aliased > 1) repeats += aliased + Math.max(plain - 1, 0);
  return repeats;
}

function selectedBy(selection: SelectionNode): string {
  if (selection.kind === Kind.FIELD) return selection.name.value;
  return selection.kind === Kind.FRAGMENT_SPREAD ? `...${selection.name.value}` : `... on ${selection.typeCondition?.name.value ?? ''}`;
}

/** The number of objects of a field: one, the assumed length of a list, the page size of a connection, or the number that the caller sends. */
function sizeOf(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined): number | CostFunction {
  if (!field) return 1;
  const named = getNamedType(field.type);
  const { size, sizedBy } = field.extensions;
  if (field.args.some(({ name }) => name === 'groupBy')) return groupsOf(node, size);
  if (sizedBy) return entriesOf(node, sizedBy);
  const isList = isListType(getNullableType(field.type));
  const first = field.args.find(({ name }) => name === 'first');
  if (first && (isList || isPage(named))) return pageOf(node, size ?? Number(first.defaultValue ?? ASSUMED_LIST));
  return isList ? (size ?? ASSUMED_LIST) : 1;
}

/** What a field costs besides its objects. */
function priceOf(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined): CostFunction {
  const { price = 0, pricedBy, sizedBy } = field?.extensions ?? {};
  if (sizedBy) {
    const entries = entriesOf(node, sizedBy);
    return (variables) => price * entries(variables);
  }
  const asked = node.arguments?.filter(({ name }) => pricedBy?.has(name.value)).map(({ value }) => value) ?? [];
  return (variables) => asked.reduce((total, value) => total + price * (hasText(value, variables) ? 1 : numberOf(value, variables)), price);
}

/** Size of a page by its `first` or `last`, literal or variable; the size of the field when neither is given. */
function pageOf(node: FieldNode, usual: number): CostFunction {
  const given = node.arguments?.filter((argument) => argument.name.value === 'first' || argument.name.value === 'last') ?? [];
  return (variables) => {
    const most = given.reduce((size, { value }) => Math.max(size, numberOf(value, variables)), 0);
    return most > 0 ? most : usual;
  };
}

/** The entries of the lists at paths of arguments; at least one. */
function entriesOf(node: FieldNode, paths: readonly string[]): CostFunction {
  const lists = paths.map((path) => {
    const [name, ...members] = path.split('.');
    return { value: node.arguments?.find((argument) => argument.name.value === name)?.value, members };
  });
  return (variables) => lists.reduce((most, { value, members }) => Math.max(most, lengthAt(value, members, variables)), 1);
}

/** The length of the list at the end of a path of members, written in the document or sent as a variable. A single value is a list of one. */
function lengthAt(value: ValueNode | undefined, members: readonly string[], variables: Record<string, unknown>): number {
  if (value?.kind === Kind.VARIABLE) {
    const list = members.reduce<unknown>(memberOf, variables[value.name.value]);
    return Array.isArray(list) ? list.length : 1;
  }
  const [name, ...rest] = members;
  if (name === undefined) return value?.kind === Kind.LIST ? value.values.length : 1;
  if (value?.kind !== Kind.OBJECT) return 1;
  return lengthAt(value.fields.find((field) => field.name.value === name)?.value, rest, variables);
}

/** Whether a type is a page of a list. */
const isPage = (type: GraphQLNamedType | undefined): boolean => isObjectType(type) && 'nodes' in type.getFields();

/** Whether a type is the payload of a mutation of several records, which is priced for each of them. */
const isOfRecords = (type: GraphQLNamedType | undefined): boolean =>
  isObjectType(type) && type.name.endsWith('Payload') && 'results' in type.getFields();

/** Number of groups of a summary: one without keys, otherwise as for a page. */
const groupsOf = (node: FieldNode, usual = 1): number | CostFunction =>
  node.arguments?.some((argument) => argument.name.value === 'groupBy') ? pageOf(node, usual) : 1;

/** Whether a caller gives a name, such as a value of an enumeration. */
const hasText = (value: ValueNode, variables: Record<string, unknown>): boolean =>
  value.kind === Kind.ENUM || (value.kind === Kind.VARIABLE && typeof variables[value.name.value] === 'string');

/** A size that a caller gives, at least 1; 0 for null and for what is no number. */
function numberOf(value: ValueNode, variables: Record<string, unknown>): number {
  const raw = value.kind === Kind.VARIABLE ? variables[value.name.value] : value.kind === Kind.INT ? value.value : undefined;
  const size = raw == null ? Number.NaN : Number(raw);
  return Number.isFinite(size) ? Math.max(size, 1) : 0;
}

/** The cost for these variables; throws when it is over the limit. */
export function checkCost(cost: CostFunction, variables: Record<string, unknown>, limit: number): number {
  const value = Math.ceil(cost(variables));
  if (value > limit)
    throw new GatewayError(
      'QUERY_TOO_COMPLEX',
      `the operation costs ${value}, more than ${limit}; ask for shorter pages or fewer levels${limit < operationLimits.cost ? ', or send a key' : ''}`,
    );
  return value;
}

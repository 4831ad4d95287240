// Operations that agents get as tools of their own. Each is a document with one named query or mutation, and has the JSON schema of its variables.
import {
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import { invalid } from '../../records/errors.ts';
import { scalarExpectations } from '../../records/scalars.ts';
import { operationLimits } from '../query-cost.ts';

/** The tools that every agent has. */
export const AGENT_TOOLS = ['search', 'describe', 'check', 'run'] as const;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A document as a tool. */
export interface OperationTool {
  name: string;
  description: string;
  document: string;
  isQuery: boolean;
  /** The JSON schema of its variables. */
  variables: JsonSchema;
}

/** Input types that a schema shows in full; filters lead to one another without an end. */
const MAX_DEFINITIONS = 20;

const NAME = /^[A-Za-z_]\w{0,63}$/;

/** The JSON types of scalars that are not strings. */
const scalarTypes: Readonly<Record<string, string | string[]>> = {
  Boolean: 'boolean',
  Decimal: 'number',
  ExternalId: ['string', 'integer'],
  Float: 'number',
  ID: ['string', 'integer'],
  Int: 'integer',
  JSONObject: 'object',
  Latitude: 'number',
  Longitude: 'number',
  Timestamp: 'integer',
};

const operationOf = (document: DocumentNode): OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** Rejects documents that cannot be tools; `field` is the argument with them, `taken` has the names of other tools. */
export function requireTools(schema: GraphQLSchema, documents: readonly string[], field: string, taken: readonly string[]): void {
  const names = new Set(taken);
  for (const [index, text] of documents.entries()) {
    const place = `${field}[${index}]`;
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: operationLimits.tokens });
    } catch (error) {
      throw invalid(place, `${place} must be a GraphQL document: ${(error as Error).message}`);
    }
    const [operation, ...others] = operationOf(document);
    const name = operation?.name?.value;
    if (!operation || others.length > 0 || operation.operation === 'subscription' || !name || !NAME.test(name))
      throw invalid(place, `${place} must have one query or mutation with a name of at most 64 characters`);
    if (names.has(name)) throw invalid(place, `${place} has the name ${name}, which another tool has`, 'DUPLICATE');
    names.add(name);
    const [error] = validate(schema, document, undefined, { maxErrors: 1 });
    if (error) throw invalid(place, `${place} is not valid: ${error.message}`);
  }
}

/** The tool of a document that was accepted. What the schema no longer has is left open: running the document says so. */
export function operationTool(schema: GraphQLSchema, text: string): OperationTool {
  const [operation] = operationOf(parse(text)) as [OperationDefinitionNode];
  const name = operation.name!.value;
  const lines = text.split('\n').map((line) => line.trim());
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('#')),
  );
  return {
    name,
    description:
      comment.map((line) => line.replace(/^#+\s*/, '')).join(' ') ||
      `Runs the ${operation.operation} ${name}. Returns its response as JSON.`,
    document: text,
    isQuery: operation.operation === 'query',
    variables: variablesOf(schema, operation),
  };
}

function variablesOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): JsonSchema {
  const definitions = new Definitions();
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const { value: name } = variable.name;
    const type = typeFromAST(schema, node);
    properties[name] = isInputType(type) ? definitions.schemaOf(type) : {};
    if (isNonNullType(type) && !defaultValue) required.push(name);
  }
  const defs = definitions.all();
  return objectSchema(properties, required, Object.keys(defs).length > 0 ? { $defs: defs } : {});
}

const objectSchema = (properties: Record<string, JsonSchema>, required: readonly string[], more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
  ...more,
});

/** The input types that a schema refers to, those nearest to the variables first. */
class Definitions {
  readonly #types = new Set<GraphQLInputObjectType>();

  schemaOf(given: GraphQLInputType): JsonSchema {
    const type = getNullableType(given);
    if (isListType(type)) return { type: 'array', items: this.schemaOf(type.ofType) };
    if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
    if (!isInputObjectType(type)) {
      const description = scalarExpectations[type.name];
      if (type.name === 'JSON') return {};
      return { type: scalarTypes[type.name] ?? 'string', ...(description ? { description } : {}) };
    }
    if (this.#types.size < MAX_DEFINITIONS) this.#types.add(type);
    return this.#types.has(type)
      ? { $ref: `#/$defs/${type.name}` }
      : { type: 'object', description: `${type.name}; the tool describe has its members.` };
  }

  /** The definitions by name; reading one may add others at the end. */
  all(): Record<string, JsonSchema> {
    const defs: Record<string, JsonSchema> = {};
    for (const type of this.#types) {
      const fields = Object.values(type.getFields());
      const properties = fields.map((field) => [field.name, { ...this.schemaOf(field.type), description: field.description }]);
      const required = fields.filter(isRequiredInputField).map(({ name }) => name);
      defs[type.name] = objectSchema(Object.fromEntries(properties), required);
    }
    return defs;
  }
}

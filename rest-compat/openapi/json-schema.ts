// GraphQL types as JSON Schema in the naming strategy of a REST route, for the responses and bodies of the OpenAPI documents.
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type NamingStrategy, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { enumDefinitions } from '../../src/records/enums.ts';
import type { InputRules } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { textScalars } from '../../src/records/scalars.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import type { Route } from '../routes/route.ts';
import { jsonNames, showOf } from '../runtime/stored-operation.ts';

export interface JsonSchema {
  [keyword: string]: unknown;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
}

export const string: JsonSchema = { type: 'string' };

/** An object with these members; those that a response only has now and then are not required. */
export function objectOf(
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties).filter((name) => !name.endsWith('_is_estimate') && name !== 'settled_until'),
): JsonSchema {
  return { type: 'object', properties, required };
}

/** Scalars whose schema differs from the one they bring along. */
const scalars: Record<string, JsonSchema> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  PositiveInt: { type: 'integer', minimum: 1 },
  SafeInt: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'number', description: 'Exact decimal of at most 15 significant digits.' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  LocalDate: { type: 'string', format: 'date' },
  Timestamp: { type: 'integer', description: 'Milliseconds since 1970.' },
  CountryCode: { type: 'string', pattern: '^[A-Z]{2}$' },
  IP: { type: 'string', description: 'An IPv4 or IPv6 address.' },
  Locale: { type: 'string', description: 'A BCP 47 language tag.' },
  ExternalId: { type: ['string', 'integer'] },
  JSON: {},
  JSONObject: { type: 'object', additionalProperties: true },
};

/** Scalars whose input has more forms than their output. */
const inputScalars: Record<string, JsonSchema> = {
  Decimal: {
    type: ['number', 'string'],
    description: 'Exact decimal of at most 15 significant digits, as a number or as its text, such as "12.50".',
  },
  DateTime: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt ]|$)' },
};

/** The id of a child: the number under which responses show it, or its global id. */
const ownId: JsonSchema = { type: ['integer', 'string', 'null'] };

const enumSchema = (type: GraphQLEnumType, aliases: string[]): JsonSchema => ({
  type: 'string',
  ...(type.description ? { description: type.description } : {}),
  enum: [...new Set([...valuesOf(type), ...aliases])],
});

/** The schema of a scalar; graphql-scalars puts one into the extensions of its scalars. */
const scalarSchema = ({ name, extensions }: GraphQLNamedType): JsonSchema =>
  scalars[name] ?? (extensions.jsonSchema as JsonSchema | undefined) ?? { type: 'string' };

/** The schema of the value of a condition other than an enumeration, in every spelling: dates without a time. */
function conditionSchema(type: GraphQLInputType): JsonSchema {
  const named = getNamedType(type);
  // Any text may be looked for; one that no record can have finds nothing.
  if (textScalars.has(named.name)) return { type: 'string' };
  return inputScalars[named.name] ?? parameterSchema(type);
}

/** A description of the schema in the names of a route. */
export type Words = (description: string, naming: Route['naming']) => string;

/** The interfaces whose schemas that of a type extends, without those that these extend. Callers of REST have no global ids. */
const sharedInterfaces = (type: GraphQLObjectType | GraphQLInterfaceType): GraphQLInterfaceType[] =>
  type
    .getInterfaces()
    .filter((base) => base.name !== 'Node' && !type.getInterfaces().some((other) => other.getInterfaces().includes(base)));

/** Collects the component schemas of one document. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #schema: GraphQLSchema;
  readonly #words: Words;

  constructor(schema: GraphQLSchema, words: Words) {
    this.#schema = schema;
    this.#words = words;
  }

  /** Schema of an output type; object types become components. */
  output(type: GraphQLOutputType, naming: Route['naming']): JsonSchema {
    if (isNonNullType(type)) return this.#strict(type.ofType, (inner) => this.#outputNamed(inner, naming));
    return nullable(this.#strict(type, (inner) => this.#outputNamed(inner, naming)));
  }

  /** Schema of an input type in the naming strategy of a route. */
  input(type: GraphQLInputType, naming: Route['naming']): JsonSchema {
    if (isNonNullType(type)) return this.#strict(type.ofType, (inner) => this.#inputNamed(inner, naming));
    return nullable(this.#strict(type, (inner) => this.#inputNamed(inner, naming)));
  }

  /** Schema of the conditions on a column, of which each is a query parameter such as `status[in]`. */
  conditions(type: GraphQLInputObjectType): JsonSchema {
    return this.named(type.name, () => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.values(type.getFields()).map((field) => {
          const { description } = field;
          const name = snakeCase(field.name);
          const named = getNamedType(restTypeOf(field));
          if (isListType(getNullableType(field.type)))
            return [name, this.named('AnyOfValues', () => ({ type: 'string', description: `${description ?? ''} Comma-separated.` }))];
          if (named.name === 'Boolean' && name === 'is_null') return [name, this.named('IsNull', () => ({ type: 'boolean', description }))];
          return [name, described(isEnumType(named) ? this.#leaf(named) : conditionSchema(restTypeOf(field)), description)];
        }),
      ),
      additionalProperties: false,
    }));
  }

  #strict(type: GraphQLType, named: (type: GraphQLNamedType) => JsonSchema): JsonSchema {
    if (isNonNullType(type)) return this.#strict(type.ofType, named);
    if (isListType(type)) {
      // The list has a description of its own.
      const { description: _, ...items } = this.#strict(type.ofType, named);
      return { type: 'array', items };
    }
    return named(type);
  }

  #outputNamed(type: GraphQLNamedType, naming: Route['naming']): JsonSchema {
    if (!isObjectType(type)) return this.#leaf(type);
    return this.named(type.name, () => this.#object(type, naming));
  }

  #object(type: GraphQLObjectType | GraphQLInterfaceType, naming: Route['naming']): JsonSchema {
    const bases = sharedInterfaces(type);
    const inBases = new Set(bases.flatMap((base) => Object.keys(base.getFields())));
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const field of Object.values(type.getFields())) {
      const show = showOf(field);
      if (show === 'never' || field.args.length > 0 || inBases.has(field.name)) continue;
      for (const name of jsonNames(field, naming)) {
        const { choices } = field.extensions;
        const written = { ...this.output(field.type, naming), ...(choices ? { enum: choices } : {}) };
        properties[name] = this.#described(written, field.description, naming);
        if (show === 'always') required.push(name);
      }
    }
    return {
      type: 'object',
      ...(type.description ? { description: this.#words(type.description, naming) } : {}),
      ...(bases.length > 0 ? { allOf: bases.map((base) => this.named(base.name, () => this.#object(base, naming))) } : {}),
      properties,
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #described(schema: JsonSchema, description: string | null | undefined, naming: Route['naming']): JsonSchema {
    return description ? { ...schema, description: this.#words(description, naming) } : schema;
  }

  #inputNamed(type: GraphQLNamedType, naming: Route['naming']): JsonSchema {
    // In a body, conditions on a column are spelt otherwise than in a query, where they have the name of their type.
    const isConditions = isInputObjectType(type) && 'isNull' in type.getFields();
    if (isInputObjectType(type)) return this.named(isConditions ? `${type.name}Input` : type.name, () => this.#inputObject(type, naming));
    const aliases = Object.keys(enumDefinitions.get(type.name)?.aliases ?? {});
    // Input also accepts the names of the GraphQL schema, where REST names a value otherwise.
    if (isEnumType(type) && aliases.length > 0)
      return this.named(`${type.name}Spelling`, () => enumSchema(type, [...type.getValues().map(({ value }) => value), ...aliases]));
    return inputScalars[type.name] ?? this.#leaf(type);
  }

  #inputObject(type: GraphQLInputObjectType, naming: Route['naming']): JsonSchema {
    const strategy: NamingStrategy = namingStrategies[naming];
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const field of Object.values(type.getFields())) {
      if (field.extensions.graphqlOnly) continue;
      const name = strategy.fieldName(field.name, field);
      const rules = field.extensions.rules;
      const inner = restTypeOf(field);
      const type = field.extensions.isOwnId ? ownId : this.input(inner, naming);
      // The keyword `maxLength` has what the description of the GraphQL field adds as text.
      const text = field.description?.replace(/ At most \d+ characters\.$/, '');
      properties[name] = this.#described({ ...type, ...constraints(rules) }, text, naming);
      if (isNonNullType(inner) && field.defaultValue === undefined) required.push(name);
    }
    const base = this.#inputBase(type, properties);
    // Clients of this strategy send records back as they read them, so bodies may have members that the schema does not name.
    const closed = strategy.takesRoundTrips ? {} : { additionalProperties: false };
    return {
      type: 'object',
      ...(type.description ? { description: this.#words(type.description, naming) } : {}),
      ...(base ? { allOf: [base] } : {}),
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...closed,
    };
  }

  /** The members that the inputs of all records with an interface have, under the name of that interface; takes them out of `properties`. */
  #inputBase(type: GraphQLInputObjectType, properties: Record<string, JsonSchema>): JsonSchema | undefined {
    const record = this.#schema.getType(type.name.replace(/Input$/, ''));
    const [base] = isObjectType(record) ? sharedInterfaces(record) : [];
    if (!base) return undefined;
    const names = Object.values(type.getFields())
      .filter((field) => base.getFields()[field.name] && !field.extensions.isOwnId)
      .map((field) => namingStrategies.ledger.fieldName(field.name, field));
    const reference = this.named(`${base.name}Input`, () => ({
      type: 'object',
      description: base.description ?? '',
      properties: Object.fromEntries(names.map((name) => [name, properties[name]!])),
    }));
    const shared = Object.entries(this.schemas[`${base.name}Input`]!.properties!);
    if (!shared.every(([name, schema]) => JSON.stringify(schema) === JSON.stringify(properties[name]))) return undefined;
    for (const [name] of shared) delete properties[name];
    return reference;
  }

  #leaf(type: GraphQLNamedType): JsonSchema {
    if (!isEnumType(type)) return scalarSchema(type);
    return this.named(type.name, () => enumSchema(type, []));
  }

  /**
   * Adds the record in an envelope to the schema of the record as its example, once for all bodies that contain it. `data` is the member of the
   * envelope that holds one record or several. Says whether the envelope has such a record.
   */
  takeExample(data: JsonSchema | undefined, value: unknown): boolean {
    const [one, record] = [data?.items ?? (data?.oneOf as JsonSchema[] | undefined)?.[0] ?? data, [value].flat()[0]];
    const schema = this.schemas[String(one?.$ref).split('/').at(-1)!];
    if (!schema || record === undefined) return false;
    schema.examples ??= [record];
    return true;
  }

  /** Refers to a component, which is made at its first use. */
  named(name: string, make: () => JsonSchema): JsonSchema {
    if (!this.schemas[name]) {
      // The entry exists before it is made, because types refer to themselves.
      this.schemas[name] = {};
      this.schemas[name] = make();
    }
    return { $ref: `#/components/schemas/${name}` };
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.type)) return { ...schema, type: [...schema.type, 'null'] };
  return schema.$ref ? { anyOf: [schema, { type: 'null' }] } : schema;
}

const described = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description } : schema;

const constraints = (rules: InputRules | undefined): JsonSchema => ({
  ...(rules?.maxLength === undefined ? {} : { maxLength: rules.maxLength }),
  ...(rules?.minLength === undefined ? {} : { minLength: rules.minLength }),
  ...(rules?.pattern === undefined ? {} : { pattern: rules.pattern.source }),
  ...(rules?.min === undefined ? {} : { minimum: rules.min }),
  ...(rules?.max === undefined ? {} : { maximum: rules.max }),
  ...(rules?.moreThan === undefined ? {} : { exclusiveMinimum: rules.moreThan }),
  ...(rules?.maxItems === undefined ? {} : { maxItems: rules.maxItems }),
  ...(rules?.minItems === undefined ? {} : { minItems: rules.minItems }),
  ...(rules?.unique ? { uniqueItems: true } : {}),
});

/** The REST names of an enum's values. */
export const valuesOf = (type: GraphQLEnumType): string[] =>
  type.getValues().map(({ value }) => enumDefinitions.get(type.name)?.jsonName(value) ?? value);

/** The schema of a path or query parameter. */
export function parameterSchema(type: GraphQLInputType): JsonSchema {
  const named = getNamedType(type);
  if (isEnumType(named)) return { type: 'string', enum: valuesOf(named) };
  return scalarSchema(named);
}

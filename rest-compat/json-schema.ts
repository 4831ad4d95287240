// GraphQL types as JSON Schema in the spelling of a REST row; shared by answers and bodies in the OpenAPI documents.
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type Dialect, dialects } from '../src/core/coerce.ts';
import { enumDefinitions } from '../src/core/enums.ts';
import type { InputRules } from '../src/core/model.ts';
import { restNames, showOf } from './operation.ts';
import type { Row } from './row.ts';

export type JsonSchema = Record<string, unknown>;

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
  UUID: { type: 'string', format: 'uuid' },
  URL: { type: 'string', format: 'uri' },
  EmailAddress: { type: 'string', format: 'email' },
  CountryCode: { type: 'string', pattern: '^[A-Z]{2}$' },
  ExternalId: { type: ['string', 'integer'] },
  JSON: {},
  JSONObject: { type: 'object', additionalProperties: true },
};

/** Scalars that read more spellings than they show. */
const inputScalars: Record<string, JsonSchema> = {
  DateTime: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt ]|$)' },
};

const enumSchema = (type: GraphQLEnumType, aliases: string[]): JsonSchema => ({
  type: 'string',
  ...(type.description ? { description: type.description } : {}),
  enum: [...new Set([...valuesOf(type), ...aliases])],
});

/** Collects the component schemas of one document. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** Schema of an output type; object types become components. */
  output(type: GraphQLOutputType, spelling: Row['spelling']): JsonSchema {
    if (isNonNullType(type)) return this.#strict(type.ofType, (inner) => this.#outputNamed(inner, spelling));
    return nullable(this.#strict(type, (inner) => this.#outputNamed(inner, spelling)));
  }

  /** Schema of an input type in the dialect of a row. */
  input(type: GraphQLInputType, spelling: Row['spelling']): JsonSchema {
    if (isNonNullType(type)) return this.#strict(type.ofType, (inner) => this.#inputNamed(inner, spelling));
    return nullable(this.#strict(type, (inner) => this.#inputNamed(inner, spelling)));
  }

  #strict(type: GraphQLInputType | GraphQLOutputType, named: (type: GraphQLNamedType) => JsonSchema): JsonSchema {
    if (isNonNullType(type)) return this.#strict(type.ofType as GraphQLInputType, named);
    if (isListType(type)) return { type: 'array', items: this.#strict(type.ofType as GraphQLInputType, named) };
    return named(type);
  }

  #outputNamed(type: GraphQLNamedType, spelling: Row['spelling']): JsonSchema {
    if (!isObjectType(type)) return this.#leaf(type);
    return this.#component(type.name, () => this.#object(type, spelling));
  }

  #object(type: GraphQLObjectType, spelling: Row['spelling']): JsonSchema {
    const properties: JsonSchema = {};
    const required: string[] = [];
    for (const field of Object.values(type.getFields())) {
      const show = showOf(field);
      if (show === 'never' || field.args.length > 0) continue;
      for (const name of restNames(field, spelling)) {
        properties[name] = described(this.output(field.type, spelling), field.description);
        if (show === 'always') required.push(name);
      }
    }
    return {
      type: 'object',
      ...(type.description ? { description: type.description } : {}),
      properties,
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #inputNamed(type: GraphQLNamedType, spelling: Row['spelling']): JsonSchema {
    if (isInputObjectType(type)) return this.#component(type.name, () => this.#inputObject(type, spelling));
    const aliases = Object.keys(enumDefinitions.get(type.name)?.aliases ?? {});
    // The names of the GraphQL schema are read too, where REST spells a value otherwise.
    if (isEnumType(type) && aliases.length > 0)
      return this.#component(`${type.name}Spelling`, () => enumSchema(type, [...type.getValues().map(({ name }) => name), ...aliases]));
    return inputScalars[type.name] ?? this.#leaf(type);
  }

  #inputObject(type: GraphQLInputObjectType, spelling: Row['spelling']): JsonSchema {
    const dialect: Dialect = dialects[spelling];
    const properties: JsonSchema = {};
    const required: string[] = [];
    for (const field of Object.values(type.getFields())) {
      const name = dialect.fieldName(field.name, field);
      const rules = field.extensions.rules as InputRules | undefined;
      properties[name] = described({ ...this.input(field.type, spelling), ...constraints(rules) }, field.description);
      if (isNonNullType(field.type) && field.defaultValue === undefined) required.push(name);
    }
    // Echoes of a record hold more than is written, so bodies of that dialect may hold more than the schema names.
    const closed = dialect.takesEchoes ? {} : { additionalProperties: false };
    return {
      type: 'object',
      ...(type.description ? { description: type.description } : {}),
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...closed,
    };
  }

  #leaf(type: GraphQLNamedType): JsonSchema {
    if (!isEnumType(type)) return scalars[type.name] ?? { type: 'string' };
    return this.#component(type.name, () => enumSchema(type, []));
  }

  #component(name: string, make: () => JsonSchema): JsonSchema {
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

/** The values of an enum as REST spells them. */
export const valuesOf = (type: GraphQLEnumType): string[] =>
  type.getValues().map(({ name }) => enumDefinitions.get(type.name)?.restName(name) ?? name);

/** The schema a parameter of a path or query has. */
export function parameterSchema(type: GraphQLInputType): JsonSchema {
  const named = getNamedType(type);
  if (isEnumType(named)) return { type: 'string', enum: valuesOf(named) };
  return scalars[named.name] ?? { type: 'string' };
}

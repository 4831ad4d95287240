// The OpenAPI 3.0.3 form of a 3.1 document, for generators that do not read 3.1. It has the same paths and schemas, in the keywords of 3.0.
import type { JsonSchema } from './json-schema.ts';

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The 3.0.3 form. Webhooks, which 3.0 does not have, are under `x-webhooks`, where documentation tools look for them. */
export function inVersion30({ webhooks, info, ...document }: JsonSchema): JsonSchema {
  const { license, ...about } = info as { license: { name: string; identifier: string } };
  const { identifier, name } = license;
  const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
  return new Translation(schemas).part({
    ...document,
    openapi: '3.0.3',
    info: { ...about, license: { name, url: `https://spdx.org/licenses/${identifier}.html` } },
    ...(webhooks ? { 'x-webhooks': webhooks } : {}),
  }) as JsonSchema;
}

/** Translates JSON Schema 2020-12 into the keywords of OpenAPI 3.0.3, section 4.7.24. */
class Translation {
  readonly #components: Record<string, JsonSchema>;

  constructor(components: Record<string, JsonSchema>) {
    this.#components = components;
  }

  /** A part of a document with its schemas translated: those at `schema` and those below `schemas`. */
  part(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.part(item));
    if (!isObject(part)) return part;
    // Generators read no examples, and 3.0 cannot say that a referred schema takes the null which many of them have.
    const described = Object.entries(part).filter(([name]) => name !== 'example');
    return Object.fromEntries(
      described.map(([name, value]) => {
        if (name === 'schema') return [name, this.#schema(value as JsonSchema)];
        if (name === 'schemas') return [name, this.#each(value as Record<string, JsonSchema>)];
        return [name, this.part(value)];
      }),
    );
  }

  #schema(schema: JsonSchema): JsonSchema {
    const { type, $ref, anyOf, const: constant, examples, exclusiveMinimum, exclusiveMaximum, properties, items, ...others } = schema;
    const types = [type ?? []].flat() as string[];
    const choices = anyOf as JsonSchema[] | undefined;
    const isNullable = types.includes('null') || choices?.some((choice) => choice.type === 'null');
    const references = $ref === undefined ? choices?.filter((choice) => choice.type !== 'null') : [{ $ref }];
    return {
      ...this.#typed(
        types.filter((name) => name !== 'null'),
        isNullable,
      ),
      ...this.#referred(references, isNullable, Object.keys(others).length > 0),
      ...this.#combined(others),
      ...(constant === undefined ? {} : { enum: [constant] }),
      ...(Array.isArray(others.enum) && isNullable ? { enum: [...others.enum, null] } : {}),
      // Generators read no examples of records.
      ...(examples === undefined || properties ? {} : { example: (examples as unknown[])[0] }),
      ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
      ...(exclusiveMaximum === undefined ? {} : { maximum: exclusiveMaximum, exclusiveMaximum: true }),
      ...(properties ? { properties: this.#each(properties) } : {}),
      ...(items ? { items: this.#schema(items) } : {}),
    };
  }

  #each(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.#schema(schema)]));
  }

  /** 3.0 has one type per schema; of several, the first takes null too. */
  #typed(types: string[], isNullable: boolean | undefined): JsonSchema {
    const first = { type: types[0], ...(isNullable ? { nullable: true } : {}) };
    if (types.length > 1) return { oneOf: [first, ...types.slice(1).map((type) => ({ type }))] };
    return types.length === 1 ? first : {};
  }

  /** 3.0 ignores every keyword next to a reference, and `nullable` needs the type next to it, which is that of the schema referred to. */
  #referred(references: JsonSchema[] | undefined, isNullable: boolean | undefined, hasSiblings: boolean): JsonSchema {
    if (!references) return {};
    if (references.length > 1) return { anyOf: references.map((reference) => this.#schema(reference)) };
    const [reference] = references as [{ $ref: string }];
    if (isNullable) return { type: this.#components[reference.$ref.split('/').at(-1)!]!.type, nullable: true, allOf: references };
    return hasSiblings ? { allOf: references } : reference;
  }

  /** The keywords that hold schemas and mean the same in both. */
  #combined({ allOf, oneOf, additionalProperties, ...others }: JsonSchema): JsonSchema {
    const each = (schemas: unknown): JsonSchema[] => (schemas as JsonSchema[]).map((schema) => this.#schema(schema));
    return {
      ...others,
      ...(allOf ? { allOf: each(allOf) } : {}),
      ...(oneOf ? { oneOf: each(oneOf) } : {}),
      ...(additionalProperties === undefined
        ? {}
        : { additionalProperties: isObject(additionalProperties) ? this.#schema(additionalProperties) : additionalProperties }),
    };
  }
}

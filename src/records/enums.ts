// Enumerations of the schema: one declaration gives the GraphQL enum with its descriptions, the accepted aliases and the TypeScript union.
import { registerEnumType } from 'type-graphql';

/** An enumeration as declared: its values and the other spellings that are read as one of them. */
export interface EnumDefinition<V extends string = string> {
  name: string;
  values: { readonly [K in V]: K };
  aliases: Readonly<Record<string, V>>;
  /** What each value means. */
  descriptions: Record<V, { description: string }>;
  /** The value as REST and payloads spell it. */
  jsonName: (value: string) => string;
}

/** Every enumeration by its GraphQL name. */
export const enumDefinitions = new Map<string, EnumDefinition>();

/**
 * Declares an enumeration. `values` maps each value to its description; `aliases` maps other upper-case spellings to a value.
 * Input is read case-insensitively (through variables and REST), output is always the upper-case value; `jsonNames` are the spellings of
 * REST and payloads where GraphQL may not spell a value so.
 */
export function defineEnum<V extends string>(
  name: string,
  description: string,
  values: Record<V, string>,
  aliases: Record<string, NoInfer<V>> = {},
  jsonNames: ReadonlyMap<string, string> = new Map(),
): EnumDefinition<V> {
  const names = Object.keys(values) as V[];
  const object = Object.fromEntries(names.map((value) => [value, value])) as { [K in V]: K };
  const descriptions = Object.fromEntries(
    names.map((value) => [value, { description: values[value] }]),
  ) as EnumDefinition<V>['descriptions'];
  registerEnumType(object, { name, description, valuesConfig: descriptions });
  const definition: EnumDefinition<V> = { name, values: object, aliases, descriptions, jsonName: (value) => jsonNames.get(value) ?? value };
  enumDefinitions.set(name, definition as unknown as EnumDefinition);
  return definition;
}

/**
 * Adds a value to an enumeration whose values other declarations bring, before the schema is built. The values stay sorted, so that their
 * order does not follow the order of imports.
 */
export function addEnumValue(definition: EnumDefinition, value: string, description: string): void {
  definition.descriptions[value] = { description };
  const values = definition.values as Record<string, string>;
  const names = [...Object.keys(values), value].sort();
  for (const name of names) {
    delete values[name];
    values[name] = name;
  }
}

// Enumerations of the schema: one declaration gives the GraphQL enum with its descriptions, the accepted aliases and the TypeScript union.
// The decorators of type-graphql need it when the first of them runs; every file with decorators imports this one or scalars.ts.
import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';
import { constantCase } from './naming.ts';

/** A declared enumeration: its values by their names in GraphQL, and aliases that are read as one of them. */
export interface EnumDefinition<V extends string = string> {
  name: string;
  values: { readonly [K in V]: K };
  aliases: Readonly<Record<string, V>>;
  /** The description of each value, by its name in GraphQL. */
  descriptions: Record<string, { description?: string }>;
  /** The name of a value in REST and payloads. */
  jsonName: (value: string) => string;
}

/** Every enumeration by its GraphQL name. */
export const enumDefinitions = new Map<string, EnumDefinition>();

/**
 * Declares an enumeration. `values` maps each value, as documented and stored, to its description. The description is empty for a value that names a
 * described property of a record. The name in GraphQL is the value in capitals. `aliases` maps further upper-case names to a value. Input is
 * case-insensitive (through variables and REST). `jsonNames` holds the names in REST and payloads of values whose name there is not allowed in
 * GraphQL.
 */
export function defineEnum<V extends string>(
  name: string,
  description: string,
  values: Record<V, string>,
  aliases: Record<string, NoInfer<V>> = {},
  jsonNames: ReadonlyMap<string, string> = new Map(),
): EnumDefinition<V> {
  const names = Object.keys(values) as V[];
  const object = Object.fromEntries(names.map((value) => [constantCase(value), value])) as { [K in V]: K };
  const descriptions = Object.fromEntries(names.map((value) => [constantCase(value), values[value] ? { description: values[value] } : {}]));
  registerEnumType<Record<string, string>>(object, { name, description, valuesConfig: descriptions });
  const definition: EnumDefinition<V> = { name, values: object, aliases, descriptions, jsonName: (value) => jsonNames.get(value) ?? value };
  enumDefinitions.set(name, definition as unknown as EnumDefinition);
  return definition;
}

/**
 * Adds a value to an enumeration whose values come from other declarations; call it before the schema is built. The values stay sorted, so
 * that their order does not depend on the order of imports.
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

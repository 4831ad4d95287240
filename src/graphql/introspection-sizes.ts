// The lengths of a schema's introspection lists, so that introspection is priced like lists of records.
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

/** The length of an introspection list. `ofAll`: its members are all types, or belong to all types together, rather than to one type. */
export interface ListSize {
  length: number;
  ofAll: boolean;
}

/** The size of a field; `ofAll` where the field is selected below the list of all types. */
export type ListSizes = (type: GraphQLNamedType, field: string, ofAll: boolean) => ListSize;

/** Lists whose members belong to one type alone: below the list of all types the mean length applies, since not every list is the longest. */
const OWNED = new Set(['fields', 'inputFields', 'enumValues', 'args']);

const fieldsOf = (type: GraphQLNamedType): GraphQLField<unknown, unknown>[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];

const membersOf: Record<string, (type: GraphQLNamedType, schema: GraphQLSchema) => number> = {
  fields: (type) => fieldsOf(type).length,
  interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
  possibleTypes: (type, schema) => (isInterfaceType(type) || isUnionType(type) ? schema.getPossibleTypes(type).length : 0),
  enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
  inputFields: (type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0),
};

/** The sizes for a schema: the mean length below the list of all types, the longest for a single type. */
export function introspectionSizes(schema: GraphQLSchema): ListSizes {
  const types = Object.values(schema.getTypeMap());
  const directives = schema.getDirectives();
  const lengths = new Map<string, number[]>();
  for (const [field, count] of Object.entries(membersOf))
    lengths.set(
      `__Type.${field}`,
      types.map((type) => count(type, schema)),
    );
  lengths.set(
    '__Field.args',
    types.flatMap((type) => fieldsOf(type).map(({ args }) => args.length)),
  );
  lengths.set(
    '__Directive.args',
    directives.map(({ args }) => args.length),
  );
  const sizes = new Map(
    [...lengths].map(([path, list]) => [
      path,
      { longest: Math.max(1, ...list), mean: list.reduce((sum, length) => sum + length, 0) / Math.max(1, list.length) },
    ]),
  );
  return (type, field, ofAll) => {
    if (type.name === '__Schema' && field === 'types') return { length: types.length, ofAll: true };
    if (type.name === '__Schema' && field === 'directives') return { length: directives.length, ofAll: false };
    const size = sizes.get(`${type.name}.${field}`);
    if (!size) return { length: 1, ofAll: false };
    return ofAll ? { length: size.mean, ofAll: OWNED.has(field) } : { length: size.longest, ofAll: false };
  };
}

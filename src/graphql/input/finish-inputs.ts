// What type-graphql cannot declare of input types: objects of exactly one member, and members that a typed one takes the place of.
import { type GraphQLSchema, getNullableType, isInputObjectType } from 'graphql';

/** Finishes the input types of a schema in place, before anything reads them. */
export function finishInputs(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type)) continue;
    if (type.extensions.isOneOf) type.isOneOf = true;
    for (const field of Object.values(type.getFields())) {
      const { supersededBy } = field.extensions;
      if (!supersededBy) continue;
      field.extensions = { ...field.extensions, restType: field.type };
      field.type = getNullableType(field.type);
      field.deprecationReason = `Use \`${supersededBy}\`, whose shape the schema knows; this field goes with the next release.`;
    }
  }
}

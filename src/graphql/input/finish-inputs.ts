// What type-graphql cannot declare of inputs: objects of exactly one member, members that a typed one replaces, and ids whose resolvers get numbers.
import {
  type GraphQLArgument,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { PositiveInt } from '../../records/scalars.ts';

/** Finishes the inputs of a schema in place, before anything reads them. */
export function finishInputs(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) || isInterfaceType(type))
      for (const { args } of Object.values(type.getFields())) for (const argument of args) takeIds(argument);
    if (!isInputObjectType(type)) continue;
    if (type.extensions.isOneOf) type.isOneOf = true;
    for (const field of Object.values(type.getFields())) {
      takeIds(field);
      const { supersededBy } = field.extensions;
      if (!supersededBy) continue;
      field.extensions = { ...field.extensions, restType: field.type };
      field.type = getNullableType(field.type);
      field.deprecationReason = `Use \`${supersededBy}\`, whose shape the schema knows; this field goes with the next release.`;
    }
  }
}

/** Clients name records by `ID`, which is the number or the global id. */
function takeIds(member: GraphQLArgument | GraphQLInputField): void {
  if (getNamedType(member.type) !== PositiveInt) return;
  member.extensions = { ...member.extensions, numberType: member.type };
  member.type = withIds(member.type);
}

function withIds(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withIds(type.ofType));
  return isListType(type) ? new GraphQLList(withIds(type.ofType)) : GraphQLID;
}

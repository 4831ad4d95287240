// Checks that a response has the shape of its query.
import {
  type DocumentNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

type Data = Record<string, unknown>;

/** The errors in the data of a response: absent or null members, wrong types, values outside their enum. */
export function shapeErrors(schema: GraphQLSchema, document: DocumentNode, data: Data): string[] {
  const errors: string[] = [];
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!;

  const value = (type: GraphQLOutputType, given: unknown, selection: SelectionSetNode | undefined, path: string): void => {
    if (isNonNullType(type)) {
      if (given === null) errors.push(`${path} is null`);
      else value(type.ofType, given, selection, path);
    } else if (given === null) return;
    else if (isListType(type)) {
      if (!Array.isArray(given)) errors.push(`${path} is no list`);
      else for (const [index, entry] of given.entries()) value(type.ofType, entry, selection, `${path}.${index}`);
    } else if (isLeafType(type)) {
      try {
        type.parseValue(given);
      } catch (error) {
        errors.push(`${path}: ${(error as Error).message}`);
      }
    } else object(getNamedType(type).name, given as Data, selection!, path);
  };

  const object = (typeName: string, given: Data, selection: SelectionSetNode, path: string): void => {
    const type = schema.getType(typeName);
    for (const node of selection.selections) {
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        if (!(key in given)) errors.push(`${path}.${key} is absent`);
        else if (node.name.value !== '__typename' && (isObjectType(type) || isAbstractType(type)) && 'getFields' in type)
          value(type.getFields()[node.name.value]!.type, given[key], node.selectionSet, `${path}.${key}`);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const wanted = node.typeCondition?.name.value ?? typeName;
        // The concrete type is known where the query selects __typename.
        if (given.__typename === wanted) object(wanted, given, node.selectionSet, path);
      }
    }
  };

  object(schema.getQueryType()!.name, data, operation.selectionSet, 'data');
  return errors;
}

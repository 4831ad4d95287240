// What the name at the cursor is: its type, what the schema says of it, and its place in the reference.
import { type ASTNode, type DocumentNode, type GraphQLSchema, getNamedType, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/** A part of the schema that is named in the operation. */
export interface Part {
  readonly label: string;
  readonly description: string;
  readonly reference: string;
}

const ROOTS = ['queries', 'mutations', 'subscriptions'] as const;

/** The place of a field in the reference. */
export function referenceOf(schema: GraphQLSchema, parent: string, field: string): string {
  const index = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].findIndex((root) => root?.name === parent);
  return index >= 0 ? `/docs/graphql/${ROOTS[index]}/${field}` : `/docs/graphql/types/${parent}#field-${field}`;
}

/** The part whose name is at an offset. */
export function partAt(schema: GraphQLSchema, document: DocumentNode, offset: number): Part | undefined {
  const info = new TypeInfo(schema);
  let found: Part | undefined;
  const enter = (node: ASTNode): void => {
    const name = 'name' in node ? node.name : undefined;
    const place = node.kind === Kind.NAMED_TYPE || node.kind === Kind.ENUM ? node.loc : name?.loc;
    if (place && place.start <= offset && offset <= place.end) found = described(schema, info, node) ?? found;
  };
  visit(document, visitWithTypeInfo(info, { enter }));
  return found;
}

function described(schema: GraphQLSchema, info: TypeInfo, node: ASTNode): Part | undefined {
  const parent = info.getParentType();
  const field = info.getFieldDef();
  const argument = info.getArgument();
  if (node.kind === Kind.FIELD && field && parent)
    return {
      label: `${parent.name}.${field.name}: ${field.type}`,
      description: field.description ?? '',
      reference: referenceOf(schema, parent.name, field.name),
    };
  if (node.kind === Kind.ARGUMENT && argument && field && parent)
    return {
      label: `${argument.name}: ${argument.type}`,
      description: argument.description ?? '',
      reference: referenceOf(schema, parent.name, field.name),
    };
  if (node.kind === Kind.OBJECT_FIELD) {
    const outer = info.getParentInputType();
    const input = outer && getNamedType(outer);
    const member = input && 'getFields' in input ? input.getFields()[node.name.value] : undefined;
    if (!input || !member) return undefined;
    const reference = `/docs/graphql/types/${input.name}#field-${member.name}`;
    return { label: `${input.name}.${member.name}: ${member.type}`, description: member.description ?? '', reference };
  }
  const type = node.kind === Kind.NAMED_TYPE ? schema.getType(node.name.value) : node.kind === Kind.ENUM ? info.getInputType() : undefined;
  if (!type) return undefined;
  const { name, description } = getNamedType(type);
  return { label: name, description: description ?? '', reference: `/docs/graphql/types/${name}` };
}

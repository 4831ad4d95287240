// What the fields of a document declare of its response: whether it may be compressed, who may share it, and which of its fields are deprecated.
import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/** What is known of the response of an operation before it runs. */
export interface ResponseTraits {
  /** Whether no field of it shows a secret, so that it may be compressed. */
  isWithoutSecrets: boolean;
  /** Whether it is the same for every caller who may ask: reference data, the schema, the name of a root type. */
  isShared: boolean;
  /** The deprecated fields that it selects, as `Type.field`. */
  deprecatedFields: readonly string[];
}

const introspection = new Set(['__schema', '__type', '__typename']);

/** The traits of an operation of a valid document. The fragments of the whole document count as its own. */
export function traitsOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): ResponseTraits {
  let isWithoutSecrets = true;
  let isShared = operation.operation === 'query';
  const deprecated = new Set<string>();
  const types = new TypeInfo(schema);
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const field = types.getFieldDef();
        const shows = field?.extensions;
        if (field?.deprecationReason) deprecated.add(`${types.getParentType()!.name}.${field.name}`);
        // A field that is not found belongs to an invalid document, of which nothing is known.
        if (!shows || shows.showsSecret) isWithoutSecrets = false;
        if (roots.has(types.getParentType() as never) && !shows?.isReference && !introspection.has(node.name.value)) isShared = false;
      },
    }),
  );
  return { isWithoutSecrets, isShared, deprecatedFields: [...deprecated] };
}

// Builds the one GraphQL schema from the registry's resolvers, with its guards.
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import { guardSchema } from './guard.ts';
import type { RecordClass } from './kit.ts';

/** The executable schema. Argument checks belong to the input coercer, so type-graphql's own validation stays off. */
export function buildGatewaySchema(resolvers: readonly RecordClass[], orphans: readonly RecordClass[]): GraphQLSchema {
  return guardSchema(buildSchemaSync({ resolvers: resolvers as unknown as NonEmptyArray<RecordClass>, orphanedTypes: [...orphans], validate: false }));
}

/** The schema as text, as `schema/schema.graphql` holds it. */
export const schemaText = (schema: GraphQLSchema): string => `${printSchema(lexicographicSortSchema(schema))}\n`;

// The published contracts as text: the GraphQL schema and the OpenAPI documents, served by the gateway and committed in schema/.
import type { GraphQLSchema } from 'graphql';
import { schemaText } from '../../src/graphql/schema.ts';
import type { Surface } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { openApiDocument } from './openapi.ts';

const surfaces: Surface[] = ['platform', 'address', 'integrations'];

/** The content of every contract by its path, which is the same below `schema/` and on the origin. */
export function contracts(schema: GraphQLSchema): Map<string, string> {
  const documents = surfaces.map((surface): [string, string] => [
    `openapi/${surface}.json`,
    `${JSON.stringify(openApiDocument(schema, routes, surface), null, 2)}\n`,
  ]);
  return new Map([['schema.graphql', schemaText(schema)], ...documents]);
}

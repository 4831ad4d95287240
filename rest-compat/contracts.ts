// The published contracts as text: the schema and the OpenAPI documents, served by the gateway and kept in schema/.
import type { GraphQLSchema } from 'graphql';
import { schemaText } from '../src/core/schema.ts';
import { openApiDocument } from './openapi.ts';
import type { Surface } from './row.ts';
import { rows } from './rows.ts';

const surfaces: Surface[] = ['platform', 'address', 'integrations'];

/** File name below `schema/` and on the origin, and content, of every contract. */
export function contracts(schema: GraphQLSchema): Map<string, string> {
  const documents = surfaces.map((surface): [string, string] => [
    `openapi/${surface}.json`,
    `${JSON.stringify(openApiDocument(schema, rows, surface), null, 2)}\n`,
  ]);
  return new Map([['schema.graphql', schemaText(schema)], ...documents]);
}

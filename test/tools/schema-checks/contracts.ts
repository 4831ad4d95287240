// The contracts in schema/, and those of the last release in schema/released/.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLSchema } from 'graphql';
import type { Document } from './openapi-diff.ts';

export const root = join(import.meta.dirname, '../../..');
export const schemaFolder = join(root, 'schema');
export const releasedFolder = join(schemaFolder, 'released');

/** The GraphQL schema, and the OpenAPI documents by file name. */
export interface Contracts {
  schema: GraphQLSchema;
  documents: ReadonlyMap<string, Document>;
  /** SHA-256 of all files. */
  digest: string;
}

/** Reads the contracts in a folder. */
export function readContracts(folder: string): Contracts {
  const openapi = readdirSync(join(folder, 'openapi')).sort();
  const text = readFileSync(join(folder, 'schema.graphql'), 'utf8');
  const documents = openapi.map((name) => [name, readFileSync(join(folder, 'openapi', name), 'utf8')] as const);
  const hash = createHash('sha256').update(text);
  for (const [, document] of documents) hash.update(document);
  return {
    schema: buildSchema(text),
    documents: new Map(documents.map(([name, document]) => [name, JSON.parse(document) as Document])),
    digest: hash.digest('hex'),
  };
}

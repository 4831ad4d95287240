// The published contracts as text: the GraphQL schema and the OpenAPI documents, served by the gateway and committed in schema/.
import type { GraphQLSchema } from 'graphql';
import { schemaText } from '../../src/graphql/schema.ts';
import type { Surface } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import type { JsonSchema } from './json-schema.ts';
import { openApiDocument } from './openapi.ts';
import { inVersion30 } from './openapi-3-0.ts';
import { readRecordings } from './recordings.ts';
import { withSharedParts } from './shared-parts.ts';

const surfaces: Surface[] = ['platform', 'address', 'integrations'];

/** The content of every contract by its path, which is the same below `schema/` and on the origin. */
export function contracts(schema: GraphQLSchema): Map<string, string> {
  const recordings = readRecordings();
  const documents = surfaces.map((surface): [string, string] => [
    `openapi/${surface}.json`,
    asJson(withSharedParts(openApiDocument(schema, routes, surface, recordings))),
  ]);
  return new Map([['schema.graphql', schemaText(schema)], ...documents]);
}

/**
 * What is published, by its path on the origin, and how each is made: the contracts, and the OpenAPI documents also as YAML and as 3.0.3. Each is
 * made when it is asked for, because the contracts take 0.2 s of a start, and YAML of the largest as much again.
 */
export function publications(schema: GraphQLSchema): Map<string, () => Promise<string>> {
  let made: Map<string, string> | undefined;
  const contract = (path: string): string => {
    made ??= contracts(schema);
    return made.get(path)!;
  };
  const forms = new Map<string, () => Promise<string>>([['schema.graphql', async () => contract('schema.graphql')]]);
  for (const surface of surfaces) {
    const path = `openapi/${surface}.json`;
    const document = (): JsonSchema => JSON.parse(contract(path));
    forms.set(path, async () => contract(path));
    forms.set(`openapi/${surface}.yaml`, () => asYaml(document()));
    forms.set(`openapi/${surface}-3.0.json`, async () => asJson(inVersion30(document())));
    forms.set(`openapi/${surface}-3.0.yaml`, () => asYaml(inVersion30(document())));
  }
  return forms;
}

/** Levels of a document whose members have a line each: `paths`, a path and its operations; `components`, a section and its entries. */
const LINE_LEVELS = 3;

/** A JSON value without spaces, over as many lines that a difference shows an operation or a component. */
function jsonLines(value: unknown, levels = LINE_LEVELS): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{\n${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonLines(member, levels - 1)}`).join(',\n')}\n}`;
}

const asJson = (document: JsonSchema): string => `${jsonLines(document)}\n`;

async function asYaml(document: JsonSchema): Promise<string> {
  const { dump } = await import('js-yaml');
  return dump(document, { noRefs: true, lineWidth: -1 });
}

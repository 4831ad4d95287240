// The schema in the browser: read from its published text, which a gateway without introspection serves too.
import { buildASTSchema, type GraphQLSchema, parse } from 'graphql';

/** A schema from its text; the gateway has checked it, so that is not done again. */
export const readSchema = (text: string): GraphQLSchema =>
  buildASTSchema(parse(text, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });

/** Loads the schema of the gateway. */
export async function loadSchema(): Promise<GraphQLSchema> {
  const response = await fetch('/schema.graphql');
  if (!response.ok) throw new Error(`/schema.graphql returned status ${response.status}`);
  return readSchema(await response.text());
}

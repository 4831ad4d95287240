// Links that carry an operation to the playground: in the fragment, which no browser sends to a server, and never with a key.

/** An operation as a link carries it; variables are JSON text, or an object. */
export interface SharedOperation {
  readonly document: string;
  readonly variables: string | Readonly<Record<string, unknown>>;
}

/** The address of the playground with an operation in it, from the origin. */
export function shareLink({ document, variables }: SharedOperation): string {
  const text = typeof variables === 'string' ? variables.trim() : JSON.stringify(variables, null, 2);
  return `/graphql#${new URLSearchParams({ query: document, ...(text && text !== '{}' ? { variables: text } : {}) })}`;
}

/** Reads the operation of a fragment or of a query string; undefined without one. */
export function readShared(parameters: string): SharedOperation | undefined {
  const read = new URLSearchParams(parameters.replace(/^[#?]/, ''));
  const document = read.get('query');
  return document ? { document, variables: read.get('variables') ?? '' } : undefined;
}

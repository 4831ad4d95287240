// Parameters that several operations have, described once below `components`: a list has up to fifty, most of them those of other lists.
import type { JsonSchema } from './json-schema.ts';

interface Operation {
  operationId?: string;
  parameters?: JsonSchema[];
}

/** `LedgerCreatedAtParameter` of `ledger_created_at`: generated clients have names of parameters and of schemas beside each other. */
const componentName = (parameter: JsonSchema): string =>
  `${String(parameter.name)
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')}Parameter`;

/**
 * The document with a reference in place of each parameter that another operation has too. Of several forms of one name the most frequent one has the
 * plain name, and the others begin with the first operation that has them: `BillsExpandParameter`.
 */
export function withSharedParameters(document: JsonSchema): JsonSchema {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const components = document.components as { parameters?: Record<string, JsonSchema> };
  const uses = new Map<string, { parameter: JsonSchema; count: number; operation: string }>();
  for (const item of Object.values(paths)) {
    for (const { operationId = '', parameters = [] } of Object.values(item)) {
      for (const parameter of parameters) {
        const text = JSON.stringify(parameter);
        const use = uses.get(text) ?? { parameter, count: 0, operation: operationId };
        use.count++;
        uses.set(text, use);
      }
    }
  }
  const names = new Map<string, string>();
  const shared: Record<string, JsonSchema> = { ...components.parameters };
  for (const [text, { parameter, count, operation }] of [...uses].sort(([, a], [, b]) => b.count - a.count)) {
    if (count === 1) continue;
    const plain = componentName(parameter);
    const name = Object.hasOwn(shared, plain) ? `${operation}${plain}` : plain;
    shared[name] = parameter;
    names.set(text, name);
  }
  const referring = (parameter: JsonSchema): JsonSchema => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  const shortened = ({ parameters, ...others }: Operation): Operation =>
    parameters ? { ...others, parameters: parameters.map(referring) } : others;
  const parameters = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item).map(([method, one]) => [method, shortened(one)])),
      ]),
    ),
    components: { ...components, ...(names.size > 0 ? { parameters } : {}) },
  };
}

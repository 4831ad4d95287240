// What several operations have alike (parameters, bodies, responses) is described once below `components`, and operations refer to it.
import type { JsonSchema } from './json-schema.ts';

interface Operation {
  operationId?: string;
  parameters?: JsonSchema[];
  requestBody?: JsonSchema;
  responses: Record<string, JsonSchema>;
}

type Section = 'parameters' | 'requestBodies' | 'responses';

const pascalCase = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/**
 * `LedgerCreatedAt` of the parameter `ledger_created_at`. Generated clients put the names of parameters, schemas and JavaScript globals in one place.
 * A parameter whose name is taken says where it is, as in `DateQuery`.
 */
const parameterName =
  (schemas: object) =>
  (parameter: JsonSchema): string => {
    const plain = pascalCase(String(parameter.name));
    return plain in schemas || plain in globalThis ? `${plain}${pascalCase(String(parameter.in))}` : plain;
  };

/** `AccountInput` of a body, `Account` of a response: the first schema that a part refers to. */
const schemaName = (part: JsonSchema): string | undefined => /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(part))?.[1];

/** The text of a part by which two are alike: they may differ in their examples. */
const shapeOf = (part: JsonSchema): string => JSON.stringify(part, (key, value) => (key === 'example' ? undefined : value));

const hasExample = (part: JsonSchema): boolean => shapeOf(part) !== JSON.stringify(part);

/** The parts of one section that operations share. */
class SharedParts {
  readonly #section: Section;
  readonly #uses = new Map<string, { part: JsonSchema; count: number; operation: string }>();
  readonly #names = new Map<string, string>();

  constructor(section: Section) {
    this.#section = section;
  }

  /** Notes that an operation has a part; the first example of parts that are alike stays. */
  add(part: JsonSchema, operation: string): void {
    const shape = shapeOf(part);
    const use = this.#uses.get(shape) ?? { part, count: 0, operation };
    use.count++;
    if (!hasExample(use.part)) use.part = part;
    this.#uses.set(shape, use);
  }

  /**
   * The parts that more than one operation has, by their names. The most frequent of several parts with one plain name keeps it. A parameter in
   * another place says where it is, as in `IdQuery`. Any other begins with the first operation that has it: `BillsExpand`.
   */
  components(
    plainName: (part: JsonSchema, operation: string) => string,
    known: Record<string, JsonSchema> = {},
  ): Record<string, JsonSchema> {
    const shared = { ...known };
    for (const [shape, { part, count, operation }] of [...this.#uses].sort(([, a], [, b]) => b.count - a.count)) {
      if (count === 1) continue;
      const plain = plainName(part, operation);
      const placed = part.in === shared[plain]?.in ? plain : `${plain}${pascalCase(String(part.in))}`;
      const free = [plain, placed].find((one) => !Object.hasOwn(shared, one));
      const name = free ?? `${pascalCase(operation)}${plain}`;
      shared[name] = part;
      this.#names.set(shape, name);
    }
    return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to a part that is shared; any other part itself. */
  referring(part: JsonSchema): JsonSchema {
    const name = this.#names.get(shapeOf(part));
    return name === undefined ? part : { $ref: `#/components/${this.#section}/${name}` };
  }
}

const mapValues = <T, U>(object: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

/**
 * The document with a reference in place of each parameter, body and response that several operations share. The parameters of a path are those of
 * all operations on it.
 */
export function withSharedParts(document: JsonSchema): JsonSchema {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const components = document.components as Partial<Record<Section, Record<string, JsonSchema>>>;
  const { schemas } = document.components as { schemas: object };
  const parameters = new SharedParts('parameters');
  const requestBodies = new SharedParts('requestBodies');
  const responses = new SharedParts('responses');
  for (const { operationId = '', ...operation } of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const parameter of operation.parameters ?? []) parameters.add(parameter, operationId);
    if (operation.requestBody) requestBodies.add(operation.requestBody, operationId);
    for (const response of Object.values(operation.responses)) if (response.content) responses.add(response, operationId);
  }
  const ofSchema = (suffix: string) => (part: JsonSchema, operation: string) => `${schemaName(part) ?? pascalCase(operation)}${suffix}`;
  const shared: Record<Section, Record<string, JsonSchema>> = {
    parameters: parameters.components(parameterName(schemas), components.parameters),
    requestBodies: requestBodies.components(ofSchema('Body')),
    responses: responses.components(ofSchema('Response'), components.responses),
  };
  const shortened = (operation: Operation, ofPath: ReadonlySet<string>): Operation => {
    const own = operation.parameters?.filter((part) => !ofPath.has(JSON.stringify(part))) ?? [];
    const { parameters: _, ...others } = operation;
    return {
      ...others,
      ...(own.length > 0 ? { parameters: own.map((part) => parameters.referring(part)) } : {}),
      ...(operation.requestBody ? { requestBody: requestBodies.referring(operation.requestBody) } : {}),
      responses: mapValues(operation.responses, (response) => responses.referring(response)),
    };
  };
  const withPathParameters = (item: Record<string, Operation>): Record<string, unknown> => {
    const operations = Object.values(item);
    const texts = operations.map(({ parameters: own = [] }) =>
      own.filter((part) => part.in === 'path').map((part) => JSON.stringify(part)),
    );
    const ofPath = new Set(texts[0]!.filter((text) => texts.every((others) => others.includes(text))));
    const described = [...ofPath].map((text) => parameters.referring(JSON.parse(text)));
    return {
      ...(described.length > 0 ? { parameters: described } : {}),
      ...mapValues(item, (operation) => shortened(operation, ofPath)),
    };
  };
  return {
    ...document,
    paths: mapValues(paths, withPathParameters),
    components: { ...components, ...Object.fromEntries(Object.entries(shared).filter(([, parts]) => Object.keys(parts).length > 0)) },
  };
}

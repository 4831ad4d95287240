// Breaking changes between two OpenAPI 3.1 documents of the kind the gateway writes; published tools support OpenAPI 3.0 only.

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

/** A part of an operation, or a reference to the component that it is. */
type Part<T> = T | { $ref: string };

interface Body {
  required?: boolean;
  content: Record<string, { schema: Json }>;
}

interface Response {
  content?: Record<string, { schema: Json }>;
}

interface Operation {
  deprecated?: boolean;
  parameters?: Part<Parameter>[];
  requestBody?: Part<Body>;
  responses: Record<string, Part<Response>>;
}

/** The operations of a path by their methods, and the parameters that all of them have. */
type Path = { parameters?: Part<Parameter>[] } & Record<string, Operation>;

/** The parts of a document that are compared. */
export interface Document {
  paths: Record<string, Path>;
  components: {
    schemas: Record<string, Json>;
    parameters?: Record<string, Parameter>;
    requestBodies?: Record<string, Body>;
    responses?: Record<string, Response>;
  };
}

/** A request must not need more than before; a response must not contain less. */
type Direction = 'sent' | 'received';

/** One line per breaking change from `before` to `after`. */
export function breakingChanges(before: Document, after: Document): string[] {
  const found: string[] = [];
  for (const [path, item] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(operationsOf(item))) {
      const place = `${method.toUpperCase()} ${path}`;
      const next = operationsOf(after.paths[path] ?? ({} as Path))[method];
      if (next) new Comparison(before, after, found).operation(place, operation, next);
      else found.push(`${place}: removed`);
    }
  }
  return found;
}

/** The operations of a path, each with the parameters of the path. */
export const operationsOf = ({ parameters = [], ...operations }: Path): Record<string, Operation> =>
  Object.fromEntries(
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
      method,
      { ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] },
    ]),
  );

class Comparison {
  readonly #before: Document;
  readonly #after: Document;
  readonly #found: string[];
  /** Types are recursive, so a pair is compared once per operation. */
  readonly #seen = new Set<string>();

  constructor(before: Document, after: Document, found: string[]) {
    this.#before = before;
    this.#after = after;
    this.#found = found;
  }

  operation(place: string, before: Operation, after: Operation): void {
    // Names of headers ignore case (RFC 9110 section 5.1).
    const keyOf = ({ in: place, name }: { in: string; name: string }): string =>
      `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    const known = new Map(parametersOf(this.#before, before).map((parameter) => [keyOf(parameter), parameter]));
    const next = new Map(parametersOf(this.#after, after).map((parameter) => [keyOf(parameter), parameter]));
    for (const [name, parameter] of known) {
      const other = next.get(name);
      if (other) this.#schema(`${place} ${name}`, parameter.schema, other.schema, 'sent');
      else this.#found.push(`${place}: parameter ${name} removed`);
    }
    for (const [name, { required }] of next)
      if (required && !known.get(name)?.required) this.#found.push(`${place}: parameter ${name} is now required`);
    const [was, is] = [partOf(this.#before, 'requestBodies', before.requestBody), partOf(this.#after, 'requestBodies', after.requestBody)];
    if (is?.required && !was?.required) this.#found.push(`${place}: the body is now required`);
    this.#contents(`${place} body`, was?.content, is?.content, 'sent');
    for (const [status, part] of Object.entries(before.responses)) {
      const response = partOf(this.#before, 'responses', part);
      // A range may become the statuses in it, with `default` for the others.
      const other = partOf(
        this.#after,
        'responses',
        after.responses[status] ?? (status.endsWith('XX') ? after.responses.default : undefined),
      );
      if (other) this.#contents(`${place} ${status}`, response?.content, other.content, 'received');
      else this.#found.push(`${place}: status ${status} removed`);
    }
  }

  #contents(
    place: string,
    before: Record<string, { schema: Json }> = {},
    after: Record<string, { schema: Json }> = {},
    direction: Direction,
  ): void {
    for (const [type, { schema }] of Object.entries(before)) {
      const other = after[type];
      if (other) this.#schema(place, schema, other.schema, direction);
      else this.#found.push(`${place}: ${type} removed`);
    }
  }

  #schema(place: string, from: Json, to: Json, direction: Direction): void {
    const present = direction === 'received' && !to.anyOf ? presentOf(from) : undefined;
    if (present) {
      this.#schema(place, present, to, direction);
      return;
    }
    const key = `${place} ${from.$ref} ${to.$ref}`;
    if ((from.$ref || to.$ref) && (this.#seen.has(`${from.$ref} ${to.$ref} ${direction}`) || this.#seen.has(key))) return;
    if (from.$ref || to.$ref) this.#seen.add(from.$ref && to.$ref ? `${from.$ref} ${to.$ref} ${direction}` : key);
    const before = resolve(this.#before, from);
    const after = resolve(this.#after, to);
    this.#values(place, before, after, direction);
    this.#members(place, before, after, direction);
    if (before.items && after.items) this.#schema(`${place}[]`, before.items as Json, after.items as Json, direction);
    for (const word of ['anyOf', 'oneOf'] as const) {
      const [olds, news] = [(before[word] ?? []) as Json[], (after[word] ?? []) as Json[]];
      if (olds.length !== news.length) this.#found.push(`${place}: other alternatives`);
      else for (const [index, old] of olds.entries()) this.#schema(place, old, news[index]!, direction);
    }
  }

  #values(place: string, before: Json, after: Json, direction: Direction): void {
    const narrower = direction === 'sent' ? [before, after] : [after, before];
    for (const word of ['type', 'enum'] as const) {
      // A request may use every type allowed before, and a response must not have new types; new enum values are announced, not breaking.
      if (word === 'enum' && direction === 'received') continue;
      const [must, may] = narrower.map((schema) => [schema[word] ?? []].flat());
      const lost = must!.filter((value) => may!.length > 0 && !may!.includes(value) && !(value === 'integer' && may!.includes('number')));
      if (lost.length > 0)
        this.#found.push(`${place}: ${word} ${direction === 'sent' ? 'no longer takes' : 'can now be'} ${lost.join(', ')}`);
    }
  }

  #members(place: string, before: Json, after: Json, direction: Direction): void {
    const [olds, news] = [(before.properties ?? {}) as Record<string, Json>, (after.properties ?? {}) as Record<string, Json>];
    for (const [name, old] of Object.entries(olds)) {
      if (news[name]) this.#schema(`${place}.${name}`, old, news[name], direction);
      else this.#found.push(`${place}: ${name} removed`);
    }
    const [was, is] = [(before.required ?? []) as string[], (after.required ?? []) as string[]];
    const changed =
      direction === 'sent' ? is.filter((name) => !was.includes(name)) : was.filter((name) => !is.includes(name) && news[name]);
    for (const name of changed)
      this.#found.push(`${place}: ${name} is ${direction === 'sent' ? 'now required' : 'no longer always there'}`);
  }
}

/** The inner schema of a nullable value, if there is one: a caller who handles null loses nothing when it never comes. */
function presentOf({ anyOf }: Json): Json | undefined {
  const present = ((anyOf ?? []) as Json[]).filter(({ type }) => type !== 'null');
  return present.length === 1 ? present[0] : undefined;
}

export const parametersOf = (document: Document, { parameters = [] }: Operation): Parameter[] =>
  parameters.map((parameter) => partOf(document, 'parameters', parameter)!);

/** A part of an operation, or the component that it refers to. */
function partOf<T>(
  { components }: Document,
  section: 'parameters' | 'requestBodies' | 'responses',
  part: Part<T> | undefined,
): T | undefined {
  if (typeof part !== 'object' || part === null || !('$ref' in part)) return part;
  return components[section]![part.$ref.split('/').at(-1)!] as T;
}

/** A schema, or the one that it refers to, with the members of those that it extends. */
export function resolve(document: Document, schema: Json): Json {
  const found = typeof schema.$ref === 'string' ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
  const parts = ((found.allOf ?? []) as Json[]).map((part) => resolve(document, part));
  if (parts.length === 0) return found;
  const all = [...parts, found];
  const properties = Object.assign({}, ...all.map((part) => part.properties));
  return { ...found, properties, required: all.flatMap((part) => (part.required ?? []) as string[]) };
}

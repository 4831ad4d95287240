// The REST operations for readers: what each takes and returns, its recorded example, its errors.
import type { GraphQLSchema } from 'graphql';
import type { JsonSchema } from '../../../rest-compat/openapi/json-schema.ts';
import { openApiDocument } from '../../../rest-compat/openapi/openapi.ts';
import { tagOf } from '../../../rest-compat/openapi/operation.ts';
import type { Recordings } from '../../../rest-compat/openapi/recordings.ts';
import type { Route } from '../../../rest-compat/routes/route.ts';
import { routes } from '../../../rest-compat/routes/routes.ts';
import { statusOf } from '../../../rest-compat/runtime/error-bodies.ts';
import { operationErrors } from '../../../rest-compat/runtime/operation-errors.ts';
import { operationName, rootFields } from '../../../rest-compat/runtime/stored-operation.ts';
import { errorCodes } from '../../../src/records/errors.ts';
import type { OperationCounterpart, RestGroup, RestMember, RestOperation, RestReference } from '../parts/model.ts';

/** Levels of members shown; the types below have pages in the GraphQL reference. */
const LEVELS = 2;
/** Spellings of an enumeration shown; the rest is in the OpenAPI document. */
const MAX_SPELLINGS = 12;

/** The routes of every surface, by resource. A resource is described when it is asked for, because all of them take 10 MB. */
export class RestOperations implements RestReference {
  readonly #schema: GraphQLSchema;
  readonly #recordings: () => Recordings;
  readonly #counterparts: readonly OperationCounterpart[];

  constructor(schema: GraphQLSchema, recordings: () => Recordings, counterparts: readonly OperationCounterpart[]) {
    this.#schema = schema;
    this.#recordings = recordings;
    this.#counterparts = counterparts;
  }

  groups(surface: string): readonly RestGroup[] {
    const own = this.#counterparts.filter((counterpart) => counterpart.surface === surface);
    const tags = [...new Set(own.map(({ tag }) => tag))].sort();
    return tags.map((tag) => ({ tag, operations: own.filter((counterpart) => counterpart.tag === tag) }));
  }

  operations(surface: string, tag: string): readonly RestOperation[] {
    const own = routes.filter((route) => route.surface === surface && tagOf(route) === tag);
    if (own.length === 0) return [];
    const document = openApiDocument(this.#schema, own, own[0]!.surface, this.#recordings());
    const { schemas } = document.components as { schemas: Record<string, JsonSchema> };
    const paths = document.paths as Record<string, Record<string, JsonSchema>>;
    return own.map((route) => this.#operation(route, paths[route.path]![route.method.toLowerCase()]!, schemas));
  }

  #operation(route: Route, described: JsonSchema, schemas: Record<string, JsonSchema>): RestOperation {
    const { kind, fields } = rootFields(this.#schema, route);
    const id = operationName(route);
    const parameters = (described.parameters ?? []) as {
      name: string;
      in: string;
      required?: boolean;
      description?: string;
      schema: JsonSchema;
    }[];
    const bodies = described.requestBody as { content: Record<string, { schema: JsonSchema }> } | undefined;
    const responses = (described.responses as Record<string, { content?: Record<string, { schema: JsonSchema }> }>)[route.status]!;
    const membersOf = (content: Record<string, { schema: JsonSchema }> | undefined): RestMember[] =>
      Object.values(content ?? {}).flatMap(({ schema }) => members(schema, schemas, LEVELS, ''));
    return {
      counterpart: this.#counterparts[routes.indexOf(route)]!,
      description: String(described.description).split(' GraphQL: `', 1)[0]!,
      isDocumented: route.documented,
      root: { kind, name: fields.at(0)!.name },
      roles: fields[0]!.extensions.access ?? [],
      parameters: parameters.map(({ name, in: place, required, description = `Filters \`${name}\`.`, schema }) => ({
        name,
        place,
        type: typeText(schema),
        description,
        isRequired: required === true,
      })),
      body: membersOf(bodies?.content),
      status: route.status,
      response: membersOf(responses.content),
      recorded: this.#recordings().rest[id],
      errors: operationErrors(kind, fields, route.surface, Object.keys(route.statuses ?? {})).map((code) => ({
        code,
        status: statusOf(code, route),
        meaning: errorCodes[code].meaning,
      })),
    };
  }
}

const nameOf = ($ref: unknown): string => String($ref).split('/').at(-1)!;

/** The one shape of a schema with alternatives: the record where a list of records is also accepted, the value where it may be null. */
function plain(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const several = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (several) return plain(several.find((other) => other.type !== 'array' && other.type !== 'null') ?? several[0]!, schemas);
  if (schema.$ref) return plain(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  if (schema.allOf) return extended(schema, schemas);
  return schema.type === 'array' ? plain(schema.items as JsonSchema, schemas) : schema;
}

interface ObjectSchema extends JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A schema with the members of those that it extends, which come first. */
function extended(schema: ObjectSchema, schemas: Record<string, JsonSchema>): ObjectSchema {
  const { allOf, ...own } = schema;
  const parts: ObjectSchema[] = [...(allOf as JsonSchema[]).map((part) => plain(part, schemas)), own];
  return {
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function members(schema: JsonSchema, schemas: Record<string, JsonSchema>, levels: number, path: string): RestMember[] {
  const { properties = {}, required = [] }: ObjectSchema = plain(schema, schemas);
  return Object.entries(properties).flatMap(([name, member]): RestMember[] => {
    const below = levels > 0 ? members(member, schemas, levels - 1, `${path}${name}.`) : [];
    const own: RestMember = {
      name: path + name,
      type: typeText(member),
      description: String(member.description ?? plain(member, schemas).description ?? ''),
      isRequired: required.includes(name),
    };
    // An envelope says nothing besides its members.
    return below.length > 0 && name === 'data' ? below : [own, ...(path === '' || path === 'data.' ? below : [])];
  });
}

/** A schema in a few words: `text`, `list of Account`, `one of PAID, VOID`. */
function typeText(schema: JsonSchema): string {
  const several = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (several)
    return several
      .map(typeText)
      .filter((text, index, all) => text && all.indexOf(text) === index)
      .join(' or ');
  if (schema.$ref) return nameOf(schema.$ref);
  const spellings = (schema.enum ?? schema.examples) as unknown[] | undefined;
  if (spellings && spellings.length <= MAX_SPELLINGS) return spellings.join(', ');
  const types = [schema.type ?? []].flat() as string[];
  const named = types.map((type) => {
    if (type === 'array') return `list of ${typeText(schema.items as JsonSchema)}`;
    return type === 'null' ? type : String(schema.format ?? type);
  });
  return named.join(' or ');
}

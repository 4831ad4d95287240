// The OpenAPI 3.1 documents, one per surface, generated from the routes and the GraphQL schema.
import {
  assertObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { MAX_OFFSET, MAX_PAGE } from '../../src/graphql/connections.ts';
import { MAX_KEYS } from '../../src/graphql/list-inputs.ts';
import { errorCodes } from '../../src/records/errors.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import type { Credential, Route, Surface } from '../routes/route.ts';
import { conditionFields, type LedgerParameters, ledgerParameters, reachedFields } from '../runtime/ledger-parameters.ts';
import { operationErrors } from '../runtime/operation-errors.ts';
import { entityTagOf, isVersioned } from '../runtime/record-versions.ts';
import { CSV } from '../runtime/report-csv.ts';
import { operationName, resultField, rootFields } from '../runtime/stored-operation.ts';
import { describedParameters, sortKey, summaryParameters } from '../runtime/summary-parameters.ts';
import { ErrorResponses } from './error-responses.ts';
import { Components, type JsonSchema, parameterSchema, type Words } from './json-schema.ts';
import { proseOf, wordsOf } from './prose.ts';
import type { RecordedRest, Recordings } from './recordings.ts';
import { sampleParameter } from './samples.ts';
import { sourceMessages } from './source-messages.ts';
import { webhookParts } from './webhooks.ts';

const titles: Record<Surface, { title: string; description: string }> = {
  platform: {
    title: 'Platform API',
    description:
      'Webhooks, products with customs codes, corporations, registrations, incorporation requests and business entities. The same paths, without incorporation requests and business entities, are served on the indirect tax host.',
  },
  address: { title: 'Address service', description: 'Geocoding, ISO 3166 content and health.' },
  integrations: {
    title: 'Integrations API',
    description:
      'Normalised accounting and commerce records per company, their syncs and jobs. Every column of a list is a filter, and filters on related records begin with their path; see /docs/guides/lists.',
  },
};

const securitySchemes: Record<Exclude<Credential, 'none'>, JsonSchema> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access key with the role PLATFORM.' },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An access key with the role ENTITIES.' },
  'x-service-key': { type: 'apiKey', in: 'header', name: 'x-service-key', description: 'An access key with the role the operation names.' },
  api_key: { type: 'apiKey', in: 'header', name: 'api_key', description: 'An access key with the role INTEGRATIONS.' },
};

const string = { type: 'string' };

const errorBodies: Record<Surface, JsonSchema> = {
  platform: objectOf({
    message: { ...string, description: 'One sentence about the error.' },
    error: objectOf({
      code: { $ref: '#/components/schemas/ErrorCode' },
      status: { type: 'integer' },
      details: { type: 'array', items: objectOf({ field: string, code: string, message: string }) },
      request_id: string,
    }),
  }),
  integrations: objectOf({
    error: objectOf({
      status_code: { type: 'integer' },
      message: string,
      request_id: string,
      timestamp: { type: 'string', format: 'date-time' },
      error_code: { $ref: '#/components/schemas/ErrorCode' },
      retry_after_seconds: { type: ['integer', 'null'] },
      retry_at: { type: ['string', 'null'], format: 'date-time' },
      field: { type: ['string', 'null'] },
      platform_error: { type: ['object', 'null'] },
    }),
  }),
  address: objectOf(
    {
      error: objectOf(
        {
          type: string,
          title: string,
          status: { type: 'integer' },
          instance: { ...string, description: 'Path of the request.' },
          detail: objectOf({ description: string }),
          errors: { type: 'array', items: objectOf({ pointer: string, details: string }) },
        },
        ['type', 'title', 'status', 'instance', 'detail'],
      ),
    },
    ['error'],
  ),
};

const errorCode: JsonSchema = {
  type: 'string',
  enum: Object.keys(errorCodes).sort(),
  description: 'Stable code; /docs/errors explains the meaning, cause and fix of each.',
};

/** Members that a response has only where a count is an estimate of the database. */
const isEstimate = (name: string): Record<string, JsonSchema> => ({
  [`${name}_is_estimate`]: {
    type: 'boolean',
    description: `True if \`${name}\` is an estimate; \`exact_count\` requests the exact number.`,
  },
});

function objectOf(
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties).filter((name) => !name.endsWith('_is_estimate') && name !== 'settled_until'),
): JsonSchema {
  return { type: 'object', properties, required };
}

/** Position of a page of the integrations API in its list. */
const pagination: JsonSchema = objectOf({
  total_count: { type: ['integer', 'null'], description: 'Number of matches, with `return_count`.' },
  ...isEstimate('total_count'),
  next: { type: ['string', 'null'], description: 'Cursor of the next page; null at the end.' },
  prev: { type: ['string', 'null'], description: 'Cursor of the previous page; null at the start.' },
  settled_until: {
    type: 'string',
    format: 'date-time',
    description:
      'End of a list sorted by `ledger_updated_at` or `ledger_created_at`, ascending: all records before this moment are in it; later ones follow once no running write can precede them. Absent from other lists.',
  },
});

/** The tag of webhooks and of the feed. */
const EVENTS = { name: 'events', description: 'Events, as in webhooks and the feed.' };

/** The document of one surface. */
export function openApiDocument(schema: GraphQLSchema, routes: readonly Route[], surface: Surface, recordings: Recordings): JsonSchema {
  const own = routes.filter((route) => route.surface === surface);
  const words = wordsOf(schema, own);
  const components = new Components(schema, words);
  components.schemas.ErrorBody = errorBodies[surface];
  if (surface !== 'address') components.schemas.ErrorCode = errorCode;
  if (own.some(({ envelope }) => envelope.kind === 'page')) components.schemas.Pagination = pagination;
  const errors = new ErrorResponses(surface);
  const credential = usualCredential(own);
  const ofSources = surface === 'integrations' ? sourceMessages(errors) : undefined;
  const paths: Record<string, Record<string, JsonSchema>> = { ...ofSources?.paths };
  for (const route of own) {
    paths[route.path] ??= {};
    const item = paths[route.path]!;
    item[route.method.toLowerCase()] = operation(
      schema,
      route,
      { components, words, errors, credential },
      recordings.rest[operationName(route)],
    );
  }
  const { webhooks, parameters, responses } = webhookParts(schema, surface, components);
  const tags: JsonSchema[] = [...new Set(own.map(tagOf))]
    .filter((name) => name !== EVENTS.name)
    .sort()
    .map((name) => ({ name, description: `Operations on ${name.replaceAll('_', ' ')}.` }));
  if (ofSources) tags.push(ofSources.tag);
  const credentials = [...new Set(own.map((route) => route.credential))].filter(
    (name): name is Exclude<Credential, 'none'> => name !== 'none',
  );
  return {
    openapi: '3.1.0',
    info: {
      ...titles[surface],
      version: '1.0.0',
      contact: { name: 'The operator of this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: surface === 'platform' ? [{ url: '/' }, { url: '/tax', description: 'Indirect tax host.' }] : [{ url: '/' }],
    ...(credential === 'none' ? {} : { security: [{ [credential]: [] }] }),
    tags: webhooks ? [...tags, EVENTS] : tags,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(webhooks ? { webhooks } : {}),
    components: {
      ...(own.some((route) => isCached(schema, route)) ? { headers: { ETag: entityTagHeader } } : {}),
      ...(parameters ? { parameters } : {}),
      responses: { ...errors.components(), ...responses },
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: Object.fromEntries(credentials.map((name) => [name, securitySchemes[name]])),
    },
  };
}

/** The credential that most routes take. */
const usualCredential = (routes: readonly Route[]): Credential => {
  const named = Map.groupBy(
    routes.filter(({ credential }) => credential !== 'none'),
    ({ credential }) => credential,
  );
  return [...named].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'none';
};

/** The tag of a route: the resource its path names, below a company the resource of the company. */
export const tagOf = (route: Route): string => {
  const segments = route.path
    .split('/')
    .filter((segment) => segment && !segment.startsWith('{') && !/^(api|v\d+|core|internal|public)$/.test(segment));
  return (segments[0] === 'companies' && segments[1]) || segments[0] || 'service';
};

/** What the operations of a document share. */
interface Shared {
  components: Components;
  words: Words;
  errors: ErrorResponses;
  /** The credential of operations that name no other. */
  credential: Credential;
}

function operation(
  schema: GraphQLSchema,
  route: Route,
  { components, words, errors, credential }: Shared,
  recorded: RecordedRest | undefined,
): JsonSchema {
  const { kind, fields } = rootFields(schema, route);
  const types = new Map(
    fields.flatMap((field) => field.args.map((argument): [string, typeof argument] => [`${field.name}.${argument.name}`, argument])),
  );
  const argumentOf = (name: string) => types.get(name.includes('.') ? name : `${fields.at(-1)!.name}.${name}`)!;
  const parameters: JsonSchema[] = [];
  let body: JsonSchema | undefined;
  let isBodyRequired = true;
  const form: Record<string, JsonSchema> = {};
  for (const [name, source] of Object.entries(route.args)) {
    const argument = argumentOf(name);
    if (source.from === 'path' || source.from === 'query') {
      const required = source.from === 'path' || isRequiredArgument(argument);
      parameters.push({
        name: source.name,
        in: source.from,
        ...(required ? { required } : {}),
        description: argument.description ?? '',
        ...(isListType(getNullableType(argument.type))
          ? { schema: { type: 'array', items: parameterSchema(restTypeOf(argument)) }, explode: false }
          : { schema: parameterSchema(restTypeOf(argument)) }),
        ...(source.from === 'path' ? { example: sampleParameter(argument) } : {}),
      });
    } else if (source.from === 'body') {
      const isRequired = source.optional !== true && source.orQuery === undefined;
      isBodyRequired = isRequired || (body !== undefined && isBodyRequired);
      body = withMembers(body, bodySchema(components, route, restTypeOf(argument), source));
      for (const parameter of source.orQuery ?? []) {
        parameters.push({
          name: parameter,
          in: 'query',
          description: `Replaces \`${parameter}\` of the body when that is absent.`,
          schema: { type: 'string' },
        });
      }
    } else if (source.from === 'header') {
      parameters.push({
        name: source.name,
        in: 'header',
        description: argument.description ?? '',
        schema: parameterSchema(restTypeOf(argument)),
      });
    } else if (source.from === 'upload') {
      form[source.name] = {
        type: 'string',
        format: 'binary',
        description: `${words(argument.description ?? '', route.naming)} At most ${source.maxBytes / 1_048_576} MB.`,
      };
    } else if (source.from === 'part') {
      form[source.name] = { ...parameterSchema(restTypeOf(argument)), description: words(argument.description ?? '', route.naming) };
    }
  }
  const record = resultField(fields, route);
  const summary = route.ledgerQuery === 'summary' ? summaryParameters(fields.at(-1)!, route) : undefined;
  const listed = summary?.conditions ?? (route.ledgerQuery && ledgerParameters(recordType(record.type), fields.at(-1)!, route));
  if (summary)
    parameters.push(
      ...describedParameters(summary).map(({ name, description, schema }) =>
        optional(name, description, withColumns(components, getNamedType(record.type), name, schema)),
      ),
    );
  if (listed) parameters.push(...ledgerParameterList(components, listed));
  if (isVersioned(schema, route) && !route.args.ifMatch)
    parameters.push({ name: 'If-Match', in: 'header', description: ifMatchText, schema: string });
  if (isCached(schema, route))
    parameters.push({
      name: 'If-None-Match',
      in: 'header',
      description: 'Return 304 if the record still has one of these versions (`ETag`); `*` means any.',
      schema: string,
    });
  const content = success(components, route, record.type);
  const response = recorded?.status === route.status ? withOneEach(recorded.response) : undefined;
  return {
    operationId: operationName(route),
    summary: route.summary,
    description: `${proseOf(route, fields.at(-1)!, words)}${conditionsText(listed)} GraphQL: \`${route.root}\`.${route.documented ? ' Part of the documented interface.' : ''}`,
    tags: [tagOf(route)],
    ...(route.credential === credential ? {} : { security: route.credential === 'none' ? [] : [{ [route.credential]: [] }] }),
    ...(parameters.length > 0
      ? {
          parameters: parameters.map(({ description, ...other }) => ({
            ...other,
            ...(description ? { description: words(String(description), route.naming) } : {}),
          })),
        }
      : {}),
    ...(body
      ? {
          requestBody: {
            required: isBodyRequired,
            content: { 'application/json': { schema: body, ...exampleOf(components, body, recorded?.request.body) } },
          },
        }
      : {}),
    ...(Object.keys(form).length > 0
      ? { requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema(route, form) } } } }
      : {}),
    responses: {
      [route.status]: content
        ? {
            description: route.message ?? contents[route.envelope.kind] ?? route.summary,
            ...(isCached(schema, route) ? { headers: { ETag: { $ref: '#/components/headers/ETag' } } } : {}),
            content: {
              'application/json': { schema: content, ...exampleOf(components, content, response) },
              ...(route.csv ? { [CSV]: { schema: string } } : {}),
            },
          }
        : { description: route.message ?? contents[route.envelope.kind] ?? route.summary },
      ...(route.statusWithoutResult && content
        ? {
            [route.statusWithoutResult]: {
              description: 'Accepted; the sync reports the outcome.',
              content: { 'application/json': { schema: accepted(components) } },
            },
          }
        : {}),
      ...(isCached(schema, route) ? { 304: { description: 'Not modified.' } } : {}),
      ...errors.of(operationErrors(kind, fields, route.surface, Object.keys(route.statuses ?? {})), route),
    },
  };
}

/** Message of a response whose route has none. */
const contents: Partial<Record<Route['envelope']['kind'], string>> = {
  record: 'The record.',
  page: 'A page of the list.',
  write: 'The stored record.',
  counted: 'A page of the list.',
  empty: 'No body.',
};

/**
 * The example of a body, where one is recorded. A record in an envelope is the example of its own schema, which all bodies with it share. Linters take an
 * object with a member `example` for a schema, so a body that has one is left out.
 */
function exampleOf(components: Components, schema: JsonSchema | undefined, body: unknown): JsonSchema {
  if (body === undefined || JSON.stringify(body).includes('"example":')) return {};
  let [data, value] = [schema?.properties?.data, (body as { data?: unknown }).data];
  // The response of a write has the record one level down, next to the id of the sync.
  if (data?.properties?.data) [data, value] = [data.properties.data, (value as { data?: unknown }).data];
  return components.takeExample(data, value) ? {} : { example: body };
}

/** A recorded response with one entry of each list; the documentation shows all of them. */
const withOneEach = (response: unknown): unknown =>
  response && JSON.parse(JSON.stringify(response), (_, value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : value));

/** The related records whose columns a list filters by. */
function conditionsText(parameters: LedgerParameters | undefined): string {
  if (!parameters || parameters.kind === 'one' || parameters.kind === 'write') return '';
  // The path names the company.
  const reached = [...new Set(reachedFields(parameters).map(([path]) => path.replace(/\.(some|none)$/, '.some|none')))];
  const others = reached.filter((one) => one !== 'company').join(', ');
  return others === '' ? '' : ` Filters on related records: ${others}.`;
}

const ifMatchText = 'Write only if the record still has this version (`ETag`), otherwise STALE_RECORD; `*` matches any.';

const entityTagHeader = {
  description: 'Version of the record, for `If-None-Match` and `If-Match`; weak (`W/`) if the response is compressed.',
  schema: string,
};

/** Whether callers can cache the responses of a route: a read whose response has an `ETag`. */
const isCached = (schema: GraphQLSchema, route: Route): boolean => route.method === 'GET' && entityTagOf(schema, route) !== undefined;

/** The schema of a multipart body; only the file is required. */
const formSchema = (route: Route, properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.values(route.args).flatMap((source) => (source.from === 'upload' ? [source.name] : [])),
});

function bodySchema(
  components: Components,
  route: Route,
  type: GraphQLInputType,
  { member, many, optional }: { member?: string; many?: string; optional?: boolean },
): JsonSchema {
  const whole = components.input(type, route.naming);
  if (!member) return whole;
  const value = many ? { oneOf: [whole.items, whole], description: 'One record or an array.' } : whole;
  return optional ? { type: 'object', properties: { [member]: value } } : objectOf({ [member]: value });
}

/** A body with the members of several arguments. */
function withMembers(body: JsonSchema | undefined, more: JsonSchema): JsonSchema {
  if (!body) return more;
  const required = [body, more].flatMap((part) => (part.required ?? []) as string[]);
  return {
    ...body,
    properties: { ...body.properties, ...more.properties },
    ...(required.length > 0 ? { required } : {}),
  };
}

const recordType = (type: GraphQLOutputType): GraphQLObjectType => {
  const named = assertObjectType(getNamedType(type));
  const nodes = named.getFields().nodes;
  return nodes && isObjectType(getNamedType(nodes.type)) ? assertObjectType(getNamedType(nodes.type)) : named;
};

/** The schema of a successful response. The record is never null in it, because a root field is null only together with an error. */
function success(components: Components, route: Route, type: GraphQLOutputType): JsonSchema | undefined {
  const message = { ...string, description: 'One sentence about the result.' };
  const many = (): JsonSchema => ({ type: 'array', items: components.output(new GraphQLNonNull(recordType(type)), route.naming) });
  const one = (): JsonSchema =>
    route.ledgerQuery === 'summary'
      ? components.named('Summary', () => summary(components))
      : components.output(new GraphQLNonNull(getNullableType(type)), route.naming);
  switch (route.envelope.kind) {
    case 'empty':
      return undefined;
    case 'message':
      return objectOf({ message });
    case 'data':
      return objectOf({ data: route.envelope.name ? objectOf({ [route.envelope.name]: one() }) : one(), message });
    case 'plain':
      return one();
    case 'list':
      return objectOf({
        data: objectOf({
          [route.envelope.name]: many(),
          cursor: { ...string, description: 'Cursor of the next page; empty at the end.' },
          ...(route.envelope.total
            ? {
                [`total_${route.envelope.name}`]: { type: 'integer', description: 'Number on all pages.' },
                ...isEstimate(`total_${route.envelope.name}`),
              }
            : {}),
        }),
        message,
      });
    case 'array':
      return objectOf({ data: objectOf({ [route.envelope.name]: one() }), message });
    case 'record':
      return objectOf({ data: one(), request_id: requestIdOf(components) });
    case 'page':
      return objectOf({
        data: many(),
        pagination: { $ref: '#/components/schemas/Pagination' },
        request_id: requestIdOf(components),
      });
    case 'feed':
      return objectOf({
        data: many(),
        pagination: objectOf({
          next: { ...string, description: 'Start of the next page, for `after`; also set on an empty page.' },
          has_more: { type: 'boolean', description: 'Whether more can be read now; otherwise try again later.' },
          ...(route.surface === 'platform'
            ? {
                recorded_since: {
                  type: 'string',
                  format: 'date-time',
                  description:
                    'Time since which every event is stored; from before, the feed has only events that a webhook subscribed to.',
                },
              }
            : {}),
        }),
        ...(route.surface === 'platform' ? { message } : { request_id: requestIdOf(components) }),
      });
    case 'counted': {
      const list = {
        [route.envelope.name]: many(),
        count: { type: 'integer' },
        ...isEstimate('count'),
        next: { type: ['string', 'null'] },
      };
      return route.envelope.wrapped ? objectOf({ data: objectOf(list), request_id: requestIdOf(components) }) : objectOf(list);
    }
    case 'write': {
      const list = many();
      return objectOf({
        data: objectOf({ sync_id: string, data: { oneOf: [list.items, list] } }, ['sync_id']),
        request_id: requestIdOf(components),
      });
    }
  }
}

/** A summary of any list. Its groups have the values that the request names, so that one schema fits all. */
function summary(components: Components): JsonSchema {
  const count = { type: 'integer' };
  const values = (description: string, type: string[]): JsonSchema => ({ type: 'object', description, additionalProperties: { type } });
  const key = objectOf({ field: string, value: { type: ['string', 'null'] } });
  const group = objectOf(
    {
      key: { type: 'array', items: key, description: 'Keys, as in `group_by`.' },
      count: { ...count, description: 'Number of records in the group.' },
      sum: values('Sums by column, as in `sum`.', ['number', 'null']),
      avg: values('Averages by column, as in `avg`.', ['number', 'null']),
      min: values('Smallest or earliest values by column, as in `min`.', ['number', 'string', 'null']),
      max: values('Largest or latest values by column, as in `max`.', ['number', 'string', 'null']),
    },
    ['key', 'count'],
  );
  return objectOf({
    total_count: { ...count, description: 'Number of matching records.' },
    group_count: { ...count, description: 'Number of groups on all pages.' },
    groups: {
      type: 'array',
      items: components.named('SummaryGroup', () => group),
      description: 'Groups; a single one without `group_by`.',
    },
  });
}

const requestIdOf = (components: Components): JsonSchema =>
  components.named('RequestId', () => ({ ...string, description: 'Equals the X-Request-Id header.' }));

/** The response to a write that is done later. */
const accepted = (components: Components): JsonSchema =>
  objectOf({ data: objectOf({ sync_id: string }), request_id: requestIdOf(components) });

const optional = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
  // The values of one parameter are separated by commas.
  ...(schema.type === 'array' ? { explode: false } : {}),
});

/** The columns that a summary sums or compares are those of two parameters each: `sum` and `avg`, `min` and `max`. */
function withColumns(components: Components, { name: type }: GraphQLNamedType, name: string, schema: JsonSchema): JsonSchema {
  const kinds: Record<string, string> = { sum: 'Sum', avg: 'Sum', min: 'Extreme', max: 'Extreme' };
  const kind = kinds[name];
  if (!kind) return schema;
  return { ...schema, items: components.named(`${type.replace(/Summary$/, '')}${kind}Column`, () => schema.items!) };
}

const listOf = (names: Iterable<string>): JsonSchema => ({ type: 'array', items: { type: 'string', enum: [...names] } });

function ledgerParameterList(components: Components, parameters: LedgerParameters): JsonSchema[] {
  const flag = { type: 'boolean', default: false };
  const { kind, orders } = parameters;
  const expand = [...parameters.expandable];
  const expansion = [...(expand.length > 0 ? [optional('expand', 'Related records to include.', listOf(expand))] : [])];
  if (kind === 'write') return expansion;
  const select = parameters.selectable.size > 0 ? [optional('select', 'Additional fields.', listOf(parameters.selectable))] : [];
  if (kind === 'feed') return select;
  if (kind === 'summary') return conditionParameters(components, parameters);
  const common = [...expansion, ...select, optional('include_deleted_records', 'Include deleted records.', flag)];
  if (kind === 'one') return common;
  const ordered = [
    ...(orders.size > 0
      ? [
          optional('order_by', 'Sort keys; `-` in front for descending.', {
            type: 'array',
            items: sortKey(orders.keys()),
            minItems: 1,
            maxItems: MAX_KEYS,
          }),
        ]
      : []),
    optional('offset', 'Records to skip; cannot be combined with a cursor.', {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OFFSET,
    }),
    ...(parameters.isCounted ? [optional('exact_count', 'Return an exact count, even for large lists.', flag)] : []),
  ];
  if (kind === 'conditions') return [...ordered, ...conditionParameters(components, parameters)];
  return [
    optional('limit', 'Records per page.', { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE }),
    optional('next', 'Cursor of the next page.', string),
    optional('prev', 'Cursor of the previous page.', string),
    optional('return_count', 'Return the number of matches in `pagination.total_count`.', flag),
    ...common,
    ...ordered,
    optional('sort[ledger_created_at]', 'Sort by the time of creation.', { type: 'string', enum: ['ASC', 'DESC'] }),
    optional('sort[ledger_updated_at]', 'Sort by the time of the last change.', { type: 'string', enum: ['ASC', 'DESC'] }),
    ...conditionParameters(components, parameters),
  ];
}

/** One parameter for each column: its operators are the members of an object, as in `status[in]=PAID,VOID`. */
function conditionParameters(components: Components, parameters: LedgerParameters): JsonSchema[] {
  return [...conditionFields(parameters)].flatMap(([name, field]) => {
    const type = getNamedType(field.type);
    const text = field.description ?? '';
    return isInputObjectType(type)
      ? [{ ...optional(name, text, components.conditions(type)), style: 'deepObject', explode: true }]
      : [optional(name, text, { ...string, maxLength: field.extensions.rules?.maxLength })];
  });
}

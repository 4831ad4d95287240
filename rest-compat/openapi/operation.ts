// One operation of an OpenAPI document: its parameters, body, responses and example.
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isRequiredArgument,
} from 'graphql';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import type { Credential, Route } from '../routes/route.ts';
import { type LedgerParameters, ledgerParameters, reachedFields } from '../runtime/ledger-parameters.ts';
import { operationErrors } from '../runtime/operation-errors.ts';
import { entityTagOf, isVersioned } from '../runtime/record-versions.ts';
import { CSV } from '../runtime/report-csv.ts';
import { operationName, resultField, rootFields } from '../runtime/stored-operation.ts';
import { describedParameters, summaryParameters } from '../runtime/summary-parameters.ts';
import { ErrorResponses } from './error-responses.ts';
import { Components, type JsonSchema, objectOf, parameterSchema, string, type Words } from './json-schema.ts';
import { ledgerParameterList, optional, withColumns } from './list-parameters.ts';
import { proseOf } from './prose.ts';
import type { RecordedRest } from './recordings.ts';
import { accepted, recordType, responseBody } from './response-bodies.ts';
import { sampleParameter } from './samples.ts';

/** The tag of a route: the resource its path names, below a company the resource of the company. */
export const tagOf = (route: Route): string => {
  const segments = route.path
    .split('/')
    .filter((segment) => segment && !segment.startsWith('{') && !/^(api|v\d+|core|internal|public)$/.test(segment));
  return (segments[0] === 'companies' && segments[1]) || segments[0] || 'service';
};

/** What the operations of a document share. */
export interface Shared {
  components: Components;
  words: Words;
  errors: ErrorResponses;
  /** The credential of operations that name no other. */
  credential: Credential;
}

/** Where a request carries the arguments of its operation. */
function argumentsOf(fields: readonly GraphQLField<unknown, unknown>[], route: Route, components: Components, words: Words) {
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
  return { parameters, body, isBodyRequired, form };
}

export function operation(
  schema: GraphQLSchema,
  route: Route,
  { components, words, errors, credential }: Shared,
  recorded: RecordedRest | undefined,
): JsonSchema {
  const { kind, fields } = rootFields(schema, route);
  const { parameters, body, isBodyRequired, form } = argumentsOf(fields, route, components, words);
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
  const content = responseBody(components, route, record.type);
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

export const entityTagHeader = {
  description: 'Version of the record, for `If-None-Match` and `If-Match`; weak (`W/`) if the response is compressed.',
  schema: string,
};

/** Whether callers can cache the responses of a route: a read whose response has an `ETag`. */
export const isCached = (schema: GraphQLSchema, route: Route): boolean =>
  route.method === 'GET' && entityTagOf(schema, route) !== undefined;

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

// The schemas of response bodies: the envelopes around records, pages, summaries and messages.
import {
  assertObjectType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isObjectType,
} from 'graphql';
import type { Route } from '../routes/route.ts';
import { Components, type JsonSchema, objectOf, string } from './json-schema.ts';

/** Members that a response has only where a count is an estimate of the database. */
const estimateOf = (name: string): Record<string, JsonSchema> => ({
  [`${name}_is_estimate`]: {
    type: 'boolean',
    description: `True if \`${name}\` is an estimate; \`exact_count\` requests the exact number.`,
  },
});

/** Position of a page of the integrations API in its list. */
export const pagination: JsonSchema = objectOf({
  total_count: { type: ['integer', 'null'], description: 'Number of matches, with `return_count`.' },
  ...estimateOf('total_count'),
  next: { type: ['string', 'null'], description: 'Cursor of the next page; null at the end.' },
  prev: { type: ['string', 'null'], description: 'Cursor of the previous page; null at the start.' },
  settled_until: {
    type: 'string',
    format: 'date-time',
    description:
      'End of a list sorted by `ledger_updated_at` or `ledger_created_at`, ascending: all records before this moment are in it; later ones follow once no running write can precede them. Absent from other lists.',
  },
});

export const recordType = (type: GraphQLOutputType): GraphQLObjectType => {
  const named = assertObjectType(getNamedType(type));
  const nodes = named.getFields().nodes;
  return nodes && isObjectType(getNamedType(nodes.type)) ? assertObjectType(getNamedType(nodes.type)) : named;
};

/** The schema of the body of a successful response. The record is never null in it, because a root field is null only together with an error. */
export function responseBody(components: Components, route: Route, type: GraphQLOutputType): JsonSchema | undefined {
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
                ...estimateOf(`total_${route.envelope.name}`),
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
        ...estimateOf('count'),
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
export const accepted = (components: Components): JsonSchema =>
  objectOf({ data: objectOf({ sync_id: string }), request_id: requestIdOf(components) });

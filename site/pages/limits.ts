// The numbers of the limits page, each imported from the file that enforces it.

import { bodyMegabytes } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { quotaNames } from '../../src/access/quotas.statements.ts';
import { quotas } from '../../src/access/quotas.ts';
import { turnLimits } from '../../src/access/request-turn.ts';
import { MAX_ADDRESS_LENGTH } from '../../src/address/geocoder/types.ts';
import { MAX_CONTENT_ROWS } from '../../src/address/iso/ingest.ts';
import type { Config } from '../../src/config.ts';
import { MAX_OWNED } from '../../src/database/reader/reader.ts';
import { MAX_FILES } from '../../src/files/graphql-uploads.ts';
import { MAX_FILE_BYTES } from '../../src/files/stored-file.ts';
import { MAX_PAGE } from '../../src/graphql/connections.ts';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { socketLimits } from '../../src/graphql/subscriptions/messages.ts';
import { DEFAULT_GROUPS, MAX_GROUPS, SUMMARY_PRICE } from '../../src/graphql/summaries/summary-types.ts';
import { IDEMPOTENCY_LIFETIME_MS } from '../../src/http/idempotency.ts';
import { MAX_HEAD_BYTES } from '../../src/http/request-head.ts';
import { REPORT_PRICE } from '../../src/integrations/books/resolver.ts';
import { MAX_HITS } from '../../src/integrations/operations/search.ts';
import { MAX_BATCH } from '../../src/integrations/syncs/batch.ts';
import { MAX_IMPORT_ROWS } from '../../src/platform/products/csv.ts';
import { MAX_ISSUES } from '../../src/records/input-issue.ts';
import { MAX_ENTRIES } from '../../src/records/input-rules.ts';
import type { Limit } from './parts/model.ts';

/** Every effective limit of a running gateway. */
export function limits(config: Config): Limit[] {
  const limit = (name: string, value: number, unit: string, meaning: string, setting?: string): Limit => ({
    name,
    value,
    unit,
    meaning,
    ...(setting ? { setting } : {}),
  });
  const largest = routes.filter((route) => route.bodyMegabytes !== undefined);
  return [
    limit(
      'Requests per key',
      config.rateLimitPerMinute,
      'per minute',
      'Refill of the allowance of a key; 0 means unlimited.',
      'RATE_LIMIT_PER_MINUTE',
    ),
    limit('Burst per key', config.rateLimitBurst, 'requests', 'Requests a key may send at once; 0 means unlimited.', 'RATE_LIMIT_BURST'),
    limit(
      'Wrong credentials',
      config.failedAuthLimit,
      'per 10 seconds',
      'Failed authentications of one address, all surfaces together; 0 means unlimited. Keys that were accepted before keep working.',
      'FAILED_AUTH_LIMIT',
    ),
    ...quotaNames.map((name) => {
      const { what, setting } = quotas[name];
      return limit(`Quota of ${name}`, config.quotas[name], what, 'How much one organisation may have; 0 means unlimited.', setting);
    }),
    limit(
      'Work in progress',
      operationLimits.cost,
      'objects',
      `Objects of the requests of one organisation that a process works on at once; others wait in their order. A body counts as an object for every ${turnLimits.bytesPerObject} bytes, a page of a REST list like its GraphQL operation.`,
    ),
    limit('Small request', turnLimits.objects, 'objects', 'Requests of fewer objects never wait for larger ones of their organisation.'),
    limit('Small body', (turnLimits.bodyObjects * turnLimits.bytesPerObject) / 1_024, 'kB', 'Smaller bodies never wait.'),
    limit('Waiting requests', turnLimits.waiting, 'requests', 'Most large requests of one organisation that wait; more are 429.'),
    limit('Wait', turnLimits.waitSeconds, 'seconds', 'Longest time that a large request waits for others; then it is 429.'),
    limit(
      'Slow client',
      turnLimits.slowBytes,
      'bytes per second',
      `A client that sends a large body or takes a large response more slowly for ${turnLimits.slowSeconds} seconds is disconnected when other requests wait for that memory.`,
    ),
    limit('Page size', MAX_PAGE, 'records', 'Most records on one page of any list.'),
    limit(
      'Records below a page',
      MAX_OWNED,
      'records',
      'Most records of one list of children, such as lines, that the records of a page have together.',
    ),
    limit('Batch', MAX_BATCH, 'records', 'Most records in one asynchronous write of the integrations API.'),
    limit('List in an input', MAX_ENTRIES, 'entries', 'Most entries of a list in an input where its field names no lower number.'),
    limit('Issues of an input', MAX_ISSUES, 'issues', 'Most issues listed in the response to rejected input; the others are counted.'),
    limit('Request head', MAX_HEAD_BYTES / 1_024, 'kB', 'Longest URL and headers of a request together.'),
    limit('JSON body, integrations', bodyMegabytes.integrations, 'MB', 'Largest JSON body of the integrations API.'),
    limit('JSON body, platform', bodyMegabytes.platform, 'MB', 'Largest JSON body of the platform API.'),
    limit('JSON body, address service', bodyMegabytes.address, 'MB', 'Largest JSON body of the address service.'),
    ...largest.map((route) => limit(`JSON body, ${route.summary}`, route.bodyMegabytes!, 'MB', 'Largest JSON body of this operation.')),
    limit('JSON body, GraphQL', operationLimits.bodyMegabytes, 'MB', 'Largest body of a GraphQL request, variables included.'),
    limit('File', MAX_FILE_BYTES / 1_048_576, 'MB', 'Largest uploaded file.'),
    limit('Product import', MAX_IMPORT_ROWS, 'rows', 'Most rows of a product file.'),
    limit('ISO 3166 content', MAX_CONTENT_ROWS, 'rows', 'Most countries, subdivisions and former countries in one ingest.'),
    limit('Address', MAX_ADDRESS_LENGTH, 'characters', 'Longest address to geocode.'),
    limit(
      'Call to a source',
      config.sourceTimes.callMs / 1_000,
      'seconds',
      'Longest time of a call to a source system, including its full response.',
      'SOURCE_CALL_SECONDS',
    ),
    limit(
      'Page of a source',
      config.sourceTimes.pageMs / 1_000,
      'seconds',
      'Longest time that a source system may take for a page of a pull.',
      'SOURCE_PAGE_SECONDS',
    ),
    limit(
      'Pull of a data model',
      config.sourceTimes.runMs / 1_000,
      'seconds',
      'Longest time that a source system may take for all pages of a data model in a pull; pauses that it asks for do not count.',
      'SOURCE_RUN_SECONDS',
    ),
    limit(
      'Idempotency key',
      IDEMPOTENCY_LIFETIME_MS / 3_600_000,
      'hours',
      'How long the response of a write is stored for retries, at least.',
    ),
    limit('Groups of a summary', MAX_GROUPS, 'groups', `Most groups of one summary; ${DEFAULT_GROUPS} without \`first\` or \`limit\`.`),
    limit('GraphQL tokens', operationLimits.tokens, 'tokens', 'Longest GraphQL document.'),
    limit('GraphQL depth', operationLimits.depth, 'levels', 'Deepest selection.'),
    limit(
      'GraphQL aliases',
      operationLimits.aliases,
      'aliases',
      'Most selections that select a field or fragment again, by an alias or not; aliases that only rename are free.',
    ),
    limit('Filter depth', operationLimits.filterLevels, 'levels', 'Most groups and relations inside each other in the filter of a list.'),
    limit('Filter conditions', operationLimits.conditions, 'conditions', 'Most operators, searches and relations in the filter of a list.'),
    limit('GraphQL root fields', operationLimits.rootFields, 'fields', 'Most root fields in one operation.'),
    limit('GraphQL directives', operationLimits.directives, 'directives', 'Most directives in one operation.'),
    limit(
      'GraphQL selections',
      operationLimits.selections,
      'selections',
      'Most selections, those of a fragment counted wherever it is spread.',
    ),
    limit(
      'GraphQL cost',
      operationLimits.cost,
      'objects',
      `Most objects an operation may ask for, introspection included; list sizes multiply: pages by \`first\` or else their usual length, \`nodes\` by its ids, a mutation of many records by these, and other lists by what their field says or by 10. A summary counts as ${SUMMARY_PRICE} plus its groups, a report or a list of postings as ${REPORT_PRICE} plus its rows, a search of a company as ${MAX_HITS} for each type of record that has text plus its hits. Values of introspection count as objects, its standard document as ${operationLimits.costWithoutKey}.`,
    ),
    limit(
      'GraphQL cost without a key',
      operationLimits.costWithoutKey,
      'objects',
      `The same for a caller without a key, for introspection and the fields that need none; every ${operationLimits.costPerRequest} count as one request more.`,
    ),
    limit(
      'WebSocket connections',
      socketLimits.connections,
      'connections',
      'Most open connections of one address, event streams included.',
    ),
    limit('GraphQL files', MAX_FILES, 'files', 'Most files of one multipart request.'),
    limit('WebSocket start', socketLimits.initSeconds, 'seconds', 'Time in which a connection must send `connection_init`.'),
    limit('WebSocket message', socketLimits.messageBytes / 1_024, 'kB', 'Largest message a client may send.'),
    limit(
      'WebSocket messages',
      socketLimits.messages,
      'per 10 seconds',
      'Most messages of a client on one connection; a subscription also counts as a request of its key.',
    ),
    limit('WebSocket ids', socketLimits.idLength, 'characters', 'Longest id of an operation.'),
    limit('Subscriptions', socketLimits.subscriptions, 'subscriptions', 'Most subscriptions open on one connection.'),
    limit(
      'Size of subscriptions',
      socketLimits.openCharacters / 1_048_576,
      'MB',
      'Largest sum of the documents and variables, as JSON, that the open operations of one organisation have, event streams included.',
    ),
    limit(
      'Documents of subscriptions',
      socketLimits.openDocumentCharacters / 1_048_576,
      'MB',
      'Largest sum of their different documents: equal ones count once here.',
    ),
  ];
}

// The address for messages of sources in the OpenAPI document of the integrations API. It is no route: it runs no operation of the GraphQL schema.
import type { ErrorResponses } from './error-responses.ts';
import type { JsonSchema } from './json-schema.ts';

const TAG = 'hooks';

/** What the document of the integrations API says beside its routes. */
export const sourceMessages = (errors: ErrorResponses): { tag: JsonSchema; paths: Record<string, Record<string, JsonSchema>> } => ({
  tag: { name: TAG, description: 'Messages that source systems send of changes.' },
  paths: {
    '/hooks/{connection}': {
      post: {
        operationId: 'postSourceMessage',
        summary: 'Take a message of a source',
        description:
          'A source that sends messages of changes is given this address. It needs no key: the connector of the source checks the signature over the bytes that were sent. What the message names is pulled soon, at every connection of the source that it concerns. 401 UNAUTHENTICATED where the source has not signed it, 404 RECORD_NOT_FOUND where no message is expected. An addition in the style of the documented operations.',
        tags: [TAG],
        security: [],
        parameters: [
          {
            name: 'connection',
            in: 'path',
            required: true,
            description: 'Identifier of a connection to the source, in lower case.',
            schema: { type: 'string', pattern: '^[a-z0-9_]{1,64}$' },
            example: 'connection_01k6v3e2b8f4q9s7d5c1a0xwzy',
          },
        ],
        requestBody: {
          required: true,
          description: 'The message in the form of the source, at most 1 MB.',
          content: { 'application/json': { schema: {} } },
        },
        responses: {
          200: { description: 'The source has signed it; without a body.' },
          ...errors.of(['UNAUTHENTICATED', 'RECORD_NOT_FOUND', 'PAYLOAD_TOO_LARGE']),
        },
      },
    },
  },
});

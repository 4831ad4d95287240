// The address for messages of sources in the OpenAPI document of the integrations API. It is no route: it runs no operation of the GraphQL schema.
import type { ErrorResponses } from './error-responses.ts';
import type { JsonSchema } from './json-schema.ts';

const TAG = 'hooks';

/** What the document of the integrations API says besides its routes. */
export const sourceMessages = (errors: ErrorResponses): { tag: JsonSchema; paths: Record<string, Record<string, JsonSchema>> } => ({
  tag: { name: TAG, description: 'Change messages of source systems.' },
  paths: {
    '/hooks/{connection}': {
      post: {
        operationId: 'postSourceMessage',
        summary: 'Receive a message of a source',
        description:
          'Address for change messages of a source. It needs no key: the connector checks the signature over the received bytes. The records that the message names are pulled soon, for every connection that it concerns. 401 UNAUTHENTICATED without a valid signature, 404 RECORD_NOT_FOUND if no message is expected.',
        tags: [TAG],
        security: [],
        parameters: [
          {
            name: 'connection',
            in: 'path',
            required: true,
            description: 'Id of a connection to the source, in lower case.',
            schema: { type: 'string', pattern: '^[a-z0-9_]{1,64}$' },
            example: 'connection_01k6v3e2b8f4q9s7d5c1a0xwzy',
          },
        ],
        requestBody: {
          required: true,
          description: 'The message in the format of the source, at most 1 MB.',
          content: { 'application/json': { schema: {} } },
        },
        responses: {
          200: { description: 'The signature is valid; no body.' },
          ...errors.of(['UNAUTHENTICATED', 'RECORD_NOT_FOUND', 'PAYLOAD_TOO_LARGE']),
        },
      },
    },
  },
});

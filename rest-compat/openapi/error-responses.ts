// The errors of operations: a response for each status, described once with its codes, and one for whatever else can go wrong.
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCodes, GatewayError } from '../../src/records/errors.ts';
import type { Route, Surface } from '../routes/route.ts';
import { renderers, statusOf } from '../runtime/error-bodies.ts';
import type { JsonSchema } from './json-schema.ts';

/** A request for the examples of error bodies. */
const exampleRequest = {
  requestId: '019c13f1-5000-7000-8000-00000000000a',
  path: '/api/v1/geoencode',
  now: new Date('2026-01-31T12:00:00.000Z'),
  credential: 'example',
};

/** The body of an error on a surface, with the meaning of its code as the message. */
export const exampleBody = (surface: Surface, code: ErrorCode, status: number): Record<string, unknown> =>
  renderers[surface](new GatewayError(code, errorCodes[code].meaning, {}), status, exampleRequest);

/** The body of an error as GraphQL has it. */
export const graphqlExampleBody = (code: ErrorCode): Record<string, unknown> => ({
  errors: [{ message: errorCodes[code].meaning, extensions: { code, requestId: exampleRequest.requestId } }],
});

const schema = { $ref: '#/components/schemas/ErrorBody' };

/** `E400` for 400: two thousand references have it. */
const nameOf = (status: number): string => `E${status}`;

/** The response that has any other error. */
const OTHER = 'E5XX';

const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` });

/** The responses with the errors of one document. */
export class ErrorResponses {
  readonly #surface: Surface;
  readonly #codes = new Map<number, Set<ErrorCode>>();

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /** The responses of an operation by status. `default` is any other error, such as the loss of the database. */
  of(codes: readonly ErrorCode[], route?: Route): Record<string, JsonSchema> {
    const statuses = new Set<number>();
    for (const code of codes) {
      const status = statusOf(code, route);
      statuses.add(status);
      const known = this.#codes.get(status) ?? new Set();
      this.#codes.set(status, known.add(code));
    }
    return {
      ...Object.fromEntries([...statuses].map((status) => [status, referenceTo(nameOf(status))])),
      default: referenceTo(OTHER),
    };
  }

  /** What the responses of the operations refer to. */
  components(): Record<string, JsonSchema> {
    const described = [...this.#codes]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [nameOf(status), this.#response(status, [...codes])]);
    return {
      ...Object.fromEntries(described),
      [OTHER]: { description: 'Any other error.', content: { 'application/json': { schema } } },
    };
  }

  #response(status: number, codes: ErrorCode[]): JsonSchema {
    const names = codes.sort().map((code) => `\`${code}\``);
    const example = exampleBody(this.#surface, codes[0]!, status);
    return {
      description: `${STATUS_CODES[status]}: ${names.join(', ')}.`,
      content: { 'application/json': { schema, example } },
    };
  }
}

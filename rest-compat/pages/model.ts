// The contract of the pages: plain data about the running gateway. The pages know nothing else about it.
import type { SampleRequest } from '../openapi/samples.ts';

/** A header that carries a key, for example `Authorization: Bearer <key>` (scheme `Bearer`) or `x-api-key: <key>` (no scheme). */
export interface Credential {
  readonly header: 'Authorization' | 'x-api-key' | 'x-service-key' | 'api_key';
  readonly scheme?: 'Bearer';
  /** Key of the demo organisation, only when the demo data is loaded, because the pages show it to everybody. */
  readonly demoKey?: string;
}

/** One surface of the gateway, shown as a card on the landing page. */
export interface Surface {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  /** Path from the origin, without a trailing slash: `/api/v1`. */
  readonly base: string;
  readonly credential: Credential;
  /** Name of the document under `/openapi/<name>.json`; the GraphQL surface has none. */
  readonly openapi?: string;
  readonly sample: SampleRequest;
}

/** A REST operation and the GraphQL operation it runs. */
export interface OperationTwin {
  /** Name of the GraphQL operation, `operationId` in the OpenAPI document, value of `X-GraphQL-Operation`. */
  readonly id: string;
  readonly surface: string;
  readonly method: string;
  /** Path template from the origin, as in the OpenAPI document with the server's path in front: `/api/v1/webhooks/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly sample: SampleRequest;
  /** Set where it differs from the surface's credential; null where no key is needed. */
  readonly credential?: Credential | null;
}

/** A named GraphQL operation that shows what a surface can do with the demo data. */
export interface Example {
  readonly name: string;
  readonly title: string;
  readonly surface: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * One entry of the error catalogue; its texts may set names in backticks. `status` holds the HTTP statuses per surface id; a surface that never
 * answers the code is left out.
 */
export interface ErrorEntry {
  readonly code: string;
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
  readonly status: Readonly<Record<string, readonly number[]>>;
}

/** One effective limit; its meaning may set names in backticks. `setting` names the environment variable that changes it, where one does. */
export interface Limit {
  readonly name: string;
  readonly value: number | string;
  readonly unit: string;
  readonly meaning: string;
  readonly setting?: string;
}

/** Everything the pages show. */
export interface PagesModel {
  readonly name: string;
  readonly tagline: string;
  readonly version: string;
  /** Public origin, without a trailing slash. Unset: the origin the request came to. */
  readonly origin?: string;
  readonly surfaces: readonly Surface[];
  readonly operations: readonly OperationTwin[];
  readonly examples: readonly Example[];
  readonly errors: readonly ErrorEntry[];
  readonly limits: readonly Limit[];
}

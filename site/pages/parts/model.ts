// The contract of the pages: plain data about the running gateway. The pages know nothing else about it.
import type { RecordedRest } from '../../../rest-compat/openapi/recordings.ts';
import type { SampleRequest } from '../../../rest-compat/openapi/samples.ts';

/** A record type in the picture. */
export interface PicturedType {
  readonly name: string;
  readonly references: readonly { readonly to: string; readonly label: string; readonly isOwned: boolean }[];
}

/** An area of the model picture. */
export interface PicturedArea {
  readonly title: string;
  /** What its types have in common, where the picture leaves it out. */
  readonly note: string;
  readonly types: readonly PicturedType[];
}

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
export interface OperationCounterpart {
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
  /** What a reader wants to do: `Read`, `Write`, … */
  readonly task: string;
  /** What to look at, where the title does not say it. */
  readonly note?: string;
  readonly surface: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * One entry of the error catalogue; its texts may set names in backticks. `status` holds the HTTP statuses per surface id; a surface that never
 * responses the code is left out.
 */
export interface ErrorEntry {
  readonly code: string;
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
  readonly status: Readonly<Record<string, readonly number[]>>;
  /** A body with it per surface id, as the surface renders it. */
  readonly bodies: Readonly<Record<string, unknown>>;
}

/** One effective limit; its meaning may set names in backticks. `setting` names the environment variable that changes it, where one does. */
export interface Limit {
  readonly name: string;
  readonly value: number | string;
  readonly unit: string;
  readonly meaning: string;
  readonly setting?: string;
}

/** The lists of the GraphQL reference. */
export type ReferenceKind = 'queries' | 'mutations' | 'subscriptions' | 'types';

/** A root field or type of the GraphQL schema, as lists and the search show it. */
export interface ReferenceName {
  readonly kind: ReferenceKind;
  readonly name: string;
  /** May set names in backticks. */
  readonly description: string;
  readonly isDeprecated: boolean;
  /** The area of a root field, the kind of a type. */
  readonly group: string;
}

/** An argument, a field or a member of an input. */
export interface ReferenceMember {
  readonly name: string;
  readonly description: string;
  /** Why it is deprecated. */
  readonly deprecation?: string;
  /** As the schema writes it: `[String!]!`. */
  readonly type: string;
  /** Its type without lists and exclamation marks. */
  readonly typeName: string;
  /** Default value, as the schema writes it. */
  readonly fallback?: string;
  /** Its arguments. */
  readonly parameters: readonly ReferenceMember[];
  /** The values of its type, where that is an enumeration of a few. */
  readonly values: readonly string[];
}

/** A root field or type that uses a type. */
export interface ReferenceUse extends ReferenceName {
  /** The fields of the type that do. */
  readonly fields: readonly string[];
}

/** Everything the reference says of one root field or type; what it does not have is empty. */
export interface ReferenceEntry extends ReferenceName {
  /** What it is: a query, mutation, subscription, object, interface, union, input, enum or scalar. */
  readonly label: string;
  /** What a root field returns. */
  readonly result?: { readonly type: string; readonly typeName: string };
  /** Roles that may use a root field; none means that it needs no key. */
  readonly roles: readonly string[];
  readonly members: readonly ReferenceMember[];
  readonly values: readonly { readonly name: string; readonly description: string; readonly deprecation?: string }[];
  /** The types of an interface or union. */
  readonly types: readonly string[];
  readonly usedBy: readonly ReferenceUse[];
  /** REST operations that run a root field. */
  readonly counterparts: readonly OperationCounterpart[];
  readonly example?: {
    readonly document: string;
    readonly variables: Readonly<Record<string, unknown>>;
    /** What it costs, and its response over the demo data. */
    readonly recorded?: { readonly cost: number | undefined; readonly response: unknown };
  };
  /** Errors that a root field may return. */
  readonly errors: readonly OperationError[];
  /** A type in the schema language. */
  readonly definition?: string;
  /** The least that a caller writes to select a type, or to send it. */
  readonly sample?: Sample;
}

/** A short text of GraphQL or JSON. */
export interface Sample {
  readonly language: 'graphql' | 'json';
  readonly text: string;
}

/** The GraphQL schema for readers. */
export interface Reference {
  /** Every root field and type by name. */
  readonly names: readonly ReferenceName[];
  entry(kind: ReferenceKind, name: string): ReferenceEntry | undefined;
  /** A field of an object or input type, with a sample where it can be selected. */
  member(type: string, name: string): { readonly member: ReferenceMember; readonly sample?: Sample } | undefined;
}

/** A parameter, or a member of a body or response by its path. */
export interface RestMember {
  readonly name: string;
  /** Of a parameter: `path`, `query` or `header`. */
  readonly place?: string;
  readonly type: string;
  /** May set names in backticks. */
  readonly description: string;
  readonly isRequired: boolean;
}

/** Everything the documentation says of a REST operation. */
export interface RestOperation {
  readonly counterpart: OperationCounterpart;
  /** May set names in backticks. */
  readonly description: string;
  /** Whether the interface document names it; the others are additions. */
  readonly isDocumented: boolean;
  /** The root field that it runs. */
  readonly root: { readonly kind: 'query' | 'mutation'; readonly name: string };
  readonly roles: readonly string[];
  readonly parameters: readonly RestMember[];
  readonly body: readonly RestMember[];
  readonly status: number;
  readonly response: readonly RestMember[];
  readonly recorded: RecordedRest | undefined;
  readonly errors: readonly OperationError[];
}

/** An error that an operation may return. */
export interface OperationError {
  readonly code: string;
  readonly status: number;
  readonly meaning: string;
}

/** The operations of one resource. */
export interface RestGroup {
  readonly tag: string;
  readonly operations: readonly OperationCounterpart[];
}

/** The REST operations for readers. */
export interface RestReference {
  groups(surface: string): readonly RestGroup[];
  /** Those of a resource of a surface; none where there is no such resource. */
  operations(surface: string, tag: string): readonly RestOperation[];
}

/** Everything the pages show. */
export interface PagesModel {
  readonly name: string;
  readonly tagline: string;
  readonly version: string;
  /** Public origin, without a trailing slash. Unset: the origin the request came to. */
  readonly origin?: string;
  readonly surfaces: readonly Surface[];
  readonly operations: readonly OperationCounterpart[];
  readonly examples: readonly Example[];
  readonly reference: Reference;
  readonly rest: RestReference;
  /** The record types by area, with what each refers to. */
  readonly pictured: readonly PicturedArea[];
  readonly errors: readonly ErrorEntry[];
  readonly limits: readonly Limit[];
}

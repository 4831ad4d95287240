// The Express request with what the steps of the pipeline added to it.
import type { Span } from '@opentelemetry/api';
import type express from 'express';
import type { RequestContext } from '../access/context.ts';
import type { AnswerHeaders } from './response.ts';

/** A request with what the pipeline added. */
export interface RequestWithId extends express.Request {
  id: string;
  /** Headers of the answer so far. */
  gathered: AnswerHeaders;
  context?: RequestContext;
  /** Name of the operation that a row ran. */
  operation?: string;
  /** The path of the route that serves it, with names in the place of values. */
  template?: string;
  /** The operation that ran on /graphql. */
  graphql?: { kind: 'query' | 'mutation' | 'subscription'; name: string | undefined };
  /** Where the operator has switched tracing on. */
  span?: Span;
  /** Codes of the errors the caller was told outside a GraphQL operation. */
  errorCodes?: string[];
}

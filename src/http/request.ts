// The type of the Express request with the members that the pipeline adds.
import type { Span } from '@opentelemetry/api';
import type express from 'express';
import type { RequestContext } from '../access/context.ts';
import type { AnswerHeaders } from './response.ts';

/** A request with the members that the pipeline adds. */
export interface RequestWithId extends express.Request {
  id: string;
  /** Headers collected for the answer. */
  gathered: AnswerHeaders;
  context?: RequestContext;
  /** Name of the operation that a route ran. */
  operation?: string;
  /** Path template of the route, with parameter names in place of values. */
  template?: string;
  /** The operation that ran on /graphql. */
  graphql?: { kind: 'query' | 'mutation' | 'subscription'; name: string | undefined };
  /** Present where the operator has enabled tracing. */
  span?: Span;
  /** Codes of the errors sent to the caller outside a GraphQL operation. */
  errorCodes?: string[];
}

// The type of the Express request with the members that the pipeline adds.
import type { Span } from '@opentelemetry/api';
import type express from 'express';
import type { RequestContext } from '../access/context.ts';
import type { StatementCount } from '../runtime/statement-count.ts';
import type { ResponseHeaders } from './response.ts';

/** What a request costs: the statements sent for it, and the bytes that its connection had sent before. */
export interface RequestCost {
  statements: StatementCount;
  sentBefore: number;
}

/** The members that the pipeline adds to a request. */
interface PipelineMembers {
  id: string;
  /** Headers collected for the response. */
  responseHeaders: ResponseHeaders;
  context?: RequestContext;
  /** Name of the operation that a route ran. */
  operation?: string;
  /** Path template of the route, with parameter names in place of values. */
  template?: string;
  /** The operation that ran on /graphql. */
  graphql?: { kind: 'query' | 'mutation' | 'subscription'; name: string | undefined; traits?: { deprecatedFields: readonly string[] } };
  /** What it costs so far. */
  cost: RequestCost;
  /** Present where the operator has enabled tracing. */
  span?: Span;
  /** Codes of the errors sent to the caller outside a GraphQL operation. */
  errorCodes?: string[];
}

declare global {
  namespace Express {
    interface Request extends PipelineMembers {}
  }
}

/** A request with the members that the pipeline adds. */
export type RequestWithId = express.Request;

// What a request on /graphql cost, for callers who ask by the header X-GraphQL-Usage.
import type { RequestContext } from '../access/context.ts';
import type { RequestWithId } from './request.ts';

/** The header by which a caller asks, with any value. */
export const USAGE_HEADER = 'x-graphql-usage';

/** The member `usage` of the `extensions` of a response. */
export interface UsageReport {
  /** Price of the operation, and the most it may be. */
  cost: number;
  costLimit: number;
  /** Requests left of the caller's allowance, and its size; null where requests are not limited. */
  requestsLeft: number | null;
  requestsLimit: number | null;
  /** Statements sent to the database, and milliseconds from the first step of the request to the end of its operation. */
  statements: number;
  milliseconds: number;
}

/** Runs a request, counting what it costs where the caller asked. */
export function withUsage<T>(request: RequestWithId, context: RequestContext, run: () => Promise<T>): Promise<T> {
  if (request.headers[USAGE_HEADER] === undefined) return run();
  const { statements } = request.cost;
  context.usage = { began: performance.now(), cost: 0, costLimit: 0, statements, sentBefore: statements.sent };
  return run();
}

/** The `extensions` of a response; none where the caller did not ask. */
export function usageExtensions({ usage, allowance }: RequestContext): { extensions?: { usage: UsageReport } } {
  if (!usage) return {};
  const left = allowance?.();
  return {
    extensions: {
      usage: {
        cost: usage.cost,
        costLimit: usage.costLimit,
        requestsLeft: left?.remaining ?? null,
        requestsLimit: left?.limit ?? null,
        statements: usage.statements.sent - usage.sentBefore,
        milliseconds: Math.round((performance.now() - usage.began) * 1_000) / 1_000,
      },
    },
  };
}

// The steps of a request before its operation, in the one order both endpoints keep: authenticate, authorise, take from the allowance, read
// the body. Each refuses before the next costs anything; an endpoint then runs its operation and renders the answer.
import { authorise } from '../access/authorise.ts';
import type { RequestContext, Services } from '../access/context.ts';
import type { Principal, RoleName } from '../access/principal.ts';
import { networkOf, requestContext } from './authentication.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RequestWithId } from './request.ts';

/** What an endpoint says of its requests. */
export interface Steps<Body> {
  /** The caller, by the credential headers of the endpoint; null where a request needs none. */
  authenticate(): Principal | null | Promise<Principal | null>;
  /** Roles of which the caller needs one for all that is asked; absent where each field decides for itself. */
  roles?: readonly RoleName[];
  /** Whether callers spell fields as the REST routes do. */
  isRest: boolean;
  /** Reads what the endpoint takes of the body. */
  readBody(): Promise<Body>;
}

/** Takes a request through the steps; what a step refuses is thrown as a GatewayError. */
export async function passSteps<Body>(
  { services, rateLimit }: { services: Services; rateLimit: RateLimit },
  request: RequestWithId,
  { authenticate, roles, isRest, readBody }: Steps<Body>,
): Promise<{ context: RequestContext; body: Body }> {
  const found = authenticate();
  // A key that was looked up in the last seconds is known without a promise.
  const principal = found instanceof Promise ? await found : found;
  const context = requestContext(services, request.id, principal, request.ip ?? null, isRest);
  request.context = context;
  if (roles) authorise(context, roles);
  rateLimit.take(principal?.identity ?? networkOf(request.ip ?? ''), request.gathered, services.clock.now());
  return { context, body: await readBody() };
}

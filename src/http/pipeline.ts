// The steps of a request before its operation, in the same order on both endpoints: authenticate, authorise, take from the allowance, read
// the body. Each can refuse before the next costs anything; the endpoint then runs its operation and renders the answer.
import { authorise } from '../access/authorise.ts';
import type { RequestContext, Services } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import type { RoleName } from '../records/roles.ts';
import { addressOf, networkOf, requestContext } from './authentication.ts';
import { requireFreshness } from './consistency.ts';
import { requireOneKey } from './idempotency.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RequestWithId } from './request.ts';

/** The parts of the steps in which the endpoints differ. */
export interface Steps<Body> {
  /** The caller, by the credential headers of the endpoint; null where a request needs none. */
  authenticate(): Principal | null | Promise<Principal | null>;
  /** Roles of which the caller needs one for the whole request; absent where each field checks its own. */
  roles?: readonly RoleName[];
  /** Whether callers name fields in snake case, as the REST routes do. */
  isRest: boolean;
  /** Reads the body in the form the endpoint accepts. */
  readBody(): Promise<Body>;
}

/** Has `leave` called when the connection of a request ends before its answer; returns the function that ends that. */
function onClose({ res: response }: RequestWithId, leave: () => void): () => void {
  if (!response || response.destroyed) leave();
  response?.once('close', leave);
  return () => void response?.off('close', leave);
}

/** Runs a request through the steps; a step that refuses throws a GatewayError. */
export async function passSteps<Body>(
  { services, rateLimit }: { services: Services; rateLimit: RateLimit },
  request: RequestWithId,
  { authenticate, roles, isRest, readBody }: Steps<Body>,
): Promise<{ context: RequestContext; body: Body }> {
  const found = authenticate();
  // A key that was looked up in the last 5 s is found without a promise.
  const principal = found instanceof Promise ? await found : found;
  const address = addressOf(request, services.config.trustedProxies);
  const context = requestContext(services, request.id, principal, address || null, isRest);
  request.context = context;
  context.onLeave = (leave) => onClose(request, leave);
  requireFreshness(context, request.headers['x-consistency-token']);
  if (roles) authorise(context, roles);
  const key = principal?.identity ?? networkOf(address);
  rateLimit.take(key, request.gathered, services.clock.now());
  requireOneKey(request);
  if (principal) context.allowance = () => rateLimit.left(key, services.clock.now());
  return { context, body: await readBody() };
}

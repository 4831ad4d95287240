// The steps of a request before its operation, in the same order on both endpoints: authenticate, authorise, take from the allowance, wait for
// its turn, read the body. Each can reject before the next costs anything; the endpoint then runs its operation and renders the response.
import type { AllowanceLeft } from '../access/allowance.ts';
import { authorise } from '../access/authorise.ts';
import type { RequestContext, Services } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import { type Client, objectsIn, ownerOf, RequestTurn, type RequestTurns } from '../access/request-turn.ts';
import type { RoleName } from '../records/roles.ts';
import type { OnLeave } from '../runtime/turns.ts';
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
  readBody(turn: RequestTurn): Promise<Body>;
}

/** Has `leave` called when the connection of a request ends before its response; returns the function that ends that. */
function onClose({ res: response }: RequestWithId, leave: () => void): () => void {
  if (!response || response.destroyed) leave();
  response?.once('close', leave);
  return () => void response?.off('close', leave);
}

/** The connection of a request, which waits for its client while the body arrives and when the response is made. */
const clientOf = (request: RequestWithId): Client => ({
  carried: () => {
    const { socket, complete, readableLength, res: response } = request;
    const isAwaited = (!complete && readableLength === 0) || (response?.writableLength ?? 0) > 0;
    return isAwaited ? socket.bytesRead + socket.bytesWritten : undefined;
  },
  end: () => request.socket.destroy(),
});

/** The bytes of a body by its head. A form without a length counts as the largest; another body is weighed when it has been read. */
function announcedBytes({ headers }: RequestWithId): number {
  if (headers['transfer-encoding'] === undefined) return Number(headers['content-length'] ?? 0);
  return /^multipart\//i.test(headers['content-type'] ?? '') ? Number.POSITIVE_INFINITY : 0;
}

/** Runs a request through the steps; a step that rejects throws a GatewayError. */
export async function passSteps<Body>(
  { services, rateLimit, turns }: { services: Services; rateLimit: RateLimit; turns: RequestTurns },
  request: RequestWithId,
  { authenticate, roles, isRest, readBody }: Steps<Body>,
): Promise<{ context: RequestContext; body: Body }> {
  const found = authenticate();
  // A key that was looked up in the last 5 s is found without a promise.
  const principal = found instanceof Promise ? await found : found;
  const address = addressOf(request, services.config.trustedProxies);
  const context = requestContext(services, request.id, principal, address || null, isRest);
  request.context = context;
  // Not a literal in the assignment: V8 allocates that among the old objects, and it keeps 8 kB of each request until the next full collection.
  const onLeave: OnLeave = (leave) => onClose(request, leave);
  context.onLeave = onLeave;
  requireFreshness(context, request.headers['x-consistency-token']);
  if (roles) authorise(context, roles);
  const key = principal?.identity ?? networkOf(address);
  rateLimit.take(key, request.responseHeaders, services.clock.now());
  requireOneKey(request);
  const allowance = (): AllowanceLeft | null => rateLimit.left(key, services.clock.now());
  if (principal) context.allowance = allowance;
  const owner = ownerOf(principal, key);
  request.cost.statements.owner = owner;
  const turn = new RequestTurn(turns, owner, context.onLeave, clientOf(request));
  context.turn = turn;
  request.res?.once('prefinish', () => turn.made());
  // A thousand requests may arrive at once, and rejecting one takes as long as preparing it.
  const first = turn.start();
  if (first) await first;
  // Before the body is read, so that bodies that wait are not in memory.
  const waiting = turn.arriving(objectsIn(announcedBytes(request)));
  if (waiting) await waiting;
  const body = await readBody(turn);
  // The files of a form are stored while they arrive, after these steps.
  if (request.complete) turn.arrived();
  else request.once('end', () => turn.arrived());
  const start = turn.start();
  if (start) await start;
  return { context, body };
}

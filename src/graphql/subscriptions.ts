// Operations over WebSocket on /graphql (the graphql-transport-ws protocol) and subscriptions over SSE, with the credentials, allowances, limits and error
// format of HTTP requests.
import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError, getOperationAST, parse } from 'graphql';
import { type Context, GRAPHQL_TRANSPORT_WS_PROTOCOL, type SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { RequestContext, Services } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import { type Client, ownerOf, RequestTurn } from '../access/request-turn.ts';
import { addressOf, authenticateAny, credentialsIn, networkOf, requestContext } from '../http/authentication.ts';
import { isPlainObject } from '../records/checked.ts';
import { GatewayError } from '../records/errors.ts';
import { owned } from '../runtime/owned.ts';
import { endable } from '../runtime/poll.ts';
import { countingStatements } from '../runtime/statement-count.ts';
import type { OnLeave } from '../runtime/turns.ts';
import { priceOf } from './admission.ts';
import { formatError, type GraphqlRuntime, runnableOf, runPriced } from './apollo.ts';
import type { GivenDocument } from './documents/documents.ts';
import { coerceVariables } from './executor.ts';
import { runOnce } from './idempotent-mutations.ts';
import { operationLimits } from './query-cost.ts';
import { Messages, socketLimits, TOO_MANY } from './subscriptions/messages.ts';
import { type OpenOperation, OpenOperations } from './subscriptions/open-operations.ts';
import { asGraphqlError, type StreamArgs, Streams } from './subscriptions/streams.ts';

/** Close codes of connections that are rejected for another reason than their credential; the client may try again. */
const closeReasons: Partial<Record<string, [code: number, reason: string]>> = {
  RATE_LIMIT_EXCEEDED: [TOO_MANY, 'Too many wrong credentials'],
  // 1013 is "try again later" of the registry of RFC 6455.
  SERVICE_UNAVAILABLE: [1_013, 'Try again later'],
};

/** How long a client may take to respond to the close frame. */
const CLOSE_MS = 1_000;

/** The WebSocket side of `/graphql`. */
export interface Subscriptions {
  /** Whether to upgrade a request. Any other upgrade header is ignored and the request served over HTTP (RFC 9110 section 7.8). */
  takes(request: IncomingMessage): boolean;
  /** Takes over an upgraded connection of the HTTP server, or rejects it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The results of a subscription whose caller reads them as events; throws where HTTP rejects the request. */
  events(given: EventRequest): Promise<AsyncIterableIterator<ExecutionResult>>;
  /** Ends every stream and connection, so that the HTTP server can close. */
  close(): Promise<void>;
}

/** A subscription over SSE. Its request has passed the steps of HTTP requests. */
export interface EventRequest {
  request: IncomingMessage;
  context: RequestContext;
  payload: OperationPayload;
}

/** What a client sends to run an operation. */
export interface OperationPayload extends GivenDocument {
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

type Connection = Context<Record<string, unknown> | undefined, Extra>;

/**
 * The caller, by the headers of the upgrade or, since a browser cannot set those, by members of the same names in the connection's parameters.
 * Those name credentials alone: what proxies report, such as the address, is in the headers.
 */
async function principalOf(
  services: Services,
  { extra, connectionParams }: Pick<Connection, 'extra' | 'connectionParams'>,
): Promise<Principal | null> {
  const { headers, socket } = extra.request;
  return authenticateAny(services, { headers: { ...headers, ...credentialsIn(connectionParams ?? {}) }, socket });
}

/** Open connections by address. */
class Connections {
  readonly #open = new Map<string, number>();

  /** Counts a new connection of an address until `remove`; false when the address has too many. */
  add(address: string): boolean {
    const open = this.#open.get(address) ?? 0;
    if (open >= socketLimits.connections) return false;
    this.#open.set(address, open + 1);
    return true;
  }

  remove(address: string): void {
    const left = this.#open.get(address)! - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}

/** What waits for the ends of the operations of connections: their turns, until the result is sent. */
class OperationEnds {
  readonly #waiting = new WeakMap<Connection, Map<string, Set<() => void>>>();

  /** Has `leave` called when an operation of a connection has ended or its connection has. */
  on(connection: Connection, id: string): OnLeave {
    return (leave) => {
      const operations = this.#waiting.get(connection) ?? new Map<string, Set<() => void>>();
      this.#waiting.set(connection, operations);
      const leaves = operations.get(id) ?? new Set();
      operations.set(id, leaves.add(leave));
      return () => void leaves.delete(leave);
    };
  }

  /** Ends an operation of a connection, or all of them. */
  end(connection: Connection, id?: string): void {
    const operations = this.#waiting.get(connection);
    for (const one of id === undefined ? [...(operations?.keys() ?? [])] : [id]) {
      for (const leave of operations?.get(one) ?? []) leave();
      operations?.delete(one);
    }
  }
}

/** The connection as what its operations wait for while results are not taken. */
const clientOf = ({ extra: { socket, request } }: Connection): Client => ({
  carried: () => (socket.bufferedAmount > 0 ? request.socket.bytesWritten : undefined),
  end: () => socket.terminate(),
});

/** Makes the WebSocket endpoint. It does not listen itself: the HTTP server passes its upgrades. */
export function openSubscriptions(services: Services, runtime: GraphqlRuntime): Subscriptions {
  const connections = new Connections();
  const ends = new OperationEnds();
  const operations = new OpenOperations((text) => parse(text, { maxTokens: operationLimits.tokens }));
  const streams = new Streams(2 * operationLimits.cost);
  const messages = new Messages(services.clock);
  /** The open ones of SSE; the WebSocket server has its own. */
  const eventStreams = new Set<AsyncIterableIterator<ExecutionResult>>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.messageBytes,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  const ending = useServer<Record<string, unknown> | undefined>(
    {
      connectionInitWaitTimeout: socketLimits.initSeconds * 1_000,
      jsonMessageReviver: () => messages.last,
      onConnect: (connection) =>
        principalOf(services, connection as Connection).then(
          () => true,
          (error: unknown) => {
            const reason = closeReasons[publicError(services, asGraphqlError(error)).extensions?.code as string];
            if (reason) (connection as Connection).extra.socket.close(...reason);
            return false;
          },
        ),
      async onSubscribe(given, id, payload) {
        const connection = given as Connection;
        const { socket } = connection.extra;
        // What follows stays with the client until this is admitted: a process cannot hold what all clients would send until then.
        messages.hold(connection.extra);
        const prepared = await prepare(services, { ...runtime, operations }, connection, ends.on(connection, id), payload).catch(
          (error: unknown) => [asGraphqlError(error)],
        );
        messages.release(connection.extra);
        if (Array.isArray(prepared) || socket.readyState !== socket.OPEN) ends.end(connection, id);
        return prepared;
      },
      execute: (args) => (args as StreamArgs).run!(),
      subscribe: (args) => streams.open(args as StreamArgs) as never,
      onError: (_connection, _id, _payload, errors) => errors.map((error) => publicError(services, error)),
      onComplete: (connection, id) => ends.end(connection as Connection, id),
      onClose: (connection) => ends.end(connection as Connection),
      onNext: (_connection, _id, _payload, _args, result) => (result.errors ? withPublicErrors(services, result) : undefined) as never,
    },
    server,
  );
  const takes = ({ url, headers }: IncomingMessage): boolean =>
    url?.split('?', 1)[0] === '/graphql' && headers.upgrade?.toLowerCase() === 'websocket';
  return {
    takes,
    upgrade(request, socket, head) {
      // Node before 24.9 does not call `takes`.
      if (!takes(request)) {
        refuse(socket, '404 Not Found');
        return;
      }
      const address = networkOf(addressOf(request, services.config.trustedProxies));
      if (!connections.add(address)) {
        refuse(socket, '429 Too Many Requests', 'Retry-After: 1\r\n');
        return;
      }
      // A rejected upgrade ends its socket too.
      socket.once('close', () => connections.remove(address));
      server.handleUpgrade(request, socket, head, (client) => {
        server.emit('connection', client, request);
        messages.bound({ socket: client, request });
        // ws has already responded to a broken frame and closed. The error listener of graphql-ws would print a stack for each one.
        owned(client.removeAllListeners('error'));
      });
    },
    async events({ request, context, payload }) {
      const address = networkOf(addressOf(request, services.config.trustedProxies));
      if (!connections.add(address)) {
        const message = `an address may have at most ${socketLimits.connections} connections with subscriptions open`;
        throw new GatewayError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds: 1 });
      }
      const renew = async (): Promise<RequestContext> =>
        requestContext(services, randomUUID(), await authenticateAny(services, request), context.ip);
      // A stream outlives the position of the log that its request asked for, so it reads from the primary. It would also hold turns indefinitely.
      context.freshness = undefined;
      context.turn?.continues();
      let close = (): void => connections.remove(address);
      let source: ExecutionResult | AsyncIterableIterator<ExecutionResult>;
      try {
        const text = runtime.documents.textFor(payload);
        const operation = operations.add(ownerOf(context.principal, networkOf(context.ip ?? '')).name, payload, text);
        close = () => {
          connections.remove(address);
          operation.leave();
        };
        const args = admit(runtime, context, renew, payload, operation);
        const refusal = 'refused' in args && args.refused?.[0]?.originalError;
        if (refusal instanceof GatewayError) throw refusal;
        source = 'contextValue' in args ? await streams.open(args) : { errors: args };
      } catch (error) {
        if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') {
          close();
          throw error;
        }
        source = { errors: [asGraphqlError(error)] };
      }
      const results = Symbol.asyncIterator in source ? source : once(source);
      const end = (): void => {
        if (eventStreams.delete(ended)) close();
        void results.return?.();
      };
      async function* published(): AsyncGenerator<ExecutionResult, void> {
        try {
          for await (const result of results) yield withPublicErrors(services, result);
        } finally {
          end();
        }
      }
      const ended = endable(published(), end);
      eventStreams.add(ended);
      return ended;
    },
    close: async () => {
      streams.close();
      for (const one of eventStreams) void one.return?.();
      const leaving = setTimeout(() => {
        for (const client of server.clients) client.terminate();
      }, CLOSE_MS);
      await ending.dispose();
      clearTimeout(leaving);
    },
  };
}

/** Rejects an upgrade and destroys its socket, because the caller may never close its side. */
function refuse(socket: Duplex, status: string, headers = ''): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

function publicError(services: Services, error: GraphQLError): GraphQLFormattedError {
  const formatted = formatError(error.toJSON(), error);
  if (formatted.extensions?.code === 'INTERNAL_ERROR') services.log.error({ err: error.originalError ?? error }, 'subscription failed');
  return formatted;
}

/** A result with errors as clients get them. Those of a mutation were formatted before its response was stored for retries. */
const withPublicErrors = (services: Services, result: ExecutionResult): ExecutionResult =>
  result.errors
    ? { ...result, errors: result.errors.map((error) => (error instanceof GraphQLError ? publicError(services, error) : error)) as never }
    : result;

/** The result of a query or mutation. What rejects it is a result too: an error thrown to graphql-ws would end the connection. */
async function resultOf(run: () => ExecutionResult | Promise<ExecutionResult>): Promise<ExecutionResult> {
  try {
    return await run();
  } catch (error) {
    return { errors: [asGraphqlError(error)] };
  }
}

async function* once(result: ExecutionResult): AsyncGenerator<ExecutionResult, void> {
  yield result;
}

async function prepare(
  services: Services,
  runtime: GraphqlRuntime & { operations: OpenOperations },
  connection: Connection,
  onLeave: OnLeave,
  payload: SubscribePayload,
): Promise<StreamArgs | readonly GraphQLError[]> {
  if (Object.keys(connection.subscriptions).length > socketLimits.subscriptions)
    throw new GatewayError('QUERY_TOO_COMPLEX', `a connection may have at most ${socketLimits.subscriptions} operations open`);
  const address = addressOf(connection.extra.request, services.config.trustedProxies);
  const renew = async (): Promise<RequestContext> =>
    requestContext(services, randomUUID(), await principalOf(services, connection), address);
  const contextValue = await renew();
  const network = networkOf(address);
  const { principal } = contextValue;
  runtime.rateLimit.take(principal?.identity ?? network, { setHeader: () => {} }, services.clock.now());
  const owner = ownerOf(principal, network);
  const operation = runtime.operations.add(owner.name, payload, runtime.documents.textFor(payload));
  onLeave(operation.leave);
  contextValue.onLeave = onLeave;
  contextValue.turn = new RequestTurn(runtime.turns, owner, onLeave, clientOf(connection));
  // Many messages arrive at once, and a new document takes milliseconds to check.
  const start = contextValue.turn.start();
  if (start) await start;
  return admit(runtime, contextValue, renew, payload, operation);
}

/** Runs a query or mutation as an owner of its own, because the connection that carries it is not an owner. */
const asOwner = <T>({ principal, ip }: RequestContext, run: () => T): T =>
  countingStatements({ sent: 0, owner: ownerOf(principal, networkOf(ip ?? '')) }, run);

/** Admits the operation of a client and coerces its variables. */
function admit(
  runtime: GraphqlRuntime,
  contextValue: RequestContext,
  renew: StreamArgs['renew'],
  payload: OperationPayload,
  opened: OpenOperation,
): StreamArgs | readonly GraphQLError[] {
  const { schema, executor, admission } = runtime;
  const { principal } = contextValue;
  const variables = payload.variables ?? {};
  if (!isPlainObject(variables)) throw new GatewayError('INVALID_PARAMS', 'variables must be an object', { field: 'variables' });
  const { text } = opened;
  const document = opened.document();
  const operationName = payload.operationName ?? null;
  const node = getOperationAST(document, operationName);
  if (!node) throw new GatewayError('INVALID_PARAMS', 'the operation is not in the document', { field: 'operationName' });
  const errors = admission.errors(document, principal).map(asGraphqlError);
  if (errors.length > 0 && principal) return errors;
  const args = { schema, document, operationName, contextValue, renew };
  if (node.operation !== 'subscription') {
    if (errors.length > 0) return { ...args, run: () => ({ errors }) };
    const runnable = runnableOf(runtime, { document, node, name: operationName ?? undefined, key: hash('sha256', text) });
    const given = { text, document, operation: node, variables: payload.variables, operationName };
    const execute = async (): Promise<ExecutionResult> =>
      withPublicErrors(contextValue.services, await resultOf(() => runPriced(runtime, runnable, variables, contextValue)));
    const run = (): Promise<ExecutionResult> => resultOf(() => runOnce(contextValue, given, execute));
    return { ...args, run: () => asOwner(contextValue, run) };
  }
  if (errors.length > 0) return { ...args, refused: errors };
  const operation = executor.interpret(document, operationName ?? undefined);
  const variableValues = coerceVariables(operation, variables, contextValue);
  const price = priceOf(admission.operation(document, node), variableValues, principal);
  return { ...args, variableValues, price };
}

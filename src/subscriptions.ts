// Subscriptions over WebSocket on /graphql: the graphql-transport-ws protocol, with the credentials, limits and error form of the HTTP door.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import { type Context, GRAPHQL_TRANSPORT_WS_PROTOCOL, type SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Principal } from './core/access.ts';
import type { RequestContext, Services } from './core/context.ts';
import { GatewayError } from './core/errors.ts';
import { coerceVariables, type Executor } from './core/executor.ts';
import { endable } from './core/follow.ts';
import { checkCost, checkOperation, operationLimits } from './core/limits.ts';
import { owned } from './core/owned.ts';
import { authenticateAny, requestContext } from './core/request.ts';
import { formatError } from './graphql-door.ts';

/** Largest message a client may send. */
const MOST_BYTES = 262_144;
/** Operations one connection may have open. */
const MOST_OPERATIONS = 100;

/** How long a client may take to answer that its connection is closed. */
const GOODBYE_MS = 1_000;

/** The WebSocket side of `/graphql`. */
export interface Subscriptions {
  /** Whether a request asks for a protocol that is offered where it asks; any other is served as if it had not asked (RFC 9110 section 7.8). */
  takes(request: IncomingMessage): boolean;
  /** Takes an upgraded connection of the HTTP server over, or refuses it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends every stream and connection, so that the HTTP server can close. */
  close(): Promise<void>;
}

type Connection = Context<Record<string, unknown> | undefined, Extra>;

/** A source's payloads belong to one operation; what it was asked with is kept beside graphql's own arguments. */
interface StreamArgs extends ExecutionArgs {
  contextValue: RequestContext;
  renew: () => Promise<RequestContext>;
}

/** The caller by the headers of the upgrade or, where a browser cannot set those, by members of the same names in the connection's parameters. */
async function principalOf(
  services: Services,
  { extra, connectionParams }: Pick<Connection, 'extra' | 'connectionParams'>,
): Promise<Principal | null> {
  const given = Object.entries(connectionParams ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
  );
  return authenticateAny(services, { headers: { ...extra.request.headers, ...Object.fromEntries(given) } } as IncomingMessage);
}

/** Opens the door; nothing listens until the HTTP server hands over connections. */
export function openSubscriptions(services: Services, schema: GraphQLSchema, executor: Executor): Subscriptions {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  const ending = useServer<Record<string, unknown> | undefined>(
    {
      onConnect: (connection) =>
        principalOf(services, connection as Connection).then(
          () => true,
          () => false,
        ),
      onSubscribe: (connection, _id, payload) =>
        prepare(services, schema, executor, connection as Connection, payload).catch((error: unknown) => [asGraphqlError(error)]),
      subscribe: (args) => stream(args as StreamArgs) as never,
      onError: (_connection, _id, _payload, errors) => errors.map((error) => publicForm(services, error)),
      onNext: (_connection, _id, _payload, _args, result) =>
        (result.errors ? { ...result, errors: result.errors.map((error) => publicForm(services, error)) } : undefined) as never,
    },
    server,
  );
  const takes = ({ url, headers }: IncomingMessage): boolean =>
    url?.split('?', 1)[0] === '/graphql' && headers.upgrade?.toLowerCase() === 'websocket';
  return {
    takes,
    upgrade(request, socket, head) {
      // A Node before 24.9 does not ask `takes`.
      if (!takes(request)) {
        // The caller may leave its side open for ever.
        socket.once('finish', () => socket.destroy());
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (client) => {
        server.emit('connection', client, request);
        // By then ws has told the caller and closed; graphql-ws would print a stack for each broken frame of a stranger.
        owned(client.removeAllListeners('error'));
      });
    },
    close: async () => {
      const leaving = setTimeout(() => {
        for (const client of server.clients) client.terminate();
      }, GOODBYE_MS);
      await ending.dispose();
      clearTimeout(leaving);
    },
  };
}

const asGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : new GraphQLError((error as Error).message, { originalError: error as Error });

function publicForm(services: Services, error: GraphQLError): GraphQLFormattedError {
  const form = formatError(error.toJSON(), error);
  if (form.extensions?.code === 'INTERNAL_ERROR') services.log.error({ err: error.originalError ?? error }, 'subscription failed');
  return form;
}

async function prepare(
  services: Services,
  schema: GraphQLSchema,
  executor: Executor,
  connection: Connection,
  payload: SubscribePayload,
): Promise<StreamArgs | readonly GraphQLError[]> {
  if (Object.keys(connection.subscriptions).length > MOST_OPERATIONS)
    throw new GatewayError('QUERY_TOO_COMPLEX', `a connection may have at most ${MOST_OPERATIONS} operations open`);
  const document = parse(payload.query, { maxTokens: operationLimits.tokens });
  const errors = validate(schema, document);
  if (errors.length > 0) return errors;
  const node = getOperationAST(document, payload.operationName);
  if (!node) throw new GatewayError('INVALID_PARAMS', 'the operation is not in the document', { field: 'operationName' });
  if (node.operation !== 'subscription')
    throw new GatewayError('INVALID_PARAMS', 'only subscriptions use the WebSocket; send queries and mutations by POST', {
      field: 'query',
    });
  const renew = async (): Promise<RequestContext> =>
    requestContext(services, randomUUID(), await principalOf(services, connection), connection.extra.request.socket.remoteAddress ?? null);
  const contextValue = await renew();
  const cost = checkOperation(schema, document, node);
  const variableValues = coerceVariables(
    executor.compile(document, payload.operationName ?? undefined),
    payload.variables ?? {},
    contextValue,
  );
  checkCost(cost, variableValues);
  return { schema, document, operationName: payload.operationName, contextValue, variableValues, renew };
}

/** The answers of a subscription. Each is made in a context of its own, for which the key is looked up again: a revoked one ends the stream. */
async function stream(args: StreamArgs): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> {
  const { schema, document, operationName, variableValues } = args as StreamArgs & { document: DocumentNode };
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const payloads = source as AsyncIterableIterator<unknown>;
  async function* answers(): AsyncGenerator<ExecutionResult, void> {
    try {
      for await (const rootValue of payloads) {
        const contextValue = await args.renew();
        if (!contextValue.principal) throw new GatewayError('UNAUTHENTICATED', 'the key is no longer valid');
        yield await execute({ schema, document, operationName, variableValues, contextValue, rootValue });
      }
    } catch (error) {
      yield { errors: [asGraphqlError(error)] };
    }
  }
  return endable(answers(), () => payloads.return?.());
}

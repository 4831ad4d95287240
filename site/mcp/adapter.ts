// `POST /mcp`: agents by the Model Context Protocol, over Streamable HTTP without sessions. A request passes the steps of every other one.
import type { Request, Response } from 'express';
import { publicError, refusalHeaders, statusOf } from '../../rest-compat/runtime/error-bodies.ts';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { authenticate } from '../../src/http/authentication.ts';
import { readJson } from '../../src/http/json-body.ts';
import { passSteps } from '../../src/http/pipeline.ts';
import { sendResponse } from '../../src/http/response.ts';
import { type ErrorCode, GatewayError } from '../../src/records/errors.ts';
import { publicOrigin } from '../../src/security/signed-urls.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';
import { isAllowedOrigin } from '../../src/server/cross-origin.ts';
import type { DocumentationOf } from '../pages/documentation.ts';
import { toolServer } from './tools.ts';

const PATH = '/mcp';
/** Where RFC 9728 has clients look for the issuer of tokens for this path. */
const METADATA_PATH = `/.well-known/oauth-protected-resource${PATH}`;

/** Errors of JSON-RPC for what is wrong with a message itself; every other error has the first code that servers may choose. */
const rpcCodes: Partial<Record<ErrorCode, number>> = { INVALID_JSON: -32_700, INVALID_PARAMS: -32_600, INTERNAL_ERROR: -32_603 };
const SERVER_ERROR = -32_000;

/** The adapter of agents, who search and read the same documentation as everybody. */
export const mcpAdapter =
  (documentationOf: DocumentationOf): Adapter =>
  (app, options) => {
    const { oidcIssuer } = options.services.config;
    const origin = publicOrigin(options.services.config);
    if (oidcIssuer !== undefined)
      app.get(METADATA_PATH, (_request, response) => {
        response.json({ resource: origin + PATH, authorization_servers: [oidcIssuer], bearer_methods_supported: ['header'] });
      });
    const challenge = oidcIssuer === undefined ? 'Bearer' : `Bearer resource_metadata="${origin}${METADATA_PATH}"`;
    app.all(PATH, (request, response, next) => {
      respond(documentationOf, options, request, response).catch(next);
    });
    app.use(PATH, (thrown: unknown, request: Request, response: Response, _next: unknown) => {
      const error = publicError(thrown);
      const status = statusOf(error.code);
      request.errorCodes = [error.code];
      if (status >= 500) options.services.log.error({ err: thrown, requestId: request.id }, 'request failed');
      const { code, message } = error;
      const body = {
        jsonrpc: '2.0',
        id: null,
        error: { code: rpcCodes[code] ?? SERVER_ERROR, message, data: { code, requestId: request.id } },
      };
      const headers = { ...refusalHeaders(error, status), ...(status === 401 ? { 'WWW-Authenticate': challenge } : {}) };
      sendResponse(request, response, { status, headers, body: JSON.stringify(body) });
    });
  };

async function respond(documentationOf: DocumentationOf, options: AdapterOptions, request: Request, response: Response): Promise<void> {
  const { services } = options;
  request.template = PATH;
  if (request.method !== 'POST')
    throw new GatewayError('METHOD_NOT_ALLOWED', 'method not allowed; use POST, because there are no sessions and no streams here', {
      allow: ['POST'],
    });
  requireAllowedOrigin(options, request);
  const { context, body } = await passSteps(options, request, {
    authenticate: () => authenticate(services, request, 'bearer'),
    isRest: false,
    readBody: (turn) => readJson(request, operationLimits.bodyMegabytes * 1_048_576, turn),
  });
  if (Array.isArray(body)) throw new GatewayError('INVALID_PARAMS', 'a request has one message; batches are not supported');
  if (typeof body !== 'object' || body === null) throw new GatewayError('INVALID_JSON', 'the body must be one JSON-RPC message');
  context.isReadOnly = !context.principal!.roles.has('AGENT_WRITE');
  // Loaded with the first request: it takes memory that a gateway without agents does not need.
  const protocol = await import('@modelcontextprotocol/server');
  const call = { options, documentation: documentationOf(options), request, context, origin: publicOrigin(services.config) };
  let failure: unknown;
  const { fetch } = protocol.createMcpHandler(() => toolServer(protocol, call), {
    // A subscription would be a stream that never ends.
    maxSubscriptions: 0,
    onerror: (error) => {
      failure = error;
    },
  });
  const result = await fetch(new Request(call.origin + PATH, { method: 'POST', headers: protocolHeaders(request) }), {
    parsedBody: body,
  });
  if (result.status >= 500) throw failure ?? new Error('the server of the protocol has failed');
  const type = result.headers.get('content-type');
  sendResponse(request, response, {
    status: result.status,
    headers: type === null ? {} : { 'Content-Type': type },
    body: await result.text(),
  });
}

/** Rejects pages of other origins, as the protocol demands: a page that has its name resolve to this machine could call it otherwise. */
function requireAllowedOrigin({ services }: AdapterOptions, { headers: { origin } }: Request): void {
  if (origin !== undefined && origin !== publicOrigin(services.config) && !isAllowedOrigin(services.config, origin))
    throw new GatewayError('FORBIDDEN', 'pages of this origin may not call the gateway', { header: 'Origin' });
}

/** The headers that the protocol reads. */
const protocolHeaders = ({ headers }: Request): Headers =>
  new Headers(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => /^(accept|content-type|mcp-.+)$/.test(entry[0]) && typeof entry[1] === 'string',
    ),
  );

// An OAuth 2 authorisation server on the loopback interface. It gives a code at once, checks PKCE, takes codes and refresh tokens once, and revokes.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = { clientId: 'gateway', clientSecret: 'a secret: with/signs' };

/** The server. */
export interface AuthorisationServer {
  url: string;
  /** Access token that was given last. */
  token: string;
  /** Rejections by the token endpoint, and refresh tokens it took, in order. */
  refusals: string[];
  renewed: string[];
  /** Seconds its access tokens are valid. */
  expiresIn: number;
  /** Whether it gives refresh tokens. */
  isOffline: boolean;
  /** What the person decides: a code, or `access_denied`. */
  isGranted: boolean;
  /** From now on no refresh token is taken. */
  revoke(): void;
  /** Called with each new access token. */
  onToken: (token: string) => void;
  /** Tokens that were revoked (RFC 7009), in order. */
  revoked: string[];
  /** Awaited before a token is revoked; what it returns is the status of a rejection. */
  beforeRevocation: () => Promise<number | undefined>;
  /** Awaited before a request for tokens is rejected. */
  beforeRefusal: () => Promise<void>;
  stop(): Promise<void>;
}

/** What a code was given for. */
interface Grant {
  challenge: string;
  redirectUri: string;
}

/** Starts a server. */
export async function startAuthorisationServer(): Promise<AuthorisationServer> {
  const codes = new Map<string, Grant>();
  const refreshTokens = new Set<string>();
  const server: AuthorisationServer = {
    url: '',
    token: '',
    refusals: [],
    renewed: [],
    revoked: [],
    beforeRevocation: async () => undefined,
    expiresIn: 1_800,
    isOffline: true,
    isGranted: true,
    revoke: () => refreshTokens.clear(),
    onToken: () => {},
    beforeRefusal: async () => {},
    stop: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const authorise = (query: URLSearchParams, response: ServerResponse): void => {
    const { client_id, response_type, redirect_uri, code_challenge, code_challenge_method, state } = Object.fromEntries(query);
    if (client_id !== CLIENT.clientId || response_type !== 'code' || code_challenge_method !== 'S256' || !redirect_uri || !code_challenge) {
      json(response, 400, { error: 'invalid_request' });
      return;
    }
    const code = randomUUID();
    codes.set(code, { challenge: code_challenge, redirectUri: redirect_uri });
    const back = new URL(redirect_uri);
    if (server.isGranted) back.searchParams.set('code', code);
    else back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', state ?? '');
    response.writeHead(302, { location: back.href }).end();
  };
  /** Why a request for tokens is rejected; undefined takes it, and what it brings is used up. */
  const refusalOf = (form: URLSearchParams): string | undefined => {
    const sent = (name: string): string => form.get(name) ?? '';
    if (sent('grant_type') === 'refresh_token') {
      server.renewed.push(sent('refresh_token'));
      return refreshTokens.delete(sent('refresh_token')) ? undefined : 'refresh token is unknown or was used';
    }
    const grant = codes.get(sent('code'));
    codes.delete(sent('code'));
    if (!grant) return 'code is unknown or was used';
    if (createHash('sha256').update(sent('code_verifier')).digest('base64url') !== grant.challenge) return 'verifier does not fit';
    return sent('redirect_uri') === grant.redirectUri ? undefined : 'redirect URI differs';
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, 'http://server');
    if (pathname === '/authorize') return authorise(searchParams, response);
    const [id, secret] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (id !== CLIENT.clientId || secret !== CLIENT.clientSecret) return json(response, 401, { error: 'invalid_client' });
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (pathname === '/revoke') {
      const rejection = await server.beforeRevocation();
      if (rejection !== undefined) return json(response, rejection, { error: 'temporarily_unavailable' });
      server.revoked.push(form.get('token') ?? '');
      refreshTokens.delete(form.get('token') ?? '');
      response.writeHead(200).end();
      return;
    }
    const refusal = refusalOf(form);
    if (refusal !== undefined) {
      server.refusals.push(refusal);
      await server.beforeRefusal();
      return json(response, 400, { error: 'invalid_grant', error_description: refusal });
    }
    const refreshToken = server.isOffline ? randomUUID() : undefined;
    if (refreshToken) refreshTokens.add(refreshToken);
    server.token = randomUUID();
    server.onToken(server.token);
    json(response, 200, { access_token: server.token, token_type: 'Bearer', expires_in: server.expiresIn, refresh_token: refreshToken });
  };
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

// An OpenID Connect issuer on a loopback port that signs any bytes, counts its calls and can be made to fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';

export const AUDIENCE = 'ledger-gateway';

/** Responds to a call instead of the issuer. */
export type Failing = (request: IncomingMessage, response: ServerResponse) => void;

export interface Issuer {
  url: string;
  /** Claims that are valid for five minutes; given members replace them, undefined ones remove them. */
  claims(more?: Record<string, unknown>): Record<string, unknown>;
  /** A token with claims, or with any other content. */
  sign(content: unknown): Promise<string>;
  /** Paths that were called so far. */
  calls: string[];
  /** From now on calls get this response; undefined restores the normal ones. */
  fail(how: Failing | undefined): void;
  stop(): Promise<void>;
}

/** Starts an issuer. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const calls: string[] = [];
  let failing: Failing | undefined;
  const server = createServer((request, response) => {
    calls.push(request.url!);
    if (failing) {
      failing(request, response);
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.endsWith('/keys') ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    calls,
    claims(more = {}) {
      const now = Math.floor(Date.now() / 1_000);
      return { iss: url, aud: AUDIENCE, sub: 'user-1', iat: now, exp: now + 300, ...more };
    },
    sign: (content) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(content)))
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'JWT' })
        .sign(privateKey),
    fail: (how) => {
      failing = how;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

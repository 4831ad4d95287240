// An OpenID provider on a loopback port, made with `oidc-provider`. People sign in on its pages, and get a JWT for the gateway.

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

export const AUDIENCE = 'https://ledger.example';
const CLIENT = 'console';
const CALLBACK = 'http://127.0.0.1/callback';

export interface IdentityProvider {
  issuer: string;
  /** Signs a person in by the authorization code flow with PKCE; returns the access token for the resource. */
  signIn(person: string, resource?: string): Promise<string>;
  stop(): void;
}

/** Starts a provider that puts the claims of a person into the access tokens. */
export async function startProvider(claims: Record<string, Record<string, unknown>>): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        redirect_uris: [CALLBACK],
        application_type: 'native',
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    extraTokenClaims: (_: unknown, token: { accountId?: string }) => claims[token.accountId ?? ''],
    features: {
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'ledger',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
      },
    },
  });
  server.on('request', provider.callback());

  async function signIn(person: string, resource = AUDIENCE): Promise<string> {
    const verifier = randomBytes(32).toString('base64url');
    const jar = new Map<string, string>();
    /** Follows redirects as a browser does, until the callback; a page gets `submit`. */
    const browse = async (address: string, form?: Record<string, string>): Promise<string> => {
      if (address.startsWith(CALLBACK)) return address;
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const body = form && new URLSearchParams(form);
      const response = await fetch(address, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie },
        ...(body ? { body } : {}),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        jar.set(name!, value!);
      }
      const next = response.headers.get('location');
      if (next) return browse(new URL(next, address).href);
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!prompt) throw new Error(`the provider returned ${response.status}: ${page.replaceAll(/<[^>]+>/g, ' ').slice(0, 400)}`);
      const action = /<form[^>]* action="([^"]+)"/.exec(page)![1]!;
      return browse(new URL(action, address).href, { prompt, login: person, password: 'any' });
    };
    const asked = new URLSearchParams({
      client_id: CLIENT,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid ledger',
      resource,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const returned = new URL(await browse(`${issuer}/auth?${asked}`));
    const code = returned.searchParams.get('code');
    if (!code) throw new Error(`the provider returned ${returned.search}`);
    const form = new URLSearchParams({
      client_id: CLIENT,
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      resource,
    });
    const response = (await (await fetch(`${issuer}/token`, { method: 'POST', body: form })).json()) as { access_token?: string };
    if (!response.access_token) throw new Error(`the provider gave no token: ${JSON.stringify(response)}`);
    return response.access_token;
  }
  return {
    issuer,
    signIn,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

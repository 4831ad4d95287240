// The sign-in of a connection at its source by OAuth 2: the way there and back, and the renewal of access tokens.
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { LockMode } from '@mikro-orm/core';
import * as oauth from 'oauth4webapi';
import type { Services } from '../../access/context.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { GatewayError } from '../../records/errors.ts';
import { publicOrigin } from '../../security/signed-urls.ts';
import type { ConnectorDefinition, SourceHttp } from '../connectors/connector.ts';
import { Connection, type ConnectionKey } from './connection.ts';
import { openCredentials, type Settings, sealCredentials } from './settings.ts';

/** How long an access token must still be valid when a session is opened. */
const FRESH_MS = 60_000;
/** How long one is taken to be valid whose source does not say. */
const UNSAID_SECONDS = 300;
/** How long one process alone may renew a token; longer than a call may take. */
const RENEWAL_MS = 90_000;
/** Wait before looking again whether another process has renewed it. */
const LOOK_AGAIN_MS = 100;

/** A source that is signed in to, with the client of the operator there. */
interface SignInParts {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  authentication: oauth.ClientAuth;
  scope: string;
}

/** The server and client of a source; OPERATION_NOT_SUPPORTED where the operator has no client there. */
function partsOf({ config }: Services, { source, oauth: declared }: ConnectorDefinition): SignInParts {
  const given = config.connectorOauthClients[source];
  if (!declared || !given)
    throw new GatewayError('OPERATION_NOT_SUPPORTED', `the operator has no client at ${source}; see CONNECTOR_OAUTH_CLIENTS`);
  return {
    server: {
      issuer: declared.issuer ?? new URL(declared.authorizationUrl).origin,
      authorization_endpoint: declared.authorizationUrl,
      token_endpoint: declared.tokenUrl,
      ...(declared.revocation?.url === undefined ? {} : { revocation_endpoint: declared.revocation.url }),
    },
    client: { client_id: given.clientId },
    authentication: oauth.ClientSecretBasic(given.clientSecret),
    scope: [...(given.onlyScopes ?? declared.scopes), ...(given.scopes ?? [])].join(' '),
  };
}

const redirectUri = ({ config }: Services): string => `${publicOrigin(config)}/connect/callback`;

/** The library's calls take the way out of connectors, which decides where plain http and private addresses are allowed. */
const through = (http: SourceHttp) => ({
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<'POST', URLSearchParams>,
  ): Promise<Response> => {
    const response = await http({ url, method, headers, body: String(body) });
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  },
});

/** A sign-in that is under way. */
export interface StartedSignIn {
  /** Goes to the source and comes back with the person; begins with the id of the connection. */
  state: string;
  /** Proves at the token endpoint who began it (RFC 7636). */
  verifier: string;
}

/** Starts a sign-in. Returns what is stored of it, and where the person goes. */
export async function startSignIn(
  services: Services,
  definition: ConnectorDefinition,
  id: string,
): Promise<{ started: StartedSignIn; url: string }> {
  const { server, client, scope } = partsOf(services, definition);
  const started = { state: `${id}.${oauth.generateRandomState()}`, verifier: oauth.generateRandomCodeVerifier() };
  const url = new URL(server.authorization_endpoint!);
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri(services),
    scope,
    state: started.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { started, url: url.href };
}

/** The sign-in of a connection that is under way, sealed for its row. */
export const sealSignIn = ({ secrets }: Services, id: string, started: StartedSignIn): string => secrets.seal(JSON.stringify(started), id);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The sign-in of a connection that has this state; undefined where none is under way or it is another. */
export function signInOf({ secrets }: Services, { id, sealedSignIn }: Connection, state: string): StartedSignIn | undefined {
  if (sealedSignIn === null) return undefined;
  const started = JSON.parse(secrets.open(sealedSignIn, id)) as StartedSignIn;
  return timingSafeEqual(digest(started.state), digest(state)) ? started : undefined;
}

/** The tokens of a response, as they are stored among the credentials. A source that does not rotate refresh tokens sends none. */
function tokensOf({ clock }: Services, response: oauth.TokenEndpointResponse): Settings {
  const validMs = (response.expires_in ?? UNSAID_SECONDS) * 1_000;
  return {
    accessToken: response.access_token,
    accessTokenExpiresAt: new Date(clock.now().getTime() + validMs).toISOString(),
    ...(response.refresh_token === undefined ? {} : { refreshToken: response.refresh_token }),
  };
}

/** The rejection of a source in its own words; undefined for any other error. */
const refusalOf = (error: unknown): string | undefined =>
  error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError
    ? [error.error, error.error_description].filter(Boolean).join(': ').slice(0, 300)
    : undefined;

/** An error of the token endpoint that says nothing about the grant. */
function callError(error: unknown): GatewayError {
  // A 401 there is about the client of the operator, not about the person.
  const isClient =
    (error instanceof GatewayError && error.code === 'CONNECTION_EXPIRED') ||
    error instanceof oauth.WWWAuthenticateChallengeError ||
    (error instanceof oauth.ResponseBodyError && error.error === 'invalid_client');
  if (isClient)
    return new GatewayError('PLATFORM_ERROR', 'the source does not accept the client of the operator; see CONNECTOR_OAUTH_CLIENTS');
  if (error instanceof GatewayError) return error;
  const words = refusalOf(error);
  if (words !== undefined) return new GatewayError('PLATFORM_DENIED', `the source rejected the sign-in: ${words}`);
  return new GatewayError('PLATFORM_ERROR', 'the response of the source to the sign-in is not an OAuth 2 response');
}

/** Takes the tokens of a person who has come back. PLATFORM_DENIED with the words of the source where it rejects. */
export async function finishSignIn(
  services: Services,
  definition: ConnectorDefinition,
  { state, verifier }: StartedSignIn,
  returned: URLSearchParams,
  http: SourceHttp,
): Promise<Settings> {
  const { server, client, authentication } = partsOf(services, definition);
  try {
    const parameters = oauth.validateAuthResponse(server, client, returned, state);
    const uri = redirectUri(services);
    const response = await oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, uri, verifier, through(http));
    return tokensOf(services, await oauth.processAuthorizationCodeResponse(server, client, response));
  } catch (error) {
    throw callError(error);
  }
}

/** Revokes the tokens of a sign-in (RFC 7009). A source that knows neither of them has nothing to revoke, and accepts that too. */
export async function revokeTokens(
  services: Services,
  definition: ConnectorDefinition,
  { refreshToken, accessToken }: Settings,
  http: SourceHttp,
): Promise<void> {
  const { server, client, authentication } = partsOf(services, definition);
  try {
    const response = await oauth.revocationRequest(server, client, authentication, (refreshToken ?? accessToken)!, through(http));
    await oauth.processRevocationResponse(response);
  } catch (error) {
    throw callError(error);
  }
}

/** What the renewal of a token needs of a connection, and changes: it continues with the credentials that it has then. */
type SignedIn = ConnectionKey & Pick<Connection, 'sealedCredentials' | 'status'>;

const hasEnded = ({ id }: ConnectionKey): GatewayError => new GatewayError('CONNECTION_DISCONNECTED', `connection ${id} has ended`);

const expired = (): GatewayError => new GatewayError('CONNECTION_EXPIRED', 'the sign-in at the source has ended');

/**
 * The credentials of a connection for a session. Where it signs in, the access token is valid for a minute at least, and the refresh token
 * is not among them. CONNECTION_EXPIRED where the source does not renew it.
 */
export async function sessionCredentials(
  services: Services,
  organisationId: number,
  definition: ConnectorDefinition,
  connection: SignedIn,
  { http, signal }: { http: SourceHttp; signal: AbortSignal },
): Promise<Settings> {
  const stored = openCredentials(services, connection);
  if (!definition.oauth) return stored;
  const credentials = isFresh(services, stored)
    ? stored
    : await renewed(services, organisationId, definition, connection, { http, signal });
  const { refreshToken: _, ...shown } = credentials;
  return shown;
}

/** The credentials after a renewal, by this process or by another one. A token that is short-lived from the start is taken as it comes. */
async function renewed(
  services: Services,
  organisationId: number,
  definition: ConnectorDefinition,
  used: SignedIn,
  { http, signal }: { http: SourceHttp; signal: AbortSignal },
): Promise<Settings> {
  for (;;) {
    const claim = await claimRenewal(services, organisationId, used);
    if (claim !== 'busy')
      return claim.isMine ? renew(services, organisationId, definition, used, claim.credentials, http) : claim.credentials;
    await setTimeout(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** Whether an access token is valid for a minute at least. */
export const isFresh = ({ clock }: Services, { accessToken, accessTokenExpiresAt }: Settings): boolean =>
  accessToken !== undefined && Date.parse(accessTokenExpiresAt!) > clock.now().getTime() + FRESH_MS;

const withoutTokens = ({ accessToken: _, accessTokenExpiresAt: __, refreshToken: ___, ...others }: Settings): Settings => others;

/**
 * Destroys the tokens of an earlier sign-in before those of a new one are stored. They are not revoked: a source may end with them what the same
 * person has allowed again.
 */
export function forgetTokens(services: Services, connection: Connection): void {
  connection.sealedCredentials = sealCredentials(services, connection.id, withoutTokens(openCredentials(services, connection)));
}

/** Work on the stored credentials of a connection. */
type CredentialsWork<T> = (connection: Connection, credentials: Settings) => T;

/** Runs work on the stored credentials of a connection under the lock of its row, also where it has ended. */
const withLockedCredentials = <T>(
  services: Services,
  organisationId: number,
  { id, companyId }: ConnectionKey,
  work: CredentialsWork<T>,
): Promise<T> =>
  organisationTransaction(services.database, organisationId, async (em) => {
    const connection = await em.findOne(Connection, { id, companyId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection) throw hasEnded({ id, companyId });
    return work(connection, openCredentials(services, connection));
  });

/** The same, but not for a connection that has ended since it was read. */
const withCredentials = <T>(services: Services, organisationId: number, used: SignedIn, work: CredentialsWork<T>): Promise<T> =>
  withLockedCredentials(services, organisationId, used, (connection, credentials) => {
    if (connection.status === 'DISCONNECTED' && used.status !== 'DISCONNECTED') throw hasEnded(used);
    return work(connection, credentials);
  });

/** Claims the renewal for this process, before the source is called. The refresh token is used by the process that holds the claim alone. */
const claimRenewal = (
  services: Services,
  organisationId: number,
  used: SignedIn,
): Promise<'busy' | { isMine: boolean; credentials: Settings }> =>
  withCredentials(services, organisationId, used, (connection, credentials) => {
    const now = services.clock.now();
    used.sealedCredentials = connection.sealedCredentials;
    if (isFresh(services, credentials)) return { isMine: false, credentials };
    if (credentials.refreshToken === undefined) throw expired();
    if (connection.renewalUntil && connection.renewalUntil > now) return 'busy';
    connection.renewalUntil = new Date(now.getTime() + RENEWAL_MS);
    return { isMine: true, credentials };
  });

async function renew(
  services: Services,
  organisationId: number,
  definition: ConnectorDefinition,
  used: SignedIn,
  { refreshToken }: Settings,
  http: SourceHttp,
): Promise<Settings> {
  const { server, client, authentication } = partsOf(services, definition);
  /** Ends the claim. Tokens of a sign-in that has come between stay. A connection that has ended in the meantime keeps them to be revoked. */
  const settle = async (change: (credentials: Settings) => Settings): Promise<Settings> => {
    const { credentials, status } = await withLockedCredentials(services, organisationId, used, (connection, stored) => {
      connection.renewalUntil = null;
      if (stored.refreshToken !== refreshToken) return { credentials: stored, status: connection.status };
      const kept = change(stored);
      connection.sealedCredentials = sealCredentials(services, used.id, kept);
      used.sealedCredentials = connection.sealedCredentials;
      return { credentials: kept, status: connection.status };
    });
    if (status === 'DISCONNECTED' && used.status !== 'DISCONNECTED') throw hasEnded(used);
    return credentials;
  };
  let tokens: Settings;
  try {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken!, through(http));
    tokens = tokensOf(services, await oauth.processRefreshTokenResponse(server, client, response));
  } catch (error) {
    const isRefused = error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant';
    // A rejected token is not sent again; after any other error the next session tries it.
    await settle((credentials) => (isRefused ? withoutTokens(credentials) : credentials));
    throw isRefused ? expired() : callError(error);
  }
  return settle((credentials) => ({ ...credentials, ...tokens }));
}

/**
 * Replaces credentials that the source has rejected, where another attempt is worthwhile. That is so where others have been stored since, or where
 * the access token can be renewed, which the next session does. Returns whether it is.
 */
export const replaceCredentials = (services: Services, organisationId: number, used: SignedIn): Promise<boolean> =>
  withCredentials(services, organisationId, used, (connection, credentials) => {
    if (connection.sealedCredentials !== used.sealedCredentials) return true;
    if (credentials.refreshToken === undefined) return false;
    const ended = { ...credentials, accessTokenExpiresAt: services.clock.now().toISOString() };
    connection.sealedCredentials = sealCredentials(services, connection.id, ended);
    return true;
  });

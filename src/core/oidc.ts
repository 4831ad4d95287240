// Bearer tokens of an OpenID Connect issuer as credentials beside our own keys.
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { Role, type RoleName } from './access.ts';

/** What a valid token says of its bearer. */
export interface TokenClaims {
  subject: string;
  organisationName: string;
  roles: RoleName[];
  companyIds: number[] | null;
}

/** Checks a token; null when it is not valid here. */
export type TokenVerifier = (token: string) => Promise<TokenClaims | null>;

// Symmetric algorithms and `none` stay out: the issuer's public keys are all we hold.
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** Verifier for the tokens of an issuer; its keys are found by discovery and cached by the library. */
export function tokenVerifier(issuer: string, audience: string | undefined, now: () => Date): TokenVerifier {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  const discover = async (): Promise<ReturnType<typeof createRemoteJWKSet>> => {
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(5_000),
    });
    const { jwks_uri: address } = (await response.json()) as { jwks_uri: string };
    return createRemoteJWKSet(new URL(address));
  };
  return async (token) => {
    keys ??= discover();
    const keySet = await keys.catch((error: unknown) => {
      // The next token tries again.
      keys = undefined;
      throw error;
    });
    try {
      const { payload } = await jwtVerify(token, keySet, {
        issuer,
        algorithms: ALGORITHMS,
        currentDate: now(),
        requiredClaims: ['exp', 'sub'],
        ...(audience ? { audience } : {}),
      });
      return claimsOf(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };
}

/** Claims: `organisation` (name), `roles` (names of our roles), `company_ids` (numbers, optional). */
function claimsOf(payload: JWTPayload): TokenClaims | null {
  const { organisation, roles, company_ids: companies } = payload;
  if (typeof organisation !== 'string' || !Array.isArray(roles)) return null;
  const known = roles.filter((role): role is RoleName => typeof role === 'string' && role in Role.values && role !== 'ADMIN');
  const limited = Array.isArray(companies) ? companies.filter((id): id is number => Number.isSafeInteger(id)) : null;
  return { subject: String(payload.sub), organisationName: organisation, roles: known, companyIds: limited };
}

// Bearer tokens of an OpenID Connect issuer as credentials in addition to our own keys.
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { GatewayError } from '../records/errors.ts';
import { Role, type RoleName } from '../records/roles.ts';
import { isStorableText } from '../records/storable.ts';

/** The claims of a valid token. */
export interface TokenClaims {
  issuer: string;
  subject: string;
  /** What the token opens of an organisation; null for an operator, whose token opens none. */
  member: TokenMember | null;
}

/** The organisation of a person, and what the person may do there. */
export interface TokenMember {
  organisationName: string;
  roles: RoleName[];
  /** Companies the token is limited to; null means all of the organisation. */
  companyIds: number[] | null;
}

/** The claim that makes an operator: its name, and the value that it is or, as a list, has. */
export interface OperatorClaim {
  name: string;
  value: string;
}

/** Checks a token; null when it is not valid. Throws SERVICE_UNAVAILABLE while the issuer's keys cannot be fetched. */
export type TokenVerifier = (token: string) => Promise<TokenClaims | null>;

// No symmetric algorithms and no `none`, because the gateway has only the issuer's public keys.
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** How long an issuer may take to respond. */
const ISSUER_MS = 5_000;
/** How long no call is made to an issuer that failed; requests that need it are rejected in the meantime. */
const OUTAGE_MS = 10_000;

const text = z.string().min(1).refine(isStorableText);

/**
 * The claims that are read. A claim of the wrong form rejects the token, because a malformed limit must not count as no limit.
 * OpenID Connect Core allows a subject at most 255 characters.
 */
const subjectClaim = z.object({ sub: text.max(255) });
const memberClaims = z.object({
  organisation: text,
  roles: z.array(z.unknown()),
  company_ids: z.array(z.int().positive()).optional(),
});

const isRole = (role: unknown): role is RoleName => typeof role === 'string' && Object.hasOwn(Role.values, role) && role !== 'ADMIN';

/** Settings and callbacks of the verifier. */
export interface VerifierOptions {
  issuer: string;
  audience: string;
  /** Without one no token is that of an operator. */
  operator?: OperatorClaim | undefined;
  now(): Date;
  /** Called once per outage of the issuer. */
  onOutage(cause: unknown): void;
}

/** Verifies tokens of the issuer for the audience; the issuer's keys are found by discovery and cached by the library. */
export function tokenVerifier(options: VerifierOptions): TokenVerifier {
  const { issuer, audience, operator, now } = options;
  const key = issuerKeys(options);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        currentDate: now(),
        requiredClaims: ['exp', 'sub'],
      });
      const { data: who } = subjectClaim.safeParse(payload);
      if (!who) return null;
      if (operator && [payload[operator.name]].flat().includes(operator.value)) return { issuer, subject: who.sub, member: null };
      const { data: member } = memberClaims.safeParse(payload);
      return member ? { issuer, subject: who.sub, member: memberOf(member) } : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  };
}

const memberOf = ({ organisation, roles, company_ids: companyIds }: z.infer<typeof memberClaims>): TokenMember => ({
  organisationName: organisation,
  roles: roles.filter(isRole),
  companyIds: companyIds ?? null,
});

/** Finds the issuer's key for a token. The library's error is thrown when the token names a wrong key; every other error counts as an outage of the issuer. */
function issuerKeys({ issuer, now, onOutage }: VerifierOptions): JWTVerifyGetKey {
  let failedUntil = 0;
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const outage = (): GatewayError =>
    new GatewayError('SERVICE_UNAVAILABLE', 'the issuer of the token is not responding', {
      retryAfterSeconds: Math.max(1, Math.ceil((failedUntil - now().getTime()) / 1_000)),
    });
  const isFailed = (): boolean => now().getTime() < failedUntil;
  /** Every call to the issuer goes through this. */
  const call = async (url: string, init: RequestInit): Promise<Response> => {
    if (isFailed()) throw outage();
    return fetch(url, init);
  };
  const discover = async (): Promise<JWTVerifyGetKey> => {
    const response = await call(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ISSUER_MS),
    });
    const { issuer: named, jwks_uri: address } = (await response.json()) as { issuer: string; jwks_uri: string };
    if (named !== issuer) throw new Error(`the issuer at ${issuer} names itself ${named}`);
    return createRemoteJWKSet(new URL(address), {
      timeoutDuration: ISSUER_MS,
      [customFetch]: (url, init) => call(url, init),
    });
  };
  return async (header, token) => {
    try {
      keys ??= discover().catch((error: unknown) => {
        // A later token tries again.
        keys = undefined;
        throw error;
      });
      return await (await keys)(header, token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      if (!isFailed()) {
        failedUntil = now().getTime() + OUTAGE_MS;
        onOutage(error);
      }
      throw outage();
    }
  };
}

/** Whether the error is of the token: its key is unknown, ambiguous, or does not fit its algorithm. */
const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys || error instanceof errors.JOSENotSupported;

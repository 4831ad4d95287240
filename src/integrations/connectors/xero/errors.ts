// What Xero's rejections mean here, in its own words.
import { GatewayError } from '../../../records/errors.ts';

/** Most characters of its words that an error repeats. */
const MAX_WORDS = 500;

interface Invalid {
  ValidationErrors?: { Message?: string }[] | null;
  HasErrors?: boolean | null;
  HasValidationErrors?: boolean | null;
}

/** The body of a rejection: of the accounting API, or of the gateway before it. */
interface Refusal {
  Type?: string;
  Message?: string;
  Elements?: Invalid[];
  Title?: string;
  Detail?: string;
}

/** What is wrong with a record, in the words of Xero; none where it was taken. */
const problemsOf = ({ ValidationErrors }: Invalid): string[] => (ValidationErrors ?? []).flatMap(({ Message }) => Message ?? []);

function wordsOf({ Message, Elements, Detail, Title }: Refusal): string | undefined {
  const problems = [...new Set((Elements ?? []).flatMap(problemsOf))];
  return (problems.length > 0 ? problems.join('; ') : (Message ?? Detail ?? Title))?.slice(0, MAX_WORDS);
}

/** The error of a response with a status of 4xx; 401 and 429 are handled by `http`. */
export function statusError(status: number, body: unknown): GatewayError {
  const refusal = (typeof body === 'object' && body !== null ? body : {}) as Refusal;
  const words = wordsOf(refusal);
  const platformError = { status, ...(refusal.Type ? { name: refusal.Type } : {}), ...(words ? { message: words } : {}) };
  // The sign-in works, and the organisation does not let this application in any more.
  if (status === 403)
    return new GatewayError('CONNECTION_EXPIRED', 'this sign-in does not reach the organisation in Xero any more', { platformError });
  return new GatewayError('PLATFORM_DENIED', words ?? `Xero rejected it with status ${status}`, { platformError });
}

/** Whether Xero knows the sign-in and rejects what it asks for. An access token that has ended is rejected with another message. */
export const isLackOfScope = (error: unknown): boolean =>
  error instanceof GatewayError &&
  error.code === 'CONNECTION_EXPIRED' &&
  /AuthorizationUnsuccessful|insufficient_scope/.test(JSON.stringify(error.info.platformError ?? null));

/** The error of a sign-in that was not asked for a scope; the others of the connection work. */
export const lacksScope = (path: string, scope: string): GatewayError =>
  new GatewayError('PLATFORM_DENIED', `this sign-in may not read ${path} of Xero: sign in again by the link of the connection (${scope})`, {
    platformError: { name: 'insufficient_scope', message: scope },
  });

/** The rejection of a record in a response of status 200, which Xero returns where it collects errors. Undefined where it took the record. */
export function recordError(row: Invalid): GatewayError | undefined {
  const problems = problemsOf(row);
  if (problems.length === 0 && !row.HasErrors && !row.HasValidationErrors) return undefined;
  const message = problems.join('; ').slice(0, MAX_WORDS) || 'Xero rejected it without a reason';
  return new GatewayError('PLATFORM_DENIED', message, { platformError: { status: 200, name: 'ValidationException', message } });
}

/** A rejection of ours: what is asked cannot be said in Xero. */
export const cannotSay = (message: string): GatewayError =>
  new GatewayError('PLATFORM_DENIED', message, { platformError: { name: 'Mapping', message } });

/** A response that is not in Xero's format. */
export const unreadable = (): GatewayError => new GatewayError('PLATFORM_ERROR', 'Xero did not return a response in its format');

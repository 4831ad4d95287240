// What Xero's rejections mean here, in its own words.
import { GatewayError } from '../../../records/errors.ts';
import { SourceUnusable } from '../source-http.ts';

/** Most characters of its words that an error repeats. */
const MAX_WORDS = 500;
const LACK_OF_SCOPE = 'insufficient_scope';

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
  return new GatewayError('PLATFORM_DENIED', words ?? `Xero rejected it with status ${status}`, { platformError });
}

/** Whether a rejection is about the organisation itself: Xero names no other reason then. */
export const isShutOut = ({ info }: GatewayError): boolean => (info.platformError as Refused)?.message === 'AuthenticationUnsuccessful';

/** The error of an organisation that the sign-in reaches, and that lets nobody in. */
export const shutOut = (): GatewayError =>
  new SourceUnusable(
    'PLATFORM_DENIED',
    'Xero lists the organisation and lets this sign-in not in: its trial or subscription has ended, or the person may no longer connect it',
    { platformError: { status: 403, message: 'AuthenticationUnsuccessful' } },
  );

type Refused = { name?: string; message?: string } | undefined;

/** The scopes of the endpoints; all others need that of settings. */
const scopes: Readonly<Record<string, string>> = {
  Contacts: 'accounting.contacts',
  ...{
    Invoices: 'accounting.invoices',
    CreditNotes: 'accounting.invoices',
    Quotes: 'accounting.invoices',
    PurchaseOrders: 'accounting.invoices',
  },
  ...{ Payments: 'accounting.payments', Overpayments: 'accounting.payments', Prepayments: 'accounting.payments' },
  BankTransactions: 'accounting.banktransactions.read',
  ManualJournals: 'accounting.manualjournals.read',
  Journals: 'accounting.journals.read',
  Reports: 'accounting.reports.trialbalance.read',
};

/**
 * A rejection of a call whose scope the sign-in was not asked for; the other calls of the connection work. An access token that has ended is rejected
 * with another message. Any other error is returned as it is.
 */
export function namingScope(error: unknown, endpoint: string): unknown {
  const isLack =
    error instanceof GatewayError &&
    error.code === 'CONNECTION_EXPIRED' &&
    /AuthorizationUnsuccessful|insufficient_scope/.test(JSON.stringify(error.info.platformError ?? null));
  if (!isLack) return error;
  const scope = scopes[endpoint] ?? 'accounting.settings';
  const message = `this sign-in may not read ${endpoint} of Xero: sign in again by the link of the connection (${scope})`;
  return new GatewayError('PLATFORM_DENIED', message, { platformError: { name: LACK_OF_SCOPE, message: scope } });
}

/** Whether the sign-in lacks the scope of a call. */
export const isLackOfScope = (error: unknown): boolean =>
  error instanceof GatewayError && (error.info.platformError as Refused)?.name === LACK_OF_SCOPE;

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

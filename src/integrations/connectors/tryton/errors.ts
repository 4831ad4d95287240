// What Tryton's errors mean here. It returns them with status 200, as a name and a message, and a few as an HTTP status.
import { type ErrorCode, GatewayError } from '../../../records/errors.ts';
import { SourceUnusable } from '../source-http.ts';

/** The exceptions that Tryton names; any other is a failure of the server, or a request that it does not understand. */
const named: Record<string, ErrorCode> = {
  // Rules of the books, of access and of its forms.
  UserError: 'PLATFORM_DENIED',
  // A question to the user, such as a date in the past. There is no user to answer it.
  UserWarning: 'PLATFORM_DENIED',
  ConcurrencyException: 'STALE_RECORD',
  LoginException: 'CONNECTION_EXPIRED',
};

/** The words of an error: of a user error its message and description, of a warning its message after its name. */
function wordsOf(name: string, detail: unknown): string {
  const texts = Array.isArray(detail) ? detail.filter((part) => typeof part === 'string' && part !== '') : [detail];
  return (name === 'UserWarning' ? texts.slice(1) : texts).join(' ');
}

/** The error of a response: `["UserError", [message, description, …]]`, or the text of an exception and its traceback. */
export function responseError([name, detail]: [string, unknown]): GatewayError {
  const code = named[name];
  if (!code) return new GatewayError('PLATFORM_ERROR', 'Tryton failed', { platformError: { message: name } });
  const message = wordsOf(name, detail);
  return new GatewayError(code, message || name, { platformError: { name, message } });
}

/** The error of a status other than 200; redirects, 401, 429 and 5xx are handled by `http`. */
export function statusError(status: number): GatewayError {
  const reason =
    status === 404
      ? 'it has no such database, or this is not the address of a Tryton server'
      : 'it does not accept the request from this user';
  return new SourceUnusable('PLATFORM_DENIED', `Tryton returned status ${status}: ${reason}`, {
    platformError: { status },
  });
}

/** The error of a response that Tryton does not give. */
export const unreadable = (text: string): GatewayError =>
  new GatewayError('PLATFORM_ERROR', 'Tryton did not return JSON in its format', { platformError: { body: text.slice(0, 500) } });

/** A rejection of ours: what is asked cannot be said in Tryton. */
export const cannotSay = (message: string): GatewayError =>
  new GatewayError('PLATFORM_DENIED', message, { platformError: { name: 'Mapping', message } });

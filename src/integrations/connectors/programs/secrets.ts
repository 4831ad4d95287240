// What must not appear in an error: the secrets a program was given, and what looks like one.
import type { Json } from '../connector.ts';

/** Shorter texts are words, not secrets: to remove them would leave no message. */
const SHORTEST = 6;

const REMOVED = '[removed]';

/** A name that announces a secret, and the value behind it, in JSON, in a query string or in a header. */
const named = /((?:access_?token|refresh_?token|client_?secret|secret|password|api_?key|authorization)["']?[=:]["' ]{0,3})[^\s"',;&]{4,}/gi;
const bearer = /\b(Bearer|Basic) [\w.~+/=-]{8,}/gi;

/** The texts inside a JSON value. */
export function textsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((member) => textsOf(member as Json));
}

/** The texts inside a JSON text; none where it is no JSON. */
export function textsIn(text: string): string[] {
  try {
    return textsOf(JSON.parse(text) as Json);
  } catch {
    return [];
  }
}

/** Removes the secrets of one connection from texts. */
export class Secrets {
  readonly #values = new Set<string>();

  add(values: Iterable<string>): void {
    for (const value of values) if (value.length >= SHORTEST) this.#values.add(value);
  }

  remove(text: string): string {
    // The longest first: a secret may be part of another one.
    const known = [...this.#values].sort((a, b) => b.length - a.length).reduce((rest, value) => rest.replaceAll(value, REMOVED), text);
    return known.replace(bearer, `$1 ${REMOVED}`).replace(named, `$1${REMOVED}`);
  }
}

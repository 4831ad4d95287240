// Page cursors: opaque to callers, bound to the list, order, filter and organisation they were issued for, and signed.
import { hash } from 'node:crypto';
import { GatewayError } from '../records/errors.ts';
import type { Signer } from '../security/signer.ts';

const VERSION = 1;

/** What a cursor is bound to; a cursor of one list is rejected in another. */
export interface CursorScope {
  list: string;
  organisationId: number;
  order: string;
  filter: unknown;
}

const fingerprint = (scope: CursorScope): string =>
  hash('sha256', JSON.stringify([VERSION, scope.list, scope.organisationId, scope.order, scope.filter]), 'base64url').slice(0, 16);

/** Issues and opens the cursors of one list. */
export class Cursors {
  readonly #signer: Signer;
  readonly #scope: CursorScope;
  #mark: string | undefined;

  constructor(signer: Signer, scope: CursorScope) {
    this.#signer = signer;
    this.#scope = scope;
  }

  /** The cursor of a row, from the values of its order columns. */
  encode(values: unknown[]): string {
    const body = Buffer.from(JSON.stringify(values)).toString('base64url');
    return `${body}.${this.#sign(body)}`;
  }

  /** The values of a cursor; INVALID_CURSOR when it is damaged or belongs to something else. */
  decode(cursor: string, field: string): unknown[] {
    const cut = cursor.lastIndexOf('.');
    const body = cursor.slice(0, cut);
    const valid = cut > 0 && cursor.length < 1_000 && this.#signer.verify('cursor', `${this.#fingerprint()}${body}`, cursor.slice(cut + 1));
    if (!valid) {
      const message = `${field} is not a cursor of this list with this order and these filters`;
      throw new GatewayError('INVALID_CURSOR', message, { field, issues: [{ field, code: 'INVALID_VALUE', message }] });
    }
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown[];
  }

  #sign(body: string): string {
    return this.#signer.sign('cursor', `${this.#fingerprint()}${body}`);
  }

  #fingerprint(): string {
    this.#mark ??= fingerprint(this.#scope);
    return this.#mark;
  }
}

/**
 * A cursor that is signed when the response is written. Signing costs as much as reading a row, and REST selects both cursors of a page to show
 * those that lead to another page.
 */
export class LateCursor {
  readonly #make: () => string;

  constructor(make: () => string) {
    this.#make = make;
  }

  toJSON(): string {
    return this.#make();
  }
}

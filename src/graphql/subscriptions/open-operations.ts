// What the operations that are open on connections keep: what was sent for each, and each parsed document once.
import type { DocumentNode } from 'graphql';
import { GatewayError } from '../../records/errors.ts';
import { socketLimits } from './messages.ts';

/** An open operation. */
export interface OpenOperation {
  text: string;
  /** The document of the text. Open operations of one owner with equal texts have the same. */
  document(): DocumentNode;
  /** Ends it; called once. */
  leave(): void;
}

/** What one owner has open: an organisation, or a caller without one. */
interface Owned {
  characters: number;
  documents: Map<string, { uses: number; parsed?: DocumentNode }>;
  documentCharacters: number;
}

/**
 * The open operations of a process. The front-end of an organisation has one document open for each of its users, so equal ones are parsed
 * once: 2,500 subscriptions with a document of 4 kB took 1 GB when each had its own.
 */
export class OpenOperations {
  readonly #parse: (text: string) => DocumentNode;
  readonly #owners = new Map<string, Owned>();

  constructor(parse: (text: string) => DocumentNode) {
    this.#parse = parse;
  }

  /** Adds an operation with all that was sent for it; RATE_LIMIT_EXCEEDED when the owner has too much open. */
  add(owner: string, sent: object, text: string): OpenOperation {
    const open = this.#owners.get(owner) ?? { characters: 0, documents: new Map(), documentCharacters: 0 };
    const document = open.documents.get(text) ?? { uses: 0 };
    const own = JSON.stringify(sent).length;
    const characters = open.characters + own;
    const documentCharacters = open.documentCharacters + (document.uses === 0 ? text.length : 0);
    if (characters > socketLimits.openCharacters) throw tooMuch('operations', socketLimits.openCharacters);
    if (documentCharacters > socketLimits.openDocumentCharacters)
      throw tooMuch('different documents of operations', socketLimits.openDocumentCharacters);
    Object.assign(open, { characters, documentCharacters });
    document.uses++;
    open.documents.set(text, document);
    this.#owners.set(owner, open);
    return {
      text,
      document: () => (document.parsed ??= this.#parse(text)),
      leave: () => {
        open.characters -= own;
        if (--document.uses > 0) return;
        open.documentCharacters -= text.length;
        open.documents.delete(text);
        if (open.documents.size === 0) this.#owners.delete(owner);
      },
    };
  }
}

const tooMuch = (what: string, most: number): GatewayError =>
  new GatewayError('RATE_LIMIT_EXCEEDED', `open ${what} may have at most ${most} characters together`, { retryAfterSeconds: 1 });

// The part of negotiator that the compression uses; its published types are those of an older version, without `preferred`.

declare module 'negotiator' {
  import type { IncomingMessage } from 'node:http';

  class Negotiator {
    constructor(request: Pick<IncomingMessage, 'headers'>);
    /** The codings of `available` that the caller accepts, best first; those it ranks alike in the order of `preferred`. */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  }

  export = Negotiator;
}

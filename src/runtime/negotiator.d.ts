// The parts of negotiator that are used; its published types are those of an older version, without `preferred`.

declare module 'negotiator' {
  import type { IncomingMessage } from 'node:http';

  class Negotiator {
    constructor(request: Pick<IncomingMessage, 'headers'>);
    /** The codings of `available` that the caller accepts, best first; those it ranks alike in the order of `preferred`. */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
    /** The media types of `available` that the caller accepts, best first. */
    mediaTypes(available: readonly string[]): string[];
  }

  export = Negotiator;
}

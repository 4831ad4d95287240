// Content that is the same for everybody: compressed once per coding, kept, and sent with a tag by which callers learn that theirs is current.
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { COMPRESSED_FROM, type Coding, codingFor, denselyCompressed } from './compression.ts';

interface Representation {
  bytes: Buffer;
  tag: string;
  coding?: Coding;
}

/** The request headers by which static content varies. CORS adds a header to the response to a page of another origin. */
const VARY = 'Accept-Encoding, Origin';

/** One document that does not change while the process runs. */
export class StaticContent {
  readonly #read: () => Promise<Buffer>;
  /** At most one per coding; the plain bytes are read again, because most callers take a coding. */
  #tag: string | undefined;
  readonly #kept = new Map<Coding, Promise<Representation>>();

  constructor(read: () => Promise<Buffer>) {
    this.#read = read;
  }

  /** Sends the content, or 304 to a caller who has it. */
  async send(request: IncomingMessage, response: ServerResponse, headers: Record<string, string>): Promise<void> {
    const wanted = codingFor(request);
    const { bytes, tag, coding } = await (wanted ? this.#in(wanted) : this.#plain());
    const common = { ...headers, ETag: tag, Vary: VARY };
    if (knows(request, tag)) response.writeHead(304, common).end();
    else {
      const coded = coding ? { 'Content-Encoding': coding } : {};
      response.writeHead(200, { ...common, ...coded, 'Content-Length': bytes.length });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    }
  }

  async #plain(): Promise<Representation> {
    const bytes = await this.#read();
    this.#tag ??= `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
    return { bytes, tag: this.#tag };
  }

  #in(coding: Coding): Promise<Representation> {
    let kept = this.#kept.get(coding);
    if (!kept) {
      kept = this.#plain().then(async (plain) =>
        plain.bytes.length < COMPRESSED_FROM
          ? plain
          : { bytes: await denselyCompressed(plain.bytes, coding), tag: `${plain.tag.slice(0, -1)}-${coding}"`, coding },
      );
      this.#kept.set(coding, kept);
      kept.catch(() => this.#kept.delete(coding));
    }
    return kept;
  }
}

/** Whether `If-None-Match` names a tag; weakly compared (RFC 9110 section 13.1.2). */
export function knows(request: IncomingMessage, tag: string): boolean {
  const condition = request.headers['if-none-match'];
  if (condition === undefined) return false;
  return condition.trim() === '*' || (condition.match(/"[^"]*"/g)?.includes(tag.replace(/^W\//, '')) ?? false);
}

// Documents that callers name instead of sending: persisted ones, learned from callers, and trusted ones, the only ones that run where a manifest is given.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../records/errors.ts';

/** What a request says of its document. */
export interface GivenDocument {
  query?: unknown;
  /** `sha256:` and the hash of the text, or the id that the manifest gives it. */
  documentId?: unknown;
  extensions?: unknown;
}

/** Characters of all persisted texts; a front-end has some hundred of 1 to 2 kB. */
const PERSISTED_CHARACTERS = 4_194_304;

const digestOf = (text: string): string => hash('sha256', text);

/** Texts of a manifest by their hash and by their id. */
export class Manifest {
  readonly #texts = new Map<string, string>();

  constructor(documents: Iterable<[id: string, text: string]>) {
    for (const [id, text] of documents) this.#texts.set(id, text).set(digestOf(text), text);
  }

  /**
   * Reads the file of a manifest: the form of Apollo (`operations` with `id` and `body`), or the map from hash to text of Relay and GraphQL Code
   * Generator.
   */
  static read(path: string): Manifest {
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new Error(`TRUSTED_DOCUMENTS names ${path}, which cannot be read as JSON: ${(error as Error).message}`);
    }
    const { operations } = (content ?? {}) as { operations?: unknown };
    const entries: [string, unknown][] = Array.isArray(operations)
      ? operations.map(({ id, body }: { id?: unknown; body?: unknown }) => [String(id ?? ''), body])
      : Object.entries((content ?? {}) as object);
    const texts = entries.filter((entry): entry is [string, string] => entry[0] !== '' && typeof entry[1] === 'string');
    if (texts.length === 0 || texts.length < entries.length)
      throw new Error(`TRUSTED_DOCUMENTS names ${path}, which is not a manifest: it has no documents, or one without an id or text`);
    return new Manifest(texts);
  }

  /** The text that a request may run; throws when the manifest has none for it. */
  textFor(given: GivenDocument): string {
    const name = nameOf(given);
    const text = this.#texts.get(name ?? (typeof given.query === 'string' ? digestOf(given.query) : ''));
    if (text !== undefined) return text;
    const what = name === undefined ? 'this document' : 'the document of this hash or id';
    throw new GatewayError(
      'DOCUMENT_NOT_TRUSTED',
      `${what} is not in the manifest of trusted documents; other documents are not accepted`,
      {
        field: name === undefined ? 'query' : 'documentId',
      },
    );
  }
}

/** The hash or id by which a request names its document. */
function nameOf({ documentId, extensions }: GivenDocument): string | undefined {
  const persisted = (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery;
  const name = documentId ?? persisted?.sha256Hash;
  return typeof name === 'string' ? name.replace(/^sha256:/, '') : undefined;
}

/** The documents of one gateway that requests may name. */
export class Documents {
  /** Undefined where every document may run. */
  readonly manifest: Manifest | undefined;
  /** Texts by their hash, which was checked; Apollo reads them and the admission of a document fills them. */
  readonly persisted = new LRUCache<string, string>({ maxSize: PERSISTED_CHARACTERS, sizeCalculation: ({ length }) => length + 64 });

  constructor(manifest: Manifest | undefined) {
    this.manifest = manifest;
  }

  /** The text of a request that does not pass Apollo, such as one over a WebSocket. */
  textFor(given: GivenDocument): string {
    if (this.manifest) return this.manifest.textFor(given);
    if (typeof given.query === 'string' && given.query !== '') return given.query;
    const name = nameOf(given);
    if (name === undefined)
      throw new GatewayError('MISSING_PARAMS', 'query is required: the text of a GraphQL document', { field: 'query' });
    const text = this.persisted.get(name);
    if (text === undefined) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return text;
  }

  /** The body of a request with the text of its trusted document; unchanged where every document may run. */
  resolved(body: unknown): unknown {
    if (!this.manifest) return body;
    const { documentId: _, extensions: __, ...others } = (body ?? {}) as GivenDocument;
    return { ...others, query: this.manifest.textFor((body ?? {}) as GivenDocument) };
  }
}

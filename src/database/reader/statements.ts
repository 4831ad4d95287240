// The statements of one process by the shape of their read, so that a request only binds values.
import { LRUCache } from 'lru-cache';
import type { Statement } from '../open.ts';

/** Most characters of all cached statements. A character takes 100 to 120 bytes in the server's memory of every connection; the statement of a list of all columns takes 270 KB. */
const MAX_TEXT = 400_000;

/** A bounded cache of statements. */
export class Statements {
  readonly #cache = new LRUCache<string, Statement>({
    maxSize: MAX_TEXT,
    sizeCalculation: ({ text }) => text.length,
    dispose: ({ name }) => this.#freeNames.push(name),
  });
  /** Names of evicted statements, for reuse: a connection keeps a prepared statement until another text is prepared under its name. */
  readonly #freeNames: string[] = [];
  #names = 0;

  get size(): number {
    return this.#cache.size;
  }

  /** Forgets the statements; those prepared on a connection stay there until another takes their name. */
  clear(): void {
    this.#cache.clear();
  }

  /** The statement of a shape, written at the first use. */
  of(shape: string, write: () => string, isReplanned = false): Statement {
    let statement = this.#cache.get(shape);
    if (!statement) {
      statement = { name: this.#freeNames.pop() ?? `r${++this.#names}`, text: write(), isReplanned };
      this.#cache.set(shape, statement);
    }
    return statement;
  }
}

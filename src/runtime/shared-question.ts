// One question of many: it is asked once at a time, and all who ask in the meantime share the next one. So its number does not grow with the requests.
import { countingStatements } from './statement-count.ts';

/** A question about some keys, which `ask` puts for all that share it. */
export class SharedQuestion<Key, Response> {
  readonly #ask: (keys: ReadonlySet<Key>) => Promise<Response>;
  /** The question that is not put yet. */
  #next: { keys: Set<Key>; response: Promise<Response> } | undefined;
  #current: Promise<unknown> = Promise.resolve();

  constructor(ask: (keys: ReadonlySet<Key>) => Promise<Response>) {
    this.#ask = ask;
  }

  /** The response to a question that is put after this call, about this key and those of others. */
  about(...keys: readonly Key[]): Promise<Response> {
    this.#next ??= this.#begin();
    for (const key of keys) this.#next.keys.add(key);
    return this.#next.response;
  }

  #begin(): { keys: Set<Key>; response: Promise<Response> } {
    const keys = new Set<Key>();
    const response = this.#current.then(() => {
      this.#next = undefined;
      // It has no owner, so that nobody waits for the turns of the one who asked first.
      return countingStatements({ sent: 0 }, () => this.#ask(keys));
    });
    this.#current = response.catch(() => {});
    return { keys, response };
  }
}

// Values that are made once for an object and live as long as it does.

/** The values made for one object, by a key of their kind. */
export class Memo {
  readonly #values = new Map<unknown, unknown>();

  /** What `make` returned for this key at the first call. */
  memo<V>(key: unknown, make: () => V): V {
    if (!this.#values.has(key)) this.#values.set(key, make());
    return this.#values.get(key) as V;
  }
}

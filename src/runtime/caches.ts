// Caches and their owners. A process or a request makes each of its caches at the first use, measures them by their entries and clears them at its
// end.

/** What an owner can measure and clear. Maps and LRU caches are such caches. */
export interface Cache {
  /** Number of entries. */
  readonly size: number;
  clear(): void;
}

/** The options of an LRU cache of so many entries. `max` would reserve 22 bytes for each at once: 1.1 MB and 8 ms for 50,000. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/** Names a cache and says how its owner makes it. A module holds the key; the entries live with the owner. */
export class CacheKey<Owner, T extends Cache> {
  /** Snake case; the label of the cache in `/metrics`. */
  readonly name: string;
  readonly make: (owner: Owner) => T;

  constructor(name: string, make: (owner: Owner) => T) {
    this.name = name;
    this.make = make;
  }
}

/** The caches of one owner. */
export class Caches<Owner> {
  readonly #owner: Owner;
  readonly #made = new Map<object, { name: string; cache: Cache }>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The owner's cache of this key. */
  of<T extends Cache>(key: CacheKey<Owner, T>): T {
    const known = this.#made.get(key);
    // Entries of this key are set below only, with what the key made.
    if (known) return known.cache as T;
    const cache = key.make(this.#owner);
    this.#made.set(key, { name: key.name, cache });
    return cache;
  }

  /** Adds a cache that its user makes at the start; returns it. */
  add<T extends Cache>(name: string, cache: T): T {
    this.#made.set(cache, { name, cache });
    return cache;
  }

  /** The entries of each cache that was made. */
  sizes(): Map<string, number> {
    return new Map([...this.#made.values()].map(({ name, cache }) => [name, cache.size]));
  }

  /** Empties all caches. */
  clear(): void {
    for (const { cache } of this.#made.values()) cache.clear();
  }
}

/** One value that is read again when it has become too old; what another process changes takes effect after that. */
export class ShortLived<T> implements Cache {
  readonly #milliseconds: number;
  #entry: { value: T; until: number } | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  get size(): number {
    return this.#entry ? 1 : 0;
  }

  clear(): void {
    this.#entry = undefined;
  }

  /** The value, read now unless it was read within the lifetime. */
  async get(now: Date, read: () => Promise<T>): Promise<T> {
    const time = now.getTime();
    if (this.#entry && this.#entry.until > time) return this.#entry.value;
    const value = await read();
    this.#entry = { value, until: time + this.#milliseconds };
    return value;
  }
}

/** One value that is made at its first use, such as a table of the program's own files. */
export class Kept<T> implements Cache {
  readonly #make: () => T;
  #made: { value: T } | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get size(): number {
    return this.#made ? 1 : 0;
  }

  clear(): void {
    this.#made = undefined;
  }

  /** The value. */
  get(): T {
    this.#made ??= { value: this.#make() };
    return this.#made.value;
  }
}

// Effects: what a transaction stores besides its records, such as events and queued work, and what follows its commit. They are collected while it
// runs and stored once, after its last flush.
import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { EntityManager } from './open.ts';

/** A kind of effect, and how all of a transaction are stored together. */
export interface Effect<T> {
  store(em: EntityManager, items: readonly T[]): Promise<void>;
}

/** The effects of one transaction. The ORM gives each transaction subscribers of its own and calls them before the commit. */
class Effects implements EventSubscriber {
  readonly #items = new Map<Effect<unknown>, unknown[]>();
  readonly #followers: (() => void)[] = [];
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  add<T>(effect: Effect<T>, items: readonly T[]): void {
    const known = this.#items.get(effect);
    if (known) for (const item of items) known.push(item);
    else this.#items.set(effect, [...items]);
  }

  /** Drops what is added from now on. */
  mark(): { drop: () => void } {
    const lengths = new Map([...this.#items].map(([effect, items]) => [effect, items.length]));
    const followers = this.#followers.length;
    return {
      drop: () => {
        for (const [effect, items] of this.#items) items.length = lengths.get(effect) ?? 0;
        this.#followers.length = followers;
      },
    };
  }

  follow(run: () => void): void {
    this.#followers.push(run);
  }

  async afterTransactionCommit(_: TransactionEventArgs): Promise<void> {
    for (const run of this.#followers.splice(0)) run();
  }

  async beforeTransactionCommit(_: TransactionEventArgs): Promise<void> {
    // Storing one kind may add effects of another.
    for (const [effect, items] of this.#items) {
      this.#items.delete(effect);
      if (items.length > 0) await effect.store(this.#em, items);
    }
  }
}

/** Stores items of one kind when the transaction commits, together with those added before and after. A transaction that fails stores none. */
export function addEffects<T>(em: EntityManager, effect: Effect<T>, items: readonly T[]): void {
  if (items.length > 0) effectsOf(em).add(effect, items);
}

/** The effects that a transaction adds from now on, to be dropped when what they belong to is taken back. */
export const addedEffects = (em: EntityManager): { drop: () => void } => effectsOf(em).mark();

/** Calls `run` once the transaction has committed. It is lost when the process ends in between, so nothing may rely on it alone. */
export const afterCommit = (em: EntityManager, run: () => void): void => effectsOf(em).follow(run);

function effectsOf(em: EntityManager): Effects {
  if (!em.isInTransaction()) throw new Error('an effect needs an open transaction');
  const events = em.getEventManager();
  const known = [...events.getSubscribers()].find((subscriber) => subscriber instanceof Effects);
  if (known) return known;
  const effects = new Effects(em);
  events.registerSubscriber(effects);
  return effects;
}

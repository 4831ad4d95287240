// The one shape of a subscription: look at the rows, yield what is new, wait for a signal, look again. Ends at once when its subscriber leaves.
import type { Signals } from './signals.ts';

/** What one look at the rows found. */
export interface Look<T> {
  items: T[];
  /** Nothing will follow, so the stream ends. */
  isOver?: boolean;
  /** Look again after so many milliseconds even without a signal. */
  againMs?: number;
}

/** A stream of what `look` finds, first now and then after every signal of that name. A signal during a look is not lost: another look follows. */
export function follow<T>(signals: Signals, name: string, look: () => Promise<Look<T>>): AsyncIterableIterator<T> {
  let isClosed = false;
  let isDirty = true;
  let resume = (): void => {};
  const wake = (): void => {
    isDirty = true;
    resume();
  };
  const unsubscribe = signals.subscribe(name, wake);
  const close = (): void => {
    isClosed = true;
    unsubscribe();
    resume();
  };
  async function wait(againMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      resume = resolve;
      if (isDirty || isClosed) resolve();
      if (againMs !== undefined) timer = setTimeout(resolve, againMs);
    });
    clearTimeout(timer);
  }
  async function* run(): AsyncGenerator<T, void> {
    try {
      while (!isClosed) {
        isDirty = false;
        const { items, isOver, againMs } = await look();
        for (const item of items) {
          if (isClosed) return;
          yield item;
        }
        if (isOver) return;
        await wait(againMs);
      }
    } finally {
      close();
    }
  }
  return endable(run(), close);
}

/** A generator that can be ended while it waits: on its own it would hear of its end only after the wait. */
export function endable<T>(inner: AsyncGenerator<T, void>, end: () => void): AsyncIterableIterator<T> {
  return {
    next: () => inner.next(),
    return: () => {
      end();
      return inner.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

// The one shape of a subscription: poll at the rows, yield what is new, wait for a signal, poll again. Ends at once when its subscriber leaves.
import type { Notifications } from './notifications.ts';

/** What one poll at the rows found. */
export interface PollResult<T> {
  items: T[];
  /** Nothing will subscribe, so the stream ends. */
  isOver?: boolean;
  /** PollResult again after so many milliseconds even without a signal. */
  againMs?: number;
}

/** A stream of what `poll` finds, first now and then after every signal of that name. A signal during a poll is not lost: another poll follows. */
export function subscribe<T>(notifications: Notifications, name: string, poll: () => Promise<PollResult<T>>): AsyncIterableIterator<T> {
  let isClosed = false;
  let isDirty = true;
  let resume = (): void => {};
  const wake = (): void => {
    isDirty = true;
    resume();
  };
  const unsubscribe = notifications.subscribe(name, wake);
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
        const { items, isOver, againMs } = await poll();
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

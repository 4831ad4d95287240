// The loop of every subscription: poll the rows, yield the new ones, wait for a notification, poll again. It ends at once when the subscriber leaves.
import type { Notifications } from './notifications.ts';

/** The result of one poll. */
export interface PollResult<T> {
  items: T[];
  /** Nothing will follow, so the stream ends after the items. */
  isOver?: boolean;
  /** Poll again after so many milliseconds, even without a notification. */
  againMs?: number;
}

/** Streams the items of `poll`, which runs now and after every notification of that name. After a notification during a poll another poll follows. */
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

/** A generator that can be ended while it waits; by itself a generator handles `return` only after its current wait. */
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

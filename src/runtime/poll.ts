// The loop of every subscription: poll, yield what is new, then wait for a wake-up and poll again. The wait is limited because a wake-up may be lost.
// It ends at once when the subscriber leaves.

/** The result of one poll. */
export interface PollResult<T> {
  items: T[];
  /** Nothing will follow, so the stream ends after the items. */
  isOver?: boolean;
  /** Poll again after so many milliseconds, even without being woken. */
  againMs?: number;
}

/** Has `wake` called whenever there may be something new; returns the function that ends that. */
export type Watch = (wake: () => void) => () => void;

/**
 * Streams the items of `poll`, which runs now, whenever `watch` wakes it, and `pollMs` after a poll where being woken can be lost. When woken
 * during a poll, another poll follows.
 */
export function subscribe<T>(
  watch: Watch,
  poll: (isWoken: boolean) => Promise<PollResult<T>>,
  pollMs = Number.POSITIVE_INFINITY,
): AsyncIterableIterator<T> {
  let isClosed = false;
  let isDirty = true;
  let resume = (): void => {};
  const wake = (): void => {
    isDirty = true;
    resume();
  };
  const unwatch = watch(wake);
  const close = (): void => {
    isClosed = true;
    unwatch();
    resume();
  };
  async function wait(againMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      resume = resolve;
      if (isDirty || isClosed) resolve();
      if (againMs < Number.POSITIVE_INFINITY) timer = setTimeout(resolve, againMs);
    });
    clearTimeout(timer);
  }
  async function* run(): AsyncGenerator<T, void> {
    try {
      while (!isClosed) {
        const isWoken = isDirty;
        isDirty = false;
        const { items, isOver, againMs } = await poll(isWoken);
        for (const item of items) {
          if (isClosed) return;
          yield item;
        }
        if (isOver) return;
        await wait(Math.min(againMs ?? Number.POSITIVE_INFINITY, pollMs));
      }
    } finally {
      close();
    }
  }
  return endable(run(), close);
}

/** A generator that can be ended while it waits; on its own a generator handles `return` only after its current wait. */
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

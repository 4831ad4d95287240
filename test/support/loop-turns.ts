// How much CPU one turn of the event loop of this thread takes at most, which other processes of the machine do not change.

const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** The CPU of the longest turn, and of all together. */
export interface LoopTurns {
  longest: number;
  all: number;
}

/** Looks at the turns from now on; returns the function that ends that. */
export function watchTurns(): () => LoopTurns {
  const began = used();
  let before = began;
  let longest = 0;
  const look = (): void => {
    longest = Math.max(longest, used() - before);
    before = used();
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  return () => {
    clearImmediate(next);
    return { longest: Math.max(longest, used() - before), all: used() - began };
  };
}

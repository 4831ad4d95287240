// Numbers that look random and are the same in every run.

/** Returns a function that gives whole numbers from 0 to below its argument; the same sequence for the same seed. */
export function sequence(seed = 42): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One of the values. */
export const oneOf = <T>(values: readonly T[], below: (limit: number) => number): T => values[below(values.length)]!;

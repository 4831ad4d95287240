// What every client needs to know about the gateway it talks to.

/** Address and keys of a running gateway. */
export interface Gateway {
  base: string;
  bearer: string;
  apiKey: string;
}

/** Ends the run when the gateway's answer is not what the contract promises. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`expected ${what}`);
}

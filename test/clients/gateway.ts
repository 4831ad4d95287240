// The gateway under test: its address and keys, and the check every client uses.

/** Address and keys of a running gateway. */
export interface Gateway {
  base: string;
  bearer: string;
  apiKey: string;
}

/** Ends the run when the gateway's response breaks the contract. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`expected ${what}`);
}

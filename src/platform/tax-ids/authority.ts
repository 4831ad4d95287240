// The interface of an authority that can say whether a tax id is assigned.

/** What an authority says of a number. It never says VERIFIED because it was silent. */
export interface AuthorityAnswer {
  /** UNAVAILABLE: the authority did not respond, or not in its published form; it is asked again. */
  state: 'VERIFIED' | 'UNVERIFIED' | 'UNAVAILABLE';
  /** Name of the holder, where the authority gives it. */
  name: string | null;
  /** Address of the holder, where the authority gives it. */
  address: string | null;
  /** What the authority calls its response. */
  reference: string | null;
}

export interface TaxAuthority {
  /** Name of the authority or of its service, as callers see it. */
  readonly source: string;
  /** Whether it checks a kind of tax id. */
  knows(type: string): boolean;
  /** Asks about a number without separators. Never throws. */
  ask(type: string, number: string, signal?: AbortSignal): Promise<AuthorityAnswer>;
}

// The network of a screen: whether its requests carry a document or its hash, and responses that wait, as on a slow line.

/** What one request was. */
interface Sent {
  hasText: boolean;
  isForm: boolean;
}

export class Network {
  readonly sent: Sent[] = [];
  #open: Promise<void> = Promise.resolve();

  /** `fetch` as the clients take it. */
  readonly fetch: typeof fetch = async (address, init) => {
    this.sent.push(sentBy(String(address), init));
    const response = await fetch(address, init);
    await this.#open;
    return response;
  };

  /** Holds back every response until the function that it returns is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open = promise;
    return resolve;
  }
}

function sentBy(address: string, { body }: RequestInit = {}): Sent {
  const isForm = body instanceof FormData;
  const text = isForm ? body.get('operations') : body;
  const given = text == null ? new URL(address).searchParams.get('query') : (JSON.parse(String(text)) as { query?: string }).query;
  return { hasText: Boolean(given), isForm };
}

// The key of the visitor, kept for this tab, where the playground keeps it too.

interface StoredKey {
  readonly header: string;
  readonly key: string;
}

const STORED = 'ledger-gateway:key';
const BEARER = 'Authorization';

function stored(): StoredKey | undefined {
  try {
    const { header, key } = JSON.parse(sessionStorage.getItem(STORED) ?? '') as StoredKey;
    return typeof header === 'string' && typeof key === 'string' && key ? { header, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether there is a key. A gateway with demo data on the visitor's own machine writes one into the page. */
export function hasKey(demoKey: string | undefined): boolean {
  if (!stored() && demoKey) keepKey(demoKey);
  return stored() !== undefined;
}

/** Keeps a key until the tab is closed. */
export function keepKey(key: string): void {
  sessionStorage.setItem(STORED, JSON.stringify({ header: BEARER, key: key.replace(/^Bearer /i, '') }));
}

/** Forgets the key. */
export const forgetKey = (): void => sessionStorage.removeItem(STORED);

/** The header that carries the key; on a WebSocket the parameter of the connection. */
export function keyHeaders(): Record<string, string> {
  const given = stored();
  if (!given) return {};
  const isBearer = given.header === BEARER && !/^Bearer /i.test(given.key);
  return { [given.header.toLowerCase()]: isBearer ? `Bearer ${given.key}` : given.key };
}

// The operation map as the browser reads it, and the key the visitor typed, remembered for this tab only.

export interface Credential {
  header: string;
  scheme?: string;
  demoKey?: string;
}

export interface MappedSurface {
  id: string;
  name: string;
  credential: Credential;
}

export interface MappedOperation {
  id: string;
  surface: string;
  method: string;
  path: string;
  summary: string;
  document: string;
  variables: Record<string, unknown>;
  curl: string;
  docs: string;
  playground: string;
  credential: Credential | null;
}

export interface MappedExample {
  name: string;
  title: string;
  task: string;
  note?: string;
  surface: string;
  document: string;
  variables: Record<string, unknown>;
}

export interface OperationMap {
  surfaces: MappedSurface[];
  examples: MappedExample[];
  operations: MappedOperation[];
}

export interface StoredKey {
  header: string;
  key: string;
}

const STORED = 'ledger-gateway:key';

export async function fetchMap(): Promise<OperationMap> {
  const response = await fetch('/docs/operations.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`/docs/operations.json returned status ${response.status}`);
  return response.json();
}

export function storedKey(): StoredKey {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? '') as StoredKey;
    return { header: String(stored.header), key: String(stored.key) };
  } catch {
    return { header: 'Authorization', key: '' };
  }
}

export function rememberKey(value: StoredKey): void {
  if (value.key) sessionStorage.setItem(STORED, JSON.stringify(value));
  else sessionStorage.removeItem(STORED);
}

/** Where the gateway shows its demo keys, the first one is used until another key is typed. */
export function startWithDemoKey(map: OperationMap): void {
  const first = map.surfaces[0]?.credential;
  if (first?.demoKey && !storedKey().key) rememberKey({ header: first.header, key: first.demoKey });
}

/** The demo key of every header that has one. */
export function demoKeys(map: OperationMap): Map<string, string> {
  const credentials = [...map.surfaces, ...map.operations].map(({ credential }) => credential);
  return new Map(credentials.flatMap((credential) => (credential?.demoKey ? [[credential.header, credential.demoKey] as const] : [])));
}

/** The header of the remembered key; lower case, so that it also serves as connection parameter of a subscription. */
export function keyHeaders(): Record<string, string> {
  const { header, key } = storedKey();
  if (!key) return {};
  return { [header.toLowerCase()]: header === 'Authorization' && !/^bearer /i.test(key) ? `Bearer ${key}` : key };
}

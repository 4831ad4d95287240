// What the three screens share: a company with two accounts, someone else who changes them over REST, and what is done on every screen.
import { type Client, createClient } from 'graphql-ws';
import { expect, type Gateway } from '../gateway.ts';
import { Network } from './network.ts';

/** The company whose accounts a screen lists, as another user of it works on them. */
export interface Scene {
  company: number;
  /** Creates the account of this name, or gives the account a new name. */
  save: (platformId: string, name: string) => Promise<number>;
  remove: (account: number) => Promise<void>;
  socket: Client;
  network: Network;
}

/** What a form shows next to a field. */
interface FormError {
  code: string;
  path: readonly string[];
}

/** What every screen does, each client by its own means. */
export interface Screen {
  /** The list as the cache shows it. */
  accounts: () => readonly { id: string; name?: string | null | undefined }[];
  /** Asks for the list again. */
  reload: () => Promise<unknown>;
  /** Sends the form of a new account; returns what was wrong with it. */
  create: (input: {
    companyId: string;
    name: string;
    platformId: string;
    parentAccountId?: string;
  }) => Promise<readonly FormError[] | undefined>;
  /** Gives an account a new name, which the list shows before the response comes. */
  rename: (input: { companyId: string; id: string; name: string; ifMatch?: string }) => Promise<readonly FormError[] | undefined>;
  upload: (content: File) => Promise<{ name: string; size: number; mimeType: string } | null | undefined>;
}

/** A new company with the accounts Cash and Sales. */
export async function openScene({ base, bearer, apiKey }: Gateway): Promise<Scene> {
  const send = async (method: string, path: string, data?: unknown): Promise<number> => {
    const response = await fetch(`${base}/v4/core/companies${path}`, {
      method,
      headers: { api_key: apiKey, ...(data ? { 'content-type': 'application/json' } : {}) },
      ...(data ? { body: JSON.stringify({ data }) } : {}),
    });
    expect(response.ok, `${method} ${path} to succeed, not ${response.status}`);
    const text = await response.text();
    const body = JSON.parse(text || '{}') as { data?: { ledger_id?: number; data?: { ledger_id?: number } } };
    return body.data?.data?.ledger_id ?? body.data?.ledger_id ?? 0;
  };
  const company = await send('POST', '', { name: 'Screen' });
  const save: Scene['save'] = (platformId, name) => send('PUT', `/${company}/accounts`, { platform_id: platformId, name });
  await save('cash', 'Cash');
  await save('sales', 'Sales');
  return {
    company,
    save,
    remove: async (account) => void (await send('DELETE', `/${company}/accounts/${account}`)),
    socket: createClient({ url: `${base.replace('http', 'ws')}/graphql`, connectionParams: { authorization: `Bearer ${bearer}` } }),
    network: new Network(),
  };
}

/** Waits until the cache shows these names in any order; `nudge` runs before each look. */
export async function shows(names: () => readonly string[], expected: readonly string[], nudge?: () => Promise<unknown>): Promise<void> {
  const wanted = expected.toSorted().join();
  for (let look = 0; look < 200; look++) {
    await nudge?.();
    if (names().toSorted().join() === wanted) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`expected the cache to show ${wanted}, not ${names().join()}`);
}

/** While the subscription runs, a change, a new record and a deleted one reach the list in the cache. */
async function watchList(scene: Scene, names: () => readonly string[]): Promise<void> {
  await shows(names, ['Cash', 'Sales']);
  let round = 0;
  // A subscription does not acknowledge its start, so the first change is repeated until it arrives.
  await shows(
    () => names().map((name) => name.replace(/^Bank.*/, 'Bank')),
    ['Bank', 'Sales'],
    () => scene.save('cash', `Bank ${++round}`),
  );
  await scene.save('cash', 'Bank');
  await shows(names, ['Bank', 'Sales']);
  const rent = await scene.save('rent', 'Rent');
  await shows(names, ['Bank', 'Rent', 'Sales']);
  await scene.remove(rent);
  await shows(names, ['Bank', 'Sales']);
}

/** A form reports all its errors next to their fields and changes nothing; sent again without them, it adds to the list. */
async function sendForm({ company }: Scene, screen: Screen, names: () => readonly string[], name: string): Promise<void> {
  const before = names();
  const form = { companyId: `company_${company}`, name };
  const errors = await screen.create({ ...form, platformId: 'sales', parentAccountId: 'account_999999999' });
  const reported = errors?.map(({ code, path }) => `${path.join('.')} ${code}`).toSorted();
  expect(
    reported?.join() === 'parentAccountId INVALID_PARAMS,platformId RECORD_ALREADY_EXISTS',
    `both errors of the form, not ${reported}`,
  );
  await shows(names, before);
  const none = await screen.create({ ...form, platformId: name });
  expect(none?.length === 0, `no error, not ${JSON.stringify(none)}`);
  await shows(names, [...before, name]);
}

/** A new name shows before the response. It stays when the gateway accepts it, and gives way to the old one when someone else was first. */
async function renameAtOnce({ company, network }: Scene, screen: Screen, names: () => readonly string[], to: string): Promise<void> {
  const before = names();
  const [account] = screen.accounts();
  const others = before.filter((name) => name !== account?.name);
  const rename = async (name: string, ifMatch: string): Promise<string> => {
    const release = network.hold();
    const response = screen.rename({ companyId: `company_${company}`, id: account?.id ?? '', name, ifMatch });
    try {
      await shows(names, [...others, name]);
    } finally {
      release();
    }
    return (await response)?.map(({ code }) => code).join() ?? 'no response';
  };
  const refused = await rename('Refused', '"1-2020-01-01T00:00:00.000Z"');
  expect(refused === 'STALE_RECORD', `the error STALE_RECORD, not ${refused}`);
  await shows(names, before);
  const accepted = await rename(to, '*');
  expect(accepted === '', `no error, not ${accepted}`);
  await shows(names, [...others, to]);
}

/** Bytes that are no text, after those that begin a PNG file. */
const PICTURE = Uint8Array.from({ length: 4_096 }, (_, at) => [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a][at] ?? at % 256);

async function sendPicture(screen: Screen, name: string): Promise<void> {
  const file = await screen.upload(new File([PICTURE], name));
  const isWhole = file?.name === name && file.size === PICTURE.length && file.mimeType === 'image/png';
  expect(isWhole, `the picture ${name} of ${PICTURE.length} bytes, not ${JSON.stringify(file)}`);
}

/** What happens on every screen. In the second round the gateway knows every document, so that none is sent with its text. */
export async function run(scene: Scene, screen: Screen): Promise<string> {
  const names = (): string[] => screen.accounts().map(({ name }) => name ?? '');
  const { sent } = scene.network;
  await watchList(scene, names);
  let known = 0;
  for (const round of ['first', 'second']) {
    known = sent.length;
    await sendForm(scene, screen, names, `Loan ${round}`);
    await renameAtOnce(scene, screen, names, `Renamed ${round}`);
    await sendPicture(screen, `${round}.png`);
    await screen.reload();
  }
  const repeated = sent.slice(known);
  expect(repeated.length === 6 && repeated.every(({ hasText }) => !hasText), `6 requests by hash, not ${JSON.stringify(repeated)}`);
  expect(
    repeated.some(({ isForm }) => isForm),
    'a multipart request by hash',
  );
  const withText = sent.filter(({ hasText }) => hasText).length;
  return `list, form errors, roll-back, subscription, upload; ${sent.length - withText} requests by hash, ${withText} with text`;
}

// Visits of the hosted pages: links to connections, and the form of an incorporation request from its first step to the last.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { press, type Visit } from './visit.ts';

/** The gateway, a key of its integrations API, and one of its platform API. */
interface Target {
  readonly base: string;
  readonly key: string;
  readonly platformKey: string;
}

/** Creates a record of the integrations API. */
async function create<T>(target: Target, path: string, data: object): Promise<T> {
  const response = await fetch(`${target.base}/v4/core/companies${path}`, {
    method: 'POST',
    headers: { api_key: target.key, 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

/** The path of a new link to the page of a new connection. */
async function newLink(target: Target, source = 'DEMO'): Promise<string> {
  const company = await create<{ ledger_id: number }>(target, '', { name: 'Kettles & Sons' });
  const connection = await create<{ id: string }>(target, `/${company.ledger_id}/connections`, { source });
  const link = await create<{ url: string }>(target, `/${company.ledger_id}/connections/${connection.id}/link`, {});
  const { pathname, search } = new URL(link.url);
  return pathname + search;
}

const KEY = 'a key';

const connectWith =
  (address: string, key = KEY) =>
  async (page: Page): Promise<void> => {
    await page.getByLabel('Address').fill(address);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Connect' }).click();
  };

async function openLink(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect' }).waitFor();
}

async function giveWrong(page: Page): Promise<void> {
  await connectWith('ftp://ledger.example.com')(page);
  await page.getByRole('alert').waitFor();
}

/** Connects to a ledger without records, which takes one key: the page is done when its source has responded. */
const giveKeys =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    const ledger = createServer((request, response) => {
      response.statusCode = request.headers.authorization === `Bearer ${KEY}` ? 200 : 401;
      response.end('{"records":[],"deleted":[],"cursor":null,"has_more":false}');
    });
    await once(ledger.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(ledger.address() as AddressInfo).port}`;
    try {
      for (const key of keys) {
        await connectWith(address, key)(page);
        if (key === KEY) await page.getByRole('status').waitFor();
        else await page.getByText('The source does not accept the credentials').waitFor();
      }
    } finally {
      ledger.close();
      ledger.closeAllConnections();
    }
  };

const ORDERS =
  'Name,Email,Financial Status,Currency,Subtotal,Shipping,Taxes,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price';
const ORDER = '#1001,ada@example.com,paid,EUR,20.00,5.00,4.00,29.00,2026-01-05 10:00:00 +0100,2,Kettle,10.00';

/** Chooses a file of orders and looks at its preview. */
const chooseOrders =
  (order: string) =>
  async (page: Page): Promise<void> => {
    await page
      .getByLabel('Drop files here')
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(`${ORDERS}\n${order}\n`) });
    await press(page, 'Preview');
    await page.getByRole('heading', { name: 'orders.csv' }).waitFor();
  };

const previewOrders = chooseOrders(ORDER);

/** A file with a typo in an amount: the preview names its line, and offers no import. */
async function previewTypo(page: Page): Promise<void> {
  await chooseOrders(ORDER.replace('29.00', '29.O0'))(page);
  await page.getByText(/line 2: .*"29\.O0" is not an amount/i).waitFor();
  if ((await page.getByRole('button', { name: 'Import' }).count()) > 0) throw new Error('a file with a typo could be imported');
}

/** From nothing to the first invoice, with a typo on the way. */
const importOrders =
  (target: Target) =>
  async (page: Page): Promise<void> => {
    const connection = new URL(page.url()).pathname.split('/').at(-1);
    await previewTypo(page);
    await previewOrders(page);
    await press(page, 'Import');
    await page.getByRole('status').waitFor();
    const query =
      'query ($id: ID!) { connection(id: $id) { company { invoices(first: 2) { nodes { documentNumber totalAmount contact { email } } } } } }';
    for (let turn = 0; turn < 300; turn++) {
      const response = await fetch(`${target.base}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { id: connection } }),
      });
      const text = await response.text();
      if (/"documentNumber":"#1001","totalAmount":"?29(\.0+)?"?,"contact":\{"email":"ada@example.com"/.test(text)) return;
      await page.waitForTimeout(200);
    }
    throw new Error('the first invoice has not come');
  };

/** The path of the form of a new incorporation request. */
async function newForm({ base, platformKey }: Target): Promise<string> {
  const response = await fetch(`${base}/api/v1/incorporation-requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
      country: 'US',
      corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } },
    }),
  });
  const { data } = (await response.json()) as { data: { signedFormUrl: string } };
  const { pathname, search } = new URL(data.signedFormUrl);
  return pathname + search;
}

const stepShown = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name: new RegExp(`Step \\d of 4: ${name}`) }).waitFor();

async function fillCompany(page: Page): Promise<void> {
  await page.getByLabel('First choice').fill('Blue Harbor Roasting, Inc.');
  await page.getByLabel('What the business does').fill('Roasts coffee and sells it to bakeries.');
  await press(page, 'Save and continue');
  await stepShown(page, 'Addresses');
}

/** A save after another window has saved the same step. */
async function saveStale(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await fillCompany(other);
  await other.close();
  await page.getByLabel('First choice').fill('Green Harbor Roasting, Inc.');
  await page.getByLabel('What the business does').fill('Roasts tea.');
  await press(page, 'Save and continue');
  await page.getByRole('heading', { name: 'Saved in another window' }).waitFor();
}

/** The browser's button back to a step that was saved, and another response there. The link alone always shows the step to continue with. */
async function goBack(page: Page): Promise<void> {
  await fillCompany(page);
  await page.goBack();
  await stepShown(page, 'Company');
  const name = page.getByLabel('First choice');
  if ((await name.inputValue()) !== 'Blue Harbor Roasting, Inc.') throw new Error('what was typed was not there after going back');
  await name.fill('Green Harbor Roasting, Inc.');
  await press(page, 'Save and continue');
  await stepShown(page, 'Addresses');
}

/** An address by a part of it, and what the finder offers. */
async function findAddress(page: Page): Promise<void> {
  await fillCompany(page);
  await page.getByLabel('Find the address').first().fill('1 Market Street, San Franc');
  // Each address has a finder of its own.
  await page.getByRole('group', { name: 'Physical address' }).getByRole('button', { name: 'Find' }).click();
  await page.locator('.found button').first().waitFor();
}

/** A state of one country in another. */
async function giveStateWrong(page: Page): Promise<void> {
  await fillCompany(page);
  const address = page.getByRole('group', { name: 'Physical address' });
  await address.getByLabel('Street and number').fill('1 Main Street');
  await address.getByLabel('State or province').selectOption('Delaware');
  await address.getByLabel('Country').selectOption('Germany');
  await press(page, 'Save and continue');
  await page.getByRole('alert').waitFor();
}

async function fillAddress(page: Page): Promise<void> {
  await findAddress(page);
  await page.locator('.found button').first().click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name="physicalAddress.city"]')?.value === 'San Francisco');
  await press(page, 'Save and continue');
  await stepShown(page, 'Ownership and people');
}

/** Issues next to the boxes of the people, and in the list above them. */
async function givePeopleWrong(page: Page): Promise<void> {
  await fillAddress(page);
  await page.getByLabel('Authorised shares').fill('1000');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Email address').fill('ada@nowhere');
  await page.getByLabel('Shares, of an owner').fill('900');
  await press(page, 'Save and continue');
  await page.getByRole('alert').waitFor();
}

/** All responses, after coming back by the link alone. */
async function review(page: Page): Promise<void> {
  const link = page.url();
  await givePeopleWrong(page);
  await page.getByLabel('Email address').fill('ada@example.com');
  for (const role of ['Director', 'Shareholder']) await page.getByLabel(role, { exact: true }).check();
  await press(page, 'Save and continue');
  await stepShown(page, 'Review and submit');
  await page.goto(link);
  await stepShown(page, 'Review and submit');
}

async function submitForm(page: Page): Promise<void> {
  await review(page);
  await press(page, 'Submit');
  await page.getByRole('status').waitFor();
}

/** Every state of the hosted pages. */
export const hostedVisits = (target: Target): Visit[] => [
  { name: 'link', path: () => newLink(target), act: openLink },
  { name: 'link-wrong', path: () => newLink(target), act: giveWrong, logs: /status of 400/ },
  { name: 'link-done', path: () => newLink(target), act: giveKeys(KEY) },
  { name: 'link-typo', path: () => newLink(target), act: giveKeys('a kye'), logs: /status of 400/ },
  { name: 'link-corrected', path: () => newLink(target), act: giveKeys('a kye', KEY), logs: /status of 400/ },
  { name: 'files', path: () => newLink(target, 'FILES'), act: (page) => page.getByRole('button', { name: 'Preview' }).waitFor() },
  { name: 'files-preview', path: () => newLink(target, 'FILES'), act: previewOrders },
  { name: 'files-typo', path: () => newLink(target, 'FILES'), act: previewTypo },
  { name: 'files-imported', path: () => newLink(target, 'FILES'), act: importOrders(target) },
  {
    name: 'link-unknown',
    path: '/connect/connection_1?key=x',
    act: (page) => page.getByText('This link does not work').waitFor(),
    logs: /status of 404/,
  },
  { name: 'form-company', path: () => newForm(target), act: (page) => stepShown(page, 'Company') },
  { name: 'form-stale', path: () => newForm(target), act: saveStale, logs: /status of 409/ },
  { name: 'form-back', path: async () => `${await newForm(target)}&step=company`, act: goBack },
  { name: 'form-addresses', path: () => newForm(target), act: findAddress },
  { name: 'form-addresses-wrong', path: () => newForm(target), act: giveStateWrong, logs: /status of 400/ },
  {
    name: 'form-saved',
    path: () => newForm(target),
    act: async (page) => {
      await press(page, 'Save and finish later');
      await page.getByRole('heading', { name: 'Saved' }).waitFor();
    },
  },
  { name: 'form-people-wrong', path: () => newForm(target), act: givePeopleWrong, logs: /status of 400/ },
  { name: 'form-review', path: () => newForm(target), act: review, logs: /status of 400/ },
  { name: 'form-done', path: () => newForm(target), act: submitForm, logs: /status of 400/ },
  {
    name: 'form-all',
    path: async () => `${await newForm(target)}&step=all`,
    act: (page) => page.getByRole('heading', { name: 'All questions' }).waitFor(),
  },
  {
    name: 'form-unknown',
    path: '/incorporate/us/inc_1?key=x',
    act: (page) => page.getByText('This link does not work').waitFor(),
    logs: /status of 404/,
  },
];

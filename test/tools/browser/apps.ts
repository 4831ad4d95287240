// What a visitor does in the three applications, done in Chromium against a gateway of its own: requests of each screen as counts, bytes of the first load,
// lines of code about data, changes that arrive on their own, errors next to their fields, the keyboard alone.
// node apps.ts
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startGateway } from '../gateway.ts';
import { launch } from './launch.ts';

const SOURCES = join(import.meta.dirname, '../../../site/apps/app/src');
const TIMEOUT_MS = 60_000;
/** The most a first visit of an application may cost, over the wire. */
const MAX_BYTES = 200_000;

const scratch = mkdtempSync(join(tmpdir(), 'gateway-apps-'));
const browser = await launch();
const gateway = await startGateway(scratch);

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** An application in a window of its own: what it asked the gateway for, and what it heard. */
interface Window {
  readonly page: Page;
  /** Names of the operations that were sent since the last look. */
  readonly sent: () => string[];
  /** Bytes of everything that was loaded. */
  readonly bytes: () => number;
  /** Sockets that were opened. */
  readonly sockets: () => number;
}

async function open(path: string): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  // Time can be moved on, so that a poll would show.
  await page.clock.install();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let operations: string[] = [];
  let bytes = 0;
  let sockets = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  session.on('Network.webSocketCreated', () => {
    sockets += 1;
  });
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/graphql') return;
    operations.push(/"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1] ?? 'unnamed');
  });
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(gateway.base + path);
  const sent = (): string[] => {
    const seen = operations;
    operations = [];
    return seen;
  };
  return { page, sent, bytes: () => bytes, sockets: () => sockets };
}

function expectSent(step: string, sent: readonly string[], ...expected: string[]): void {
  expect(sent.join() === expected.join(), `${step} sent ${sent.join() || 'nothing'} instead of ${expected.join() || 'nothing'}`);
}

/** Looks at a screen on which nothing changes for ten minutes: whatever it would have asked for by a timer is asked for then. */
async function expectNoPolls(path: string, query: string, shown: string): Promise<void> {
  const { page, sent } = await open(path);
  await page.locator(shown).first().waitFor();
  expectSent(`${path} opened again`, sent(), query);
  await page.clock.fastForward('10:00');
  // A response of the gateway, before which a request of a timer would have been sent.
  await page.evaluate(() => fetch('/livez'));
  expectSent(`${path} in ten minutes without a change`, sent());
}

async function api<T>(query: string, variables: object = {}): Promise<T> {
  const response = await fetch(`${gateway.base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: T; errors?: { message: string }[] };
  if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
  return data;
}

/** Moves to a control by the key Tab alone. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`the key Tab does not lead to ${selector}`);
}

/** Lines of an application about data: its operations, and its modules without elements. Written by hand alone. */
function dataLines(name: string): number {
  const files = readdirSync(join(SOURCES, name)).filter((file) => /\.(graphql|ts)$/.test(file) && !file.includes('.generated.'));
  const lines = files.flatMap((file) => readFileSync(join(SOURCES, name, file), 'utf8').split('\n'));
  return lines.filter((line) => line.trim() && !/^\s*(\/\/|\/\*|\*|#)/.test(line)).length;
}

/** Uses of the type `any` in the generated types of an application. */
function anyTypes(name: string): number {
  const text = readFileSync(join(SOURCES, name, 'operations.generated.ts'), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  return text.match(/\bany\b/g)?.length ?? 0;
}

function sizes(name: string, { bytes }: Window): string {
  expect(bytes() > 50_000 && bytes() < MAX_BYTES, `the first load of ${name} takes ${bytes()} bytes`);
  const any = anyTypes(name);
  expect(any === 0, `${any} generated types of ${name} are any`);
  return `${bytes()} bytes, ${dataLines(name)} lines about data, ${any} any`;
}

async function dashboard(): Promise<string> {
  const window = await open('/apps/dashboard');
  const { page, sent } = window;
  const rows = page.locator('.rows tbody tr');
  const first = rows.first();
  await rows.nth(4).waitFor();
  await page.locator('.live[data-live="true"]').waitFor();
  expectSent('the first screen', sent(), 'Dashboard');
  expect(window.sockets() === 1, `${window.sockets()} sockets are open`);
  const summary = sizes('dashboard', window);

  const pageText = page.locator('.pages p');
  await page.getByRole('button', { name: 'Next' }).click();
  await pageText.filter({ hasText: 'Page 2' }).waitFor();
  await rows.nth(3).waitFor({ state: 'detached' });
  expectSent('another page', sent(), 'Invoices');
  await page.goBack();
  await rows.nth(4).waitFor();
  expectSent('a page that was seen', sent());

  // By the keyboard alone: the order of a column, a status of the chart.
  await page.locator('h1').click();
  await tabTo(page, '.bars button');
  await page.keyboard.press('Enter');
  await rows.nth(2).waitFor({ state: 'detached' });
  expectSent('a filter', sent(), 'Invoices');
  await tabTo(page, '.rows thead th:nth-child(6) button');
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]', { hasText: 'Total' }).waitFor();
  await page.locator('.rows[aria-busy="false"]').waitFor();
  expectSent('an order', sent(), 'Invoices');
  const filtered = page.url();
  await page.getByRole('button', { name: /^Submitted/ }).click();
  await rows.nth(4).waitFor();
  sent();
  await page.getByLabel('Search', { exact: true }).pressSequentially('reading');
  await rows.nth(2).waitFor({ state: 'detached' });
  expectSent('a search of seven letters, for a customer', sent(), 'Invoices');

  // A change is shown on its own; many at once are read together.
  await page.goto(filtered);
  await rows.nth(1).waitFor();
  await page.locator('.live[data-live="true"]').waitFor();
  expectSent('a shared link', sent(), 'Dashboard');
  await first.filter({ hasText: 'INV-703' }).waitFor();
  const totals = await page.locator('.tiles dd').first().textContent();
  const found = await api<{ company: { invoices: { nodes: { id: string }[] } } }>(
    '{ company(id: 1) { invoices(first: 100, filter: { status: { eq: SUBMITTED } }) { nodes { id } } } }',
  );
  const change = (id: string, totalAmount: number): Promise<unknown> =>
    api('mutation ($input: UpdateInvoiceInput!) { updateInvoice(input: $input) { errors { message path } } }', {
      input: { companyId: 1, id, totalAmount },
    });
  await change(found.company.invoices.nodes[0]!.id, 123_456.78);
  await first.filter({ hasText: '£123,456.78' }).waitFor();
  await page.locator('.tiles dd').first().filter({ hasNotText: totals! }).waitFor();
  expectSent('a change', sent(), 'Dashboard');
  const { company: all } = await api<typeof found>('{ company(id: 1) { invoices(first: 100) { nodes { id } } } }');
  const records = all.invoices.nodes.map(({ id }) => ({ id, totalAmount: 1_000.01 }));
  await api('mutation ($input: UpdateInvoicesInput!) { updateInvoices(input: $input) { errors { message path } } }', {
    input: { companyId: 1, records },
  });
  await page.locator('.tiles dd').first().filter({ hasText: '£8,000.08' }).waitFor();
  const burst = sent().length;
  expect(burst < records.length, `${records.length} changes at once were read ${burst} times`);
  await expectNoPolls('/apps/dashboard', 'Dashboard', '.live[data-live="true"]');

  // A key that is no longer valid is asked for again.
  await page.evaluate(() => sessionStorage.setItem('ledger-gateway:key', JSON.stringify({ header: 'Authorization', key: 'ent_wrong' })));
  await page.reload();
  await page.getByRole('button', { name: 'Use a different key' }).click();
  await page.getByLabel('Key', { exact: true }).fill(gateway.bearer);
  await page.keyboard.press('Enter');
  await rows.nth(1).waitFor();
  return `1 request for the first screen, 1 for a page, 0 for one seen, 1 for a change, ${burst} for ${records.length} at once, 0 polls; ${summary}`;
}

/** Opens every figure of a report: the postings that appear must add up to it. Returns how many there were. */
async function openFigures({ page, sent }: Window, path: string, query: string): Promise<number> {
  await page.goto(gateway.base + path);
  const figures = page.getByRole('button', { name: /^Postings: / });
  await figures.first().waitFor();
  expectSent(path, sent(), 'Dashboard', query);
  const pence = (text: string | null): number => Math.round(Number(text!.replaceAll(/[^\d.-]/g, '')) * 100);
  const count = await figures.count();
  for (let index = 0; index < count; index++) {
    const figure = figures.nth(index);
    const name = (await figure.getAttribute('aria-label'))!;
    await figure.click();
    const panel = page.locator('[aria-labelledby="postings"]').filter({ hasText: name });
    const next = panel.getByRole('button', { name: 'Next' });
    const operations: string[] = [];
    let sum = 0;
    do {
      if (operations.length > 0) await next.click();
      operations.push('FigurePostings');
      await panel.getByText(`Page ${operations.length} of`).waitFor();
      await panel.locator('[aria-busy="false"]').waitFor();
      for (const text of await panel.locator('td.amount').allTextContents()) sum += pence(text);
    } while (await next.isEnabled());
    expectSent(name, sent(), ...operations);
    expect(Math.abs(sum) === Math.abs(pence(await figure.textContent())), `${path}: ${name} add up to ${sum}`);
    await page.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
  }
  return count;
}

async function reports(): Promise<string> {
  const window = await open('/apps/dashboard');
  await window.page.locator('.rows tbody tr').first().waitFor();
  window.sent();
  const opened: number[] = [];
  for (const [path, query] of [
    ['?show=profit&month=2026-02', 'ProfitByMonth'],
    ['?show=balance', 'BalanceSheet'],
    ['?show=owed', 'OpenAmounts'],
  ] as const)
    opened.push(await openFigures(window, `/apps/dashboard${path}`, query));
  await window.page.goto(`${gateway.base}/apps/dashboard?show=owed&contact=1&part=WRONG`);
  await window.page.getByRole('alert').waitFor();
  expect((await window.page.locator('.empty').count()) === 0, 'an error has a message of nothing found next to it');
  return `${opened.join(', ')} figures of profit and loss, balance sheet and open amounts opened, each the sum of its postings`;
}

async function onboarding(): Promise<string> {
  const window = await open('/apps/onboarding');
  const { page, sent } = window;
  await page.getByLabel('Country').waitFor();
  expectSent('the first screen', sent(), 'Onboarding');
  const summary = sizes('onboarding', window);
  const save = (): Promise<void> => page.getByRole('button', { name: 'Save and continue' }).click();

  await page.getByLabel('Country').selectOption('US');
  await page.getByLabel('State or province').waitFor();
  expectSent('a country', sent(), 'Choices');
  await save();
  await page.locator('.issue', { hasText: 'Registered name is required' }).waitFor();
  expectSent('a refused step', sent(), 'Begin');
  expect(await page.getByLabel('Registered name').evaluate((input) => input === document.activeElement), 'the wrong field is not focused');
  await page.keyboard.type('Red Lantern Trading, Inc.');
  await page.keyboard.press('Enter');
  await page.locator('h2', { hasText: 'Tax numbers' }).waitFor();
  expectSent('a saved step', sent(), 'Begin');
  await page.getByRole('button', { name: /^Red Lantern/ }).waitFor();
  expect(await page.locator('.wizard h2').evaluate((heading) => heading === document.activeElement), 'the next step is not announced');

  const number = page.getByLabel('EIN');
  await number.fill('1');
  await save();
  await page.locator('.issue', { hasText: 'Compare it with the example' }).waitFor();
  await number.fill('91-1144442');
  await save();
  await page.getByLabel('City').waitFor();
  expectSent('a step with an error, and without', sent(), 'Save', 'Save');

  // Come back later, in another tab: the same step, with what was saved.
  const address = page.url();
  const later = await open(new URL(address).pathname + new URL(address).search);
  await later.page.getByLabel('City').waitFor();
  expectSent('coming back', later.sent(), 'Onboarding');
  await later.page.getByLabel('Street and number').fill('1 Example Street');
  await later.page.getByLabel('City').fill('Wilmington');
  await later.page.getByRole('button', { name: 'Save and continue' }).click();
  await later.page.getByLabel('Registered in').waitFor();

  // The first tab has an older version, and does not overwrite the newer one.
  await page.getByLabel('City').fill('Dover');
  await save();
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name="address.city"]')?.value === 'Wilmington');
  expectSent('a conflict, and reading again', sent(), 'Save', 'Onboarding');

  later.sent();
  await later.page.getByLabel('Registered in').selectOption('Alabama');
  await later.page.getByRole('button', { name: 'Add the registration' }).click();
  await later.page.locator('.issue', { hasText: 'Registered since is required' }).waitFor();
  const answers = {
    'Registered since': '2025-01-01',
    'Employer Identification Number': '91-1144442',
    'What is sold': 'Kettles',
    'Date of the first taxable sale': '2025-01-02',
    'Expected taxable sales per month': '1000',
    'Mail address for the authority': 'tax@example.com',
  };
  for (const [label, answer] of Object.entries(answers)) await later.page.getByLabel(label).fill(answer);
  await later.page.getByLabel('Has a place of business in the state').selectOption('Yes');
  await later.page.getByLabel('Address of the place of business').fill('1 Dexter Avenue, Montgomery');
  await later.page.getByLabel('Accounting basis').selectOption('CASH');
  await later.page.getByRole('button', { name: 'Add the registration' }).click();
  await later.page.locator('.documents li', { hasText: 'Alabama' }).waitFor();
  expectSent('a registration, refused and stored', later.sent(), 'Offers', 'AddRegistration', 'AddRegistration');
  await later.page.getByRole('button', { name: 'Save and continue' }).click();
  const upload = { name: 'articles.txt', mimeType: 'text/plain', buffer: Buffer.from('Articles of incorporation') };
  await later.page.getByLabel('Add a document').setInputFiles(upload);
  await later.page.locator('.documents li', { hasText: 'articles.txt' }).waitFor();
  expect(later.sent().length === 1, 'an upload takes more than one request');
  await later.page.locator('.actions').getByRole('button', { name: 'Review' }).click();
  await later.page.getByText('All of this is saved').waitFor();
  for (const text of ['Red Lantern Trading, Inc.', '91-1144442', 'Wilmington', 'Alabama', 'articles.txt'])
    await later.page.locator('.part', { hasText: text }).waitFor();
  expectSent('the review', later.sent());
  await expectNoPolls('/apps/onboarding', 'Onboarding', '.wizard');
  return `1 request for the first screen, 1 for the choices of a country, 1 for each step, 1 for coming back, 1 for a place and 1 for its registration, 1 for an upload, 0 polls; ${summary}`;
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function webhooks(): Promise<string> {
  const received: Received[] = [];
  let hookStatus = 500;
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push({ headers: request.headers, body });
    response.writeHead(hookStatus).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const window = await open('/apps/webhooks');
    const { page, sent } = window;
    await page.getByLabel('Address', { exact: true }).waitFor();
    expectSent('the first screen', sent(), 'Webhooks');
    const summary = sizes('webhooks', window);
    /** What was asked for by a click: what is read after a delivery has changed is left out. */
    const asked = (): string[] => sent().filter((name) => name !== 'Webhooks');
    const add = (): Promise<void> => page.getByRole('button', { name: 'Add the webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Receiver');
    // Of all topics, the runs of the demo's own connection would be delivered too.
    await page.getByLabel('Topics').selectOption('CORPORATIONS_CREATED');
    await page.getByLabel('Address', { exact: true }).fill('nowhere');
    await add();
    await page.locator('.field .issue').waitFor();
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await add();
    await page.locator('.secret').waitFor();
    await page.locator('.card-name', { hasText: 'Receiver' }).click();
    await page.locator('.live[data-live="true"]').waitFor();
    await page.locator('#deliveries small', { hasText: '0' }).waitFor();
    expect(window.sockets() === 1, `${window.sockets()} sockets are open`);
    sent();

    // An event whose delivery fails is shown with its next attempt, and sent at once by a click.
    await api('mutation { createCorporation(input: { legalName: "Lamp Makers Ltd", jurisdiction: "GB" }) { errors { message } } }');
    const delivery = page.locator('.deliveries li').first();
    await delivery.filter({ hasText: '500' }).waitFor();
    const live = sent();
    expect(live.every((name) => name === 'Webhooks') && live.length <= 3, `a delivery that was made and attempted sent ${live.join()}`);
    await delivery.locator('.delivery').click();
    await delivery.locator('pre', { hasText: 'Lamp Makers' }).waitFor();
    expectSent('the message', asked(), 'DeliveryMessage');
    hookStatus = 204;
    await delivery.getByRole('button', { name: 'Send it now' }).click();
    await delivery.locator('.badge', { hasText: 'Delivered' }).waitFor();
    await page.locator('.counts div', { hasText: 'Delivered1' }).waitFor();
    sent();
    await page.getByLabel('Status').selectOption('FAILED');
    await page.getByText('No deliveries match').waitFor();
    expectSent('a filter', asked(), 'Deliveries');
    await page.getByLabel('Status').selectOption('');
    await delivery.waitFor();
    expectSent('a filter that was seen', asked());

    // The statistics are read when they are opened.
    sent();
    await page.getByText('Delivery statistics').click();
    await page.locator('.statistics tbody tr').first().waitFor();
    const figures = await page.locator('.statistics .counts').textContent();
    // One attempt has succeeded, after one that failed or more.
    const [, attempts, succeeded] = /Attempts(\d+)Succeeded([\d.]+)%/.exec(figures ?? '') ?? [];
    expect(Number(attempts) > 1 && Math.abs(Number(succeeded) - 100 / Number(attempts)) < 0.1, `the statistics are ${figures}`);
    expectSent('the statistics', asked(), 'WebhookFigures');

    // A test that failed is not tried again on its own; a replay sends it.
    hookStatus = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.counts div', { hasText: 'Failed1' }).waitFor();
    hookStatus = 204;
    await page.getByLabel(/again$/).selectOption({ label: 'of the last hour' });
    await page.getByText('1 delivery is sent again').waitFor();
    await page.locator('.counts div', { hasText: 'Delivered2' }).waitFor();

    // The message that arrived, checked as its receiver would.
    const { headers, body } = received.at(-1)!;
    await page.getByText('Verify a message').click();
    for (const name of ['id', 'timestamp', 'signature'])
      await page.getByLabel(`webhook-${name}`, { exact: true }).fill(String(headers[`webhook-${name}`]));
    await page.getByLabel('Body').fill(body);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The signature is right').waitFor();
    await page.getByLabel('Body').fill(`${body} `);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The signature is wrong').waitFor();

    await expectNoPolls('/apps/webhooks', 'Webhooks', '.live[data-live="true"]');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Really delete' }).click();
    await page.locator('.card-name').waitFor({ state: 'detached' });
    return `1 request for the first screen, 1 for a filter, 0 for one seen, ${live.length} for a delivery and its attempt, 0 polls; ${summary}`;
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}

/** Rejects what an application asks for: all of it, or one operation. */
async function refuse(page: Page, name = ''): Promise<void> {
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes(`"operationName":"${name}`) ? route.abort() : route.continue(),
  );
}

/** An error is alone where something could not be read: no message of nothing found, no count, no page next to it. */
async function errorsAlone(): Promise<string> {
  const { page } = await open('/apps/dashboard');
  await page.locator('.rows tbody tr').first().waitFor();
  await refuse(page);
  await page.getByLabel('Search', { exact: true }).fill('nobody');
  const invoices = page.locator('[aria-labelledby="invoices"]').first();
  await invoices.getByRole('alert').waitFor();
  expect((await invoices.locator('.empty, .pages, .rows').count()) === 0, 'an error has a table next to it');

  const deliveries = (await open('/apps/webhooks')).page;
  await deliveries.getByLabel('Topic', { exact: true }).selectOption('INCORPORATION_REQUEST_COMPLETED');
  await deliveries.getByText('No deliveries match').waitFor();
  await refuse(deliveries);
  await deliveries.getByLabel('Topic', { exact: true }).selectOption('INCORPORATION_REQUEST_FAILED');
  await deliveries.locator('[aria-labelledby="deliveries"]').getByRole('alert').waitFor();
  expect((await deliveries.getByText('No deliveries match').count()) === 0, 'an error has a message of no deliveries next to it');

  const made = await api<{ createCorporation: { corporation: { id: string } } }>(
    'mutation { createCorporation(input: { legalName: "Unread Ltd", jurisdiction: "GB" }) { corporation { id } } }',
  );
  const at = (step: string): string => `/apps/onboarding?corporation=${made.createCorporation.corporation.id}&step=${step}`;
  for (const [step, query, empty] of [
    ['numbers', 'Choices', 'No numbers are known'],
    ['registrations', 'Places', 'nothing'],
  ] as const) {
    const wizard = (await open('/apps/onboarding')).page;
    await wizard.getByLabel('Country').waitFor();
    await refuse(wizard, query);
    await wizard.goto(gateway.base + at(step));
    await wizard.locator('.wizard').getByRole('alert').waitFor();
    expect((await wizard.getByText(empty).count()) === 0, `an error at ${step} has a message of nothing known next to it`);
  }
  return 'invoices, deliveries, tax numbers and places';
}

/** Bars have a legend and currencies, and each list labels two records of one name differently. */
async function names(): Promise<string> {
  const contacts = await Promise.all(
    [1, 2].map(() =>
      api<{ createContact: { contact: { id: string } } }>(
        'mutation { createContact(input: { companyId: 1, name: "Twin Traders" }) { contact { id } } }',
      ),
    ),
  );
  for (const { createContact } of contacts) {
    await api('mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { errors { message } } }', {
      input: {
        companyId: 1,
        contactId: createContact.contact.id,
        documentNumber: 'TWIN',
        status: 'SUBMITTED',
        postedDate: '2026-02-01',
        dueDate: '2026-03-01',
        totalAmount: 1,
        amountDue: 1,
        currencyId: 'GBP',
      },
    });
    await api('mutation { createCorporation(input: { legalName: "Twin Traders", jurisdiction: "GB" }) { errors { message } } }');
    await api(
      'mutation { createWebhook(input: { name: "Twin Traders", url: "http://127.0.0.1:9/", topics: [ALL] }) { errors { message } } }',
    );
  }
  const expectApart = async (lists: string, texts: readonly string[]): Promise<void> => {
    const found = texts.filter((text) => text.includes('Twin Traders'));
    expect(found.length > 1 && new Set(found).size === found.length, `${lists} shows ${found.join(' and ')}`);
  };
  const { page } = await open('/apps/dashboard?search=Twin');
  await page.locator('.rows tbody tr').first().waitFor();
  await expectApart('the table of invoices', await page.locator('.rows td[data-label="Customer"]').allTextContents());
  const statuses = (await page.locator('.bars .name').allTextContents()).map((name) => name.replace(/ \d+$/, ''));
  const legend = await page.locator('figure .legend li').allTextContents();
  expect(legend.length > 1 && legend.join() === statuses.join(), `the legend is ${legend.join()} instead of ${statuses.join()}`);
  const colours = (selector: string, property: string, pseudo?: string): Promise<string[]> =>
    page
      .locator(selector)
      .evaluateAll((marks, [name, part]) => marks.map((mark) => getComputedStyle(mark, part).getPropertyValue(name!)), [property, pseudo]);
  expect(
    (await colours('figure .legend li', 'background-color', '::before')).join() ===
      (await colours('.bars rect:not(.track)', 'fill')).join(),
    'the legend has other colours than the bars',
  );
  const values = (await page.locator('figure .value').allTextContents()).filter(Boolean);
  expect(values.length > 0 && values.every((value) => value.startsWith('£')), `the bars are labelled ${values.join()}`);

  await page.goto(`${gateway.base}/apps/dashboard?show=owed`);
  await page.locator('[aria-labelledby="receivables"] tbody tr').first().waitFor();
  await expectApart('who owes what', await page.locator('[aria-labelledby="receivables"] tbody th').allTextContents());
  const wizard = (await open('/apps/onboarding')).page;
  await wizard.locator('.drafts li').first().waitFor();
  await expectApart('the list of companies', await wizard.locator('.drafts li').allTextContents());
  const webhooks = (await open('/apps/webhooks')).page;
  await webhooks.locator('.card-name').first().waitFor();
  await expectApart('the list of webhooks', await webhooks.getByLabel('Webhook', { exact: true }).locator('option').allTextContents());
  return `invoices, contacts, companies and webhooks; legend ${legend.join(', ')}; bars ${values.join(', ')}`;
}

let failed = 0;
const tasks = [reports, dashboard, onboarding, webhooks, errorsAlone, names];
for (const task of tasks) {
  try {
    console.log(`${task.name}: ${await task()}`);
  } catch (error) {
    failed += 1;
    console.log(`${task.name}: ${(error as Error).stack}`);
  }
}
await browser.close();
await gateway.stop();
rmSync(scratch, { recursive: true, force: true });
console.log(`${tasks.length} tasks, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

// What a visitor does on the playground, done in Chromium: bytes of the first load, picking, running, sharing, following, copying programs, by keyboard alone.
// node tasks.ts <base address>
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { launch } from './launch.ts';

const run = promisify(execFile);
const base = new URL(process.argv[2] ?? 'http://127.0.0.1:4000').origin;
const TIMEOUT_MS = 60_000;
/** The most a first visit may cost, over the wire. */
const MAX_BYTES = 350_000;

const browser = await launch();

async function visit(address = '/graphql'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(new URL(address, base).href);
  return page;
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const text = (page: Page, editor: string): Promise<string> =>
  page
    .locator(`.cm-content[aria-label="${editor}"] .cm-line`)
    .evaluateAll((lines) => lines.map(({ textContent }) => textContent).join('\n'));
const oneLine = (value: string | null): string => (value ?? '').replaceAll(/\s+/g, ' ').trim();
const row = (page: Page, id: string) => page.locator(`[data-id="${id}"]`);

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
async function expectText(page: Page, editor: string, part: string): Promise<void> {
  for (const began = Date.now(); Date.now() - began < TIMEOUT_MS; ) {
    if (oneLine(await text(page, editor)).includes(part)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`${editor} has no ${part}: ${oneLine(await text(page, editor))}`);
}
async function example(page: Page, title: string): Promise<void> {
  await press(page, 'Examples');
  await page
    .locator('.list button')
    .filter({ has: page.locator('strong', { hasText: title }) })
    .click();
}

/** Replaces what is in an editor. */
async function type(page: Page, editor: string, value: string): Promise<void> {
  await page.locator(`.cm-content[aria-label="${editor}"]`).focus();
  await page.keyboard.press('ControlOrMeta+a');
  // As pasted: typing would close brackets on its own.
  await page.keyboard.insertText(value);
}

async function firstLoad(): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto(`${base}/graphql`, { waitUntil: 'networkidle' });
  await page.locator('.owner[data-known="true"]').waitFor({ timeout: TIMEOUT_MS });
  expect(bytes < MAX_BYTES, `the first load takes ${bytes} bytes`);
  expect(bytes > 50_000, `only ${bytes} bytes were counted`);
  return `${bytes} bytes in ${requests} requests`;
}

async function pickAndRun(): Promise<string> {
  const page = await visit();
  await press(page, 'Fields');
  await row(page, 'field:company').waitFor();
  await type(page, 'Operation', '# nothing yet\n');
  await row(page, 'field:company').click();
  await expectText(page, 'Operation', 'company(id:');
  await page.getByLabel('Filter fields').fill('company');
  await row(page, 'field:company/argument:id').click({ trial: true });
  await row(page, 'field:company/field:accounts').click();
  await row(page, 'field:company/field:accounts/argument:first').click();
  await page.getByLabel('Value of first').fill('2');
  await page.keyboard.press('Enter');
  await expectText(page, 'Operation', 'accounts(first: 2) { nodes { id name } }');
  // A value is chosen without losing it, and goes by its tick.
  await row(page, 'field:company/argument:id').locator('.name').click();
  await page.getByLabel('Value of id').fill('company_1');
  await page.keyboard.press('Enter');
  await expectText(page, 'Operation', 'company(id: "company_1")');
  await press(page, 'Run');
  await expectText(page, 'Response', '"Blue Harbour Coffee Roasters"');
  expect(!(await text(page, 'Response')).includes('usage'), 'the response shows what the playground asked for itself');
  const measures = oneLine(await page.locator('.measures').textContent());
  for (const name of ['Status200', 'Time', 'Cost', 'Bytes']) expect(measures.includes(name), `no ${name} in: ${measures}`);
  // The tree follows what is typed.
  await type(page, 'Operation', 'query Q { company(id: 1) { ledgerId } }');
  await page.locator('[data-id="field:company/field:ledgerId"][aria-checked="true"]').waitFor();
  await page.locator('[data-id="field:company/field:accounts"][aria-checked="false"]').waitFor();
  const reference = await page.locator('.detail a').getAttribute('href');
  expect((await page.request.get(new URL(reference!, base).href, { headers: { accept: 'text/html' } })).ok(), `${reference} is no page`);
  return measures;
}

async function byKeyboard(): Promise<string> {
  const page = await visit();
  await page.locator('.owner[data-known="true"]').waitFor();
  const isAt = (selector: string): Promise<boolean> =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  const tabTo = async (selector: string, backwards = false): Promise<void> => {
    for (let presses = 0; presses < 80; presses++) {
      if (await isAt(selector)) return;
      await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`the key Tab never comes to ${selector}`);
  };
  await tabTo('.build .choices button:nth-child(2)');
  await page.keyboard.press('Enter');
  await row(page, 'field:viewer').waitFor();
  await tabTo('[role=treeitem]');
  await page.keyboard.press('End');
  // The focus follows a key with the next frame.
  const frame = (): Promise<unknown> =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await frame();
  for (let presses = 0; presses < 60 && !(await isAt('[data-id="field:viewer"]')); presses++) {
    await page.keyboard.press('ArrowUp');
    await frame();
  }
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await expectText(page, 'Operation', 'viewer { roles }');
  await page.keyboard.press('ArrowDown');
  await tabTo('.detail a');
  await tabTo('.cm-content[aria-label=Operation]');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expectText(page, 'Response', '"roles"');
  await tabTo('.cm-content[aria-label=Response]');
  await tabTo('.run', true);
  return 'picked, ran and came back';
}

/** Typing is quicker than the page draws: nothing of it may be lost, and completion comes. */
async function typing(): Promise<string> {
  const page = await visit();
  await press(page, 'Fields');
  await row(page, 'field:company').waitFor();
  await type(page, 'Operation', '');
  await page.keyboard.type('query Typed { viewer { rol');
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'roles' }).click();
  await expectText(page, 'Operation', 'query Typed { viewer { roles');
  await page.locator('[data-id="field:viewer"][aria-checked="true"]').waitFor();
  return oneLine(await text(page, 'Operation'));
}

async function shareLink(): Promise<string> {
  const page = await visit();
  await example(page, 'the largest credit notes');
  await expectText(page, 'Variables', '"gte": 10');
  await press(page, 'Share');
  await page.locator('.note', { hasText: 'Link copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const key = await page.getByLabel('Key, kept for this tab only').inputValue();
  expect(key.length > 20 && !link.includes(key), 'the link shows the key');
  expect(new URL(link).search === '', 'the link sends the operation to a server');
  const other = await visit(link.slice(base.length));
  await expectText(other, 'Operation', 'query LargestCreditNotes');
  for (const editor of ['Operation', 'Variables'])
    expect(oneLine(await text(other, editor)) === oneLine(await text(page, editor)), `${editor} differs after the link`);
  await press(other, 'Run');
  await expectText(other, 'Response', '"totalCount"');
  return `${link.length} characters`;
}

async function followChanges(): Promise<string> {
  const page = await visit();
  await example(page, 'Contacts as they change');
  await press(page, 'Run');
  await page.locator('.messages [role=status]', { hasText: 'listening' }).waitFor();
  await example(page, 'Create a contact');
  // A subscription has no acknowledgement, so the change is made until it is heard.
  for (let tries = 0; tries < 20; tries++) {
    await press(page, 'Run');
    await expectText(page, 'Response', '"createContact"');
    await page.locator('.result .choices button', { hasText: 'Messages' }).click();
    const heard = page.locator('.messages pre', { hasText: 'Morgan Lee' }).first();
    if (
      await heard.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    )
      break;
  }
  const message = oneLine(await page.locator('.messages pre').first().textContent());
  expect(message.includes('CREATED'), `no message of a created contact: ${message}`);
  await press(page, 'Stop');
  await page.locator('.messages [role=status]', { hasText: 'stopped' }).waitFor();
  await press(page, 'History');
  expect((await page.locator('.history li').count()) === 2, 'the history does not have both operations');
  return oneLine(await page.locator('.messages [role=status]').textContent());
}

async function snippets(): Promise<string> {
  const page = await visit();
  await example(page, 'the largest credit notes');
  await press(page, 'Snippets');
  const scratch = await mkdtemp(join(tmpdir(), 'snippets-'));
  const programs: [form: string, file: string, command: string][] = [
    ['curl', 'snippet.sh', 'bash'],
    ['fetch', 'snippet.mjs', process.execPath],
    ['Python', 'snippet.py', 'python3'],
  ];
  const key = await page.getByLabel('Key, kept for this tab only').inputValue();
  for (const [form, file, command] of programs) {
    await press(page, form);
    await expectText(page, `The operation with ${form}`, 'LargestCreditNotes');
    // The editor holds only the lines in sight; the button copies all of them.
    await press(page, 'Copy');
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const program = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    expect(!program.includes(key), `${form} shows the key`);
    await writeFile(join(scratch, file), program);
    const { stdout } = await run(command, [join(scratch, file)], { env: { ...process.env, KEY: key } });
    expect(/"totalCount": ?\d/.test(stdout), `${form} returned ${stdout.slice(0, 300)}`);
  }
  for (const form of ['Apollo Client', 'urql', 'Relay']) {
    await press(page, form);
    await expectText(page, `The operation with ${form}`, 'query LargestCreditNotes');
  }
  await rm(scratch, { recursive: true });
  return programs.map(([form]) => form).join(', ');
}

async function whoseKey(): Promise<string> {
  const page = await visit();
  await page.locator('.owner', { hasText: 'Demo' }).waitFor();
  const owner = oneLine(await page.locator('.owner').textContent());
  await page.getByLabel('Key, kept for this tab only').fill('wrong');
  await page.keyboard.press('Tab');
  await page.locator('.owner[data-known="false"]', { hasText: 'Invalid' }).waitFor();
  await press(page, 'Use demo key');
  await page.locator('.owner', { hasText: 'Demo' }).waitFor();
  return owner;
}

async function fromReference(): Promise<string> {
  const page = await visit('/docs/graphql/queries/viewer');
  await page.getByRole('link', { name: 'Open in the playground' }).click();
  await expectText(page, 'Operation', 'query Viewer');
  await press(page, 'Run');
  await expectText(page, 'Response', '"viewer"');
  return 'opened and ran';
}

/** Several operations are open: chosen, closed and found again, by the keyboard alone. */
async function openTabs(): Promise<string> {
  const page = await visit();
  const list = page.getByRole('tablist', { name: 'Open operations' });
  const names = (): Promise<string[]> => list.getByRole('tab').allTextContents();
  const chosen = list.locator('[aria-selected="true"]');
  const expectNames = async (...expected: string[]): Promise<void> => {
    await list.getByRole('tab').nth(expected.length).waitFor({ state: 'detached' });
    expect((await names()).join() === expected.join(), `the tabs are ${await names()} instead of ${expected}`);
  };
  await example(page, 'Whose key this is');
  await expectNames('WhoseKey');
  await type(page, 'Operation', 'query First { viewer { roles } }');
  // What was edited keeps its tab; what was not is replaced.
  await example(page, 'the largest credit notes');
  await expectNames('First', 'LargestCreditNotes');
  await press(page, 'Run');
  await expectText(page, 'Response', '"totalCount"');
  await press(page, 'New operation');
  await type(page, 'Operation', '{ viewer { organisation { name } } }');
  await expectNames('First', 'LargestCreditNotes', 'viewer');
  await expectText(page, 'Response', '');
  expect((await text(page, 'Response')) === '', 'a new tab shows the response of another');

  await chosen.focus();
  for (const [key, name] of [
    ['ArrowRight', 'First'],
    ['ArrowLeft', 'viewer'],
    ['Home', 'First'],
    ['ArrowRight', 'LargestCreditNotes'],
  ] as const) {
    await page.keyboard.press(key);
    await list.locator('[aria-selected="true"]:focus', { hasText: name }).waitFor();
    expect((await list.locator('[tabindex="0"]').count()) === 1, 'the key Tab leads to more than one tab');
  }
  await expectText(page, 'Operation', 'query LargestCreditNotes');
  await expectText(page, 'Response', '"totalCount"');
  await page.keyboard.press('Shift+Tab');
  await chosen.focus();
  await page.keyboard.press('Tab');
  expect(
    (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) === 'Close LargestCreditNotes',
    'closing does not follow the tabs',
  );
  // Undoing in one tab does not bring back the text of another.
  await page.locator('.cm-content[aria-label="Operation"]').focus();
  await page.keyboard.press('ControlOrMeta+z');
  await expectText(page, 'Operation', 'query LargestCreditNotes');

  await page.reload();
  await expectNames('First', 'LargestCreditNotes', 'viewer');
  await chosen.filter({ hasText: 'LargestCreditNotes' }).focus();
  await page.keyboard.press('Delete');
  await expectNames('First', 'viewer');
  await list.locator('[aria-selected="true"]:focus', { hasText: 'viewer' }).waitFor();
  await press(page, 'Close viewer');
  await expectNames('First');
  expect((await page.getByRole('button', { name: /^Close/ }).count()) === 0, 'the last tab can be closed');
  await press(page, 'History');
  await page.locator('.history li', { hasText: 'viewer' }).filter({ hasText: 'not run' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${base}/graphql`);
  await other.getByRole('tab', { name: 'First' }).waitFor();
  return 'opened, chosen, closed and found again';
}

/** Headers are sent with the operation; one that cannot be sent is named. */
async function requestHeaders(): Promise<string> {
  const page = await visit();
  await type(page, 'Operation', 'mutation ($name: String!) { createContact(input: { companyId: 1, name: $name }) { contact { id } } }');
  const write = async (name: string): Promise<void> => {
    await press(page, 'Variables');
    await type(page, 'Variables', `{ "name": "${name}" }`);
    await page.getByRole('button', { name: /^Headers/ }).click();
  };
  const rejected = async (headers: string, message: string): Promise<void> => {
    await type(page, 'Headers', headers);
    await press(page, 'Run');
    await page.locator('.note', { hasText: message }).waitFor();
  };
  await write('First of two');
  await rejected('[]', 'The headers are not a JSON object.');
  await page.locator('.cm-lintRange-error').first().waitFor();
  await rejected('{ "Authorization": "Bearer x" }', 'The header “Authorization” carries the key');
  await rejected('{ "Cookie": "a=b" }', 'The header “Cookie” is set by the browser.');
  const key = `tasks-${Date.now()}`;
  await type(page, 'Headers', `{ "Idempotency-Key": "${key}", "X-Request-Id": "${key}" }`);
  const sent = page.waitForRequest((request) => request.postData()?.includes('createContact') ?? false);
  await press(page, 'Run');
  const headers = await (await sent).allHeaders();
  expect(headers['idempotency-key'] === key && headers['x-request-id'] === key, `the headers are ${JSON.stringify(headers)}`);
  await expectText(page, 'Response', '"contact_');
  const first = await text(page, 'Response');
  // The key holds for one write: the same key with another input is rejected.
  await write('Second of two');
  await press(page, 'Run');
  await expectText(page, 'Response', 'errors');
  expect((await text(page, 'Response')) !== first, 'the key of a write was not sent');
  await press(page, 'Snippets');
  await expectText(page, 'The operation with curl', `Idempotency-Key: ${key}`);
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(!kept.includes(key), 'headers are kept beyond the visit');
  await page.reload();
  await page.getByRole('button', { name: 'Headers has headers' }).click();
  await expectText(page, 'Headers', key);
  return 'sent, named and forgotten with the visit';
}

const tasks = {
  firstLoad,
  openTabs,
  requestHeaders,
  pickAndRun,
  typing,
  byKeyboard,
  shareLink,
  followChanges,
  snippets,
  whoseKey,
  fromReference,
};
for (const [name, task] of Object.entries(tasks)) {
  try {
    console.log(`${name}: ${await task()}`);
  } catch (error) {
    console.log(`${name}: FAILED, ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
await browser.close();

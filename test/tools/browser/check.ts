// Opens every page of a running gateway in Chromium, on a desktop and on a phone, in light and dark, and counts findings: errors, outside requests, accessibility violations.
// node check.ts <base address> <key of the integrations API> [folder for screenshots] [names of visits, with commas]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { hostedVisits } from './hosted.ts';
import { launch } from './launch.ts';
import { press, type Visit } from './visit.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Each device starts in its first colour scheme and switches to the other, so that both the start and the switch are tested. */
const DEVICES = [
  { name: 'desktop', viewport: { width: 1440, height: 900 }, schemes: ['light', 'dark'] },
  { name: 'phone', viewport: { width: 390, height: 844 }, schemes: ['dark', 'light'] },
] as const;
type Device = (typeof DEVICES)[number];

async function read(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
}

/** Waits until the editor has coloured its text; it shows the text first. */
async function editorReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const parts = document.querySelectorAll('.document .cm-line span[class]');
    return new Set([...parts].map(({ className }) => className)).size > 1;
  });
}

/** Shows a part of the playground; a phone shows one at a time. */
async function showPart(page: Page, name: string): Promise<void> {
  const part = page.locator('.parts').getByRole('button', { name, exact: true });
  if (await part.isVisible()) await part.click();
}

async function runQuery(page: Page): Promise<void> {
  await editorReady(page);
  await press(page, 'Run');
  await page.locator('.response .cm-line', { hasText: 'data' }).first().waitFor();
}

async function openTwin(page: Page): Promise<void> {
  await editorReady(page);
  await showPart(page, 'Result');
  await page.locator('.rest-counterpart').waitFor();
}

/** A resource with its lists open, in another language than the first. */
async function openDocs(page: Page): Promise<void> {
  await read(page);
  await page.getByRole('button', { name: 'Python', exact: true }).first().click();
  await page.locator('[data-program="Python"]:visible').first().waitFor();
  for (const summary of await page.locator('.operation').first().locator('.text summary').all()) await summary.click();
}

/** The tree with an argument that is picked, and its value in the box below. */
async function openFields(page: Page): Promise<void> {
  await editorReady(page);
  await showPart(page, 'Build');
  await press(page, 'Fields');
  await page.locator('[data-id$="argument:first"] .tick').click();
  await page.locator('[data-id$="argument:last"]').click();
  await page.getByLabel('Value of last').waitFor();
}

async function openExamples(page: Page): Promise<void> {
  await editorReady(page);
  await showPart(page, 'Build');
  await press(page, 'Examples');
  await page.locator('.list strong').first().waitFor();
}

/** A message of the editor on a wrong name, and what the name at the cursor is. */
async function openMarked(page: Page): Promise<void> {
  await openExamples(page);
  await page.locator('.list button', { hasText: 'A field that the schema does not have' }).click();
  await page.locator('.cm-lintRange-error').first().waitFor();
  await page.locator('.document .cm-line', { hasText: 'companies' }).click({ position: { x: 60, y: 8 } });
  await page.locator('.here a').waitFor();
}

async function openHistory(page: Page): Promise<void> {
  await runQuery(page);
  await showPart(page, 'Build');
  await press(page, 'History');
  await page.locator('.history li').first().waitFor();
}

async function openSnippets(page: Page): Promise<void> {
  await editorReady(page);
  await showPart(page, 'Result');
  await press(page, 'Snippets');
  await press(page, 'Python');
  await page.locator('.snippets .cm-line', { hasText: 'import urllib.request' }).waitFor();
}

async function openMessages(page: Page): Promise<void> {
  await openExamples(page);
  await page.locator('.list button', { hasText: 'Contacts as they change' }).click();
  await press(page, 'Run');
  await page.locator('.messages section').waitFor();
}

async function pickOperation(page: Page): Promise<void> {
  await editorReady(page);
  await showPart(page, 'Build');
  await press(page, 'REST');
  await page.locator('.operation-list li button').last().click();
  await showPart(page, 'Result');
  await page.locator('.rest-counterpart summary').click();
}

/** The example runs on the page, with the demo key. */
async function execute(page: Page): Promise<void> {
  const form = page.locator('.operation').first().locator('.try');
  await form.locator('summary').click();
  await form.getByRole('button').click();
  await form.locator('output b', { hasText: '200' }).waitFor();
}

/** The key / leads to the search, and the return key to what was found. */
async function find(page: Page): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type('purchase order');
  await page.keyboard.press('Enter');
  await page.locator('.hits li').first().waitFor();
}

async function up(page: Page): Promise<void> {
  await page.locator('#status[data-state="up"]').waitFor();
}

interface Operation {
  id: string;
  path: string;
  docs: string;
  playground: string;
}

interface OperationMap {
  operations: Operation[];
  surfaces: { id: string; credential: { demoKey?: string } }[];
}

/** Every REST operation, as the pages link it, and the demo keys. */
async function operationsOf(base: string): Promise<OperationMap> {
  const map = (await (await fetch(`${base}/docs/operations.json`)).json()) as OperationMap;
  if (map.operations.length === 0) throw new Error('/docs/operations.json has no operation');
  return map;
}

/** Follows the "Open in the playground" link of every operation, and looks for its REST counterpart below the response. */
async function openEvery(page: Page): Promise<void> {
  await editorReady(page);
  for (const { path, playground } of operations) {
    await page.evaluate((hash) => location.assign(hash), new URL(playground, base).hash);
    await page.locator('.rest-counterpart code', { hasText: new RegExp(` ${path.replaceAll(/[{}.*?]/g, '\\$&')}$`) }).waitFor();
  }
}

/** A link leads to its operation. */
async function openLinked(page: Page): Promise<void> {
  await page.locator('.operation :target').waitFor();
}

/** Waits until the fonts are loaded and animations have ended: a colour in a transition has another contrast. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // One frame notifies the listeners of the colour scheme before its callback runs; the next frame draws their changes.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
}

/** Violations of the accessibility rules; without rules all of them are checked. */
async function violations(page: Page, rules: string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    return (await axe.run({ resultTypes: ['violations'], ...(runOnly.length > 0 ? { runOnly } : {}) })).violations;
  }, rules);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `axe ${id}: ${html.slice(0, 160)} | ${failureSummary.replaceAll('\n', ' ').slice(0, 240)}`),
  );
}

async function visit(page: Page, device: Device, { name, path, act, logs }: Visit): Promise<string[]> {
  const findings: string[] = [];
  const [first, second] = device.schemes;
  let scheme: string = first;
  const find = (finding: string): void => void findings.push(`${name} (${device.name}, ${scheme}): ${finding}`);
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== base && protocol !== 'data:' && protocol !== 'blob:') find(`outside request ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !logs?.test(message.text())) find(`console error: ${message.text()}`);
  });
  page.on('pageerror', (error) => find(`uncaught: ${error.message}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
  const inspect = async (rules: string[]): Promise<void> => {
    await settled(page);
    if (screenshots) await page.screenshot({ path: join(screenshots, `${name}-${device.name}-${scheme}.png`), fullPage: true });
    for (const violation of await violations(page, rules)) find(violation);
  };
  try {
    await page.goto(`${base}${typeof path === 'string' ? path : await path()}`);
    await act(page);
    // Through the debugging protocol, because the pages' policy rejects added script elements.
    await page.evaluate(AXE);
    await inspect([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (overflow > 0) find(`wider than the window by ${overflow}px`);
    scheme = second;
    await page.emulateMedia({ colorScheme: second });
    // The one rule that depends on colours.
    await inspect(['color-contrast']);
  } catch (error) {
    find((error as Error).message);
  }
  return findings;
}

async function openDashboard(page: Page): Promise<void> {
  await page.locator('.rows tbody tr').first().waitFor();
  await page.locator('.live[data-live="true"]').waitFor();
}

/** The wizard at its second step, with an error. */
async function openWizard(page: Page): Promise<void> {
  await page.getByLabel('Country').selectOption('DE');
  await page.getByLabel('Registered name').fill('Rote Laterne Handels GmbH');
  await press(page, 'Save and continue');
  await page.getByLabel('USt-IdNr.').fill('12');
  await press(page, 'Save and continue');
  await page.locator('.field .issue').waitFor();
}

async function openReview(page: Page): Promise<void> {
  await page.locator('.drafts li button', { hasText: 'Blue Harbor Trading' }).first().click();
  await page.getByRole('button', { name: 'Change: Tax numbers' }).waitFor();
}

/** A step of the wizard, with what was saved before. */
const openStep =
  (title: string) =>
  async (page: Page): Promise<void> => {
    await openReview(page);
    await page.locator('.wizard .steps button', { hasText: title }).click();
    await page.getByRole('heading', { name: title }).waitFor();
  };

/** A webhook whose receiver is not there, and the message of its first delivery. */
async function openWebhooks(page: Page): Promise<void> {
  const add = page.getByLabel('Address', { exact: true });
  await page.locator('#webhooks').waitFor();
  await page.locator('#deliveries small:not(:empty)').waitFor();
  if (!(await add.isVisible())) await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Nobody there');
  await add.fill('http://127.0.0.1:9/hook');
  await press(page, 'Add the webhook');
  await page.locator('.secret').waitFor();
  await page.locator('.card-name', { hasText: 'Nobody there' }).first().click();
  await press(page, 'Send a test');
  await page.locator('.delivery').first().click();
  await page.locator('.inside pre', { hasText: '{' }).waitFor();
  await page.getByText('Verify a message').click();
}

const base = new URL(process.argv[2] ?? 'http://127.0.0.1:4000').origin;
const key = process.argv[3] ?? '';
const screenshots = process.argv[4];
const { operations, surfaces } = await operationsOf(base);
// The last operation belongs to a surface that is not the default one.
const counterpart = operations.at(-1)!;
const visits: Visit[] = [
  // The longest first, so that it does not run alone at the end.
  { name: 'every-operation', path: '/graphql', act: openEvery },
  { name: 'landing', path: '/', act: up },
  { name: 'playground', path: '/graphql', act: runQuery },
  { name: 'counterpart', path: counterpart.playground, act: openTwin },
  { name: 'docs', path: '/docs', act: read },
  { name: 'docs-resource', path: '/docs/rest/integrations/accounts', act: openDocs },
  { name: 'picked', path: '/graphql', act: pickOperation },
  { name: 'examples', path: '/graphql', act: openExamples },
  { name: 'fields', path: '/graphql', act: openFields },
  { name: 'marked', path: '/graphql', act: openMarked },
  { name: 'history', path: '/graphql', act: openHistory },
  { name: 'snippets', path: '/graphql', act: openSnippets },
  { name: 'messages', path: '/graphql', act: openMessages },
  { name: 'docs-linked', path: counterpart.docs, act: openLinked },
  { name: 'docs-response', path: '/docs/rest/platform/corporations#Corporations', act: execute },
  { name: 'search', path: '/', act: find },
  { name: 'model', path: '/docs/model', act: read },
  { name: 'changelog', path: '/docs/changelog', act: read },
  { name: 'errors-found', path: '/docs/errors?q=stale', act: read },
  { name: 'errors', path: '/docs/errors', act: read },
  { name: 'guides', path: '/docs/guides', act: read },
  { name: 'guide-lists', path: '/docs/guides/lists', act: read },
  { name: 'reference', path: '/docs/graphql', act: read },
  { name: 'reference-mutation', path: '/docs/graphql/mutations/createProduct', act: read },
  { name: 'reference-type', path: '/docs/graphql/types/PurchaseOrder', act: read },
  { name: 'limits', path: '/limits', act: read },
  { name: 'apps', path: '/apps', act: read },
  { name: 'app-dashboard', path: '/apps/dashboard', act: openDashboard },
  { name: 'app-onboarding', path: '/apps/onboarding', act: openWizard },
  { name: 'app-onboarding-begin', path: '/apps/onboarding', act: (page) => page.getByLabel('Country').waitFor() },
  { name: 'app-onboarding-contact', path: '/apps/onboarding', act: openStep('Address and contact') },
  { name: 'app-onboarding-registrations', path: '/apps/onboarding', act: openStep('Registrations') },
  { name: 'app-onboarding-documents', path: '/apps/onboarding', act: openStep('Documents') },
  { name: 'app-onboarding-review', path: '/apps/onboarding', act: openReview },
  { name: 'app-webhooks', path: '/apps/webhooks', act: openWebhooks },
  { name: 'docs-integrations', path: '/docs?api=integrations', act: read },
  { name: 'docs-address', path: '/docs?api=address', act: read },
  ...hostedVisits({ base, key, platformKey: surfaces.find(({ id }) => id === 'platform')!.credential.demoKey! }),
  { name: 'nothing-here', path: '/no/such/page', act: read, logs: /status of 404/ },
];
const only = process.argv[5]?.split(',');
const tasks = visits
  .filter(({ name }) => !only || only.includes(name))
  .flatMap((one) => DEVICES.filter(({ name }) => name === 'desktop' || one.act !== openEvery).map((device) => ({ device, one })));
const count = tasks.length;

/** The most time a page may take to show its content: software-rendered tabs share the cores with the gateway. */
const TIMEOUT_MS = 60_000;
const WORKERS = 3;

const browser = await launch();
let findings = 0;

async function worker(): Promise<void> {
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const { device, one } = task;
    // The browser remembers tabs and panes, so every visit has a context of its own.
    const context = await browser.newContext({ viewport: device.viewport, colorScheme: device.schemes[0], reducedMotion: 'reduce' });
    context.setDefaultTimeout(TIMEOUT_MS);
    const found = await visit(await context.newPage(), device, one);
    for (const finding of found) console.log(finding);
    findings += found.length;
    await context.close();
  }
}

await Promise.all(Array.from({ length: WORKERS }, worker));
await browser.close();
console.log(`${findings} findings on ${count} visits in two colour schemes each, ${operations.length} operations opened`);
process.exitCode = findings > 0 ? 1 : 0;

// Opens every page of a running gateway in Chromium, on a desktop and on a phone, in light and dark, and counts findings: errors, outside requests, accessibility violations.
// node check.ts <base address> [folder for screenshots]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Each device starts in its first colour scheme and switches to the other, so that both the start and the switch are tested. */
const DEVICES = [
  { name: 'desktop', viewport: { width: 1280, height: 860 }, schemes: ['light', 'dark'] },
  { name: 'phone', viewport: { width: 390, height: 844 }, schemes: ['dark', 'light'] },
] as const;
type Device = (typeof DEVICES)[number];

interface Visit {
  readonly name: string;
  readonly path: string;
  /** The actions of a visitor, up to the content that the page must show then. */
  readonly act: (page: Page) => Promise<void>;
  /** Expected console errors of the browser itself. */
  readonly logs?: RegExp;
}

async function read(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
}

/** Waits until the editor has coloured its text; it shows the text first. */
async function editorReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const parts = document.querySelectorAll('.graphiql-query-editor .view-line span[class^=mtk]');
    return new Set([...parts].map(({ className }) => className)).size > 1;
  });
}

async function runQuery(page: Page): Promise<void> {
  await editorReady(page);
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.locator('.graphiql-response .view-line', { hasText: 'data' }).first().waitFor();
}

async function openTwin(page: Page): Promise<void> {
  await page.locator('.rest-twin').waitFor();
  await editorReady(page);
}

async function openDocs(page: Page): Promise<void> {
  await page.locator('.opblock-get').first().waitFor();
  await page.locator('.opblock-get .opblock-summary-control').first().click();
  await page.locator('.graphql-twin').first().waitFor();
}

async function openExplorer(page: Page): Promise<void> {
  await runQuery(page);
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  await page.locator('.graphiql-doc-explorer-title').waitFor();
}

async function openHistory(page: Page): Promise<void> {
  await runQuery(page);
  await page.getByRole('button', { name: 'Show History' }).click();
  await page.locator('.graphiql-history-item').first().waitFor();
}

async function pickOperation(page: Page): Promise<void> {
  await page.locator('.graphiql-query-editor .view-line').first().waitFor({ state: 'attached' });
  const show = page.getByRole('button', { name: 'Show Operations' });
  if (await show.isVisible()) await show.click();
  await page.locator('.operation-list li button').last().click();
  await page.locator('.rest-twin').waitFor();
  await page.locator('.rest-twin summary').click();
}

async function execute(page: Page): Promise<void> {
  await openDocs(page);
  await page.locator('.graphql-twin summary').first().click();
  await page.locator('.btn.execute').first().click();
  await page.locator('.live-responses-table').first().waitFor();
  await page.locator('.models-control').click();
}

async function authorize(page: Page): Promise<void> {
  await page.locator('.btn.authorize').click();
  await page.locator('.modal-ux').waitFor();
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

/** Every REST operation, as the pages link it. */
async function operationsOf(base: string): Promise<Operation[]> {
  const map = (await (await fetch(`${base}/docs/operations.json`)).json()) as { operations: Operation[] };
  if (map.operations.length === 0) throw new Error('/docs/operations.json has no operation');
  return map.operations;
}

/** Follows the "Open in GraphiQL" link of every operation, and looks for its REST twin below the answer. */
async function openEvery(page: Page): Promise<void> {
  await editorReady(page);
  for (const { path, playground } of operations) {
    await page.evaluate((hash) => location.assign(hash), new URL(playground, base).hash);
    await page.locator('.rest-twin code', { hasText: new RegExp(` ${path.replaceAll(/[{}.*?]/g, '\\$&')}$`) }).waitFor();
  }
}

/** The tab of an API shows the document of that API. */
const openTab =
  (title: RegExp) =>
  async (page: Page): Promise<void> => {
    await page.locator('.info .title', { hasText: title }).waitFor();
    await openDocs(page);
  };

async function openLinked(page: Page): Promise<void> {
  await page.locator('.opblock.is-open .graphql-twin').waitFor();
}

async function openSettings(page: Page): Promise<void> {
  await runQuery(page);
  await page.getByRole('button', { name: 'Open settings dialog' }).click();
  await page.locator('.graphiql-dialog').waitFor();
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
    await page.goto(`${base}${path}`);
    await act(page);
    // Through the debugging protocol, because the pages' policy refuses added script elements.
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

const base = new URL(process.argv[2] ?? 'http://127.0.0.1:4000').origin;
const screenshots = process.argv[3];
const operations = await operationsOf(base);
// The last operation belongs to a surface that is not the default one.
const twin = operations.at(-1)!;
const visits: Visit[] = [
  // The longest first, so that it does not run alone at the end.
  { name: 'every-operation', path: '/graphql', act: openEvery },
  { name: 'landing', path: '/', act: up },
  { name: 'playground', path: '/graphql', act: runQuery },
  { name: 'twin', path: twin.playground, act: openTwin },
  { name: 'docs', path: '/docs', act: openDocs },
  { name: 'picked', path: '/graphql', act: pickOperation },
  { name: 'explorer', path: '/graphql', act: openExplorer },
  { name: 'history', path: '/graphql', act: openHistory },
  { name: 'settings', path: '/graphql', act: openSettings },
  { name: 'docs-linked', path: twin.docs, act: openLinked },
  { name: 'docs-answer', path: '/docs', act: execute },
  { name: 'docs-authorize', path: '/docs', act: authorize },
  { name: 'errors', path: '/docs/errors', act: read },
  { name: 'limits', path: '/limits', act: read },
  { name: 'docs-integrations', path: '/docs?api=integrations', act: openTab(/integrations/i) },
  { name: 'docs-address', path: '/docs?api=address', act: openTab(/address/i) },
  { name: 'nothing-here', path: '/no/such/page', act: read, logs: /status of 404/ },
];
const tasks = visits.flatMap((one) =>
  DEVICES.filter(({ name }) => name === 'desktop' || one.act !== openEvery).map((device) => ({ device, one })),
);
const count = tasks.length;

/** The most time a page may take to show its content: software-rendered tabs share the cores with the gateway. */
const TIMEOUT_MS = 60_000;
const WORKERS = 3;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
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

// Opens every page of a running gateway in Chromium, in light, dark and phone width, and counts what must not happen.
// node check.ts <base address> [folder for screenshots]
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

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
const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE },
  { name: 'dark', colorScheme: 'dark', viewport: WIDE },
  { name: 'phone', colorScheme: 'light', viewport: PHONE },
  { name: 'phone-dark', colorScheme: 'dark', viewport: PHONE },
] as const;

interface Visit {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
}

async function runQuery(page: Page): Promise<void> {
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.locator('.graphiql-response .view-line', { hasText: 'data' }).first().waitFor();
}

async function openTwin(page: Page): Promise<void> {
  await page.locator('.rest-twin').waitFor();
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
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
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  for (const { path, playground } of operations) {
    await page.evaluate((hash) => location.assign(hash), new URL(playground, base).hash);
    await page.locator('.rest-twin code', { hasText: new RegExp(` ${path.replaceAll(/[{}.*?]/g, '\\$&')}$`) }).waitFor();
  }
}

async function openLinked(page: Page): Promise<void> {
  await page.locator('.opblock.is-open .graphql-twin').waitFor();
}

async function openSettings(page: Page): Promise<void> {
  await runQuery(page);
  await page.getByRole('button', { name: 'Open settings dialog' }).click();
  await page.locator('.graphiql-dialog').waitFor();
}

async function visit(context: BrowserContext, base: string, look: string, { name, path, act }: Visit, folder: string): Promise<string[]> {
  const findings: string[] = [];
  const page = await context.newPage();
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== base && protocol !== 'data:' && protocol !== 'blob:') findings.push(`outside request ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') findings.push(`console error: ${message.text()}`);
  });
  page.on('pageerror', (error) => findings.push(`uncaught: ${error.message}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
  await page.goto(`${base}${path}`, { waitUntil: 'networkidle' });
  await act?.(page);
  await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true });
  // Through the debugging protocol, because the pages' policy refuses added script elements.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    return (await axe.run()).violations;
  });
  for (const { id, nodes } of violations)
    for (const node of nodes)
      findings.push(`axe ${id}: ${node.html.slice(0, 160)} | ${node.failureSummary.replaceAll('\n', ' ').slice(0, 240)}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (overflow > 0) findings.push(`wider than the window by ${overflow}px`);
  await page.close();
  return findings.map((finding) => `${name} (${look}): ${finding}`);
}

const base = new URL(process.argv[2] ?? 'http://127.0.0.1:4000').origin;
const folder = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'pages-'));
const operations = await operationsOf(base);
// It exercises a surface that is not the default one.
const twin = operations.at(-1)!;
const visits: Visit[] = [
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
  { name: 'errors', path: '/docs/errors' },
  { name: 'limits', path: '/limits' },
];

const EVERY: Visit = { name: 'every-operation', path: '/graphql', act: openEvery };
const tasks = LOOKS.flatMap((look, index) => [...visits, ...(index === 0 ? [EVERY] : [])].map((one) => ({ look, one })));
const count = tasks.length;

/** How long a page may take: two tabs of software-drawn pages share two cores with what they look at. */
const PATIENCE_MS = 120_000;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
let findings = 0;

async function lane(): Promise<void> {
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    const { look, one } = task;
    const { name, ...settings } = look;
    // Tabs and panes are remembered by the browser, so every visit is somebody's first.
    const context = await browser.newContext(settings);
    context.setDefaultTimeout(PATIENCE_MS);
    const found = await visit(context, base, name, one, folder).catch((error: Error) => [`${one.name} (${name}): ${error.message}`]);
    for (const finding of found) console.log(finding);
    findings += found.length;
    await context.close();
  }
}

await Promise.all([lane(), lane()]);
await browser.close();
console.log(
  `${findings} findings on ${count} visits in ${LOOKS.length} looks, ${operations.length} operations opened; screenshots in ${folder}`,
);
process.exitCode = findings > 0 ? 1 : 0;

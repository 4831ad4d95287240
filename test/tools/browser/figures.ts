// What the first visit of a page takes on a slow connection: bytes, requests, and times. It prints and asserts nothing, because times are those of the machine.
// One visit of each shows that they open on such a connection; the figures of docs/decisions are medians of three.
// node figures.ts [--runs NUMBER] <base address> [names of pages, with commas]
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launch } from './launch.ts';
import { press } from './visit.ts';

/** A fast 3G connection, as audits of pages use it: 1.6 Mbit/s down, 0.75 up, 150 ms for a round trip. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const TIMEOUT_MS = 120_000;

const { values: options, positionals } = parseArgs({ options: { runs: { type: 'string', default: '1' } }, allowPositionals: true });
const RUNS = Number(options.runs);
const base = new URL(positionals[0] ?? 'http://127.0.0.1:4000').origin;
const only = positionals[1]?.split(',');

/** A page: where it is, what it shows first, and how a visitor gets a response of the API there, if the page gives any. */
interface Visited {
  readonly name: string;
  readonly path: string;
  readonly content: string;
  readonly respond?: (page: Page) => Promise<void>;
}

const shown =
  (selector: string) =>
  (page: Page): Promise<void> =>
    page.locator(selector).first().waitFor();

/** Runs the operation that the playground opens with, as soon as the button is there. */
async function run(page: Page): Promise<void> {
  await press(page, 'Run');
  await page.locator('.response .cm-line', { hasText: 'data' }).first().waitFor();
}

/** Sends the first operation of a REST page, with the demo key. */
async function send(page: Page): Promise<void> {
  const form = page.locator('.operation').first().locator('.try');
  await form.locator('summary').click();
  await form.getByRole('button').click();
  await form.locator('output b', { hasText: '200' }).waitFor();
}

const pages: readonly Visited[] = [
  { name: 'landing', path: '/', content: 'main h1' },
  { name: 'REST page', path: '/docs/rest/platform/corporations', content: 'main h1', respond: send },
  { name: 'GraphQL reference', path: '/docs/graphql', content: 'main h1' },
  { name: 'playground', path: '/graphql', content: '.document .cm-line', respond: run },
  { name: 'dashboard', path: '/apps/dashboard', content: 'h1', respond: shown('.rows tbody tr') },
  { name: 'onboarding', path: '/apps/onboarding', content: 'h1', respond: shown('.drafts li') },
  { name: 'webhooks', path: '/apps/webhooks', content: 'h1', respond: shown('#deliveries small:not(:empty)') },
];

interface Figures {
  page: string;
  requests: number;
  kB: number;
  'first byte, ms': number;
  'first paint, ms': number;
  'content, ms': number;
  'first response, ms': number | null;
}

async function measure(page: Page, { name, path, content, respond }: Visited): Promise<Figures> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  let [bytes, requests] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  const start = performance.now();
  const elapsed = (): number => Math.round(performance.now() - start);
  await page.goto(base + path, { waitUntil: 'commit' });
  await page.locator(content).first().waitFor();
  const shownAt = elapsed();
  await respond?.(page);
  const respondedAt = respond ? elapsed() : null;
  await page.waitForLoadState('networkidle');
  const [first, paint] = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return [navigation!.responseStart, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0];
  });
  return {
    page: name,
    requests,
    kB: Math.round(bytes / 1_000),
    'first byte, ms': Math.round(first!),
    'first paint, ms': Math.round(paint!),
    'content, ms': shownAt,
    'first response, ms': respondedAt,
  };
}

/** The middle one of each figure. */
function median(runs: readonly Figures[]): Figures {
  const [first] = runs;
  const middle = (name: keyof Figures): unknown => runs.map((run) => run[name]).toSorted((a, b) => Number(a) - Number(b))[runs.length >> 1];
  return Object.fromEntries(Object.keys(first!).map((name) => [name, middle(name as keyof Figures)])) as unknown as Figures;
}

const browser = await launch();
/** A first visit: nothing is cached, because the browser has seen no page before. */
async function firstVisit(visited: Visited): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  const figures = await measure(await context.newPage(), visited);
  await context.close();
  return figures;
}

const table: Figures[] = [];
for (const visited of pages) {
  if (only && !only.includes(visited.name)) continue;
  const runs: Figures[] = [];
  while (runs.length < RUNS) runs.push(await firstVisit(visited));
  table.push(median(runs));
}
await browser.close();
console.log(`First visits at 1.6 Mbit/s and 150 ms, medians of ${RUNS}:`);
console.table(table);

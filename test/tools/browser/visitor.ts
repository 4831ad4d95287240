// Five tasks of a newcomer, from the landing page by what the pages say alone: links and buttons by their words. Prints the clicks of each.
// node visitor.ts <base address>
import type { Page } from 'playwright-core';
import { launch } from './launch.ts';

const base = new URL(process.argv[2] ?? 'http://127.0.0.1:4000').origin;
const TIMEOUT_MS = 60_000;

const browser = await launch();

/** A visitor on a page, who clicks what has a name. */
class Visitor {
  clicks = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async follow(name: string | RegExp, within = 'body'): Promise<void> {
    this.clicks++;
    await this.page.locator(within).getByRole('link', { name }).first().click();
    await this.page.locator('main h1').first().waitFor({ state: 'attached' });
    await this.page.waitForLoadState('networkidle');
  }

  async press(name: string | RegExp, within = 'body'): Promise<void> {
    this.clicks++;
    await this.page.locator(within).first().getByRole('button', { name }).first().click();
  }

  async open(name: string | RegExp, within = 'body'): Promise<void> {
    this.clicks++;
    await this.page.locator(within).first().locator('summary', { hasText: name }).first().click();
  }

  /** Types into the search, which the key / reaches. */
  async search(words: string): Promise<void> {
    await this.page.keyboard.press('/');
    await this.page.keyboard.type(words);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.hits li').first().waitFor();
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }
}

const tasks: Record<string, (visitor: Visitor) => Promise<void>> = {
  'find an operation and run it with a key': async (visitor) => {
    await visitor.search('list corporations');
    await visitor.follow(/GET \/api\/v1\/corporations$/);
    const operation = '.operation:has(#Corporations)';
    await visitor.open('Run it here', operation);
    await visitor.press('Send GET', operation);
    await visitor.page.locator(`${operation} output b`, { hasText: '200' }).waitFor();
  },
  'build a filtered table query': async (visitor) => {
    await visitor.follow('Filter, order and page a table');
    await visitor.follow('Open in the playground');
    await visitor.page.locator('.document .cm-line', { hasText: 'billCreditNotes' }).waitFor();
    await visitor.press(/^Run$/, 'main');
    await visitor.page.locator('.response .cm-line', { hasText: '"data"' }).waitFor();
    await visitor.page.locator('.response .cm-line', { hasText: 'nodes' }).first().waitFor();
  },
  'verify a webhook': async (visitor) => {
    await visitor.follow('Receive and verify webhooks');
    await visitor.sees(/svix|standardwebhooks/);
  },
  'understand an error': async (visitor) => {
    await visitor.search('STALE_RECORD');
    await visitor.follow('STALE_RECORD', '.hits');
    await visitor.page.locator('.error:has(:target)', { hasText: 'Fix' }).waitFor();
    await visitor.open('Example bodies', '.error:has(:target)');
    await visitor.page.locator('.error:has(:target) pre', { hasText: '"error_code": "STALE_RECORD"' }).waitFor();
  },
  'connect a ledger': async (visitor) => {
    await visitor.follow('Connect over REST');
    await visitor.sees('Create a link to the settings page of a connection');
    await visitor.page.locator('.operation:has(#CreateConnectionLink) pre', { hasText: '/connect/' }).waitFor();
  },
};

for (const [name, task] of Object.entries(tasks)) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(base);
  const visitor = new Visitor(page);
  try {
    await task(visitor);
    console.log(`${name}: ${visitor.clicks} clicks`);
  } catch (error) {
    console.log(`${name}: FAILED at ${page.url()}, ${(error as Error).message}`);
    process.exitCode = 1;
  }
  await context.close();
}
await browser.close();

// From an organisation without companies to its first invoice, by clicks alone and with typos on the way, on a desktop and a phone.
// node first-invoice.ts [folder for screenshots]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startGateway } from '../gateway.ts';
import { launch } from './launch.ts';
import { press } from './visit.ts';

const TIMEOUT_MS = 60_000;
const ADMIN_TOKEN = 'a-token-of-the-operator-of-this-gateway';
const screenshots = process.argv[2];

const scratch = mkdtempSync(join(tmpdir(), 'gateway-first-invoice-'));
const browser = await launch();
const gateway = await startGateway(scratch, { DEMO_DATA: 'false', ADMIN_TOKEN });

/** A key of a new organisation, as an operator issues it. */
function newKey(name: string): string {
  const program = join(import.meta.dirname, '../../../dist/src/admin/main.js');
  const words = ['create-organisation', name, '--roles', 'INTEGRATIONS', '--url', gateway.base, '--token', ADMIN_TOKEN];
  const text = execFileSync('node', [program, ...words], { encoding: 'utf8' });
  const [key] = /\bent_\w+/.exec(text) ?? [];
  if (!key) throw new Error(`no key was issued: ${text}`);
  return key;
}

/** A person at a screen, who counts clicks and takes pictures. */
class Newcomer {
  clicks = 0;
  readonly page: Page;
  readonly #name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.#name = name;
  }

  async press(name: string): Promise<void> {
    this.clicks++;
    await press(this.page, name);
  }

  async picture(step: string): Promise<void> {
    const width = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (width > 0) throw new Error(`${step} is wider than the window by ${width}px`);
    if (screenshots) await this.page.screenshot({ path: join(screenshots, `${step}-${this.#name}.png`), fullPage: true });
  }

  /** Opens an operation of the guide in the playground. */
  async openFromGuide(operation: string): Promise<void> {
    this.clicks++;
    await this.page.goto(`${gateway.base}/docs/guides/files`);
    const example = this.page.locator('.programs', { hasText: operation });
    await example.locator('xpath=following-sibling::p[1]').getByRole('link', { name: 'Open in the playground' }).click();
    await this.page.locator('.cm-content[aria-label="Operation"] .cm-line', { hasText: operation }).waitFor();
  }

  /** A phone shows one part of the playground at a time. */
  async show(part: string): Promise<void> {
    const button = this.page.locator('.parts').getByRole('button', { name: part, exact: true });
    if (await button.isVisible()) await button.click();
  }

  /** Runs an operation with variables; returns the text that a pattern finds in the response. */
  async runs(variables: object, pattern: RegExp): Promise<string> {
    await this.show('Operation');
    await this.press('Variables');
    await this.page.locator('.cm-content[aria-label="Variables"]').focus();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(JSON.stringify(variables, null, 2));
    await this.press('Run');
    await this.show('Result');
    const response = this.page.locator('.cm-content[aria-label="Response"]');
    const began = Date.now();
    for (let shown = ''; ; shown = (await response.textContent()) ?? '') {
      const [found] = pattern.exec(shown) ?? [];
      if (found) return found;
      if (Date.now() - began > TIMEOUT_MS) throw new Error(`the response is ${shown.slice(0, 500)}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Drops a file on the hosted page and looks at its preview. */
  async drops(content: string): Promise<void> {
    await this.page
      .getByLabel('Drop files here')
      .setInputFiles({ name: 'invoices.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await this.page.getByLabel('What the files contain').selectOption('INVOICE');
    await this.press('Preview');
    await this.page.getByRole('heading', { name: 'invoices.csv' }).waitFor();
  }

  async sees(text: RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }
}

async function walk(newcomer: Newcomer, key: string): Promise<void> {
  const { page } = newcomer;
  await newcomer.openFromGuide('mutation NewCompany');
  // A key with a typo first.
  const box = page.getByLabel('Key, kept for this tab only');
  await box.fill(key.slice(0, -1));
  await page.keyboard.press('Tab');
  await page.locator('.owner[data-known="false"]').waitFor();
  await newcomer.picture('1-wrong-key');
  await box.fill(key);
  await page.keyboard.press('Tab');
  await page.locator('.owner[data-known="true"]').waitFor();
  const company = await newcomer.runs({ input: { name: 'Kettles & Sons' } }, /company_\d+/);
  await newcomer.picture('2-company');
  await newcomer.openFromGuide('mutation NewConnection');
  await newcomer.runs({ input: { companyId: company, source: 'FILE' } }, /has no connector here; use FILES/);
  await newcomer.picture('3-wrong-source');
  const connection = await newcomer.runs({ input: { companyId: company, source: 'FILES' } }, /connection_\w+/);
  await newcomer.openFromGuide('mutation NewLink');
  const link = await newcomer.runs({ input: { connectionId: connection } }, /https?:[^"\s]+/);
  await newcomer.picture('4-link');

  const { pathname, search } = new URL(link);
  await page.goto(gateway.base + pathname + search);
  await newcomer.picture('5-page');
  await newcomer.drops('platform_id,document_numbre,posted_date,total_amount\ni-1,R-1,2026-01-31,119.00\n');
  await newcomer.sees(/Line 1: "document_numbre" is not a field of INVOICE/);
  await newcomer.picture('6-wrong-column');
  await newcomer.drops('platform_id,document_number,posted_date,total_amount\ni-1,R-1,2026-01-31,119.O0\n');
  await newcomer.sees(/Line 2: total_amount must be a number/);
  await newcomer.picture('7-wrong-amount');
  if ((await page.getByRole('button', { name: 'Import' }).count()) > 0) throw new Error('a file without a valid record could be imported');
  await newcomer.drops('platform_id,document_number,posted_date,total_amount\ni-1,R-1,2026-01-31,119.00\n');
  await newcomer.picture('8-preview');
  await newcomer.press('Import');
  await page.getByRole('status').waitFor();
  await newcomer.picture('9-imported');

  await newcomer.openFromGuide('query FirstInvoices');
  for (let turn = 0; ; turn++) {
    const response = await newcomer.runs({ id: company }, /"nodes": \[(\]|[^\]]*"R-1")/);
    if (response.includes('R-1')) break;
    if (turn === 20) throw new Error('the first invoice has not come');
  }
  await newcomer.picture('10-invoice');
}

try {
  for (const [name, viewport] of Object.entries({ desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } })) {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    context.setDefaultTimeout(TIMEOUT_MS);
    const newcomer = new Newcomer(await context.newPage(), name);
    try {
      await walk(newcomer, newKey(`Kettles & Sons (${name})`));
      console.log(`the first invoice (${name}): ${newcomer.clicks} clicks`);
    } catch (error) {
      console.log(`the first invoice (${name}): FAILED at ${newcomer.page.url()}, ${(error as Error).message}`);
      if (screenshots) await newcomer.page.screenshot({ path: join(screenshots, `failed-${name}.png`), fullPage: true });
      process.exitCode = 1;
    }
    await context.close();
  }
} finally {
  await browser.close();
  await gateway.stop();
  rmSync(scratch, { recursive: true, force: true });
}

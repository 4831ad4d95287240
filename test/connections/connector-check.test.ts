// The command `connector check` against a ledger.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { readConfig } from '../../src/config.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-connector-'));
const file = join(folder, 'settings.json');

let ledger: Ledger;
let printed: string[];
beforeAll(async () => {
  ledger = await startLedger();
  for (let index = 0; index < 120; index++) ledger.put('CONTACT', { platform_id: `C-${index}`, name: `Contact ${index}` });
});
afterAll(async () => {
  await ledger.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Checks the demo connector with settings; returns what it prints, and its exit code. */
async function check(settings: object): Promise<{ text: string; code: unknown }> {
  writeFileSync(file, JSON.stringify(settings));
  const program = adminProgram(readConfig({ CONNECTOR_PRIVATE_HOSTS: '127.0.0.1' }));
  await program.parseAsync(['connector', 'check', 'demo', '--settings', file], { from: 'user' });
  return { text: printed.join('\n'), code: process.exitCode };
}

describe('connector check', () => {
  it('passes a source whose records can be stored', async () => {
    const { text, code } = await check({ url: ledger.url, apiKey: ledger.apiKey });
    expect(text).toMatch(/CONTACT +ok +120 records read and accepted/);
    expect([text.includes('ERROR'), code]).toEqual([false, undefined]);
  });

  it('names what is missing, rejected or could not be stored, and writes nothing', async () => {
    ledger.put('ITEM', { platform_id: 'I-1', name: 5 });
    expect(await check({ url: ledger.url })).toEqual({ text: expect.stringContaining('missing: API key'), code: 1 });
    expect(await check({ url: ledger.url, apiKey: 'wrong' })).toEqual({ text: expect.stringContaining('CONNECTION_EXPIRED'), code: 1 });
    const { text, code } = await check({ url: ledger.url, apiKey: ledger.apiKey });
    expect([text.match(/ITEM +ERROR +(.*)/)?.[1], code]).toEqual([expect.stringContaining('record 1.name'), 1]);
    expect(ledger.effects).toEqual([]);
  });
});

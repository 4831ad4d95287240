// The browser of the checks, without what it would do on its own account.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium; CHROMIUM names another one than the system's. Without it the process ends with the status of a program that is missing. */
export function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (existsSync(executablePath)) return chromium.launch({ executablePath, args: FLAGS });
  console.log(`skipped: ${executablePath} is missing`);
  process.exit(3);
}

// Runs of connections in tests. A connection starts one on its own when it is complete, which a run by hand waits for.
import { expect } from 'vitest';
import type { Gateway } from './gateway.ts';
import type { TestCompany } from './records.ts';
import { endOfSync, type SeenSync } from './syncs.ts';

type Connected = Pick<TestCompany, 'base' | 'headers'>;

/**
 * Longer than the minute that a run waits after it could not begin, and shorter than the 108 s of the demo ledger, the least interval that tests run
 * by hand.
 */
const SOON_MS = 70_000;

const again = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** Waits for the run that a connection starts on its own, to its end; returns the pulls of its company, the newest first. */
export async function ownRun(gateway: Gateway, { base, headers }: Connected, id: string): Promise<SeenSync[]> {
  const soon = gateway.clock.now().getTime() + SOON_MS;
  for (;;) {
    const { next_run_at: next } = (await gateway.send('GET', `${base}/connections/${id}`, { headers })).body.data;
    if (next === null || Date.parse(next) > soon) break;
    await again();
  }
  const { syncs } = (await gateway.send('GET', `${base}/syncs?limit=100&jobType=PULL`, { headers })).body.data;
  return Promise.all(syncs.map((sync: SeenSync) => endOfSync(gateway, { headers }, sync.id)));
}

/** Begins a run of a connection, after the one that it starts on its own; returns the id of its sync. */
export async function beginRun(gateway: Gateway, company: Connected, id: string, query = ''): Promise<string> {
  const { base, headers } = company;
  for (;;) {
    await ownRun(gateway, company, id);
    const response = await gateway.send('POST', `${base}/connections/${id}/sync${query}`, { headers });
    if (response.status === 201) return response.body.data.id;
    expect(response.body.error.error_code, response.text).toBe('SYNC_IN_PROGRESS');
    await again();
  }
}

/** A run of a connection, to its end. */
export const runOf = async (gateway: Gateway, company: Connected, id: string, query = ''): Promise<SeenSync> =>
  endOfSync(gateway, company, await beginRun(gateway, company, id, query));

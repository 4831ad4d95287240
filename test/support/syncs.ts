// Syncs in tests: waiting for the end of one, and what must be true of every sync.
import { expect } from 'vitest';
import type { Gateway } from './gateway.ts';
import type { TestCompany } from './records.ts';

const WAIT_MS = 20_000;

export interface SeenSync {
  id: string;
  status: string;
  jobCounts: Record<string, number>;
  dataModelCounts: Record<string, number>;
  startTime: string | null;
  endTime: string | null;
}

/** Every sync's counts add up, and its times agree with its state. */
export function expectConsistent(sync: SeenSync): void {
  for (const { total, success, failed, running, pending } of [sync.jobCounts, sync.dataModelCounts] as Record<string, number>[]) {
    expect(success! + failed! + running! + pending!).toBe(total);
  }
  const isOver = !['PENDING', 'RUNNING', 'PENDING_CONFIRMATION'].includes(sync.status);
  expect(sync.endTime !== null).toBe(isOver);
  if (sync.startTime && sync.endTime) expect(sync.startTime <= sync.endTime).toBe(true);
}

/** Waits until the sync is over, or waits for a confirmation, and returns it; checks every state on the way. */
export async function endOfSync(gateway: Gateway, company: Pick<TestCompany, 'headers'>, syncId: string): Promise<SeenSync> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const { body } = await gateway.send('GET', `/v4/core/syncs/${syncId}`, { headers: company.headers });
    expectConsistent(body.data);
    if (body.data.endTime !== null || body.data.status === 'PENDING_CONFIRMATION') return body.data;
    if (Date.now() > deadline) throw new Error(`sync ${syncId} is still ${body.data.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export interface SeenJob {
  id: string;
  dataModel: string;
  status: string;
  recordsSynced: number;
  parentJobId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  errorResponse: { index: number; platform_id: string | null; field: string | null } | null;
}

/** The jobs of a sync, the first page of a hundred. */
export async function jobsOf(gateway: Gateway, company: Pick<TestCompany, 'headers'>, syncId: string): Promise<SeenJob[]> {
  return (await gateway.send('GET', `/v4/core/syncs/${syncId}/jobs?limit=100`, { headers: company.headers })).body.jobs;
}

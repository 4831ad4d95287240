// Rows that PostgreSQL fetches for a request, by its own count.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { headersOf, measure } from './load.ts';
import type { Subject } from './subject.ts';
import type { Request } from './workloads.ts';

const MAX_REQUESTS = 256;
const MAX_SECONDS = 6;
/** A connection publishes its counts when a statement ends a second or more after it published the last ones. */
const PUBLISHED_MS = 1_050;
/** So many requests at once reach every connection of a subject, also where its pool is larger than the load of the workload. */
const TO_EVERY_CONNECTION = 256;

const tables = ['account', 'bill_credit_note', 'company', 'contact', 'currency', 'line_item'];

async function fetched(database: Client): Promise<number> {
  const { rows } = await database.query<{ sum: string }>(
    'select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables where relname = any($1)',
    [tables],
  );
  return Number(rows[0]!.sum);
}

/** Reads that fetch no row: an account and a document that do not exist. The baseline has a pool of connections for each of the two. */
const empty = ['accounts/1', 'bill_credit_notes?limit=1&status[eq]=PAID&document_number[eq]=none'];

/** Makes every connection of a subject publish its counts. */
async function publish(subject: Subject, key: string): Promise<void> {
  await pause(PUBLISHED_MS);
  const read = async (_: unknown, index: number): Promise<void> => {
    const path = `/v4/core/companies/1001/${empty[index % empty.length]}`;
    const response = await fetch(subject.origin + path, { headers: headersOf(key) });
    await response.arrayBuffer();
    if (response.status !== 200 && response.status !== 404) throw new Error(`${subject.name} returned ${response.status} to ${path}`);
  };
  await Promise.all(Array.from({ length: TO_EVERY_CONNECTION }, read));
}

/** Rows fetched per request over the requests, which are sent once each. Nothing else may use the database in the meantime. */
export async function rowsRead(database: Client, subject: Subject, cycle: readonly Request[], key: string): Promise<number> {
  await publish(subject, key);
  const before = await fetched(database);
  const { requests } = await measure(subject, cycle, key, {
    requests: Math.min(cycle.length, MAX_REQUESTS),
    seconds: MAX_SECONDS,
    connections: 4,
  });
  await publish(subject, key);
  return ((await fetched(database)) - before) / requests;
}

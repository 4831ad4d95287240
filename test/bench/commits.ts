// What a write pays besides its rows: commits per second with and without processes that listen, and the CPU of its entry in the audit log.
import { pino } from 'pino';
import { AuditEntry } from '../../src/access/audit-entry.ts';
import { readConfig } from '../../src/config.ts';
import { type EntityManager, executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { newId } from '../../src/records/ids.ts';
import { openServices } from '../../src/services.ts';
import { cpuSeconds } from './subject.ts';
import { type Figure, number, say, step } from './table.ts';
import type { Testbed } from './testbed.ts';

/** Transactions at a time, processes that listen, and rounds of each measurement. */
const WRITERS = 8;
const LISTENERS = 4;
const ROUNDS = 3;

type Work = (em: EntityManager) => Promise<unknown>;

export async function commits(testbed: Testbed, seconds: number): Promise<Figure[]> {
  const url = await testbed.database();
  const config = readConfig({ DATABASE_URL: url, ADMIN_TOKEN: 'bench-admin-token-0123456789', WORKER: 'false', LOG_LEVEL: 'silent' });
  const open = () => openServices(config, { log: pino({ level: 'silent' }) });
  const { services, close } = await open();
  const client = await testbed.connect(url);
  await client.query('create table written (id bigint generated always as identity primary key, text text)');
  const backends = async (): Promise<number> => {
    const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()');
    return rows.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  };
  /** Commits per second of transactions of this kind, and the CPU of one, here and in PostgreSQL. */
  const measured = async (work: Work): Promise<{ rate: number; cpu: number }> => {
    const [used, began, end] = [process.cpuUsage(), await backends(), performance.now() + seconds * 1_000];
    let count = 0;
    const writer = async (): Promise<void> => {
      for (; performance.now() < end; count++) await systemTransaction(services.database, work);
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
    const { user, system } = process.cpuUsage(used);
    return { rate: count / seconds, cpu: ((user + system) / 1_000_000 + (await backends()) - began) * (1_000 / count) };
  };
  const plain: Work = (em) => executeIn(em, `insert into written (text) values ('x')`);
  const announced: Work = async (em) => {
    await plain(em);
    services.notifications.announce(em, 'bench', 'x');
  };
  const notified: Work = async (em) => {
    await plain(em);
    await services.notifications.publish(em, 'bench', 'x');
  };
  const audited: Work = async (em) => {
    await plain(em);
    await em.insert(AuditEntry, {
      id: newId('audit'),
      organisationId: null,
      at: services.clock.now(),
      actorKind: 'KEY',
      actorId: 'key_bench',
      operation: 'createBillCreditNote',
      recordIds: ['bill_credit_note_1001'],
      recordCount: 1,
      beforeHash: null,
      afterHash: 'x'.repeat(22),
      address: '127.0.0.1',
      requestId: newId('audit'),
      reason: null,
    });
  };
  const kinds: Record<string, Work> = { plain, announced, notified, audited };
  const found: Record<string, { rate: number; cpu: number }[]> = {};
  const round = async (label: string, names: string[]): Promise<void> => {
    for (let count = 1; count <= ROUNDS; count++) {
      step(`commits ${label}, round ${count} of ${ROUNDS}`);
      for (const name of names) {
        const known = found[`${name} ${label}`] ?? [];
        found[`${name} ${label}`] = [...known, await measured(kinds[name]!)];
      }
    }
  };
  await measured(audited);
  await round('alone', ['plain', 'announced', 'audited']);
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, open));
  for (const listener of listeners) listener.services.notifications.subscribe('bench', () => {});
  await round('heard', ['plain', 'announced', 'notified']);
  await Promise.all(listeners.map((listener) => listener.close()));
  await close();
  const middle = (name: string) => found[name]!.sort((a, b) => a.rate - b.rate)[Math.floor(ROUNDS / 2)]!;
  say(`\nCommits of one small insert each, ${WRITERS} at a time; ${LISTENERS} processes listen.`);
  for (const name of Object.keys(found))
    say(`  ${name.padEnd(18)}${number(middle(name).rate, 0, 8)} per second${number(middle(name).cpu, 3, 10)} ms of CPU each`);
  const ratio = (one: string, other: string): number => middle(one).rate / middle(other).rate;
  return [
    {
      name: 'commits heard',
      title: 'commits/s that announce to listening processes, without either = 1',
      value: ratio('announced heard', 'plain alone'),
      unit: 'times',
      better: 'more',
    },
    {
      name: 'commits notifying',
      title: 'commits/s that notify in their transaction, without either = 1',
      value: ratio('notified heard', 'plain alone'),
      unit: 'times',
      better: 'more',
    },
    {
      name: 'audit entry CPU',
      title: 'CPU of the entry of a write in the audit log',
      value: middle('audited alone').cpu - middle('plain alone').cpu,
      unit: 'ms',
      better: 'less',
    },
  ];
}

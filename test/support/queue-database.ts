// Opens the database of a queue test: PostgreSQL when DATABASE_URL is set, otherwise the embedded one. Each test has its own queue schema.
import { randomUUID } from 'node:crypto';
import { MikroORM as EmbeddedORM } from '@mikro-orm/pglite';
import { MikroORM as ServerORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import type { QueueBackend } from '../../src/queue/pg-boss.ts';
import { createQueue, type Queue, type QueueOptions, type Task } from '../../src/queue/queue.ts';

export interface QueueDatabase {
  orm: { em: SqlEntityManager; close(): Promise<void> };
  backend: QueueBackend;
  schema: string;
  /** A table of its own, with no unique constraint: a unit of work done twice leaves two rows. */
  effects: string;
}

const base = { entities: [], discovery: { warnWhenNoEntities: false }, allowGlobalContext: true };

async function openServer(url: string) {
  const orm = await ServerORM.init({ ...base, clientUrl: url });
  return { orm, backend: { kind: 'postgres', connection: { connectionString: url } } as QueueBackend };
}

async function openEmbedded(directory: string) {
  const orm = await EmbeddedORM.init({ ...base, dbName: directory });
  const client = await (orm.em.getConnection() as unknown as { getNativeClient(): Promise<never> }).getNativeClient();
  return { orm, backend: { kind: 'pglite', client, ensureRoom: () => {} } as QueueBackend };
}

export const serverUrl = process.env.DATABASE_URL;

/** Connects and creates a schema and a table for the test. */
export async function openQueueDatabase(schema = newSchema(), directory = 'memory://'): Promise<QueueDatabase> {
  const { orm, backend } = serverUrl ? await openServer(serverUrl) : await openEmbedded(directory);
  return prepare({ orm: orm as unknown as QueueDatabase['orm'], backend }, schema);
}

/** Another schema and table on the connection of `database`: starting the embedded database takes seconds, a schema does not. */
export const anotherQueueDatabase = (database: QueueDatabase): Promise<QueueDatabase> => prepare(database, newSchema());

async function prepare({ orm, backend }: Pick<QueueDatabase, 'orm' | 'backend'>, schema: string): Promise<QueueDatabase> {
  const effects = `${schema}_effects`;
  await orm.em.execute(`create table if not exists ${effects} (record int not null, worker text not null)`);
  return { orm, backend, schema, effects };
}

export const newSchema = (): string => `q_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

export async function dropQueueDatabase({ orm, schema, effects }: QueueDatabase): Promise<void> {
  await orm.em.execute(`drop schema if exists ${schema} cascade`);
  await orm.em.execute(`drop table if exists ${effects}`);
}

/** Adds one row of effect and completes the job, in one transaction. */
export function effectTask(database: QueueDatabase, worker: string, overrides: Partial<Task> = {}): Task {
  return {
    name: 'effect',
    retry: { limit: 20, delaySeconds: 0 },
    ungrouped: 'its records belong to no organisation',
    concurrency: 2,
    async handler({ record }, job) {
      await database.orm.em.fork().transactional(async (em) => {
        await em.execute(`insert into ${database.effects} values (?, ?)`, [record, worker]);
        await job.completeIn(em.getTransactionContext());
      });
    },
    ...overrides,
  };
}

export function startQueue(database: QueueDatabase, tasks: readonly Task[], options: Partial<QueueOptions> = {}): Promise<Queue> {
  const clock = { now: () => new Date() };
  return createQueue(database.backend, tasks, { schema: database.schema, pollSeconds: 0.5, clock, onError: () => {}, ...options });
}

export async function enqueueRecords(database: QueueDatabase, queue: Queue, records: readonly number[]): Promise<void> {
  await database.orm.em.fork().transactional(async (em) => {
    await queue.enqueueMany(
      em.getTransactionContext(),
      'effect',
      records.map((record) => ({ payload: { record } })),
    );
  });
}

export async function effectsOf(database: QueueDatabase): Promise<{ record: number; worker: string }[]> {
  return database.orm.em.fork().execute(`select record, worker from ${database.effects} order by record`);
}

/** Polls until `done` returns true; the test runner's own limit ends an endless wait. */
export async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20));
}

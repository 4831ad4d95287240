// Two gateways on equal databases, each with a log of the rows that it writes.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { type Gateway, serverUrl, startGateway } from './gateway.ts';
import { templateDatabase, templateDirectory } from './made.ts';
import { newDatabase } from './server.ts';

/** A row that was written: its table, what happened to it, and what it is now. */
export interface WrittenRow {
  table: string;
  change: 'INSERT' | 'UPDATE' | 'DELETE';
  row: Record<string, unknown>;
}

export interface Twin extends Gateway {
  /** The rows written since the last call, in the order of their text. */
  written(): Promise<WrittenRow[]>;
}

export interface Twins<T> {
  pair: [Twin, Twin];
  /** What `build` returned. */
  built: T;
  stop(): Promise<void>;
}

type Place = { databaseUrl: string } | { dataDir: string };

/** Makes a database with the data of `build`, and starts two gateways without background work on copies of it. */
export async function startTwins<T>(build: (gateway: Gateway) => Promise<T>): Promise<Twins<T>> {
  const removals: (() => Promise<void>)[] = [];
  const original = await place();
  const gateway = await startGateway({ ...original, webhookAllowPrivate: true });
  const built = await build(gateway);
  await gateway.stop();
  // A database with connections cannot be copied.
  const copy = await place(original);
  const pair: [Twin, Twin] = [await started(original), await started(copy)];
  return {
    pair,
    built,
    stop: async () => {
      for (const twin of pair) await twin.stop();
      for (const remove of removals) await remove();
    },
  };

  async function place(template?: Place): Promise<Place> {
    if (serverUrl) {
      const { url, drop } = await newDatabase(
        serverUrl,
        template && 'databaseUrl' in template ? new URL(template.databaseUrl).pathname.slice(1) : await templateDatabase(),
      );
      removals.push(drop);
      return { databaseUrl: url };
    }
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-twin-'));
    removals.push(() => rm(dataDir, { recursive: true, force: true }));
    await cp(template && 'dataDir' in template ? template.dataDir : await templateDirectory(), dataDir, { recursive: true });
    return { dataDir };
  }
}

async function started(place: Place): Promise<Twin> {
  const gateway = await startGateway({ ...place, worker: false, webhookAllowPrivate: true });
  const run = <R extends object>(text: string): Promise<R[]> =>
    systemTransaction(gateway.services.database, (em) => executeIn<R>(em, text, []));
  await logWrites(run);
  return {
    ...gateway,
    written: async () => {
      const rows = await run<WrittenRow>(`with gone as (delete from written_row returning *) select "table", change, "row" from gone`);
      return rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    },
  };
}

/** Of the queue only the jobs: it keeps its own accounts in other tables. What replicas have yet to see is noted after the response. */
async function logWrites(run: (text: string) => Promise<object[]>): Promise<void> {
  await run('create table written_row ("table" text, change text, "row" jsonb)');
  await run(`create function note_written_row() returns trigger language plpgsql security definer as $$ begin
    insert into public.written_row values (tg_table_name, tg_op, case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end);
    return null; end $$`);
  const tables = (await run(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and (n.nspname = 'public' and c.relname not in ('written_row', 'recent_write') or c.relname like 'job%')`,
  )) as { name: string }[];
  for (const { name } of tables)
    await run(
      `create trigger note_written_row after insert or update or delete on ${name} for each row execute function note_written_row()`,
    );
}

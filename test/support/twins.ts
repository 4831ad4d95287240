// Two gateways on equal databases, whose clocks show the same time, each with a log of the rows that it writes.
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

/** A database, and how to remove it. */
interface Place {
  settings: { databaseUrl: string } | { dataDir: string };
  remove: () => Promise<void>;
}

/** Makes a database with the data of `build`, and starts two gateways without background work on copies of it. */
export async function startTwins<T>(build: (gateway: Gateway) => Promise<T>): Promise<Twins<T>> {
  const original = await placeLike();
  const gateway = await startGateway({ ...original.settings, webhookAllowPrivate: true });
  const built = await build(gateway);
  // A database with connections cannot be copied.
  await gateway.stop();
  const twins = new Twins(original, built);
  await twins.renew();
  return twins;
}

/** The duplicates of one run. */
export class Twins<T> {
  /** What `build` returned. */
  readonly built: T;
  readonly #original: Place;
  #copies: Place[] = [];
  #pair: Twin[] = [];

  constructor(original: Place, built: T) {
    this.#original = original;
    this.built = built;
  }

  get pair(): [Twin, Twin] {
    return this.#pair as [Twin, Twin];
  }

  /** Starts both again on fresh copies, because they are no longer alike. */
  async renew(): Promise<void> {
    await this.#end();
    this.#copies = [await placeLike(this.#original), await placeLike(this.#original)];
    for (const { settings } of this.#copies) this.#pair.push(await started(settings));
    const [first, second] = this.pair;
    for (const { clock } of this.pair) clock.stop();
    second.clock.advance(first.clock.now().getTime() - second.clock.now().getTime());
    for (const twin of this.pair) await twin.written();
  }

  async stop(): Promise<void> {
    await this.#end();
    await this.#original.remove();
  }

  async #end(): Promise<void> {
    for (const twin of this.#pair.splice(0)) await twin.stop();
    for (const { remove } of this.#copies.splice(0)) await remove();
  }
}

/** A new database, equal to another one or just migrated. */
async function placeLike(other?: Place): Promise<Place> {
  const settings = other?.settings;
  if (serverUrl) {
    const template = settings && 'databaseUrl' in settings ? new URL(settings.databaseUrl).pathname.slice(1) : await templateDatabase();
    const { url, drop } = await newDatabase(serverUrl, template);
    return { settings: { databaseUrl: url }, remove: drop };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-twin-'));
  await cp(settings && 'dataDir' in settings ? settings.dataDir : await templateDirectory(), dataDir, { recursive: true });
  return { settings: { dataDir }, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

async function started(settings: Place['settings']): Promise<Twin> {
  const gateway = await startGateway({ ...settings, worker: false, webhookAllowPrivate: true });
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

// Migrations: the rules for their files, what the generator writes and rejects, and how they are applied next to running requests and after a crash.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { Client, type Pool } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { type MigrationFile, migrationFiles, migrationsFolder, parseMigration } from '../../src/database/migrations/files.ts';
import { releasedMigrations } from '../../src/database/migrations/released.ts';
import { destructiveSteps, reviewMigration } from '../../src/database/migrations/review.ts';
import { writeMigrations } from '../../src/database/migrations/write.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { declaredColumns, missingSchema } from '../../src/database/schema-diff.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { entities } from '../../src/registry.ts';
import { serverUrl } from '../support/gateway.ts';
import { ownPlace, type Place } from '../support/program.ts';

const files = migrationFiles();
const NEWEST = '20260101000000_newest';
const context = { released: ['0009_list_indexes', NEWEST], declared: declaredColumns(entities) };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function place(): Promise<Place> {
  const own = await ownPlace();
  cleanUps.push(own.remove);
  return own;
}

/** Opens a database with further migrations; the caller closes it. */
const openAt = ({ settings }: Place, further: MigrationFile[] = [], log: (message: string) => void = () => {}): Promise<Database> =>
  openDatabase({ url: settings.DATABASE_URL, dataDir: settings.DATA_DIR, entities, migrations: [...files, ...further], log });

async function run<T>(database: Database, sql: string): Promise<T[]> {
  const client = await database.native();
  const { rows } = database.kind === 'postgres' ? await (client as Pool).query(sql) : await (client as PGlite).query(sql);
  return rows as T[];
}

const isValid = async (database: Database, index: string): Promise<boolean | undefined> =>
  (await run<{ indisvalid: boolean }>(database, `select indisvalid from pg_index where indexrelid = to_regclass('${index}')`))[0]
    ?.indisvalid;

const review = (text: string, name = '20260102000000_change'): string[] => reviewMigration(parseMigration(name, text), context);

const CONCURRENT = parseMigration(
  '20260102000000_titles',
  '-- Builds an index.\n-- transaction: none\ncreate index concurrently if not exists "webhook_titles" on "webhook" (organisation_id, id);\n',
);

describe('the files', () => {
  it('those of a release are as they were released', () => {
    for (const [name, digest] of releasedMigrations()) {
      const text = readFileSync(join(migrationsFolder, `${name}.sql`));
      expect(createHash('sha256').update(text).digest('hex'), name).toBe(digest);
    }
    expect(releasedMigrations().size).toBeGreaterThan(8);
  });

  it('every file after 0009 keeps the rules', () => {
    const later = files.filter(({ name }) => name > '0009_list_indexes');
    const real = { released: [...releasedMigrations().keys()], declared: declaredColumns(entities) };
    expect(later.flatMap((file) => reviewMigration(file, real))).toEqual([]);
    expect(files.filter(({ name }) => /^\d{4}_/.test(name))).toHaveLength(9);
  });
});

describe('the review', () => {
  it.each([
    ['drop table "webhook"', 'drop table webhook'],
    ['drop table if exists old_a, old_b cascade', 'drop table old_a', 'drop table old_b'],
    ['alter table "item" drop column "old_code"', 'drop column item.old_code'],
    ['alter table item add a text null, drop old_code', 'drop column item.old_code'],
    ['drop index "access_key_hash_key"', 'drop index access_key_hash_key'],
    ['alter table "item" drop constraint "item_company_fkey"', 'drop constraint item.item_company_fkey'],
    ['alter table "item" alter column "name" type text using ("name"::text)', 'change type item.name'],
    ['alter table "item" alter "name" set data type text', 'change type item.name'],
    ['alter table "item" alter column "name" set not null', 'set not null item.name'],
    ['alter table "item" alter column "name" drop default', 'drop default item.name'],
    ['alter table "item" add "size" bigint not null', 'add column item.size'],
    ['truncate table "item"', 'truncate item'],
    ['delete from "item" where name is null', 'delete from item'],
    ['alter table "item" rename column "name" to "label"', 'rename column item.name'],
    ['alter table "item" rename to "thing"', 'rename table item'],
    ['alter table "item" rename constraint "a" to "b"', 'rename constraint item.a'],
    ['alter index "a" rename to "b"', 'rename index a'],
    ['do $$\n  begin\n    if true then drop table webhook;\n    end if;\n  end $$', 'drop table webhook'],
  ])('%s is rejected unless the header declares it', (statement, ...steps) => {
    expect(destructiveSteps([statement]).map(({ what }) => what)).toEqual(steps);
    const refused = review(`-- Changes a table.\n${statement};\n`);
    for (const step of steps) expect(refused).toContain(`20260102000000_change: "${step}" is destructive and not declared`);
    const declarations = steps.map((step) => `-- destructive: ${step}, unneeded since ${NEWEST}: the last release does without\n`).join('');
    const declared = review(`-- Changes a table.\n${declarations}${statement};\n`);
    expect(declared.filter((issue) => !issue.includes('still declares'))).toEqual([]);
  });

  it.each([
    'alter table "item" add "size" bigint null',
    'alter table "item" add "size" bigint not null default 0',
    'alter table "item" alter column "name" drop not null',
    `-- drop table item\ninsert into "item" (name) values ('drop table item; truncate')`,
    'create table "crate" (\n  "id" text not null,\n  primary key ("id")\n);\nalter table "crate" add "size" bigint not null;\ncreate index "crate_size" on "crate" (size)',
  ])('%s passes', (statement) => {
    expect(review(`-- Changes a table.\n${statement};\n`)).toEqual([]);
  });

  it('what the nodes of a distributed database reject is rejected, in files that one can lack', () => {
    const [drop, add] = ['drop constraint "item_pkey"', 'add constraint "item_pkey" primary key using index "item_key"'];
    const declared = `-- Changes a key.\n-- destructive: drop constraint item.item_pkey, unneeded since ${NEWEST}: the new key begins alike\n`;
    const both = `${declared}alter table "item"\n  ${drop},\n  ${add};\n`;
    expect(review(both)).toEqual([]);
    expect(review(both, '20270102000000_key')).toEqual([expect.stringContaining('put it in a statement of its own')]);
    expect(review(`${declared}alter table "item" ${drop};\nalter table "item" ${add};\n`, '20270102000000_key')).toEqual([]);
    const renamed = `-- Renames it.\n-- destructive: rename constraint item.a, unneeded since ${NEWEST}: nobody names it\nalter table "item" rename constraint "a" to "b";\n`;
    expect(review(renamed, '20270102000000_key')).toEqual([expect.stringContaining('drop it and add it again')]);
  });

  it('a column or table that a record still declares cannot be declared away', () => {
    const declare = (step: string, statement: string): string[] =>
      review(`-- Drops it.\n-- destructive: ${step}, unneeded since ${NEWEST}: a mistake\n${statement};\n`);
    expect(declare('drop column item.name', 'alter table "item" drop column "name"')).toEqual([
      '20260102000000_change: "drop column item.name" takes away what a record still declares',
    ]);
    expect(declare('rename column item.name', 'alter table "item" rename "name" to "label"')).toHaveLength(1);
    expect(declare('drop table item', 'drop table "item"')).toHaveLength(1);
    expect(declare('drop column item.old_code', 'alter table "item" drop column "old_code"')).toEqual([]);
  });

  it('a declaration names a migration of a release, and a step that a statement takes', () => {
    const drop = 'alter table "item" drop column "old_code";\n';
    expect(review(`-- Drops it.\n-- destructive: drop column item.old_code, unneeded since 20260101500000_later: reason\n${drop}`)).toEqual(
      [expect.stringContaining('20260101500000_later, which is not a released migration')],
    );
    expect(review(`-- Drops it.\n-- destructive: drop column item.old_code\n${drop}`)).toContainEqual(
      expect.stringContaining('is not of the form'),
    );
    expect(review(`-- Adds it.\n-- destructive: drop table webhook, unneeded since ${NEWEST}: reason\nselect 1;\n`)).toEqual([
      expect.stringContaining('"drop table webhook" is declared, and no statement does it'),
    ]);
  });

  it.each([
    ['create index "item_name" on "item" (name)', 'stops writes'],
    ['create index concurrently if not exists "item_name" on "item" (name)', 'belongs in a file with "-- transaction: none"'],
    ['alter table "item" add constraint "a" check (name is not null)', 'add it "not valid"'],
    ['alter table "item" add constraint "a" foreign key (company_id) references company (ledger_id)', 'add it "not valid"'],
    ['alter table "item" add constraint "a" unique (name)', 'using index'],
    ['alter table "item" add "b" text null unique', 'add its constraint on its own'],
    ['alter table "item" validate constraint "a"', 'belongs in a file with "-- transaction: none"'],
  ])('%s is rejected in a transaction', (statement, issue) => {
    expect(review(`-- Changes a table.\n${statement};\n`)).toEqual([expect.stringContaining(issue)]);
  });

  it.each([
    'create index concurrently "item_name" on "item" (name)',
    'create index "item_name" on "item" (name)',
    'alter table "item" add "b" text null',
  ])('%s is rejected without a transaction, where a crash would repeat it', (statement) => {
    expect(review(`-- Changes a table.\n-- transaction: none\n${statement};\n`)).toEqual([expect.stringContaining('cannot be repeated')]);
  });

  it('a file is named by its time and begins with what it does', () => {
    expect(review('select 1;\n', '0010_next')).toEqual([expect.stringContaining('its name'), expect.stringContaining('its first line')]);
  });
});

describe('the generator', () => {
  const now = new Date('2026-03-04T05:06:07.890Z');
  const write = (statements: string[], declarations: string[] = []) =>
    writeMigrations({ statements, name: 'change', now, newest: '0009_list_indexes', declarations });

  it('a new table, column, index and key are written line by line, and what takes long comes in a file without a transaction', async () => {
    const database = await openAt(await place());
    cleanUps.push(() => database.close());
    for (const change of [
      'drop table kept_setting',
      'alter table item drop column is_bill_item, drop column description',
      'drop index account_by_status',
      'alter table invoice_credit_note drop constraint invoice_credit_note_company_fkey',
    ])
      await run(database, change);
    const written = write(await missingSchema(database, entities));
    expect(Object.fromEntries(written.map(({ name, text }) => [name, text]))).toEqual({
      '20260304050607_change': `-- Create table kept_setting.
-- Add column item.description.
-- Add column item.is_bill_item.
-- Add constraint invoice_credit_note.invoice_credit_note_company_fkey.
create table "kept_setting" (
  "name" text not null,
  "value" text not null,
  primary key ("name")
);
alter table "item"
  add "description" text null,
  add "is_bill_item" boolean null;
alter table "invoice_credit_note" add constraint "invoice_credit_note_company_fkey" foreign key (organisation_id, company_id) references "company" (organisation_id, ledger_id) not valid;
`,
      '20260304050608_change_concurrently': `-- Create index account_by_status.
-- Validate constraint invoice_credit_note.invoice_credit_note_company_fkey.
-- transaction: none
create index concurrently if not exists "account_by_status" on "account" (company_id, status, ledger_id) where ledger_deleted_at is null;
alter table "invoice_credit_note" validate constraint "invoice_credit_note_company_fkey";
`,
    });
    expect(written.flatMap((file) => reviewMigration(file, context))).toEqual([]);
  });

  it('what it writes brings a database in line', async () => {
    const own = await place();
    const before = await openAt(own);
    for (const change of ['drop table kept_setting', 'alter table item drop column code', 'drop index account_by_status'])
      await run(before, change);
    const written = write(await missingSchema(before, entities));
    await before.close();
    const after = await openAt(own, written);
    cleanUps.push(() => after.close());
    expect(await missingSchema(after, entities)).toEqual([]);
    expect(await isValid(after, 'account_by_status')).toBe(true);
    const applied = await run<{ name: string }>(after, 'select name from mikro_orm_migrations order by id');
    expect(applied.map(({ name }) => name).slice(-2)).toEqual(written.map(({ name }) => name));
  });

  it('a column that no record declares any more is dropped only on a declaration, which the header keeps', async () => {
    const database = await openAt(await place());
    cleanUps.push(() => database.close());
    await run(database, 'alter table item add old_code text');
    const statements = await missingSchema(database, entities);
    expect(write(statements).flatMap((file) => reviewMigration(file, context))).toEqual([
      '20260304050607_change: "drop column item.old_code" is destructive and not declared',
    ]);
    const declared = write(statements, [`drop column item.old_code, unneeded since ${NEWEST}: replaced by code`]);
    expect(declared[0]!.text).toBe(`-- Drop column item.old_code.
-- destructive: drop column item.old_code, unneeded since ${NEWEST}: replaced by code
alter table "item" drop column "old_code";
`);
    expect(declared.flatMap((file) => reviewMigration(file, context))).toEqual([]);
  });

  it('a file comes after the newest one, whatever the clock says', () => {
    const newest = '20991231235959_newest';
    const [file] = writeMigrations({ statements: ['select 1'], name: 'change', now, newest, declarations: [] });
    expect(file!.name).toBe('21000101000000_change');
  });
});

describe('the indexes', () => {
  /** Name and definition of the indexes of a schema, without those of primary keys. */
  const definitions = async (database: Database, schema: string): Promise<Map<string, string>> => {
    const rows = await run<{ name: string; definition: string }>(
      database,
      `select relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on pg_class.oid = indexrelid
       where relnamespace = '${schema}'::regnamespace and not indisprimary order by relname`,
    );
    return new Map(rows.map(({ name, definition }) => [name, definition.replace(` ON ${schema}.`, ' ON ')]));
  };

  it('every index of the database is as declared', async () => {
    const database = await openAt(await place());
    cleanUps.push(() => database.close());
    const declared = (await database.orm.schema.getCreateSchemaSQL({ wrap: false }))
      .split(/;\n/)
      .map((statement) => statement.trim().replace(/;$/, ''))
      .filter((statement) => /^create (unique )?index /.test(statement));
    // The database writes each expression in a form of its own, so both texts come from it.
    await run(database, 'create schema declared');
    for (const { table } of entities.map(modelOf)) await run(database, `create table declared."${table}" (like public."${table}")`);
    for (const statement of declared) await run(database, statement.replace(/ on "/, ' on declared."'));
    const migrated = await definitions(database, 'public');
    expect(migrated.size).toBeGreaterThan(200);
    expect(Object.fromEntries(migrated)).toEqual(Object.fromEntries(await definitions(database, 'declared')));
  });
});

describe('applying', () => {
  it('an index whose build was interrupted is built again at the next start', async () => {
    const own = await place();
    const broken = await openAt(own);
    await run(broken, 'create index webhook_titles on webhook (organisation_id, id)');
    await run(broken, `update pg_index set indisvalid = false where indexrelid = 'webhook_titles'::regclass`);
    expect(await isValid(broken, 'webhook_titles')).toBe(false);
    await broken.close();
    const fixed = await openAt(own, [CONCURRENT]);
    cleanUps.push(() => fixed.close());
    expect(await isValid(fixed, 'webhook_titles')).toBe(true);
  });

  it('a migration that fails leaves nothing behind, those before it stay, and the next start continues', async () => {
    const own = await place();
    const first = parseMigration('20260102000001_first', '-- Adds a table.\ncreate table "first_one" ("id" text null);\n');
    const text = '-- Adds a table.\ncreate table "second_one" ("id" text null);\n';
    const failing = parseMigration('20260102000002_second', `${text}select 1 / 0;\n`);
    await expect(openAt(own, [first, failing])).rejects.toThrow('the migration 20260102000002_second failed: division by zero');
    const database = await openAt(own, [first, parseMigration(failing.name, text)]);
    cleanUps.push(() => database.close());
    const applied = await run<{ name: string }>(database, 'select name from mikro_orm_migrations order by id');
    expect(applied.map(({ name }) => name).slice(-2)).toEqual([first.name, failing.name]);
  });
});

const besideRequests = (): void => {
  const INSERT = `insert into organisation (id, public_id, name, created_at) values ($1, $2, $2, now())`;

  async function connect({ settings }: Place): Promise<Client> {
    const client = new Client({ connectionString: settings.DATABASE_URL, lock_timeout: 1_500 });
    client.on('error', () => {});
    await client.connect();
    cleanUps.push(() => client.end());
    return client;
  }

  const ORGANISATIONS = parseMigration(
    '20260102000000_names',
    '-- Builds an index.\n-- transaction: none\ncreate index concurrently if not exists "organisation_names" on "organisation" (name, id);\n',
  );

  /** The process that builds the index, once it waits for the transactions that began before. */
  async function waitingBuild(client: Client): Promise<number> {
    for (;;) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_progress_create_index where datname = current_database() and phase like 'waiting%'`,
      );
      if (rows[0]) return rows[0].pid;
      await setTimeout(20);
    }
  }

  it('an index is built while transactions write to its table, and longer than the timeout of a lock', async () => {
    const own = await place();
    const [long, short] = [await connect(own), await connect(own)];
    await long.query('begin');
    await long.query(INSERT, [900_001, 'before']);
    const opening = openAt(own, [ORGANISATIONS]);
    await waitingBuild(short);
    await short.query(INSERT, [900_002, 'in between']);
    await setTimeout(2_500);
    await waitingBuild(short);
    await long.query('commit');
    const database = await opening;
    cleanUps.push(() => database.close());
    expect(await isValid(database, 'organisation_names')).toBe(true);
    expect(await run(database, 'select 1 from organisation where id in (900001, 900002)')).toHaveLength(2);
  });

  it('an open connection finds texts by an index before and after the function that folds them is another', async () => {
    const own = await place();
    const before = await openAt(own);
    for (const statement of files.find(({ name }) => name === '20261125124000_text_folding')!.statements) await run(before, statement);
    await run(before, `delete from mikro_orm_migrations where name like '%_ascii_text_folding'`);
    await run(before, 'create table texts (text text)');
    await run(before, `create index texts_search on texts using gin ((folded_text(coalesce(text, '') || text)) gin_trgm_ops)`);
    await before.close();
    const client = await connect(own);
    await client.query('set enable_seqscan = off');
    const plan = async (): Promise<unknown> =>
      (await client.query(`explain select from texts where folded_text(coalesce(text, '') || text) like '%abcd%'`)).rows;
    expect(JSON.stringify(await plan())).toContain('texts_search');
    const database = await openAt(own);
    cleanUps.push(() => database.close());
    expect(JSON.stringify(await plan())).toContain('texts_search');
  });

  it('a build that was killed is taken up again at the next start', async () => {
    const own = await place();
    const [long, short] = [await connect(own), await connect(own)];
    await long.query('begin');
    await long.query(INSERT, [900_001, 'before']);
    const opening = openAt(own, [ORGANISATIONS]);
    const failed = expect(opening).rejects.toThrow(/terminat/);
    await short.query('select pg_terminate_backend($1::int)', [await waitingBuild(short)]);
    await failed;
    const { rows } = await short.query(`select indisvalid from pg_index where indexrelid = 'organisation_names'::regclass`);
    expect(rows).toEqual([{ indisvalid: false }]);
    await long.query('commit');
    const database = await openAt(own, [ORGANISATIONS]);
    cleanUps.push(() => database.close());
    expect(await isValid(database, 'organisation_names')).toBe(true);
  });

  it('processes that start at once build it once, and none of them waits for the other for ever', async () => {
    const own = await place();
    const long = await connect(own);
    await long.query('begin');
    await long.query(INSERT, [900_001, 'before']);
    const opening = [openAt(own, [ORGANISATIONS]), openAt(own, [ORGANISATIONS]), openAt(own, [ORGANISATIONS])];
    await waitingBuild(await connect(own));
    await long.query('commit');
    const databases = await Promise.all(opening);
    cleanUps.push(...databases.map((database) => () => database.close()));
    const names = `select name from mikro_orm_migrations where name = '${ORGANISATIONS.name}'`;
    expect(await run(databases[0]!, names)).toHaveLength(1);
    expect(await isValid(databases[0]!, 'organisation_names')).toBe(true);
  });

  it('a migration that gets no lock lets the requests behind it pass and tries again', async () => {
    const own = await place();
    const column = parseMigration('20260102000000_column', '-- Adds a column.\nalter table "organisation" add "old_label" text null;\n');
    const long = await connect(own);
    await long.query('begin');
    await long.query(INSERT, [900_001, 'before']);
    const messages: string[] = [];
    const database = await openAt(own, [column], (message) => {
      messages.push(message);
      if (message.includes('got no lock')) void long.query('commit');
    });
    cleanUps.push(() => database.close());
    expect(messages.filter((message) => message.includes('got no lock'))).toHaveLength(1);
    expect(await run(database, 'select old_label from organisation where id = 900001')).toEqual([{ old_label: null }]);
  });

  it('a migration that ends in a deadlock is named and tried again', async () => {
    const own = await place();
    const columns = parseMigration(
      '20260102000000_columns',
      '-- Adds columns.\nalter table "webhook" add "old_label" text null;\nalter table "organisation" add "old_label" text null;\n',
    );
    const [long, other] = [await connect(own), await connect(own)];
    await long.query('begin');
    await long.query('lock table organisation in access share mode');
    const messages: string[] = [];
    const opening = openAt(own, [columns], (message) => {
      messages.push(message);
      if (message.includes('got no lock')) void long.query('commit');
    });
    const waiting = `select 1 from pg_locks where not granted and relation = 'organisation'::regclass`;
    while ((await other.query(waiting)).rows.length === 0) await setTimeout(20);
    // The migration waits for this session, and now this session for the migration; the one that has waited longer is ended.
    await long.query('select count(*) from webhook');
    const database = await opening;
    cleanUps.push(() => database.close());
    expect(messages.filter((message) => message.includes('got no lock'))).toEqual([
      'the migration 20260102000000_columns failed: deadlock detected; it got no lock on its tables, next attempt in 1 s',
    ]);
    expect(await run(database, 'select old_label from organisation limit 0')).toEqual([]);
  });
};

if (serverUrl) describe('on a server', { timeout: 60_000 }, besideRequests);

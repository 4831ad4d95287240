// Books of GnuCash in SQLite: the reader of the format reads what SQLite itself reads, and a file that was made to harm does not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfFile } from '../../src/integrations/connectors/files/file-kind.ts';
import { openBook } from '../../src/integrations/connectors/files/gnucash/records.ts';
import { SqliteFile } from '../../src/integrations/connectors/files/gnucash/sqlite.ts';
import { GatewayError } from '../../src/records/errors.ts';
import { watchTurns } from '../support/loop-turns.ts';

const book = gunzipSync(readFileSync(join(import.meta.dirname, 'exports', 'gnucash.sqlite.gz')));

/** The bytes of a database after statements, of the book or of an empty one. */
function changed(statements: string, from?: Buffer): Buffer {
  const database = new DatabaseSync(':memory:');
  if (from) database.deserialize(new Uint8Array(from));
  database.exec(statements);
  const bytes = Buffer.from(database.serialize());
  database.close();
  return bytes;
}

const read = async (bytes: Uint8Array) => openBook(textOfFile(bytes));
const rejection = (bytes: Uint8Array): Promise<string> =>
  read(bytes).then(
    () => 'read',
    (error: unknown) => (error instanceof GatewayError ? error.message : String(error)),
  );

describe('the reader of SQLite', () => {
  it.each([512, 4_096, 65_536])('reads what SQLite reads, in pages of %i bytes', async (size) => {
    const bytes = changed(`pragma page_size = ${size};
      create table "values" (id integer primary key, "a" text(9), [b] decimal(9, 2) default (1), c, constraint own unique (a, b));
      create view seen as select a from "values";
      create trigger on_insert after insert on "values" begin select 1; end;
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into "values" (a, b, c) select
        case when i % 97 = 0 then printf('%.*c', i * 7, 'x') || 'é€😀' || i else 'text ' || i end,
        case i % 5 when 0 then null when 1 then i when 2 then -i * 100000 when 3 then 9223372036854775807 - i else 0 end,
        case i % 4 when 0 then i / 8.0 when 1 then 1 when 2 then 8388608 - i else -140737488355328 + i end from n;
      delete from "values" where id % 11 = 0;
      alter table "values" add column d text;
      update "values" set d = 'new' where id > 2900;`);
    const database = new DatabaseSync(':memory:');
    database.deserialize(bytes);
    const select = database.prepare('select cast(a as text) a, cast(b as text) b, c, d from "values"');
    const expected = select.all().map(({ a, b, c, d }) => [a, b, c === null ? null : String(c), d]);
    database.close();
    const file = await SqliteFile.open(bytes);
    const rows = await Array.fromAsync(file.rows('values'), (row) => ['a', 'b', 'c', 'd'].map((column) => row.get(column)));
    expect(rows.length).toBe(2_728);
    expect(rows).toEqual(expected);
    expect([file.has('seen'), file.has('on_insert')]).toEqual([false, false]);
    expect(await Array.fromAsync(file.rows('none'))).toEqual([]);
  });
});

describe('an SQLite database', () => {
  const endless = 'with recursive n (i) as (select 1 union all select i + 1 from n) select i as guid from n';

  it.each<[string, () => Buffer, RegExp]>([
    ['of another program', () => changed('create table accounts (id)'), /^file is an SQLite database, and no book of GnuCash$/],
    [
      'with an endless view in the place of a table',
      () => changed(`alter table accounts rename to a; create view accounts as ${endless}`, book),
      /and no book of GnuCash$/,
    ],
    [
      'with a virtual table',
      () => changed('drop table accounts; create virtual table accounts using fts5(guid)', book),
      /damaged SQLite database$/,
    ],
    [
      'with a table that is an index',
      () => changed('drop table accounts; create table accounts (guid text primary key) without rowid', book),
      /damaged SQLite database$/,
    ],
    ['in UTF-16', () => changed("pragma encoding = 'UTF-16'; create table books (guid)"), /^file is an SQLite database in UTF-16/],
    ['that is cut off', () => book.subarray(0, -4_096), /^file is an SQLite database that is cut off$/],
    ['of a header', () => book.subarray(0, 100), /damaged SQLite database$/],
    ['of its first bytes', () => book.subarray(0, 16), /damaged SQLite database$/],
    ['of zeros', () => Buffer.concat([book.subarray(0, 100), Buffer.alloc(book.length - 100)]), /damaged SQLite database$/],
  ])('%s is rejected', async (_, made, words) => {
    expect(await rejection(made())).toMatch(words);
  });

  it('whose pages refer to each other in a circle, or whose rows overlap, is rejected at once', async () => {
    const rows = changed(
      "create table t (a text); with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000) insert into t select 'x' || i from n",
    );
    // The root of the table is the second page, and refers to others.
    const root = 4_096;
    const circle = Buffer.from(rows);
    circle.writeUInt32BE(2, root + 8);
    const twice = Buffer.from(rows);
    twice.writeUInt32BE(rows.readUInt32BE(root + rows.readUInt16BE(root + 12)), root + 8);
    const overlapping = changed("pragma page_size = 65536; create table t (a text); insert into t values (printf('%.*c', 30000, 'x'))");
    const leaf = 65_536;
    const cell = overlapping.readUInt16BE(leaf + 8);
    overlapping.writeUInt16BE(10_000, leaf + 3);
    for (let index = 0; index < 10_000; index++) overlapping.writeUInt16BE(cell, leaf + 8 + 2 * index);
    for (const bytes of [circle, twice, overlapping]) {
      const file = await SqliteFile.open(bytes);
      await expect(Array.fromAsync(file.rows('t'))).rejects.toThrow('damaged SQLite database');
    }
  });

  it('that is changed anywhere is read or rejected by name, and never holds the process', async () => {
    const turns = watchTurns();
    const change = fc.tuple(fc.nat(book.length - 1), fc.nat(255), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = Buffer.from(book);
        // The head of a page says where everything is.
        for (const [at, value, isHead] of changes) bytes[isHead ? at - (at % 4_096) + (at % 61) : at] = value;
        expect(await rejection(bytes)).not.toMatch(/Error/);
      }),
      { numRuns: 150 },
    );
    expect((await turns()).longest).toBeLessThan(100_000);
  });
});

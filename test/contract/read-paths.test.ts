// The two read paths give the same bytes, and a wire path that responds wrongly leaves the reads to the plain one.
import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { type ClientConfig, Pool, type PoolConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { prepareEmbedded } from '../../src/database/connection/embedded-client.ts';
import { PooledClient } from '../../src/database/connection/pooled-client.ts';
import { clientOf, openEmbeddedReads, openPostgresReads, type Reads } from '../../src/database/open-reads.ts';
import type { TextRow } from '../../src/database/read-path/data-rows.ts';
import { columnKinds } from '../../src/database/reader/column-values.ts';
import type { WireConnection } from '../../src/database/wire/connection.ts';
import { JsonBuffer } from '../../src/json/buffer.ts';
import { type KindName, kinds } from '../../src/records/metadata.ts';
import { serverUrl } from '../support/gateway.ts';

/** PostgreSQL stores every character but U+0000. */
const text = fc.string({ unit: 'binary', maxLength: 300 }).map((value) => value.replaceAll('\0', ''));
const name = fc.constantFrom('a', 'A long name', '"Zoë"', '😀', '\\', 'null', '{}');
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }).map((value) => JSON.stringify(value));
const whole = (bits: bigint) => fc.bigInt(-(2n ** bits), 2n ** bits - 1n).map(String);
const year = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
const isoDate = fc.date(year).map((date) => date.toISOString());

/** Values of each kind of column, as text that its type reads. */
const valuesOf: Record<KindName, fc.Arbitrary<string>> = {
  text,
  country: text,
  email: text,
  url: text,
  ipAddress: text,
  uuid: text,
  id: text,
  ledgerId: whole(63n),
  integer: whole(31n),
  amount: fc.tuple(whole(40n), fc.nat(999_999_999)).map(([units, part]) => `${units}.${String(part).padStart(9, '0')}`),
  flag: fc.constantFrom('true', 'false'),
  moment: fc.tuple(isoDate, fc.nat(999)).map(([moment, micro]) => moment.replace('Z', `${String(micro).padStart(3, '0')}Z`)),
  date: isoDate.map((date) => date.slice(0, 10)),
  json,
  object: fc
    .dictionary(
      name,
      json.map((value) => JSON.parse(value)),
    )
    .map((value) => JSON.stringify(value)),
  list: fc.array(json).map((values) => `[${values.join()}]`),
  namedValues: fc.array(fc.record({ name, value: name })).map((values) => JSON.stringify(values)),
  enumeration: name,
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
};

const names = Object.keys(kinds) as KindName[];
const rowOf: fc.Arbitrary<TextRow> = fc.tuple(...names.map((kind) => fc.option(valuesOf[kind])));

/** As many rows as given, of one column for each kind. */
const select = (count: number): string => {
  const row = (at: number): string =>
    `(${names.map((kind, column) => `$${at * names.length + column + 1}::${kinds[kind].column}`).join()})`;
  return `values ${Array.from({ length: count }, (_, at) => row(at)).join()}`;
};

/** What a reader gets of a response: its values as received, as text, and as the JSON of their kind. */
async function readBy(reads: Reads, rows: TextRow[]) {
  const found = await reads.query({ name: `rows ${rows.length}`, text: select(rows.length) }, rows.flat());
  const places = new Int32Array(2 * names.length);
  const out = new JsonBuffer();
  const received: (string | null)[] = [];
  for (let row = 0; row < found.length; row++) {
    found.locate(row, places);
    const bytes = found.bytesOf(row);
    for (const [column, kind] of names.entries()) {
      const [start, end] = places.subarray(2 * column);
      received.push(start === -1 ? null : bytes.toString('hex', start, end));
      if (start !== -1) columnKinds[kind].write(out, bytes, start!, end!);
    }
  }
  const written = out.toString();
  out.release();
  return { rows: found.length, texts: found.texts(), received, json: written };
}

const errorOf = (reads: Reads, statement: string, value: string): Promise<unknown> =>
  reads.query({ name: statement, text: statement }, [value]).then(
    () => null,
    ({ code, message }) => ({ code, message }),
  );

/** What holds of any two read paths of one database. */
async function expectSame(wire: Reads, plain: Reads): Promise<void> {
  expect([wire.path, plain.path]).toEqual(['wire', 'plain']);
  const rows = fc.array(rowOf, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const found = await readBy(plain, given);
      expect(found.rows).toBe(given.length);
      expect(found.texts.map((row) => row.map((value) => value === null))).toEqual(given.map((row) => row.map((value) => value === null)));
      expect(found).toEqual(await readBy(wire, given));
    }),
    // U+FEFF at the beginning of a text is a character of it.
    { numRuns: 150, examples: [[[names.map((kind) => (valuesOf[kind] === text ? '\uFEFFa' : null))]]] },
  );
  const failures = [
    ['select 1 / $1::int', '0'],
    ['select $1::int', 'no number'],
    ['select nothing', 'no parameter'],
  ] as const;
  for (const [statement, value] of failures) {
    const found = await errorOf(plain, statement, value);
    expect(found).toMatchObject({ code: expect.stringMatching(/^\w{5}$/) });
    expect(await errorOf(wire, statement, value)).toEqual(found);
  }
}

const warnings: string[] = [];
const warn = (message: string): unknown => warnings.push(message);

/** The reads respond by the path, and the process logged why at most once. */
async function expectPath(reads: Reads, path: Reads['path'], reason?: RegExp): Promise<void> {
  expect(reads.path).toBe(path);
  expect(warnings.splice(0)).toEqual(reason ? [expect.stringMatching(reason)] : []);
  const responses = Array.from({ length: 50 }, (_, number) => reads.query({ name: 'echo', text: 'select $1::numeric' }, [`-0.1${number}`]));
  expect((await Promise.all(responses)).map((rows) => rows.text(0, 0))).toEqual(responses.map((_, number) => `-0.1${number}`));
}

/** Replaces bytes by as many others. */
const replaced = (bytes: Uint8Array, from: string, to: string): Buffer =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1');

it('the setting takes wire, which is the default, or plain', () => {
  expect([readConfig({}).readPath, readConfig({ DATABASE_READ_PATH: 'plain' }).readPath]).toEqual(['wire', 'plain']);
  expect(() => readConfig({ DATABASE_READ_PATH: 'fast' })).toThrow('DATABASE_READ_PATH must be one of wire, plain');
});

describe('the read paths of the embedded database', () => {
  let client: PGlite;
  beforeAll(async () => {
    client = await PGlite.create();
    await prepareEmbedded(client);
  });
  afterAll(() => client.close());

  it('return the same bytes and the same errors for random rows of every kind of column', async () => {
    await expectSame(await openEmbeddedReads(client, { path: 'wire', warn }), await openEmbeddedReads(client, { path: 'plain', warn }));
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a wrong value', '-0.10', '-0.11', /read 1 of 3 returned .*-0\.11/],
    ['an invalid error', 'E\0\0', 'N\0\0', /read 2 of 3 returned \[\] instead of an error/],
    ['another error', '22012', '22013', /division by zero/],
  ])('after %s in the self-check reads take the plain path', async (_, from, to, reason) => {
    const execute = client.execProtocolRaw.bind(client);
    // The driver's own query does not use the bytes that this returns.
    client.execProtocolRaw = async (message, options) => replaced(await execute(message, options), from, to);
    const reads = await openEmbeddedReads(client, { path: 'wire', warn });
    await expectPath(reads, 'plain', reason);
    client.execProtocolRaw = execute;
  });
});

const WireClient = clientOf('wire');

/** A client that receives other responses to pipelined reads than the database sent; null drops them. */
const replacing = (change: (chunk: Buffer, client: PooledClient) => Buffer | null): typeof PooledClient =>
  class extends WireClient {
    constructor(config?: string | ClientConfig) {
      super(config);
      const { wire }: WireConnection = this.connection;
      const take = wire!.parser.take.bind(wire!.parser);
      wire!.parser.take = (chunk) => {
        const changed = wire!.parser.sink ? change(chunk, this) : chunk;
        if (changed) take(changed);
      };
    }
  };

describe.skipIf(!serverUrl)('the read paths of PostgreSQL (needs DATABASE_URL)', () => {
  const pools: Pool[] = [];
  const poolOf = (Client: typeof PooledClient, settings: PoolConfig = {}): Pool => {
    const options = '-c TimeZone=UTC -c DateStyle=ISO';
    const pool = new Pool({ connectionString: serverUrl!, options, max: 3, ...settings, Client });
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  };
  afterAll(() => Promise.all(pools.map((pool) => pool.end())));

  it('return the same bytes and the same errors for random rows of every kind of column', async () => {
    const wire = await openPostgresReads(poolOf(WireClient), { path: 'wire', warn });
    await expectSame(wire, await openPostgresReads(poolOf(clientOf('plain')), { path: 'plain', warn }));
    await expectPath(wire, 'wire');
  });

  it.each([
    ['a wrong value', replacing((chunk) => replaced(chunk, '-0.10', '-0.11')), /read 1 of 3 returned .*-0\.11/],
    ['an invalid error', replacing((chunk) => replaced(chunk, 'E\0\0', 'N\0\0')), /instead of an error/],
    ['another error', replacing((chunk) => replaced(chunk, '22012', '22013')), /division by zero/],
    ['no response', replacing(() => null), /Query read timeout/],
    ['a driver without the member that starts its parser', PooledClient, /does not receive through the row parser/],
  ])('after %s in the self-check reads take the plain path', async (_, Client, reason) => {
    await expectPath(await openPostgresReads(poolOf(Client, { query_timeout: 500 }), { path: 'wire', warn }), 'plain', reason);
  });

  it('a connection that is lost during the self-check does not change the path', async () => {
    let losses = 0;
    const Client = replacing((chunk, client) => {
      if (losses++ > 0) return chunk;
      client.connection.stream.destroy();
      return null;
    });
    await expectPath(await openPostgresReads(poolOf(Client), { path: 'wire', warn }), 'wire');
    expect(losses).toBeGreaterThan(0);
  });

  it('a database that cannot be reached fails the opening as it fails a read, and changes no path', async () => {
    const pool = poolOf(WireClient, { connectionString: 'postgres://postgres@127.0.0.1:9/postgres' });
    await expect(openPostgresReads(pool, { path: 'wire', warn })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(warnings).toEqual([]);
  });
});

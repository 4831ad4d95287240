// The embedded database as the reader uses it: prepared statements sent in one message, and turns for everybody else on the one thread.
import { setImmediate } from 'node:timers/promises';
import { type PGlite, protocol } from '@electric-sql/pglite';
import { DataRowParser, DataRows } from './data-rows.ts';

const { Parser, serialize } = protocol;

/** The end of every message: run the bound statement, then end its transaction. */
const RUN = [serialize.execute(), serialize.sync()];

/** Types from here on are made by the system for the rows of tables; nothing reads an array of such rows. */
const FIRST_ROW_TYPE = 10_000;

/** Longest the embedded database works before the event loop gets a turn. */
const TURN_MS = 20;

/**
 * The embedded database works on the main thread and answers within the same turn of the event loop: background work, whose every query
 * follows on another, kept requests waiting until the server took them for abandoned.
 */
function giveTurns(client: PGlite): void {
  const execute = client.execProtocolRaw.bind(client);
  let since = performance.now();
  client.execProtocolRaw = async (message, options) => {
    if (performance.now() - since > TURN_MS) {
      await setImmediate();
      since = performance.now();
    }
    return execute(message, options);
  };
}

const BYTEA = 17;

/** The driver turns bytes into text and back one number at a time, which was most of the time of storing a file. */
function convertBytesAtOnce(client: PGlite): void {
  client.serializers[BYTEA] = (bytes: Uint8Array) => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
  client.parsers[BYTEA] = (text: string) => Buffer.from(text.slice('\\x'.length), 'hex');
}

/** The driver copies its parsers for every query of the ORM; three in four are for arrays of rows, and cost a small query 0.05 ms. */
function dropRowParsers(client: PGlite): void {
  for (const type of Object.keys(client.parsers)) if (Number(type) >= FIRST_ROW_TYPE) delete client.parsers[Number(type)];
}

const throwIssue = (message: unknown): void => {
  if (message instanceof Error) throw message;
};

/** Runs one prepared read. */
export type EmbeddedRead = (statement: { name: string; text: string }, values: readonly (string | null)[]) => Promise<DataRows>;

/** Makes the opened database ready and answers its reads. The driver's own query sends six messages and parses values: 0.25 ms for a small read, this 0.03 ms. */
export async function embeddedReads(client: PGlite): Promise<EmbeddedRead> {
  giveTurns(client);
  dropRowParsers(client);
  convertBytesAtOnce(client);
  await client.exec('set TimeZone = UTC; set DateStyle = ISO; set plan_cache_mode = force_generic_plan');
  const prepared = new Map<string, string>();
  const send = async (...parts: Uint8Array[]): Promise<DataRows> => {
    const rows = new DataRows();
    const parser = new DataRowParser(() => {});
    parser.sink = { rows, parsed: () => {}, failed: (message) => new Parser().parse(message, throwIssue), ready: () => true };
    const { buffer, byteOffset, byteLength } = await client.execProtocolRaw(Buffer.concat(parts), { syncToFs: false });
    parser.take(Buffer.from(buffer, byteOffset, byteLength));
    return rows;
  };
  return ({ name, text }, values) =>
    // Both locks, as the driver's own query takes them: none of its transactions is open, and none of its messages comes between.
    client._runExclusiveTransaction(() =>
      client._runExclusiveQuery(async () => {
        if (prepared.get(name) !== text) {
          prepared.delete(name);
          await send(serialize.close({ type: 'S', name }), serialize.parse({ name, text }), serialize.sync());
          prepared.set(name, text);
        }
        return send(serialize.bind({ statement: name, values: [...values] }), ...RUN);
      }),
    );
}

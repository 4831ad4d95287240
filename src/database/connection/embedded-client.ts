// Prepares the client of the embedded database, which works on the thread of the event loop, for reads and the ORM.
import { setImmediate } from 'node:timers/promises';
import type { messages, PGlite } from '@electric-sql/pglite';
import { DATA_ROW, DataRows, int32, type TextRow } from '../read-path/data-rows.ts';

/** Type ids from this one on belong to the row types of tables; no statement reads an array of such rows. */
const FIRST_ROW_TYPE = 10_000;

/** Longest time the embedded database works before it yields to the event loop. */
const MAX_BLOCKING_MS = 20;

/**
 * Makes the embedded database yield to the event loop. It works on the main thread and returns in the same turn of the event loop. Background work
 * with query after query therefore made requests wait until the server dropped them as abandoned.
 */
function yieldToEventLoop(client: PGlite): void {
  const execute = client.execProtocolRaw.bind(client);
  let since = performance.now();
  client.execProtocolRaw = async (message, options) => {
    if (performance.now() - since > MAX_BLOCKING_MS) {
      await setImmediate();
      since = performance.now();
    }
    return execute(message, options);
  };
}

const BYTEA = 17;

/** Replaces the conversion of bytea. The driver converts byte by byte, which was most of the time of storing a file. */
function convertBytesAtOnce(client: PGlite): void {
  client.serializers[BYTEA] = (bytes: Uint8Array) => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
  client.parsers[BYTEA] = (text: string) => Buffer.from(text.slice('\\x'.length), 'hex');
}

/** U+FEFF as UTF-8. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Keeps U+FEFF where it is the first character of a value. The driver's decoder takes it there for a byte order mark and leaves it out. */
function keepByteOrderMarks(client: PGlite): void {
  // The driver's queries call `execProtocolStream`, which returns no bytes; `execProtocol` returns them too.
  client.execProtocolStream = async (message, options) => {
    const { messages, data } = await client.execProtocol(message, options);
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
    if (bytes.includes(BYTE_ORDER_MARK)) {
      const texts = textsOf(bytes);
      for (const [row, { fields }] of messages.filter(isDataRow).entries()) fields.splice(0, fields.length, ...texts[row]!);
    }
    return messages;
  };
}

const isDataRow = (message: messages.BackendMessage): message is messages.DataRowMessage => message.name === 'dataRow';

/** The rows of a response. */
function textsOf(bytes: Buffer): TextRow[] {
  const rows = new DataRows();
  for (let at = 0; at < bytes.length; at += 1 + int32(bytes, at + 1)) if (bytes[at] === DATA_ROW) rows.add(bytes, at);
  return rows.texts();
}

/** Removes the parsers of row arrays. The driver copies all parsers for every query of the ORM; three in four are for row arrays and cost a small query 0.05 ms. */
function dropRowParsers(client: PGlite): void {
  for (const type of Object.keys(client.parsers)) if (Number(type) >= FIRST_ROW_TYPE) delete client.parsers[Number(type)];
}

/** Prepares the opened database. */
export async function prepareEmbedded(client: PGlite): Promise<void> {
  yieldToEventLoop(client);
  dropRowParsers(client);
  convertBytesAtOnce(client);
  keepByteOrderMarks(client);
  // Requests wait while a table is analyzed: 46 ms for the 6,000 rows that this target reads of a large one, 430 ms for those of the default.
  await client.exec(
    'set TimeZone = UTC; set DateStyle = ISO; set plan_cache_mode = force_generic_plan; set default_statistics_target = 20',
  );
}

// Books of GnuCash as files. GnuCash 4.13 wrote the book as XML and as SQLite, by test/tools/ledgers/gnucash_book.py, and stated what is in it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBook } from '../../src/integrations/connectors/files/gnucash/records.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';
import { type Asked, differencesOf, numberOf, recordsOf, type Stated } from '../tools/ledgers/gnucash.ts';

const gateway = useGateway();
let company: TestCompany;

beforeEach(async () => {
  company = await buildCompany(gateway);
});

const exported = (name: string): string => readFileSync(join(import.meta.dirname, 'exports', name), 'utf8');
const book = exported('gnucash.xml');

/** The same book as an SQLite database. */
const database = gunzipSync(readFileSync(join(import.meta.dirname, 'exports', 'gnucash.sqlite.gz')));

async function upload(file: string | Uint8Array, path = '/imports', parts: Record<string, string> = {}) {
  const form = new FormData();
  for (const [part, value] of Object.entries(parts)) form.set(part, value);
  form.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), 'books.gnucash');
  const request = new Request('http://form.invalid', { method: 'POST', body: form });
  const headers = { ...company.headers, 'content-type': request.headers.get('content-type')! };
  return gateway.send('POST', `${company.base}${path}`, { headers, raw: new Uint8Array(await request.arrayBuffer()) });
}

/** Pulls what was uploaded; returns the messages of what was rejected. */
async function pull(): Promise<string[]> {
  const { headers } = company;
  const { body } = await gateway.send('POST', `${company.base}/syncs`, { headers, body: { data: {} } });
  const { id } = await endOfSync(gateway, company, body.data.id);
  return (await jobsOf(gateway, company, id)).flatMap((job) => (job.status === 'FAILED' ? [String(job.errorMessage)] : []));
}

/** Fields of the company, whose lists fit one page here. */
async function field<T>(text: string): Promise<T> {
  const query = `query ($id: ID!) { company(id: $id) { result: ${text} } }`;
  const response = await gateway.graphql(company.key, query, { id: String(company.id) });
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.company.result;
}

/** A text in which the second match is as the first. */
function replaceSecond(text: string, pattern: RegExp): string {
  const [first, second] = text.matchAll(pattern);
  return text.slice(0, second!.index) + first![0] + text.slice(second!.index + second![0].length);
}

const ask: Asked = {
  field,
  list: async <T>(name: string, selection: string) => (await field<{ nodes: T[] }>(`${name}(first: 100) { nodes { ${selection} } }`)).nodes,
};

describe('a book of GnuCash', () => {
  it('has the accounts, balances, documents and postings that GnuCash states', async () => {
    const uploaded = await upload(book);
    expect(uploaded.body.data, uploaded.text).toMatchObject({ data_model: 'LEDGER_TRANSACTION', record_count: 32 });
    const rejected = await pull();
    // GnuCash has no amount in the currency of the book for what was paid in dollars from dollars.
    expect(rejected).toEqual([expect.stringMatching(/^books\.gnucash, line \d+: postings\[0\]\.base_amount is required with currency_id/)]);
    const { lines, compared } = await differencesOf(JSON.parse(exported('gnucash.json')), ask, rejected.length);
    expect(lines).toEqual([]);
    expect(compared).toBeGreaterThan(80);
  });

  it('that is saved as SQLite becomes the same records', async () => {
    await upload(book);
    await pull();
    const expected = await recordsOf(ask);
    company = await buildCompany(gateway);
    expect((await upload(database)).body.data).toMatchObject({ data_model: 'LEDGER_TRANSACTION', record_count: 32 });
    expect(await pull()).toEqual([
      expect.stringMatching(/^books\.gnucash, row \d+ of transactions: postings\[0\]\.base_amount is required/),
    ]);
    expect(await recordsOf(ask)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(100);
  });

  it('has what is open of its contacts in the aged reports', async () => {
    await upload(book);
    await pull();
    const { accounts } = JSON.parse(exported('gnucash.json')) as Stated;
    const balance = (wanted: string): number => numberOf(Object.values(accounts).find(({ name }) => name === wanted)!.balance);
    expect(await field('agedReceivables(asOf: "2030-12-31") { total }')).toEqual({ total: balance('Receivable') });
    expect(await field('agedPayables(asOf: "2030-12-31") { total }')).toEqual({ total: -balance('Payable') });
  });

  it('is previewed by its kind', async () => {
    const { body } = await upload(book, '/imports/preview');
    expect(body.data).toMatchObject({ kind: 'GNUCASH', record_count: 32, is_complete: true });
    const counts = new Map(body.data.counts.map((count: { data_model: string }) => [count.data_model, count]));
    expect(counts.get('LEDGER_TRANSACTION')).toMatchObject({ stored: 31, rejected: 1 });
    expect(counts.get('CONTACT')).toMatchObject({ stored: 2, rejected: 0 });
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['a split of no account', (text) => text.replace(/(<split:account type="guid">)\w/, '$1x'), /^line \d+: the split is of an account/],
    ['an invalid amount', (text) => text.replace(/<split:value>[^<]*/, '<split:value>12'), /^line \d+: split:value is not a number/],
    ['an amount without decimals', (text) => text.replace(/<split:value>[^<]*/, '<split:value>1/3'), /no exact split:value/],
    ['an invalid day', (text) => text.replace(/(<trn:date-posted>\s*<ts:date>)\d{4}-\d\d/, '$12025-13'), /is not a date/],
    [
      'a transaction that has the id of another one',
      (text) => replaceSecond(text, /(?<=<trn:id type="guid">)\w+/g),
      /^line \d+: gnc:transaction has the id "\w{32}" of line \d+ as well$/,
    ],
    [
      'a vendor that has the id of a customer',
      (text) => text.replace(/(?<=<vendor:guid type="guid">)\w+/, /(?<=<cust:guid type="guid">)\w+/.exec(text)![0]),
      /^line \d+: gnc:GncVendor has the id "\w{32}" of line \d+ as well$/,
    ],
    [
      'a lot that has the id of another one',
      (text) => replaceSecond(text, /(?<=<lot:id type="guid">)\w+/g),
      /^line \d+: gnc:lot has the id "\w{32}" of line \d+ as well$/,
    ],
    ['no accounts', (text) => text.replaceAll('gnc:account', 'gnc:other'), /file has no accounts/],
    ['half of it', (text) => text.slice(0, text.length / 2), /^line \d+: the file is not well-formed XML/],
  ])('with %s is rejected when it is uploaded', async (_, damaged, words) => {
    const { status, body } = await upload(damaged(book));
    expect([status, body.error?.field, body.error?.message]).toEqual([400, 'file', expect.stringMatching(words)]);
  });

  it('without transactions has the currency of most accounts as its own', async () => {
    const { records } = await openBook(book.replaceAll(/<gnc:transaction [\s\S]*?<\/gnc:transaction>/g, ''));
    expect([...records('CURRENCY')].map(({ record }) => [record.code, record.is_base_currency])).toEqual([
      ['EUR', true],
      ['USD', false],
    ]);
  });

  it('has the lines of a bill that a customer is charged for in both documents', async () => {
    const { number, entry } = /<entry:bill type="guid">(?<number>\w+)(?<entry><\/entry:bill>)/.exec(book)!.groups!;
    const invoice = /<entry:invoice type="guid">(\w+)/.exec(book)![1]!;
    const charged = book.replace(`${number}${entry}`, `${number}${entry}<entry:invoice type="guid">${invoice}</entry:invoice>`);
    const lines = async (text: string): Promise<Map<string, number>> => {
      const { records } = await openBook(text);
      const documents = ['INVOICE', 'INVOICE_CREDIT_NOTE', 'BILL', 'BILL_CREDIT_NOTE'].flatMap((model) => [...records(model)]);
      return new Map(documents.map(({ record }) => [String(record.platform_id), (record.line_items as object[]).length]));
    };
    const [before, after] = [await lines(book), await lines(charged)];
    expect([after.get(number!), after.get(invoice)]).toEqual([before.get(number!), before.get(invoice)! + 1]);
  });

  it('that is packed, as GnuCash saves it, is the same file', async () => {
    const { body } = await upload(gzipSync(book), '/imports/preview');
    expect(body.data).toMatchObject({ kind: 'GNUCASH', record_count: 32, is_complete: true });
    expect((await upload(gzipSync(book))).status).toBe(201);
    await pull();
    const { nodes } = await field<{ nodes: object[] }>('contacts { nodes { name } }');
    expect(nodes).toHaveLength(2);
  });

  const packed = gzipSync(book);
  const sized = (size: number): Buffer => {
    const bytes = Buffer.from(packed);
    bytes.writeUInt32LE(size, bytes.length - 4);
    return bytes;
  };
  it.each<[string, Buffer, RegExp]>([
    ['is cut off', packed.subarray(0, -100), /^file (is a damaged gzip archive|has \d+ bytes when it is unpacked)/],
    [
      'has a wrong checksum',
      Buffer.concat([packed.subarray(0, -8), Buffer.alloc(4), packed.subarray(-4)]),
      /^file is a damaged gzip archive/,
    ],
    ['says that it is smaller', sized(1_000), /^file is a damaged gzip archive/],
    ['says that it is larger', sized(1_000_000), /^file is a damaged gzip archive/],
    ['says that it is empty', sized(0), /^file is a damaged gzip archive/],
    ['says that it is huge', sized(2 ** 32 - 1), /^file has 4294967295 bytes when it is unpacked; it must have at most 15728640$/],
    ['is huge and says so', gzipSync(Buffer.alloc(20_000_000, 32)), /^file has 20000000 bytes when it is unpacked/],
    ['is two in one', Buffer.concat([packed, packed]), /^file is a damaged gzip archive, or several in one; unpack it first$/],
    ['is packed twice', gzipSync(packed), /^file is binary; it must be text$/],
    ['has an archive', gzipSync(Buffer.alloc(10_240)), /^file is binary; it must be text$/],
  ])('that is packed and %s is rejected', async (_, bytes, words) => {
    const { status, body } = await upload(new Uint8Array(bytes));
    expect([status, body.error?.field, body.error?.message]).toEqual([400, 'file', expect.stringMatching(words)]);
  });

  it('asked for records that it does not have is rejected with those it has', async () => {
    const asked = await upload(book, '/imports', { data_model: 'ITEM' });
    expect([asked.status, asked.body.error.message]).toEqual([
      400,
      expect.stringMatching(/a book of GnuCash, whose records are CURRENCY, .* no ITEM/),
    ]);
  });
});

// Files as a source: what they are, their mappings, what a preview shows, and how they are replaced and removed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Client } from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { shippedMappings } from '../../src/integrations/connectors/files/file-mappings.ts';
import { compile } from '../../src/integrations/connectors/programs/expressions.ts';
import { serverUrl, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { isOnWorkers } from '../support/server.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeEach(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, body?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, body });

async function post(path: string, file: string | Uint8Array<ArrayBuffer>, parts: Record<string, string> = {}, name = 'books.csv') {
  const form = new FormData();
  for (const [part, value] of Object.entries(parts)) form.set(part, value);
  form.set('file', new Blob([file]), name);
  const request = new Request('http://form.invalid', { method: 'POST', body: form });
  const headers = { ...company.headers, 'content-type': request.headers.get('content-type')! };
  return gateway.send('POST', `${company.base}${path}`, { headers, raw: new Uint8Array(await request.arrayBuffer()) });
}
const upload = (file: string | Uint8Array<ArrayBuffer>, parts?: Record<string, string>, name?: string) =>
  post('/imports', file, parts, name);
const preview = (file: string | Uint8Array<ArrayBuffer>, parts?: Record<string, string>) => post('/imports/preview', file, parts);

async function pull(data: Record<string, unknown> = {}) {
  const requested = await send('POST', '/syncs', { data });
  expect(requested.status, requested.text).toBe(201);
  const sync = await endOfSync(gateway, company, requested.body.data.id);
  const jobs = await jobsOf(gateway, company, sync.id);
  return { status: sync.status, failures: jobs.flatMap((job) => (job.status === 'FAILED' ? [job.errorMessage] : [])).sort() };
}
const list = async (path: string) => (await send('GET', path)).body.data as Record<string, never>[];

const shop = `title: Shop
files:
  sales: { columns: [Beleg, Kunde, Datum, Betrag], group: Beleg }
streams:
  sales:
    - dataModel: CONTACT
      record: '{ "platform_id": Kunde, "name": Kunde }'
    - dataModel: INVOICE
      record: |
        {
          "platform_id": Beleg, "document_number": Beleg, "contact_id": Kunde,
          "posted_date": $date(Datum, "DD.MM.YYYY"),
          "total_amount": $total(rows.$decimal(Betrag, ",")),
          "line_items": [rows.{ "name": Text, "total_amount": $decimal(Betrag, ",") }]
        }
`;
const sales =
  'sep=;\r\nBELEG;kunde;Datum;Betrag;Text;;\r\nR-1; Müller ;31.01.2026;1.234,56;Tisch;;\r\nR-1;;;"0,10";Stuhl;;\r\n;;;;;;\r\nR-2;Maier;1.2.2026;5;Öl;;\r\n';

describe('the functions of a mapping', () => {
  const decimal = (text: string, sign: string) => compile('$decimal(text, sign)', { shared: '', tables: {} }).evaluate({ text, sign });
  const otherSign = (sign: string) => (sign === '.' ? ',' : '.');
  const amounts = fc.record({
    whole: fc.bigInt({ min: 0n, max: 999_999_999_999n }).map(String),
    fraction: fc.option(fc.integer({ min: 1, max: 99 }).map((cents) => String(cents).padStart(2, '0'))),
    sign: fc.constantFrom('.', ','),
    form: fc.constantFrom<[string, string]>(['', ''], ['-', ''], ['(', ')'], ['', '-'], [' - ', ' ']),
  });

  it('an amount is what its form says, however its digits are grouped', async () => {
    const groups = [(sign: string) => otherSign(sign), () => ' ', () => '\u00a0', () => '\u202f', () => "'", () => ''];
    await fc.assert(
      fc.asyncProperty(amounts, fc.constantFrom(...groups), fc.boolean(), async ({ whole, fraction, sign, form }, group, isIndian) => {
        const pattern = isIndian ? /\B(?=(?:\d\d)*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g;
        const text = `${form[0]}${whole.replace(pattern, group(sign))}${fraction ? sign + fraction : ''}${form[1]}`;
        const value = Number(`${whole}.${fraction ?? '0'}`);
        expect(await decimal(text, sign), text).toBe(form.some((part) => part.trim()) && value !== 0 ? -value : value);
      }),
    );
  });

  it('an amount of the other form is rejected instead of multiplied', async () => {
    await fc.assert(
      fc.asyncProperty(amounts, async ({ whole, fraction, sign, form }) => {
        const text = `${form[0]}${whole}${sign}${fraction ?? '50'}${form[1]}`;
        await expect(decimal(text, otherSign(sign)), text).rejects.toThrow('is not an amount');
      }),
    );
    for (const text of [
      '1,2,345',
      '1,23',
      '12,3456',
      '1234,567',
      ',123',
      '1,,234',
      "1,234'567",
      '1 2',
      '',
      '-',
      '()',
      '(1',
      '1)',
      '--1',
      '1.2.3',
      '1.',
      '0,500',
      '00,123',
      '-5-',
      '(-5)',
    ])
      if (text === '') expect(await decimal(text, '.')).toBeUndefined();
      else await expect(decimal(text, '.'), text).rejects.toThrow('is not an amount');
  });
});

describe('a mapping in the settings of a connection', () => {
  const connect = (mapping: string) => send('POST', '/connections', { data: { source: 'FILES', settings: { mapping } } });

  it('makes records of any CSV: cells are trimmed, headers have any case, commas are decimal and dates local', async () => {
    expect((await connect(shop)).status).toBe(201);
    const uploaded = await upload(sales);
    expect(uploaded.body.data, uploaded.text).toMatchObject({
      data_model: 'INVOICE',
      data_models: ['CONTACT', 'INVOICE'],
      record_count: 2,
    });
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    expect(await list('/contacts?order_by=name')).toMatchObject([{ name: 'Maier' }, { name: 'Müller' }]);
    expect(await list('/invoices?order_by=document_number')).toMatchObject([
      { document_number: 'R-1', total_amount: 1234.66, posted_date: '2026-01-31T00:00:00.000Z' },
      { document_number: 'R-2', total_amount: 5, posted_date: '2026-02-01T00:00:00.000Z' },
    ]);
  });

  it('is tried by a preview before it is stored, which shows rows and what fails with its line, and stores nothing', async () => {
    const typo = sales.replace('1.234,56', '1.2x4,56').replace('1.2.2026', '31.2.2026');
    const shown = (await preview(typo, { mapping: shop })).body.data;
    expect(shown).toMatchObject({
      kind: 'CSV',
      title: 'Shop',
      record_count: 2,
      is_complete: true,
      counts: [
        { data_model: 'CONTACT', stored: 2, rejected: 0 },
        { data_model: 'INVOICE', stored: 0, rejected: 2 },
      ],
    });
    expect(shown.records.map((entry: { platform_id: string }) => entry.platform_id)).toEqual(['Müller', 'Maier']);
    expect(shown.rejected).toMatchObject([
      { place: 'line 3', message: expect.stringMatching(/^line 3: .*"1\.2x4,56" is not an amount/) },
      { place: 'line 6', message: expect.stringMatching(/^line 6: .*"31\.2\.2026" is not a date of the form DD\.MM\.YYYY/) },
    ]);
    expect(await list('/imports')).toEqual([]);
    expect(await list('/contacts')).toEqual([]);
  });

  it('rejects an amount that was divided by 0, which JSON has no number for', async () => {
    const mapping = `title: x
files: { orders: { columns: [Number, Total, Quantity] } }
streams: { orders: [{ dataModel: ITEM, record: '{ "platform_id": Number, "price": $number(Total) / $number(Quantity) }' }] }
`;
    const shown = (await preview('Number,Total,Quantity\nA,10,4\nB,10,0\nC,0,0\n', { mapping })).body.data;
    expect(shown.counts).toEqual([{ data_model: 'ITEM', stored: 1, rejected: 2 }]);
    expect(shown.rejected).toMatchObject([
      { place: 'line 3', message: expect.stringContaining('price becomes Infinity') },
      { place: 'line 4', message: expect.stringContaining('price becomes NaN') },
    ]);
    expect((await connect(mapping)).status).toBe(201);
    expect((await upload('Number,Total,Quantity\nB,10,0\n')).status).toBe(201);
    expect(await pull()).toMatchObject({ status: 'FAILED', failures: [expect.stringContaining('price becomes Infinity')] });
  });

  it.each([
    ['title: x\nfiles: {}\nstreams: {}\n', 'files must name the columns'],
    ['title: x\nfiles: { a: { columns: [b] } }\nstreams: {}\n', 'files.a is not one of the streams'],
    ['title: x\nfiles: { a: { columns: [b] } }\nstreams: { a: [{ dataModel: ITEM, record: "{" }] }\n', 'not an expression of JSONata'],
    ['title: x\nfiles: { a: { columns: [b] } }\nstreams: { a: [{ dataModel: THING, record: "{}" }] }\n', 'THING'],
    ['title: "x', 'is not YAML'],
    [`title: ${'x'.repeat(16_000)}`, 'at most 16000 characters'],
  ])('that is wrong is rejected with its place: %s', async (mapping, words) => {
    const made = await connect(mapping);
    expect([made.status, made.body.error.field]).toEqual([400, 'data.settings.mapping']);
    expect(made.body.error.message).toContain(words);
    expect(await list('/connections')).toEqual([]);
  });

  it('cannot reach the process, and is ended when a record takes too long', async () => {
    const spy = (record: string) => shop.replace('\'{ "platform_id": Kunde, "name": Kunde }\'', JSON.stringify(record));
    const names = [
      'constructor',
      '__proto__',
      'constructor.constructor("return process")()',
      '$lookup({}, "constructor")',
      '$eval("process")',
    ];
    for (const name of names) {
      const shown = await preview(sales, { mapping: spy(`{ "platform_id": Kunde, "name": $string(${name}) }`) });
      expect(shown.text, name).not.toMatch(/\[native code\]|DATABASE_URL|node_modules/);
    }
    // One record, because each takes all the time that a record may take.
    const [separator, header, first] = sales.split('\r\n');
    const endless = await preview([separator, header, first, ''].join('\r\n'), {
      mapping: spy('( $f := function($n) { $f($n + 1) }; { "platform_id": $string($f(1)) } )'),
    });
    expect(endless.body.data.rejected[0]).toMatchObject({ place: 'line 3', message: expect.stringMatching(/more than 5 seconds|stack/i) });
  }, 120_000);
});

// The columns are those that the documentation of Shopify and Stripe has; the rows were not written by them.
const shopify = (rows: string) =>
  `Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem discount,Billing Name,Notes,Cancelled at,Outstanding Balance\n${rows}`;

describe('a shipped mapping', () => {
  it('makes invoices with their lines and customers of the orders of Shopify', async () => {
    const rows = [
      '#1001,Ada@example.com,paid,2026-01-05 10:00:00 +0100,,,no,EUR,20.00,5.00,4.75,29.75,,0.00,DHL,2026-01-05 10:00:00 +0100,2,Kettle,7.50,0.00,Ada Lovelace,,,0.00',
      '#1001,Ada@example.com,,,,,,,,,,,,,,2026-01-05 10:00:00 +0100,1,Lid,5.00,0.00,,,,',
      '#1002,,pending,,,,no,EUR,1.00,0.00,0.00,1.00,,0.00,,2026-01-06 00:00:00 +0100,1,Bag,1.00,0.00,,gift,2026-01-07 00:00:00 +0100,1.00',
    ].join('\n');
    expect((await upload(shopify(rows))).body.data).toMatchObject({ data_models: ['CURRENCY', 'CONTACT', 'INVOICE'], record_count: 2 });
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    expect(await list('/contacts')).toMatchObject([{ platform_id: 'ada@example.com', name: 'Ada Lovelace', type: 'CUSTOMER' }]);
    expect(await list('/invoices?order_by=document_number')).toMatchObject([
      { document_number: '#1001', status: 'PAID', sub_total: 20, shipping_amount: 5, tax_amount: 4.75, total_amount: 29.75, amount_due: 0 },
      { document_number: '#1002', status: 'VOID', total_amount: 1, memo: 'gift' },
    ]);
  });

  it('makes bank transactions and their fees of the balance of Stripe, whose sum is the net', async () => {
    const rows = [
      'balance_transaction_id,created_utc,created,available_on_utc,available_on,currency,gross,fee,net,reporting_category,source_id,description',
      'txn_1,2026-01-05 09:00:00,2026-01-05 10:00:00,2026-01-07 00:00:00,2026-01-07 01:00:00,eur,29.75,1.12,28.63,charge,ch_1,Order 1001',
      'txn_2,2026-01-08 09:00:00,2026-01-08 10:00:00,2026-01-08 00:00:00,2026-01-08 01:00:00,eur,-28.63,0.00,-28.63,payout,po_1,STRIPE PAYOUT',
    ].join('\n');
    expect((await upload(rows)).status).toBe(201);
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    const transactions = (await list('/bank_transactions?order_by=amount')).map(({ platform_id, amount, type }) => [
      platform_id,
      amount,
      type,
    ]);
    expect(transactions).toEqual([
      ['txn_2', -28.63, 'TRANSFER'],
      ['txn_1-fee', -1.12, 'FEE'],
      ['txn_1', 29.75, 'CREDIT'],
    ]);
  });
});

describe('two records of one id that differ', () => {
  const posting = (paccount: string, decimalMantissa: number) => ({
    ...{ paccount, pcomment: '', ptype: 'RegularPosting' },
    pamount: [{ acommodity: 'EUR', aquantity: { decimalMantissa, decimalPlaces: 0 } }],
  });
  const entry = (amount: number) => ({
    ...{ tindex: 1, tcode: '', tdate: '2026-01-05', tdescription: 'Rent' },
    tpostings: [posting('expenses:rent', amount), posting('assets:bank', -amount)],
    tsourcepos: [{ sourceColumn: 1, sourceLine: 1, sourceName: '/books/main.journal' }],
  });
  const order = (number: string, name: string) =>
    `${number},Ada@example.com,paid,,,,no,EUR,20.00,5.00,4.75,29.75,,0.00,DHL,2026-01-05,2,Kettle,7.50,0.00,${name},,,0.00\n`;
  const line = (id: string, day: string, description: string) =>
    `${['Expenses:Food', 'Assets:Cash'].map((account, at) => `${id},${day},*,Shop,${description},${account},Decimal('${at === 0 ? 5 : -5}'),EUR`).join('\n')}\n`;
  const charge = (gross: string) => `txn_1,2026-01-05 09:00:00,,2026-01-07 00:00:00,,eur,${gross},0.00,${gross},charge,ch_1,Order\n`;
  const moveLine = (move: string, name: string, debit: string, credit: string) =>
    `${move},${move},2026-01-05,,posted,EUR,7,1000,${name},,${debit},${credit}\n`;

  // By the titles of the mappings: a file with such records, what is rejected of it, and what is stored.
  const moves = `move/id,move/number,move/date,move/description,move/state,move/company/currency/code,account/id,account/code,account/name,description,debit,credit\n`;
  const cases: Record<string, { file: string; rejected: string[]; path: string; stored: Record<string, unknown>[] }> = {
    hledger: {
      file: JSON.stringify([entry(1), entry(1), entry(2)]),
      rejected: ['books: record 3: platform_id "books/main.journal:1" is that of record 1 as well'],
      path: '/journal_entries?expand=line_items',
      stored: [{ line_items: [{ total_amount: 1 }, { total_amount: -1 }] }],
    },
    Beancount: {
      // Its accounts are named by their ids, and rows of an entry that are apart end the file: no two records differ.
      file: `id,date,flag,payee,narration,account,amount,amount_currency\n${line('a', '2026-01-05', 'Bread')}${line('b', '2026-01-06', 'Milk')}`,
      rejected: [],
      path: '/journal_entries?order_by=transaction_date',
      stored: [{ memo: 'Shop, Bread' }, { memo: 'Shop, Milk' }],
    },
    'Shopify orders': {
      file: shopify(`${order('#2', 'Ada King')}${order('#1', 'Ada Lovelace')}`),
      rejected: [],
      path: '/contacts',
      stored: [{ platform_id: 'ada@example.com', name: 'Ada King' }],
    },
    'Stripe balance': {
      file: `balance_transaction_id,created_utc,created,available_on_utc,available_on,currency,gross,fee,net,reporting_category,source_id,description\n${charge('5.00')}${charge('5.00')}${charge('6.00')}`,
      rejected: ['books: line 4: platform_id "txn_1" is that of line 2 as well'],
      path: '/bank_transactions',
      stored: [{ platform_id: 'txn_1', amount: 5 }],
    },
    Tryton: {
      file: `${moves}${moveLine('1', 'Cash', '5', '0')}${moveLine('2', 'Till', '0', '5')}`,
      rejected: ['books: line 3: platform_id "7" is that of line 2 as well'],
      path: '/accounts',
      stored: [{ platform_id: '7', name: 'Cash' }],
    },
  };

  it.each(shippedMappings().map(({ title }) => title))(
    '%s: the second is rejected by file and line until a file has one',
    async (title) => {
      const { file, rejected, path, stored } = cases[title]!;
      const shown = (await preview(file)).body.data;
      expect(shown.rejected.map((entry: { message: string }) => `books: ${entry.message}`)).toEqual(rejected);
      expect((await upload(file, {}, 'books')).body).toMatchObject({ data: { file_name: 'books' } });
      const outcome = { status: rejected.length > 0 ? 'PARTIAL_SUCCESS' : 'SUCCESS', failures: rejected };
      // It is kept, and rejected again by the run after, which reads no file.
      for (const run of ['the file', 'nothing new']) {
        const { status, failures } = await pull();
        // The job of a data model of which nothing was stored has the error of the record as well.
        expect({ status, failures: [...new Set(failures)] }, run).toEqual(outcome);
        expect(await list(path), run).toMatchObject(stored);
      }
    },
  );

  it('a record that cannot be stored is rejected by file and line in every run, until a file has it as it must be', async () => {
    const parts = { data_model: 'ACCOUNT' };
    await upload('platform_id,name,current_balance\na1,Bank,12\na2,Cash,5o\n,Safe,1\n', parts);
    const failures = [
      expect.stringMatching(/^books\.csv, line 3: current_balance must be a number/),
      expect.stringMatching(/^books\.csv, line 4: platform_id /),
    ];
    // The job of a data model of which nothing was stored has the error of the record as well.
    const rejected = async () => [...new Set((await pull()).failures)];
    for (const run of ['the file', 'nothing new', 'again nothing new']) expect(await rejected(), run).toEqual(failures);
    await upload('platform_id,name,current_balance\na2,Cash,50\n', parts, 'more.csv');
    expect(await rejected()).toEqual(failures.slice(1));
    expect((await list('/accounts')).map(({ name }) => name).sort()).toEqual(['Bank', 'Cash']);
  });

  it('what one file rejected is forgotten when a later one has one record of the id', async () => {
    const { file } = cases['Stripe balance']!;
    const [header, , , last] = file.split('\n');
    await upload(file);
    expect((await pull()).status).toBe('PARTIAL_SUCCESS');
    await upload(`${header}\n${last}\n`);
    for (const run of ['the file', 'nothing new']) expect(await pull(), run).toEqual({ status: 'SUCCESS', failures: [] });
    expect(await list('/bank_transactions')).toMatchObject([{ platform_id: 'txn_1', amount: 6 }]);
  });

  it.each([
    ['first', 'Maier'],
    ['last', 'Maier junior'],
  ])('a mapping may say that the %s counts', async (counts, name) => {
    const mapping = shop
      .replace('group: Beleg }', `group: Beleg, repeated: { CONTACT: ${counts} } }`)
      .replace('"name": Kunde', '"name": rows[0].Text');
    const rows = 'Beleg;Kunde;Datum;Betrag;Text\nR-1;M;1.2.2026;5;Maier\nR-2;M;1.2.2026;5;Maier junior\n';
    expect((await send('POST', '/connections', { data: { source: 'FILES', settings: { mapping } } })).status).toBe(201);
    await upload(rows);
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    expect(await list('/contacts')).toMatchObject([{ platform_id: 'M', name }]);
    const wrong = await preview(rows, { mapping: mapping.replace('CONTACT: ', 'ACCOUNT: ') });
    expect(wrong.body.error.message).toContain('files.sales.repeated.ACCOUNT is not a data model of the stream');
  });
});

describe('the account moves of Tryton', () => {
  // Tryton 6.0.29 wrote both files: the lines of 24 moves, and what its accounts come to.
  const exported = (name: string): string => readFileSync(join(import.meta.dirname, 'exports', name), 'utf8');

  it('keep the transactions of two journals of hledger, whose numbers are the same', async () => {
    const posting = (account: string, decimalMantissa: number) => ({
      paccount: account,
      pamount: [{ acommodity: 'EUR', aquantity: { decimalMantissa, decimalPlaces: 0 } }],
      pcomment: '',
      ptype: 'RegularPosting',
    });
    for (const [year, amount] of [
      ['2025', 1],
      ['2026', 2],
    ] as const) {
      const tsourcepos = [{ sourceColumn: 1, sourceLine: 1, sourceName: `/home/me/${year}/main.journal` }];
      const tpostings = [posting('expenses:rent', amount), posting('assets:bank', -amount)];
      const journal = [{ tindex: 1, tcode: '', tdate: `${year}-01-05`, tdescription: 'Rent', tpostings, tsourcepos }];
      for (const name of ['first.json', 'again.json']) expect((await upload(JSON.stringify(journal), {}, name)).status).toBe(201);
    }
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    expect(await list('/journal_entries?order_by=transaction_date&expand=line_items')).toMatchObject([
      { platform_id: '2025/main.journal:1', line_items: [{ total_amount: 1 }, { total_amount: -1 }] },
      { platform_id: '2026/main.journal:1', line_items: [{ total_amount: 2 }, { total_amount: -2 }] },
    ]);
  });

  it('make the balances that Tryton itself states', async () => {
    const uploaded = await upload(exported('tryton-lines.csv'));
    expect(uploaded.body.data).toMatchObject({ data_models: ['CURRENCY', 'ACCOUNT', 'JOURNAL_ENTRY'], record_count: 24 });
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    const accounts = new Map(
      (await list('/accounts?limit=100')).map(({ ledger_id, platform_id, name }) => [ledger_id, `${platform_id} ${name}`]),
    );
    const entries = await list('/journal_entries?limit=100&expand=line_items');
    expect(entries).toHaveLength(24);
    expect(entries.find(({ platform_id }) => platform_id === '23')).toMatchObject({
      document_number: '23',
      transaction_date: '2025-04-08T00:00:00.000Z',
      currency_id: 'EUR',
      status: 'POSTED',
    });
    const cents = new Map<string, number>();
    for (const { account_id, total_amount } of entries.flatMap(
      ({ line_items }) => line_items as unknown as { account_id: never; total_amount: number }[],
    )) {
      const name = accounts.get(account_id)!;
      cents.set(name, (cents.get(name) ?? 0) + Math.round(total_amount * 100));
    }
    const stated = exported('tryton-accounts.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(','))
      .map(([id, name, , , balance]): [string, number] => [`${id} ${name}`, Math.round(Number(balance) * 100)]);
    expect([...cents].sort()).toEqual(stated.filter(([, balance]) => balance !== 0).sort());
  });
});

describe('the kind of a file', () => {
  it.each([
    ['PK\u0003\u0004rest', 'an Excel workbook'],
    ['%PDF-1.7 ...', 'a PDF document'],
    ['!Type:Bank\nD01/02/2026\nT-5\n^\n', 'a QIF file'],
    ['!TRNS\tTRNSID\n', 'an IIF file'],
    ['"EXTF";700;21\n', 'a DATEV file'],
    ['<!doctype html><html><body>Log in</body></html>', 'an HTML page'],
    ['<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"/>', 'a camt.052 message'],
    ['<?xml version="1.0"?><AuditFile/>', 'a SAF-T audit file'],
    ['<?xml version="1.0"?><gnc/>', 'the root gnc'],
    ['2026-01-01 open Assets:Bank USD\n2026-01-02 * "x"\n  Assets:Bank  1 USD\n', 'a Beancount ledger'],
    ['2026-01-02 shop\n    expenses  5\n    assets\n', 'a journal of hledger'],
  ])('%j is rejected by what it is, and never read as CSV', async (text, words) => {
    for (const parts of [undefined, { data_model: 'ITEM' }]) {
      const response = await upload(text, parts);
      expect([response.status, response.body.error.field], response.text).toEqual([400, 'file']);
      expect(response.body.error.message).toContain(words);
    }
    expect(await list('/imports')).toEqual([]);
  });

  it('UTF-16 and other bytes are rejected with the way out', async () => {
    for (const bytes of [Buffer.from('\ufeffplatform_id\n', 'utf16le'), Buffer.from('platform_id,name\n1,Caf\u00e9\n', 'latin1')]) {
      const { status, body } = await upload(new Uint8Array(bytes), { data_model: 'ITEM' });
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/UTF-8/)]);
    }
  });
});

describe('a file of the field names of a data model', () => {
  it('has its header checked when it is uploaded', async () => {
    const wrong = await upload('platform_id,nmae\na,A\n', { data_model: 'ITEM' });
    expect([wrong.status, wrong.body.error.error_code, wrong.body.error.field]).toEqual([400, 'CSV_HEADER_INVALID', 'file']);
    expect(wrong.body.error.message).toMatch(/^line 1: "nmae" is not a field of ITEM; its fields are .*\bname\b/);
    const twice = await upload('platform_id,name, Name\na,A,B\n', { data_model: 'ITEM' });
    expect([twice.body.error.error_code, twice.body.error.message]).toEqual(['CSV_HEADER_INVALID', 'line 1: column "name" occurs twice']);
    const unknown = await upload('colour,size\nred,5\n');
    expect([unknown.status, unknown.body.error.error_code]).toEqual([400, 'CSV_HEADER_INVALID']);
    expect(unknown.body.error.message).toContain('no mapping knows a file with the columns colour, size');
  });

  it('has trimmed cells, headers of any case, and none of the empty rows and columns of a spreadsheet', async () => {
    expect((await upload('Platform_ID;NAME; current_balance;;\n a1 ; Bank ;12.5;;\n;;;;\n', { data_model: 'ACCOUNT' })).status).toBe(201);
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    expect(await list('/accounts')).toMatchObject([{ platform_id: 'a1', name: 'Bank', current_balance: 12.5 }]);
    const wide = await upload('platform_id,name\na,A,x\n', { data_model: 'ITEM' });
    expect(wide.body.error.message).toBe('line 2: the row has more cells than the header has columns');
  });

  it('reports each record that cannot be stored with file and line', async () => {
    await upload(
      'platform_id,name,current_balance\na1,"Bank\nof X",1\na2,Cash,much\n\n,Nameless,1\n',
      { data_model: 'ACCOUNT' },
      'chart.csv',
    );
    expect(await pull()).toEqual({
      status: 'PARTIAL_SUCCESS',
      failures: [
        'chart.csv, line 4: current_balance must be a number with at most 15 significant digits',
        'chart.csv, line 6: platform_id is required',
      ].sort(),
    });
  });

  it('is of a data model that is pulled', async () => {
    const { enumValues } = (await gateway.graphql(company.key, '{ __type(name: "DataModel") { enumValues { name } } }')).body.data.__type;
    const { connector } = (await gateway.graphql(company.key, '{ connector(source: "FILES") { models { dataModel } } }')).body.data;
    const pulled = connector.models.map(({ dataModel }: { dataModel: string }) => dataModel);
    expect(pulled.length).toBeGreaterThan(10);
    for (const { name } of enumValues) {
      const rows = JSON.stringify([{ platform_id: 'a' }]);
      const seen = await Promise.all([upload(rows, { data_model: name }), preview(rows, { data_model: name })]);
      const statuses = pulled.includes(name) ? [201, 200] : [400, 400];
      expect([name, ...seen.map(({ status }) => status)]).toEqual([name, ...statuses]);
      if (!pulled.includes(name)) expect(seen.map(({ body }) => body.error.field)).toEqual(['data_model', 'data_model']);
    }
  });

  it.each([
    ['CSV', 'platform_id,name\na,A\nb,B\na,C\n', 'line 4: platform_id "a" is that of line 2 as well'],
    ['JSON', '[{"platform_id":"a","name":"A"},{"platform_id":"a"}]', 'record 2: platform_id "a" is that of record 1 as well'],
  ])('%s: has each record once, unless its rows are the same', async (_, rows, message) => {
    for (const refused of [await upload(rows, { data_model: 'ITEM' }), await preview(rows, { data_model: 'ITEM' })])
      expect([refused.status, refused.body.error?.field, refused.body.error?.message]).toEqual([400, 'file', message]);
    expect((await upload('platform_id,name\na,A\nb,B\na,A\n', { data_model: 'ITEM' })).status).toBe(201);
    expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
    expect((await list('/items?order_by=name')).map((row) => row.name)).toEqual(['A', 'B']);
  });

  it('may be that of the transactions of the general ledger, with their postings in a column', async () => {
    const postings = '"[{""account_id"":""a1"",""amount"":5},{""account_id"":""a2"",""amount"":-5}]"';
    const rows = `platform_id,date,postings\nt1,2026-01-02,${postings}\nt2,2026-01-03,"[{""account_id"":""a1"",""amount"":5}]"\n`;
    const model = { data_model: 'LEDGER_TRANSACTION' };
    const shown = (await preview(rows, model)).body.data;
    expect([shown.counts, shown.rejected[0].message]).toEqual([
      [{ data_model: 'LEDGER_TRANSACTION', stored: 1, rejected: 1 }],
      expect.stringMatching(/^line 3: postings must balance/),
    ]);
    expect((await upload(rows, model)).body.data).toMatchObject({ ...model, record_count: 2 });
    const wrong = await upload(rows.replace('postings', 'lines'), model);
    expect(wrong.body.error.message).toMatch(/^line 1: "lines" is not a field of LEDGER_TRANSACTION; its fields are .*\bpostings\b/);
  });

  it('may have more than 50,000 records', async () => {
    const rows = Array.from({ length: 50_001 }, (_, index) => `i${index},x\n`).join('');
    const uploaded = await upload(`platform_id,name\n${rows}`, { data_model: 'ITEM' });
    expect([uploaded.status, uploaded.body.data?.record_count], uploaded.text).toEqual([201, 50_001]);
  });
});

describe('the inbox', () => {
  it('shows its files, of which one is replaced or removed, and none of another company', async () => {
    const first = (await upload('platform_id,name\na,A\nb,B\n', { data_model: 'ITEM' })).body.data;
    await upload('platform_id,name\nc,C\n', { data_model: 'ITEM' }, 'more.csv');
    await pull({ fullSync: true });
    expect((await list('/items?order_by=name')).map((row) => row.name)).toEqual(['A', 'B', 'C']);
    const second = (await upload('platform_id,name\na,A2\n', { data_model: 'ITEM', replaces: first.id })).body.data;
    expect((await list('/imports')).map((file) => file.id)).not.toContain(first.id);
    expect((await upload('platform_id,name\na,A\n', { data_model: 'ITEM', replaces: first.id })).status).toBe(404);
    const other = await buildCompany(gateway, { key: company.key });
    const strange = await gateway.send('DELETE', `${other.base}/imports/${second.id}`, { headers: company.headers });
    expect([strange.status, (await list('/imports')).length]).toEqual([404, 2]);
    expect((await send('DELETE', `/imports/${second.id}`)).status).toBe(204);
    expect((await list('/imports')).map((file) => file.file_name)).toEqual(['more.csv']);
  });

  it('gives a file a later time than the last pull began at, whose process may have another clock', async () => {
    await upload('platform_id,name\na,A\n', { data_model: 'ITEM' });
    const ahead = 3_600_000;
    gateway.clock.advance(ahead);
    await pull();
    gateway.clock.advance(-ahead);
    await upload('platform_id,name\nb,B\n', { data_model: 'ITEM' });
    await pull();
    expect((await list('/items?order_by=name')).map((row) => row.name)).toEqual(['A', 'B']);
  });

  it.skipIf(!serverUrl || isOnWorkers)(
    'has a file that commits while a pull runs read by this pull or the next (needs DATABASE_URL)',
    async () => {
      const HELD = 711;
      await upload('platform_id,name\na,A\n', { data_model: 'ITEM' });
      await pull();
      const holder = new Client({ connectionString: gateway.services.config.databaseUrl! });
      await holder.connect();
      try {
        await holder.query(`create function held_commit() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(${HELD}); return null; end $$;
        create constraint trigger held_commit after insert on inbox_file deferrable initially deferred for each row execute function held_commit()`);
        await holder.query('select pg_advisory_lock($1)', [HELD]);
        const waiting = async (): Promise<number> =>
          (
            await holder.query(
              `select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
            )
          ).rowCount!;
        const uploading = upload('platform_id,name\nb,B\n', { data_model: 'ITEM' });
        await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 10_000 });
        const { id } = (await send('POST', '/syncs', { data: {} })).body.data;
        const isOver = async () =>
          (await gateway.send('GET', `/v4/core/syncs/${id}`, { headers: company.headers })).body.data.endTime !== null;
        await vi.waitFor(async () => expect((await isOver()) || (await waiting()) === 2).toBe(true), { timeout: 10_000 });
        await holder.query('select pg_advisory_unlock($1)', [HELD]);
        expect((await uploading).status).toBe(201);
        expect((await endOfSync(gateway, company, id)).status).toBe('SUCCESS');
        await pull();
        expect((await list('/items?order_by=name')).map((row) => row.name)).toEqual(['A', 'B']);
      } finally {
        await holder.query('drop trigger if exists held_commit on inbox_file');
        await holder.end();
      }
    },
  );
});

it('text in a free-form field stays text, whatever it looks like; a cell may hold an object or a list as JSON', async () => {
  const texts = ['1.10', 'null', 'true', '7', '1e5', '"x"', '-0', 'NaN'];
  const records = [...texts, { a: '7' }, [1], 7, false].map((bill_item, at) => ({ platform_id: String(at).padStart(2, '0'), bill_item }));
  expect((await send('POST', '/connections', { data: { source: 'FILES', settings: {} } })).status).toBe(201);
  const uploaded = await upload(JSON.stringify(records), { data_model: 'ITEM' }, 'items.json');
  expect(uploaded.status, uploaded.text).toBe(201);
  expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
  const stored = await list('/items?order_by=ledger_id');
  expect(stored.map(({ platform_id, bill_item }) => ({ platform_id, bill_item }))).toEqual(records);
  const cells = 'platform_id,bill_item\n00,"{""a"": ""7""}"\n01,[1]\n02,1.10\n';
  expect((await upload(cells, { data_model: 'ITEM' }, 'items.csv')).status).toBe(201);
  expect(await pull()).toEqual({ status: 'SUCCESS', failures: [] });
  const again = await list('/items?order_by=ledger_id&limit=3');
  expect(again.map(({ bill_item }) => bill_item)).toEqual([{ a: '7' }, [1], '1.10']);
});

// Bank statements as files: OFX, camt.053 and MT940 become bank transactions, exact, and only where their balances add up.
import { beforeEach, describe, expect, it } from 'vitest';
import { camtStatements } from '../../src/integrations/connectors/files/statements/camt.ts';
import { mt940Statements } from '../../src/integrations/connectors/files/statements/mt940.ts';
import { ofxStatements } from '../../src/integrations/connectors/files/statements/ofx.ts';
import { useGateway } from '../support/gateway.ts';
import { watchTurns } from '../support/loop-turns.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeEach(async () => {
  company = await buildCompany(gateway);
});

async function upload(file: string | Buffer, name: string, path = '/imports') {
  const form = new FormData();
  form.set('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name);
  const request = new Request('http://form.invalid', { method: 'POST', body: form });
  const headers = { ...company.headers, 'content-type': request.headers.get('content-type')! };
  return gateway.send('POST', `${company.base}${path}`, { headers, raw: new Uint8Array(await request.arrayBuffer()) });
}
const list = async (path: string) =>
  (await gateway.send('GET', `${company.base}${path}`, { headers: company.headers })).body.data as Record<string, never>[];

async function pulled() {
  const requested = await gateway.send('POST', `${company.base}/syncs`, { headers: company.headers, body: { data: {} } });
  expect(await endOfSync(gateway, company, requested.body.data.id)).toMatchObject({ status: 'SUCCESS' });
  const accounts = new Map((await list('/accounts')).map((row) => [row.ledger_id, row.platform_id]));
  const transactions = (await list('/bank_transactions')).sort((a, b) => (String(a.platform_id) < String(b.platform_id) ? -1 : 1));
  return transactions.map((row) => [
    row.platform_id,
    row.amount,
    String(row.posted_date).slice(0, 10),
    row.type,
    row.status,
    row.description,
    row.reference_number,
    accounts.get(row.account_id),
  ]);
}

const ofx1 = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
CHARSET:1252

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260201<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>20041<ACCTID>0123<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260101<DTEND>20260131
<STMTTRN><TRNTYPE>POS<DTPOSTED>20260105120000[-5:EST]<TRNAMT>-12,50<FITID>f1<NAME>Caf\u00e9 &amp; Bar<MEMO>lunch</STMTTRN>
<STMTTRN><TRNTYPE>HOLD<DTPOSTED>20260106<TRNAMT>+.05<FITID>f2<CHECKNUM>77</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>100.10<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
const ofx2 = `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?>
<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD</CURDEF><CCACCTFROM><ACCTID>4111</ACCTID></CCACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260105</DTPOSTED><TRNAMT>9999999999999.99</TRNAMT><FITID>a</FITID><PAYEE><NAME>Ada</NAME></PAYEE></STMTTRN>
<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260106</DTPOSTED><TRNAMT>-1</TRNAMT><FITID>a</FITID></STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`;
const camt = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>m</MsgId></GrpHdr><Stmt><Id>S-9</Id>
<Acct><Id><IBAN>DE02100100100006820101</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-01-01</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">0.30</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">10.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><ValDt><Dt>2026-01-04</Dt></ValDt><AcctSvcrRef>x1</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Müller &amp; Co</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Rechnung</Ustrd><Ustrd>7</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">0.20</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-01-06T10:00:00</DtTm></BookgDt><AddtlNtryInf>Gebühr</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><ValDt><Dt>2026-02-01</Dt></ValDt></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
const mt940 = `{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:
:20:STARTUMS
:25:10010010/6820101
:28C:1/1
:60F:D251231EUR10,
:61:2512310102C10,5NTRFNONREF//B1
:86:166?00GUTSCHRIFT?20Rechnung ?217?32M\u00fcller?33 & Co
:61:260102RC0,20NCHGREF-1
:62F:C260102EUR0,30
-}
`;

it.each([
  [
    'OFX 1 in Windows-1252',
    Buffer.from(ofx1, 'latin1'),
    [
      ['0123:f1', -12.5, '2026-01-05', 'CARD', 'POSTED', 'Caf\u00e9 & Bar lunch', null, '0123'],
      ['0123:f2', 0.05, '2026-01-06', 'UNKNOWN', 'POSTED', null, '77', '0123'],
    ],
    { platform_id: '0123', sub_category: 'BANK', current_balance: 100.1 },
  ],
  [
    'OFX 2',
    Buffer.from(ofx2),
    [
      ['4111:a', 9999999999999.99, '2026-01-05', 'CREDIT', 'POSTED', 'Ada', null, '4111'],
      ['4111:a:2', -1, '2026-01-06', 'DEBIT', 'POSTED', null, null, '4111'],
    ],
    { platform_id: '4111', current_balance: null },
  ],
  [
    'camt.053',
    Buffer.from(camt),
    [
      ['DE02100100100006820101:S-9:2026-01-31:2', -0.2, '2026-01-06', 'DEBIT', 'POSTED', 'Gebühr', null, 'DE02100100100006820101'],
      ['DE02100100100006820101:S-9:2026-01-31:3', -5, 'null', 'DEBIT', 'PENDING', null, null, 'DE02100100100006820101'],
      ['DE02100100100006820101:x1', 10.5, '2026-01-05', 'CREDIT', 'POSTED', 'Müller & Co Rechnung 7', 'E-1', 'DE02100100100006820101'],
    ],
    { current_balance: 0.3, currency_id: 'EUR' },
  ],
  [
    'MT940',
    Buffer.from(mt940),
    [
      ['10010010/6820101:1/1:2026-01-02:1', 10.5, '2026-01-02', 'CREDIT', 'POSTED', 'Müller & Co Rechnung 7', 'B1', '10010010/6820101'],
      ['10010010/6820101:1/1:2026-01-02:2', -0.2, '2026-01-02', 'DEBIT', 'POSTED', null, 'REF-1', '10010010/6820101'],
    ],
    { current_balance: 0.3 },
  ],
])('%s becomes bank transactions of its account', async (_, file, transactions, account) => {
  const uploaded = await upload(file, 'statement');
  expect(uploaded.body.data, uploaded.text).toMatchObject({ data_model: 'BANK_TRANSACTION', record_count: transactions.length });
  expect(await pulled()).toEqual(transactions);
  expect(await list('/accounts')).toMatchObject([account]);
});

/** The message alone, as most banks write it. */
const message = `${mt940.slice(mt940.indexOf(':20:'), mt940.indexOf('-}'))}-\n`;

it.each<[string, string]>([
  ['lines with its BIC and type before the message', `BANKDEFF\n940\nBANKDEFF\n${message}BANKDEFFXXX\n`],
  ['lines with numbers before the message', `0000 01BANKDEFFXXXX00001\n0000 01BANKDEFFXXXX00001\n940 00\n${message}`],
  ['the type as a field', `:940:\n${message}:940:\n`],
  ['marks of the transport', `\u0001\r\n${message.replaceAll('\n', '\r\n')}\u0003`],
  ['empty lines within texts and between fields', message.replace('?217', '\n\n?217').replace(':62F:', '\n \n:62F:')],
  ['blanks in the place of the entry date', message.replace('260102RC', '260102    RC')],
])('MT940 of a bank that writes %s', async (_, file) => {
  const uploaded = await upload(file, 'statement');
  expect(uploaded.body.data, uploaded.text).toMatchObject({ data_model: 'BANK_TRANSACTION', record_count: 2 });
  expect(await pulled()).toEqual([
    ['10010010/6820101:1/1:2026-01-02:1', 10.5, '2026-01-02', 'CREDIT', 'POSTED', 'Müller & Co Rechnung 7', 'B1', '10010010/6820101'],
    ['10010010/6820101:1/1:2026-01-02:2', -0.2, '2026-01-02', 'DEBIT', 'POSTED', null, 'REF-1', '10010010/6820101'],
  ]);
});

it.each([
  ['260229', '2026-02-28'],
  ['260230', '2026-02-28'],
  ['240230', '2024-02-29'],
  ['240229', '2024-02-29'],
])('MT940 with the value date %s of months of 30 days is of %s', async (written, day) => {
  const [statement] = await mt940Statements(message.replace('2512310102C', `${written}0301C`));
  expect(statement!.transactions[0]).toMatchObject({ takenPlaceOn: day, bookedOn: `${day.slice(0, 4)}-03-01` });
  await expect(mt940Statements(message.replace('2512310102C', '2604310501C'))).rejects.toThrow('the value date of field 61 is not a date');
});

/** Each amount of a statement changed by its last digit, which its balances must then contradict. */
const changed = (text: string, amounts: RegExp): string[] =>
  [...text.matchAll(amounts)].map(({ 0: found, index }) => {
    const digit = found.search(/\d(?=\D*$)/);
    const other = (Number(found[digit]) + 1) % 10;
    return text.slice(0, index) + found.slice(0, digit) + other + found.slice(digit + 1) + text.slice(index + found.length);
  });

it('a statement that does not add up is rejected by name, whichever of its amounts is wrong', async () => {
  const wrong = [
    ...changed(camt.replace(/<Ntry><Amt Ccy="EUR">5.00[\s\S]*?<\/Ntry>/, ''), /<Amt Ccy="EUR">[\d.]+/g),
    ...changed(mt940, /(?<=EUR)\d+,\d*|(?<=C)10,5|0,20/g),
  ];
  expect(wrong.length).toBe(8);
  for (const text of wrong) {
    const { status, body } = await upload(text, 'statement');
    expect([status, body.error.field, body.error.message], text).toEqual([
      400,
      'file',
      expect.stringMatching(/^line \d+: statement (S-9|1\/1) of account .* does not add up/),
    ]);
  }
  expect(await list('/imports')).toEqual([]);
});

it('a statement that is cut anywhere, or has a line of something else, is rejected and never stored in part', async () => {
  const before = (text: string, end: string) => text.slice(0, text.indexOf(end));
  for (const [text, end] of [
    [ofx1, '</STMTRS>'],
    [ofx2, '</CCSTMTRS>'],
    [camt, '</Stmt>'],
    [mt940, ':62F:'],
  ] as const) {
    const whole = before(text, end);
    for (let share = 1; share <= 8; share++) {
      const { status, body } = await upload(whole.slice(0, Math.max(60, Math.floor((whole.length * share) / 8))), 'statement');
      expect([status, body.error.error_code, share], body.error?.message).toEqual([
        400,
        expect.stringMatching(/_PARAMS$|CSV_HEADER_INVALID/),
        share,
      ]);
    }
  }
  const stray = await upload(mt940.replace('-}\n', '-}\nhello\n'), 'statement');
  expect([stray.status, stray.body.error.message]).toEqual([400, 'line 11: "hello" is not a field of an MT940 message']);
  const { body } = await upload(ofx1, 'statement', '/imports/preview');
  expect(body.data).toMatchObject({ kind: 'OFX', record_count: 2, counts: [{}, {}, { data_model: 'BANK_TRANSACTION', stored: 2 }] });
  expect(await list('/imports')).toEqual([]);
});

describe('statements that look alike', () => {
  const day = (number: string, date: string, opening: string, amount: string, closing: string) =>
    `:20:S\n:25:1/2\n:28C:${number}\n:60F:C${date}EUR${opening}\n:61:${date}C${amount}NTRFNONREF\n:62F:C${date}EUR${closing}\n-\n`;
  const camtOf = (id: string, page: string, amount: string, entry = '') =>
    camt
      .replace('<Id>S-9</Id>', `<Id>${id}</Id>${page}`)
      .replaceAll('"EUR">10.00<', '"EUR">0.00<')
      .replace('>0.30<', `>${amount}<`)
      .replace(/<Ntry>[\s\S]*<\/Ntry>/, `<Ntry><Amt>${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>${entry}</Ntry>`);
  const ofxOf = (list: string, amount: string) =>
    ofx1
      .replace(/<DTSTART>.*/, list)
      .replace(/<STMTTRN>[\s\S]*<\/STMTTRN>/, `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260105<TRNAMT>${amount}</STMTTRN>`);

  it.each([
    ['MT940, numbered from 1 again', [day('1/1', '250115', '0,', '1,', '1,'), day('1/1', '260115', '1,', '2,', '3,')]],
    ['MT940, all of one number', [day('0', '260115', '0,', '1,', '1,') + day('0', '260116', '1,', '2,', '3,')]],
    ['MT940, messages of one day', [day('0', '260115', '0,', '1,', '1,') + day('0', '260115', '1,', '2,', '3,')]],
    ['camt.053, of one id', [camtOf('1', '', '1'), camtOf('1', '', '2').replace('2026-01-31', '2026-02-28')]],
    ['camt.053, pages', ['1', '2'].map((page) => camtOf('1', `<StmtPgntn><PgNb>${page}</PgNb></StmtPgntn>`, page))],
    ['camt.053, without ids of entries', ['1', '2'].map((id) => camtOf(id, '', id, '<AcctSvcrRef>NOTPROVIDED</AcctSvcrRef>'))],
    ['OFX, without FITID', [ofxOf('<DTSTART>20260101<DTEND>20260131', '1'), ofxOf('<DTSTART>20260201<DTEND>20260228', '2')]],
  ])('%s: no transaction takes the place of another, also when the files come again', async (_, files) => {
    for (const file of [...files, ...files]) expect((await upload(file, 'statement')).status).toBe(201);
    expect((await pulled()).map(([, amount]) => amount).sort()).toEqual([1, 2]);
  });

  it.each([
    ['MT940', day('2', '260131', '1,', '2,', '3,') + day('1', '260115', '0,', '1,', '1,')],
    [
      'camt.053',
      camtOf('2', '', '3').replace(/(<\/Stmt>)/, `$1${/<Stmt>[\s\S]*<\/Stmt>/.exec(camtOf('1', '', '1').replace('01-31', '01-15'))![0]}`),
    ],
    [
      'OFX',
      ofx1
        .replace('100.10', '3')
        .replace(/<STMTTRNRS>[\s\S]*<\/STMTTRNRS>/, (whole) => whole + whole.replace('>3<', '>1<').replaceAll('20260131', '20260115')),
    ],
    [
      'OFX without a balance',
      ofx1
        .replace('100.10', '3')
        .replace(/<STMTTRNRS>[\s\S]*<\/STMTTRNRS>/, (whole) => whole + whole.replace(/<LEDGERBAL>.*<\/LEDGERBAL>/, '')),
    ],
  ])('%s: an account has the balance of its latest statement, wherever in the file it is', async (_, file) => {
    expect((await upload(file, 'statement')).status).toBe(201);
    await pulled();
    expect((await list('/accounts')).map(({ current_balance: balance }) => balance)).toEqual([3]);
  });

  it('an OFX statement that names neither its transactions nor its days is rejected', async () => {
    const { status, body } = await upload(ofxOf('', '1').replaceAll(/<DTASOF>\d+/g, ''), 'statement');
    expect([status, body.error.message]).toEqual([400, 'line 10: the transaction has no FITID, and its list no DTEND']);
  });
});

describe('a statement that is written otherwise', () => {
  const sections = (text: string) =>
    text.replace(/(?<=>)[^<>]*[^<>\s][^<>]*(?=<)/g, (content) => `<![CDATA[${content.replaceAll('&amp;', '&')}]]>`);
  const places = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(({ index }) => index);
  const inserted = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at);
  const within = /(?<=<STMTTRN>.*)<(?=[A-Z]+>[^<\n]|\/STMTTRN)/g;

  it.each<[string, (text: string) => Promise<unknown>, string, string[]]>([
    ['OFX 1 with CDATA', ofxStatements, ofx1, [sections(ofx1)]],
    ['OFX 2 with CDATA', ofxStatements, ofx2, [sections(ofx2)]],
    ['camt.053 with CDATA', camtStatements, camt, [sections(camt)]],
    ['OFX 1 with a comment anywhere', ofxStatements, ofx1, places(ofx1, within).map((at) => inserted(ofx1, at, '<!-- <FITID>x -->'))],
    ['OFX 1 with an empty element anywhere', ofxStatements, ofx1, places(ofx1, within).map((at) => inserted(ofx1, at, '<EXTRA>'))],
    ['OFX 1 with a sign of comparison', ofxStatements, ofx1.replace('&amp;', '&lt; 3'), [ofx1.replace('&amp;', '< 3')]],
  ])('%s: is read alike', async (_, read, text, others) => {
    expect(others.length).toBeGreaterThan(0);
    const expected = await read(text);
    for (const other of others) expect(await read(other), other).toEqual(expected);
  });

  it('a description of MT940 may have lines that begin with a hyphen', async () => {
    const [statement] = await mt940Statements(mt940.replace('& Co', '&\n- Co'));
    expect(statement!.transactions[0]!.description).toBe('M\u00fcller &- Co Rechnung 7');
  });

  it('an element without its end, and text that belongs to none, are rejected', async () => {
    await expect(ofxStatements(ofx1.replace('lunch</STMTTRN>', 'lunch'))).rejects.toThrow('line 10: STMTTRN has no end');
    await expect(ofxStatements(ofx1.replace('<MEMO>', '<MEMO lang="en">'))).rejects.toThrow(
      'line 10: "<MEMO lang=\\"en\\">lunch" is not an element',
    );
  });
});

it('a statement nested without end, and text that no file has, are rejected at once', async () => {
  const nested = `${camt.slice(0, camt.indexOf('<Ntry>'))}<Ntry>${'<a Ccy="x">'.repeat(3_000)}`;
  expect((await upload(nested, 'statement')).body.error.message).toMatch(/nested too deep/);
  for (const file of [
    `;${'\n'.repeat(4_000)}`,
    'platform_id\u0000,name\na,b\n',
    ' '.repeat(100_000),
    '<'.repeat(100_000),
    ':20:'.repeat(100_000),
  ])
    expect((await upload(file, 'file')).status).toBe(400);
});

it('statements of other kinds are rejected by name', async () => {
  const form = ofx1.replaceAll('STMTRS>', 'INVSTMTRS>');
  expect((await upload(form, 'statement')).body.error.message).toMatch(/investment account/);
});

describe('a hostile file', () => {
  /** Copies of a part that fill a megabyte: enough that work for each pair of them would not end. */
  const full = (part: string): string => part.repeat(1_000_000 / part.length);
  const mt940 = ':20:A\n:25:B\n:28C:1\n:60F:C260101EUR0,\n:61:2601010101C1,NTRFX\n';

  it.each<[string, (text: string) => Promise<unknown>, string, string]>([
    ['OFX, deep with ends of nothing', ofxStatements, full('<A>') + full('</B>'), 'nested too deep'],
    ['OFX, an amount of many digits', ofxStatements, `<STMTRS><STMTTRN><DTPOSTED>20260105<TRNAMT>${full('1')}</STMTTRN>`, 'not an amount'],
    ['MT940, an amount of many digits', mt940Statements, `${mt940}:61:2601010101C${full('1')},NTRFX\n`, 'not an amount'],
    ['camt.053, deep', camtStatements, full('<a>'), 'nested too deep'],
    [
      'camt.053, many attributes',
      camtStatements,
      `<a ${Array.from({ length: 90_000 }, (_, at) => `b${at}=""`).join(' ')}>`,
      'too many attributes',
    ],
  ])('%s, is rejected where it begins to be one', async (_, read, text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });

  it.each([
    ['lines', `:86:${full('a\n')}`],
    ['fields', full(':86:a\n')],
    ['one line', `:86:${full('a')}\n`],
    ['empty lines', full('\n')],
  ])('MT940 with a text of many %s: keeps what a description may be, and leaves the event loop to others', async (_, text) => {
    const turns = watchTurns();
    const [statement] = await mt940Statements(`${mt940}${text}:62F:C260101EUR1,\n`);
    const { longest, all } = await turns();
    expect((statement!.transactions[0]!.description ?? '').length).toBeLessThan(8_100);
    // What is one line is read at once, which takes next to nothing.
    if (text.split('\n').length > 1_000) expect(longest).toBeLessThan(all / 2);
  });
});

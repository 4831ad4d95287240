// What callers send is stored as it was sent, or rejected by name: every amount in every spelling, every indexed text at its limit, every byte.
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerTypes } from '../../src/integrations/ledger/ledger-record.ts';
import { isWritable, modelOf, type Prop, type RecordClass, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { exactNumber } from '../../src/records/storable.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** Numbers as text, each with the number it is stored as; null for one that a double would change. */
const spellings: [text: string, stored: number | null][] = [
  ['12.50', 12.5],
  ['1e3', 1000],
  ['12.5E-1', 1.25],
  ['-0.123456789012345', -0.123456789012345],
  ['-123456789012.345', -123456789012.345],
  ['3.0000000000000000', 3],
  ['3.0000000000000001', null],
  ['99999999999999.995', null],
  ['1234567890123450.1', null],
  ['0.30000000000000000001', null],
  ['1e-400', null],
  ['1e400', null],
];

it.each(spellings)('the text %s decides which number it is', (text, stored) => {
  expect(exactNumber(text) ?? null).toBe(stored);
});

/** Top-level records of a company that can be written with nothing but one field. */
const targets = ledgerTypes().filter((target) => modelOf(target).listed);
const body = (fields: string): string => `{"data":{${fields}}}`;

async function put(target: RecordClass, fields: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${gateway.origin}${company.base}/${listName(target)}`, {
    method: 'PUT',
    headers: { ...company.headers, 'content-type': 'application/json' },
    body: body(fields),
  });
  return { status: response.status, text: await response.text() };
}

const propsThat = (take: (prop: Prop) => boolean): [string, RecordClass, Prop][] =>
  targets.flatMap((target) =>
    writableProps(target)
      .filter(take)
      .map((prop): [string, RecordClass, Prop] => [`${modelOf(target).name}.${prop.name}`, target, prop]),
  );

describe('amounts', () => {
  it.each(propsThat(({ kind }) => kind === 'amount'))('%s is never rounded, as a number or as text', async (_, target, prop) => {
    const name = snakeCase(prop.name);
    for (const [text, stored] of spellings.filter(([, value]) => value === null || value === 12.5)) {
      for (const value of [text, `"${text}"`]) {
        const response = await put(target, `"platform_id":"exact","code":"EUR","${name}":${value}`.replace(codeOf(target), ''));
        if (stored === null) expect([response.status, response.text.includes(name)], `${value} ${response.text}`).toEqual([400, true]);
        // Other rules of the record may reject the value; its type does not.
        else expect(response.text, value).not.toMatch(/must be a number|significant/);
      }
    }
  });

  it('filters take what bodies take', async () => {
    const [target] = targets.filter((one) => modelOf(one).props.has('currentBalance'));
    for (const [text, stored] of spellings) {
      if (stored !== null) expect((await put(target!, `"platform_id":"${text}","current_balance":${text}`)).status).toBe(200);
      const list = await gateway.send(
        'GET',
        `${company.base}/${listName(target!)}?current_balance[eq]=${encodeURIComponent(text)}`,
        company,
      );
      if (stored === null) expect(list.status, text).toBe(400);
      else expect(list.body.data[0].current_balance, text).toBe(stored);
    }
  });
});

/** Only some records have a code, and a currency needs one. */
const codeOf = (target: RecordClass): string => (modelOf(target).name === 'Currency' ? '\0' : '"code":"EUR",');

/** Text that no index can compress, of characters of three bytes. */
const incompressible = (length: number): string => {
  let seed = 35;
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCharCode(0x4e00 + ((seed >> 8) % 20_000));
  }).join('');
};

describe('texts', () => {
  it('every text of a ledger record in a B-tree has a length that fits it', () => {
    const unbounded = ledgerTypes().flatMap((target) => {
      const model = modelOf(target);
      const columns = new Set(model.indexes.flatMap((index) => index.columns));
      return [...model.props.values()]
        .filter((prop) => ['text', 'email', 'url'].includes(prop.kind) && columns.has(prop.column) && isWritable(prop) && !prop.check)
        .filter(({ rules }) => (rules?.maxLength ?? Number.POSITIVE_INFINITY) * 3 > 2_500)
        .map(({ name }) => `${model.name}.${name}`);
    });
    expect(unbounded).toEqual([]);
  });

  const limited = propsThat(({ kind, list, rules }) => kind === 'text' && list === 'indexed' && !rules?.pattern);
  it.each(limited)('%s takes text up to its limit and rejects one character more', async (_, target, prop) => {
    const name = snakeCase(prop.name);
    const max = prop.rules!.maxLength!;
    const at = await put(target, `"platform_id":"long-${name}","${name}":${JSON.stringify(incompressible(max))}`);
    expect(at.status, at.text).toBeLessThan(500);
    expect(at.text).not.toContain('TOO_LONG');
    const over = await put(target, `"platform_id":"over-${name}","${name}":${JSON.stringify(incompressible(max + 1))}`);
    expect([over.status, over.text.includes(`${name} must have at most ${max} characters`)], over.text).toEqual([400, true]);
  });
});

describe('names', () => {
  let agentKey: string;
  beforeAll(async () => {
    agentKey = await gateway.key(['PLATFORM']);
  });
  const twice = '{"platform_id":"twice","name":"a","name":"b"}';
  const sent: [string, () => [string, string, Record<string, string>]][] = [
    ['REST', () => [`${company.base}/accounts`, `{"data":${twice}}`, {}]],
    ['a name of escapes', () => [`${company.base}/accounts`, `{"data":{"platform_id":"twice","name":"a","\\u006eame":"b"}}`, {}]],
    ['a large body', () => [`${company.base}/accounts`, `{"data":{"name":"a","description":"${'x'.repeat(70_000)}","name":"b"}}`, {}]],
    ['GraphQL', () => ['/graphql', `{"query":"query($n: Int) { companies(first: $n) { totalCount } }","variables":{"n":1,"n":2}}`, {}]],
    [
      'agents',
      () => [
        '/mcp',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"a","query":"b"}}}`,
        { accept: 'application/json, text/event-stream', authorization: `Bearer ${agentKey}` },
      ],
    ],
  ];
  it.each(sent)('a member that is sent twice is rejected by its name: %s', async (_, requestOf) => {
    const [path, body, headers] = requestOf();
    const init = { method: 'POST', headers: { ...company.headers, ...headers, 'content-type': 'application/json' }, body };
    const response = await fetch(gateway.origin + path, init);
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(/(name|query|n)\W+ twice/)]);
    const { body: list } = await gateway.send('GET', `${company.base}/accounts?platform_id[eq]=twice`, company);
    expect(list.data).toEqual([]);
  });
});

describe('variables in an address', () => {
  it.each([
    ['{"amount":100000000000000.001}', 'variables has 100000000000000.001, a number of more than 15 significant digits'],
    ['{"amount":1,"amount":2}', 'the name \\"amount\\" twice'],
  ])('%s is rejected by its name', async (variables, message) => {
    const query =
      'query($amount: Decimal) { companies(first: 1) { nodes { accounts(filter: { currentBalance: { eq: $amount } }) { totalCount } } } }';
    const path = `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(variables)}`;
    const { status, text } = await gateway.send('GET', path, { headers: { ...company.headers, 'apollo-require-preflight': '1' } });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('bytes', () => {
  const invalid = [[0xe9], [0xc0, 0xaf], [0xed, 0xa0, 0x80]].map((bytes) => Uint8Array.from(bytes));
  const endpoints: [string, () => [string, Record<string, string>, string]][] = [
    ['REST', () => [`${company.base}/accounts`, company.headers, '{"data":{"platform_id":"b","name":"?"}}']],
    ['GraphQL', () => ['/graphql', company.headers, '{"query":"{ __typename }","variables":{"a":"?"}}']],
  ];
  it.each(endpoints)('%s rejects bytes that are not UTF-8', async (_, requestOf) => {
    const [path, headers, text] = requestOf();
    const [before, after] = text.split('?') as [string, string];
    for (const bytes of invalid) {
      const response = await fetch(gateway.origin + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]),
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('UTF-8')]);
    }
  });
});

// Odd input: values, texts and headers that break a careless parser, database or log.
import fc from 'fast-check';
import type { Call } from './requests.ts';

/** Awkward text: NUL, lone surrogates, quotes of SQL and HTML, text directions, great length. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00x',
    '\uffff',
    '\u202e',
    'é'.normalize('NFD'),
    "'; drop table company; --",
    '<script>alert(1)</script>',
    '{{7*7}}',
    '$1',
    '%00',
    '%zz',
    '../../etc/passwd',
    '\r\nX-Injected: 1',
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
  ),
  fc.constantFrom(
    '0',
    '-1',
    '1e309',
    '9223372036854775808',
    '0x10',
    '1.5',
    '٣',
    '2026-02-30',
    '0000-00-00',
    '99999-01-01',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+99:99',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(1_000, 70_000).map((length) => 'x'.repeat(length)),
);

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.1,
  1.5,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  999_999_999_999_999,
  0.1 + 0.2,
);

/** A value nested to a depth, as lists or as objects. */
const nested = fc.tuple(fc.constantFrom(3, 70, 500), fc.constantFrom('list', 'object')).map(([depth, kind]) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = kind === 'list' ? [value] : { a: value };
  return value;
});

/** An object with keys of Object.prototype; `JSON.parse` makes them own members. */
const prototypeKeys = fc
  .constantFrom(
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"toString":1}',
    '{"hasOwnProperty":null}',
  )
  .map((text) => JSON.parse(text) as unknown);

/** Any JSON value in the place of another. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 3, arbitrary: oddNumber },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': '' }) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: prototypeKeys },
  { weight: 1, arbitrary: fc.array(oddText, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.dictionary(oddText, oddNumber, { maxKeys: 3 }) },
);

/** A change to the bytes of a request, after its arguments. */
export type Damage = (call: Call) => Call;

const rawOf = (call: Call): string => (call.raw ? Buffer.from(call.raw).toString('latin1') : JSON.stringify(call.body ?? {}));
/** The test client sends no body with GET. */
function withBody(call: Call, text: string | Uint8Array): Call {
  if (call.method === 'GET') return call;
  const raw = typeof text === 'string' ? Buffer.from(text) : text;
  return { ...call, body: undefined, raw, headers: { 'content-type': 'application/json', ...call.headers } };
}

/** The characters a header can carry: the client rejects others itself. */
export const headerText = (text: string): string => text.replace(/[^\x20-\x7e\x80-\xff]/g, '').slice(0, 2_000);
const headerValue = oddText.map(headerText);
const headerName = fc.constantFrom(
  'content-type',
  'accept',
  'accept-encoding',
  'if-match',
  'idempotency-key',
  'x-request-id',
  'x-forwarded-for',
  'x-http-method-override',
  'content-encoding',
  'range',
  'origin',
  'cookie',
  'last-event-id',
  'forwarded',
);

/** Damages to the body as text, the path, the query and the headers. */
export const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Damage>((call) => call) },
  fc.tuple(headerName, headerValue).map(
    ([name, value]): Damage =>
      (call) => ({ ...call, headers: { ...call.headers, [name]: value } }),
  ),
  fc.nat({ max: 200 }).map(
    (cut): Damage =>
      (call) =>
        withBody(call, rawOf(call).slice(0, cut)),
  ),
  fc
    .constantFrom(
      '',
      'null',
      '1',
      '"x"',
      '[]',
      '[[[[',
      '{"a":1,"a":2}',
      '{"data":{"name":"a","name":"b"}}',
      '\ufeff{}',
      '{"a":1e999}',
      '{"a":-0}',
      '{"__proto__":null}',
      '{}{}',
      '\u0000',
    )
    .map(
      (text): Damage =>
        (call) =>
          withBody(call, text),
    ),
  fc.uint8Array({ maxLength: 60 }).map(
    (bytes): Damage =>
      (call) =>
        withBody(call, bytes),
  ),
  fc.constantFrom('%', '%0', '%00', '%zz', '%c0%af', '%ed%a0%80', '%2e%2e%2f', '/', '//', '\\', ';a=b', '%0d%0a').map(
    (text): Damage =>
      (call) => ({ ...call, path: call.path.replace(/(\?|$)/, `${text}$1`) }),
  ),
  fc
    .constantFrom(
      'limit=1&limit=2',
      'limit=1e3',
      'cursor=',
      'a[b]=c',
      'a[]=1',
      '__proto__[x]=1',
      'expand=..',
      'select=%00',
      '%',
      '=',
      '&&&',
      'limit[eq]=1',
      'sort[]=ASC',
      'next=x&prev=y',
    )
    .map(
      (text): Damage =>
        (call) => ({ ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}${text}` }),
    ),
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND').map(
    (method): Damage =>
      (call) =>
        method === 'GET' ? { ...call, method, body: undefined, raw: undefined as never } : { ...call, method },
  ),
);

/** Texts that only internal errors contain. */
export const insides =
  /<html|<!doctype|\bselect .{1,200} from \b|\binsert into\b|violates|syntax error at|invalid byte sequence|invalid input syntax|node_modules|\/src\/|\bat \w+ \(|TypeError|RangeError|Cannot read prop|is not a function|MikroORM|\bECONN/i;

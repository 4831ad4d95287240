// Secrets stay secret. After every use of keys, tokens, signing secrets, links, tax numbers and addresses, no table, log line, metric or error
// contains one in clear text.
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { newKeyValue } from '../../src/security/key-values.ts';
import { createLog } from '../../src/services.ts';
import { ADMIN_TOKEN, type Gateway, type GatewayResponse, startGateway } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { pathOfLink } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';
import { webhookTools } from '../support/webhooks.ts';

/** A text that may occur in the named tables and in this many responses, and nowhere else. */
interface Secret {
  what: string;
  value: string;
  tables: string[];
  /** The number of responses that may show it: a value made for the caller is shown once. */
  shown: number;
}

const rounds = Number(process.env.SUITE_ROUNDS ?? 1);
const SIGNING_SECRET = `signing-${randomBytes(16).toString('hex')}`;
const log: string[] = [];
const responses: { call: string; text: string; isError: boolean }[] = [];
const secrets: Secret[] = [
  { what: 'admin token', value: ADMIN_TOKEN, tables: [], shown: 0 },
  { what: 'SIGNING_SECRET', value: SIGNING_SECRET, tables: [], shown: 0 },
];
let gateway: Gateway;
let receiver: Receiver;
let geocoder: Receiver;

const secret = (what: string, value: string, { tables = [], shown = 0 }: { tables?: string[]; shown?: number } = {}): string => {
  secrets.push({ what, value, tables, shown });
  return value;
};
const fresh = (what: string): string => secret(what, `${what.replaceAll(' ', '-')}-${randomBytes(12).toString('hex')}`);
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** The encodings in which a value could occur. */
const encodings = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('hex'),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
  Buffer.from(value).toString('base64url'),
];
const holds = (text: string, value: string): boolean => encodings(value).some((encoding) => text.includes(encoding));

const inDatabase = <T extends object>(text: string): Promise<T[]> =>
  systemTransaction(gateway.services.database, (em) => executeIn<T>(em, text, []));

/** Every row of every table as text, by the name of the table. */
async function dump(): Promise<Map<string, string>> {
  const tables = await inDatabase<{ name: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`,
  );
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await inDatabase<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
    found.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return found;
}

async function send(...[method, path, options]: Parameters<Gateway['send']>): Promise<GatewayResponse> {
  const response = await gateway.send(method, path, options);
  responses.push({
    call: `${method} ${path.split('?', 1)[0]} -> ${response.status}`,
    text: [response.text, ...response.headers.values()].join('\n'),
    isError: response.status >= 400 || response.text.includes('"errors"'),
  });
  return response;
}
const graphql = (key: string, query: string, variables: object = {}, headers: Record<string, string> = {}): Promise<GatewayResponse> =>
  send('POST', '/graphql', { headers: { ...bearer(key), ...headers }, body: { query, variables } });
const made = (response: GatewayResponse): GatewayResponse => {
  if (response.status >= 300 || response.body?.errors) throw new Error(response.text);
  return response;
};

beforeAll(async () => {
  receiver = await startReceiver(({ headers, path }, response) =>
    response.writeHead(path.includes('broken') ? 500 : 200).end(JSON.stringify(headers)),
  );
  geocoder = await startReceiver((_, response) => response.writeHead(500).end('no'));
  gateway = await startGateway(
    {
      webhookAllowPrivate: true,
      signingSecret: SIGNING_SECRET,
      oidcIssuer: 'http://127.0.0.1:9',
      oidcAudience: 'ledger-gateway',
      geocoderUrl: new URL(geocoder.url).origin,
      geocoderPolicy: 'upstream_then_embedded',
    },
    createLog('trace', { write: (line: string) => void log.push(line) }),
  );
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([receiver.stop(), geocoder.stop()]);
});
closeClients();

/** Issues and rotates keys, each also with an idempotency key, and uses them in every header. */
async function useKeys(organisationName: string): Promise<string> {
  const issue = 'mutation ($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key accessKey { id } } }';
  const rotate = 'mutation ($id: ID!) { rotateAccessKey(input: { id: $id, graceHours: 1 }) { key } }';
  const input = { organisationName, roles: ['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS'] };
  const repeated = { 'idempotency-key': `issue ${organisationName}` };
  const { issueAccessKey } = made(await graphql(ADMIN_TOKEN, issue, { input })).body.data;
  const key = secret('key', issueAccessKey.key, { shown: 1 });
  const first = made(await graphql(ADMIN_TOKEN, issue, { input }, repeated)).body.data.issueAccessKey;
  expect(made(await graphql(ADMIN_TOKEN, issue, { input }, repeated)).body.data.issueAccessKey).toEqual(first);
  secret('key of a repeated request', first.key, { shown: 2 });
  const turned = made(await graphql(ADMIN_TOKEN, rotate, { id: first.accessKey.id }, { 'idempotency-key': `rotate ${organisationName}` }));
  secret('rotated key', turned.body.data.rotateAccessKey.key, { shown: 1 });
  for (const [header, path] of [
    ['api_key', '/v4/core/companies'],
    ['x-api-key', '/api/v1/public/business-entities/1/registrations'],
    ['x-service-key', '/api/v1/geoencode'],
    ['authorization', '/api/v1/corporations'],
  ] as const) {
    for (const value of [key, fresh('mistyped key'), secret('unknown key', newKeyValue())]) {
      await send('GET', path, { headers: { [header]: header === 'authorization' ? `Bearer ${value}` : value } });
      await send('GET', `${path}?${header}=${value}&key=${value}`, { headers: { [header]: value } });
    }
  }
  await graphql(secret('OpenID token', `eyJhbGciOiJSUzI1NiJ9.${randomBytes(30).toString('base64url')}.c2ln`), '{ __typename }');
  const events = connectWithKey(gateway.origin, key).iterate({ query: 'subscription { eventStream { id } }' });
  const ended = events.next();
  await events.return?.();
  await ended;
  return key;
}

/** Registers, rotates and uses webhooks, one of which fails; their receivers return the headers they received. */
async function useWebhooks(key: string): Promise<void> {
  const tools = webhookTools(gateway);
  const base = '/api/v1/webhooks';
  const register = (path: string, more: object = {}, headers: Record<string, string> = {}): Promise<GatewayResponse> =>
    send('POST', base, { headers: { ...bearer(key), ...headers }, body: { url: `${receiver.url}${path}`, topics: ['*'], ...more } });
  const repeated = { 'idempotency-key': 'webhook-once' };
  const good = made(await register('', {}, repeated)).body.data;
  made(await register('', {}, repeated));
  secret('made webhook secret', good.secret, { shown: 2 });
  const own = fresh('webhook secret');
  const broken = made(await register('/broken', { secret: own })).body.data;
  await register('', { secret: `${fresh('webhook secret')}\u00e9` });
  await register('', { url: `https://user:${fresh('password')}@receiver.example/` });
  made(await send('POST', `${base}/${good.id}`, { headers: bearer(key), body: { secret: fresh('rotated webhook secret') } }));
  const literal = `mutation { updateWebhook(input: { id: "${broken.id}", secret: "${fresh('webhook secret in a literal')}" }) { webhook { id } } }`;
  made(await graphql(key, literal));
  await graphql(
    key,
    `mutation { updateWebhook(input: { id: "${broken.id}", secret: "${fresh('secret in an invalid query')}" }) { nothing } }`,
  );
  for (const { id } of [good, broken])
    await send('POST', `${base}/test/trigger/${id}`, { headers: bearer(key), body: { event_data: { topic: 'corporation.updated' } } });
  for (const { id } of [good, broken])
    await tools.logWhere(key, id, ({ deliveries: { nodes } }) => nodes.some((node) => node.attempts.length > 0));
}

const einOf = (prefix: string): string => `${prefix}-${randomInt(1_000_000, 10_000_000)}`;

/** Stores tax numbers, and makes the database fail to store one. */
async function useTaxNumbers(key: string): Promise<void> {
  const corporation = (value: string): object => ({
    legal_name: 'Secretive Inc',
    jurisdiction: 'US',
    tax_ids: [{ type: 'US_EIN', value }],
  });
  const create = (body: object): Promise<GatewayResponse> => send('POST', '/api/v1/corporations', { headers: bearer(key), body });
  made(await create(corporation(secret('tax number', einOf('98'), { tables: ['public.corporation', 'public.event'], shown: 1 }))));
  await create(corporation(secret('invalid tax number', `${einOf('00')}-x`)));
  await inDatabase('alter table corporation add constraint always_wrong check (false) not valid');
  const failed = await create(corporation(secret('tax number of a failed write', einOf('95'))));
  await inDatabase('alter table corporation drop constraint always_wrong');
  expect(failed.status).toBeGreaterThanOrEqual(400);
}

/** Opens, rejects and submits the form behind a signed link. */
async function useForm(key: string): Promise<void> {
  const body = {
    companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
    country: 'US',
    corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } },
  };
  const headers = { ...bearer(key), 'idempotency-key': 'form-once' };
  const { signedFormUrl } = made(await send('POST', '/api/v1/incorporation-requests', { headers, body })).body.data;
  const path = pathOfLink(signedFormUrl);
  secret('key of a form', new URL(signedFormUrl).searchParams.get('key')!, { shown: 3 });
  await send('GET', path);
  await send('GET', path.replace(/key=.*/, `key=zzzz.${fresh('wrong key of a form')}`));
  await send('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    raw: `businessDescription=${fresh('response of a rejected form')}`,
  });
}

/** Geocodes in every way, with an upstream that fails. */
async function useAddresses(key: string): Promise<void> {
  const headers = { 'x-service-key': key, 'idempotency-key': 'address-once' };
  const address = secret('address', `Hiddenlane ${randomBytes(4).toString('hex')}, 99999 Secretville`, { shown: 2 });
  await send('POST', '/api/v1/geoencode', { headers, body: { address } });
  await send('POST', '/api/v1/geoencode', { headers, body: { address: [fresh('address in a list')] } });
  await send('POST', '/api/v1/geoencode', { headers, raw: `{"address": "${fresh('address in broken JSON')}` });
  await graphql(key, 'query ($address: String!) { geocode(address: $address) { match } }', { address });
  await graphql(key, `{ geocode(address: "${fresh('address in a literal')}") { match } }`);
}

/** Uploads a file, and rejects others. */
async function useFiles(key: string): Promise<void> {
  const upload = async (name: string, content: string): Promise<GatewayResponse> => {
    const form = new FormData();
    form.set(name, new Blob([content]), 'products.csv');
    const encoded = new Response(form);
    const headers = { ...bearer(key), 'content-type': encoded.headers.get('content-type')! };
    return send('POST', '/api/v1/files', { headers, raw: new Uint8Array(await encoded.arrayBuffer()) });
  };
  const content = secret('content of a file', `hidden-${randomBytes(12).toString('hex')}`, { tables: ['public.file_piece'] });
  made(await upload('file', `sku,name\n${content},Kettle\n`));
  await upload('wrong', `sku,name\n${fresh('content of a rejected file')},Kettle\n`);
}

/** Sends secrets in places that do not take them. */
async function useWrongPlaces(key: string): Promise<void> {
  const paths = ['/api/v1/corporations', '/v4/core/companies', '/api/v1/geoencode', '/graphql', '/nothing'];
  const headers = { ...bearer(key), api_key: key, 'x-service-key': key };
  for (const path of paths) {
    await send('POST', `${path}?token=${fresh('token in a query')}`, { headers, body: { name: 1 } });
    await send('POST', path, {
      headers,
      body: { query: 1, address: 5, legal_name: { password: fresh('password in a body') }, data: [[]] },
    });
    await send('POST', path, { headers, raw: `{"secret":"${fresh('secret in broken JSON')}",}` });
    await send('POST', path, {
      headers: { ...headers, 'idempotency-key': `${fresh('invalid idempotency key')}${'x'.repeat(200)}` },
      body: {},
    });
  }
  await graphql(key, `{ corporation(id: "${fresh('id in a literal')}" }`);
}

describe('secrets', () => {
  it('no key, token, secret, link, tax number or address appears in clear text where it does not belong', async () => {
    for (let round = 0; round < rounds; round++) {
      const key = await useKeys(`Secretive ${round}`);
      await useWebhooks(key);
      await useTaxNumbers(key);
      await useForm(key);
      await useAddresses(key);
      await useFiles(key);
      await useWrongPlaces(key);
    }
    await gateway.services.keys.noteUse();
    const metrics = await metricsOf(gateway.origin, ADMIN_TOKEN);
    const tables = await dump();
    const lines = log.join('\n');
    const wrong = secrets.flatMap(({ what, value, tables: allowed, shown }) => {
      const inTables = [...tables].filter(([name, text]) => !allowed.includes(name) && holds(text, value)).map(([name]) => name);
      const inResponses = responses.filter(({ text }) => holds(text, value));
      return [
        ...inTables.map((name) => `${what}: table ${name}`),
        ...(holds(lines, value) ? [`${what}: log: ${log.find((line) => holds(line, value))?.slice(0, 400)}`] : []),
        ...(holds(metrics, value) ? [`${what}: metrics`] : []),
        ...inResponses.filter(({ isError }) => isError).map(({ call, text }) => `${what}: error of ${call}: ${text.slice(0, 300)}`),
        ...(inResponses.length > shown
          ? [`${what}: ${inResponses.length} responses: ${inResponses.map(({ call }) => call).join(', ')}`]
          : []),
      ];
    });
    const unseen = secrets.filter(({ tables: allowed, value }) => allowed.length > 0 && ![...tables.values()].some((t) => holds(t, value)));
    console.log(
      `secrets: ${secrets.length} values looked for in ${tables.size} tables, ${log.length} log lines, ${responses.length} responses (${responses.filter(({ isError }) => isError).length} errors) and the metrics; ${wrong.length} found in a wrong place`,
    );
    expect(wrong).toEqual([]);
    // The search itself works: it finds the values that are stored in clear text on purpose.
    expect(unseen).toEqual([]);
  }, 3_600_000);
});

/** Comparisons of values named like secrets that may stop at the first difference, because their duration reveals nothing secret. */
const harmless = [
  // Two contents of the same caller.
  'src/http/idempotency.ts: row.bodyHash !== bodyHash',
  // Both values are ours, at the start.
  'src/database/stored-secrets.ts: hash === hashOf(token)',
  // Two values of one field.
  'src/integrations/syncs/push-sending.ts: digestOf(other) === digestOf(here)',
  // Two settings of the operator's.
  'src/security/secret-box.ts: secret === signingSecret',
  // A checksum against typing errors, which anybody can compute.
  'src/security/key-values.ts: checksum(value.slice(0, -6)) === value.slice(-6)',
  // The type of a value of the caller's, and a flag.
  "src/graphql/endpoint/handler.ts: persistedQuery.sha256Hash !== 'string'",
  'src/http/response.ts: result.isWithoutSecrets === true',
  // Punctuators of a document.
  'src/graphql/endpoint/literals.ts: before === TokenKind.AT',
  'src/graphql/endpoint/literals.ts: last === TokenKind.BRACE_R',
  // Hashes that everybody with the entries can compute.
  'src/administration/audit-chain.ts: hash !== endHash',
  'src/administration/audit-chain.ts: hashOfEntry(previous, position, entry) !== entry.hash',
  // Digests of the rows of two databases of the operator's.
  'src/database/move/move.ts: before.digest !== after.digest',
  // The signature of the link was verified before; and a token of ours that was read twice.
  'src/integrations/connections/link.ts: connection.linkNonce !== nonce',
  'src/integrations/connections/link.ts: found?.connection.linkNonce !== nonce',
  'src/integrations/connections/sign-in.ts: stored.refreshToken !== refreshToken',
  // Shows whether a record changed.
  'src/integrations/connectors/tryton/changes.ts: known.get(String(record.platform_id)) !== digestOf(record)',
  'src/integrations/books/source-transactions.statements.ts: hashes.get(transaction.platformId) !== hash',
  'src/integrations/syncs/push.ts: digestOf(earlier) === digestOf(form)',
  'src/integrations/syncs/duplicates.ts: digestOf(current[name] ?? null) !== digestOf(form[name] ?? null)',
  "src/integrations/syncs/push-outcome.ts: sourceDigest(coerce({ ...met, platform_id: platformId }, 'data')) === hash",
  'src/integrations/syncs/push-outcome.ts: digestOf(current.record) === digestOf(stored.record)',
  'src/integrations/syncs/push-sending.ts: digestOf(form) !== digestOf(stored.record)',
  'src/integrations/syncs/push-sending.ts: sourceDigest(there) === stored.sourceHash',
  'src/integrations/syncs/push-sending.ts: digestOf(here) === digestOf(there)',
  'src/integrations/writes/record.statements.ts: value === GIVEN_HASH',
  'src/integrations/writes/record.statements.ts: value !== KNOWN_HASH',
  'src/integrations/writes/source-versions.ts: digestOf(kept ?? null) !== digestOf(sent)',
  'src/integrations/writes/source-versions.ts: stored.dataHash === values.dataHash',
  'src/integrations/writes/source-versions.ts: stored.sourceHash === source.hash',
  'src/integrations/writes/parents.ts: stored.dataHash === values.dataHash',
  'src/integrations/writes/write.ts: stored.dataHash !== values.dataHash',
];
const secretName = /hash|signature|secret|token|nonce|password|digest|checksum|hmac|apikey|keyvalue|formkey/i;

/** Comparisons in a source in which one of the two values is named like a secret. */
function comparisonsIn(text: string): string[] {
  const operand = String.raw`[\w.!?#]+(?:\([^()]*(?:\([^()]*\)[^()]*)?\))?`;
  return [...text.matchAll(new RegExp(`(${operand}) [!=]==? (${operand}|'[^']*')`, 'g'))]
    .filter(
      // The kind of a setting is no secret.
      ([, left, right]) =>
        !/\bkind$/.test(left!) &&
        secretName.test(`${left} ${right}`) &&
        !/^(null|undefined|''|\d+)$/.test(right!) &&
        !/\.length$/.test(left!),
    )
    .map(([comparison]) => comparison);
}

/** Builds of the formatter for other systems. The lock file has no integrity hash for them, because no reachable registry had them. */
const unpinned = [
  'android-arm64',
  'android-x64',
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-musl',
  'linux-x64-musl',
  'win32-arm64',
  'win32-x64',
].map((system) => `package-lock.json: node_modules/@biomejs/cli-${system}`);

describe('the code', () => {
  it('secrets are compared in constant time', () => {
    const files = ['src', 'rest-compat', 'site'].flatMap((folder) =>
      readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
        // The words of an address are called tokens.
        .filter((file) => file.endsWith('.ts') && !/^(address\/|pages\/)|(^|\/)node_modules\//.test(file))
        .map((file) => join(folder, file)),
    );
    const found = files.flatMap((file) => comparisonsIn(readFileSync(packagePath(file), 'utf8')).map((text) => `${file}: ${text}`));
    expect(found.sort()).toEqual([...harmless].sort());
    expect(comparisonsIn('if (given === secret) return signature !== expected.signature;')).toHaveLength(2);
  });

  it('only listed packages run scripts at installation, and every package is pinned by its content', () => {
    const { allowScripts } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { allowScripts: Record<string, boolean> };
    const locks = readdirSync(packagePath(), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /(^|\/)package-lock\.json$/.test(file) && !/(^|\/)node_modules\//.test(file),
    );
    interface Entry {
      integrity?: string;
      link?: boolean;
      hasInstallScript?: boolean;
    }
    const entries = locks.flatMap((lock) =>
      Object.entries((JSON.parse(readFileSync(packagePath(lock), 'utf8')) as { packages: Record<string, Entry> }).packages).map(
        ([path, entry]) => ({ lock, path, name: path.split('node_modules/').at(-1)!, ...entry }),
      ),
    );
    const scripted = entries.filter(({ lock, hasInstallScript }) => lock === 'package-lock.json' && hasInstallScript);
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted.map(({ name }) => name))].sort());
    const loose = entries.filter(({ path, link, integrity }) => path !== '' && !link && !/^sha(512|1)-/.test(integrity ?? ''));
    expect(loose.map(({ lock, path }) => `${lock}: ${path}`)).toEqual(unpinned);
    console.log(`secrets: ${entries.length} entries in ${locks.length} lock files, ${loose.length} of them not pinned by their content`);
  });
});

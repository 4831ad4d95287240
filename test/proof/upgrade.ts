// An upgrade from long ago: builds the program of 6edad5e from the history, fills a database with it, dumps it, restores the dump, migrates it with the program
// of the checkout, and compares what both show over REST value by value. Repeated writes must write nothing, and the audit log must be sorted by time.
// node test/proof/upgrade.ts, after `npm run build`; needs DATABASE_URL, pg_dump and the commit in the history. Ends with 3 where one is missing.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const COMMIT = '6edad5e';
const LACKING = 3;
/** The lists of a company that are filled beyond the demo data, and the records that each gets. */
const FILLED = ['accounts', 'items', 'tax_rates', 'contacts'];
const RECORDS = 1_000;
const ADMIN_TOKEN = 'admin-token-of-the-upgrade';
const root = join(import.meta.dirname, '../..');
const server = process.env.DATABASE_URL ?? '';
const MAX_PAGES = 100;

type Json = null | string | number | boolean | Json[] | { [name: string]: Json };

interface Program {
  base: string;
  bearer: string;
  apiKey: string;
  stop(): Promise<void>;
}

async function startProgram(folder: string, database: string): Promise<Program> {
  const env = {
    ...process.env,
    DATABASE_URL: database,
    PORT: '0',
    HOST: '127.0.0.1',
    DEMO_DATA: 'true',
    LOG_LEVEL: 'error',
    ADMIN_TOKEN,
    RATE_LIMIT_PER_MINUTE: '0',
    DRAIN_SECONDS: '0',
  };
  const child: ChildProcess = spawn('node', ['dist/src/main.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const text of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    const port = /listening on \S+:(\d+)/.exec(output)?.[1];
    if (!port) continue;
    child.stdout!.resume();
    const key = (header: string): string => new RegExp(`${header}(ent_\\w+)`).exec(output)?.[1] ?? '';
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    };
    return { base: `http://127.0.0.1:${port}`, bearer: key('Bearer '), apiKey: key('api_key: '), stop };
  }
  throw new Error(`the program of ${folder} ended:\n${output}`);
}

interface Keys {
  bearer: string;
  apiKey: string;
}

async function send({ base }: Program, { bearer, apiKey }: Keys, method: string, path: string, body?: unknown, headers: object = {}) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, api_key: apiKey, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: (text.startsWith('{') ? JSON.parse(text) : null) as Record<string, Json> | null };
}

const admin = (program: Program, query: string) =>
  send(program, { bearer: ADMIN_TOKEN, apiKey: ADMIN_TOKEN }, 'POST', '/graphql', { query }).then(({ text, body }) => {
    if (!body || 'errors' in body) throw new Error(text);
    return body.data as Record<string, Json>;
  });

/** A write with a key that it is repeated by, and its response. */
interface Repeated {
  path: string;
  body: unknown;
  key: string;
  response: string;
}

/** Writes next to the demo data: what callers write, a batch, keys that are issued and revoked, webhooks, idempotent writes. */
async function fill(program: Program): Promise<Repeated[]> {
  const post = async (path: string, body: unknown, headers: object = {}): Promise<string> => {
    const response = await send(program, program, 'POST', path, body, headers);
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.text;
  };
  const company = '/v4/core/companies/1';
  const records = (name: string) =>
    Array.from({ length: RECORDS }, (_, at) => ({ platform_id: `${name}-${at}`, name: `${name} ${at} Łódź` }));
  for (const name of FILLED) await post(`${company}/${name}?run_async=true`, { data: records(name) });
  for (let at = 0; at < 60; at++)
    await post('/api/v1/corporations', { legal_name: `Corporation ${at}`, jurisdiction: at % 2 ? 'GB' : 'DE' });
  await post('/api/v1/webhooks', { url: 'https://receiver.example/hook', topics: ['CORPORATIONS.CREATED'] });
  for (let at = 0; at < 12; at++) {
    const issued = await admin(
      program,
      `mutation { issueAccessKey(input: { organisationName: "Partner ${at}", roles: [PLATFORM] }) { accessKey { id } } }`,
    );
    const { id } = (issued.issueAccessKey as { accessKey: { id: string } }).accessKey;
    if (at % 2) await admin(program, `mutation { revokeAccessKey(id: "${id}") { accessKey { id } } }`);
  }
  const repeated: Repeated[] = [];
  for (let at = 0; at < 10; at++) {
    const [path, body, key] = [`${company}/accounts`, { data: { name: `Once ${at}` } }, `once-${at}`];
    repeated.push({ path, body, key, response: await post(path, body, { 'idempotency-key': key }) });
  }
  return repeated;
}

interface List {
  path: string;
  /** How it names the cursor of the next page, in responses as in requests. */
  cursor: string;
}

/** The lists that the old program documents. */
const listsOf = (folder: string): List[] =>
  ['integrations', 'platform'].flatMap((name) => {
    const { paths } = JSON.parse(readFileSync(join(folder, `schema/openapi/${name}.json`), 'utf8')) as { paths: Record<string, object> };
    return Object.entries(paths)
      .filter(([path, methods]) => 'get' in methods && !/\{(?!companyId)/.test(path))
      .map(([path, methods]) => ({
        path: path.replace('{companyId}', '1'),
        cursor: JSON.stringify(methods).includes('"name":"next"') ? 'next' : 'cursor',
      }));
  });

/** The cursor of the next page that a response has. */
const cursorIn = (text: string, { cursor }: List): string => new RegExp(`"${cursor}":"([^"]+)"`).exec(text)?.[1] ?? '';

/** Every value of the pages of a list, by its place, without cursors and links, which are signed again, and ids of requests. */
async function valuesOf(program: Program, keys: Keys, list: List, corporation: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const visit = (value: Json, place: string): void => {
    if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) visit(inner as Json, `${place}/${name}`);
    else if (!/\/(next|prev|request_id)$|_url$|cursor/i.test(place)) found.set(place, JSON.stringify(value));
  };
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const own = list.path.includes('/products') ? `&corporation_id=${corporation}` : '';
    const next = cursor && `&${list.cursor}=${encodeURIComponent(cursor)}`;
    const response = await send(program, keys, 'GET', `${list.path}?limit=100${own}${next}`);
    if (response.status !== 200 && page > 0) throw new Error(`${list.path}, page ${page}: ${response.status} ${response.text}`);
    if (response.status !== 200) {
      // A list without pages takes no such parameters.
      const plain = await send(program, keys, 'GET', list.path);
      found.set(`${list.path} status`, String(plain.status));
      visit(plain.body, list.path);
      return found;
    }
    visit(response.body, `${list.path} page ${page}`);
    cursor = cursorIn(response.text, list);
    if (!cursor) break;
  }
  return found;
}

async function allValues(program: Program, keys: Keys, lists: readonly List[]): Promise<Map<string, string>> {
  const first = await send(program, keys, 'GET', '/api/v1/corporations?limit=1');
  const corporation = /corp_\w+/.exec(first.text)?.[0] ?? '';
  const all = new Map<string, string>();
  for (const list of lists) for (const [place, value] of await valuesOf(program, keys, list, corporation)) all.set(place, value);
  return all;
}

/** The times of the audit log, as its pages list them. */
async function auditTimes(program: Program): Promise<string[]> {
  const times: string[] = [];
  let after: string | null = null;
  do {
    const { auditLog } = (await admin(
      program,
      `{ auditLog(first: 100${after ? `, after: ${JSON.stringify(after)}` : ''}) { nodes { at } pageInfo { hasNextPage endCursor } } }`,
    )) as unknown as { auditLog: { nodes: { at: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } };
    times.push(...auditLog.nodes.map(({ at }) => at));
    after = auditLog.pageInfo.hasNextPage ? auditLog.pageInfo.endCursor : null;
  } while (after);
  return times;
}

let failures = 0;
function check(what: string, wrong: readonly unknown[]): void {
  console.log(
    `${wrong.length === 0 ? 'ok  ' : 'FAIL'} ${what}${wrong.length === 0 ? '' : `: ${wrong.length}, such as ${wrong.slice(0, 5).join('; ')}`}`,
  );
  if (wrong.length > 0) failures++;
}

async function upgrade(folder: string, database: (name: string) => Promise<string>): Promise<void> {
  const old = join(folder, 'old');
  execFileSync('sh', ['-c', `mkdir ${old} && git archive ${COMMIT} | tar --extract --directory ${old}`], { cwd: root });
  for (const words of [
    ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
    ['run', '--silent', 'build'],
  ])
    execFileSync('npm', words, { cwd: old, stdio: 'inherit' });
  const [filled, restored] = [await database('filled'), await database('restored')];
  const lists = listsOf(old);
  const before = await startProgram(old, filled);
  const repeated = await fill(before);
  // The batches end in the background.
  for (let open = 1; open > 0; ) {
    const { text } = await send(before, before, 'GET', '/v4/core/companies/1/syncs?limit=100');
    open = text.split('"endTime":null').length - 1;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const expected = await allValues(before, before, lists);
  const keys = { bearer: before.bearer, apiKey: before.apiKey };
  const next: string[] = [];
  for (const list of lists) {
    const cursor = cursorIn((await send(before, before, 'GET', `${list.path}?limit=1`)).text, list);
    if (cursor) next.push(`${list.path}?limit=1&${list.cursor}=${encodeURIComponent(cursor)}`);
  }
  await before.stop();
  const recordsOf = (list: string): number =>
    [...expected.keys()].filter((place) => place.startsWith(`/v4/core/companies/1/${list} `) && place.endsWith('/platform_id')).length;
  check(
    `the lists ${FILLED.join(', ')} are read to their end`,
    FILLED.filter((list) => recordsOf(list) < RECORDS).map((list) => `${list} has ${recordsOf(list)} records`),
  );
  execFileSync('sh', ['-c', `pg_dump --format=custom '${filled}' | pg_restore --no-owner --exit-on-error --dbname='${restored}'`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const migrate = spawnSync('node', ['dist/src/admin/main.js', 'migrate'], { cwd: root, env: { ...process.env, DATABASE_URL: restored } });
  check('the migrations of all releases since then are applied', migrate.status === 0 ? [] : [migrate.stderr.toString()]);
  const after = await startProgram(root, restored);
  try {
    const seen = await allValues(after, keys, lists);
    const changed = [...expected].filter(([place, value]) => seen.has(place) && seen.get(place) !== value);
    const missing = [...expected.keys()].filter((place) => !seen.has(place));
    check(
      `${expected.size} values of ${lists.length} lists are the same`,
      changed.map(([place, value]) => `${place}: ${value} became ${seen.get(place)}`),
    );
    check('no value is missing', missing);
    const notEnded: string[] = [];
    for (const path of next) {
      const { status, text } = await send(after, keys, 'GET', path);
      if (status !== 400 || !text.includes('"INVALID_CURSOR"')) notEnded.push(`${path}: ${status} ${text.slice(0, 200)}`);
    }
    check(`the cursors of ${next.length} lists from before have ended, as docs/operations/upgrade.md says`, notEnded);
    // A release since then reads the content of a request before it compares it, so keys of before are known and reported as used otherwise.
    const others: string[] = [];
    for (const { path, body, key, response } of repeated) {
      const again = await send(after, keys, 'POST', path, body, { 'idempotency-key': key });
      if (again.text !== response && !again.text.includes('IDEMPOTENCY_KEY_REUSED')) others.push(`${key}: ${again.text.slice(0, 200)}`);
    }
    const session = new pg.Client(restored);
    await session.connect();
    const { rows } = await session.query("select count(*)::int as count from account where name like 'Once %'");
    await session.end();
    if (rows[0].count !== repeated.length) others.push(`${rows[0].count} accounts`);
    check(`${repeated.length} repeated writes write nothing`, others);
    for (let at = 0; at < 3; at++)
      await send(after, keys, 'POST', '/api/v1/corporations', { legal_name: `Later ${at}`, jurisdiction: 'GB' });
    const times = await auditTimes(after);
    const sorted = [...times].sort().reverse();
    check(
      `${times.length} entries of the audit log, from before and after the upgrade, are newest first`,
      times.filter((time, at) => time !== sorted[at]),
    );
    const verify = spawnSync('node', ['dist/src/admin/main.js', '--url', after.base, 'audit', 'verify'], {
      cwd: root,
      env: { ...process.env, ADMIN_TOKEN },
    });
    check('the chains of the audit log are whole', verify.status === 0 ? [] : [verify.stdout.toString() + verify.stderr.toString()]);
  } finally {
    await after.stop();
  }
}

const known = spawnSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: root }).status === 0;
if (!known || !server || spawnSync('pg_dump', ['--version']).status !== 0) {
  console.log(`not run: ${known ? 'needs DATABASE_URL and pg_dump' : `the history lacks ${COMMIT}`}`);
  process.exit(LACKING);
}
const folder = mkdtempSync(join(tmpdir(), 'gateway-upgrade-'));
const session = new pg.Client(server);
await session.connect();
const made: string[] = [];
try {
  await upgrade(folder, async (name) => {
    const own = `gateway_upgrade_${name}_${process.pid}`;
    await session.query(`create database ${own}`);
    made.push(own);
    const url = new URL(server);
    url.pathname = own;
    return url.href;
  });
} finally {
  for (const name of made) await session.query(`drop database ${name} with (force)`);
  await session.end();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`upgrade from ${COMMIT}: ${failures} failures`);
process.exitCode = failures > 0 ? 1 : 0;

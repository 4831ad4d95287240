// Databases that are set up otherwise than the plain one: by locale, settings, owner. Responses are the same on each, or the start says what to
// change.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from '../../src/admin/store.ts';
import { foldingCheck, settingsCheck } from '../../src/database/connection/server-checks.ts';
import { openDatabase } from '../../src/database/open.ts';
import { folded } from '../../src/records/search-text.ts';
import { entities } from '../../src/registry.ts';
import { type Gateway, serverUrl, startGateway } from '../support/gateway.ts';
import { onDatabase, runOnServer } from '../support/server.ts';

/** Each value of each dimension meets each of the others at least in one row, or in the plain database. */
const SET_UP: Record<string, { locale: string; settings: Record<string, string>; isOwned: boolean }> = {
  plain: { locale: "lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'", settings: {}, isOwned: false },
  'locale C, serializable, other schema first': {
    locale: "lc_collate 'C' lc_ctype 'C'",
    settings: {
      default_transaction_isolation: "'serializable'",
      search_path: 'elsewhere, public',
      TimeZone: "'Asia/Kathmandu'",
      array_nulls: 'off',
      transform_null_equals: 'on',
      extra_float_digits: '-2',
    },
    isOwned: true,
  },
  'ICU, repeatable read, no schema': {
    locale: "locale_provider icu icu_locale 'en-US' lc_collate 'C' lc_ctype 'C'",
    settings: {
      default_transaction_isolation: "'repeatable read'",
      search_path: "''",
      TimeZone: "'America/St_Johns'",
      DateStyle: "'SQL, DMY'",
      IntervalStyle: "'sql_standard'",
      bytea_output: "'escape'",
      standard_conforming_strings: 'off',
      statement_timeout: "'1ms'",
    },
    isOwned: false,
  },
};

const NAMES = ['Москва Трейд', 'ΩMEGA Ός', 'ŁÓDŹ SP', 'Ærø Ås', 'ЁЖ', 'STRASSE ÉCOLE', "O'Brien \\ 50% _x", 'İstanbul', '1/2 ＡＢＣ'];

const removals: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const remove of removals.reverse()) await remove();
});

async function database({ locale, settings, isOwned }: (typeof SET_UP)[string]): Promise<string> {
  const id = randomUUID().slice(0, 8);
  const [name, user] = [`gateway_test_${id}`, isOwned ? `gateway_user_${id}` : 'postgres'];
  if (isOwned) {
    await runOnServer(serverUrl!, `create role ${user} login password 'of-a-test'`);
    await runOnServer(serverUrl!, 'do $$ begin create role ledger_gateway nologin; exception when duplicate_object then null; end $$');
    await runOnServer(serverUrl!, `grant ledger_gateway to ${user}`);
  }
  await runOnServer(serverUrl!, `create database ${name} encoding 'UTF8' ${locale} template template0 owner ${user}`);
  const url = new URL(onDatabase(serverUrl!, name));
  if (isOwned) Object.assign(url, { username: user, password: 'of-a-test' });
  await runOnServer(url.href, 'create schema elsewhere');
  removals.push(async () => {
    await runOnServer(serverUrl!, `drop database ${name} with (force)`);
    if (isOwned) await runOnServer(serverUrl!, `drop role ${user}`);
  });
  for (const [setting, value] of Object.entries(settings))
    await runOnServer(serverUrl!, `alter database ${name} set ${setting} = ${value}`);
  return url.href;
}

/** What the lists of a gateway return about names in either case and in parts, and about moments. */
async function listsOf(gateway: Gateway): Promise<unknown> {
  const key = await gateway.key(['PLATFORM']);
  const headers = { authorization: `Bearer ${key}` };
  for (const legal_name of NAMES) {
    const made = await gateway.send('POST', '/api/v1/corporations', { headers, body: { legal_name, jurisdiction: 'GB' } });
    expect(made.status).toBe(200);
  }
  const query = `query ($text: String!, $start: String!) {
    contains: corporations(filter: { legalName: { contains: $text } }) { nodes { legalName } }
    startsWith: corporations(filter: { legalName: { startsWith: $start } }) { nodes { legalName } }
    search: corporations(filter: { search: $text }) { nodes { legalName createdAt } }
  }`;
  const found: unknown[] = [];
  for (const name of NAMES)
    for (const text of [name, name.toLowerCase(), name.toUpperCase(), folded(name)]) {
      const { body } = await gateway.graphql(key, query, { text, start: text.slice(0, 3) });
      expect(body.errors).toBeUndefined();
      const names = Object.entries(body.data as Record<string, { nodes: { legalName: string; createdAt?: string }[] }>);
      found.push([text, names.map(([kind, { nodes }]) => [kind, nodes.map(({ legalName }) => legalName).sort()])]);
      const moments = names.flatMap(([, { nodes }]) => nodes.flatMap(({ createdAt }) => createdAt ?? []));
      expect(moments.filter((moment) => !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(moment))).toEqual([]);
    }
  return found;
}

describe.skipIf(!serverUrl)('databases that are set up otherwise (needs DATABASE_URL)', () => {
  const urls = new Map<string, string>();
  const seen = new Map<string, unknown>();

  beforeAll(async () => {
    await Promise.all(
      Object.entries(SET_UP).map(async ([what, setUp]) => {
        const url = await database(setUp);
        urls.set(what, url);
        const gateway = await startGateway({ databaseUrl: url });
        seen.set(what, await listsOf(gateway).finally(() => gateway.stop()));
      }),
    );
  }, 120_000);

  it('lists find the same names, in either case and of any script', () => {
    const plain = seen.get('plain') as [text: string, found: [kind: string, names: string[]][]][];
    for (const [text, found] of plain) expect([text, found[0]![1].length]).toEqual([text, expect.toSatisfy((count: number) => count > 0)]);
    for (const [what, found] of seen) expect(found, what).toEqual(plain);
  });

  it('the database folds every letter that it knows as the program does', async () => {
    for (const url of urls.values()) {
      const rows = await onPostgres(url, (run) =>
        run<{ letter: number; text: string }>(
          'select letter, folded_text(chr(letter)) as text from generate_series(1, 131071) letter where letter not between 55296 and 57343',
        ),
      );
      const others = rows.filter(({ letter, text }) => folded(String.fromCodePoint(letter)) !== text);
      // Letters that Unicode added in 2024 and later; an older database leaves them as they are.
      const isLater = (letter: number): boolean => letter === 0x1c89 || letter >= 0xa7cb;
      const wrong = others.filter(({ letter, text }) => !isLater(letter) || text !== String.fromCodePoint(letter));
      expect(wrong.map(({ letter }) => letter.toString(16))).toEqual([]);
      expect((await onPostgres(url, foldingCheck)).problem).toBeUndefined();
    }
  }, 60_000);

  it('sessions that mean something else, as of a pooler, are reported with what to run', async () => {
    const url = urls.get('ICU, repeatable read, no schema')!;
    // From another database: in a session of this one the error of the timeout may come after the statement has ended, when nothing awaits it.
    await runOnServer(serverUrl!, `alter database ${new URL(url).pathname.slice(1)} reset statement_timeout`);
    const { problem } = await onPostgres(url, settingsCheck, {});
    expect(problem).toContain("default_transaction_isolation = 'repeatable read'");
    expect(problem).toContain("alter role current_user set bytea_output = 'hex'");
    expect((await onPostgres(url, settingsCheck)).problem).toBeUndefined();
  });

  it('a database that takes no writes, or whose extensions are elsewhere, is rejected with what to run', async () => {
    const url = urls.get('plain')!;
    const open = () => openDatabase({ url, entities, log: () => {} });
    await runOnServer(url, 'alter extension pg_trgm set schema elsewhere');
    await expect(open()).rejects.toThrow('alter extension pg_trgm set schema public');
    await runOnServer(url, 'alter extension pg_trgm set schema public');
    await runOnServer(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
    await expect(open()).rejects.toThrow(
      "set default_transaction_read_only = off; alter role current_user set default_transaction_read_only = 'off'",
    );
  });
});

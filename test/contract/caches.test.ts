// Caches belong to the gateway that fills them: two gateways of one process share none, /metrics shows their entries, and a stop empties them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Services } from '../../src/access/context.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { ADMIN_TOKEN, type Gateway, startGateway, useGateway } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { platformCaller } from '../support/platform.ts';
import { buildCompany } from '../support/records.ts';

const USED = [
  'access_keys',
  'companies',
  'customs_tables',
  'documents',
  'geocoder',
  'iso_3166',
  'locale_names',
  'operations',
  'queries',
  'registration_content',
];

const used = ({ caches }: Services): string[] => [...caches.sizes()].filter(([, size]) => size > 0).map(([name]) => name);

/** Sends requests that fill the caches. */
async function fill(gateway: Gateway): Promise<void> {
  const { key, id } = await buildCompany(gateway);
  await gateway.graphql(key, `{ company(id: ${id}) { name } }`);
  const platform = await platformCaller(gateway, '/api/v1');
  await platform.product(await platform.corporation());
  const read = await gateway.graphql(
    await gateway.key(['PLATFORM', 'GEOCODE']),
    `{ geocode(address: "Unter den Linden 1, Berlin") { match } countries { names(languages: ["fr"]) { name } }
       registrationJurisdictions(input: {}) { jurisdictions { name } } }`,
  );
  expect(read.body.errors, read.text).toBeUndefined();
}

// Both get the same requests, so that their records have the same numbers.
const [first, second] = [useGateway(), useGateway()];

it('what a gateway has read is cached there alone, shown on /metrics, and dropped when it stops', {
  timeout: 120_000,
}, async () => {
  const gateway = await startGateway();
  const before = used(second.services);
  await fill(gateway);
  expect(used(gateway.services)).toEqual(expect.arrayContaining(USED));
  expect(used(second.services)).toEqual(before);
  const text = await metricsOf(gateway.origin, ADMIN_TOKEN);
  for (const cache of USED) expect(text).toMatch(new RegExp(`^gateway_cache_entries\\{cache="${cache}"\\} [1-9]`, 'm'));
  await gateway.stop();
  expect(used(gateway.services)).toEqual([]);
});

describe('two gateways', () => {
  it('companies of the same number are those of each database', async () => {
    const name = async (gateway: Gateway, own: string): Promise<{ ledgerId: number; name: string }> => {
      const { key, id } = await buildCompany(gateway, { name: own });
      return (await gateway.graphql(key, `{ company(id: ${id}) { ledgerId name } }`)).body.data.company;
    };
    const [mine, theirs] = [await name(first, 'Mine'), await name(second, 'Theirs')];
    expect(mine.name).toBe('Mine');
    expect(theirs).toEqual({ ledgerId: mine.ledgerId, name: 'Theirs' });
  });

  it('a table that one of them loads is in force there alone', async () => {
    const load = 'mutation { ingestHsCodes(input: { json: ["490590"] }) { entries } }';
    expect((await first.graphql(ADMIN_TOKEN, load)).body.data.ingestHsCodes.entries).toBe(1);
    const set = async (gateway: Gateway): Promise<string> => {
      const caller = await platformCaller(gateway, '/api/v1');
      const product = await caller.product(await caller.corporation());
      return (await caller.send('POST', `/products/${product}/customs-code`, { country: 'US', customs_code: '8471300100' })).body.message;
    };
    expect(await set(first)).toContain('is not a six-digit code of the loaded');
    expect(await set(second)).toBe('Customs code set');
  });
});

/** Files with what follows from declarations or a schema alone, computed once; it is the same for every gateway of the process. */
const METADATA = [
  'src/records/decorators.ts',
  'src/records/summaries.ts',
  'src/graphql/input/input-coercion.ts',
  'src/graphql/input-types.ts',
  'src/graphql/rest/rest-words.ts',
  'src/integrations/writes/change.ts',
];

it('no module holds a cache, save of what follows from declarations alone', () => {
  const holders = ['src', 'rest-compat', 'site'].flatMap((folder) =>
    readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/(^|\/)(app|built|build-package|node_modules)\//.test(file))
      .map((file) => join(folder, file))
      .filter((file) => /^(export )?(const|let) \w+[^=\n]* = new (WeakMap|LRUCache)\b/m.test(readFileSync(packagePath(file), 'utf8'))),
  );
  expect(holders.sort()).toEqual([...METADATA].sort());
});

// The Harmonized System: browsing, searching, suggestions for products, descriptions next to their codes, on GraphQL and REST.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { HarmonizedSystem, harmonizedSystem } from '../../../src/platform/customs/harmonized-system.ts';
import { TariffSearch } from '../../../src/platform/customs/tariff-search.ts';
import { useGateway } from '../../support/gateway.ts';
import { buildCaller, buildCorporation, type Caller } from '../../support/registrations.ts';

const gateway = useGateway();
let caller: Caller;
beforeAll(async () => {
  caller = await buildCaller(gateway);
});

const list = async (args: string): Promise<{ code: string; description: string; level: number; parent: string | null }[]> => {
  const response = await gateway.graphql(caller.key, `{ customsCodes(${args}) { nodes { code description level parent } } }`);
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.customsCodes.nodes;
};
const suggest = async (name: string, description?: string): Promise<{ code: string; score: number; reasons: string[] }[]> => {
  const query =
    'query ($name: String!, $description: String) { suggestCustomsCodes(name: $name, description: $description) { code score reasons } }';
  return (await gateway.graphql(caller.key, query, { name, description })).body.data.suggestCustomsCodes;
};

describe('browsing', () => {
  it('every code is reached from the sections, once', async () => {
    const system = gateway.services.caches.of(harmonizedSystem).get();
    const seen: string[] = [];
    const walk = (parent: string | null): void => {
      for (const { code } of system.below(parent)) {
        seen.push(code);
        walk(code);
      }
    };
    walk(null);
    expect(seen.length).toBe(system.entries.length);
    expect(new Set(seen)).toEqual(new Set(system.entries.map(({ code }) => code)));
    expect([0, 2, 4, 6].map((level) => system.entries.filter((entry) => entry.level === level).length)).toEqual([21, 96, 1_228, 5_612]);
  });

  it('sections, chapters, headings and codes are each under the one before', async () => {
    expect((await list('first: 2')).map(({ code, level, parent }) => [code, level, parent])).toEqual([
      ['I', 0, null],
      ['II', 0, null],
    ]);
    expect((await list('parent: "xvi"')).map(({ code }) => code)).toEqual(['84', '85']);
    expect((await list('parent: "8471"'))[0]).toMatchObject({ code: '847130', level: 6, parent: '8471' });
    expect(await list('parent: "847130"')).toEqual([]);
  });

  it('codes are taken with full stops, blanks and digits of other widths', async () => {
    for (const parent of ['84.71', '84 71', ' 8471 ']) expect((await list(`parent: "${parent}"`))[0]).toMatchObject({ code: '847130' });
    expect(await list('search: "８４７１．３０"')).toEqual(await list('search: "847130"'));
  });

  it('a parent outside the system, and more than can be listed, are rejected by name', async () => {
    const refused = async (args: string) =>
      (await gateway.graphql(caller.key, `{ customsCodes(${args}) { edition } }`)).body.errors[0].extensions;
    expect(await refused('parent: "7700"')).toMatchObject({ code: 'CUSTOMS_CODE_NOT_FOUND', field: 'parent' });
    expect(await refused('first: 201')).toMatchObject({ code: 'INVALID_PARAMS', field: 'first' });
    expect(await refused(`search: "${'x'.repeat(201)}"`)).toMatchObject({ code: 'INVALID_PARAMS', field: 'search' });
    const rest = await caller.get('/customs-codes?parent=7700');
    expect([rest.status, rest.body.error.code]).toEqual([400, 'CUSTOMS_CODE_NOT_FOUND']);
  });
});

describe('searching', () => {
  it('words find codes by their stems, digits by their beginning, both within a parent', async () => {
    expect((await list('search: "umbrella", first: 3')).map(({ code }) => code.slice(0, 4))).toContain('6601');
    expect((await list('search: "8471.30"')).map(({ code }) => code)).toEqual(['847130']);
    expect((await list('search: "8471300100"')).map(({ code }) => code)).toEqual(['847130']);
    expect((await list('search: "cotton", parent: "XI", first: 50')).every(({ code }) => code >= '50' && code < '64')).toBe(true);
    expect(await list('search: "zzzz"')).toEqual([]);
    expect(await list('search: "of the"')).toEqual([]);
  });

  it('REST has the same codes', async () => {
    const response = await caller.get('/customs-codes?search=umbrella&limit=5');
    expect(response.body.data.customs_codes).toEqual(await list('search: "umbrella", first: 5'));
  });
});

describe('suggestions', () => {
  /** The names of a list whose heading is among the first five suggestions. */
  function found(file: string): { hits: number; of: number; misses: string[] } {
    const search = new TariffSearch(new HarmonizedSystem());
    const cases = readFileSync(join(import.meta.dirname, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t') as [string, string]);
    const misses = cases.flatMap(([name, headings]) =>
      search.suggest(name, '', 5).some(({ entry }) => headings.split(' ').includes(entry.code.slice(0, 4))) ? [] : [name],
    );
    return { hits: cases.length - misses.length, of: cases.length, misses };
  }

  it('the right heading is among the first five, for the names it was built with and for those kept apart', () => {
    const tuned = found('names-tuning.tsv');
    const apart = found('names-judging.tsv');
    console.log(`names it was built with: ${tuned.hits} of ${tuned.of}; misses: ${tuned.misses.join(', ')}`);
    console.log(`names kept apart: ${apart.hits} of ${apart.of}`);
    expect(tuned.hits / tuned.of).toBeGreaterThan(0.97);
    expect(apart.hits / apart.of).toBeGreaterThan(0.8);
  });

  it('at most five six-digit codes of different headings, the best first, each with its reasons', async () => {
    const suggested = await suggest('stainless steel water bottle', 'keeps drinks cold');
    expect(suggested.length).toBe(5);
    expect(new Set(suggested.map(({ code }) => code.slice(0, 4))).size).toBe(5);
    const scores = suggested.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(suggested.every(({ code, score, reasons }) => /^[0-9]{6}$/.test(code) && score > 0 && score <= 1 && reasons.length > 0)).toBe(
      true,
    );
    const rest = await caller.get('/customs-codes/suggestions?name=stainless+steel+water+bottle&description=keeps+drinks+cold');
    expect(rest.body.data.suggestions.map(({ code }: { code: string }) => code)).toEqual(suggested.map(({ code }) => code));
  });

  it('a name without a word of the system has none; one that is blank or too long is rejected', async () => {
    expect(await suggest('§§§ ☃')).toEqual([]);
    for (const blank of ['', '+']) {
      const response = await caller.get(`/customs-codes/suggestions?name=${blank}`);
      expect([response.status, response.body.error.code, response.body.message]).toEqual([400, 'MISSING_PARAMS', 'name is required']);
    }
    const long = await caller.get(`/customs-codes/suggestions?name=${'x'.repeat(501)}`);
    expect([long.status, long.body.error.code]).toEqual([400, 'INVALID_PARAMS']);
  });
});

describe('products', () => {
  it('a code has its description; one outside the system none, and a warning', async () => {
    const corporationId = await buildCorporation(caller);
    const made = await caller.post('/products', { corporation_id: corporationId, name: 'Laptop' });
    const id = made.body.data.id;
    const set = (country: string, customsCode: string) =>
      gateway.graphql(
        caller.key,
        `mutation { setCustomsCode(input: { id: "${id}", country: "${country}", customsCode: "${customsCode}" }) { warnings product { customsCodes { country description } } } }`,
      );
    expect((await set('US', '8471.30.0100')).body.data.setCustomsCode).toEqual({
      warnings: [],
      product: { customsCodes: [{ country: 'US', description: expect.stringContaining('portable') }] },
    });
    const outside = (await set('DE', '84719999')).body.data.setCustomsCode;
    expect(outside.warnings).toEqual(['847199 is not a six-digit code of the loaded Harmonized System list']);
    expect(outside.product.customsCodes).toContainEqual({ country: 'DE', description: null });
  });

  it('every way to store a code warns of one outside the system', async () => {
    const corporationId = await buildCorporation(caller);
    const outside = '851712 is not a six-digit code of the loaded Harmonized System list';
    const details = { customs_jurisdiction_details: { US: '8517.12.0050' } };
    const made = await caller.post('/products', { corporation_id: corporationId, name: 'Phone', ...details });
    expect([made.status, made.body.message]).toEqual([200, expect.stringContaining(outside)]);
    const { id } = made.body.data;
    expect((await caller.post(`/products/${id}`, { name: 'Telephone', ...details })).body.message).toContain(outside);
    expect((await caller.post(`/products/${id}/customs-code`, { country: 'US', customs_code: '8517.12.0050' })).body.message).toContain(
      outside,
    );
    const codes = 'customsCodes: [{ country: "US", customsCode: "8517.12.0050" }]';
    const created = await gateway.graphql(
      caller.key,
      `mutation { createProduct(input: { corporationId: "${corporationId}", name: "Phone", ${codes} }) { warnings } }`,
    );
    expect(created.body.data.createProduct.warnings).toEqual([outside]);
    const updated = await gateway.graphql(caller.key, `mutation { updateProduct(input: { id: "${id}", ${codes} }) { warnings } }`);
    expect(updated.body.data.updateProduct.warnings).toEqual([outside]);
  });
});

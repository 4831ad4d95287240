// The REST documentation: every operation with prose, an example and its errors; descriptions that only repeat a name are rejected.
import { describe, expect, it } from 'vitest';
import { tagOf } from '../../rest-compat/openapi/operation.ts';
import { readRecordings } from '../../rest-compat/openapi/recordings.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { operationName } from '../../rest-compat/runtime/stored-operation.ts';
import { pagesModel } from '../../site/pages/gateway-model.ts';
import { javascriptOf, pythonOf } from '../../site/pages/reference/request-programs.ts';
import type { Services } from '../../src/access/context.ts';
import { readConfig } from '../../src/config.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const schema = buildGatewaySchema(resolvers, orphanTypes);
const model = pagesModel(schema, { config: readConfig({}) } as Services, null, '1.0.0');
const operations = [...new Set(routes.map((route) => `${route.surface} ${tagOf(route)}`))].flatMap((resource) => {
  const [surface = '', tag = ''] = resource.split(' ');
  return [...model.rest.operations(surface, tag)];
});

/** The words of a text without those that any sentence has, in one form. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word && !/^(a|an|the|of|its|all|one|by|to|for|and|or|this)$/.test(word))
      .map((word) => word.replace(/(ies|es|s)$/, '')),
  );

/** Whether a description has no word besides those of the name. */
const repeats = (description: string, name: string): boolean => [...wordsOf(description)].every((word) => wordsOf(name).has(word));

describe('every operation', () => {
  it('it is described once, in its resource', () => {
    expect(operations.map(({ counterpart }) => counterpart.id).sort()).toEqual(routes.map(operationName).sort());
  });

  it('its description says more than its name and summary', () => {
    expect(
      operations
        .filter(({ description, counterpart }) => repeats(description, `${counterpart.id} ${counterpart.summary}`))
        .map(({ counterpart }) => counterpart.id),
    ).toEqual([]);
  });

  it('it shows the members that its record shares with others', () => {
    const shown = (id: string) => operations.find(({ counterpart }) => counterpart.id === id)!;
    for (const members of [shown('Account').response, shown('UpdateAccount').body])
      expect(members.map(({ name }) => name)).toEqual(expect.arrayContaining(['data.platform_id', 'data.name']));
  });

  it('it has an example with a recorded response', () => {
    // The demo ledger has no trial balance of its own.
    expect(operations.filter(({ recorded }) => !recorded).map(({ counterpart }) => counterpart.id)).toEqual(['SourceTrialBalance']);
  });

  it('it names the errors that it may give, with their statuses', () => {
    for (const { counterpart, errors, roles } of operations) {
      const codes = errors.map(({ code }) => code);
      expect(codes, counterpart.id).toContain('RATE_LIMIT_EXCEEDED');
      expect(codes.includes('UNAUTHENTICATED'), counterpart.id).toBe(roles.length > 0);
      for (const { status } of errors) expect(status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('the schema', () => {
  it('the description of a root field says more than its name', () => {
    const names = model.reference.names.filter(({ kind }) => kind !== 'types');
    expect(names.filter(({ name, description }) => repeats(description, name)).map(({ name }) => name)).toEqual([]);
  });

  it('every query, mutation and subscription but two has a recorded response', () => {
    const { graphql } = readRecordings();
    const names = model.reference.names.filter(({ kind }) => kind !== 'types').map(({ name }) => name);
    expect(names.filter((name) => !graphql[name])).toEqual(['ingestRegistrationContent', 'resolveConflict']);
    expect(Object.keys(graphql).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('programs', () => {
  const request = { method: 'POST', path: '/a', body: { text: 'it\'s "quoted"\nü', list: [], none: null, is: true } };

  it('JavaScript and Python have the same values as the request', () => {
    const credential = { header: 'api_key' } as const;
    expect(javascriptOf('http://x', request, credential)).toContain(JSON.stringify(request.body.text));
    const python = pythonOf('http://x', request, credential);
    for (const part of ['"none": None', '"is": True', '"list": []', '"api_key": "<key>"']) expect(python).toContain(part);
  });
});

describe('pages', () => {
  const gateway = useGateway();

  it('a resource shows each operation with three programs and the response', async () => {
    const { status, text } = await gateway.send('GET', '/docs/rest/platform/products', { headers: { accept: BROWSER } });
    expect(status).toBe(200);
    const own = operations.filter(({ counterpart }) => counterpart.surface === 'platform' && counterpart.tag === 'products');
    expect(own.length).toBeGreaterThan(5);
    for (const { counterpart } of own) expect(text).toContain(`<h2 id="${counterpart.id}">`);
    for (const language of ['curl', 'JavaScript', 'Python'])
      expect(text.split(`<div data-program="${language}"`).length - 1).toBe(own.length);
    expect(text).toContain('/docs/errors#DUPLICATE_SKU');
  });

  it('a resource or API that is not there is a page that says so', async () => {
    for (const path of ['platform/nothing', 'nothing/products', 'tax/products', 'platform/__proto__', 'graphql/accounts'])
      expect([path, (await gateway.send('GET', `/docs/rest/${path}`, { headers: { accept: BROWSER } })).status]).toEqual([path, 404]);
  });
});

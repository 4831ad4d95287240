// The GraphQL reference: a page for every root field and type, found by words, with examples that the schema takes.
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../rest-compat/openapi/recordings.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { readShared } from '../../site/pages/parts/share-link.ts';
import { SchemaReference } from '../../site/pages/reference/schema-reference.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const page = (path: string) => gateway.send('GET', path, { headers: { accept: 'text/html' } });
const schema = buildGatewaySchema(resolvers, orphanTypes);
const recordings = readRecordings();
const reference = new SchemaReference(
  schema,
  () => [],
  () => recordings,
);

describe('parts', () => {
  it('every root field has an example that the schema takes', () => {
    const refused = reference.names.flatMap(({ kind, name }) => {
      const { example } = reference.entry(kind, name)!;
      if (!example) return [];
      return validate(schema, parse(example.document)).map(({ message }) => `${name}: ${message}`);
    });
    expect(refused).toEqual([]);
  });

  it('every field has a place to link to, and every example opens in the playground', async () => {
    const { text } = await page('/docs/graphql/queries/company');
    expect(text).toContain('<tr id="field-id">');
    const [, fragment = ''] = /href="\/graphql#([^"]+)"/.exec(text) ?? [];
    expect(readShared(fragment.replaceAll('&amp;', '&'))!.document).toBe(reference.entry('queries', 'company')!.example!.document);
    expect((await page('/docs/graphql/types/AccountFilter')).text).toContain('<tr id="field-name">');
  });

  it('every link of a page leads to a part of the schema', () => {
    const known = new Set(reference.names.map(({ kind, name }) => `${kind}/${name}`));
    const lost = reference.names.flatMap(({ kind, name }) => {
      const { members, result, types, usedBy } = reference.entry(kind, name)!;
      const named = [...members.map(({ typeName }) => typeName), ...(result ? [result.typeName] : []), ...types];
      return [...named.map((type) => `types/${type}`), ...usedBy.map((user) => `${user.kind}/${user.name}`)]
        .filter((target) => !known.has(target))
        .map((target) => `${name}: ${target}`);
    });
    expect(lost).toEqual([]);
  });
});

describe('pages', () => {
  it('the overview lists every query, mutation, subscription and type', async () => {
    const { status, text } = await page('/docs/graphql');
    expect(status).toBe(200);
    for (const { kind, name } of reference.names) expect(text).toContain(`href="/docs/graphql/${kind}/${name}"`);
  });

  it('a root field shows arguments, response, roles, an example and its REST operations', async () => {
    const { text } = await page('/docs/graphql/mutations/createProduct');
    for (const part of [
      '<code>input</code>',
      'types/CreateProductPayload',
      '<code>PLATFORM</code>',
      'mutation CreateProduct(',
      '/api/v1/products',
      'recorded from the demo data',
      '/docs/errors#DUPLICATE_SKU',
    ])
      expect(text).toContain(part);
    const roots = routes.map(({ root }) => root).filter((root) => !root.includes('.'));
    expect(roots.filter((root) => !reference.names.some(({ name }) => name === root))).toEqual([]);
  });

  it('a type shows its fields and what uses it', async () => {
    const { text } = await page('/docs/graphql/types/Product');
    for (const part of ['<code>sku</code>', '/docs/graphql/queries/product"', 'type Product']) expect(text).toContain(part);
  });

  it('what the schema does not have is a page that says so', async () => {
    for (const path of ['types/Nothing', 'queries/__proto__', 'queries/constructor', 'things/Product', 'types/%ff', 'types/Query'])
      expect([path, (await page(`/docs/graphql/${path}`)).status]).toEqual([path, 404]);
  });
});

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

describe('the picture of the model', () => {
  interface Box {
    readonly name: string;
    readonly x: number;
    readonly y: number;
  }
  const drawingsOf = async (size: 'large' | 'small') => {
    const { text } = await page('/docs/model');
    return [...text.matchAll(new RegExp(`<svg class="${size}" viewBox="0 0 ([\\d.]+) [^]*?</svg>`, 'g'))].map(([drawing, width]) => ({
      width: Number(width),
      boxes: [...drawing.matchAll(/<a [^>]*data-name="(\w+)"><rect x="([\d.]+)" y="([\d.]+)" width="226" height="32"/g)].map(
        ([, name, x, y]): Box => ({ name: name!, x: Number(x), y: Number(y) }),
      ),
      lines: [...drawing.matchAll(/<path d="([^"]+)" data-ends="(\w+) (\w+)"/g)].map(([, path, from, to]) => ({
        path: path!,
        ends: [from!, to!],
      })),
    }));
  };
  /** Points of a path of cubic curves and horizontal lines. */
  const pointsOf = (path: string): [x: number, y: number][] => {
    const points: [number, number][] = [];
    let [x, y] = [0, 0];
    for (const [, command, given = ''] of path.matchAll(/([MCh])([^MCh]*)/g)) {
      const numbers = given.trim().split(/[ ,]+/).map(Number);
      const [x1, y1, x2, y2, x3, y3] = command === 'h' ? [x, y, x, y, x + numbers[0]!, y] : numbers;
      if (command !== 'M')
        for (let step = 1; step < 40; step++) {
          const t = step / 40;
          const along = (a: number, b: number, c: number, d: number): number =>
            (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
          points.push([along(x, x1!, x2!, x3!), along(y, y1!, y2!, y3!)]);
        }
      [x, y] = command === 'M' ? [x1!, y1!] : [x3!, y3!];
    }
    return points;
  };

  it.each(['large', 'small'] as const)('has no line across a box, and each line ends at its boxes: %s', async (size) => {
    const drawings = await drawingsOf(size);
    expect(drawings).toHaveLength(2);
    for (const { boxes, lines } of drawings) {
      expect(boxes.length).toBeGreaterThan(15);
      expect(lines.length).toBeGreaterThan(15);
      const names = new Set(boxes.map(({ name }) => name));
      const crossed = lines.flatMap(({ path, ends }) => {
        expect(ends.every((end) => names.has(end))).toBe(true);
        const points = pointsOf(path);
        return boxes
          .filter((box) => points.some(([x, y]) => x > box.x + 1 && x < box.x + 225 && y > box.y && y < box.y + 32))
          .map(({ name }) => `${ends}: ${name}`);
      });
      expect(crossed).toEqual([]);
    }
  });

  it('has one column on a phone, which fits without scrolling', async () => {
    for (const { boxes, lines, width } of await drawingsOf('small')) {
      expect(new Set(boxes.map(({ x }) => x)).size).toBe(1);
      expect(width).toBeLessThan(400);
      for (const { path } of lines) for (const [x] of pointsOf(path)) expect(x).toBeLessThan(width);
    }
  });
});

// The search over types, operations, paths, errors, guides and limits: what is meant comes first, and everything has a place.
import { beforeAll, describe, expect, it } from 'vitest';
import { pagesModel } from '../../site/pages/gateway-model.ts';
import { readGuides } from '../../site/pages/guides.ts';
import { type Findable, findables, searched } from '../../site/pages/search.ts';
import { useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const gateway = useGateway();
let all: Findable[];
beforeAll(() => {
  const { services } = gateway;
  all = findables(pagesModel(services.schema, services, null, '1.0.0'), readGuides());
});

describe('search', () => {
  it.each([
    ['PurchaseOrder', 'PurchaseOrder', 'type'],
    ['purchase order', 'PurchaseOrder', 'type'],
    ['createProd', 'createProduct', 'mutation'],
    ['STALE_RECORD', 'STALE_RECORD', 'error'],
    ['stale', 'STALE_RECORD', 'error'],
    ['/api/v1/webhooks/{id}', 'GET /api/v1/webhooks/{id}', 'REST'],
    ['verify signature', 'Receive webhooks', 'guide'],
  ])('%s finds %s, the %s, first', (query, name, kind) => {
    const [first] = searched(all, query);
    expect([first?.name, first?.kind]).toEqual([name, kind]);
  });

  it('a type comes before the types that were made for its lists', () => {
    const names = searched(all, 'purchaseorder').map((hit) => hit.name);
    expect(names.indexOf('createPurchaseOrder')).toBeGreaterThan(0);
    expect(names.indexOf('createPurchaseOrder')).toBeLessThan(names.indexOf('PurchaseOrderConnection'));
  });

  it('words that are nowhere find nothing, and no words neither', () => {
    for (const query of ['zebra quagga', ' \u0000 ', '', '***']) expect(searched(all, query)).toEqual([]);
  });

  it('every kind of thing is found, at a page that is there', async () => {
    const kinds = [...new Set(all.map(({ kind }) => kind))];
    expect(kinds.sort()).toEqual(['REST', 'error', 'example', 'guide', 'limit', 'mutation', 'query', 'subscription', 'type']);
    for (const kind of kinds) {
      const found = all.filter((entry) => entry.kind === kind).at(-1)!;
      const { status, text } = await gateway.send('GET', found.address.replace(/#.*/, ''), { headers: { accept: BROWSER } });
      expect(status, found.address).toBe(200);
      const [, fragment] = found.address.split('#');
      if (fragment && !fragment.includes('=')) expect(text, found.address).toContain(`id="${fragment}"`);
    }
  });

  it('the page shows what was asked for as text, and takes any query', async () => {
    const page = (query: string) => gateway.send('GET', `/docs/search?q=${query}`, { headers: { accept: BROWSER } });
    const { status, text } = await page(encodeURIComponent('<script>alert(1)</script>'));
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    for (const query of ['%ff&q=%00', '%F0%9F%8D%8B', 'a'.repeat(5_000)]) expect((await page(query)).status).toBe(200);
  });
});

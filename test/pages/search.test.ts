// The search over guides, types, operations, paths, errors and limits: what a reader means comes first, and everything has a place.
import { beforeAll, describe, expect, it } from 'vitest';
import { pagesModel } from '../../site/pages/gateway-model.ts';
import { readGuides } from '../../site/pages/guides.ts';
import { type Search, searchOver } from '../../site/pages/search.ts';
import { useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const gateway = useGateway();
let search: Search;
beforeAll(() => {
  const { services } = gateway;
  search = searchOver(pagesModel(services.schema, services, null, '1.0.0'), readGuides());
});

const guide = (name: string): string => `/docs/guides/${name}`;

/** What readers type, and the beginning of the address that they are looking for. */
const QUESTIONS: readonly (readonly [query: string, address: string])[] = [
  ['pagination', guide('lists')],
  ['paging', guide('lists')],
  ['next page', guide('lists')],
  ['sort', guide('lists')],
  ['order by', guide('lists')],
  ['filter by date', guide('lists')],
  ['date range', guide('lists')],
  ['aggregate', guide('lists')],
  ['sum by month', guide('lists')],
  ['total count', guide('lists')],
  ['profit and loss', guide('reports')],
  ['balance sheet', guide('reports')],
  ['who owes me money', guide('reports')],
  ['aged receivables', guide('reports')],
  ['cash flow', guide('reports')],
  ['report as csv', guide('reports')],
  ['idempotency', guide('writes')],
  ['etag', guide('writes')],
  ['if-match', guide('writes')],
  ['concurrent update', guide('writes')],
  ['bulk upsert', guide('writes')],
  ['batch writes', guide('writes')],
  ['update line items', '/docs/graphql/mutations/updateLineItems'],
  ['journal entry', guide('books')],
  ['refund', guide('books')],
  ['credit note', guide('books')],
  ['create invoice', '/docs/graphql/mutations/createInvoice'],
  ['invocie', '/docs/graphql/mutations/updateInvoice'],
  ['purchase order', '/docs/graphql/types/PurchaseOrder'],
  ['webhooks', guide('webhooks')],
  ['webhook signature', guide('webhooks')],
  ['verify signature', guide('webhooks')],
  ['verify hmac', guide('webhooks')],
  ['callback url', guide('webhooks')],
  ['subscription', guide('live-data')],
  ['websocket', guide('live-data')],
  ['realtime', guide('live-data')],
  ['sse', guide('live-data')],
  ['polling changes', guide('feeds')],
  ['incremental sync', guide('feeds')],
  ['authentication', guide('keys')],
  ['login', guide('keys')],
  ['api key', guide('keys')],
  ['permissions', guide('keys')],
  ['rate limit', guide('keys')],
  ['429', guide('keys')],
  ['quickstart', guide('quickstart')],
  ['getting started', guide('quickstart')],
  ['sandbox', guide('quickstart')],
  ['connect xero', guide('connect-a-ledger')],
  ['quickbooks', guide('connect-a-ledger')],
  ['import csv', guide('files')],
  ['bank statement', guide('files')],
  ['upload', guide('files')],
  ['react', guide('screens')],
  ['sdk', guide('code-generation')],
  ['typescript types', guide('code-generation')],
  ['error codes', guide('errors')],
  ['error handling', guide('errors')],
  ['persisted queries', guide('transport')],
  ['mcp', guide('agents')],
  ['geocode address', '/docs/graphql/queries/geocode'],
];

describe('search', () => {
  it.each(QUESTIONS)('%s leads to %s within the first three', async (query, address) => {
    const hits = (await search(query)).slice(0, 3);
    expect(
      hits.map((hit) => hit.address).some((found) => found.startsWith(address)),
      JSON.stringify(hits.map((hit) => hit.address)),
    ).toBe(true);
  });

  it.each([
    ['PurchaseOrder', 'PurchaseOrder', 'type'],
    ['purchase order', 'PurchaseOrder', 'type'],
    ['createProd', 'createProduct', 'mutation'],
    ['STALE_RECORD', 'STALE_RECORD', 'error'],
    ['/api/v1/webhooks/{id}', 'GET /api/v1/webhooks/{id}', 'REST'],
  ])('%s finds %s, the %s, first', async (query, name, kind) => {
    const [first] = await search(query);
    expect([first?.name, first?.kind]).toEqual([name, kind]);
  });

  it('shows the sentence that has the words, and which of them matched', async () => {
    const found = (await search('hmac')).find(({ name }) => name === 'Receive webhooks');
    expect(found).toMatchObject({
      name: 'Receive webhooks',
      excerpt: expect.stringContaining('HMAC-SHA256'),
      terms: expect.arrayContaining(['hmac']),
    });
    const { text } = await gateway.send('GET', '/docs/search?q=hmac', { headers: { accept: BROWSER } });
    expect(text).toContain('<mark>HMAC</mark>');
  });

  it('words that are nowhere find nothing, and no words neither', async () => {
    for (const query of ['zzyzx qqqq', ' \u0000 ', '', '***']) expect(await search(query)).toEqual([]);
  });

  it('every kind of thing is found, at a page that is there', async () => {
    const found = (
      await Promise.all(['webhook', 'invoice', 'stale', 'totals', 'account', 'page size', 'event', 'company'].map(search))
    ).flat();
    const kinds = new Map(found.map((hit) => [hit.kind, hit]));
    expect([...kinds.keys()].sort()).toEqual(['REST', 'error', 'example', 'guide', 'limit', 'mutation', 'query', 'subscription', 'type']);
    for (const { address } of kinds.values()) {
      const { status, text } = await gateway.send('GET', address.replace(/#.*/, ''), { headers: { accept: BROWSER } });
      expect(status, address).toBe(200);
      const [, fragment] = address.split('#');
      if (fragment && !fragment.includes('=')) expect(text, address).toContain(`id="${fragment}"`);
    }
  });

  it('the page shows what was asked for as text, and takes any query', async () => {
    const page = (query: string) => gateway.send('GET', `/docs/search?q=${query}`, { headers: { accept: BROWSER } });
    const { status, text } = await page(encodeURIComponent('<script>alert(1)</script>'));
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    for (const query of ['%ff&q=%00', '%F0%9F%8D%8B', 'a'.repeat(5_000), 'a%20'.repeat(2_000)])
      expect((await page(query)).status).toBe(200);
  });
});

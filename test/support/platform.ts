// A caller of the platform API for tests, and records to send.
import type { Gateway, GatewayResponse } from './gateway.ts';

/** The bases that serve the same operations. */
export const bases = ['/api/v1', '/tax/api/v1'];

/** A request id that is the same in every response, so that responses can be compared as bytes. */
const FIXED_ID = 'the-same-request';

export interface PlatformCaller {
  key: string;
  send(method: string, path: string, body?: unknown): Promise<GatewayResponse>;
  upload(content: string | Uint8Array, options?: { name?: string; parts?: Record<string, string> }): Promise<GatewayResponse>;
  /** Creates a corporation and returns its id. */
  corporation(fields?: object): Promise<string>;
  /** Creates a product and returns its id. */
  product(corporationId: string, fields?: object): Promise<string>;
}

let turn = 0;

export const buildCorporation = (fields: object = {}): object => ({ legal_name: `Blue ${++turn} Ltd`, jurisdiction: 'GB', ...fields });
export const buildProduct = (corporationId: string, fields: object = {}): object => ({
  corporation_id: corporationId,
  name: 'Thing',
  sku: `SKU-${++turn}`,
  ...fields,
});

/** A caller with a key of its own organisation. */
export async function platformCaller(gateway: Gateway, base: string, organisation?: string): Promise<PlatformCaller> {
  const key = await gateway.key(['PLATFORM'], organisation);
  const headers = { authorization: `Bearer ${key}`, 'x-request-id': FIXED_ID };
  const send: PlatformCaller['send'] = (method, path, body) => gateway.send(method, base + path, { headers, body });
  return {
    key,
    send,
    upload: async (content, { name = 'products.csv', parts = {} } = {}) => {
      const form = new FormData();
      form.set('file', new Blob([content as string]), name);
      for (const [part, value] of Object.entries(parts)) form.set(part, value);
      const encoded = new Response(form);
      const raw = new Uint8Array(await encoded.arrayBuffer());
      return gateway.send('POST', `${base}/files`, { headers: { ...headers, 'content-type': encoded.headers.get('content-type')! }, raw });
    },
    corporation: async (fields) => (await send('POST', '/corporations', buildCorporation(fields))).body.data.id,
    product: async (corporationId, fields) => (await send('POST', '/products', buildProduct(corporationId, fields))).body.data.id,
  };
}

/** The path and query of an absolute link, to follow it on the gateway of the test. */
export const pathOfLink = (link: string): string => new URL(link).pathname + new URL(link).search;

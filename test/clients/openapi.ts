// openapi-fetch with the types of the OpenAPI documents: the platform and the integrations API.
import createClient from 'openapi-fetch';
import { expect, type Gateway } from './gateway.ts';
import type { paths as IntegrationsPaths } from './generated/integrations.d.ts';
import type { paths as PlatformPaths } from './generated/platform.d.ts';

/** Runs the scenario; returns a summary of its results. */
export async function openapiClients({ base, bearer, apiKey }: Gateway): Promise<string> {
  const platform = createClient<PlatformPaths>({ baseUrl: base, headers: { authorization: `Bearer ${bearer}` } });
  const corporation = await platform.POST('/api/v1/corporations', { body: { legal_name: 'Fetch Inc.', jurisdiction: 'US', state: 'DE' } });
  const id = corporation.data?.data.id;
  expect(id !== undefined, `a corporation, not ${JSON.stringify(corporation.error)}`);
  const product = await platform.POST('/api/v1/products', { body: { corporation_id: id, sku: 'FETCH-1', name: 'Laptop' } });
  expect(product.data?.data.sku === 'FETCH-1', 'a product');
  const again = await platform.POST('/api/v1/products', { body: { corporation_id: id, sku: 'FETCH-1' } });
  expect(again.error?.error.code === 'DUPLICATE_SKU', 'the code DUPLICATE_SKU');

  const integrations = createClient<IntegrationsPaths>({ baseUrl: base, headers: { api_key: apiKey } });
  const companies = await integrations.GET('/v4/core/companies', { params: { query: { limit: 1 } } });
  const companyId = companies.data?.data[0]?.ledger_id;
  expect(companyId !== undefined, 'a company');
  const params = { path: { companyId } };
  const body = { data: { platform_id: `fetch-${id}`, name: 'VAT 20', total_tax_rate: 20 } };
  const written = await integrations.PUT('/v4/core/companies/{companyId}/tax_rates', { params, body });
  expect(written.data?.data.sync_id.startsWith('sync_') === true, `a sync, not ${JSON.stringify(written.error)}`);
  return `product ${product.data.data.id}, ${again.error.error.code}, ${written.data.data.sync_id}`;
}

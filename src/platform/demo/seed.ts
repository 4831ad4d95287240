// Demo data of the platform API, created by the functions that serve callers.

import type { RequestContext, Services } from '../../access/context.ts';
import type { Principal } from '../../access/principal.ts';
import type { DemoOrganisation } from '../../demo/demo.ts';
import { requestContext } from '../../http/authentication.ts';
import { corporations } from '../corporations/resolver.ts';
import { products } from '../products/resolver.ts';

const demoCorporations = [
  {
    legalName: 'Blue Harbor Trading, Inc.',
    jurisdiction: 'US',
    state: 'DE',
    entityType: 'C_CORP',
    externalId: 'blue-harbor',
    taxIds: [{ type: 'US_EIN', value: '91-1144442' }],
    address: { addressLine1: '100 Example Street', city: 'Wilmington', state: 'DE', postalCode: '19801', country: 'US' },
  },
  {
    legalName: 'Banyan Software Private Limited',
    jurisdiction: 'IN',
    state: 'KA',
    entityType: 'PRIVATE_LIMITED_COMPANY',
    externalId: 'banyan',
    taxIds: [{ type: 'IN_PAN', value: 'ACUPA7085R' }],
  },
];

const demoProducts = [
  {
    sku: 'LAPTOP-14',
    name: 'Laptop, 14 inch',
    weightInKg: 1.4,
    originCountry: 'TW',
    customsJurisdictionDetails: { US: '8471.30.0100', DE: '8471 30 00 00' },
  },
  {
    sku: 'PRINT-A3',
    name: 'Printed picture, A3',
    taxCode: 'TPP',
    weightInKg: 0.2,
    originCountry: 'US',
    customsJurisdictionDetails: { US: '4911.91' },
  },
  { sku: 'SUPPORT-1Y', name: 'Support, one year', description: 'A service; it has no customs code.' },
];

/** Stores two corporations with three products each; returns the ids of the corporations. */
export async function seedPlatformDemo(services: Services, organisation: DemoOrganisation): Promise<string[]> {
  const context = demoContext(services, organisation);
  const ids: string[] = [];
  for (const corporation of demoCorporations) {
    const { id } = await corporations.create(context, corporation);
    for (const product of demoProducts) await products.create(context, { ...product, corporationId: id });
    ids.push(id);
  }
  return ids;
}

function demoContext(services: Services, { id, publicId, name }: DemoOrganisation): RequestContext {
  const principal: Principal = {
    kind: 'OPERATOR',
    identity: 'demo',
    organisationId: id,
    organisationName: name,
    organisation: publicId,
    roles: new Set(['PLATFORM']),
    companyIds: null,
  };
  return { ...requestContext(services, 'demo', principal, null), mutation: 'demo' };
}

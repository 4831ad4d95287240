// Demo data: an organisation whose keys are derived from the signing secret, so that every start can show them without storing them.
import { createHash } from 'node:crypto';
import type { KeyRequest } from '../access/access-keys.ts';
import type { Services } from '../access/context.ts';
import { Organisation } from '../access/tables.ts';
import { keyValueFrom } from '../security/key-values.ts';

/** The name of the demo organisation. */
const DEMO_ORGANISATION = 'Demo';

/** A demo key per credential header. */
export interface DemoKeys {
  bearer: string;
  'x-api-key': string;
  'x-service-key': string;
  api_key: string;
}

/** The demo organisation, as passed to the seeds. */
export interface DemoOrganisation {
  id: number;
  publicId: string;
  name: string;
}

/** Fills the demo organisation with the data of one surface. */
export type DemoSeed = (services: Services, organisation: DemoOrganisation) => Promise<unknown>;

const requests: Record<keyof DemoKeys, KeyRequest['roles']> = {
  bearer: ['PLATFORM', 'INTEGRATIONS', 'ENTITIES', 'GEOCODE'],
  'x-api-key': ['ENTITIES'],
  'x-service-key': ['GEOCODE', 'MANAGE_CONTENT'],
  api_key: ['INTEGRATIONS'],
};

/** Makes sure that the demo organisation, its keys and its data exist; returns the keys. */
export async function ensureDemo(services: Services, seeds: readonly DemoSeed[]): Promise<DemoKeys> {
  const names = Object.keys(requests) as (keyof DemoKeys)[];
  const keys = Object.fromEntries(
    names.map((name) => [name, keyValueFrom(createHash('sha256').update(services.signer.sign('demo', name)).digest())]),
  ) as unknown as DemoKeys;
  // The keys cannot show it: they are others after SIGNING_SECRET was changed.
  const isThere = (await services.reader.one(Organisation, { name: DEMO_ORGANISATION }, ['id'], { tenant: null })) !== undefined;
  for (const name of names)
    await services.keys.ensure(keys[name], {
      organisationName: DEMO_ORGANISATION,
      roles: requests[name],
      label: `demo ${name}`,
    });
  const owner = await services.keys.find(keys.bearer);
  const organisation = { id: owner!.organisationId!, publicId: owner!.organisation!, name: DEMO_ORGANISATION };
  if (!isThere) for (const seed of seeds) await seed(services, organisation);
  return keys;
}

// The recorded examples are what the gateway returns over the demo data. `npm run examples` writes them again.
import { expect, it } from 'vitest';
import { RECORDINGS } from '../../rest-compat/openapi/recordings.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { buildTenant } from '../suites/tenants.ts';
import { useGateway } from '../support/gateway.ts';
import { recordAll } from './recorder.ts';

const gateway = useGateway({ webhookAllowPrivate: true });

/** Operations without an example, because the demo data cannot hold what they need. */
const without = [
  // A record in conflict needs a source that changed it in the meantime.
  'mutation resolveConflict',
  // It takes the whole registration content of all countries.
  'mutation ingestRegistrationContent',
  // No source of the demo data has a trial balance of its own.
  'GET /v4/core/companies/{companyId}/reports/source_trial_balance',
];

it('every operation has an example, and its recorded response is true', async () => {
  const tenant = await buildTenant(gateway, 'Demo');
  const { recordings, refused } = await recordAll(gateway, tenant);
  expect(refused.filter((line) => !without.includes(line.split(':')[0]!))).toEqual([]);
  await expect(`${JSON.stringify(recordings, null, 1)}\n`).toMatchFileSnapshot(packagePath(...RECORDINGS));
}, 240_000);

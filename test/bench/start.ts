// Command `npm run bench -- --start`: start to first answer, memory at rest and after load, speed of the geocoder.

import { timeCalls } from '../../src/address/accuracy/speed.ts';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { bundledIsoContent } from '../../src/address/geocoder/iso.ts';
import type { Bed } from './bed.ts';
import { filledDirectory } from './embedded.ts';
import { measure, WARM_UP } from './load.ts';
import { number, say } from './table.ts';
import { workloadsOf } from './workloads.ts';

const ADDRESSES = [
  '10 Downing Street, London SW1A 2AA',
  'Unter den Linden 77, 10117 Berlin',
  '1600 Pennsylvania Ave NW, Washington, DC 20500',
  '5 avenue Anatole France, 75007 Paris',
  'Springfield, IL',
  'Via del Corso 12, Roma',
];

export async function start(bed: Bed, seconds: number): Promise<void> {
  const url = await bed.database();
  const places = { embedded: { DATA_DIR: await filledDirectory(bed, 2_000) }, postgresql: { DATABASE_URL: url } };
  await (await bed.gateway('first', places.postgresql)).stop();
  for (const [name, place] of Object.entries(places)) {
    const began = performance.now();
    const gateway = await bed.gateway(name, place);
    await (await fetch(`${gateway.origin}/graphql?query={__typename}`, { headers: { 'apollo-require-preflight': 'true' } })).text();
    const answered = (performance.now() - began) / 1_000;
    const goal = name === 'embedded' ? ' (must 2.0, aim 1.0)' : '';
    say(
      `  ${name.padEnd(10)} start to first answer ${number(answered, 2, 1)} s${goal}, memory at rest ${number(gateway.memoryMb(), 0, 1)} MB`,
    );
    await gateway.stop();
  }
  const { gateway, key } = await bed.filled('loaded', { companies: 2, notes: 2_000 });
  const atRest = gateway.memoryMb();
  const expanded = workloadsOf().filter(({ name }) => name === 'W3');
  await measure(gateway, expanded, key, { requests: WARM_UP / 4 });
  await measure(gateway, expanded, key, { seconds });
  say(
    `  memory ${number(atRest, 0, 1)} MB at rest (must 180, aim 120), ${number(gateway.memoryMb(), 0, 1)} MB after ${seconds} s of W3 (must 300, aim 200)`,
  );
  const speed = timeCalls(createGeocoder(loadGazetteer(), bundledIsoContent()), ADDRESSES);
  say(`  geocoder ${number(speed.perSecond, 0, 1)} addresses/s, p99 ${number(speed.p99, 2, 1)} ms`);
}

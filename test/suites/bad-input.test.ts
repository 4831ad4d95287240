// Odd input gets a clear rejection: no internal error, no HTML, no SQL and no stack trace in the response, and no growth of memory.
import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { credentialHeader } from '../support/routes.ts';
import { damage, headerText, insides, oddValue } from './odd.ts';
import { agentOperations, argumentsFor, graphqlOperations, type Operation, placesOf, restOperations } from './operations.ts';
import { isCompanion, referenceOf, sampleOf } from './places.ts';
import { callOf, responseTo } from './requests.ts';
import { buildTenant, freshText, idsOf, type Tenant } from './tenants.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
const operations = [...restOperations(schema), ...graphqlOperations(schema), ...agentOperations(schema)];
const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const inputs = 400 * ROUNDS;
/** The first inputs are sent a second and a third time. After the second time all caches are full, so growth in the third is growth per request. */
const repeated = inputs / 4;
/** Fewer rounds are reported and not judged: the memory of the runtime itself varies by a megabyte. */
const JUDGED_FROM = 4_000;
/** With 5,000 rounds 200 bytes each were measured on either database, including timers and compiled code of the runtime. */
const MAX_GROWTH_BYTES = 500;
let tenant: Tenant;

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Odd');
}, 120_000);

/** An operation with odd values in some of its places and in whole members of its input. */
const oddRequest = fc.constantFrom(...operations).chain((operation) => {
  const places = placesOf(operation);
  const chosen = places.length > 0 ? fc.uniqueArray(fc.nat({ max: places.length - 1 }), { minLength: 0, maxLength: 3 }) : fc.constant([]);
  return fc.record({
    operation: fc.constant(operation),
    wanted: chosen.map((indexes) => indexes.map((index) => places[index]!)),
    values: fc.array(oddValue, { minLength: 3, maxLength: 3 }),
    /** Replaces the first argument as a whole. */
    whole: fc.option(oddValue, { freq: 8, nil: undefined }),
    damage,
  });
});

async function usualValues(operation: Operation): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const place of placesOf(operation)) {
    const reference = referenceOf(place);
    const isRecord = reference?.kind === 'record' || reference?.kind === 'any';
    values.set(
      place.path.join('.'),
      isRecord ? (await idsOf(gateway, tenant, place, reference).catch(() => ['gone_1']))[0] : reference ? freshText() : sampleOf(place),
    );
  }
  return values;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use; the second collection frees what the finalizers of the first have released. */
function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const known = new Map<Operation, Promise<Map<string, unknown>>>();

describe('odd input', () => {
  it('never gets 5xx, HTML, or internal details', async () => {
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    let slowest = { ms: 0, title: '' };
    const property = fc.asyncProperty(oddRequest, async ({ operation, wanted, values, whole, damage: change }) => {
      const usual = await (known.get(operation) ?? known.set(operation, usualValues(operation)).get(operation)!);
      const odd = new Map(wanted.map((place, index) => [place.path.join('.'), values[index]]));
      const fill = (path: string): unknown => (odd.has(path) ? odd.get(path) : usual.get(path));
      const given = argumentsFor(operation, { wanted, always: isCompanion, fill: ({ path }) => fill(path.join('.')) });
      const [first] = Object.keys(given);
      const call = change(await callOf(operation, whole === undefined || !first ? given : { ...given, [first]: whole }));
      const own = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, headerText(value)]));
      const headers = { ...credentialHeader(operation.route?.credential ?? 'bearer', tenant.key), ...own };
      const start = performance.now();
      const response = responseTo(operation, await gateway.send(call.method, call.path, { ...call, headers }));
      const ms = performance.now() - start;
      if (ms > slowest.ms) slowest = { ms, title: operation.title };
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const refusal = response.status >= 400 || response.text.includes('"errors"');
      const isError = response.status >= 500 || response.text.includes('INTERNAL_ERROR') || (refusal && insides.test(response.text));
      if (isError)
        wrong.push(
          `${operation.title} ${[...odd].map(([path, value]) => `${path}=${JSON.stringify(value)?.slice(0, 200)}`)} -> ${response.status} ${response.text.slice(0, 300)} :: ${call.method} ${call.path.slice(0, 200)} ${JSON.stringify(call.headers).slice(0, 200)} ${JSON.stringify(call.body)?.slice(0, 300)}`,
        );
    });
    // The small form uses a fixed seed, so that a failed run can be repeated; each large run uses another seed.
    const seed = ROUNDS === 1 ? 1 : randomInt(2 ** 31);
    await fc.assert(property, { numRuns: inputs, seed });
    const repeat = (): Promise<void> => fc.assert(property, { numRuns: repeated, seed });
    await repeat();
    const before = heapUsed();
    await repeat();
    const growth = (heapUsed() - before) / repeated;
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(
      `bad-input: seed ${seed}, ${inputs} inputs over ${operations.length} operations, ${wrong.length} errors; ${counts.join(', ')}; slowest ${slowest.ms.toFixed(0)} ms, ${slowest.title}; heap ${(before / 1_048_576).toFixed(0)} MB, and ${growth.toFixed(0)} bytes more for each of ${repeated} rounds`,
    );
    expect(wrong).toEqual([]);
    if (repeated >= JUDGED_FROM) expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  }, 3_600_000);
});

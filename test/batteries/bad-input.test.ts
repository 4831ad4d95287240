// Odd input gets a clear refusal: never a fault of ours, never a page for people, never a word of SQL or of a stack.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGatewaySchema } from '../../src/core/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { credentialHeader } from '../support/rows.ts';
import { damage, headerText, insides, oddValue } from './odd.ts';
import { argumentsFor, graphqlOperations, type Operation, placesOf, restOperations } from './operations.ts';
import { isCompanion, referenceOf, sampleOf } from './places.ts';
import { callOf } from './requests.ts';
import { buildTenant, freshText, idsOf, type Tenant } from './tenants.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
const operations = [...restOperations(schema), ...graphqlOperations(schema)];
const inputs = 400 * Number(process.env.BATTERY_ROUNDS ?? 1);
let tenant: Tenant;

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Odd');
}, 120_000);

/** An operation with some of its places, and whole members of its input, holding odd values. */
const oddRequest = fc.constantFrom(...operations).chain((operation) => {
  const places = placesOf(operation);
  const chosen = places.length > 0 ? fc.uniqueArray(fc.nat({ max: places.length - 1 }), { minLength: 0, maxLength: 3 }) : fc.constant([]);
  return fc.record({
    operation: fc.constant(operation),
    wanted: chosen.map((indexes) => indexes.map((index) => places[index]!)),
    values: fc.array(oddValue, { minLength: 3, maxLength: 3 }),
    /** Takes the place of the first argument as a whole. */
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

const known = new Map<Operation, Promise<Map<string, unknown>>>();

describe('odd input', () => {
  it('documented: is never answered with 5xx, HTML, or text of the insides', async () => {
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    await fc.assert(
      fc.asyncProperty(oddRequest, async ({ operation, wanted, values, whole, damage: change }) => {
        const usual = await (known.get(operation) ?? known.set(operation, usualValues(operation)).get(operation)!);
        const odd = new Map(wanted.map((place, index) => [place.path.join('.'), values[index]]));
        const fill = (path: string): unknown => (odd.has(path) ? odd.get(path) : usual.get(path));
        const given = argumentsFor(operation, { wanted, always: isCompanion, fill: ({ path }) => fill(path.join('.')) });
        const [first] = Object.keys(given);
        const call = change(await callOf(operation, whole === undefined || !first ? given : { ...given, [first]: whole }));
        const own = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, headerText(value)]));
        const headers = { ...credentialHeader(operation.row?.credential ?? 'bearer', tenant.key), ...own };
        const answer = await gateway.send(call.method, call.path, { ...call, headers });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const refusal = answer.status >= 400 || answer.text.includes('"errors"');
        const isFault = answer.status >= 500 || answer.text.includes('INTERNAL_ERROR') || (refusal && insides.test(answer.text));
        if (isFault)
          wrong.push(
            `${operation.title} ${[...odd].map(([path, value]) => `${path}=${JSON.stringify(value)?.slice(0, 200)}`)} -> ${answer.status} ${answer.text.slice(0, 300)} :: ${call.method} ${call.path.slice(0, 200)} ${JSON.stringify(call.headers).slice(0, 200)} ${JSON.stringify(call.body)?.slice(0, 300)}`,
          );
      }),
      { numRuns: inputs },
    );
    console.log(
      `bad-input: ${inputs} inputs over ${operations.length} operations, ${wrong.length} faults; ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    );
    expect(wrong).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  }, 3_600_000);
});

// The executor against graphql-js: random documents give the same data, the same errors at the same places, and the same rows.
import { randomInt } from 'node:crypto';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeIn } from '../../../src/database/open.ts';
import { systemTransaction } from '../../../src/database/transaction.ts';
import { ledgerGlobalId } from '../../../src/records/ids.ts';
import { type Model, modelOf, propOf } from '../../../src/records/metadata.ts';
import { entities } from '../../../src/registry.ts';
import { buildFullData } from '../../support/full-data.ts';
import { startTwins, type Twins } from '../../support/twins.ts';
import type { Place } from '../operations.ts';
import { referenceOf, sampleOf } from '../places.ts';
import type { Tenant } from '../tenants.ts';
import { Documents, type RandomDocument } from './documents.ts';
import { knownPlaces } from './places.ts';
import type { Random } from './random.ts';
import { Runs } from './runs.ts';

const DOCUMENTS = Number(process.env.SUITE_ROUNDS ?? 1) * 3_000;
let twins: Twins<Tenant>;
let runs: Runs;
let documents: Documents;
const ids = new Map<Model, unknown[]>();

/** Mutations that take away what the other documents need, or call out. */
const WITHOUT = /^(removeCompany|(revoke|rotate)AccessKey|deleteCorporation|approveDisconnectRequest|geocode|_)/;

function plainValue(place: Place, random: Random): unknown {
  if (place.name === 'first' || place.name === 'last') return 1 + random.below(3);
  if (place.name === 'offset') return random.below(2);
  let reference: ReturnType<typeof referenceOf>;
  try {
    reference = referenceOf(place);
  } catch {
    reference = undefined;
  }
  if (reference?.kind === 'record') {
    const known = ids.get(reference.model) ?? [];
    if (known.length === 0) return sampleOf(place);
    const key = random.pick(known);
    return place.type.name === 'ID' && typeof key === 'number' ? ledgerGlobalId(reference.model.prefix, key) : key;
  }
  if (reference?.kind === 'cursor') return 'none';
  if (place.type.name === 'String' || place.type.name === 'ExternalId')
    return random.chance(0.7) ? sampleOf(place) : `text ${random.below(1_000)}`;
  return sampleOf(place);
}

beforeAll(async () => {
  twins = await startTwins((gateway) => buildFullData(gateway, 'Oracle'));
  const [{ services }] = twins.pair;
  const known = new Set<string>();
  for (const model of entities.map(modelOf)) {
    if (!model.props.has(model.key) || !model.props.has('organisationId')) continue;
    const { column, kind } = propOf(model, model.key);
    const rows = await systemTransaction(services.database, (em) =>
      executeIn<{ key: string }>(
        em,
        `select ${column}::text as key from "${model.table}" where organisation_id = $1 order by 1 limit 200`,
        [twins.built.organisationId],
      ),
    );
    ids.set(
      model,
      rows.slice(0, 5).map(({ key }) => (kind === 'ledgerId' ? Number(key) : key)),
    );
    for (const { key } of rows) known.add(key);
  }
  const [{ clock: first }, { clock: second }] = twins.pair;
  for (const twin of twins.pair) {
    twin.clock.stop();
    await twin.written();
  }
  second.advance(first.now().getTime() - second.now().getTime());
  const [last] = await systemTransaction(services.database, (em) =>
    executeIn<{ number: string }>(em, 'select max(last_value)::text as number from pg_sequences', []),
  );
  runs = new Runs(twins.pair, twins.built.key, known, Number(last!.number));
  documents = new Documents(services.schema, plainValue, WITHOUT);
}, 600_000);

afterAll(() => twins?.stop());

it('a variable keeps its value, or leaves its place out, wherever that was once not so', async () => {
  const id = (record: string): string => {
    const [model, keys] = [...ids].find(([{ name }]) => name === record)!;
    return typeof keys[0] === 'number' ? ledgerGlobalId(model.prefix, keys[0]) : String(keys[0]);
  };
  const named = {
    company: id('Company'),
    account: id('Account'),
    order: id('PurchaseOrder'),
    corporation: id('Corporation'),
    product: id('Product'),
    webhook: id('Webhook'),
  };
  const different: string[] = [];
  for (const [text, variables] of knownPlaces(named)) {
    const document = parse(text);
    expect(validate(twins.pair[0].services.schema, document), text).toEqual([]);
    const { gateway, oracle, isEqual } = await runs.compare(document, variables);
    if (!isEqual) different.push(`${text}\ngateway ${JSON.stringify(gateway)}\noracle  ${JSON.stringify(oracle)}`);
  }
  expect(different).toEqual([]);
});

it(`${DOCUMENTS} random documents are run as graphql-js runs them`, async () => {
  const { schema } = twins.pair[0].services;
  // The small form uses a fixed seed, so that a failed run can be repeated; each large run uses another seed.
  const first = Number(process.env.SUITE_SEED ?? (process.env.SUITE_ROUNDS ? randomInt(1, 2 ** 30) : 1));
  console.log(`seed ${first}`);
  const different: string[] = [];
  const counts = { invalid: 0, refused: 0, whole: 0, lenient: 0, wrote: 0 };
  for (let seed = first; seed < first + DOCUMENTS; seed++) {
    const made: RandomDocument = documents.of(seed);
    const document = parse(made.text);
    const [invalid] = validate(schema, document);
    if (invalid) {
      counts.invalid++;
      continue;
    }
    const compared = await runs.compare(document, made.variables);
    const { gateway, oracle, isEqual, isLenient } = compared;
    if (isLenient) counts.lenient++;
    if (gateway.data === undefined) counts.refused++;
    else if (gateway.errors.length === 0) counts.whole++;
    if (gateway.written.length > 0) counts.wrote++;
    if (!isEqual)
      different.push(
        `seed ${seed}\n${made.text}\n${JSON.stringify(made.variables)}\ngateway ${JSON.stringify(gateway)}\noracle  ${JSON.stringify(oracle)}`,
      );
  }
  console.log(`${JSON.stringify(counts)}, ${different.length} different`);
  expect(different.slice(0, 5).join('\n\n'), `seed ${first}`).toBe('');
  expect(counts.invalid).toBeLessThan(DOCUMENTS / 10);
  expect(counts.whole).toBeGreaterThan(DOCUMENTS / 4);
}, 3_600_000);

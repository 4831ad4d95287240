// The executor against graphql-js: random documents give the same data, the same errors at the same places, and the same rows. Random subscriptions
// give the same first result. A document that differs is shortened and printed.
import { randomInt } from 'node:crypto';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeIn } from '../../../src/database/open.ts';
import { systemTransaction } from '../../../src/database/transaction.ts';
import { ledgerGlobalId } from '../../../src/records/ids.ts';
import { type Model, modelOf, propOf } from '../../../src/records/metadata.ts';
import { entities } from '../../../src/registry.ts';
import { buildFullData } from '../../support/full-data.ts';
import type { Gateway } from '../../support/gateway.ts';
import { startTwins, type Twins } from '../../support/twins.ts';
import type { Place } from '../operations.ts';
import { referenceOf, sampleOf } from '../places.ts';
import type { Tenant } from '../tenants.ts';
import { type Changes, changedRecords, changeOf } from './changes.ts';
import { Documents, type RandomDocument } from './documents.ts';
import { knownPlaces } from './places.ts';
import type { Random } from './random.ts';
import { type Compared, differenceOf, Runs } from './runs.ts';
import { shortest } from './shrink.ts';

const DOCUMENTS = Number(process.env.SUITE_ROUNDS ?? 1) * 1_000;
/** Differences that are shortened and shown; the others of a run are counted. */
const MAX_SHOWN = 3;
/** Subscriptions that wait for one change together. */
const STREAMS_AT_ONCE = 30;

let twins: Twins<Tenant & { eventId: string }>;
let runs: Runs;
let documents: Documents;
let changed: Changes;
const ids = new Map<Model, unknown[]>();

/** Mutations that take away what the other documents need, or call out. */
const WITHOUT = /^(removeCompany|(revoke|rotate)AccessKey|deleteCorporation|approveDisconnectRequest|geocode|_)/;

function plainValue(place: Place, random: Random): unknown {
  if (place.name === 'first' || place.name === 'last') return 1 + random.below(3);
  if (place.name === 'offset') return random.below(2);
  const isResumed = ['after', 'lastEventId'].includes(place.name) && place.field.type.toString().match(/Change!$|^Event!$/);
  if (isResumed) return random.chance(0.8) ? twins.built.eventId : 'none';
  const reference = place.name === 'jobId' ? recordOf('ImportJob') : knownReference(place);
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

const recordOf = (name: string): { kind: 'record'; model: Model } => ({
  kind: 'record',
  model: [...ids.keys()].find((model) => model.name === name)!,
});

function knownReference(place: Place): ReturnType<typeof referenceOf> {
  try {
    return referenceOf(place);
  } catch {
    return undefined;
  }
}

/** The id of a record of each kind, and of an event after which subscriptions can resume. */
async function build(gateway: Gateway): Promise<Tenant & { eventId: string }> {
  const tenant = await buildFullData(gateway, 'Oracle');
  const rows = (text: string): Promise<{ key: string }[]> =>
    systemTransaction(gateway.services.database, (em) => executeIn(em, text, [tenant.organisationId]));
  const followed = new AbortController();
  await fetch(`${gateway.origin}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { eventStream { id } }' }),
    signal: followed.signal,
  });
  const [corporation] = await rows('select min(id) as key from corporation where organisation_id = $1');
  const rename = 'mutation($id: ID!) { updateCorporation(input: { id: $id, legalName: "Renamed" }) { errors { message } } }';
  const { body } = await gateway.graphql(tenant.key, rename, { id: corporation!.key });
  expect(body.data.updateCorporation.errors).toEqual([]);
  followed.abort();
  const [event] = await rows('select id as key from event where organisation_id = $1 order by commit_order desc, id desc limit 1');
  return { ...tenant, eventId: event!.key };
}

beforeAll(async () => {
  twins = await startTwins(build);
  const [{ services }] = twins.pair;
  const known = new Set<string>([twins.built.eventId]);
  const companies = new Map<Model, number>();
  for (const model of entities.map(modelOf)) {
    if (!model.props.has(model.key) || !model.props.has('organisationId')) continue;
    const { column, kind } = propOf(model, model.key);
    const rows = await systemTransaction(services.database, (em) =>
      executeIn<{ key: string; company: string | null }>(
        em,
        `select ${column}::text as key, ${model.companyColumn ?? 'null'}::text as company from "${model.table}" where organisation_id = $1 order by 1 limit 200`,
        [twins.built.organisationId],
      ),
    );
    ids.set(
      model,
      rows.slice(0, 5).map(({ key }) => (kind === 'ledgerId' ? Number(key) : key)),
    );
    companies.set(model, Number(rows[0]?.company));
    for (const { key } of rows) known.add(key);
  }
  const [last] = await systemTransaction(services.database, (em) =>
    executeIn<{ number: string }>(em, 'select max(last_value)::text as number from pg_sequences', []),
  );
  changed = changedRecords(ids, companies);
  runs = new Runs(twins, twins.built.key, known, Number(last!.number));
  documents = new Documents(services.schema, plainValue, WITHOUT);
}, 600_000);

afterAll(() => twins?.stop());

/** A document that differs, and how it did. */
interface Different {
  document: RandomDocument;
  kind: string;
  label: string;
  compared: Compared;
}

/** Runs documents on both duplicates; all are of one kind where one is a subscription. */
async function compare(some: readonly RandomDocument[]): Promise<Compared[]> {
  const sent = some.map(({ text, variables }) => ({ document: parse(text), variables }));
  if (some[0]!.kind === 'subscription') {
    const { change, reported } = changeOf(changed);
    return runs.compareStreams(sent, change, reported);
  }
  const compared: Compared[] = [];
  for (const one of sent) compared.push(await runs.compare(one));
  return compared;
}

/** The same document on duplicates that are alike. */
async function differenceAgain(document: RandomDocument): Promise<{ kind: string | undefined; compared: Compared }> {
  const [compared] = await compare([document]);
  const kind = differenceOf(compared!);
  if (kind !== undefined && compared!.gateway.written.length + compared!.oracle.written.length > 0) await twins.renew();
  return { kind, compared: compared! };
}

/** What differs about a document. */
const found = ({ document, kind, label, compared: { gateway, oracle } }: Different): string =>
  [
    `${label}: ${kind}`,
    document.text,
    JSON.stringify(document.variables),
    `gateway ${JSON.stringify(gateway)}`,
    `oracle  ${JSON.stringify(oracle)}`,
  ].join('\n');

/** What differs about a document, as short as it was found to differ. */
async function shown(one: Different): Promise<string> {
  const { schema } = twins.pair[0].services;
  const document = await shortest(schema, one.document, async (some) => (await differenceAgain(some)).kind === one.kind);
  const { compared } = await differenceAgain(document);
  const isSame = differenceOf(compared) === one.kind;
  return isSame ? found({ ...one, document, compared }) : `${found(one)}\nnot on fresh data`;
}

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
    const { gateway, oracle, isEqual } = await runs.compare({ document, variables });
    if (!isEqual) different.push(`${text}\ngateway ${JSON.stringify(gateway)}\noracle  ${JSON.stringify(oracle)}`);
  }
  expect(different).toEqual([]);
});

it('a document that differs is shortened to what differs', async () => {
  const { schema } = twins.pair[0].services;
  const document: RandomDocument = {
    kind: 'query',
    text: `query($f: AccountFilter, $n: Int = 3, $c: Boolean!) { companies(first: $n) { nodes { id name @include(if: $c) accounts(filter: $f, first: 2) { totalCount nodes { id name } } } } }`,
    variables: { f: { name: { eq: 'a' }, nominalCode: { in: ['1', '2'] } }, n: 5, c: true },
  };
  const differs = async ({ text, variables }: RandomDocument): Promise<boolean> =>
    text.includes('accounts(') && JSON.stringify(variables).includes('"2"');
  const few = await shortest(schema, document, differs);
  expect(few.text.replaceAll(/\s+/g, ' ')).toMatch(
    /^query \(\$f: AccountFilter\) \{ companies \{ nodes \{ accounts\(filter: \$f\) \{ (totalCount|nodes \{ (id|name) \}) \} \} \} \}$/,
  );
  expect(few.variables).toEqual({ f: { nominalCode: { in: ['2'] } } });
});

it(`${DOCUMENTS} random documents are run as graphql-js runs them`, { timeout: 600_000 + DOCUMENTS * 400 }, async () => {
  const { schema } = twins.pair[0].services;
  // The small form uses a fixed seed, so that a failed run can be repeated; each large run uses another seed.
  const first = Number(process.env.SUITE_SEED ?? (process.env.SUITE_ROUNDS ? randomInt(1, 2 ** 30) : 1));
  console.log(`seed ${first}`);
  const different: Different[] = [];
  const counts = { invalid: 0, refused: 0, whole: 0, lenient: 0, wrote: 0, streams: 0, reported: 0, different: 0 };
  const waiting: { document: RandomDocument; label: string }[] = [];
  const take = async ({ document, label }: (typeof waiting)[number], compared: Compared): Promise<void> => {
    const { gateway, oracle, isLenient } = compared;
    if (isLenient) counts.lenient++;
    if (gateway.data === undefined) counts.refused++;
    else if (gateway.errors.length === 0) counts.whole++;
    if (gateway.written.length > 0) counts.wrote++;
    if (document.kind === 'subscription') counts.streams++;
    if (document.kind === 'subscription' && gateway.data) counts.reported++;
    const kind = differenceOf(compared);
    if (kind === undefined) return;
    counts.different++;
    console.log(found({ document, kind, label, compared }));
    if (different.length < MAX_SHOWN) different.push({ document, kind, label, compared });
    if (gateway.written.length + oracle.written.length > 0) await twins.renew();
  };
  const takeStreams = async (): Promise<void> => {
    const some = waiting.splice(0);
    if (some.length === 0) return;
    const compared = await compare(some.map(({ document }) => document));
    for (const [at, one] of some.entries()) await take(one, compared[at]!);
  };
  for (let seed = first; seed < first + DOCUMENTS; seed++) {
    const document = documents.of(seed);
    if (validate(schema, parse(document.text)).length > 0) counts.invalid++;
    else if (document.kind === 'subscription') waiting.push({ document, label: `seed ${seed}` });
    else for (const compared of await compare([document])) await take({ document, label: `seed ${seed}` }, compared);
    if (waiting.length >= STREAMS_AT_ONCE) await takeStreams();
    if ((seed - first + 1) % 1_000 === 0) console.log(`${seed - first + 1} documents: ${JSON.stringify(counts)}`);
  }
  await takeStreams();
  console.log(`${DOCUMENTS} documents: ${JSON.stringify(counts)}`);
  const texts: string[] = [];
  if (different.length > 0) await twins.renew();
  for (const one of different) texts.push(await shown(one));
  expect(texts.join('\n\n'), `seed ${first}`).toBe('');
  expect(counts.different).toBe(0);
  expect(counts.invalid).toBeLessThan(DOCUMENTS / 10);
  expect(counts.whole).toBeGreaterThan(DOCUMENTS / 4);
  expect(counts.reported).toBeGreaterThan(counts.streams / 4);
});

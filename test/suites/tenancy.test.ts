// Records of another organisation behave like records that do not exist. This holds for every operation of REST, GraphQL and agents, at every place
// that takes an id, a key of the caller or a cursor.
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { credentialHeader } from '../support/routes.ts';
import { agentOperations, argumentsFor, graphqlOperations, type Operation, type Place, placesOf, restOperations } from './operations.ts';
import { isCompanion, type Reference, referenceOf, sampleOf } from './places.ts';
import { callOf, graphqlCall, responseTo } from './requests.ts';
import { buildTenant, digestOf, freshText, freshTextKey, idsOf, spreadNumbers, type Tenant, unknownLike } from './tenants.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
const FIXED_ID = 'the-same-request';
let caller: Tenant;
let other: Tenant;

beforeAll(async () => {
  await spreadNumbers(gateway);
  // The webhook of the other organisation subscribes to everything, so that a leaked event would show; deliveries of the caller's own changes prove nothing here.
  caller = await buildTenant(gateway, 'Caller', ['CORPORATIONS.UPDATED']);
  other = await buildTenant(gateway, 'Other');
  // The first read of the feed of events has them stored, which is a row; the probes read it for its cursor.
  await gateway.send('GET', '/api/v1/events', { headers: credentialHeader('bearer', other.key) });
}, 120_000);

interface Probe {
  operation: Operation;
  place: Place;
  reference: Reference;
}

/** Own ids by place: some thousand requests need the same ones. */
const own = new Map<string, Promise<unknown>>();

/** The value of a place that is not under test: the caller's own record, or a sample. */
function usual(tenant: Tenant, place: Place): Promise<unknown> | unknown {
  const reference = referenceOf(place);
  if (!reference || reference.kind === 'cursor') return sampleOf(place);
  if (reference.kind === 'text') return freshText();
  const key = `${tenant.organisationId} ${place.owner}.${place.name} ${place.type.name} ${place.field.name}`;
  let found = own.get(key);
  if (!found) {
    found = idsOf(gateway, tenant, place, reference).then(([id]) => id);
    own.set(key, found);
  }
  return found;
}

const samePath = (a: Place, b: Place): boolean => a.path.join('.') === b.path.join('.');

/** Sends an operation with one place set and every other place as usual. */
async function send(tenant: Tenant, { operation, place }: Probe, value: unknown): Promise<GatewayResponse> {
  const filled: Record<string, unknown> = {};
  const collect: Promise<void>[] = [];
  // A backward page takes no `first`.
  const always = (at: Place): boolean => isCompanion(at) && !(place.name === 'before' && at.name === 'first');
  const run = (fill: (at: Place) => unknown) => argumentsFor(operation, { wanted: [place], always, fill });
  run((at) => {
    collect.push(
      Promise.resolve(samePath(at, place) ? value : usual(tenant, at)).then((found) => {
        filled[at.path.join('.')] = found;
      }),
    );
    return null;
  });
  await Promise.all(collect);
  const call = await callOf(
    operation,
    run((at) => filled[at.path.join('.')]),
  );
  const credential = operation.route ? operation.route.credential : 'bearer';
  const headers = { ...call.headers, ...credentialHeader(credential, tenant.key), 'x-request-id': FIXED_ID };
  return responseTo(operation, await gateway.send(call.method, call.path, { ...call, headers }));
}

/** The cursor of the first page of a list, as the tenant itself receives it. */
async function cursorOf(tenant: Tenant, operation: Operation): Promise<string> {
  const fields = operation.fields;
  const values: Record<string, unknown> = {};
  for (const place of placesOf({ ...operation, route: undefined as never })) {
    if (
      place.path.length === 1 &&
      (isCompanion(place) || String(place.field.args.find(({ name }) => name === place.name)?.type).endsWith('!'))
    )
      values[place.path[0]!] = await usual(tenant, place);
  }
  const call = graphqlCall({ ...operation, fields }, values);
  const query = (call.body as { query: string }).query;
  const response = await gateway.graphql(tenant.key, query, (call.body as { variables: Record<string, unknown> }).variables);
  const cursor = /"endCursor":"([^"]+)"/.exec(response.text)?.[1];
  if (!cursor) throw new Error(`${operation.title} has no cursor: ${response.text}`);
  return cursor;
}

/** A response without the parts that differ between any two requests: the sent id, ids made by the write, times, hashes. */
function comparable({ status, headers, text }: GatewayResponse, sent: unknown): string {
  const shown = [...headers].filter(([name]) => !['date', 'content-length', 'etag', 'x-consistency-token'].includes(name));
  return (
    `${status} ${JSON.stringify(shown)}\n${text.replaceAll(String(sent), '<id>')}`
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g, '<typeid>')
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>')
      .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
      .replace(/(?<="data_?hash":")[\w-]{22}(?=")/gi, '<hash>')
      // A new child comes after its siblings.
      .replace(/(?<="position":)\d+/g, '<place>')
      .replace(/\bfresh-\d+\b/g, '<fresh>')
      .replace(/(secret":"|signature=|key=)[\w+/=-]+/g, '$1<secret>')
      .replace(/\d{7,}/g, '<number>')
  );
}

const damaged = (cursor: string): string => cursor.slice(0, -4) + (cursor.endsWith('AAAA') ? 'BBBB' : 'AAAA');

/** The values of a tenant for a place: the id of its own record, a key only it uses, a cursor of its list. */
async function valuesFor(tenant: Tenant, { operation, place, reference }: Probe): Promise<unknown[]> {
  if (reference.kind === 'cursor') return [await cursorOf(tenant, operation)];
  if (reference.kind === 'text') return [await freshTextKey(gateway, tenant, reference.model, reference.prop)];
  return idsOf(gateway, tenant, place, reference);
}

const unknownFor = ({ reference }: Probe, value: unknown): unknown =>
  reference.kind === 'cursor' ? damaged(String(value)) : unknownLike(value);

/** The response to a value, without the parts that differ between any two requests. */
const shownFor = async (tenant: Tenant, probe: Probe, value: unknown): Promise<string> =>
  comparable(await send(tenant, probe, value), value);

/** With more than one round, every place of every operation is probed. */
const rounds = Number(process.env.SUITE_ROUNDS ?? 1);

/**
 * The probes of operations. In one round a place of a nested record is probed once per endpoint. So are the places of filters, and those of agents, who
 * run the operations of /graphql; but the first place of each operation is always probed.
 */
function probesOf(operations: Operation[]): Probe[] {
  const seen = new Set<string>();
  return operations.flatMap((operation) => {
    const probes: Probe[] = [];
    for (const place of placesOf(operation)) {
      const reference = referenceOf(place);
      if (!reference) continue;
      const isFilter = place.owner.endsWith('Filter');
      const name = `${operation.route ? 'rest' : 'graphql'} ${place.owner}.${place.name} ${isFilter ? place.path.at(-1) : ''}`;
      const isShared = place.path.length > 3 || ((isFilter || operation.isAgent) && probes.length > 0);
      if (rounds > 1 || !isShared || !seen.has(name)) probes.push({ operation, place, reference });
      seen.add(name);
    }
    return probes;
  });
}

/** Only fields for operators see every organisation; no key of an organisation may call them. */
const isOperators = ({ fields }: Operation): boolean => String(fields[0]!.extensions.access) === 'ADMIN';
const all = [...restOperations(schema), ...graphqlOperations(schema), ...agentOperations(schema)];
/** Reads come first, so that they see the organisations as created. */
const probes = probesOf(
  all.filter((operation) => !isOperators(operation)).sort((a, b) => Number(a.kind === 'mutation') - Number(b.kind === 'mutation')),
);

/**
 * Places whose response does not depend on the record, for example a parent's number, which is stored as given. More of them would mean a weak
 * probe.
 */
const MAX_BLIND = 62;

/** Operations that end a record, so that no later one can name it. */
const isEnding = ({ operation }: Probe): boolean => /^(delete|cancel|remove|reject|approve)/.test(operation.fields[0]!.name);

/** Places where an own record responds like an unknown one: there the comparison proves nothing. */
async function blindPlaces(): Promise<string[]> {
  const blind: string[] = [];
  let disposable = await buildTenant(gateway, freshText());
  const named = probes.filter(({ reference }) => reference.kind !== 'text');
  for (const probe of named.sort((a, b) => Number(isEnding(a)) - Number(isEnding(b)))) {
    const values = await valuesFor(disposable, probe).catch(async () => {
      // Earlier operations have ended every such record.
      disposable = await buildTenant(gateway, freshText());
      return valuesFor(disposable, probe);
    });
    let differs = false;
    for (const value of values)
      differs ||= (await shownFor(disposable, probe, value)) !== (await shownFor(disposable, probe, unknownFor(probe, value)));
    if (!differs) blind.push(`${probe.operation.title} ${probe.place.path.join('.')}`);
  }
  console.log(`tenancy: ${named.length} places tested with own records, ${blind.length} of them without a difference`);
  return blind;
}

describe('another organisation', () => {
  it('its ids, keys and cursors respond like unknown ones at every place of every operation, and nothing of it changes', async () => {
    const before = await digestOf(gateway, other);
    const different: string[] = [];
    let pairs = 0;
    for (const probe of probes) {
      for (const foreign of await valuesFor(other, probe)) {
        pairs++;
        const [a, b] = [await shownFor(caller, probe, foreign), await shownFor(caller, probe, unknownFor(probe, foreign))];
        if (a !== b) different.push(`${probe.operation.title} ${probe.place.path.join('.')} ${foreign}\n  foreign ${a}\n  unknown ${b}`);
      }
    }
    console.log(`tenancy: ${all.length} operations, ${probes.length} places, ${pairs} pairs of requests, ${different.length} that differ`);
    expect(different).toEqual([]);
    expect(await digestOf(gateway, other)).toEqual(before);
  }, 1_200_000);

  // It sends twice the requests of the comparison above and measures the probe, not the gateway, so it belongs to the large form.
  if (rounds > 1)
    it('an own record responds unlike an unknown one nearly everywhere, so that the comparison proves something', async () => {
      expect((await blindPlaces()).length).toBeLessThanOrEqual(MAX_BLIND);
    }, 1_200_000);

  it('a signed link moved to its record responds like one moved to an unknown record', async () => {
    const idOf = (link: string): string => /\/([a-z]+_[0-9a-z]{26})\?/.exec(link)![1]!;
    expect(caller.links.length).toBe(other.links.length);
    for (const [at, link] of caller.links.entries()) {
      const [foreign, unknown] = [idOf(other.links[at]!), String(unknownLike(idOf(link)))];
      const open = async (id: string): Promise<string> =>
        comparable(
          await gateway.send('GET', link.replace(idOf(link), id), { headers: { 'x-request-id': FIXED_ID, accept: 'application/json' } }),
          id,
        );
      expect(await open(foreign)).toBe(await open(unknown));
      expect((await gateway.send('GET', link)).status).toBe(200);
    }
  });

  it('no key of an organisation may call a field for operators', async () => {
    for (const operation of all.filter(isOperators)) {
      const given = argumentsFor(operation, {
        wanted: [],
        always: isCompanion,
        fill: (place) => (referenceOf(place) ? unknownLike(place.type.name === 'UUID' ? sampleOf(place) : 1) : sampleOf(place)),
      });
      const call = await callOf({ ...operation, route: undefined as never }, given);
      const headers = { ...call.headers, ...credentialHeader('bearer', caller.key) };
      const response = responseTo(operation, await gateway.send(call.method, call.path, { ...call, headers }));
      expect([operation.title, response.body.errors?.[0].extensions.code], response.text).toEqual([operation.title, 'FORBIDDEN']);
    }
  });
});

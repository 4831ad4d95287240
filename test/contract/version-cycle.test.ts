// The whole cycle of versions over every write that takes one, on both endpoints. The version that was read lets the write pass, in each form of the
// header, and every other version prevents it.
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { fromUUID } from 'typeid-js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { isVersioned } from '../../rest-compat/runtime/record-versions.ts';
import { exampleOperation } from '../../site/pages/reference/example-operation.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { allModels, type Model, type Prop } from '../../src/records/metadata.ts';
import { versionOf } from '../../src/records/version.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { subjects } from '../examples/subjects.ts';
import { DemoValues } from '../examples/values.ts';
import { type Arguments, argumentsFor, graphqlOperations, type Operation, placesOf, restOperations } from '../suites/operations.ts';
import { isCompanion } from '../suites/places.ts';
import { type Call, restCall } from '../suites/requests.ts';
import { buildTenant, type Tenant } from '../suites/tenants.ts';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { credentialHeader } from '../support/routes.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
let tenant: Tenant;
let values: DemoValues;

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Demo');
  values = new DemoValues(gateway, tenant);
  await gateway.stopWork();
  // Two writes within one millisecond are two versions.
  gateway.clock.stop();
}, 300_000);

async function made(path: string, body: object): Promise<string> {
  const response = await gateway.send('POST', `/api/v1${path}`, { headers: { authorization: `Bearer ${tenant.key}` }, body });
  if (response.status >= 300) throw new Error(response.text);
  return response.body.data.id;
}

let count = 0;
const newCorporation = (): Promise<string> => made('/corporations', { legal_name: `Cycle ${++count} Ltd`, jurisdiction: 'GB' });

/** Runs a mutation as an operator. */
const operate = (mutation: string) => gateway.graphql(ADMIN_TOKEN, `mutation { ${mutation} { errors { message } } }`);

const existingRegistration = async (): Promise<{ id: string; registrationId: string }> =>
  (subjects.archiveRegistration as (world: object) => Promise<never>)({ gateway, tenant });

/** A record of its own for each write, where one that is there cannot be written again and again. */
const fresh: Partial<Record<string, () => Promise<Record<string, unknown>>>> = {
  Corporation: async () => ({ id: await newCorporation() }),
  Product: async () => {
    const id = await made('/products', { corporation_id: await newCorporation(), name: 'Cycle', sku: `cycle-${++count}` });
    await gateway.send('POST', `/api/v1/products/${id}/customs-code`, {
      headers: { authorization: `Bearer ${tenant.key}` },
      body: { country: 'GB', customs_code: '8471.30.0100' },
    });
    return { id, productId: id, country: 'GB', customsCode: '8471.30.0900', corporationId: undefined, sku: undefined };
  },
  Webhook: async () => {
    const [kept] = await values.rows(allModels().find(({ name }) => name === 'Webhook')!);
    return { id: kept?.id ?? (await made('/webhooks', { url: 'http://127.0.0.1:9/hook', topics: ['*'] })), secret: undefined };
  },
};

/** Currencies that the company has not. */
const codes = ['ZMW', 'ZAR', 'YER', 'XPF', 'XOF', 'XCD', 'XAF', 'WST', 'VUV', 'VND', 'UZS', 'UYU'].values();
const currency = async (): Promise<Record<string, unknown>> => ({ code: codes.next().value });

/** The same for operations that need a state. */
const states: Partial<Record<string, () => Promise<Record<string, unknown>>>> = {
  upsertCurrency: currency,
  upsertCurrencies: currency,
  startValidation: existingRegistration,
  finishValidation: async () => {
    const registration = await existingRegistration();
    await operate(`startValidation(input: { id: "${registration.id}" })`);
    return registration;
  },
};

async function argumentsOf(operation: Operation): Promise<Arguments> {
  const { name } = operation.fields.at(-1)!;
  const subject = states[name] ?? fresh[modelOfWrite(operation).name] ?? subjects[name] ?? {};
  const given = (
    typeof subject === 'function' ? await (subject as (world: object) => Promise<object>)({ gateway, tenant }) : subject
  ) as Record<string, unknown>;
  const { wanted, fill } = await values.forOperation(operation, placesOf(operation), given);
  return argumentsFor(operation, { wanted, always: isCompanion, fill });
}

const keyOf = ({ fields }: Operation): string => (String(fields[0]!.extensions.access) === 'ADMIN' ? ADMIN_TOKEN : tenant.key);

/** The record of a write: its type, and the value of its key. */
interface Subject {
  model: Model;
  key: string | number;
}

/** A record as the database has it: its version, and its row without the time of its last change. */
interface Stored {
  version: string;
  content: string;
}

/** The stored record; undefined for one that is deleted for good. */
async function storedAs({ model, key }: Subject): Promise<Stored | undefined> {
  const [found] = await systemTransaction(gateway.services.database, (em) =>
    executeIn<{ row: Record<string, unknown> }>(
      em,
      `select to_jsonb(t) as row from "${model.table}" t where ${model.props.get(model.key)!.column} = $1`,
      [key],
    ),
  );
  if (!found) return undefined;
  const { updated_at: _, ...content } = found.row;
  const { needs, compute } = model.derived.get('etag')!;
  const read = ({ column, kind }: Prop): unknown =>
    kind === 'moment' ? new Date(found.row[column] as string).toISOString() : found.row[column];
  const needed = Object.fromEntries(needs.map((name) => [name, read(model.props.get(name)!)]));
  return { version: compute(needed as never) as string, content: JSON.stringify(content) };
}

/** The type of record that a mutation changes: what its payload shows with a version. */
function modelOfWrite({ fields }: Operation): Model {
  const payload = getNamedType(fields.at(-1)!.type);
  const shown = isObjectType(payload) ? Object.values(payload.getFields()).map(({ type }) => getNamedType(type).name) : [];
  return allModels().find((model) => shown.includes(model.name) && model.derived.has('etag'))!;
}

const writes = restOperations(schema).filter(({ route }) => isVersioned(schema, route!)) as (Operation & { route: Route })[];

/** A write and the record that it changes, made for it. */
async function prepared(operation: Operation & { route: Route }): Promise<{ call: Call; subject: Subject }> {
  const call = await restCall(operation, await argumentsOf(operation));
  const model = modelOfWrite(operation);
  return { call, subject: { model, key: await keyIn(operation.route, call, model) } };
}

/** The key of the record that a request names: in its path, or by the platform id of its body after a first write of it. */
async function keyIn(route: Route, call: Call, model: Model): Promise<string | number> {
  const sent = call.path.split('?')[0]!.split('/');
  const named = route.path.split('/').flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), sent[at]!] as const] : []));
  const [, value] = named.find(([name]) => model.name === 'Company' || name !== 'companyId') ?? [];
  if (value !== undefined) return model.props.get(model.key)!.kind === 'ledgerId' ? Number(value) : value;
  const response = await send(call, route);
  if (response.status >= 300) throw new Error(response.text);
  const { platform_id, ledger_id } = response.body.data.data;
  Object.assign((call.body as { data: object }).data, { platform_id });
  return ledger_id;
}

const send = (call: Call, route: Route, more: Record<string, string> = {}): Promise<GatewayResponse> =>
  gateway.send(call.method, call.path, {
    ...call,
    headers: { ...call.headers, ...credentialHeader(route.credential, tenant.key), ...more },
  });

type Form = (tag: string) => string;

/** How a caller may write a version other than as it was read. One reader takes them apart for all writes. */
const FORMS: readonly Form[] = [(tag) => `W/${tag}`, (tag) => `"other", ${tag}`, () => '*'];

/** The forms for one write: the version as it was read, and one of the others by turns; with SUITE_ROUNDS all of them. */
const formsFor = (at: number, forms: readonly Form[]): Form[] => [
  (tag) => tag,
  ...(process.env.SUITE_ROUNDS ? forms : [forms[at % forms.length]!]),
];

describe('every REST write that takes If-Match', () => {
  it('there are many', () => expect(writes.length).toBeGreaterThan(60));

  it.each(writes.map((operation) => [operation.title, operation] as const))('%s', async (_, operation) => {
    const { route } = operation;
    const passes = formsFor(writes.indexOf(operation), [...FORMS, (tag) => `${tag.slice(0, -1)};0123456789abcdef"`]);
    for (const [turn, form] of passes.entries()) {
      const { call, subject } = await prepared(operation);
      const { version: before, content: contentBefore } = (await storedAs(subject))!;
      expect(before, operation.title).toMatch(/^".+"$/);
      if (turn === 0)
        for (const [match, status] of [
          ['"other"', 412],
          ['"a", W/"b"', 412],
          ['""', 412],
          [before.slice(1, -1), 412],
          [' ', 400],
        ] as const) {
          const refused = await send(call, route, { 'if-match': match });
          expect([match, refused.status], refused.text).toEqual([match, status]);
          expect((await storedAs(subject))?.version).toBe(before);
        }
      const passed = await send(call, route, { 'if-match': form(before) });
      expect(passed.status, `${form(before)} ${passed.text}`).toBe(route.status);
      const { version: after, content: contentAfter } = (await storedAs(subject)) ?? {};
      if (contentAfter !== contentBefore) expect(after).not.toBe(before);
      const again = await send(call, route, { 'if-match': before });
      if (after !== before && after !== undefined) expect([404, 412], again.text).toContain(again.status);
      if (form(before) === '*') continue;
      const shown = passed.headers.get('etag');
      if (after !== undefined && shown) expect(versionOf(shown)).toBe(after);
    }
  });
});

/** The mutations whose input has a version, of the record or of each of its records. */
const mutations = graphqlOperations(schema).filter(({ kind, fields }) => {
  const input = kind === 'mutation' && fields[0]!.args.find(({ name }) => name === 'input');
  const type = input && getNamedType(input.type);
  return isInputObjectType(type) && 'ifMatch' in type.getFields();
});

interface Named {
  id?: string;
  platformId?: string;
  records?: Named[];
}

/** The key of the record that an input names: by its id, or by the platform id, after a first write of it. */
async function keyNamed({ id, platformId, records }: Named, model: Model, write: () => Promise<unknown>): Promise<string | number> {
  if (id !== undefined && model.props.get(model.key)!.kind === 'ledgerId') return Number(String(id).replace(/^\D+/, ''));
  if (id !== undefined) return /^[\da-f-]{36}$/.test(id) ? String(fromUUID(id, model.prefix)) : id;
  await write();
  const named = platformId ?? records![0]!.platformId;
  const [row] = await systemTransaction(gateway.services.database, (em) =>
    executeIn<{ key: string }>(
      em,
      `select max(ledger_id)::text as key from "${model.table}" where platform_id = $1 and organisation_id = $2`,
      [named, tenant.organisationId],
    ),
  );
  return Number(row!.key);
}

describe('every mutation that takes ifMatch', () => {
  it('there are many', () => expect(mutations.length).toBeGreaterThan(60));

  it.each(mutations.map((operation) => [operation.fields[0]!.name, operation] as const))('%s', async (name, operation) => {
    const field = operation.fields[0]!;
    const model = modelOfWrite(operation);
    const run = async (given: Arguments, ifMatch: string | undefined) => {
      const input = { ...(given[`${name}.input`] as object), ...(ifMatch === undefined ? {} : { ifMatch }) };
      const { document } = exampleOperation('mutation', field, { input });
      const query = document.replace(/\n\}$/, '').replace(/errors \{[^}]*\}/, '');
      const text = `${query.slice(0, query.lastIndexOf('}'))} errors { code path message } }\n}`;
      const response = await gateway.graphql(keyOf(operation), text, { input });
      expect(response.body.data?.[name], response.text).toBeTruthy();
      return response.body.data[name].errors as { code: string; path: string[] }[];
    };
    for (const form of formsFor(mutations.indexOf(operation), FORMS)) {
      const given = await argumentsOf(operation);
      const subject = { model, key: await keyNamed(given[`${name}.input`] as Named, model, () => run(given, undefined)) };
      const { version: before, content: contentBefore } = (await storedAs(subject))!;
      for (const match of ['"other"', '"a", W/"b"', before.slice(1, -1)])
        expect([match, await run(given, match)]).toEqual([match, [expect.objectContaining({ code: 'STALE_RECORD', path: ['ifMatch'] })]]);
      expect((await storedAs(subject))?.version).toBe(before);
      expect([form(before), await run(given, form(before))]).toEqual([form(before), []]);
      const { version: after, content: contentAfter } = (await storedAs(subject)) ?? {};
      if (contentAfter !== contentBefore) expect(after).not.toBe(before);
      if (after !== undefined && after !== before) {
        const [error] = await run(given, before);
        expect(['STALE_RECORD', model.notFound]).toContain(error?.code);
      }
    }
  });
});

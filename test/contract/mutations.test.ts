// The convention of all mutations, over every mutation of the schema: one input, a payload with errors, the caller's places.
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { errorCodes } from '../../src/records/errors.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway();
const mutations = (): GraphQLField<unknown, unknown>[] => Object.values(gateway.services.schema.getMutationType()!.getFields());
const inputOf = (field: GraphQLField<unknown, unknown>): GraphQLInputObjectType => {
  const type = getNullableType(field.args.find(({ name }) => name === 'input')!.type);
  if (!isInputObjectType(type)) throw new Error(`${field.name} has no input object`);
  return type;
};

describe('every mutation', () => {
  it('has one argument, a required input object named input', () => {
    expect(mutations().length).toBeGreaterThan(200);
    const others = mutations().filter(
      ({ args: [input, ...more] }) => input?.name !== 'input' || !isNonNullType(input.type) || more.length > 0,
    );
    expect(others.map(({ name }) => name)).toEqual([]);
    for (const field of mutations()) expect(inputOf(field).description, field.name).toBeTruthy();
  });

  it('returns a nullable payload whose errors are MutationErrors and whose other members are nullable', () => {
    for (const field of mutations()) {
      expect(isNonNullType(field.type), field.name).toBe(false);
      const payload = getNamedType(field.type);
      if (!isObjectType(payload)) throw new Error(`${field.name} has no payload`);
      const { errors, ...members } = payload.getFields();
      expect(String(errors?.type), field.name).toBe('[MutationError!]!');
      expect(
        Object.values(members)
          .filter(({ type }) => isNonNullType(type))
          .map(({ name }) => name),
        payload.name,
      ).toEqual([]);
    }
  });

  it('the codes of errors are the published list', () => {
    const code = gateway.services.schema.getType('ErrorCode');
    if (!isEnumType(code)) throw new Error('no enum');
    expect(
      code
        .getValues()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(errorCodes).sort());
  });

  it('an update, upsert or deletion of a ledger record takes ifMatch, and every input an idempotency key', () => {
    for (const field of mutations()) expect(Object.keys(inputOf(field).getFields()), field.name).toContain('idempotencyKey');
    for (const record of ledgerRecords)
      for (const action of ['update', 'upsert', 'delete']) {
        const field = mutations().find(({ name }) => name === action + record.name)!;
        expect(Object.keys(inputOf(field).getFields()), field.name).toContain('ifMatch');
      }
  });

  it('every ledger record has the four actions for one record and for many', () => {
    const names = new Set(mutations().map(({ name }) => name));
    for (const record of ledgerRecords) {
      const { many } = namesOf(record);
      for (const action of ['create', 'update', 'upsert', 'delete'])
        for (const noun of [record.name, many[0]!.toUpperCase() + many.slice(1)]) expect(names).toContain(action + noun);
    }
  });
});

describe('the place of an error', () => {
  it('an id of another record type is named by its member, for every mutation that names a numbered record', async () => {
    const { key } = await buildCompany(gateway);
    let checked = 0;
    for (const field of mutations()) {
      const type = inputOf(field);
      const id = type.getFields().id;
      if (!id?.extensions.names || !field.extensions.access?.includes('INTEGRATIONS')) continue;
      const input = { id: 'sync_none_1', companyId: 1 };
      const members = Object.keys(type.getFields()).includes('companyId') ? input : { id: input.id };
      const query = `mutation($input: ${type.name}!) { ${field.name}(input: $input) { __typename errors { code path message } } }`;
      const response = await gateway.graphql(key, query, { input: members });
      const { errors } = response.body.data?.[field.name] ?? {};
      expect(
        errors?.map(({ path }: { path: string[] }) => path.join('.')),
        `${field.name}: ${response.text}`,
      ).toContain('id');
      checked++;
    }
    expect(checked).toBeGreaterThan(40);
  });

  it('without errors in the selection the same error is one of the request, and nothing is silent', async () => {
    const { id, key } = await buildCompany(gateway);
    const refused = `input: { companyId: ${id}, id: "account_987654" }`;
    const response = await gateway.graphql(
      key,
      `mutation($no: Boolean!) {
        plain: deleteAccount(${refused}) { account { id } }
        skipped: deleteAccount(${refused}) { errors @skip(if: $no) { code } }
        inFragment: deleteAccount(${refused}) { ...Told }
      } fragment Told on AccountPayload { errors { code path } }`,
      { no: true },
    );
    expect(response.body.data).toEqual({
      plain: null,
      skipped: null,
      inFragment: { errors: [{ code: 'RECORD_NOT_FOUND', path: ['id'] }] },
    });
    expect(
      response.body.errors.map(({ path, extensions }: { path: string[]; extensions: { field: string } }) => [path[0], extensions.field]),
    ).toEqual([
      ['plain', 'input.id'],
      ['skipped', 'input.id'],
    ]);
  });

  it('an input that is null or absent is named, with errors in the selection and without', async () => {
    const key = await gateway.key(['INTEGRATIONS']);
    for (const name of ['updateTaxRates', 'deleteInvoices', 'upsertAccounts', 'resolveConflict'])
      for (const selection of ['{ __typename }', '{ errors { code message path } }'])
        for (const variables of [{}, { input: null }]) {
          const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
          const response = await gateway.graphql(key, `mutation ($input: ${type}) { ${name}(input: $input) ${selection} }`, variables);
          expect([name, response.body.errors?.[0]?.extensions.code], response.text).toEqual([name, 'MISSING_PARAMS']);
        }
  });

  it('authentication, permissions, limits and unknown fields stay errors of the request', async () => {
    const { id } = await buildCompany(gateway);
    const create = 'mutation($input: CreateAccountsInput!) { createAccounts(input: $input) { accounts { id } errors { code } } }';
    const forbidden = await gateway.graphql(await gateway.key(['PLATFORM']), create, { input: { companyId: id, records: [{}] } });
    expect(forbidden.body).toMatchObject({ data: { createAccounts: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    const { key, id: own } = await buildCompany(gateway);
    const many = await gateway.graphql(key, create, {
      input: { companyId: own, records: Array.from({ length: 1_001 }, () => ({ name: 'x' })) },
    });
    expect(many.body).toMatchObject({
      data: { createAccounts: null },
      errors: [{ extensions: { code: 'BATCH_LIMIT_EXCEEDED', field: 'input.records' } }],
    });
    const unknown = await gateway.graphql(key, create, { input: { companyId: own, records: [{ nmae: 'x' }] } });
    expect(unknown.body.data).toBeUndefined();
    expect(unknown.body.errors).toMatchObject([{ extensions: { code: 'INVALID_PARAMS', field: 'input.records[0].nmae' } }]);
  });
});

describe('an idempotency key in the input', () => {
  it('a retry gets the first response again, another content is rejected, and a document has one key', async () => {
    const { id, key } = await buildCompany(gateway);
    const create = (name: string, more = ''): Promise<Awaited<ReturnType<typeof gateway.graphql>>> =>
      gateway.graphql(
        key,
        `mutation { createAccount(input: { companyId: ${id}, name: "${name}", idempotencyKey: "one" }) { account { id } } ${more} }`,
      );
    const [first, second, other] = [await create('A'), await create('A'), await create('B')];
    expect(second.body).toEqual(first.body);
    expect(other.body.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }]);
    const two = await create('C', `b: createAccount(input: { companyId: ${id}, name: "C", idempotencyKey: "two" }) { account { id } }`);
    expect(two.body.errors).toMatchObject([{ extensions: { code: 'INVALID_PARAMS', field: 'input.idempotencyKey' } }]);
    const input = { companyId: id, name: 'V', idempotencyKey: 'three' };
    const inVariable = 'mutation($input: CreateAccountInput!) { createAccount(input: $input) { account { id } } }';
    expect((await gateway.graphql(key, inVariable, { input })).body).toEqual((await gateway.graphql(key, inVariable, { input })).body);
    const list = await gateway.graphql(key, `{ company(id: ${id}) { accounts(first: 50) { nodes { name } } } }`);
    expect(list.body.data.company.accounts.nodes.map(({ name }: { name: string }) => name).sort()).toEqual(['A', 'V']);
  });
});

it('lists of a bulk form are lists, so that indexes in paths are those that were sent', () => {
  const bulk = mutations().filter((field) => 'records' in inputOf(field).getFields());
  expect(bulk.length).toBeGreaterThan(60);
  for (const field of bulk) expect(isListType(getNullableType(inputOf(field).getFields().records!.type)), field.name).toBe(true);
});

it('each of many records with a wrong value is rejected, of which a response lists no more than 100 issues', async () => {
  const company = await buildCompany(gateway);
  for (const record of ledgerRecords) {
    const { many } = namesOf(record);
    const field = mutations().find(({ name }) => name === `create${many[0]!.toUpperCase()}${many.slice(1)}`)!;
    const type = inputOf(field);
    const members = Object.values((getNamedType(type.getFields().records!.type) as GraphQLInputObjectType).getFields());
    // No later step rejects a value of these types that was left out.
    const member = members.find((one) => isEnumType(getNamedType(one.type)) || String(one.type) === 'DateTime')!.name;
    const records = Array.from({ length: 130 }, () => ({ [member]: 'NONE' }));
    for (const [variables, input] of [
      [`$input: ${type.name}!`, '$input'],
      [`$records: ${type.getFields().records!.type}`, `{ companyId: ${company.id}, records: $records }`],
    ]) {
      const query = `mutation (${variables}) { ${field.name}(input: ${input}) { results { errors { path } } } }`;
      const response = await gateway.graphql(company.key, query, { input: { companyId: company.id, records }, records });
      const results: { errors: { path: unknown[] }[] }[] = response.body.data?.[field.name].results ?? [];
      const rejected = results.filter(({ errors }) => errors.some(({ path }) => path.at(-1) === member));
      expect(rejected.length, `${query}: ${response.text.slice(0, 300)}`).toBe(records.length);
    }
  }
}, 120_000);

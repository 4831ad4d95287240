// One spelling of ids. Whatever names a record by its number accepts the global id of the record too, and rejects those of other records by name.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { Admission } from '../../src/graphql/admission.ts';
import { coercerFor, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { StandardIntrospection } from '../../src/graphql/standard-introspection.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { Gathering } from '../../src/records/checked.ts';
import { ledgerGlobalId } from '../../src/records/ids.ts';
import type { InputIssue } from '../../src/records/input-issue.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { numberedType } from '../../src/records/schema-extensions.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const gateway = useGateway();
let key: string;
let company: number;
let contact: number;

const run = (query: string, variables: Record<string, unknown> = {}): Promise<GatewayResponse> => gateway.graphql(key, query, variables);
const rest = (method: string, path: string, data?: object): Promise<GatewayResponse> =>
  gateway.send(method, `/v4/core/companies/${path}`, { headers: { api_key: key }, ...(data ? { body: { data } } : {}) });

beforeAll(async () => {
  key = await gateway.key(['INTEGRATIONS', 'PLATFORM']);
  const made = await run('mutation { createCompany(input: { name: "Ids" }) { company { ledgerId } } }');
  company = made.body.data.createCompany.company.ledgerId;
  contact = (await rest('POST', `${company}/contacts`, { platform_id: 'c', name: 'Ada' })).body.data.data.ledger_id;
});

/** Every argument and input field that stands for the number of a record, by its place. */
function numbers(): Map<string, GraphQLArgument | GraphQLInputField> {
  const found = new Map<string, GraphQLArgument | GraphQLInputField>();
  for (const type of Object.values(gateway.services.schema.getTypeMap())) {
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) if (field.extensions.isNumber) found.set(`${type.name}.${field.name}`, field);
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields()))
        for (const arg of field.args) if (arg.extensions.isNumber) found.set(`${type.name}.${field.name}.${arg.name}`, arg);
  }
  return found;
}

describe('positions', () => {
  it('every number that an operation takes says which records it names, except that of a user', () => {
    const silent = [...numbers()].filter(([, { extensions }]) => (extensions.names?.() ?? []).length === 0).map(([place]) => place);
    expect(silent.sort()).toEqual(['LedgerIdFilter.eq', 'LedgerIdFilter.in', 'ResolvedByInput.ledgerId']);
  });

  it('the conditions of every filter on numbers say so too, except that on a user', () => {
    const silent = Object.values(gateway.services.schema.getTypeMap())
      .filter(isInputObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ place: `${type.name}.${field.name}`, field })))
      .filter(({ field }) => getNamedType(field.type).name === 'LedgerIdFilter' && (field.extensions.names?.() ?? []).length === 0);
    expect(silent.map(({ place }) => place)).toEqual(['DisconnectRequestFilter.resolvedByUserId']);
  });

  it('each takes the global ids of the records it names, and numbers, and rejects others by its path', () => {
    for (const [place, member] of numbers()) {
      const type = numberedType(member);
      const { extensions } = member;
      const names = extensions.names?.() ?? [];
      const isList = type.toString().startsWith('[');
      const wrapped = (value: unknown): unknown => (isList ? [value] : value);
      const path = isList ? 'here[0]' : 'here';
      for (const strategy of [namingStrategies.graphql, namingStrategies.ledger]) {
        const coercer = coercerFor(type, strategy, extensions.names);
        const read = (value: unknown): { read: unknown; issues: readonly InputIssue[] } => {
          const gathering = new Gathering();
          return { read: coercer(wrapped(value), 'here', gathering), issues: gathering.issues };
        };
        expect(read(7), place).toEqual({ read: wrapped(7), issues: [] });
        for (const { prefix } of names) expect(read(ledgerGlobalId(prefix, 7)), place).toEqual({ read: wrapped(7), issues: [] });
        const wrong = names.some(({ name }) => name === 'PipelineStage') ? 'tax_rate_7' : 'pipeline_stage_7';
        if (names.length > 0)
          expect(read(wrong).issues, place).toEqual([
            {
              field: path,
              code: 'INVALID_VALUE',
              message: expect.stringMatching(/ is the id of a record of the type (pipeline stage|tax rate)$/),
            },
          ]);
        else
          expect(read(wrong).issues, place).toEqual([{ field: path, code: 'INVALID_TYPE', message: `${path} must be a positive integer` }]);
        for (const odd of ['contact_0', 'contact_', '_7', 'contact_07', 'x_7', 'contact_7 ', 'contact_9999999999999999'])
          expect(read(odd).issues, `${place} ${odd}`).toHaveLength(1);
      }
    }
  });
});

describe('GraphQL', () => {
  it('a record is found by its global id wherever its number finds it, for every type', async () => {
    const fields = ledgerRecords.map((record) => `${namesOf(record).one}(ledgerId: "${modelOf(record).prefix}_4000000000") { id }`);
    for (const field of fields) {
      const { body } = await run(`{ company(id: "company_${company}") { ${field} } }`);
      expect(body.errors[0].extensions, field).toMatchObject({ code: 'RECORD_NOT_FOUND', field: 'ledgerId' });
    }
    const found = { data: { company: { id: `company_${company}`, contact: { name: 'Ada' } } } };
    for (const [c, r] of [
      [company, contact],
      [`company_${company}`, `contact_${contact}`],
      [company, String(contact)],
    ] as const)
      for (let round = 0; round < 2; round++) {
        const query = `query($c: ID!, $r: ID!) { company(id: $c) { id contact(ledgerId: $r) { name } } }`;
        expect((await run(query, { c, r })).body).toEqual(found);
      }
    const literal = await run(
      `query($r: ID! = "contact_${contact}") { company(id: "company_${company}") { id contact(ledgerId: $r) { name } } }`,
    );
    expect(literal.body).toEqual(found);
  });

  it('a global id of another type is rejected with the path and the type', async () => {
    const wrong = await run('{ company(id: "contact_7") { id } }');
    expect(wrong.body.errors[0].extensions.details).toEqual([
      {
        field: 'id',
        code: 'INVALID_VALUE',
        message: 'id must name a record of the type company; contact_7 is the id of a record of the type contact',
      },
    ]);
    const { body } = await run(
      `query($v: ID!) { company(id: ${company}) { contacts(filter: { ledgerId: { in: [$v] } }) { totalCount } } }`,
      { v: 'account_7' },
    );
    expect(body.errors[0].extensions.details).toEqual([
      expect.objectContaining({
        field: 'filter.ledgerId.in[0]',
        code: 'INVALID_VALUE',
        message: expect.stringContaining('type account'),
      }),
    ]);
  });

  it('filters and written records take both spellings, in literals, members and whole variables', async () => {
    const create = `mutation($c: ID!, $data: [EstimateInput!]!) { createEstimates(input: { companyId: $c, records: $data }) { estimates { ledgerId contactId } } }`;
    const data = [{ platformId: 'one', contactId: `contact_${contact}` }];
    const made = await run(create, { c: `company_${company}`, data });
    expect(made.body.errors).toBeUndefined();
    const [{ ledgerId, contactId }] = made.body.data.createEstimates.estimates;
    expect(contactId).toBe(contact);
    const list = (filter: string, declared = '', variables = {}): Promise<GatewayResponse> =>
      run(`query${declared} { company(id: ${company}) { estimates(filter: ${filter}) { nodes { ledgerId } } } }`, variables);
    const expected = { data: { company: { estimates: { nodes: [{ ledgerId }] } } } };
    const id = `contact_${contact}`;
    for (const [filter, declared, variables] of [
      [`{ contactId: { eq: "${id}" } }`],
      [`{ contactId: { in: ["${id}", ${contact}] } }`],
      [`{ contact: { ledgerId: { eq: "${id}" } } }`],
      ['{ contactId: { eq: $v } }', '($v: ID)', { v: id }],
      ['{ contactId: { eq: $v } }', '($v: ID)', { v: contact }],
      ['{ contactId: { in: $v } }', '($v: [ID!])', { v: [id] }],
      ['{ contactId: $v }', '($v: LedgerIdFilter)', { v: { eq: id } }],
      ['{ and: [$v] }', '($v: EstimateFilter!)', { v: { contactId: { eq: id } } }],
      ['$v', '($v: EstimateFilter)', { v: { contactId: { in: [id] } } }],
    ] as [string, string?, object?][])
      expect((await list(filter, declared, variables)).body, filter + declared).toEqual(expected);
  });

  it('what is neither a number nor a global id is rejected by name, as a literal and as a variable', async () => {
    for (const value of [1.5, 'abc', '', ' ', -3, 0, '-3', '1.5', '1e3', 99999999999999999999n, '9007199254740993', true, [[1]], {}]) {
      const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
      const names = /^id must be|^ID cannot represent|^Expected value of type "ID!", found/;
      const literal = await run(`{ company(id: ${text}) { id } }`);
      expect(literal.body.errors[0].message, text).toMatch(names);
      const variable = await gateway.send('POST', '/graphql', {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        raw: `{"query":"query($v: ID!) { company(id: $v) { id } }","variables":{"v":${text}}}`,
      });
      expect(variable.body.errors[0].message, text).toMatch(/^id (must be|has) /);
      expect(variable.body.errors[0].extensions.field, text).toBe('id');
      const list = await run(`query($v: [ID!]) { company(id: ${company}) { contacts(filter: { ledgerId: { in: $v } }) { totalCount } } }`, {
        v: [typeof value === 'bigint' ? String(value) : value],
      });
      expect(list.body.errors[0].extensions.field, text).toBe('filter.ledgerId.in[0]');
    }
  });

  it('no operation may name an id by a variable of another type than ID', () => {
    const messages = (type: string): string[] =>
      new Admission(gateway.services.schema, true, new StandardIntrospection(gateway.services.schema))
        .errors(parse(`query($v: ${type}) { company(id: $v) { id } }`), { roles: [] } as never)
        .map(({ message }) => message);
    expect(messages('ID!')).toEqual([]);
    for (const type of ['PositiveInt!', 'String!', 'Int!', 'ID', '[ID!]!'])
      expect(messages(type).join(), type).toContain('used in position');
  });
});

describe('REST', () => {
  it('paths, parameters and bodies take the global id next to the number', async () => {
    const byNumber = await rest('GET', `${company}/contacts/${contact}`);
    const byId = await rest('GET', `company_${company}/contacts/contact_${contact}`);
    expect(byId.status, byId.text).toBe(200);
    expect(byId.body.data).toEqual(byNumber.body.data);
    const made = await rest('POST', `${company}/estimates`, { platform_id: 'two', contact_id: `contact_${contact}` });
    expect(made.body.data.data).toMatchObject({ contact_id: contact });
    for (const spelling of [contact, `contact_${contact}`])
      for (const parameter of ['contact_id', 'contact_id[in]', 'contact.ledger_id']) {
        const list = await rest('GET', `${company}/estimates?platform_id=two&${parameter}=${spelling}`);
        expect(list.body.data, list.text).toHaveLength(1);
      }
  });

  it('a global id of another type is rejected by the name of the parameter', async () => {
    for (const [path, field] of [
      [`account_${company}/contacts`, 'companyId'],
      [`${company}/contacts/account_7`, 'id'],
      [`${company}/estimates?contact_id=account_7`, 'contact_id'],
    ] as const) {
      const { status, text } = await rest('GET', path);
      expect(status, text).toBe(400);
      expect(text, path).toContain('the id of a record of the type account');
      expect(text, path).toContain(field);
    }
  });
});

// The search of a company: one text in the records of all its types.

import type { GraphQLInterfaceType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDocument, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf, searchProps } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';

const gateway = useGateway();
let company: TestCompany;
let other: TestCompany;

const put = async (at: TestCompany, path: string, data: object): Promise<void> => {
  const { status, text } = await gateway.send('PUT', `${at.base}/${path}`, { headers: at.headers, body: { data } });
  expect(status, text).toBe(200);
};

beforeAll(async () => {
  [company, other] = [await buildCompany(gateway), await buildCompany(gateway)];
  for (const [at, mark] of [
    [company, 'ours'],
    [other, 'theirs'],
  ] as const) {
    await put(at, 'contacts', { platform_id: 'c1', name: `Zebra Müller ${mark}`, email: 'zebra@mail.example', phone: '030 1' });
    await put(at, 'contacts', { platform_id: 'c2', name: 'Nobody' });
    await put(at, 'items', { platform_id: 'i1', name: 'Striped fabric', code: 'ZEBRA-7' });
    await put(at, 'invoices', { platform_id: 'n1', document_number: 'N-1', memo: 'for the zebra' });
    await put(at, 'invoices', { platform_id: 'n2', document_number: 'ZEBRA-2' });
  }
  await put(company, 'bills', { platform_id: 'b1', document_number: 'ZEBRA-3' });
  const { body } = await gateway.send('GET', `${company.base}/bills?platform_id=b1`, { headers: company.headers });
  await gateway.send('DELETE', `${company.base}/bills/${body.data[0].ledger_id}`, { headers: company.headers });
});

const HITS = 'type fields record { platformId company { ledgerId } ... on Contact { name } ... on Invoice { lineItems { id } } }';
const search = async (args: string, at = company) =>
  (await gateway.graphql(at.key, `{ company(id: ${at.id}) { search(${args}) { ${HITS} } } }`)).body;
const found = async (args: string, at = company): Promise<string[]> =>
  (await search(args, at)).data.company.search.map(
    ({ type, fields, record }: { type: string; fields: string[]; record: { platformId: string } }) =>
      `${type} ${record.platformId} ${fields.join('+')}`,
  );

describe('hits', () => {
  it('have the type, the fields with the text and the record, the newest of each type and then the next, without deleted records', async () => {
    expect((await found('text: "zebra"')).sort()).toEqual([
      'CONTACT c1 name+email',
      'INVOICE n1 memo',
      'INVOICE n2 documentNumber',
      'ITEM i1 code',
    ]);
    expect(await found('text: "zebra", types: [INVOICE, CONTACT]')).toEqual([
      'INVOICE n2 documentNumber',
      'CONTACT c1 name+email',
      'INVOICE n1 memo',
    ]);
    expect(await found('text: "zebra", types: [INVOICE, CONTACT], first: 1')).toEqual(['INVOICE n2 documentNumber']);
  });

  it('contain every word, in any field, whatever the case and accents', async () => {
    expect(await found('text: "MULLER 030"')).toEqual(['CONTACT c1 name+phone']);
    expect(await found('text: "zebra nothing"')).toEqual([]);
    expect(await found('text: "100%"')).toEqual([]);
  });

  it('are of the company alone, and of callers who may read it', async () => {
    const { data } = await search('text: "zebra", types: [CONTACT]', other);
    expect(data.company.search).toEqual([
      {
        type: 'CONTACT',
        fields: ['name', 'email'],
        record: expect.objectContaining({ name: 'Zebra Müller theirs', company: { ledgerId: other.id } }),
      },
    ]);
    const stranger = await gateway.graphql(other.key, `{ company(id: ${company.id}) { search(text: "zebra") { type } } }`);
    expect(stranger.body.errors[0].extensions.code).toBe('COMPANY_NOT_FOUND');
  });

  it('of several companies take one statement for each type', async () => {
    const made = await gateway.graphql(company.key, 'mutation { createCompany(input: { name: "Second" }) { company { ledgerId } } }');
    const { ledgerId } = made.body.data.createCompany.company;
    await gateway.send('PUT', `/v4/core/companies/${ledgerId}/contacts`, {
      headers: company.headers,
      body: { data: { platform_id: 'c9', name: 'Zebra again' } },
    });
    const query = '{ companies(first: 5) { nodes { ledgerId search(text: "zebra") { record { platformId } } } } }';
    const read = () => gateway.graphql(company.key, query);
    const { body } = await read();
    const hits = body.data.companies.nodes.map(
      ({ ledgerId: id, search: own }: { ledgerId: number; search: { record: { platformId: string } }[] }) => [
        id,
        own.map(({ record }) => record.platformId).sort(),
      ],
    );
    expect(hits).toContainEqual([ledgerId, ['c9']]);
    expect(hits).toContainEqual([company.id, ['c1', 'i1', 'n1', 'n2']]);
    const types = ledgerRecords.filter((record) => searchProps(modelOf(record)).length > 0).length;
    expect(await statementsOf(gateway.services.database, read)).toBeLessThanOrEqual(types + 2);
  });
});

it('documents of all types show what they share by one interface', async () => {
  const selection = '__typename ... on Document { updatedAt currency { code } }';
  const { body } = await gateway.graphql(
    company.key,
    `{ company(id: ${company.id}) { search(text: "zebra", types: [INVOICE, CONTACT]) { record { ${selection} } } } }`,
  );
  const shown = { updatedAt: null, currency: null };
  expect(body.data.company.search.map(({ record }: { record: object }) => record)).toEqual([
    { __typename: 'Invoice', ...shown },
    { __typename: 'Contact' },
    { __typename: 'Invoice', ...shown },
  ]);
  const types = gateway.services.schema.getPossibleTypes(gateway.services.schema.getType('Document') as GraphQLInterfaceType);
  expect(types.map(({ name }) => name).sort()).toEqual(
    ledgerRecords
      .filter(isDocument)
      .map(({ name }) => name)
      .sort(),
  );
});

describe('what is searched', () => {
  it('every type with text that its lists search', async () => {
    const types = ledgerRecords.filter((record) => searchProps(modelOf(record)).length > 0).map((record) => namesOf(record).dataModel);
    expect(await found(`text: "zebra", types: [${types.join(', ')}]`)).toHaveLength(4);
  });

  it.each([
    ['text: ""', 'text'],
    ['text: "a b"', 'text'],
    [`text: "${'x'.repeat(201)}"`, 'text'],
    [`text: "${'word '.repeat(11)}"`, 'text'],
    ['text: "zebra", first: 26', 'first'],
    ['text: "zebra", first: 0', 'first'],
    ['text: "zebra", types: [CURRENCY]', 'types'],
    ['text: "zebra", types: []', 'types'],
  ])('search(%s) is rejected by the name of the argument', async (args, field) => {
    const { data, errors } = await search(args);
    expect(data).toEqual({ company: { search: null } });
    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_PARAMS', field });
  });
});

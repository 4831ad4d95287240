// Lists that the reader writes as JSON: the same records, to the last character, as lists that are read as objects.
import { type DocumentNode, getNamedType, isEnumType, isLeafType, isObjectType, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasNestedLists, withJsonLists } from '../../src/graphql/json-lists.ts';
import { seedIntegrationsDemo } from '../../src/integrations/demo/seed.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();

/** Every field of a type that no resolver computes, with the fields of its relations. */
function everything(typeName: string, relations = true): string {
  const type = gateway.services.schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object type`);
  const model = [...ledgerRecords].map(modelOf).find(({ name }) => name === typeName)!;
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.resolve || field.args.length > 0) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return relations && model.relations.has(field.name) ? [`${field.name} { ${everything(getNamedType(field.type).name, false)} }`] : [];
  });
  return ['__typename', ...fields].join(' ');
}

/** The document as the executor compiles it. */
const prepared = (query: string, nests = false): DocumentNode => {
  const document = parse(query);
  const operation = document.definitions.find((node) => node.kind === 'OperationDefinition')!;
  return withJsonLists(gateway.services.schema, document, operation, nests);
};
const isText = (query: string): boolean => JSON.stringify(prepared(query)).includes('"nodes$"');
const areTextGroups = (query: string): boolean => JSON.stringify(prepared(query)).includes('"groups$"');
const isNested = (query: string): boolean => hasNestedLists(prepared(query, true));

describe('demo records', () => {
  let key: string;
  let id: number;

  beforeAll(async () => {
    key = await gateway.key(['INTEGRATIONS'], 'JSON lists');
    const principal = await gateway.services.keys.find(key);
    await seedIntegrationsDemo(gateway.services, { id: principal!.organisationId! });
    id = (await gateway.graphql(key, '{ companies { nodes { ledgerId } } }')).body.data.companies.nodes[0].ledgerId;
  });

  it.each(ledgerRecords.map((target) => [namesOf(target).many, modelOf(target).name] as const))(
    '%s with every field and relation are the same as JSON and as objects',
    async (many, typeName) => {
      const selection = everything(typeName);
      const asText = `{ company(id: ${id}) { ${many} { nodes { ${selection} } } } }`;
      const asRecords = `{ company(id: ${id}) { ${many} { edges { node { ${selection} } } } } }`;
      expect([isText(asText), isText(asRecords)]).toEqual([true, false]);
      const text = (await gateway.graphql(key, asText)).body.data.company[many].nodes;
      const records = (await gateway.graphql(key, asRecords)).body.data.company[many].edges;
      expect(records.length).toBeGreaterThan(0);
      expect(text).toEqual(records.map(({ node }: { node: unknown }) => node));
    },
  );

  const unfolded = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unfolded);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, member]) =>
      name === 'edges' ? ['nodes', (member as { node: unknown }[]).map(({ node }) => unfolded(node))] : [name, unfolded(member)],
    );
    return Object.fromEntries(entries);
  };

  const asNodes = (fields: string): string => `nodes { ${fields} }`;
  const asEdges = (fields: string): string => `edges { node { ${fields} } }`;

  it.each(ledgerRecords.map((target) => [namesOf(target).many, modelOf(target).name] as const))(
    '%s within the JSON of their company are the same as objects',
    async (many, typeName) => {
      const query = (list: (fields: string) => string): string =>
        `{ companies(first: 2) { ${list(`ledgerId ${many}(first: 3) { ${list(everything(typeName))} }`)} } }`;
      expect([isNested(query(asNodes)), isNested(query(asEdges))]).toEqual([true, false]);
      const text = await gateway.graphql(key, query(asNodes));
      expect(text.status, text.text).toBe(200);
      expect(text.body.data.companies.nodes[0][many].nodes.length).toBeGreaterThan(0);
      expect(text.body).toEqual(unfolded((await gateway.graphql(key, query(asEdges))).body));
    },
  );

  /** Every field of the groups of a record, each under another name. */
  function everyAggregate(typeName: string): string {
    const group = gateway.services.schema.getType(`${typeName}SummaryGroup`);
    if (!isObjectType(group)) throw new Error(`${typeName} has no groups`);
    const aggregates = Object.values(group.getFields()).flatMap(({ name, type }) => {
      const named = getNamedType(type);
      if (name === 'key' || !isObjectType(named)) return [];
      return `${name} { ${Object.keys(named.getFields())
        .map((property) => `of_${property}: ${property}`)
        .join(' ')} __typename }`;
    });
    return `__typename number: count key { field __typename is: value } ${aggregates.join(' ')}`;
  }

  it.each(ledgerRecords.map((target) => [namesOf(target).many, modelOf(target).name] as const))(
    'groups of %s with every aggregate are the same as JSON and as objects',
    async (many, typeName) => {
      const keys = gateway.services.schema.getType(`${typeName}GroupField`);
      if (!isEnumType(keys)) throw new Error(`${typeName} is grouped by nothing`);
      const names = keys.getValues().map(({ name }) => name);
      // Sums of several currencies are rejected.
      const currency = names.includes('CURRENCY_ID') ? ['CURRENCY_ID'] : [];
      for (const by of [[], ...names.map((name) => [name])]) {
        const groupBy = [...new Set([...by, ...currency])].map((field) => `{ field: ${field} }`).join(' ');
        const query = (directive: string): string =>
          `{ company(id: ${id}) { ${many}Summary(groupBy: [${groupBy}]) { totalCount groups ${directive} { ${everyAggregate(typeName)} } groupCount } } }`;
        const [asText, asObjects] = [query(''), query('@include(if: true)')];
        expect([areTextGroups(asText), areTextGroups(asObjects)]).toEqual([true, false]);
        const text = await gateway.graphql(key, asText);
        expect(text.status, text.text).toBe(200);
        expect(text.body.errors, text.text).toBeUndefined();
        expect(text.body).toEqual((await gateway.graphql(key, asObjects)).body);
      }
    },
  );

  it('groups that are selected twice, or by fragments, are the same as JSON and as objects', async () => {
    const query = (groups: string): string =>
      `{ company(id: ${id}) { invoicesSummary(groupBy: [{ field: STATUS }, { field: CURRENCY_ID }]) { ${groups} } } } fragment G on InvoiceSummaryGroup { count sum { totalAmount } }`;
    const whole = 'groups { key { value } ...G }';
    const response = (await gateway.graphql(key, query(whole))).body.data.company.invoicesSummary.groups;
    expect([areTextGroups(query(whole)), response.length > 0]).toEqual([true, true]);
    const twice = (await gateway.graphql(key, query(`${whole} again: groups { count }`))).body.data.company.invoicesSummary;
    expect(twice).toEqual({ groups: response, again: response.map(({ count }: { count: number }) => ({ count })) });
    const merged = (await gateway.graphql(key, query('groups { ...G } groups { key { value } }'))).body.data.company.invoicesSummary.groups;
    expect(merged).toEqual(response);
  });

  it('lists within lists keep their aliases, fragments, variables and defaults', async () => {
    const query = (
      list: (fields: string) => string,
    ): string => `query ($id: ID!, $most: Int = 5, $status: DocumentStatus, $where: ContactFilter) {
      company(id: $id) { contacts(first: $most, filter: $where) { ${list(`again: ledgerId
        few: billCreditNotes(first: 1) { ${list('...Note')} }
        many: billCreditNotes(first: 5, filter: { status: { eq: $status } }, orderBy: { field: TOTAL_AMOUNT, direction: DESC }) { ...Page }`)} } } }
      fragment Page on BillCreditNoteConnection { ${list('ledgerId lineItems { name } ...Note')} }
      fragment Note on BillCreditNote { totalAmount __typename contact { name } }`;
    const [asText, asRecords] = [query(asNodes), query(asEdges)];
    expect([isNested(asText), isNested(asRecords)]).toEqual([true, false]);
    for (const variables of [
      // Without a status there is no condition.
      { id },
      { id, status: 'DRAFT' },
      { id, status: 'PAID', most: 2, where: { name: { isNull: false } } },
    ]) {
      const text = await gateway.graphql(key, asText, variables);
      expect(text.status, text.text).toBe(200);
      expect(text.body).toEqual(unfolded((await gateway.graphql(key, asRecords, variables)).body));
    }
  });

  it('an error of a list within a list is reported at its field, as if the lists were read apart', async () => {
    const query = (list: (fields: string) => string): string =>
      `{ companies(first: 2) { ${list(`ledgerId accounts(first: 1) { ${list('ledgerId')} } contacts(first: 1, after: "none") { ${list('ledgerId')} }`)} } }`;
    expect(isNested(query(asNodes))).toBe(true);
    const [{ path, message, extensions }] = (await gateway.graphql(key, query(asNodes))).body.errors;
    expect([path, extensions.code]).toEqual([['companies', 'nodes', 0, 'contacts'], 'INVALID_CURSOR']);
    const apart = (await gateway.graphql(key, query(asEdges))).body.errors;
    expect(apart[0].message).toBe(message);
  });
});

describe('selections', () => {
  let company: TestCompany;
  const memos = ['"quoted" \\ and / slashed', 'line\nfeed\ttab\u0001', 'Zoë 😀 \u2028 end', ''];
  const amounts = [0.1, 1e-7, 123456789012345, -0.5, 100, 0];

  beforeAll(async () => {
    company = await buildCompany(gateway);
    const lines = amounts.map((amount, index) => ({ platform_id: `l${index}`, unit_amount: amount }));
    for (const [index, memo] of memos.entries()) {
      const made = await gateway.send('POST', `${company.base}/bill_credit_notes`, {
        headers: company.headers,
        body: {
          data: { platform_id: `n${index}`, memo, posted_date: '2026-03-01T10:20:30.123456Z', line_items: index === 0 ? lines : [] },
        },
      });
      expect(made.status, made.text).toBe(201);
    }
  });
  const read = async (selection: string, variables = '', given = {}) => {
    const query = `query${variables} { company(id: ${company.id}) { billCreditNotes { ${selection} } } }`;
    const response = await gateway.graphql(company.key, query, given);
    expect(response.status, response.text).toBe(200);
    return response.body.data.company.billCreditNotes;
  };

  it('characters that JSON escapes, and amounts, are read as they were written', async () => {
    const { nodes } = await read('nodes { memo postedDate lineItems { unitAmount } }');
    expect(nodes.map((node: { memo: string }) => node.memo)).toEqual(memos);
    expect(nodes[0].lineItems.map((line: { unitAmount: number }) => line.unitAmount)).toEqual(amounts);
    expect(nodes[0].postedDate).toBe('2026-03-01T10:20:30.123456Z');
  });

  it('members come in the order of the selection, under their aliases, merged where they repeat', async () => {
    const query = `{ company(id: ${company.id}) { billCreditNotes(first: 1) { nodes { b: memo ...Name a: platformId lineItems { platformId } ... on BillCreditNote { lineItems { __typename } } } } } }
      fragment Name on BillCreditNote { lineItems { unitAmount } b: memo }`;
    expect(isText(query)).toBe(true);
    const { text } = await gateway.graphql(company.key, query);
    expect(text.slice(text.indexOf('"b"'))).toMatch(
      /^"b":"\\"quoted.*","lineItems":\[\{"unitAmount":0\.1,"platformId":"l0","__typename":"LineItem"\},.*\],"a":"n0"\}\]\}\}\}\}$/,
    );
  });

  it('@include and @skip apply to members', async () => {
    const [node] = (
      await read('nodes { memo @skip(if: $no) platformId @include(if: $yes) }', '($yes: Boolean!, $no: Boolean!)', { yes: true, no: true })
    ).nodes;
    expect(node).toEqual({ platformId: 'n0' });
  });

  it('a page that is selected twice, or as edges too, holds the same records', async () => {
    const page = await read('nodes { platformId } again: nodes { memo } edges { node { platformId } cursor } pageInfo { endCursor }');
    expect(page.nodes).toEqual(page.edges.map(({ node }: { node: unknown }) => node));
    expect(page.again).toHaveLength(memos.length);
    expect(page.pageInfo.endCursor).toBe(page.edges.at(-1).cursor);
  });

  it('pages of JSON take the same cursors as pages of objects, forwards and backwards', async () => {
    const first = await read('nodes { platformId } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }');
    const list = async (args: string, kind: string): Promise<string[]> => {
      const response = await gateway.graphql(
        company.key,
        `{ company(id: ${company.id}) { billCreditNotes(${args}) { ${kind} pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`,
      );
      const { nodes, edges, pageInfo } = response.body.data.company.billCreditNotes;
      return [
        ...(nodes ?? edges.map(({ node }: { node: unknown }) => node)).map(({ platformId }: { platformId: string }) => platformId),
        JSON.stringify(pageInfo),
      ];
    };
    for (const args of [
      'first: 2',
      `last: 2`,
      `first: 1, after: "${first.pageInfo.startCursor}"`,
      `last: 2, before: "${first.pageInfo.endCursor}"`,
    ]) {
      const text = await list(args, 'nodes { platformId }');
      expect(text).toEqual(await list(args, 'edges { node { platformId } }'));
      expect(text.length).toBeGreaterThan(1);
    }
  });

  it('the internal field behind a JSON list can be neither introspected nor selected', async () => {
    const { body } = await gateway.graphql(company.key, '{ __type(name: "BillCreditNoteConnection") { fields { name } } }');
    expect(body.data.__type.fields.map(({ name }: { name: string }) => name).sort()).toEqual([
      'edges',
      'nodes',
      'pageInfo',
      'totalCount',
      'totalCountIsEstimate',
    ]);
    const asked = await gateway.graphql(company.key, `{ company(id: ${company.id}) { billCreditNotes { nodes$ } } }`);
    expect(asked.status).toBe(400);
  });
});

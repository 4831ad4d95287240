// Keys that people type have no duplicates that look alike. Keys that differ only in blanks at their ends, in the kind of their blanks or in their
// normal form are one key. A character that shows nothing is rejected by name. Ids of a source are compared by the source, so other forms of them are
// rejected.
import { type GraphQLInputField, getNamedType, isInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { coercerFor, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { isSourced, type LedgerRecord, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { Gathering } from '../../src/records/checked.ts';
import { declaredProps } from '../../src/records/decorators.ts';
import { checkField } from '../../src/records/fields.ts';
import { isWritable, modelOf, type Prop, type RecordClass, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { keyIssue, keyText } from '../../src/records/text.ts';
import { entities, ledgerRecords } from '../../src/registry.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { type PlatformCaller, platformCaller } from '../support/platform.ts';
import { buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;
let inbox: TestCompany;
let platform: PlatformCaller;

beforeAll(async () => {
  company = await buildCompany(gateway);
  inbox = await buildCompany(gateway);
  platform = await platformCaller(gateway, '/api/v1');
});

/** A composed key, and others that look like it. */
const KEY = '\u00dcnit 1';
const TWINS = [KEY, 'U\u0308nit 1', ' \u00dcnit 1\t', '\u00dcnit\u00a01', '\u2003U\u0308nit\u20091\ufeff'];
/** Characters that show nothing. */
const INVISIBLE = ['\u200b', '\u00ad', '\u2060', '\u200d', '\u200e', '\u0007', '\u2028', '\u3164', '\u{e0041}', '\ufe0f', '\ufffe'];
const nameOf = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

describe('the form of a key', () => {
  it.each(TWINS)('%j is one key with all that look like it', (twin) =>
    expect([keyText(twin), keyIssue(keyText(twin))]).toEqual([KEY, undefined]),
  );
  it.each(INVISIBLE)('%j is rejected by name', (character) =>
    expect(keyIssue(`A${character}B`)).toBe(`not contain the invisible character ${nameOf(character)}`),
  );
  it.each([
    ['U\u0308nit', 'be in the Unicode normal form NFC, which U+0308 is not part of here'],
    ['\u212b', 'be in the Unicode normal form NFC, which U+212B is not part of here'],
    [' a', 'not begin or end with a blank'],
    ['a\u00a0b', 'not contain the blank U+00A0; the ordinary one is U+0020'],
  ])('%j of a source is rejected', (text, issue) => expect(keyIssue(text)).toBe(issue));
  // What no standard calls equal stays apart: wide letters, ligatures, letters of other scripts.
  it.each(['\uff21', '\ufb01', '\u0410', 'A', 'a', 'a  b', '#1', '\u{1f600}'])('%j is a key of its own', (text) =>
    expect([keyText(text), keyIssue(text)]).toEqual([text, undefined]),
  );
});

/** The texts that callers write of each record and embedded object that has an input. */
const written = [
  ...entities.map((target): [string, readonly Prop[]] => [target.name, writableProps(target)]),
  ...entities.flatMap((target) =>
    [...modelOf(target).props.values()].flatMap(({ embedded }): [string, readonly Prop[]][] =>
      embedded ? [[embedded().class.name, declaredProps(embedded().class)]] : [],
    ),
  ),
];

/** Names of texts by which people tell one thing from another. */
const NAMED_AS_KEY =
  /(?:code|number|sku|alias|label|identifier)$|(?:external|platform|portal|credential|registration)Id$|^organisationName$/i;

/** Texts with such a name that are no keys. */
const others: Record<string, string> = {
  'Address.postalCode': 'part of an address, as the source writes it',
  'RegisteredAddress.postalCode': 'part of an address',
  'PhoneNumber.number': 'as the source writes it; two forms of one number are not distinguished by their characters',
  'Corporation.emailAlias': 'ASCII by its pattern',
  'Product.taxCode': 'ASCII by its pattern',
};

const inputsOf = (name: string): GraphQLInputField[] =>
  Object.values(gateway.services.schema.getTypeMap())
    .filter(isInputObjectType)
    .filter((type) =>
      new RegExp(`^(Create|Update|Upsert|Issue|Entity)?(${name}|${name.replace(/^BusinessEntity/, '')})(Change)?Input$`).test(type.name),
    )
    .flatMap((type) => Object.values(type.getFields()));

describe('the declarations', () => {
  it('every text that is named or indexed as a key is one', () => {
    const missing = written.flatMap(([record, props]) => {
      const model = entities.find(({ name }) => name === record);
      const unique = new Set(model ? modelOf(model).indexes.flatMap(({ columns }) => columns.slice(-1)) : []);
      return props
        .filter(({ kind }) => kind === 'text')
        .filter(({ name, column, list }) => NAMED_AS_KEY.test(name) || (unique.has(column) && list !== 'indexed'))
        .filter(({ name }) => inputsOf(record).some((field) => field.name === name))
        .filter(({ rules }) => rules?.key === undefined)
        .map(({ name }) => `${record}.${name}`)
        .filter((place) => others[place] === undefined);
    });
    expect(missing).toEqual([]);
  });

  const keys = written.flatMap(([record, props]) =>
    props
      .filter((prop) => prop.rules?.key === 'normalised' && isWritable(prop))
      .map((prop): [string, string, Prop] => [`${record}.${prop.name}`, record, prop]),
  );

  it('there are many', () => expect(keys.length).toBeGreaterThan(25));

  it.each(keys)('%s is one in every input and in files', (_, record, prop) => {
    const fields = inputsOf(record).filter(({ name }) => name === prop.name);
    expect(fields.map(({ extensions }) => extensions.rules?.key)).toEqual(fields.map(() => 'normalised'));
    expect(fields.length).toBeGreaterThan(0);
    // Rules that ask for more than a key are met first or later, but never by another form of it.
    for (const twin of TWINS) expect(checkField(prop, twin)).toEqual(checkField(prop, KEY));
    for (const character of INVISIBLE)
      expect(checkField(prop, `A${character}B`)).toMatchObject({
        ok: false,
        issues: [{ message: expect.stringMatching(/invisible|control|well-formed/) }],
      });
  });

  it('every input that has one makes one of all duplicates, on both endpoints', () => {
    let tried = 0;
    for (const type of Object.values(gateway.services.schema.getTypeMap()).filter(isInputObjectType))
      for (const field of Object.values(type.getFields())) {
        if (field.extensions.rules?.key !== 'normalised' || getNamedType(field.type).name !== 'String') continue;
        for (const strategy of [namingStrategies.graphql, namingStrategies.snake, namingStrategies.ledger]) {
          const name = strategy.fieldName(field.name, field);
          const of = (value: string): { value: unknown; issues: string[] } => {
            const issues = new Gathering();
            const result = coercerFor(type, strategy)({ [name]: value }, '', issues) as Record<string, unknown>;
            return {
              value: result[field.name],
              issues: issues.issues.filter((issue) => issue.field === name).map(({ message }) => message),
            };
          };
          for (const twin of TWINS) expect(of(twin)).toEqual({ value: KEY, issues: [] });
          expect(of('A\u200bB').issues).toEqual([`${name} must not contain the invisible character U+200B`]);
          tried++;
        }
      }
    expect(tried).toBeGreaterThan(200);
  });
});

/** The keys of the records of a company, with the way in which a body has them: at once, or in a child. */
const places = ledgerRecords.flatMap((target) =>
  writableProps(target)
    .filter(({ rules }) => rules?.key === 'normalised')
    .map((prop): [string, RecordClass<LedgerRecord>, Prop] => [`${target.name}.${prop.name}`, target, prop]),
);

const ownerOf = (target: RecordClass): { owner: RecordClass<LedgerRecord>; list: string } | undefined => {
  for (const owner of ledgerRecords)
    for (const relation of modelOf(owner).relations.values())
      if (relation.owned && relation.target() === target) return { owner, list: relation.name };
  return undefined;
};

/** A body with a key, and how to find it in a response. */
function bodyWith(target: RecordClass<LedgerRecord>, prop: Prop, value: string) {
  const { owner = target, list } = ownerOf(target) ?? {};
  const own = { platform_id: `key ${prop.column}`, [prop.column]: value };
  const data = list === undefined ? { ...sampleBody(owner), ...own } : { platform_id: 'owner', [snakeCase(list)]: [own] };
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
  const found = (record: any): unknown => (list === undefined ? record : record[snakeCase(list)][0])[prop.column];
  return { owner, data, found };
}

describe('records of a company', () => {
  it.each(places)('%s is stored in its one form and found by any', async (_, target, prop) => {
    const { owner, found } = bodyWith(target, prop, '');
    const path = `${company.base}/${listName(owner)}`;
    for (const twin of [TWINS[1]!, TWINS[4]!]) {
      const response = await gateway.send('PUT', path, { headers: company.headers, body: { data: bodyWith(target, prop, twin).data } });
      expect(response.status, response.text).toBe(200);
      expect(found(response.body.data.data)).toBe(KEY);
      const listed = await gateway.send('GET', `${company.base}/${listName(target)}?${prop.column}[eq]=${encodeURIComponent(twin)}`, {
        headers: company.headers,
      });
      expect([listed.status, listed.body.data?.length], listed.text).toEqual([200, 1]);
      const filtered = await gateway.graphql(
        company.key,
        `query ($v: String!) { company(id: ${company.id}) { list: ${namesOf(target).many}(filter: { ${prop.name}: { in: [$v] } }) { nodes { key: ${prop.name} } } } }`,
        { v: twin },
      );
      expect(filtered.body.data?.company.list.nodes, filtered.text).toEqual([{ key: KEY }]);
    }
    const refused = await gateway.send('PUT', path, { headers: company.headers, body: { data: bodyWith(target, prop, 'A\u200bB').data } });
    expect([refused.status, refused.text], refused.text).toEqual([
      400,
      expect.stringContaining(`${prop.column} must not contain the invisible character U+200B`),
    ]);
  });

  it.each(ledgerRecords.filter((target) => namesOf(target).parent.length === 0).map((target) => [target.name, target] as const))(
    'the platform id of %s has one form, or is rejected',
    async (_, target) => {
      for (const id of [...TWINS.slice(1), 'A\u200bB']) {
        const response = await gateway.send('PUT', `${company.base}/${listName(target)}`, {
          headers: company.headers,
          body: { data: { ...sampleBody(target), platform_id: id } },
        });
        expect([response.status, response.body.error?.field], response.text).toEqual([400, 'data.platform_id']);
      }
    },
  );

  it('references by the id of the source are rejected in the same forms', async () => {
    const contact = { platform_id: 'U\u0308nit' };
    const rest = await gateway.send('PUT', `${company.base}/invoices`, {
      headers: company.headers,
      body: { data: { platform_id: 'refers', contact, purchase_orders: [contact] } },
    });
    expect(rest.text).toContain('data.contact.platform_id must be in the Unicode normal form NFC');
    const graphql = await gateway.graphql(
      company.key,
      `mutation { createInvoice(input: { companyId: ${company.id}, contact: { platformId: "A\\u200bB" } }) { errors { path message } } }`,
    );
    expect(graphql.body.data.createInvoice.errors[0].message).toContain('must not contain the invisible character U+200B');
  });

  it('files have them in one form or report what is wrong', async () => {
    const sourced = Map.groupBy(
      places.filter(([, target]) => isSourced(target)),
      ([, target]) => target,
    );
    for (const [target, own] of sourced) {
      const row = (id: string, value: string): string => [id, ...own.map(() => value)].map((cell) => `"${cell}"`).join(',');
      const header = ['platform_id', ...own.map(([, , { column }]) => column)].join(',');
      const form = new FormData();
      form.set('data_model', namesOf(target).dataModel);
      form.set(
        'file',
        new Blob([[header, row('f1', ' U\u0308nit\u00a01 '), row('f2', 'A\u200bB'), row('f3\u200b', 'C')].join('\n')]),
        'keys.csv',
      );
      const encoded = new Response(form);
      const response = await gateway.send('POST', `${inbox.base}/imports`, {
        headers: { ...inbox.headers, 'content-type': encoded.headers.get('content-type')! },
        raw: new Uint8Array(await encoded.arrayBuffer()),
      });
      expect(response.status, response.text).toBe(201);
    }
    const pulled = await gateway.send('POST', `${inbox.base}/syncs`, { headers: inbox.headers, body: { data: {} } });
    const { id } = await endOfSync(gateway, inbox, pulled.body.data.id);
    const jobs = await jobsOf(gateway, inbox, id);
    expect(sourced.size).toBeGreaterThan(10);
    for (const [target, own] of sourced) {
      const list = await gateway.send('GET', `${inbox.base}/${listName(target)}`, { headers: inbox.headers });
      const stored = list.body.data.map((record: Record<string, unknown>) => own.map(([, , { column }]) => record[column]));
      expect([target.name, stored]).toEqual([target.name, [own.map(() => KEY)]]);
      const reported = jobs.filter(({ dataModel, errorMessage }) => dataModel === namesOf(target).dataModel && errorMessage);
      const messages = reported.map(({ errorMessage }) => errorMessage).join('\n');
      expect(messages).toContain(`${own[0]![2].column} must not contain the invisible character U+200B`);
      expect(messages).toContain('platform_id must not contain the invisible character U+200B');
    }
  });
});

describe('products', () => {
  it('of one sku in any form there is one, by request and by file', async () => {
    const corporation_id = await platform.corporation();
    const create = (sku: string) => platform.send('POST', '/products', { corporation_id, name: 'Kettle', sku });
    const first = await create(TWINS[1]!);
    expect([first.status, first.body.data.sku], first.text).toEqual([200, KEY]);
    for (const twin of TWINS) expect((await create(twin)).body.error.code).toBe('DUPLICATE_SKU');
    const invisible = await create('A\u200bB');
    expect([invisible.status, invisible.body.error.details[0].message]).toEqual([
      400,
      'sku must not contain the invisible character U+200B',
    ]);
    const graphql = await gateway.graphql(
      platform.key,
      `mutation ($sku: String) { createProduct(input: { corporationId: "${corporation_id}", name: "Kettle", sku: $sku }) { errors { code path } } }`,
      { sku: TWINS[3] },
    );
    expect(graphql.body.data.createProduct.errors).toEqual([{ code: 'DUPLICATE_SKU', path: ['sku'] }]);
    const started = async (rows: string) => {
      const file = await platform.upload(`sku,name,source_platform,source_platform_id\n${rows}`, { parts: { corporation_id } });
      return platform.send('POST', '/products/bulk_upload/csv', { file_id: file.body.data.id, corporation_id });
    };
    const refused = await started(`${TWINS[3]},By file,,\n${TWINS[1]},Again,,\nA\u200bB,Refused,,\nZ,Other,SHOPIFY,s\u00ad1\n`);
    expect(refused.body.error.details.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('sku repeats row 2'),
      expect.stringContaining('sku must not contain the invisible character U+200B'),
      expect.stringContaining('source_platform_id must not contain the invisible character U+00AD'),
    ]);
    let { job } = (await started(`${TWINS[3]},By file,,\n`)).body.data;
    while (!job.completed_at) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      job = (await platform.send('GET', `/jobs/${job.id}`)).body.data;
    }
    const listed = await platform.send('GET', `/products?corporation_id=${corporation_id}`);
    expect(listed.body.data.products.map(({ sku, name }: { sku: string; name: string }) => [sku, name])).toEqual([[KEY, 'By file']]);
  });
});

it('an organisation is found by any other form of its name', async () => {
  const ask = async (query: string, variables: Record<string, unknown>) => {
    const { body, text } = await gateway.graphql(ADMIN_TOKEN, query, variables);
    expect(body.errors, text).toBeUndefined();
    return body.data;
  };
  await ask('mutation ($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { accessKey { id } } }', {
    input: { organisationName: TWINS[1], roles: ['INTEGRATIONS'] },
  });
  for (const twin of TWINS) {
    const lists =
      'accessKeys(organisationName: $twin) { organisationName } accessKeyConnection(organisationName: $twin) { nodes { organisationName } }';
    expect(await ask(`query ($twin: String!) { ${lists} }`, { twin }), JSON.stringify(twin)).toEqual({
      accessKeys: [{ organisationName: KEY }],
      accessKeyConnection: { nodes: [{ organisationName: KEY }] },
    });
    const entity = { organisationName: twin, legalName: 'Owned', country: 'US', state: 'WY', corporationType: 'LLC' };
    const shown = await ask(
      'mutation ($input: BusinessEntityInput!) { upsertBusinessEntity(input: $input) { businessEntity { legalName } errors { message } } }',
      { input: entity },
    );
    expect(shown.upsertBusinessEntity, JSON.stringify(twin)).toEqual({ businessEntity: { legalName: 'Owned' }, errors: [] });
  }
});

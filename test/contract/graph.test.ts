// The graph: every relation leads both ways to the same records, none of them another organisation's; and the caller as `viewer` shows it.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { type ReverseList, reverseListsOf } from '../../src/graphql/graph/reverse-lists.ts';
import { seedIntegrationsDemo } from '../../src/integrations/demo/seed.ts';
import { ledgerGlobalId } from '../../src/records/ids.ts';
import { type Model, modelOf, propOf, type Relation } from '../../src/records/metadata.ts';
import { Role, type RoleName } from '../../src/records/roles.ts';
import { entities } from '../../src/registry.ts';
import { buildTenant, type Tenant } from '../suites/tenants.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway({ webhookAllowPrivate: true, rateLimitPerMinute: 0 });
let own: Tenant;
let other: Tenant;

/** A pair of records by their global ids. */
type Pair = string;

const rowsOf = (text: string, values: unknown[]): Promise<Record<string, string>[]> =>
  systemTransaction(gateway.services.database, (em) => executeIn<Record<string, string>>(em, text, values));

/** Two companies of the organisation, the first of them under another name so that the demo makes a second. */
async function withCompanies(name: string): Promise<Tenant> {
  const tenant = await buildTenant(gateway, name);
  const headers = { api_key: tenant.key };
  const renamed = await gateway.send('PATCH', `/v4/core/companies/${tenant.companyId}`, { headers, body: { data: { name: 'First' } } });
  expect(renamed.status, renamed.text).toBe(200);
  await seedIntegrationsDemo(gateway.services, { id: tenant.organisationId });
  // What the demo does not have: references of every kind.
  for (const { id } of await rowsOf('select ledger_id as id from company where organisation_id = $1', [tenant.organisationId])) {
    const base = `/v4/core/companies/${id}`;
    const make = async (list: string, data: object): Promise<number> => {
      const made = await gateway.send('POST', `${base}/${list}`, { headers, body: { data } });
      expect(made.status, made.text).toBe(201);
      return made.body.data.data.ledger_id;
    };
    const contact_id = await make('contacts', { platform_id: 'graph', phone_numbers: [{ number: '1' }], external_links: [{ link: 'x' }] });
    const item = await gateway.send('POST', `${base}/items`, {
      headers,
      body: { data: { platform_id: 'graph', variants: [{ name: 'Small' }] } },
    });
    const { ledger_id: item_id, variants } = item.body.data.data;
    const account_id = await make('accounts', { platform_id: 'graph' });
    await make('accounts', { platform_id: 'graph-below', parent_account_id: account_id });
    const tax_id = await make('tax_rates', { platform_id: 'graph' });
    const line_items = [{ name: 'line', item_id, variant_id: variants[0].ledger_id, account_id, tax_id }];
    for (const list of ['bill_credit_notes', 'invoice_credit_notes', 'estimates'])
      await make(list, { platform_id: 'graph', contact_id, line_items });
    await make('addresses', { platform_id: 'graph', parent_type: 'CONTACT', parent_id: contact_id, city: 'Berlin' });
    const orders = [];
    for (const name of ['one', 'two']) orders.push(await make('purchase_orders', { platform_id: name, contact_id, line_items }));
    for (const purchase_order_ids of [orders, [orders[1]]])
      await make('goods_receipt_notes', { platform_id: `note-${purchase_order_ids.length}`, contact_id, line_items, purchase_order_ids });
  }
  return tenant;
}

beforeAll(async () => {
  own = await withCompanies('Own');
  other = await withCompanies('Other');
  // Records are compared with the tables read a moment earlier, so background work ends once there is an attempt of each organisation's deliveries.
  const attempted = 'select 1 from webhook_attempt where organisation_id = $1 limit 1';
  for (const { organisationId } of [own, other])
    await vi.waitFor(async () => expect(await rowsOf(attempted, [organisationId])).toHaveLength(1), { timeout: 30_000, interval: 50 });
  await gateway.stopWork();
}, 240_000);

const keyColumn = (model: Model): string => propOf(model, model.key).column;
const globalId = (model: Model, key: string): string =>
  propOf(model, model.key).kind === 'ledgerId' ? ledgerGlobalId(model.prefix, Number(key)) : key;
const alive = (model: Model, alias: string): string =>
  model.deletedAt ? ` and ${alias}.${propOf(model, model.deletedAt).column} is null` : '';

/** The global ids of the live records of a type. */
async function idsOf(tenant: Tenant, model: Model): Promise<string[]> {
  const rows = await rowsOf(
    `select ${keyColumn(model)}::text as key from "${model.table}" t where organisation_id = $1${alive(model, 't')}`,
    [tenant.organisationId],
  );
  return rows.map(({ key }) => globalId(model, key!));
}

/** The pairs of source and target in the tables, within a company where both belong to one. `on` is the condition between the rows `s` and `t`. */
async function storedPairs(tenant: Tenant, source: Model, target: Model, on: string): Promise<Pair[]> {
  const isOfCompanies = source.companyColumn !== undefined && target.companyColumn !== undefined;
  const together = isOfCompanies ? ` and t.${target.companyColumn} = s.${source.companyColumn}` : '';
  const rows = await rowsOf(
    `select s.${keyColumn(source)}::text as source, t.${keyColumn(target)}::text as target from "${source.table}" s
     join "${target.table}" t on ${on}${together} and t.organisation_id = s.organisation_id where s.organisation_id = $1${alive(source, 's')}${alive(target, 't')}`,
    [tenant.organisationId],
  );
  return rows.map((row) => `${globalId(source, row.source!)} ${globalId(target, row.target!)}`).sort();
}

interface Shown {
  id: string;
  below: { id: string } | { id: string }[] | { nodes: { id: string }[] } | null;
}

/** What each record shows under a selection named `below`. */
async function shown(tenant: Tenant, model: Model, ids: readonly string[], selection: string): Promise<Shown[]> {
  const found: Shown[] = [];
  for (let at = 0; at < ids.length; at += 50) {
    const response = await gateway.graphql(
      tenant.key,
      `query($ids: [ID!]!) { nodes(ids: $ids) { ... on ${model.name} { id below: ${selection} } } }`,
      { ids: ids.slice(at, at + 50) },
    );
    expect(response.body.errors, response.text).toBeUndefined();
    found.push(...response.body.data.nodes.filter((node: Shown | null) => node !== null));
  }
  return found;
}

const below = ({ below }: Shown): { id: string }[] =>
  below === null ? [] : Array.isArray(below) ? below : 'nodes' in below ? below.nodes : [below];

const lists: ReverseList[] = entities.flatMap(reverseListsOf);

describe('lists that lead back', () => {
  it.each(lists.map((list): [string, ReverseList] => [`${list.target.name}.${list.name}`, list]))(
    '%s has the pairs of the way there, of the own organisation alone',
    async (_, { source, target, name, from, to, isAmong, where }) => {
      const [left, right] = [propOf(source, from).column, propOf(target, to).column];
      const typed = Object.entries(where ?? {}).map(([type, value]) => ` and s.${propOf(source, type).column} = '${value}'`);
      const on = (isAmong ? `s.${left} @> to_jsonb(t.${right})` : `s.${left} = t.${right}`) + typed.join('');
      const stored = await storedPairs(own, source, target, on);
      expect(stored).not.toEqual([]);
      const back = await shown(own, target, await idsOf(own, target), `${name}(first: 100) { nodes { id } totalCount }`);
      expect(back.flatMap((row) => below(row).map(({ id }) => `${id} ${row.id}`)).sort()).toEqual(stored);
      const there = isAmong
        ? target.plural!
        : (propOf(source, from).shownAs ?? [...source.relations.values()].find((one) => one.inverse === name && one.from === from)!.name);
      const forth = await shown(own, source, await idsOf(own, source), `${there} { ... on Node { id } }`);
      const kept = new Set(await idsOf(own, target));
      const pairs = forth.flatMap((row) =>
        below(row)
          .filter(({ id }) => kept.has(id))
          .map(({ id }) => `${row.id} ${id}`),
      );
      expect(pairs.sort()).toEqual(stored);
      expect(await shown(own, target, await idsOf(other, target), `${name}(first: 100) { nodes { id } }`)).toEqual([]);
    },
  );

  it('cursors of one record are rejected by the list of another', async () => {
    const [first, second] = await idsOf(own, modelOf(lists[0]!.target.class));
    const { name, target } = lists[0]!;
    const page = (id: string, after: string | null) =>
      gateway.graphql(
        own.key,
        `query($id: ID!, $after: String) { node(id: $id) { ... on ${target.name} { list: ${name}(first: 1, after: $after) { edges { cursor } } } } }`,
        { id, after },
      );
    const all = await Promise.all((await idsOf(own, target)).map((id) => page(id, null)));
    const cursor = all.map((response) => response.body.data.node.list.edges[0]?.cursor).find(Boolean);
    const refused = await Promise.all([first!, second!].map((id) => page(id, cursor)));
    expect(refused.map((response) => response.body.errors?.[0].extensions.code)).toContain('INVALID_CURSOR');
  });
});

/** The relations to one record that GraphQL shows and no list leads back along. */
const single = entities
  .map(modelOf)
  .flatMap((source) => [...source.relations.values()].map((relation): [Model, Relation] => [source, relation]))
  .filter(([source, { many, hidden, owned, inverse, target, standIn }]) => {
    const shows = !many && !hidden && !owned && !standIn && !inverse && source.node && modelOf(target()).node;
    return shows && source.scope === 'organisation';
  });

describe('relations to one record', () => {
  /** A job of a record that a batch rejected names the job of its data model. Here no record was rejected, and no company is connected. */
  const without = ['SyncJob.parentJob', 'Connection.company'];

  it.each(single.map(([source, relation]): [string, Model, Relation] => [`${source.name}.${relation.name}`, source, relation]))(
    '%s is the record that the stored key names',
    async (title, source, relation) => {
      const target = modelOf(relation.target());
      const on = `s.${propOf(source, relation.from).column} = t.${propOf(target, relation.to).column}`;
      const stored = await storedPairs(own, source, target, on);
      expect(stored.length > 0).toBe(!without.includes(title));
      const forth = await shown(own, source, await idsOf(own, source), `${relation.name} { id }`);
      expect(forth.flatMap((row) => below(row).map(({ id }) => `${row.id} ${id}`)).sort()).toEqual(stored);
    },
  );
});

describe('parents', () => {
  const owners = entities
    .map(modelOf)
    .flatMap((owner) =>
      [...owner.relations.values()].filter(({ owned, nested }) => owned && nested).map((relation) => ({ owner, relation })),
    );
  const children = [...new Set(owners.map(({ relation }) => modelOf(relation.target())))];

  it.each(children.map((child): [string, Model] => [child.name, child]))(
    'the parent of a %s is the record that owns it',
    async (_, child) => {
      const stored: Pair[] = [];
      for (const { owner, relation } of owners.filter(({ relation }) => modelOf(relation.target()) === child)) {
        const type = relation.where?.parentType;
        const on = `s.${propOf(child, relation.to).column} = t.ledger_id${type ? ` and s.parent_type = '${type}'` : ''}`;
        stored.push(...(await storedPairs(own, child, owner, on)));
      }
      expect(stored).not.toEqual([]);
      const forth = await shown(own, child, await idsOf(own, child), 'parent { __typename ... on Node { id } }');
      expect(forth.flatMap((row) => below(row).map(({ id }) => `${row.id} ${id}`)).sort()).toEqual(stored.sort());
    },
  );

  it('the parents of a page are read with one statement per type', async () => {
    const query = `{ company(id: ${own.companyId}) { lineItems(first: 100) { nodes { parent { __typename ... on Node { id } ... on PurchaseOrder { documentNumber } } } } } }`;
    // The worker's own statements, such as those of deliveries, are not counted.
    const read = vi.spyOn(gateway.services.database, 'readRows');
    const response = await gateway.graphql(own.key, query);
    const spent = read.mock.calls.filter(([{ text }]) =>
      /"(line_item|\w+_note|purchase_order|estimate|invoice|bill|expense|journal_entry)"/.test(text),
    ).length;
    read.mockRestore();
    expect(response.body.errors, response.text).toBeUndefined();
    const types = new Set(
      response.body.data.company.lineItems.nodes.flatMap(
        ({ parent }: { parent: { __typename: string } | null }) => parent?.__typename ?? [],
      ),
    );
    expect(types.size).toBeGreaterThan(3);
    expect(spent).toBe(1 + types.size);
  });
});

describe('what only some callers may follow', () => {
  it('a key without the role of the other record gets FORBIDDEN for that field alone', async () => {
    const [name] = await rowsOf('select name from organisation where id = $1', [own.organisationId]);
    const platform = await gateway.key(['PLATFORM'], name!.name);
    const entity = await rowsOf('select business_entity_id as id from business_entity where organisation_id = $1', [own.organisationId]);
    await rowsOf('update incorporation_request set business_entity_id = $2 where organisation_id = $1 returning 1', [
      own.organisationId,
      entity[0]!.id,
    ]);
    const query = '{ incorporationRequests { nodes { id businessEntity { id } } } }';
    const allowed = await gateway.graphql(own.key, query);
    expect(allowed.body.data.incorporationRequests.nodes[0].businessEntity).toEqual({ id: `entity_${entity[0]!.id}` });
    const refused = await gateway.graphql(platform, query);
    expect(refused.body.data.incorporationRequests.nodes[0]).toMatchObject({ businessEntity: null });
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('a key limited to some companies sees the events of those, and no deliveries of webhooks that have others', async () => {
    const [name] = await rowsOf('select name from organisation where id = $1', [own.organisationId]);
    const limited = await gateway.key(['PLATFORM', 'INTEGRATIONS'], name!.name, [own.companyId]);
    const response = await gateway.graphql(limited, '{ events(first: 100) { nodes { id companyId } } webhookDeliveries { nodes { id } } }');
    expect(response.body.data.events.nodes).not.toEqual([]);
    expect(new Set(response.body.data.events.nodes.map(({ companyId }: { companyId: number }) => companyId))).toEqual(
      new Set([own.companyId]),
    );
    expect(response.body.data.webhookDeliveries).toEqual({ nodes: [] });
    const all = await gateway.graphql(
      own.key,
      '{ events(first: 100) { nodes { id deliveries(first: 5) { nodes { webhook { id } event { id } } } } } }',
    );
    expect(all.body.errors, all.text).toBeUndefined();
  });

  it('the files of a corporation are those that name it, and lead back to it', async () => {
    const [corporation] = await idsOf(own, modelOf(entities.find(({ name }) => name === 'Corporation')!));
    const made = await gateway.graphql(
      own.key,
      'mutation($id: ID!) { createFile(input: { content: "sku,name\\nA,B\\n", name: "a.csv", corporationId: $id }) { file { id corporation { id } } } }',
      { id: corporation },
    );
    const { file } = made.body.data.createFile;
    expect(file.corporation).toEqual({ id: corporation });
    const listed = await gateway.graphql(
      own.key,
      'query($id: ID!) { corporation(id: $id) { files { nodes { id } } } files { nodes { id } } }',
      {
        id: corporation,
      },
    );
    expect(listed.body.data.corporation.files.nodes).toEqual([{ id: file.id }]);
    expect(listed.body.data.files.nodes[0]).toEqual({ id: file.id });
  });
});

describe('viewer', () => {
  const query =
    '{ viewer { organisation { id name } roles companies { ledgerId } key { id label expiresAt } allowance { limit remaining resetsAt } } }';

  it.each(Object.keys(Role.values) as RoleName[])('a key with the role %s sees whose it is', async (role) => {
    const [organisation] = await rowsOf('select public_id as id, name from organisation where id = $1', [own.organisationId]);
    const { key, id } = await gateway.services.keys.issue({
      organisationName: organisation!.name!,
      roles: [role],
      label: `for ${role}`,
      companyIds: null,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    const response = await gateway.graphql(key, query);
    const companies = await rowsOf('select ledger_id as id from company where organisation_id = $1 order by 1', [own.organisationId]);
    expect(response.body.data?.viewer, response.text).toEqual({
      organisation,
      roles: [role],
      companies: role === 'INTEGRATIONS' ? companies.map((company) => ({ ledgerId: Number(company.id) })) : [],
      key: { id, label: `for ${role}`, expiresAt: '2099-01-01T00:00:00.000Z' },
      allowance: null,
    });
  });

  it('a key limited to a company sees that one, and without a key there is no viewer', async () => {
    const [organisation] = await rowsOf('select name from organisation where id = $1', [own.organisationId]);
    const limited = await gateway.key(['INTEGRATIONS'], organisation!.name, [own.companyId]);
    expect((await gateway.graphql(limited, query)).body.data.viewer.companies).toEqual([{ ledgerId: own.companyId }]);
    expect((await gateway.graphql(null, query)).status).toBe(401);
  });
});

describe('what forms choose from', () => {
  it('every country and type of company that is offered can be asked for', async () => {
    const response = await gateway.graphql(
      own.key,
      '{ incorporationCountries { country name stateRule states { code } types { corporationType entityType } } }',
    );
    const offered: { country: string; stateRule: string; states: { code: string }[]; types: { corporationType: string }[] }[] =
      response.body.data.incorporationCountries;
    expect(offered.length).toBeGreaterThan(5);
    for (const { country, stateRule, states, types } of offered)
      for (const { corporationType } of types) {
        const chosen = { corporationType, ...(stateRule === 'REQUIRED' ? { state: states[0]!.code } : {}) };
        const made = await gateway.graphql(
          own.key,
          'mutation($input: CreateIncorporationRequestInput!) { createIncorporationRequest(input: $input) { incorporationRequest { corporationType } } }',
          { input: { companyId: randomUUID(), country, corporationTypeInfo: { [country]: chosen } } },
        );
        expect(made.body.data?.createIncorporationRequest, made.text).toEqual({ incorporationRequest: { corporationType } });
      }
  });

  it('the kinds of tax ids of a country are those that corporations take, by their patterns', async () => {
    const ask = async (country: string | null): Promise<{ key: string; country: string; regexString: string }[]> =>
      (
        await gateway.graphql(own.key, 'query($country: CountryCode) { taxIdKinds(country: $country) { key country regexString } }', {
          country,
        })
      ).body.data.taxIdKinds;
    const all = await ask(null);
    const german = await ask('de');
    expect(german.length).toBeGreaterThan(0);
    expect(german).toEqual(all.filter(({ country }) => country === 'DE'));
    expect(await ask('TV')).toEqual([]);
    for (const { regexString } of all) expect(regexString).toMatch(/^\^.*\$$/);
  });

  it('a company shows the data models that a pull of it takes', async () => {
    const response = await gateway.graphql(own.key, `{ companies { nodes { ledgerId pullableDataModels } } }`);
    const byCompany = new Map(
      response.body.data.companies.nodes.map((row: { ledgerId: number; pullableDataModels: string[] }) => [
        row.ledgerId,
        row.pullableDataModels,
      ]),
    );
    expect(byCompany.get(own.companyId)).toEqual(['TAX_RATE']);
    expect([...byCompany.values()]).toContainEqual([]);
  });
});

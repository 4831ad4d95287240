// Subscriptions to changes of records: every type that can be followed, and how its writes are reported.
import { assertObjectType, type GraphQLObjectType, getNamedType, isLeafType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { emitEvents, sourceOf } from '../../src/events/events.ts';
import { isSourced, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { Product } from '../../src/platform/products/product.ts';
import { recordEvents } from '../../src/platform/shared/event-data.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { followedModels } from '../../src/records/record-types.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { accountChanges } from '../support/account-changes.ts';
import { follow, started } from '../support/changes.ts';
import { useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { recordEvents as recordingEvents } from '../support/registrations.ts';
import { statementsOf } from '../support/statements.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
closeClients();
const { openedBy } = accountChanges(gateway);

let company: TestCompany;
beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** The plain fields of a type. */
const leaves = (type: GraphQLObjectType): string =>
  Object.values(type.getFields())
    .filter((field) => field.args.length === 0 && isLeafType(getNamedType(field.type)))
    .map(({ name }) => name)
    .join(' ');

describe('every type of accounting record', () => {
  it.each(ledgerRecords.map((target): [string, RecordClass] => [namesOf(target).dataModel, target]))(
    '%s is followed through create, update and delete over REST, with the record as a query shows it',
    async (type, target) => {
      const { name, table } = modelOf(target);
      const { headers, base, id: companyId, key } = company;
      const fields = leaves(assertObjectType(gateway.services.schema.getType(name)));
      const selection = `... on ${name} { ${fields} }`;
      const query = `subscription { recordChanged(type: [${type}, ACCOUNT], companyId: "company_${companyId}") { operation nodeId previousEtag node { __typename id ${selection} } } }`;
      const changes = await openedBy(follow(connectWithKey(gateway.origin, key), query), company);
      const path = `${base}/${listName(target)}`;
      const send = async (method: string, at: string, data?: unknown): Promise<number> => {
        const response = await gateway.send(method, at, { headers, ...(data ? { body: { data } } : {}) });
        expect(response.status, response.text).toBeLessThan(300);
        return response.body?.data?.data?.ledger_id;
      };
      const shown = async (ledgerId: number): Promise<unknown> => {
        const one = `company(id: ${companyId}) { ${namesOf(target).one}(ledgerId: ${ledgerId}, includeDeleted: true) { __typename ${fields} } }`;
        return (await gateway.graphql(key, `{ ${one} }`)).body.data.company[namesOf(target).one];
      };
      const body = { ...sampleBody(target), platform_id: `followed ${type}` };
      const ledgerId = await send('POST', path, body);
      const id = `${table}_${ledgerId}`;
      const created = await changes.next((change) => change.nodeId === id);
      expect(created).toEqual({ operation: 'CREATED', nodeId: id, previousEtag: null, node: await shown(ledgerId) });
      await send('PUT', `${path}/${ledgerId}`, { raw_data: { changed: true } });
      const updated = await changes.next((change) => change.nodeId === id);
      expect(updated).toEqual({ operation: 'UPDATED', nodeId: id, previousEtag: created.node.etag, node: await shown(ledgerId) });
      expect(updated.node.rawData).toEqual({ changed: true });
      await send('DELETE', `${path}/${ledgerId}`);
      const deleted = await changes.next((change) => change.nodeId === id);
      expect(deleted).toEqual({ operation: 'DELETED', nodeId: id, previousEtag: updated.node.etag, node: await shown(ledgerId) });
      expect(deleted.node.ledgerDeletedAt).not.toBeNull();
      const other = await send('POST', path, { ...body, platform_id: `deleted with others ${type}` });
      const made = await changes.next((change) => change.nodeId === `${table}_${other}`);
      const { many } = namesOf(target);
      const mutation = `delete${many[0]!.toUpperCase()}${many.slice(1)}`;
      const document = `mutation ($id: ID!, $records: [RecordVersionInput!]!) { ${mutation}(input: { companyId: $id, records: $records }) { errors { message } } }`;
      const { text } = await gateway.graphql(key, document, { id: companyId, records: [{ id: other }] });
      const gone = await changes.next((change) => change.nodeId === `${table}_${other}`);
      expect([gone.operation, gone.previousEtag], text).toEqual(['DELETED', made.node.etag]);
    },
  );

  it.each(ledgerRecords.filter(isSourced).map((target): [string, RecordClass] => [namesOf(target).dataModel, target]))(
    '%s: what a full pull deletes, or finds in conflict with its deletion, is reported with the version that it had',
    async (dataModel, target) => {
      const own = await buildCompany(gateway);
      const readEvents = await recordingEvents(gateway, own.key);
      const list = `${own.base}/${listName(target)}`;
      const send = (method: string, path: string, body?: unknown) => gateway.send(method, path, { headers: own.headers, body });
      const pull = async (names: string[]): Promise<void> => {
        const required = modelOf(target).props.get('code')?.required ?? false;
        const codes = ['EUR', 'USD', 'CHF'];
        const records = names.map((platform_id, index) => ({ platform_id, ...(required ? { code: codes[index] } : {}) }));
        const form = new FormData();
        form.set('data_model', dataModel);
        form.set('file', new Blob([JSON.stringify(records)]), 'records.json');
        const uploaded = await fetch(`${gateway.origin}${own.base}/imports`, { method: 'POST', headers: own.headers, body: form });
        expect(uploaded.status).toBe(201);
        const { body, text } = await send('POST', `${own.base}/syncs`, { data: { dataModels: [dataModel], fullSync: true } });
        expect((await endOfSync(gateway, own, body.data.id)).status, text).toBe('SUCCESS');
      };
      await pull(['kept', 'deleted', 'changed']);
      const rows = (await send('GET', list)).body.data as { ledger_id: number; platform_id: string }[];
      const versionOf = async (name: string): Promise<[number, string | null]> => {
        const { ledger_id } = rows.find(({ platform_id }) => platform_id === name)!;
        return [ledger_id, (await send('GET', `${list}/${ledger_id}`)).headers.get('etag')];
      };
      const [changed] = await versionOf('changed');
      expect((await send('PUT', `${list}/${changed}`, { data: { raw_data: { changed } } })).status).toBe(200);
      const known = [await versionOf('deleted'), await versionOf('changed')];
      const before = (await readEvents()).length;
      await pull(['kept']);
      const events = (await readEvents()).slice(before).filter(({ topic }) => topic === 'DATA_MODEL_CHANGES');
      const previous = new Map(events.map(({ data, previousEtag }) => [data.ledger_id, previousEtag]));
      expect(previous).toEqual(new Map(known));
    },
  );

  it('the types that can be followed are these and the two of the platform', () => {
    const expected = [...ledgerRecords.map((target) => namesOf(target).dataModel), 'CORPORATION', 'PRODUCT'];
    expect([...followedModels().keys()].sort()).toEqual(expected.sort());
  });
});

describe('records of the platform', () => {
  const call = async (key: string, method: string, path: string, body?: unknown) =>
    (await gateway.send(method, `/api/v1${path}`, { headers: { authorization: `Bearer ${key}` }, body })).body?.data;

  it('corporations and products are followed, and one corporation by its id', async () => {
    const key = await gateway.key(['PLATFORM']);
    const client = connectWithKey(gateway.origin, key);
    const first = (await call(key, 'POST', '/corporations', { legal_name: 'First Ltd', jurisdiction: 'GB' })).id;
    const other = (await call(key, 'POST', '/corporations', { legal_name: 'Other Ltd', jurisdiction: 'GB' })).id;
    const selection = 'operation nodeId node { __typename id ... on Corporation { legalName status } ... on Product { name } }';
    let count = 0;
    const all = follow(client, `subscription { recordChanged(type: [CORPORATION, PRODUCT]) { ${selection} } }`);
    const one = follow(client, 'subscription ($id: ID!) { corporationChanged(id: $id) { operation nodeId node { legalName status } } }', {
      id: first,
    });
    await started(all, () => call(key, 'POST', `/corporations/${other}`, { legal_name: `Other ${++count} Ltd` }));
    await started(one, () => call(key, 'POST', `/corporations/${first}`, { legal_name: `First ${++count} Ltd` }));
    const product = (await call(key, 'POST', '/products', { corporation_id: first, sku: 'A', name: 'Shirt' })).id;
    const made = { operation: 'CREATED', nodeId: product, node: { __typename: 'Product', id: product, name: 'Shirt' } };
    expect(await all.next(({ nodeId }) => nodeId === product)).toEqual(made);
    await call(key, 'DELETE', `/corporations/${first}`);
    const gone = await one.next(({ operation }) => operation === 'DELETED');
    expect(gone).toEqual({ operation: 'DELETED', nodeId: first, node: { legalName: gone.node.legalName, status: 'ARCHIVED' } });
    expect(one.received.every(({ nodeId }) => nodeId === first)).toBe(true);
    const missing = follow(client, 'subscription { corporationChanged(id: "corp_01hzzzzzzzzzzzzzzzzzzzzzzz") { nodeId } }');
    expect(await missing.ended).toMatchObject({ code: 'CORPORATION_NOT_FOUND' });
  });
});

describe('versions of records of the platform', () => {
  it('a change has the version before it: of products that are imported, given customs codes, or deleted with their corporation too', async () => {
    const platform = await platformCaller(gateway, '/api/v1');
    const corporation = await platform.corporation();
    const { body } = await platform.send('POST', '/products', { corporation_id: corporation, sku: 'A', name: 'Kettle' });
    const product = body.data.id;
    const other = await platform.product(corporation);
    const client = connectWithKey(gateway.origin, platform.key);
    const changes = follow(client, 'subscription { recordChanged(type: [CORPORATION, PRODUCT]) { operation nodeId previousEtag } }');
    await started(changes, () => platform.product(corporation));
    const webhook = await platform.send('POST', '/webhooks', { url: 'https://receiver.example/hook', topics: ['PRODUCTS.DELETED'] });
    const etagOf = async (type: string, id: string): Promise<string> =>
      (await gateway.graphql(platform.key, `{ ${type}(id: "${id}") { etag } }`)).body.data[type].etag;
    const changed = async (type: string, id: string, change: () => Promise<unknown>, operation = 'UPDATED'): Promise<void> => {
      const previousEtag = await etagOf(type, id);
      const { length } = changes.received;
      await change();
      const message = await changes.next((one) => one.nodeId === id && changes.received.indexOf(one) >= length);
      expect(message).toEqual({ operation, nodeId: id, previousEtag });
    };
    const path = `/products/${product}`;
    await changed('corporation', corporation, () => platform.send('POST', `/corporations/${corporation}`, { legal_name: 'Renamed Ltd' }));
    await changed('product', product, () => platform.send('POST', path, { name: 'Teapot' }));
    await changed('product', product, () => platform.send('POST', `${path}/customs-code`, { country: 'US', customs_code: '8471.30.0100' }));
    await changed('product', product, () => platform.send('DELETE', `${path}/customs-code`, { country: 'US' }));
    const file = (await platform.upload('sku,name\nA,Pot\n')).body.data.id;
    const started_ = { file_id: file, corporation_id: corporation };
    await changed('product', product, () => platform.send('POST', '/products/bulk_upload/csv', started_));
    await changed('product', other, () => platform.send('DELETE', `/products/${other}`), 'DELETED');
    const versions = [await etagOf('corporation', corporation), await etagOf('product', product)];
    await platform.send('DELETE', `/corporations/${corporation}`);
    for (const [index, id] of [corporation, product].entries())
      expect(await changes.next(({ nodeId, operation }) => nodeId === id && operation === 'DELETED')).toMatchObject({
        previousEtag: versions[index],
      });
    const query = 'query ($id: ID!) { webhook(id: $id) { deliveries(first: 10) { nodes { event { subjectId data } } } } }';
    const { nodes } = (await gateway.graphql(platform.key, query, { id: webhook.body.data.id })).body.data.webhook.deliveries;
    expect(nodes.map(({ event }: { event: object }) => event)).toContainEqual({ subjectId: product, data: { id: product } });
  });
});

describe('products of an import', () => {
  it('each is one message and one event of the stream, and no webhook is called for it', async () => {
    const platform = await platformCaller(gateway, '/api/v1');
    const corporation = await platform.corporation();
    const client = connectWithKey(gateway.origin, platform.key);
    const changes = follow(
      client,
      'subscription { recordChanged(type: [PRODUCT]) { operation nodeId node { ... on Product { sku name } } } }',
    );
    const events = follow(client, 'subscription { eventStream(topics: [PRODUCTS_CREATED]) { operation nodeId: subjectId node: data } }');
    await started(changes, () => platform.product(corporation));
    await started(events, () => platform.product(corporation));
    await platform.send('POST', '/webhooks', { url: 'https://receiver.example/hook', topics: ['PRODUCTS.CREATED'] });
    const rows = 60;
    const run = async (name: string): Promise<void> => {
      const lines = Array.from({ length: rows }, (_, index) => `IMPORTED-${index},${name} ${index}\n`);
      const file = await platform.upload(`sku,name\n${lines.join('')}`, { parts: { corporation_id: corporation } });
      await platform.send('POST', '/products/bulk_upload/csv', { file_id: file.body.data.id, corporation_id: corporation });
      await changes.next(({ node }) => node.name === `${name} ${rows - 1}`);
    };
    await run('Kettle');
    await events.next(({ node }) => node.name === `Kettle ${rows - 1}`);
    await run('Teapot');
    for (const [name, operation] of [
      ['Kettle', 'CREATED'],
      ['Teapot', 'UPDATED'],
    ]) {
      const own = changes.received.filter(({ node }) => node.name.startsWith(name));
      expect(own.map((change) => [change.operation, change.node.sku]).sort()).toEqual(
        Array.from({ length: rows }, (_, index) => [operation, `IMPORTED-${index}`]).sort(),
      );
    }
    const deliveries = await gateway.graphql(platform.key, '{ webhooks(first: 1) { nodes { deliveries(first: 1) { totalCount } } } }');
    expect(deliveries.body.data.webhooks.nodes, deliveries.text).toEqual([{ deliveries: { totalCount: 0 } }]);
    const { services } = gateway;
    const { organisationId } = (await services.keys.find(platform.key))!;
    const ids = changes.received.filter(({ operation }) => operation === 'UPDATED').map(({ nodeId }) => nodeId);
    const telling = (some: string[]): Promise<number> =>
      statementsOf(services.database, () =>
        organisationTransaction(services.database, organisationId!, async (em) =>
          emitEvents(
            em,
            sourceOf(services, organisationId!),
            recordEvents(
              em,
              services,
              organisationId!,
              'PRODUCTS.UPDATED',
              Product,
              some.map((id) => ({ id })),
            ),
          ),
        ),
      );
    expect(await telling(ids)).toBeLessThan(20);
  });
});

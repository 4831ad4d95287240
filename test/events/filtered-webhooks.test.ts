// Webhooks with a filter: a delivery is made if and only if the list of the record type, with the same filter, shows the record.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { emitEvents, type NewEvent, sourceOf } from '../../src/events/events.ts';
import { filterMember } from '../../src/events/record-filters.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { storedGlobalId } from '../../src/records/ids.ts';
import { type FilterOperator, filterOperators, type Model, modelOf, type Prop, searchProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { followedModels } from '../../src/records/record-types.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const ROUNDS = 4;
const url = 'https://93.184.216.34/hook';
const gateway = useGateway({ demoData: true, worker: false });
let key: string;
let organisationId: number;
let companies: number[];

type Values = ReadonlyMap<string, readonly unknown[]>;
/** The stored records of each type, and the values that their properties have. */
const stored = new Map<Model, { rows: Record<string, unknown>[]; values: Values }>();

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, `/api/v1/webhooks${path}`, { headers: { authorization: `Bearer ${key}` }, body });
const graphql = async (query: string, variables: Record<string, unknown>) => {
  const { body } = await gateway.graphql(key, query, variables);
  expect(body.errors, JSON.stringify(variables)).toBeUndefined();
  return body.data;
};
const made = async (input: Record<string, unknown>): Promise<string> =>
  (
    await graphql('mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }', {
      input: { url, topics: ['ALL'], ...input },
    })
  ).createWebhook.webhook.id;

beforeAll(async () => {
  const { keys, reader } = gateway.services;
  key = (await keys.issue({ organisationName: 'Demo', roles: ['PLATFORM', 'INTEGRATIONS'], companyIds: null })).key;
  organisationId = (await keys.find(key))!.organisationId!;
  const tenant = { organisationId, companyIds: null };
  const data = await graphql('{ companies { nodes { ledgerId } } }', {});
  companies = data.companies.nodes.map(({ ledgerId }: { ledgerId: number }) => ledgerId);
  for (const model of followedModels().values()) {
    const filtered = [...model.props.values()].filter((prop) => filterOperators(prop).length > 0);
    const columns = [...new Set([...filtered, ...[model.key, model.companyProp ?? model.key].map((name) => model.props.get(name)!)])];
    const rows = await reader.find(
      model.class,
      { where: {} },
      columns.map(({ name }) => name),
      { tenant },
    );
    const values = filtered.map(
      ({ name }) => [name, [...new Set(rows.map((row) => row[name as never]).filter((value) => value !== null))]] as const,
    );
    stored.set(model, { rows, values: new Map(values) });
  }
});

/** What an operator of a property may be given: values that records have, and what is made of them. */
function operand(prop: Prop, operator: FilterOperator, values: readonly unknown[]): fc.Arbitrary<unknown> {
  if (operator === 'isNull') return fc.boolean();
  const choices = prop.choices && Object.values(prop.choices.values);
  const known = [...values, ...(choices ?? []), ...(prop.kind === 'flag' ? [true, false] : [])];
  const one = fc.constantFrom(...known);
  if (operator === 'in') return fc.array(one, { minLength: 1, maxLength: 3 });
  if (operator === 'startsWith') return one.map((value) => String(value).slice(0, 2) || 'a');
  if (operator === 'contains') return one.map((value) => String(value).slice(1, 4) || 'a');
  return one;
}

/** A filter of the lists of a record type. */
function filterOf(model: Model, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const { values } = stored.get(model) ?? { values: new Map() as Values };
  const leaves = [...values].flatMap(([name, known]): fc.Arbitrary<Record<string, unknown>>[] => {
    const prop = model.props.get(name)!;
    const operators = filterOperators(prop).filter(
      (operator) => operator === 'isNull' || known.length > 0 || prop.choices || prop.kind === 'flag',
    );
    return operators.map((operator) => operand(prop, operator, known).map((value) => ({ [name]: { [operator]: value } })));
  });
  if (searchProps(model).length > 0) leaves.push(fc.constantFrom('a', 'e', 'in', 'no such word').map((search) => ({ search })));
  if (depth === 0) return fc.oneof(...leaves);
  const inner = filterOf(model, depth - 1);
  const relations = [...model.relations.values()].flatMap(({ name, many, hidden, to, target }): fc.Arbitrary<Record<string, unknown>>[] => {
    const other = modelOf(target());
    if (hidden || !stored.has(other) || !(many || to === other.key)) return [];
    const where = filterOf(other, 0);
    return many
      ? [fc.constantFrom('some', 'none').chain((match) => where.map((one) => ({ [name]: { [match]: one } })))]
      : [where.map((one) => ({ [name]: one }))];
  });
  return fc.oneof(
    ...leaves,
    ...relations,
    ...relations,
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((and) => ({ and })),
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((or) => ({ or })),
    inner.map((not) => ({ not })),
  );
}

/** Global ids of the records that the lists of a type show with a filter. */
async function listed(model: Model, filter: Record<string, unknown>): Promise<string[]> {
  const record = ledgerRecords.find((one) => modelOf(one) === model);
  const args = 'filter: $filter, first: 100, after: $after';
  const lists: [string, Record<string, unknown>, (data: GatewayResponse['body']) => GatewayResponse['body']][] = record
    ? companies.map((id) => [
        `query($id: ID!, $filter: ${model.name}Filter, $after: String) { company(id: $id) { list: ${namesOf(record).many}(${args}) { nodes { id } pageInfo { hasNextPage endCursor } } } }`,
        { id },
        ({ company }) => company.list,
      ])
    : model.name === 'Corporation'
      ? [
          [
            `query($filter: CorporationFilter, $after: String) { list: corporations(${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
            {},
            ({ list }) => list,
          ],
        ]
      : [...new Set(stored.get(model)!.rows.map(({ corporationId }) => corporationId))].map((id) => [
          `query($id: ID!, $filter: ${model.name}Filter, $after: String) { list: ${snakeCase(model.name)}s(corporationId: $id, ${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`,
          { id },
          ({ list }) => list,
        ]);
  const ids: string[] = [];
  for (const [query, variables, listOf] of lists)
    for (let after: string | null = null; ; ) {
      const { nodes, pageInfo } = listOf(await graphql(query, { ...variables, filter, after }));
      ids.push(...nodes.map(({ id }: { id: string }) => id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
  return ids.sort();
}

/** The records of a type that the events queued for a webhook are about. */
async function queued(webhook: string, prefix: string): Promise<string[]> {
  const rows = await gateway.services.database.read(
    {
      name: 'queued_subjects',
      text: 'select e.subject_id from webhook_delivery d join event e on e.id = d.event_id where d.webhook_id = $1 order by 1',
    },
    [webhook],
  );
  return rows.map(([id]) => id!).filter((id) => id.slice(0, id.lastIndexOf('_')) === prefix);
}

/** Emits an event about every stored record. */
async function touchAll(operation: NewEvent['operation']): Promise<void> {
  const { database } = gateway.services;
  const events = [...stored].flatMap(([model, { rows }]) =>
    rows.map((row): NewEvent => {
      const record = ledgerRecords.find((one) => modelOf(one) === model);
      const company = model.companyProp === undefined ? {} : { companyId: Number(row[model.companyProp]) };
      return {
        topic: 'DATA_MODEL_CHANGES',
        subject: storedGlobalId(model, row[model.key] as number | string),
        operation: operation!,
        data: {},
        ...(record ? { dataModel: namesOf(record).dataModel } : {}),
        ...company,
      };
    }),
  );
  await organisationTransaction(database, organisationId, async (em) => emitEvents(em, sourceOf(gateway.services, organisationId), events));
}

describe('a webhook with a filter', () => {
  it('every record type that can be followed has records to look at', () => {
    expect([...stored].filter(([, { rows }]) => rows.length === 0).map(([{ name }]) => name)).toEqual([]);
  });

  it('gets the events about the records that the lists show with it, and about every deleted record of its types', async () => {
    const filters = [...stored.keys()].map((model) => [model, fc.sample(filterOf(model, 2), { numRuns: ROUNDS, seed: 43 })] as const);
    const webhooks: string[] = [];
    for (let round = 0; round < ROUNDS; round++)
      webhooks.push(await made({ filter: Object.fromEntries(filters.map(([model, own]) => [filterMember(model), own[round]])) }));
    await touchAll('UPDATE');
    let some = 0;
    let none = 0;
    for (const [model, own] of filters)
      for (const [round, filter] of own.entries()) {
        const shown = await listed(model, filter);
        expect(await queued(webhooks[round]!, model.prefix), `${model.name} ${JSON.stringify(filter)}`).toEqual(shown);
        if (shown.length > 0) some++;
        if (shown.length < stored.get(model)!.rows.length) none++;
      }
    // The filters are such that both happen.
    expect([some > 10, none > 10]).toEqual([true, true]);
    const [webhook] = webhooks as [string];
    const before = await Promise.all([...stored.keys()].map(({ prefix }) => queued(webhook, prefix)));
    await touchAll('DELETE');
    for (const [index, [model, { rows }]] of [...stored].entries())
      expect((await queued(webhook, model.prefix)).length - before[index]!.length, model.name).toBe(rows.length);
  }, 120_000);

  it('every filter is known, and shown on REST as REST takes it', async () => {
    const filter = Object.fromEntries(
      [...stored.keys()].map((model) => [filterMember(model), { and: fc.sample(filterOf(model, 2), { numRuns: 10, seed: 7 }) }]),
    );
    for (const [member, one] of Object.entries(filter)) {
      const id = await made({ filter: { [member]: one } });
      const { webhook } = await graphql('query($id: ID!) { webhook(id: $id) { filter unknownFilters } }', { id });
      expect(webhook.unknownFilters).toEqual([]);
      const { body } = await send('GET', `/${id}`);
      const response = await send('POST', `/${id}`, { filter: body.data.filter });
      expect(response.status, response.text).toBe(200);
      expect((await send('GET', `/${id}`)).body.data.filter).toEqual(body.data.filter);
      expect((await graphql('query($id: ID!) { webhook(id: $id) { filter unknownFilters } }', { id })).webhook).toEqual(webhook);
      expect((await send('DELETE', `/${id}`)).status).toBe(204);
    }
  }, 120_000);
});

describe('a filter over writes', () => {
  const contact = { companyId: 0, name: 'Large' };
  const inputs = {
    create: 'mutation($input: CreateContactInput!) { createContact(input: $input) { contact { ledgerId id } } }',
    update: 'mutation($input: UpdateContactInput!) { updateContact(input: $input) { contact { ledgerId } } }',
    delete: 'mutation($input: DeleteContactInput!) { deleteContact(input: $input) { errors { code } } }',
  };

  it('sends a change of a record that it selects after the change, and its deletion', async () => {
    const companyId = String(companies[0]);
    const large = await made({ filter: { contact: { name: { contains: 'large' } } } });
    const items = await made({ filter: { item: {} } });
    const { createContact } = await graphql(inputs.create, { input: { ...contact, companyId } });
    const { id, ledgerId } = createContact.contact;
    const rename = (name: string) => graphql(inputs.update, { input: { companyId, id: ledgerId, name } });
    expect(await queued(large, 'contact')).toEqual([id]);
    await rename('Small');
    expect(await queued(large, 'contact')).toEqual([id]);
    await rename('Enlarged');
    expect(await queued(large, 'contact')).toEqual([id, id]);
    await rename('Small');
    await graphql(inputs.delete, { input: { companyId, id: ledgerId } });
    expect(await queued(large, 'contact')).toEqual([id, id, id]);
    expect(await queued(items, 'contact')).toEqual([]);
  });

  it('is as long as every write of the organisation can read', async () => {
    const ofLength = (values: number) => ({
      account: { and: Array.from({ length: 4 }, (_, at) => ({ name: { in: names(at, values) } })) },
    });
    const names = (at: number, values: number) => Array.from({ length: values }, (_, value) => `${at} ${value}`.padEnd(100, 'x'));
    const create = 'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } errors { code message path } } }';
    const response = (values: number) => graphql(create, { input: { url, topics: ['ALL'], filter: ofLength(values) } });
    expect((await response(100)).createWebhook).toEqual({
      webhook: null,
      errors: [{ code: 'INVALID_PARAMS', message: expect.stringMatching(/at most 32768 characters as JSON$/), path: expect.anything() }],
    });
    const { webhook } = (await response(70)).createWebhook;
    expect(webhook.id).toMatch(/^whk_/);
    await send('DELETE', `/${webhook.id}`);
  });

  it('is rejected by the name of what is wrong, and nothing is stored', async () => {
    const before = (await graphql('{ webhooks { totalCount } }', {})).webhooks;
    const deep = (levels: number): unknown => (levels === 0 ? { name: { eq: 'a' } } : { not: deep(levels - 1) });
    const refused: [unknown, string][] = [
      ['contact', 'filter'],
      [{}, 'filter'],
      [{ contact: null }, 'filter'],
      [{ none: {} }, 'filter.none'],
      [{ contact: { none: {} } }, 'filter.contact.none'],
      [{ contact: { name: { starts: 'a' } } }, 'filter.contact.name.starts'],
      [{ contact: { name: { startsWith: 'a' } } }, 'filter.contact.name.startsWith'],
      [{ contact: { name: { eq: null } } }, 'filter.contact.name.eq'],
      [{ contact: { search: ' ' } }, 'filter.contact.search'],
      [{ contact: deep(12) }, 'filter.contact.not'],
    ];
    for (const [filter, field] of refused) {
      const { status, body } = await send('POST', '', { url, topics: ['*'], filter });
      expect(status, JSON.stringify(filter)).toBe(400);
      const reported = body.error.details?.[0]?.field ?? body.error.message;
      expect(reported, JSON.stringify([filter, body.error])).toContain(field);
    }
    expect((await graphql('{ webhooks { totalCount } }', {})).webhooks).toEqual(before);
  });
});

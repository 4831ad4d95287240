// Records with children, of every type that has some: which stored child an entry of the list means, the order of the children, and the version of
// the record. That version changes with the children by whatever path they change.
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { nestedRelations, referencesOf } from '../../src/integrations/ledger/references.ts';
import { modelOf, type RecordClass, type Relation, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';
import { recordEvents } from '../support/registrations.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
  await recordEvents(gateway, company.key);
});

type Row = Record<string, unknown>;

const send = (method: string, path: string, data?: unknown, headers: Record<string, string> = {}): Promise<GatewayResponse> =>
  gateway.send(method, `${company.base}/${path}`, {
    headers: { ...company.headers, ...headers },
    ...(data === undefined ? {} : { body: { data } }),
  });

/** A record type, and a relation to its children. */
class Case {
  readonly target: RecordClass;
  readonly relation: Relation;
  readonly list: string;
  readonly field: string;
  readonly child: RecordClass;
  readonly children: string;
  /** A field that distinguishes the children, and another one. */
  readonly mark: string;
  readonly other: string;

  constructor(target: RecordClass, relation: Relation) {
    this.target = target;
    this.relation = relation;
    this.list = listName(target);
    this.field = snakeCase(relation.name);
    this.child = relation.target();
    this.children = listName(this.child);
    const plain = writableProps(this.child).filter(
      ({ kind, name, target: named, typedBy }) =>
        ['text', 'amount', 'moment', 'enumeration'].includes(kind) &&
        !['platformId', 'position', 'totalAmount', 'parentType', 'documentType', 'currencyId', 'sourceStatus'].includes(name) &&
        !named &&
        !typedBy,
    );
    const [mark, ...others] = plain.sort((a, b) => Number(a.kind === 'enumeration') - Number(b.kind === 'enumeration'));
    this.mark = mark!.name;
    this.other = others[0]!.name;
  }

  get name(): string {
    return `${this.list}.${this.field}`;
  }

  valueOf(property: string, number: number): unknown {
    const { kind, choices } = modelOf(this.child).props.get(property)!;
    if (choices) return Object.keys(choices.values)[0];
    return kind === 'amount' ? number : kind === 'moment' ? `2026-03-0${number}T00:00:00.000Z` : `text ${number}`;
  }

  /** A child of a mark. */
  one(mark: number, more: Row = {}): Row {
    return { [snakeCase(this.mark)]: this.valueOf(this.mark, mark), ...more };
  }

  /** The same with the other field. */
  full(mark: number, more: Row = {}): Row {
    return this.one(mark, { [snakeCase(this.other)]: this.valueOf(this.other, 5), ...more });
  }

  async write(platform_id: string, children: Row[], query = ''): Promise<Row[]> {
    const response = await send('PUT', `${this.list}${query}`, { platform_id, [this.field]: children });
    expect(response.status, response.text).toBe(200);
    return response.body.data.data[this.field];
  }

  async read(platform_id: string): Promise<{ record: Row; children: Row[]; etag: string }> {
    const id = (await send('GET', `${this.list}?platform_id=${platform_id}`)).body.data[0].ledger_id;
    const response = await send('GET', `${this.list}/${id}${this.relation.rest === 'always' ? '' : `?expand=${this.field}`}`);
    const plain = await send('GET', `${this.list}/${id}`);
    return { record: response.body.data, children: response.body.data[this.field], etag: plain.headers.get('etag')! };
  }

  /** What a child says of the record it belongs to. */
  parent(ledger_id: unknown): Row {
    const { to, where } = this.relation;
    return { [snakeCase(to)]: ledger_id, ...(where ? { parent_type: where.parentType } : {}) };
  }
}

const cases = ledgerRecords.flatMap((target) =>
  nestedRelations(target)
    .filter(({ owned, rest }) => owned && rest === 'expand')
    .map((relation) => new Case(target, relation)),
);
const shownAlways = ledgerRecords.flatMap((target) =>
  nestedRelations(target)
    .filter(({ owned, rest }) => owned && rest === 'always')
    .map((relation) => new Case(target, relation)),
);
const all = [...cases, ...shownAlways];

const ids = (rows: readonly Row[]): unknown[] => rows.map(({ ledger_id }) => ledger_id);

describe.each(all.map((one): [string, Case] => [one.name, one]))('%s', (_, one) => {
  const mark = snakeCase(one.mark);
  const other = snakeCase(one.other);
  const readBack = async (platform_id: string): Promise<Row[]> => {
    const row = (await send('GET', `${one.list}?platform_id=${platform_id}${one.relation.rest === 'always' ? '' : `&expand=${one.field}`}`))
      .body.data[0];
    return row[one.field];
  };

  it('an entry that names no stored child is new and has nothing of another one', async () => {
    const [first, second] = await one.write('whole', [one.full(1), one.full(2)]);
    const [only] = await one.write('whole', [one.one(3)]);
    expect(only).toMatchObject(one.one(3));
    expect(only![other]).toBeNull();
    expect([first!.ledger_id, second!.ledger_id]).not.toContain(only!.ledger_id);
    expect(await readBack('whole')).toHaveLength(1);
  });

  it('a number or an id of the source names a child, which keeps what is left out; what is sent again stays', async () => {
    const made = await one.write('named', [one.full(1, { platform_id: 'a' }), one.full(2), one.full(3)]);
    const again = await one.write('named', [
      one.one(6, { ledger_id: made[2]!.ledger_id }),
      one.full(2),
      one.one(4, { platform_id: 'a' }),
      one.one(5),
    ]);
    expect(ids(again).slice(0, 3)).toEqual([made[2]!.ledger_id, made[1]!.ledger_id, made[0]!.ledger_id]);
    expect(ids(made)).not.toContain(again[3]!.ledger_id);
    expect(again.map((row) => row[mark])).toEqual([6, 2, 4, 5].map((number) => one.valueOf(one.mark, number)));
    expect(again.map((row) => row[other])).toEqual([...Array(3).fill(one.valueOf(one.other, 5)), null]);
    expect(ids(await readBack('named'))).toEqual(ids(again));
    const { record, relation } = { record: namesOf(one.target).one, relation: one.relation.name };
    const type = modelOf(one.target).name;
    const input = {
      companyId: company.id,
      platformId: 'named',
      [relation]: [...again].reverse().map(({ ledger_id }) => ({ id: ledger_id })),
    };
    const response = await gateway.graphql(
      company.key,
      `mutation ($input: Upsert${type}Input!) { upsert${type}(input: $input) { ${record} { ${relation} { ledgerId ${one.other} } } errors { code path } } }`,
      { input },
    );
    expect(response.body.data?.[`upsert${type}`].errors, response.text).toEqual([]);
    const rows = response.body.data[`upsert${type}`][record][relation] as Row[];
    expect(rows.map(({ ledgerId }) => ledgerId)).toEqual(ids(again).reverse());
    const before = await one.read('named');
    await one.write('named', before.children);
    expect(await one.read('named')).toEqual(before);
  });

  it('a number that is not of a child of the record, and one that is named twice, are rejected', async () => {
    const [stranger] = await one.write('elsewhere', [one.one(1)]);
    const [own] = await one.write('refused', [one.one(1)]);
    const refused = async (children: Row[]): Promise<unknown[]> => {
      const response = await send('PUT', one.list, { platform_id: 'refused', [one.field]: children });
      return [response.status, response.body.error?.field];
    };
    expect(await refused([one.one(1, { ledger_id: stranger!.ledger_id })])).toEqual([400, `data.${one.field}[0].ledger_id`]);
    const ways = [{ ledger_id: own!.ledger_id }, { platform_id: own!.platform_id }];
    for (const first of ways)
      for (const second of ways) expect(await refused([first, second])).toEqual([400, `data.${one.field}[1].${Object.keys(second)[0]}`]);
    expect(ids(await readBack('refused'))).toEqual([own!.ledger_id]);
  });

  it('an entry that names another parent is rejected, by number, type or id of the source', async () => {
    await one.write('another', [one.one(1)]);
    const { record } = await one.read('another');
    const own = await one.write('parent', [one.one(1)]);
    const { to, where } = one.relation;
    const { field } = referencesOf(one.child).find(({ isParent }) => isParent)!;
    const type = ledgerRecords.map((target) => namesOf(target).dataModel).find((model) => where && model !== where.parentType);
    const wrong: Row[] = [
      { [snakeCase(to)]: record.ledger_id },
      ...(where ? [{ parent_type: type }] : []),
      { [field]: { platform_id: 'another' } },
    ];
    for (const more of wrong)
      for (const platform_id of ['parent', 'new parent']) {
        const response = await send('PUT', one.list, { platform_id, [one.field]: [one.one(2, more)] });
        expect(response.status, response.text).toBe(400);
        expect(response.body.error.field).toBe(`data.${one.field}[0].${Object.keys(more)[0]}`);
      }
    expect(ids(await readBack('parent'))).toEqual(ids(own));
    expect((await send('GET', `${one.list}?platform_id=new parent`)).body.data).toEqual([]);
    const right = { [field]: { platform_id: 'parent' }, ...one.parent((await one.read('parent')).record.ledger_id) };
    await one.write('parent', [one.one(1, right)]);
  });

  it.skipIf(one.relation.whole)('a child can be put between two others, and lists order children by their place', async () => {
    const made = await one.write('order', [one.one(1), one.one(2)]);
    const { record } = await one.read('order');
    const { to } = one.relation;
    const own = `${one.children}?${snakeCase(to)}[eq]=${record.ledger_id}&select=position&order_by=`;
    const placed = (await send('GET', `${own}position`)).body.data as Row[];
    expect(ids(placed)).toEqual(ids(made));
    const [first, second] = placed.map(({ position }) => Number(position)) as [number, number];
    const added = await send('POST', one.children, one.one(3, { ...one.parent(record.ledger_id), position: (first + second) / 2 }));
    const last = await send('POST', one.children, one.one(4, one.parent(record.ledger_id)));
    expect([added.status, last.status], added.text).toEqual([201, 201]);
    const wanted = [made[0]!.ledger_id, added.body.data.data.ledger_id, made[1]!.ledger_id, last.body.data.data.ledger_id];
    expect(ids(await readBack('order'))).toEqual(wanted);
    const listed = await send('GET', `${own}-position`);
    expect(listed.status, listed.text).toBe(200);
    expect(ids(listed.body.data)).toEqual([...wanted].reverse());
  });

  it.skipIf(one.relation.whole)('a parent that has a child of the platform id takes no other one, moved or without a parent', async () => {
    const [from, ...more] = await one.write(
      'from',
      ['a', 'b', 'c'].map((platform_id, place) => one.one(place + 1, { platform_id })),
    );
    await one.write('to', [one.one(1, { platform_id: 'a' })]);
    const into = one.parent((await one.read('to')).record.ledger_id);
    const orphan = (await send('PUT', one.children, one.one(1, { platform_id: 'a' }))).body.data.data;
    for (const { ledger_id } of [from!, orphan]) {
      const response = await send('PUT', `${one.children}/${ledger_id}`, into);
      const { error_code, field } = response.body.error ?? {};
      expect([response.status, error_code, field], response.text).toEqual([409, 'RECORD_ALREADY_EXISTS', 'data.platform_id']);
    }
    const plural = one.children.replace(/(^|_)(\w)/g, (_whole, _gap, letter: string) => letter.toUpperCase());
    const parentOf = { ...(one.relation.where ?? {}), [one.relation.to]: (await one.read('to')).record.ledger_id };
    const move = async (rows: Row[], others: Row[] = []): Promise<unknown[]> => {
      const records = [...rows.map(({ ledger_id }) => ({ id: ledger_id, ...parentOf })), ...others];
      const response = await gateway.graphql(
        company.key,
        `mutation ($input: Upsert${plural}Input!) { upsert${plural}(input: $input) { results { errors { code path } } } }`,
        { input: { companyId: company.id, records } },
      );
      expect(response.body.errors, response.text).toBeUndefined();
      return response.body.data[`upsert${plural}`].results.map(({ errors }: { errors: Row[] }) => errors[0] ?? null);
    };
    const taken = (place: string) => ({ code: 'RECORD_ALREADY_EXISTS', path: ['records', place, 'platformId'] });
    expect(await move([from!, more[0]!, orphan])).toEqual([taken('0'), null, taken('2')]);
    expect(await move([more[1]!], [{ platformId: 'c', [one.mark]: one.valueOf(one.mark, 4), ...parentOf }])).toEqual([taken('0'), null]);
    const moved = (await one.read('to')).children;
    expect(moved.map(({ platform_id }) => platform_id)).toEqual(['a', 'b', 'c']);
    expect(moved[1]!.ledger_id).toBe(more[0]!.ledger_id);
    expect(ids((await one.read('from')).children)).toEqual([from!.ledger_id, more[1]!.ledger_id]);
  });

  it.skipIf(one.relation.whole)('the version of the record changes with its children, by whatever path', async () => {
    await one.write('version', [one.one(1), one.one(2)]);
    const { record, children } = await one.read('version');
    const { ledger_id } = record;
    const child = modelOf(one.child).name;
    const plural = one.children.replace(/(^|_)(\w)/g, (_whole, _gap, letter: string) => letter.toUpperCase());
    const graphql = async (field: string, input: Row): Promise<void> => {
      const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
      const response = await gateway.graphql(
        company.key,
        `mutation ($input: ${type}!) { ${field}(input: $input) { errors { code path } } }`,
        {
          input: { companyId: company.id, ...input },
        },
      );
      expect(response.body.data?.[field].errors, response.text).toEqual([]);
    };
    const rest = async (method: string, path: string, data?: Row): Promise<void> => {
      const response = await send(method, path, data);
      expect(response.status, response.text).toBeLessThan(300);
    };
    const parentOf = { ...(one.relation.where ?? {}), [one.relation.to]: ledger_id };
    const id = children[0]!.ledger_id;
    const paths: [string, () => Promise<void>][] = [
      ['POST', () => rest('POST', one.children, one.one(3, one.parent(ledger_id)))],
      ['PUT of one', () => rest('PUT', `${one.children}/${id}`, one.one(4))],
      ['PUT by platform id', () => rest('PUT', one.children, one.one(5, { platform_id: 'v', ...one.parent(ledger_id) }))],
      [
        'batch',
        async () => {
          const response = await send('PUT', `${one.children}?run_async=true`, [
            one.one(6, { platform_id: 'v', ...one.parent(ledger_id) }),
          ]);
          await endOfSync(gateway, company, response.body.data.sync_id);
        },
      ],
      [`create${child}`, () => graphql(`create${child}`, { [one.mark]: one.valueOf(one.mark, 7), ...parentOf })],
      [`update${child}`, () => graphql(`update${child}`, { id, [one.mark]: one.valueOf(one.mark, 8) })],
      [`upsert${child}`, () => graphql(`upsert${child}`, { platformId: 'v', [one.mark]: one.valueOf(one.mark, 9), ...parentOf })],
      [`create${plural}`, () => graphql(`create${plural}`, { records: [{ [one.mark]: one.valueOf(one.mark, 1), ...parentOf }] })],
      [`update${plural}`, () => graphql(`update${plural}`, { records: [{ id, [one.mark]: one.valueOf(one.mark, 2) }] })],
      [
        `upsert${plural}`,
        () => graphql(`upsert${plural}`, { records: [{ platformId: 'v', [one.mark]: one.valueOf(one.mark, 3), ...parentOf }] }),
      ],
      [`upsert${plural} by number`, () => graphql(`upsert${plural}`, { records: [{ id, [one.mark]: one.valueOf(one.mark, 6) }] })],
      [`delete${plural}`, () => graphql(`delete${plural}`, { records: [{ id: children[1]!.ledger_id }] })],
      ['DELETE', () => rest('DELETE', `${one.children}/${id}`)],
    ];
    const text = 'select count(*) from event where subject_id = $1';
    const events = async (): Promise<number> =>
      Number((await gateway.services.database.read({ name: 'events_of', text }, [`${modelOf(one.target).prefix}_${ledger_id}`]))[0]![0]);
    const address = `${one.list}/${ledger_id}`;
    const forms = ['', `?expand=${one.field}`, '?select=data_hash', `?expand=${one.field}&select=raw_data`];
    const readForms = () =>
      Promise.all((one.relation.rest === 'always' ? ['', '?select=data_hash'] : forms).map((form) => send('GET', `${address}${form}`)));
    for (const [path, change] of paths) {
      const [before, seen, reported] = [await readForms(), (await one.read('version')).record, await events()];
      await change();
      const now = (await one.read('version')).record;
      expect(now.ledger_updated_at, path).not.toBe(seen.ledger_updated_at);
      const after = await readForms();
      expect(
        after.map(({ headers }) => headers.get('etag')),
        path,
      ).not.toContain(before[0]!.headers.get('etag'));
      for (const [place, { headers }] of before.entries()) expect(headers.get('etag'), path).not.toBe(after[place]!.headers.get('etag'));
      const etag = before[0]!.headers.get('etag')!;
      expect((await send('GET', address, undefined, { 'if-none-match': etag })).status, path).toBe(200);
      expect((await send('PUT', address, { platform_id: 'version' }, { 'if-match': etag })).status, path).toBe(412);
      expect(await events(), path).toBe(reported + 1);
    }
  });
});

it('children that are written or moved at once come one behind the other', async () => {
  const parentOf = async (platform_id: string): Promise<Row> => {
    const { ledger_id } = (await send('PUT', 'invoices', { platform_id })).body.data.data;
    return { parent_type: 'INVOICE', parent_id: ledger_id };
  };
  const placesIn = async ({ parent_id }: Row): Promise<number[]> =>
    (await send('GET', `line_items?parent_id[eq]=${parent_id}&select=position&order_by=position&limit=50`)).body.data.map(
      ({ position }: Row) => Number(position),
    );
  const inOrder = Array.from({ length: 16 }, (_, place) => place + 1);
  const [from, to] = [await parentOf('places'), await parentOf('other places')];
  const made = await Promise.all(inOrder.map((name) => send('POST', 'line_items', { ...from, name: `${name}` })));
  expect(await placesIn(from)).toEqual(inOrder);
  await Promise.all(made.map(({ body }) => send('PUT', `line_items/${body.data.data.ledger_id}`, to)));
  expect(await placesIn(to)).toEqual(inOrder);
});

it('writes of a record and of its children at once wait for each other in one order', async () => {
  const made = await send('PUT', 'invoices', { platform_id: 'crowded', line_items: [{ platform_id: 'a' }, { platform_id: 'b' }] });
  const { ledger_id, line_items } = made.body.data.data;
  const parent = { parent_type: 'INVOICE', parent_id: ledger_id };
  const responses = await Promise.all(
    Array.from({ length: 24 }, (_, round) => {
      const name = `round ${round}`;
      const [first, second] = line_items as [Row, Row];
      if (round % 4 === 0)
        return send('PUT', `invoices/${ledger_id}`, {
          line_items: [
            { platform_id: 'b', name },
            { platform_id: 'a', name },
          ],
        });
      if (round % 4 === 1) return send('PUT', `line_items/${first.ledger_id}`, { name });
      if (round % 4 === 2) return send('PUT', `line_items/${second.ledger_id}`, { name });
      return send('PUT', 'line_items', { ...parent, platform_id: 'a', name });
    }),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const read = await send('GET', `invoices/${ledger_id}?expand=line_items`);
  expect(read.body.data.line_items.map(({ platform_id }: Row) => platform_id)).toEqual(['b', 'a']);
  const times = responses.map(({ body }) => body.data.data.ledger_updated_at);
  expect(read.body.data.ledger_updated_at >= times.toSorted().at(-1)).toBe(true);
});

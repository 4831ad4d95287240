// References among the records of one request resolve in any order, and values that contradict each other are rejected; over every relation.
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { nestedRelations, type Reference, referencesOf } from '../../src/integrations/ledger/references.ts';
import { modelOf, type RecordClass, type Relation } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
/** More than a chunk of a batch has. */
const RECORDS = 400;
const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 1_000_000));
console.log(`reference order: SEED=${seed}`);
let company: TestCompany;

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, path, { headers: company.headers, body });

beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** A linear congruential generator. */
function random(): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Body = Record<string, unknown>;

const camel = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(camel)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
            camel(member),
          ]),
        )
      : value;

/** Every reference of a type that can name a record of the same type. */
const own = ledgerRecords.flatMap((target) =>
  referencesOf(target)
    .filter(({ prop, targets }) => !prop.mayBeOpen && targets().includes(target))
    .map((reference): [string, RecordClass, Reference] => [`${namesOf(target).one}.${reference.field}`, target, reference]),
);

it('there are such references', () => {
  expect(own.map(([name]) => name)).toContain('account.parentAccount');
});

describe.each(own)('%s', (name, target, reference) => {
  const { many, dataModel } = namesOf(target);
  const plain = snakeCase(reference.prop.name);
  const naming = (id: string): Body => ({
    ...(reference.typedBy ? { [snakeCase(reference.typedBy)]: dataModel } : {}),
    [snakeCase(reference.field)]: { platform_id: id },
  });
  const list = () => `${company.base}/${listName(target)}`;
  const stored = async (id: string): Promise<Record<string, number>> => {
    const { body } = await send('GET', `${list()}?platform_id=${id}`);
    expect(body.data, id).toHaveLength(1);
    return body.data[0];
  };
  const batch = async (data: Body[]): Promise<{ id: string; status: string }> => {
    const accepted = await send('PUT', `${list()}?run_async=true`, { data });
    expect(accepted.status, accepted.text).toBe(202);
    return endOfSync(gateway, company, accepted.body.data.sync_id);
  };

  /** A tree of records, each below one before it; `shuffled` in an order of the seed. */
  const tree = (prefix: string, order: string, count = RECORDS): Body[] => {
    const below = random();
    const bodies = Array.from(
      { length: count },
      (_, index): Body => ({
        platform_id: `${name}-${prefix}-${index}`,
        ...(index === 0 ? {} : naming(`${name}-${prefix}-${below(index)}`)),
      }),
    );
    if (order === 'children first') return bodies.reverse();
    if (order === 'shuffled')
      for (let last = count - 1; last > 0; last--) {
        const other = below(last + 1);
        [bodies[last], bodies[other]] = [bodies[other]!, bodies[last]!];
      }
    return bodies;
  };
  const parentOf = (body: Body): string | undefined =>
    (body[snakeCase(reference.field)] as { platform_id: string } | undefined)?.platform_id;
  const expectTree = async (bodies: Body[]): Promise<void> => {
    for (const body of [...bodies.slice(0, 4), ...bodies.slice(-4)]) {
      const above = parentOf(body);
      if (above) expect((await stored(String(body.platform_id)))[plain], String(body.platform_id)).toBe((await stored(above)).ledger_id);
    }
  };

  it.each(['parents first', 'children first', 'shuffled'])('a batch of more than one chunk, %s', async (order) => {
    const bodies = tree(order.replace(' ', '-'), order);
    expect((await batch(bodies)).status).toBe('SUCCESS');
    await expectTree(bodies);
  });

  it.each([true, false])('a bulk mutation, children first, atomic: %s', async (atomic) => {
    const bodies = tree(`bulk-${atomic}`, 'children first', 30);
    const root = `upsert${many.replace(/^./, (letter) => letter.toUpperCase())}`;
    const Input = `${root.replace(/^./, (letter) => letter.toUpperCase())}Input`;
    const query = `mutation ($input: ${Input}!) { ${root}(input: $input) { results { errors { code path message } } errors { code path message } } }`;
    const response = await gateway.graphql(company.key, query, {
      input: { companyId: `company_${company.id}`, atomic, records: camel(bodies) },
    });
    expect(response.body.errors, response.text).toBeUndefined();
    expect(response.body.data[root].errors).toEqual([]);
    expect(response.body.data[root].results.flatMap(({ errors }: { errors: unknown[] }) => errors)).toEqual([]);
    await expectTree(bodies);
  });

  it('a record that names a rejected one is rejected, and a retry stores both once they can be', async () => {
    const [late, above, below] = ['late', 'above', 'below'].map((id) => `${name}-${id}`) as [string, string, string];
    const { id, status } = await batch([
      { platform_id: below, ...naming(above) },
      { platform_id: above, ...naming(late) },
    ]);
    expect(status).toBe('FAILED');
    const refused = (await jobsOf(gateway, company, id)).filter(({ parentJobId }) => parentJobId !== null);
    expect(refused.map(({ errorResponse }) => errorResponse!.field).sort()).toEqual(
      [0, 1].map((index) => `data[${index}].${snakeCase(reference.field)}.platform_id`),
    );
    expect((await send('PUT', list(), { data: { platform_id: late } })).status).toBe(200);
    const retried = await send('POST', `/v4/core/syncs/${id}/retry`);
    expect((await endOfSync(gateway, company, retried.body.data.sync_id ?? retried.body.data.id)).status).toBe('SUCCESS');
    expect((await stored(below))[plain]).toBe((await stored(above)).ledger_id);
  });

  it('records that would be their own ancestors are rejected by name, and the others are stored', async () => {
    const [one, two, below, self, free] = ['one', 'two', 'under', 'self', 'free'].map((id) => `${name}-${id}`) as string[];
    const { id, status } = await batch([
      { platform_id: below, ...naming(one!) },
      { platform_id: one, ...naming(two!) },
      { platform_id: two, ...naming(one!) },
      { platform_id: self, ...naming(self!) },
      { platform_id: free },
    ]);
    expect(status).toBe('PARTIAL_SUCCESS');
    const refused = (await jobsOf(gateway, company, id)).filter(({ parentJobId }) => parentJobId !== null);
    expect(
      Object.fromEntries(refused.map(({ errorResponse, errorMessage }) => [errorResponse!.index, /own ancestor/.test(errorMessage!)])),
    ).toEqual({
      0: false,
      1: true,
      2: true,
      3: true,
    });
    await stored(free!);
    for (const gone of [one, two, below, self]) expect((await send('GET', `${list()}?platform_id=${gone}`)).body.data, gone).toEqual([]);
  });
});

/** Every relation that a write may contain, and what two different records of it are. */
const nested = ledgerRecords.flatMap((target) =>
  nestedRelations(target)
    .filter(({ owned }) => !owned)
    .map((relation): [string, RecordClass, Relation] => [`${namesOf(target).one}.${relation.name}`, target, relation]),
);

describe.each(nested)('%s', (name, target, relation) => {
  const field = snakeCase(relation.name);
  const plain = snakeCase(relation.from);
  const isCode = relation.to === 'code';
  const entry = (record: Body): unknown => (relation.wrapped ? [record] : record);
  const list = () => `${company.base}/${listName(target)}`;
  const linked = () => `${company.base}/${listName(relation.target())}`;
  const { one } = namesOf(target);

  /** What names two records of the relation: the number or code of each, and each as a write contains it. */
  async function pair(): Promise<{ keys: unknown[]; records: Body[] }> {
    if (isCode)
      return {
        keys: ['EUR', 'USD'],
        records: [
          { code: 'EUR', name: 'e' },
          { code: 'USD', name: 'u' },
        ],
      };
    const records = ['first', 'second'].map((id): Body => ({ platform_id: `${name}-${id}`, name: id }));
    const responses = await Promise.all(records.map((data) => send('PUT', linked(), { data })));
    return { keys: responses.map(({ body }) => body.data.data.ledger_id), records };
  }
  const refused = async (data: Body): Promise<void> => {
    const id = String(data.platform_id);
    const response = await send('PUT', list(), { data });
    expect([response.status, response.body.error?.error_code, response.body.error?.field], response.text).toEqual([
      400,
      'INVALID_PARAMS',
      `data.${field}`,
    ]);
    const root = `upsert${one.replace(/^./, (letter) => letter.toUpperCase())}`;
    const Input = `${root.replace(/^./, (letter) => letter.toUpperCase())}Input`;
    const input = { companyId: `company_${company.id}`, ...(camel(data) as Body) };
    const query = `mutation ($input: ${Input}!) { ${root}(input: $input) { ${one} { ledgerId } errors { code path message } } }`;
    const mutated = await gateway.graphql(company.key, query, { input });
    expect(mutated.body.data?.[root], mutated.text).toMatchObject({
      [one]: null,
      errors: [{ code: 'INVALID_PARAMS', path: [relation.name] }],
    });
    expect((await send('GET', `${list()}?platform_id=${id}`)).body.data).toEqual([]);
  };

  it('a number or code next to another record is rejected, stored or new', async () => {
    const { keys, records } = await pair();
    await refused({ platform_id: `${name}-other`, [plain]: keys[1], [field]: entry(records[0]!) });
    await refused({ platform_id: `${name}-null`, [plain]: null, [field]: entry(records[0]!) });
    if (!isCode) await refused({ platform_id: `${name}-new`, [plain]: keys[0], [field]: entry({ name: 'a new one' }) });
  });

  it('both may name the same record, and null clears alone and is rejected next to a number', async () => {
    const { keys, records } = await pair();
    const platform_id = `${name}-same`;
    const both = await send('PUT', list(), { data: { platform_id, [plain]: keys[0], [field]: entry(records[0]!) } });
    expect([both.status, both.body.data?.data[plain]], both.text).toEqual([200, keys[0]]);
    const untouched = await send('PUT', list(), { data: { platform_id, raw_data: { a: 1 } } });
    expect(untouched.body.data.data[plain]).toBe(keys[0]);
    const cleared = await send('PUT', list(), { data: { platform_id, [field]: null } });
    expect([cleared.status, cleared.body.data?.data[plain]], cleared.text).toEqual([200, null]);
    await refused({ platform_id: `${name}-cleared`, [plain]: keys[0], [field]: null });
  });

  it.skipIf(isCode)('an expanded record shows that it was deleted', async () => {
    const { keys, records } = await pair();
    const platform_id = `${name}-expanded`;
    const made = await send('PUT', list(), { data: { platform_id, [field]: entry(records[0]!) } });
    const read = async () => {
      const { body } = await send('GET', `${list()}/${made.body.data.data.ledger_id}?expand=${field}`);
      return [body.data[field]].flat()[0];
    };
    expect(await read()).toMatchObject({ ledger_id: keys[0], ledger_deleted_at: null });
    expect((await send('DELETE', `${linked()}/${keys[0]}`)).status).toBeLessThan(300);
    const deleted = await read();
    expect(deleted).toMatchObject({ ledger_id: keys[0], ledger_deleted_at: deleted.ledger_updated_at });
    const query = `query ($id: ID!) { node(id: $id) { ... on ${modelOf(target).name} { ${relation.name} { ledgerDeletedAt } } } }`;
    const node = await gateway.graphql(company.key, query, { id: `${modelOf(target).table}_${made.body.data.data.ledger_id}` });
    expect([node.body.data?.node?.[relation.name]].flat()[0]?.ledgerDeletedAt, node.text).toBe(deleted.ledger_deleted_at);
  });
});

/** The references that are not nested, whose field can be null next to a number and the other way round. */
const plainOnes = ledgerRecords.flatMap((target) =>
  referencesOf(target)
    .filter(({ isParent, nested: isNested, prop }) => !isParent && !isNested && !prop.mayBeOpen)
    .map((reference): [string, RecordClass, Reference] => [`${namesOf(target).one}.${reference.field}`, target, reference]),
);

describe.each(plainOnes)('%s', (name, target, reference) => {
  it('null next to a number and a record next to null are rejected', async () => {
    const [field, plain, named] = [snakeCase(reference.field), snakeCase(reference.prop.name), reference.targets()[0]!];
    const made = await send('PUT', `${company.base}/${listName(named)}`, { data: { platform_id: `${name}-named` } });
    const number = made.body.data.data.ledger_id;
    const typed = reference.typedBy ? { [snakeCase(reference.typedBy)]: namesOf(named).dataModel } : {};
    const record = { platform_id: `${name}-named` };
    for (const both of [
      { [plain]: reference.isList ? [number] : number, [field]: null },
      { [plain]: null, [field]: reference.isList ? [record] : record },
    ]) {
      const response = await send('PUT', `${company.base}/${listName(target)}`, {
        data: { platform_id: `${name}-both`, ...typed, ...both },
      });
      expect([response.status, response.body.error?.field], response.text).toEqual([400, `data.${field}`]);
    }
  });
});

// Random mutations with random errors in them. What the response accepts is stored. What it rejects is not stored, and is named by code and place.
import { expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway();
const CALLS = 70;

/** A record to send, and the places in it that are wrong. */
interface Planned {
  input: Record<string, unknown>;
  wrong: string[];
}

interface Outcome {
  account: { id: string; name: string } | null;
  errors: { code: string; path: string[]; message: string }[];
}

const RESULT = 'account { id name } errors { code path message }';

it('an accepted change is in the response and stored, a rejected one is never stored and named by code and path', async () => {
  const { id: companyId, key } = await buildCompany(gateway);
  let state = 19;
  // A linear congruential generator, so that every run makes the same calls.
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const stored = new Map<string, string>();
  let counter = 0;

  /** Makes some members of a record wrong: a value outside its enumeration, a reference to nothing, or text that is too long. */
  const planned = (input: Record<string, unknown>): Planned => {
    const plan: Planned = { input: { ...input, name: `n${++counter}` }, wrong: [] };
    const spoil = (name: string, value: unknown): void => {
      plan.input[name] = value;
      plan.wrong.push(name);
    };
    if (below(4) === 0) spoil('status', 'NOT_A_STATUS');
    if (below(4) === 0) spoil('parentAccountId', 987_654_321);
    if (below(6) === 0) spoil('platformId', '');
    return plan;
  };
  const someId = (plan: Planned): void => {
    const ids = [...stored.keys()];
    if (ids.length === 0 || below(5) === 0) {
      plan.input.id = 'account_987654';
      // Of a record that is not stored nothing else is known.
      plan.wrong = ['id', ...plan.wrong.filter((name) => name !== 'parentAccountId')];
    } else plan.input.id = ids[below(ids.length)];
    delete plan.input.platformId;
    plan.wrong = plan.wrong.filter((name) => name !== 'platformId');
  };
  const check = (outcome: Outcome, { input, wrong }: Planned, at: string[]): void => {
    const named = outcome.errors.map(({ path }) => path.slice(at.length).join('.'));
    for (const { code, path, message } of outcome.errors) {
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(message).not.toBe('');
      expect(path.slice(0, at.length)).toEqual(at);
    }
    expect(named.sort(), JSON.stringify(input)).toEqual([...wrong].sort());
    if (wrong.length > 0) expect(outcome.account).toBeNull();
    else {
      expect(outcome.account?.name).toBe(input.name);
      stored.set(outcome.account!.id, String(input.name));
    }
  };
  const ask = async (
    mutation: string,
    type: string,
    input: object,
    selection: string,
  ): Promise<Outcome & { results: Outcome[]; syncId: string | null }> => {
    const response = await gateway.graphql(key, `mutation($input: ${type}!) { ${mutation}(input: $input) { syncId ${selection} } }`, {
      input,
    });
    expect(response.body.errors, response.text).toBeUndefined();
    return response.body.data[mutation];
  };

  for (let call = 0; call < CALLS; call++) {
    const kind = ['one', 'change', 'many', 'many', 'changes', 'whole', 'gone'][below(7)]!;
    if (kind === 'one') {
      const plan = planned({ platformId: `p${++counter}` });
      check(await ask('createAccount', 'CreateAccountInput', { companyId, ...plan.input }, RESULT), plan, []);
    } else if (kind === 'change') {
      const plan = planned({});
      someId(plan);
      check(await ask('updateAccount', 'UpdateAccountInput', { companyId, ...plan.input }, RESULT), plan, []);
    } else if (kind === 'many' || kind === 'whole') {
      const plans = Array.from({ length: 1 + below(5) }, () => planned({ platformId: `p${++counter}` }));
      const isWhole = kind === 'whole';
      const input = { companyId, atomic: isWhole, records: plans.map((plan) => plan.input) };
      const payload = await ask('upsertAccounts', 'UpsertAccountsInput', input, `errors { code path message } results { ${RESULT} }`);
      const wrong = plans.flatMap((plan, index) => plan.wrong.map((name) => `records.${index}.${name}`));
      expect(payload.errors.map(({ path }) => path.join('.')).sort()).toEqual(wrong.sort());
      if (isWhole && wrong.length > 0) expect(payload.results).toBeNull();
      else for (const [index, plan] of plans.entries()) check(payload.results[index]!, plan, ['records', String(index)]);
      expect(payload.syncId === null).toBe(isWhole ? wrong.length > 0 : plans.every((plan) => plan.wrong.length > 0));
    } else if (kind === 'changes') {
      const plans = new Map<unknown, Planned>();
      for (let index = 0; index < 1 + below(4); index++) {
        const plan = planned({});
        someId(plan);
        plans.set(plan.input.id, plan);
      }
      const list = [...plans.values()];
      const payload = await ask(
        'updateAccounts',
        'UpdateAccountsInput',
        { companyId, records: list.map((plan) => plan.input) },
        `results { ${RESULT} }`,
      );
      for (const [index, plan] of list.entries()) check(payload.results[index]!, plan, ['records', String(index)]);
    } else {
      const ids = [...new Set(['account_987654', ...stored.keys()].filter(() => below(15) === 0))];
      if (ids.length === 0) continue;
      const payload = await ask(
        'deleteAccounts',
        'DeleteAccountsInput',
        { companyId, records: ids.map((id) => ({ id })) },
        `results { ${RESULT} }`,
      );
      for (const [index, { errors }] of payload.results.entries()) {
        if (stored.has(ids[index]!)) expect(errors).toEqual([]);
        else expect(errors).toMatchObject([{ code: 'RECORD_NOT_FOUND', path: ['records', String(index), 'id'] }]);
        stored.delete(ids[index]!);
      }
    }
  }
  expect(stored.size).toBeGreaterThan(10);
  const list = await gateway.graphql(key, `{ company(id: ${companyId}) { accounts(first: 100) { nodes { id name } } } }`);
  const found = list.body.data.company.accounts.nodes.map(({ id, name }: { id: string; name: string }) => [id, name]);
  expect(found.sort()).toEqual([...stored].sort());
}, 120_000);

it('the errors of a nested form are reported at once, and a call that is rejected for its input stores nothing', async () => {
  const { id: companyId, key } = await buildCompany(gateway);
  const input = {
    companyId,
    status: 'NONE',
    contactId: 987_654,
    lineItems: [{ accountId: 987_654, quantity: 1 }, { parentType: 'NONE' }],
  };
  const create =
    'mutation($input: CreateBillCreditNoteInput!) { createBillCreditNote(input: $input) { billCreditNote { id } errors { path allowed } } }';
  const response = await gateway.graphql(key, create, { input });
  const { errors } = response.body.data.createBillCreditNote;
  expect(errors.map(({ path }: { path: string[] }) => path.join('.')).sort(), response.text).toEqual([
    'contactId',
    'lineItems.0.accountId',
    'lineItems.1.parentType',
    'status',
  ]);
  expect(errors.find(({ path }: { path: string[] }) => path[0] === 'status').allowed).toContain('DRAFT');
  const counts = await gateway.graphql(
    key,
    `{ company(id: ${companyId}) { billCreditNotes(first: 1) { totalCount } lineItems(first: 1) { totalCount } } }`,
  );
  expect(counts.body.data.company).toEqual({ billCreditNotes: { totalCount: 0 }, lineItems: { totalCount: 0 } });
});

it('rules of a platform record and its references are reported with the values that are wrong in themselves', async () => {
  const key = await gateway.key(['PLATFORM']);
  const create = `mutation($input: CreateProductInput!) { createProduct(input: $input) { product { id } errors { code path } } }`;
  const input = {
    corporationId: 'corp_none',
    name: 'x',
    sku: 'y',
    originCountry: 'XX',
    weightInKg: -1,
    customsJurisdictionDetails: { US: '1' },
  };
  const response = await gateway.graphql(key, create, { input });
  expect(response.body.data.createProduct.product).toBeNull();
  expect(response.body.data.createProduct.errors.map(({ path }: { path: string[] }) => path.join('.')).sort(), response.text).toEqual(
    expect.arrayContaining(['customsJurisdictionDetails.US', 'originCountry', 'weightInKg']),
  );
});

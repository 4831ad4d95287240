// The client package next to the schema: amounts as text, sums, errors by field, which list a cache takes for which.
import { array, assert, integer, property } from 'fast-check';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { cacheSettings } from '../../schema/client/cache.ts';
import { exactDecimals, sumOf } from '../../schema/client/decimals.ts';
import { issuesByField, messageFor, outcomeOf } from '../../schema/client/errors.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway({ demoData: true });

describe('amounts', () => {
  const document = parse(`
    query { company(id: 1) { __typename id ...Page invoicesSummary { __typename groupCount groups { __typename count sum { __typename all: totalAmount } } } } }
    fragment Page on Company { invoices(first: 3) { __typename totalCount nodes { __typename ledgerId total: totalAmount amountDue lineItems { __typename quantity } } } }
  `);

  it('every Decimal of a response becomes text, by any alias, and nothing else does', async () => {
    const key = await gateway.key(['INTEGRATIONS'], 'Demo');
    const { body } = await gateway.graphql(key, document.loc!.source.body);
    const { company } = exactDecimals(document, body.data);
    for (const node of company.invoices.nodes) {
      expect([typeof node.total, typeof node.amountDue, typeof node.lineItems[0].quantity, typeof node.ledgerId]).toEqual([
        'string',
        'string',
        'string',
        'number',
      ]);
      expect(body.data.company.invoices.nodes.map(({ total }: { total: number }) => String(total))).toContain(node.total);
    }
    expect(typeof company.invoices.totalCount).toBe('number');
    expect(typeof company.invoicesSummary.groups[0].sum.all).toBe('string');
    expect(typeof company.invoicesSummary.groups[0].count).toBe('number');
  });

  it('a name that is a Decimal in some types only is one in these only', () => {
    const mixed = parse('{ nodes(ids: []) { __typename ... on PaymentAllocation { amount } ... on Sync { recordsSynced } } }');
    const data = { nodes: [{ __typename: 'PaymentAllocation', amount: 1e-7 }, { __typename: 'Sync', recordsSynced: 3 }, null] };
    expect(exactDecimals(mixed, data)).toMatchObject({ nodes: [{ amount: '0.0000001' }, {}, null] });
  });

  it('a sum has every digit of its amounts', () => {
    expect(sumOf(['0.1', '0.2', '-0.05'])).toBe('0.25');
    expect(sumOf([])).toBe('0');
    expect(sumOf(['-0.5', '0.4'])).toBe('-0.1');
    expect(sumOf(['999999999999999', '0.00000001'])).toBe('999999999999999.00000001');
    const cents = array(integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 20 });
    const isExact = (values: number[]): boolean => {
      const total = values.reduce((all, value) => all + value, 0);
      return BigInt(sumOf(values.map((value) => (value / 100).toFixed(2))).replace('.', '')) === BigInt(total);
    };
    assert(property(cents, isExact));
  });
});

describe('errors', () => {
  it('those of a mutation are reported by field, with the label of the field', async () => {
    const key = await gateway.key(['PLATFORM']);
    const { body } = await gateway.graphql(
      key,
      'mutation ($input: CreateCorporationInput!) { createCorporation(input: $input) { corporation { id } errors { code path message } } }',
      { input: { legalName: '', jurisdiction: 'US', address: { addressLine1: '', country: 'US' }, emailAlias: 'Not allowed' } },
    );
    const outcome = outcomeOf(body.data.createCorporation as { errors: { code: string; path: string[]; message: string }[] });
    if (outcome.ok) throw new Error('the input is taken');
    const byField = issuesByField(outcome.issues, ['legalName', 'address.addressLine1']);
    expect([...byField.keys()].sort()).toEqual(['', 'address.addressLine1', 'legalName']);
    expect(messageFor(byField.get('legalName')![0]!, 'Registered name')).toBe('Registered name is required');
    expect(outcomeOf({ errors: [] }).ok).toBe(true);
    expect(() => outcomeOf(null)).toThrow('no payload');
  });
});

describe('cache', () => {
  const keys = new Map<string, (args: Record<string, unknown> | null) => string[] | false>();
  const { typePolicies, possibleTypes } = cacheSettings({ relayStylePagination: (keyArgs) => keyArgs });
  for (const [type, { fields }] of Object.entries(typePolicies))
    for (const [name, policy] of Object.entries(fields)) if (typeof policy === 'function') keys.set(`${type}.${name}`, policy as never);

  it('a list is known by filter and order, a page by number by its place too', () => {
    const keyOf = keys.get('Company.invoices')!;
    const filter = { status: { eq: 'PAID' } };
    expect(keyOf({ first: 10, after: 'x', filter })).toEqual(['filter']);
    expect(keyOf({ first: 10 })).toBe(false);
    expect(keyOf({ first: 10, offset: 0, filter })).toEqual(['filter', 'offset', 'first']);
    expect(keyOf(null)).toBe(false);
  });

  it('a record that was read under its id is found by the field that reads one', () => {
    const { read } = (typePolicies.Query as { fields: Record<string, { read: (known: unknown, options: object) => unknown }> }).fields
      .corporation!;
    const toReference = ({ __typename, id }: { __typename: string; id: string }) => `${__typename}:${id}`;
    expect(read(undefined, { args: { id: 'corp_1' }, toReference })).toBe('Corporation:corp_1');
    expect(read(undefined, { args: { id: 1 }, toReference })).toBeUndefined();
    expect(read('known', { args: { id: 'corp_1' }, toReference })).toBe('known');
  });

  it('every connection of the schema has a policy, and every interface and union its types', () => {
    const schema = buildGatewaySchema(resolvers, orphanTypes);
    expect(keys.has('Query.webhooks') && keys.has('Webhook.deliveries')).toBe(true);
    expect(possibleTypes.Node).toContain('Invoice');
    for (const name of Object.keys(possibleTypes))
      expect(possibleTypes[name]!.length, name).toBe(schema.getPossibleTypes(schema.getType(name) as never).length);
  });
});

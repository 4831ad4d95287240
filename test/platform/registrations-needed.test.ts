// `registrationsNeeded` on GraphQL and REST: the rights of the caller, registrations that are held, and what is rejected.
import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCaller, buildCorporation, buildRegistration, type Caller, issuesOf, operate } from '../support/registrations.ts';

const gateway = useGateway();
const QUERY = `query ($corporationId: ID!, $sales: [JurisdictionSalesInput!]!) {
  registrationsNeeded(corporationId: $corporationId, sales: $sales) { registrationContentId jurisdiction outcome reason source sourceUrl checkedAt confidence }
}`;
const newYork = { jurisdiction: 'US-NY', amount: 500_000.01, currency: 'USD', transactions: 101 };

const needed = (caller: Caller, corporationId: string, sales: unknown[]) => gateway.graphql(caller.key, QUERY, { corporationId, sales });
const idsOf = (response: { body: { data: { registrationsNeeded: { registrationContentId: string }[] } } }): string[] =>
  response.body.data.registrationsNeeded.map((one) => one.registrationContentId);

describe('registrations that sales make necessary', () => {
  it('the registration, its jurisdiction, the reason with exact amounts, and the source', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const response = await needed(caller, corporationId, [newYork]);
    expect(response.body.data.registrationsNeeded).toEqual([
      {
        registrationContentId: 'US_NY_SUT',
        jurisdiction: 'JUR_US_NY',
        outcome: 'REACHED',
        reason: expect.stringContaining('Sales of 500000.01 USD are more than 500000 USD; 101 transactions are more than 100'),
        source: expect.stringContaining('New York State Department of Taxation and Finance'),
        sourceUrl: expect.stringMatching(/^https:/),
        checkedAt: '2026-11-22',
        confidence: 'HIGH',
      },
    ]);
    const below = [
      { ...newYork, amount: 500_000 },
      { ...newYork, transactions: 100 },
    ];
    for (const sale of below) expect(idsOf(await needed(caller, corporationId, [sale]))).toEqual([]);
  });

  it('REST returns the same, and input options show sources, calendars and thresholds', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const response = await caller.post('/registrations/needed', { corporation_id: corporationId, sales: [newYork] });
    expect([response.status, response.body.data.registrations[0].registration_content_id]).toEqual([200, 'US_NY_SUT']);
    const options = await caller.post('/registrations/content/registration-input-options', {
      filters: { jurisdiction_ids: ['JUR_US_NY'] },
    });
    expect(options.body.data.options[0].registrations[0]).toMatchObject({
      source: expect.stringContaining('New York'),
      checked_at: '2026-11-22',
      confidence: 'HIGH',
      filing_periods: expect.arrayContaining([{ frequency: 'QUARTERLY', end_months: [2, 5, 8, 11] }]),
      thresholds: [
        {
          amount: { comparison: 'MORE_THAN', value: 500_000, currency: 'USD' },
          transactions: { comparison: 'MORE_THAN', value: 100 },
          combination: 'AND',
          period: 'FOUR_QUARTERS',
        },
      ],
    });
  });

  it('a registration that is held or asked for is not needed again, one that was closed is', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const { registration_id: registrationId } = await buildRegistration(caller, {
      corporation_id: corporationId,
      registration_content_id: 'US_NY_SUT',
      tax_types: ['SUT'],
    });
    expect(idsOf(await needed(caller, corporationId, [newYork]))).toEqual([]);
    await operate(gateway, `closeRegistration(input: { id: "${registrationId}", effectiveEndDate: "2020-12-31" })`, 'registration { id }');
    expect(idsOf(await needed(caller, corporationId, [newYork]))).toEqual(['US_NY_SUT']);
  });

  it('the corporation of another organisation is one that does not exist', async () => {
    const corporationId = await buildCorporation(await buildCaller(gateway));
    const other = await buildCaller(gateway);
    const response = await needed(other, corporationId, [newYork]);
    expect(response.body.errors[0].extensions.code).toBe('CORPORATION_NOT_FOUND');
    expect((await other.post('/registrations/needed', { corporation_id: corporationId, sales: [newYork] })).status).toBe(404);
  });

  it('what cannot be sales is rejected by name', async () => {
    const caller = await buildCaller(gateway);
    const corporation_id = await buildCorporation(caller);
    const issues = async (sale: object) =>
      issuesOf(await caller.post('/registrations/needed', { corporation_id, sales: [{ ...newYork, ...sale }] }));
    expect(await issues({ jurisdiction: 'JUR_NOWHERE' })).toEqual({ 'sales.0.jurisdiction': 'NOT_FOUND' });
    expect(await issues({ jurisdiction: 'US-ZZ' })).toEqual({ 'sales.0.jurisdiction': 'NOT_FOUND' });
    expect(await issues({ amount: -1 })).toEqual({ 'sales.0.amount': 'OUT_OF_RANGE' });
    expect(await issues({ transactions: -1 })).toEqual({ 'sales.0.transactions': 'OUT_OF_RANGE' });
    expect(await issues({ currency: 'dollars' })).toEqual({ 'sales.0.currency': 'INVALID_FORMAT' });
    const many = await caller.post('/registrations/needed', { corporation_id, sales: Array.from({ length: 1_001 }, () => newYork) });
    expect(issuesOf(many)).toEqual({ sales: 'OUT_OF_RANGE' });
  });

  it('places without registrations are accepted, and an unknown number of transactions as well', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const sales = [
      { jurisdiction: 'US-DE', amount: 1e9, currency: 'USD' },
      { jurisdiction: 'KP', amount: 1e9, currency: 'USD' },
      { jurisdiction: 'US-OR', amount: 1e9, currency: 'USD' },
    ];
    expect(idsOf(await needed(caller, corporationId, sales))).toEqual([]);
    expect(idsOf(await needed(caller, corporationId, []))).toEqual([]);
  });
});

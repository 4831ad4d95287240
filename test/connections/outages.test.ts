// Outages of a source. Its connections learn of them from each other, one call at a time tries whether the outage is over, and no organisation is
// held back by others alone.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../src/integrations/connections/connection.ts';
import { openSource } from '../../src/integrations/connections/sources.ts';
import { useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'], worker: false });

let ledger: Ledger;
beforeEach(async () => {
  ledger = await startLedger();
});
afterEach(() => ledger.stop());

/** A connection to the ledger; `call` makes one call as a run does that has just begun, and returns its outcome. */
async function connection(key?: string): Promise<{ company: TestCompany; call: () => Promise<string> }> {
  const company = await buildCompany(gateway, key ? { key } : {});
  const { headers, base } = company;
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const made = await gateway.send('POST', `${base}/connections`, { headers, body: { data: { source: 'DEMO', settings } } });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.data;
  const em = gateway.services.database.orm.em.fork();
  const { organisationId } = await em.findOneOrFail(Connection, { id }, { filters: { tenant: false } });
  const call = async (): Promise<string> => {
    const of = { organisationId, ledgerId: company.id, integrationType: 'DEMO' };
    const { connector, close } = await openSource(gateway.services, of, new AbortController().signal);
    return connector
      .check()
      .then(
        () => 'responded',
        (error: Error) => error.message,
      )
      .finally(close);
  };
  return { company, call };
}

/** As many calls as it takes until a source is left alone. */
async function failFive(call: () => Promise<string>): Promise<void> {
  for (let count = 0; count < 5; count++) expect(await call()).toBe('the source returned status 503');
}

describe('A source that is down', () => {
  it('is not called by any connection once two organisations have met it, and one call at a time tries whether it is over', async () => {
    const [first, second, third] = [await connection(), await connection(), await connection()];
    ledger.failure = () => 'fail';
    for (const { call } of [first, second, first, second, first]) expect(await call()).toContain('503');
    const asked = ledger.requests;
    for (const { call } of [first, second, third]) expect(await call()).toMatch(/failed 5 times in a row/);
    expect(ledger.requests).toBe(asked);

    gateway.clock.advance(60_000);
    const tried = await Promise.all([third, third, second, first].map(({ call }) => call()));
    expect(tried.filter((words) => words.includes('503'))).toHaveLength(1);
    expect(tried.filter((words) => /times in a row/.test(words))).toHaveLength(3);
    expect(ledger.requests).toBe(asked + 1);

    // The next pause is longer; a response to anybody ends it for all.
    ledger.failure = () => undefined;
    gateway.clock.advance(60_000);
    expect(await second.call()).toMatch(/failed 6 times in a row/);
    gateway.clock.advance(60_000);
    expect(await third.call()).toBe('responded');
    for (const { call } of [first, second]) expect(await call()).toBe('responded');
  });

  it('holds back only the organisation that alone has met it', async () => {
    const first = await connection();
    const other = await connection();
    const same = await connection(first.company.key);
    ledger.failure = () => 'fail';
    await failFive(first.call);
    ledger.failure = () => undefined;
    expect(await first.call()).toMatch(/failed 5 times in a row/);
    // One connection of it alone does not hold back its others either.
    expect(await same.call()).toBe('responded');
    ledger.failure = () => 'fail';
    for (const { call } of [first, same, first, same, first]) expect(await call()).toContain('503');
    ledger.failure = () => undefined;
    expect(await same.call()).toMatch(/failed 5 times in a row/);
    expect(await other.call()).toBe('responded');
    expect(await first.call()).toBe('responded');
  });

  it('is one that fails itself: rejected credentials and limits stop no other organisation', async () => {
    const [first, second, third] = [await connection(), await connection(), await connection()];
    const key = ledger.apiKey;
    ledger.apiKey = 'another';
    for (const { call } of [first, second, first, second, first, second]) expect(await call()).toContain('does not accept the credentials');
    ledger.failure = () => 'limit';
    for (const { call } of [first, second]) expect(await call()).toContain('limits the rate');
    Object.assign(ledger, { apiKey: key, failure: () => undefined });
    expect(await third.call()).toBe('responded');
  });
});

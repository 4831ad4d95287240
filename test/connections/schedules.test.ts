// The schedule of a connection over HTTP: rhythms of data models, what they are rejected for, and the runs they start.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemTransaction } from '../../src/database/transaction.ts';
import { connectionSchedule } from '../../src/integrations/syncs/connection-schedule.ts';
import { useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });
const MINUTE = 60_000;

let ledger: Ledger;
let company: TestCompany;

beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway);
});
afterEach(() => ledger.stop());

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

interface Part {
  data_model: string | null;
  interval_minutes: number | null;
  cron: string | null;
  time_zone: string | null;
  next_run_at: string | null;
}

const connect = async (schedules: unknown) => {
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const response = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200, schedules });
  return { response, id: response.body.data?.id as string };
};

const stateOf = async (id: string) => (await rest('GET', `/connections/${id}`)).body.data;
const partOf = async (id: string, dataModel: string | null): Promise<Part> =>
  (await stateOf(id)).schedules.find((part: Part) => part.data_model === dataModel);

const syncs = async (): Promise<{ id: string; dataModels: string[]; syncType: string }[]> =>
  (await rest('GET', '/syncs?limit=100')).body.data.syncs;

/** Looks for due connections, as the schedule does every 15 seconds, until the company has so many syncs; all of them have ended then. */
async function untilSyncs(count: number): Promise<{ id: string; dataModels: string[] }[]> {
  for (;;) {
    await systemTransaction(gateway.services.database, (em) => connectionSchedule.batch(em, gateway.services));
    const found = await syncs();
    for (const { id } of found) await endOfSync(gateway, company, id);
    if (found.length >= count) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a schedule', () => {
  it('is shown with the default for all other data models, and with the time of each', async () => {
    const { response, id } = await connect([
      { data_model: 'CONTACT', interval_minutes: 5 },
      { data_model: 'ITEM', cron: '30 2 * * MON-FRI', time_zone: 'Europe/Berlin' },
    ]);
    expect(response.status, response.text).toBe(201);
    const { schedules } = await stateOf(id);
    expect(schedules).toHaveLength(3);
    expect(await partOf(id, null)).toMatchObject({ interval_minutes: 43_200, cron: null });
    expect(await partOf(id, 'CONTACT')).toMatchObject({ interval_minutes: 5, cron: null, time_zone: null });
    expect(await partOf(id, 'ITEM')).toMatchObject({ interval_minutes: null, cron: '30 2 * * MON-FRI', time_zone: 'Europe/Berlin' });
    const query = 'query ($id: ID!) { connection(id: $id) { nextRunAt schedules { dataModel intervalMinutes cron timeZone nextRunAt } } }';
    const { body } = await gateway.graphql(company.key, query, { id });
    expect(body.errors).toBeUndefined();
    expect(body.data.connection.schedules).toContainEqual(
      expect.objectContaining({ dataModel: 'CONTACT', intervalMinutes: 5, cron: null, timeZone: null }),
    );
  });

  it('is rejected by name for a wrong expression, place, data model or combination, and nothing is stored', async () => {
    const wrong: [unknown, string][] = [
      [[{ cron: '61 * * * *' }], 'schedules[0].cron'],
      [[{ cron: '* * *' }], 'five fields'],
      [[{ cron: '* * * * * *' }], 'five fields'],
      [[{ cron: '@daily' }], 'five fields'],
      [[{ cron: 'H H * * *' }], 'five fields'],
      [[{ cron: '0 0 30 2 *' }], 'names no time'],
      [[{ cron: '* '.repeat(59) }], 'schedules[0].cron'],
      [[{ cron: '0 2 * * *', time_zone: 'Nowhere/City' }], 'schedules[0].time_zone'],
      [[{ cron: '0 2 * * *', time_zone: '+02:00' }], 'schedules[0].time_zone'],
      [[{ interval_minutes: 5, time_zone: 'UTC' }], 'schedules[0].time_zone'],
      [[{ interval_minutes: 5, cron: '0 2 * * *' }], 'schedules[0]'],
      [[{ data_model: 'CONTACT' }], 'schedules[0]'],
      [[{ interval_minutes: 0 }], 'schedules[0].interval_minutes'],
      [[{ data_model: 'PIPELINE', interval_minutes: 5 }], 'PIPELINE is not pulled from DEMO'],
      [[{ data_model: 'NOTHING', interval_minutes: 5 }], 'schedules[0].data_model'],
      [
        [
          { data_model: 'CONTACT', interval_minutes: 5 },
          { data_model: 'CONTACT', interval_minutes: 6 },
        ],
        'schedules[1].data_model',
      ],
      ['hourly', 'schedules'],
    ];
    for (const [schedules, words] of wrong) {
      const { response } = await connect(schedules);
      expect([response.status, response.body.error?.error_code], `${JSON.stringify(schedules)} ${response.text}`).toEqual([
        400,
        'INVALID_PARAMS',
      ]);
      expect(JSON.stringify(response.body.error)).toContain(words);
    }
    expect((await rest('GET', '/connections')).body.data).toEqual([]);
  });

  it('starts on its own once its connection is complete, given its settings or resumed, and is not waited for', async () => {
    // The schedule finds nothing due: the time of each run is ahead of the clock.
    const ahead = async (act: () => Promise<unknown>): Promise<void> => {
      gateway.clock.advance(60 * MINUTE);
      await act();
      gateway.clock.advance(-60 * MINUTE);
    };
    const begun = async (count: number): Promise<void> => {
      for (;;) {
        const found = await syncs();
        for (const sync of found) await endOfSync(gateway, company, sync.id);
        if (found.length === count) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    let id = '';
    await ahead(async () => {
      id = (await rest('POST', '/connections', { source: 'DEMO', settings: { url: ledger.url }, interval_minutes: 43_200 })).body.data.id;
    });
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', next_run_at: null });
    await ahead(() => rest('PATCH', `/connections/${id}`, { settings: { apiKey: ledger.apiKey } }));
    await begun(1);
    await rest('POST', `/connections/${id}/pause`);
    await ahead(() => rest('POST', `/connections/${id}/resume`));
    await begun(2);
    company = await buildCompany(gateway);
    await ahead(() => connect([]));
    await begun(1);
  }, 60_000);

  it('pulls everything first, then each data model in its own rhythm', async () => {
    const { id } = await connect([
      { data_model: 'CONTACT', interval_minutes: 10 },
      { data_model: 'ITEM', interval_minutes: 1_440 },
    ]);
    const [first] = await untilSyncs(1);
    expect(first!.dataModels).toEqual(expect.arrayContaining(['CONTACT', 'ITEM', 'ACCOUNT']));
    const { next_run_at } = await stateOf(id);
    expect((await partOf(id, 'CONTACT')).next_run_at).toBe(next_run_at);
    const inMinutes = (Date.parse(next_run_at) - gateway.clock.now().getTime()) / MINUTE;
    expect(inMinutes).toBeGreaterThan(7);
    expect(inMinutes).toBeLessThanOrEqual(11);
    gateway.clock.advance(12 * MINUTE);
    const [second] = await untilSyncs(2);
    expect(second).toMatchObject({ dataModels: ['CONTACT'], syncType: 'AUTO_SYNC' });
    gateway.clock.advance(1_600 * MINUTE);
    const [third] = await untilSyncs(3);
    expect(third!.dataModels.toSorted()).toEqual(['CONTACT', 'ITEM']);
    expect((await stateOf(id)).next_run_at).toBe((await partOf(id, 'CONTACT')).next_run_at);
  }, 60_000);

  it('of an expression runs within the minute that it names, in its time zone', async () => {
    const { id } = await connect([{ cron: '30 2 * * *', time_zone: 'Asia/Kolkata' }]);
    await untilSyncs(1);
    const { next_run_at } = await stateOf(id);
    // Half past two in India is nine in the evening before, UTC.
    expect(new Date(next_run_at).toISOString().slice(11, 16)).toBe('21:00');
    expect(Date.parse(next_run_at)).toBeGreaterThan(gateway.clock.now().getTime());
    gateway.clock.advance(Date.parse(next_run_at) - gateway.clock.now().getTime() + 1_000);
    await untilSyncs(2);
    const later = (await stateOf(id)).next_run_at;
    expect(Math.round((Date.parse(later) - Date.parse(next_run_at)) / 86_400_000)).toBe(1);
  }, 60_000);

  it('that is changed leaves the time of what stays, and replaces the others', async () => {
    const { id } = await connect([{ data_model: 'CONTACT', interval_minutes: 600 }]);
    await untilSyncs(1);
    const before = await partOf(id, 'CONTACT');
    const changed = await rest('PATCH', `/connections/${id}`, {
      schedules: [
        { data_model: 'CONTACT', interval_minutes: 600 },
        { data_model: 'ITEM', interval_minutes: 1 },
      ],
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await partOf(id, 'CONTACT')).next_run_at).toBe(before.next_run_at);
    expect((await stateOf(id)).next_run_at).toBe((await partOf(id, 'ITEM')).next_run_at);
    await rest('PATCH', `/connections/${id}`, { schedules: [] });
    expect((await stateOf(id)).schedules).toHaveLength(1);
    expect((await stateOf(id)).next_run_at).toBe((await partOf(id, null)).next_run_at);
  }, 60_000);

  it('starts no second run while one is under way; what is due runs when that has ended', async () => {
    const { id } = await connect([{ data_model: 'CONTACT', interval_minutes: 10 }]);
    await untilSyncs(1);
    ledger.failure = () => 'limit';
    const { body, text } = await rest('POST', `/connections/${id}/sync`);
    expect(body.data, text).toBeDefined();
    gateway.clock.advance(12 * MINUTE);
    await systemTransaction(gateway.services.database, (em) => connectionSchedule.batch(em, gateway.services));
    ledger.failure = () => undefined;
    await endOfSync(gateway, company, body.data.id);
    gateway.clock.advance(2 * MINUTE);
    const all = await untilSyncs(3);
    expect(all[0]).toMatchObject({ dataModels: ['CONTACT'], syncType: 'AUTO_SYNC' });
  }, 60_000);

  it('of a source that rejects everything asks it once in a run, and waits longer each time', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const settings = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, database: 'none', user: 'u', password: 'p' };
    const made = await rest('POST', '/connections', { source: 'TRYTON', settings, interval_minutes: 60 });
    const waits: number[] = [];
    for (let count = 1; count <= 7; count++) {
      const [last] = await untilSyncs(count);
      expect([asked, last!.dataModels.length]).toEqual([count, 14]);
      const { status, status_reason: reason, next_run_at: next } = await stateOf(made.body.data.id);
      expect([status, reason]).toEqual(['ERROR', expect.stringContaining('it has no such database')]);
      waits.push((Date.parse(next) - gateway.clock.now().getTime()) / MINUTE);
      gateway.clock.advance(waits.at(-1)! * MINUTE);
    }
    expect(waits[0]).toBeLessThan(67);
    for (const [index, wait] of waits.slice(2, 6).entries()) expect(wait).toBeGreaterThan(1.5 * waits[index + 1]!);
    expect(waits[6]).toBeGreaterThan(1_400);
    expect(waits[6]).toBeLessThanOrEqual(1_440);
  }, 60_000);

  it('of a paused connection starts nothing, and shows no time', async () => {
    const { id } = await connect([{ data_model: 'CONTACT', interval_minutes: 10 }]);
    await untilSyncs(1);
    await rest('POST', `/connections/${id}/pause`);
    expect((await partOf(id, 'CONTACT')).next_run_at).toBeNull();
    gateway.clock.advance(50_000 * MINUTE);
    await systemTransaction(gateway.services.database, (em) => connectionSchedule.batch(em, gateway.services));
    await rest('POST', `/connections/${id}/resume`);
    const all = await untilSyncs(2);
    expect(all).toHaveLength(2);
    expect(all[0]!.dataModels).toContain('ACCOUNT');
  }, 60_000);
});

describe('full runs', () => {
  const DAY = 24 * 60 * MINUTE;
  const contact = (id: string) => ({ platform_id: id, name: id });
  const names = async () => (await rest('GET', '/contacts')).body.data.map(({ name }: { name: string }) => name);
  /** Runs that the schedule has started so far, the newest first: the data models of each, and whether it was a full one. */
  const runs = async () =>
    ((await rest('GET', '/syncs?limit=100&jobType=PULL')).body.data.syncs as { dataModels: string[]; fullSync: boolean }[]).map(
      ({ dataModels, fullSync }) => ({ contacts: dataModels.includes('CONTACT'), fullSync }),
    );

  it('are started by the schedule every week, and notice what the source has deleted without a trace', async () => {
    ledger.put('CONTACT', contact('C-1'));
    ledger.put('CONTACT', contact('C-2'));
    const { id } = await connect([{ data_model: 'CONTACT', interval_minutes: 60 }]);
    expect(await partOf(id, 'CONTACT')).toMatchObject({ full_sync_days: 7 });
    await untilSyncs(1);
    ledger.forget('CONTACT', 'C-2');
    gateway.clock.advance(2 * DAY);
    await untilSyncs(2);
    expect(await names()).toEqual(['C-1', 'C-2']);
    gateway.clock.advance(5 * DAY + MINUTE);
    await untilSyncs(3);
    expect(await names()).toEqual(['C-1']);
    gateway.clock.advance(2 * DAY);
    await untilSyncs(4);
    expect((await runs()).map(({ fullSync }) => fullSync)).toEqual([false, true, false, false]);
  }, 60_000);

  it('have a rhythm of their own for each data model, or none; one that failed is tried again a day later', async () => {
    const others = { interval_minutes: 60, full_sync_days: 0 };
    const { response, id } = await connect([{ data_model: 'CONTACT', interval_minutes: 60, full_sync_days: 3 }, others]);
    expect(response.body.data.schedules.map((part: { full_sync_days: number }) => part.full_sync_days).sort()).toEqual([0, 3]);
    await untilSyncs(1);
    ledger.failure = ({ path }) => (path === '/contact' ? 'deny' : undefined);
    gateway.clock.advance(3 * DAY + MINUTE);
    // The full run of the contacts, and then what is due besides.
    await untilSyncs(2);
    gateway.clock.advance(2 * MINUTE);
    await untilSyncs(3);
    gateway.clock.advance(60 * 2 * MINUTE);
    await untilSyncs(4);
    ledger.failure = () => undefined;
    gateway.clock.advance(DAY);
    await untilSyncs(5);
    const full = (await runs()).map(({ contacts, fullSync }) => contacts && fullSync);
    expect(full).toEqual([true, false, false, true, false]);
    const bad = await rest('PATCH', `/connections/${id}`, { schedules: [{ interval_minutes: 60, full_sync_days: 367 }] });
    expect(bad.body.error.field).toContain('full_sync_days');
  }, 60_000);
});

// What crosses on the way between both ends: a page made before a write had its effect, and a page that shows the effect before the response to the
// write.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { beginRun, runOf } from '../support/connections.ts';
import { onlyModels } from '../support/demo-models.ts';
import { serverUrl, useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { isOnWorkers } from '../support/server.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });
beforeAll(() => onlyModels(gateway, 'CONTACT', 'ITEM', 'PURCHASE_ORDER'));

let ledger: Ledger;
let company: TestCompany;
let id: string;

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

const begin = (query?: string) => beginRun(gateway, company, id, query);
const run = (query?: string) => runOf(gateway, company, id, query);

/** The one record of a list. */
const only = async (list: string) => {
  const expand = list === 'contacts' ? '' : '&expand=line_items';
  const { body, text } = await rest('GET', `/${list}?select=source_state${expand}`);
  expect(body.data, text).toHaveLength(1);
  return body.data[0];
};

/** Keeps the response to a request that is made from now on; `asked` is settled when the ledger has made it. */
function keepResponse(method: string, path: string): { asked: Promise<void>; send: () => void } {
  const asked = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  ledger.late = (request) => {
    if (request.method !== method || !request.path.startsWith(path)) return undefined;
    asked.resolve();
    return sent.promise;
  };
  return { asked: asked.promise, send: sent.resolve };
}

beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway);
  ledger.put('CONTACT', { platform_id: 'C-1', name: 'First', email: 'first@example.com' });
  ledger.put('PURCHASE_ORDER', {
    platform_id: 'P-1',
    contact_id: 'C-1',
    document_number: '1',
    line_items: [{ description: 'One', quantity: 1 }],
  });
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const response = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200 });
  expect(response.status, response.text).toBe(201);
  id = response.body.data.id;
  expect((await run()).status).toBe('SUCCESS');
});
afterEach(() => ledger.stop());

describe('A page that was made before a write had its effect', () => {
  it.each(['', '?full_sync=true'])('does not bring the older version back (%s)', async (query) => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Second', email: 'first@example.com' });
    expect((await run()).status).toBe('SUCCESS');
    // The page has something new of the record, which the run before did not show.
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Second', email: 'first@example.com', phone: '1' });
    const page = keepResponse('GET', '/contact');
    const sync = await begin(query);
    await page.asked;
    ledger.late = undefined;
    const { ledger_id: contact } = await only('contacts');
    // The write reads the source first, so that it is based on what the page shows too.
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Second', email: 'first@example.com' });
    const written = await rest('PUT', `/contacts/${contact}?wait=30`, { name: 'Third' });
    expect(written.status, written.text).toBe(200);
    expect(await only('contacts')).toMatchObject({ name: 'Third', source_state: 'IN_SYNC' });
    const reads = ledger.requests;
    page.send();
    expect((await endOfSync(gateway, company, sync)).status).toBe('SUCCESS');
    expect(await only('contacts')).toMatchObject({ name: 'Third', source_state: 'IN_SYNC' });
    // The record was asked for on its own afterwards.
    expect(ledger.requests).toBeGreaterThan(reads);
    expect(ledger.rows('CONTACT')[0]).toMatchObject({ name: 'Third' });
  });

  it('does not bring back a record that was deleted at both ends since', async () => {
    ledger.put('CONTACT', { platform_id: 'C-2', name: 'Other' });
    expect((await run()).status).toBe('SUCCESS');
    const { body } = await rest('GET', '/contacts');
    const other = body.data.find((row: { platform_id: string }) => row.platform_id === 'C-2');
    const page = keepResponse('GET', '/contact');
    const sync = await begin('?full_sync=true');
    await page.asked;
    ledger.late = undefined;
    expect((await rest('DELETE', `/contacts/${other.ledger_id}`)).status).toBe(204);
    while (ledger.rows('CONTACT').length > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    page.send();
    expect((await endOfSync(gateway, company, sync)).status).toBe('SUCCESS');
    expect(await only('contacts')).toMatchObject({ platform_id: 'C-1' });
  });
});

describe('The response to a write', () => {
  // The embedded database runs one transaction after the other.
  it.runIf(serverUrl)('takes nothing back that is written while it is stored (needs DATABASE_URL)', async () => {
    const { ledger_id: contact } = await only('contacts');
    const response = keepResponse('PUT', '/contact');
    expect((await rest('PUT', `/contacts/${contact}`, { name: 'Second' })).status).toBe(200);
    await response.asked;
    ledger.late = undefined;
    // A write that ends once the response waits for it.
    await systemTransaction(gateway.services.database, async (em) => {
      const write = `update contact set name = 'Third', ledger_updated_at = $3 where company_id = $1 and ledger_id = $2`;
      await executeIn(em, write, [company.id, contact, new Date(Date.now() + 1_000).toISOString()]);
      response.send();
      const waiting = isOnWorkers
        ? 'select waiting_gpid from citus_lock_waits'
        : 'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
      while ((await executeIn(em, waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    while ((await rest('GET', '/syncs?limit=1&status=RUNNING')).body.data.count > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await only('contacts')).toMatchObject({ name: 'Third', source_state: 'PENDING_PUSH' });
  });
});

describe('A page that shows the effect of a write before its response', () => {
  /** Reads the only order until the source has it; it is never in conflict on the way. */
  const inSync = async () => {
    for (;;) {
      // Counted before the state is read, which is IN_SYNC once the pushes have ended.
      const { count } = (await rest('GET', '/syncs?limit=1&status=RUNNING')).body.data;
      const order = await only('purchase_orders');
      if (order.source_state === 'IN_SYNC') return order;
      expect(order.source_state).toBe('PENDING_PUSH');
      expect(count).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it.each([undefined, 'written again'])('is no conflict, whatever was written since: %s', async (later) => {
    const { ledger_id: order } = await only('purchase_orders');
    const response = keepResponse('PUT', '/purchase_order');
    const lines = [{ description: 'Two', quantity: 2 }];
    expect((await rest('PUT', `/purchase_orders/${order}`, { description: 'changed', line_items: lines })).status).toBe(200);
    await response.asked;
    ledger.late = undefined;
    if (later) expect((await rest('PUT', `/purchase_orders/${order}`, { description: later })).status).toBe(200);
    expect((await run()).status).toBe('SUCCESS');
    expect(await only('purchase_orders')).toMatchObject({ source_state: 'PENDING_PUSH', description: later ?? 'changed' });
    response.send();
    expect(await inSync()).toMatchObject({ description: later ?? 'changed', line_items: [{ description: 'Two', quantity: 2 }] });
    expect(ledger.rows('PURCHASE_ORDER')).toMatchObject([{ description: later ?? 'changed', line_items: [{ description: 'Two' }] }]);
  });
});

describe('A record that a page shows before the response to its create', () => {
  interface Row {
    ledger_id: number;
    platform_id: string;
    name: string | null;
    email: string | null;
    source_state: string;
    source_version: Record<string, unknown> | null;
  }
  const contacts = async (): Promise<Row[]> => {
    const { body } = await rest('GET', '/contacts?limit=100&select=source_state,source_version');
    return body.data.filter(({ platform_id: known }: Row) => known !== 'C-1');
  };
  /** The contacts of a company whose pushes have ended. */
  const quiet = async (): Promise<Row[]> => {
    for (const status of ['PENDING', 'RUNNING'])
      while ((await rest('GET', `/syncs?limit=1&status=${status}`)).body.data.count > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
    return contacts();
  };
  const statusOf = async (syncId: string) => (await endOfSync(gateway, company, syncId)).status;

  /** A contact whose create has had its effect, which a page has shown since, and whose response waits. */
  async function duplicates() {
    const response = keepResponse('POST', '/contact');
    const made = await rest('POST', '/contacts', { name: 'Made', email: 'made@example.com' });
    expect(made.status, made.text).toBe(201);
    const { ledger_id: ownId } = made.body.data.data;
    await response.asked;
    ledger.late = undefined;
    expect((await run()).status).toBe('SUCCESS');
    const duplicate = (await contacts()).find(({ ledger_id: number }) => number !== ownId)!;
    return { response, made: made.body.data.sync_id as string, ownId, duplicate };
  }

  it('is one record, which has what callers made of either in the meantime', async () => {
    const { response, made, ownId, duplicate } = await duplicates();
    expect(duplicate).toMatchObject({ name: 'Made', source_state: 'IN_SYNC' });
    const changed = await rest('PUT', `/contacts/${duplicate.ledger_id}`, { name: 'By the duplicate' });
    expect(changed.status, changed.text).toBe(200);
    expect((await rest('PUT', `/contacts/${ownId}`, { email: 'own@example.com' })).status).toBe(200);
    response.send();
    expect(await statusOf(made)).toBe('SUCCESS');
    expect(await statusOf(changed.body.data.sync_id)).toBe('SUCCESS');
    const kept = { platform_id: duplicate.platform_id, name: 'By the duplicate', email: 'own@example.com' };
    expect(await quiet()).toMatchObject([{ ...kept, ledger_id: ownId, source_state: 'IN_SYNC' }]);
    expect(ledger.rows('CONTACT').filter((row) => row.platform_id !== 'C-1')).toMatchObject([kept]);
    expect(ledger.effects.map(({ method }) => method)).not.toContain('DELETE');
    expect((await rest('GET', `/contacts/${duplicate.ledger_id}`)).status).toBe(404);
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    expect(await contacts()).toMatchObject([{ ...kept, source_state: 'IN_SYNC' }]);
  });

  it.each([false, true])('is not changed there by what was not changed here; written since: %s', async (isWritten) => {
    const { response, made, ownId } = await duplicates();
    if (isWritten) expect((await rest('PUT', `/contacts/${ownId}`, { name: 'Own' })).status).toBe(200);
    response.send();
    expect(await statusOf(made)).toBe('SUCCESS');
    expect(await quiet()).toMatchObject([{ ledger_id: ownId, name: isWritten ? 'Own' : 'Made', source_state: 'IN_SYNC' }]);
    expect(ledger.effects.map(({ method }) => method)).toEqual(isWritten ? ['POST', 'PUT'] : ['POST']);
  });

  it('takes over the rejection of what a caller made of its duplicate', async () => {
    const { response, ownId, duplicate } = await duplicates();
    ledger.refuses = ({ name }) => (name === 'bad' ? 'no such name' : undefined);
    const changed = await rest('PUT', `/contacts/${duplicate.ledger_id}`, { name: 'bad' });
    response.send();
    expect(await statusOf(changed.body.data.sync_id)).toBe('FAILED');
    expect(await quiet()).toMatchObject([{ ledger_id: ownId, name: 'bad', source_state: 'PUSH_FAILED' }]);
    expect(ledger.rows('CONTACT').map(({ name }) => name)).toContain('Made');
  });

  it('takes over the conflict of its duplicate', async () => {
    const { response, made, ownId, duplicate } = await duplicates();
    expect((await rest('PUT', `/contacts/${duplicate.ledger_id}`, { name: 'Here' })).status).toBe(200);
    ledger.put('CONTACT', { platform_id: duplicate.platform_id, name: 'There', email: 'made@example.com' });
    expect((await run()).status).toBe('SUCCESS');
    expect((await contacts()).map(({ source_state: state }) => state).sort()).toEqual(['CONFLICT', 'PENDING_PUSH']);
    response.send();
    await endOfSync(gateway, company, made);
    expect(await quiet()).toMatchObject([{ ledger_id: ownId, name: 'Here', source_state: 'CONFLICT', source_version: { name: 'There' } }]);
    const query = 'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { errors { code } } }';
    const decided = await gateway.graphql(company.key, query, { input: { id: `contact_${ownId}`, keep: 'LOCAL' } });
    expect(decided.body.data.resolveConflict.errors).toEqual([]);
    expect(await quiet()).toMatchObject([{ ledger_id: ownId, name: 'Here', source_state: 'IN_SYNC' }]);
    expect(ledger.rows('CONTACT').map(({ name }) => name)).toContain('Here');
  });

  it('stays when a caller deletes its duplicate', async () => {
    const { response, made, ownId, duplicate } = await duplicates();
    expect((await rest('DELETE', `/contacts/${duplicate.ledger_id}`)).status).toBe(204);
    response.send();
    expect(await statusOf(made)).toBe('SUCCESS');
    expect(await quiet()).toMatchObject([{ ledger_id: ownId, name: 'Made', source_state: 'IN_SYNC' }]);
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    expect(await contacts()).toMatchObject([{ ledger_id: ownId }]);
    expect(ledger.effects.map(({ method }) => method)).toEqual(['POST']);
  });

  it('leaves another one alone that a caller has given the id of the source', async () => {
    const response = keepResponse('POST', '/contact');
    const made = await rest('POST', '/contacts', { name: 'Made' });
    await response.asked;
    ledger.late = undefined;
    const given = String(ledger.effects[0]!.id);
    const other = await rest('PUT', '/contacts', { platform_id: given, name: 'Other' });
    expect(other.status, other.text).toBeLessThan(300);
    response.send();
    expect(await statusOf(made.body.data.sync_id)).toBe('SUCCESS');
    expect(await statusOf(other.body.data.sync_id)).toBe('SUCCESS');
    const rows = await quiet();
    expect(rows.map(({ name }) => name).sort()).toEqual(['Made', 'Other']);
    expect(rows.find(({ name }) => name === 'Made')!.platform_id).toBe(given);
    expect(ledger.rows('CONTACT').map(({ name }) => name)).toEqual(['First', 'Made', 'Other']);
  });

  it('has the lines that a caller gave its duplicate', async () => {
    const response = keepResponse('POST', '/purchase_order');
    const line_items = [{ description: 'One', quantity: 1 }];
    const { ledger_id: contact_id } = await only('contacts');
    const made = await rest('POST', '/purchase_orders', { document_number: '2', contact_id, line_items });
    expect(made.status, made.text).toBe(201);
    const { ledger_id: ownId } = made.body.data.data;
    await response.asked;
    ledger.late = undefined;
    expect((await run()).status).toBe('SUCCESS');
    const orders = async () =>
      (await rest('GET', '/purchase_orders?expand=line_items&select=source_state')).body.data.filter(
        (row: { document_number: string }) => row.document_number === '2',
      );
    const duplicate = (await orders()).find(({ ledger_id: number }: Row) => number !== ownId);
    const lines = [
      { description: 'Two', quantity: 2 },
      { description: 'Three', quantity: 3 },
    ];
    expect((await rest('PUT', `/purchase_orders/${duplicate.ledger_id}`, { line_items: lines })).status).toBe(200);
    response.send();
    expect(await statusOf(made.body.data.sync_id)).toBe('SUCCESS');
    await quiet();
    expect(await orders()).toMatchObject([{ ledger_id: ownId, source_state: 'IN_SYNC', line_items: lines }]);
    expect(ledger.rows('PURCHASE_ORDER')[1]).toMatchObject({ document_number: '2', line_items: lines });
  });

  it('is what records name that came with its duplicate', async () => {
    const response = keepResponse('POST', '/contact');
    const made = await rest('POST', '/contacts', { name: 'Made', email: 'made@example.com' });
    await response.asked;
    ledger.late = undefined;
    const { platform_id: given } = ledger.rows('CONTACT').at(-1)!;
    ledger.put('PURCHASE_ORDER', { platform_id: 'P-2', contact_id: given, document_number: '2', line_items: [] });
    expect((await run()).status).toBe('SUCCESS');
    const order = async () =>
      (await rest('GET', '/purchase_orders?select=source_state')).body.data.find(
        (row: { document_number: string }) => row.document_number === '2',
      );
    const { ledger_id: ownId } = made.body.data.data;
    const before = await order();
    expect([before.contact_id === ownId, before.contact_id > 0]).toEqual([false, true]);
    response.send();
    expect(await statusOf(made.body.data.sync_id)).toBe('SUCCESS');
    await quiet();
    expect(await order()).toMatchObject({ contact_id: ownId, source_state: 'IN_SYNC' });
    expect(ledger.effects.map(({ method }) => method)).toEqual(['POST']);
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    expect(await order()).toMatchObject({ contact_id: ownId, source_state: 'IN_SYNC' });
  });

  it('is what lines name that came with its duplicate, and their document reports it', async () => {
    const response = keepResponse('POST', '/item');
    const made = await rest('POST', '/items', { name: 'Kettle' });
    expect(made.status, made.text).toBe(201);
    await response.asked;
    ledger.late = undefined;
    const { platform_id: given } = ledger.rows('ITEM').at(-1)!;
    const line_items = [{ description: 'One', quantity: 1, item_id: given }];
    ledger.put('PURCHASE_ORDER', { platform_id: 'P-2', contact_id: 'C-1', document_number: '2', line_items });
    expect((await run()).status).toBe('SUCCESS');
    const order = async () =>
      (await rest('GET', '/purchase_orders?expand=line_items&select=source_state')).body.data.find(
        (row: { document_number: string }) => row.document_number === '2',
      );
    const { ledger_id: ownId } = made.body.data.data;
    const before = await order();
    expect(before.line_items[0].item_id).not.toBe(ownId);
    response.send();
    expect(await statusOf(made.body.data.sync_id)).toBe('SUCCESS');
    await quiet();
    const after = await order();
    expect(after).toMatchObject({ source_state: 'IN_SYNC', line_items: [{ item_id: ownId }] });
    expect(after.ledger_updated_at > before.ledger_updated_at).toBe(true);
  });
});

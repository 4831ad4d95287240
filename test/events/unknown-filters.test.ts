// Filters of webhooks that an earlier release has stored and that this one does not know in part. The start names them, the webhook shows them, no
// write fails and no event is missing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { type Gateway, ownDatabase, startGateway } from '../support/gateway.ts';

const url = 'https://93.184.216.34/hook';

let folder: string;
let own: Awaited<ReturnType<typeof ownDatabase>>;
let lines: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-filters-'));
  own = await ownDatabase();
});
afterEach(async () => {
  await own?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a gateway on the database of the test, and collects its log. */
function start(): Promise<Gateway> {
  lines = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  return startGateway(
    { databaseUrl: own?.url, dataDir: join(folder, 'data'), signingSecret: 'the secret of this test', worker: false },
    log,
  );
}

/** Filters as an earlier release may have stored them, what is unknown in each, and whether it still selects contacts. */
const filters: [filter: Record<string, unknown>, unknown: string[], getsContacts: boolean][] = [
  [{ contact: { name: { eq: 'nobody' } } }, [], false],
  [{ contact: { formerField: { eq: 1 } } }, ['contact.formerField'], true],
  [{ contact: { not: { formerField: { eq: 1 } } } }, ['contact.not.formerField'], true],
  [{ contact: { or: [{ name: { eq: 'nobody' } }, { name: { sounds: 'like' } }] } }, ['contact.or[1].name.sounds'], true],
  [{ contact: { type: { in: ['FORMER_TYPE'] } } }, ['contact.type.in[0]'], true],
  [{ contact: { createdAt: { gte: 12 } } }, ['contact.createdAt.gte'], true],
  [{ formerRecord: { name: { eq: 'a' } }, contact: { name: { eq: 'nobody' } } }, ['formerRecord'], false],
  [{ formerRecord: {} }, ['formerRecord'], false],
  [{ item: { formerField: { eq: 1 } } }, ['item.formerField'], false],
];

it('a part that this release does not know is named at the start and by the webhook, and its record type is sent as a whole', async () => {
  let gateway = await start();
  const key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  const headers = { authorization: `Bearer ${key}` };
  const company = await gateway.send('POST', '/v4/core/companies', { headers: { api_key: key }, body: { data: { name: 'Filtered' } } });
  const ids: string[] = [];
  for (const [filter] of filters) {
    const made = await gateway.send('POST', '/api/v1/webhooks', { headers, body: { url, topics: ['*'], filter: { contact: {} } } });
    ids.push(made.body.data.id);
    await systemTransaction(gateway.services.database, (em) =>
      executeIn(em, 'update webhook set filter = $2::text::jsonb where id = $1 returning id', [made.body.data.id, JSON.stringify(filter)]),
    );
  }
  await gateway.stop();

  gateway = await start();
  const named = lines.filter((line) => line.startsWith('the filter of webhook'));
  expect(named).toHaveLength(filters.filter(([, unknown]) => unknown.length > 0).length);
  for (const [index, [, unknown]] of filters.entries())
    for (const path of unknown) expect(named).toContainEqual(expect.stringContaining(`webhook ${ids[index]} has ${path}, which`));

  const contacts = `/v4/core/companies/${company.body.data.ledger_id}/contacts`;
  const written = await gateway.send('POST', contacts, { headers: { api_key: key }, body: { data: { name: 'Someone' } } });
  expect(written.status, written.text).toBe(201);
  const query = 'query($id: ID!) { webhook(id: $id) { unknownFilters deliveries { nodes { event { topic subjectId } } } } }';
  for (const [index, [filter, unknown, getsContacts]] of filters.entries()) {
    const { body } = await gateway.graphql(key, query, { id: ids[index] });
    expect(body.data.webhook.unknownFilters, JSON.stringify(filter)).toEqual(unknown);
    const subjects = body.data.webhook.deliveries.nodes.map(({ event }: { event: { subjectId: string } }) => event.subjectId);
    expect(subjects, JSON.stringify(filter)).toEqual(getsContacts ? [`contact_${written.body.data.data.ledger_id}`] : []);
  }
  const shown = await gateway.send('GET', `/api/v1/webhooks/${ids[1]}`, { headers });
  expect(shown.body.data.unknown_filters).toEqual(['contact.former_field']);
  // Sent back as it is, it is rejected by name; another filter ends it.
  const changed = (filter: unknown) => gateway.send('POST', `/api/v1/webhooks/${ids[1]}`, { headers, body: { filter } });
  const rejected = await changed(shown.body.data.filter);
  expect([rejected.status, rejected.body.error.details[0].field]).toEqual([400, 'filter.contact.former_field']);
  expect((await changed({ contact: { name: { eq: 'nobody' } } })).status).toBe(200);
  expect((await gateway.graphql(key, query, { id: ids[1] })).body.data.webhook.unknownFilters).toEqual([]);
  await gateway.stop();
});

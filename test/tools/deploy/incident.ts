// What the alerts say about a real incident: a gateway under load loses its database, gets it back and is killed.
// node incident.ts, after `npm run build` at the root
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startCluster } from '../../support/cluster.ts';
import { startGateway } from '../gateway.ts';
import { ADMIN_TOKEN, Recording, requirePrograms, rules } from './recording.ts';

const CALLERS = 4;
/** Phases of the incident, in samples. */
const [HEALTHY, OUTAGE, AFTER, KILLED] = [12, 14, 16, 6];

async function incident(binaries: string, folder: string): Promise<Recording> {
  const recording = new Recording();
  const cluster = await startCluster(binaries);
  const gateway = await startGateway(join(folder, 'data'), { DATABASE_URL: cluster.url, ADMIN_TOKEN });
  let isOver = false;
  const headers = { authorization: `Bearer ${gateway.bearer}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(gateway.base + path, { method: 'POST', headers, body: JSON.stringify(body) }).then((response) => response.text());
  const graphql = (query: string) => post('/graphql', { query });
  // GraphQL alone: during the outage its responses have the status 200, with the error next to the data.
  const send = () => graphql('{ corporations(first: 1) { nodes { id } } }').catch(() => {});
  const load = Array.from({ length: CALLERS }, async () => {
    for (; !isOver; await setTimeout(50)) await send();
  });
  try {
    // A delivery that waits for its third of ten attempts, for minutes: while there is one, the process asks for deliveries every second.
    await graphql('mutation { createWebhook(input: { url: "http://127.0.0.1:9/", topics: [CORPORATIONS_CREATED] }) { webhook { id } } }');
    await post('/api/v1/corporations', { legal_name: 'Waits', jurisdiction: 'GB' });
    const tried = '{ webhookDeliveries(first: 1, filter: { attemptsLeft: { eq: 8 } }) { nodes { id } } }';
    while (!(await graphql(tried)).includes('"id"')) await setTimeout(200);
    await recording.watch(gateway.base, HEALTHY);
    recording.expect({});
    cluster.stop('immediate');
    await recording.watch(gateway.base, OUTAGE);
    recording.expect({
      GatewayServerErrors: [{}],
      GatewayWorkFails: [{ task: 'queue' }, { task: 'webhook-delivery' }],
    });
    cluster.start();
    await recording.watch(gateway.base, AFTER);
    recording.expect({});
    isOver = true;
    await Promise.all(load);
    await gateway.stop();
    await recording.watch(gateway.base, KILLED);
    recording.expect({ GatewayDown: [{ instance: new URL(gateway.base).host }] });
  } finally {
    isOver = true;
    cluster.remove();
  }
  return recording;
}

const binaries = requirePrograms();
const folder = mkdtempSync(join(tmpdir(), 'gateway-incident-'));
try {
  const recording = await incident(binaries, folder);
  const wrong = recording.judge();
  if (wrong) console.log(wrong);
  console.log(`${rules.length} alerts over ${recording.size} of an incident: ${wrong ? 'FAILED' : 'as they should be'}`);
  process.exitCode = wrong ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

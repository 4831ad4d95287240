// A process that calls a source over one connection as often as it is let. Arguments: folder of the program, and the rest as JSON.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** What a caller sees. */
export interface CallerOrders {
  databaseUrl: string;
  hosts: object;
  perMinute: number;
  company: { organisationId: number; ledgerId: number; integrationType: string };
  calls: number;
}

const [program = '', orders = '{}'] = process.argv.slice(2);
const { databaseUrl, hosts, perMinute, company, calls } = JSON.parse(orders) as CallerOrders;
/** The parts of the program, which is compiled: its records need that. */
const part = (path: string) => import(join(program, 'src', path));
const [{ openServices }, { readConfig }, { connectorsOf }, { openSource }, { xeroAt }, { pino }] = await Promise.all([
  ...['services.js', 'config.js', 'integrations/connections/connectors.js', 'integrations/connections/sources.js'].map(part),
  part('integrations/connectors/xero/xero.js'),
  import('pino'),
]);
const { services, close } = await openServices(
  { ...readConfig(process.env), databaseUrl, directUrl: databaseUrl, worker: false, connectorPrivateHosts: ['127.0.0.1'] },
  { log: pino({ level: 'silent' }) },
);
const definition = xeroAt(hosts);
connectorsOf(services).set('XERO', { ...definition, limits: { ...definition.limits, perMinute } });
const { connector, close: closeSource } = await openSource(services, company, new AbortController().signal);
for (let made = 0; made < calls; ) {
  try {
    await connector.check();
    made += 1;
  } catch (error) {
    const { retryAfterSeconds } = (error as { info?: { retryAfterSeconds?: number } }).info ?? {};
    if (retryAfterSeconds === undefined) throw error;
    await setTimeout(retryAfterSeconds * 1_000);
  }
}
await closeSource();
await close();

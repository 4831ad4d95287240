// The program: settings, services, application, listening, orderly stop. The only file with side effects, and the only one in src that knows the REST doors.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationsDoor } from '../rest-compat/operations-door.ts';
import { pagesDoor } from '../rest-compat/pages-door.ts';
import { lastDoor, restDoor } from '../rest-compat/rest-door.ts';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { ensureDemo } from './demo.ts';
import { greeting } from './greeting.ts';
import { demoSeeds } from './registry.ts';
import { openServices } from './services.ts';

const STOP_MS = 10_000;

function settings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The settings cannot be used:\n${error.message.replaceAll(/^/gm, '  ')}`);
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const config = settings();
  const { services, madeAdminToken, close } = await openServices(config).catch((error: Error) => {
    console.error(`The gateway cannot start: ${error.message}`);
    process.exit(1);
  });
  const demo = config.demoData ? await ensureDemo(services, demoSeeds) : null;
  const app = await createApp(services, { before: [pagesDoor(demo), operationsDoor, restDoor], after: [lastDoor] });
  // Node's defaults (60 s for headers, 300 s for a request, looked at every 30 s) let slow clients hold sockets too long.
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 }, app.handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const port = (server.address() as AddressInfo).port;
  console.log(greeting({ origin: config.publicUrl ?? `http://${config.host}:${port}`, database: services.database.kind, demo, madeAdminToken }));
  console.log(`listening on ${config.host}:${port}`);

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    services.log.info({ signal }, 'stopping');
    const timer = setTimeout(() => process.exit(1), STOP_MS);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    await app.stop();
    await close();
    clearTimeout(timer);
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

await start();

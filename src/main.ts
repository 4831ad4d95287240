// The program: settings, services, application, listening, orderly stop. The only file with side effects, and the only one in src that knows the REST doors.
import { doors } from '../rest-compat/doors.ts';
import { createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { publicOrigin } from './core/links.ts';
import { ensureDemo } from './demo.ts';
import { greeting } from './greeting.ts';
import { listen } from './http-server.ts';
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
  const app = await createApp(services, doors(demo));
  const server = await listen(app, config.port, config.host);
  // With PORT=0 the system has chosen the port only now; links carry it.
  config.port = server.port;
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    services.log.info({ signal }, 'stopping');
    const timer = setTimeout(() => process.exit(1), STOP_MS);
    await server.close();
    await close();
    clearTimeout(timer);
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  console.log(greeting({ origin: publicOrigin(config), database: services.database.kind, demo, madeAdminToken }));
  console.log(`listening on ${config.host}:${server.port}`);
}

await start();

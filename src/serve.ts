// Serving: services, application, listening, graceful stop. The only file in src that imports the REST adapters.
import { adapters } from './adapters.ts';
import type { Config } from './config.ts';
import { ensureDemo } from './demo/demo.ts';
import { openDemoLedger } from './integrations/demo/ledger-company.ts';
import { demoSeeds } from './registry.ts';
import { returnMemory } from './runtime/returned-memory.ts';
import { linksStayHere, publicOrigin } from './security/signed-urls.ts';
import { createApp } from './server/app.ts';
import { greeting } from './server/greeting.ts';
import { listen, listenForAdmin } from './server/listener.ts';
import { openServices } from './services.ts';

/** Longest time from the end of the drain to the end of the process: 8 s for requests, 6 s for jobs, and the time to close. */
const STOP_MS = 15_000;

/** Starts the gateway; it runs until the process ends. */
export async function serve(config: Config): Promise<void> {
  const refuse = (error: Error): never => {
    console.error(`The gateway cannot start: ${error.message}`);
    process.exit(1);
  };
  const { services, madeAdminToken, close } = await openServices(config).catch(refuse);
  const demo = config.demoData ? await ensureDemo(services, demoSeeds) : null;
  const demoLedger = demo && (await openDemoLedger(services, (await services.keys.find(demo.bearer))!.organisationId!));
  const app = await createApp(services, adapters(demo)).catch(refuse);
  const server = await listen(app, config).catch(refuse);
  const admin = config.adminPort === 0 ? undefined : await listenForAdmin(app, { port: config.adminPort, host: config.host }).catch(refuse);
  // Unhandled rejections arrive here too. The state of the process is unknown, so it ends at once.
  process.on('uncaughtException', (error, origin) => {
    const requestIds = [...app.inFlight];
    services.log.fatal({ err: error, origin, requestIds }, 'an unhandled error ends the process');
    process.exit(1);
  });
  // With PORT=0 the system chooses the port; links need the real one.
  config.port = server.port;
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    // A program that is stopped at a terminal has no load balancer to wait for.
    const drainMs = signal === 'SIGTERM' ? config.drainSeconds * 1_000 : 0;
    services.log.info({ signal, drainMs }, 'stopping');
    const timer = setTimeout(() => process.exit(1), drainMs + STOP_MS);
    await server.close(drainMs);
    admin?.close();
    await close();
    await demoLedger?.close();
    clearTimeout(timer);
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  console.log(
    greeting({
      origin: publicOrigin(config),
      linksStayHere: linksStayHere(config),
      database: services.database.kind,
      demo,
      madeAdminToken,
    }),
  );
  console.log(`listening on ${config.host}:${server.port}`);
  if (admin) console.log(`metrics and documentation on ${config.host}:${admin.port}`);
  returnMemory();
}

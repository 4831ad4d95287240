// Opens everything a process needs, in order: database, secrets, keys, reader.
import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { AccessKeys } from './core/access.ts';
import type { Clock, Services } from './core/context.ts';
import { openDatabase } from './core/database.ts';
import { adminToken, signingSecret } from './core/kept-settings.ts';
import { LedgerIds } from './core/ledger-ids.ts';
import { Reader } from './core/reader.ts';
import { Signer } from './core/signer.ts';
import { entities } from './registry.ts';

/** The services of a process, and how to end them. */
export interface OpenServices {
  services: Services;
  /** The admin token, when this start made one. */
  madeAdminToken: string | null;
  close(): Promise<void>;
}

const systemClock: Clock = { now: () => new Date() };
const NOTE_USE_MS = 60_000;

/** The logger of a process: JSON lines on standard output, secrets never in them. */
export const createLog = (level: string): Logger => pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });

/** Opens the services a configuration describes. */
export async function openServices(config: Config, log: Logger = createLog(config.logLevel), clock: Clock = systemClock): Promise<OpenServices> {
  const database = await openDatabase({
    url: config.databaseUrl,
    replicaUrls: config.replicaUrls,
    poolMax: config.poolMax,
    dataDir: config.dataDir === ':memory:' ? undefined : config.dataDir,
    entities,
    log: (message) => log.info(message),
  });
  const reader = new Reader(database);
  const admin = await adminToken(database, config.adminToken);
  const keys = new AccessKeys(database, reader, clock, admin.hash);
  const signer = new Signer(await signingSecret(database, config.signingSecret));
  const noteUse = setInterval(() => keys.noteUse().catch((error) => log.error({ err: error }, 'noting the use of keys failed')), NOTE_USE_MS);
  noteUse.unref();
  return {
    services: { config, database, reader, keys, ledgerIds: new LedgerIds(), signer, clock, log },
    madeAdminToken: admin.made,
    close: async () => {
      clearInterval(noteUse);
      await keys.noteUse().catch(() => {});
      await database.close();
    },
  };
}

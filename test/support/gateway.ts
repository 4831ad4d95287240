// A gateway for tests: real database (PGlite in memory, or a database of its own on PostgreSQL), real HTTP on a free port. The clock is the only fake.
import { randomUUID } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { Services } from '../../src/access/context.ts';
import { adapters } from '../../src/adapters.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { ensureDemo } from '../../src/demo/demo.ts';
import type { Plugin } from '../../src/graphql/apollo.ts';
import type { RoleName } from '../../src/records/roles.ts';
import { demoSeeds } from '../../src/registry.ts';
import { createApp } from '../../src/server/app.ts';
import { listen, listenForAdmin } from '../../src/server/listener.ts';
import { openServices } from '../../src/services.ts';
import { record } from './exchanges.ts';
import { templateDatabase, templateFile } from './made.ts';
import { directOf, newDatabase } from './server.ts';

export const ADMIN_TOKEN = 'admin-token-for-tests-only';

/** A clock that can be stopped and advanced, and otherwise runs with the real one. */
export class TestClock {
  #offset = 0;
  #stoppedAt: number | undefined;
  now(): Date {
    return new Date((this.#stoppedAt ?? Date.now()) + this.#offset);
  }
  /** From now on only `advance` moves it. */
  stop(): void {
    this.#stoppedAt = Date.now();
  }
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }
}

export interface GatewayResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
  body: any;
}

export interface Gateway {
  origin: string;
  services: Services;
  clock: TestClock;
  /** Sends a request; objects are sent as JSON. */
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown; raw?: string | Uint8Array },
  ): Promise<GatewayResponse>;
  /** Runs a GraphQL operation with a key as bearer token. */
  graphql(key: string | null, query: string, variables?: Record<string, unknown>): Promise<GatewayResponse>;
  /** Issues a key; creates the organisation when it is new. */
  key(roles: RoleName[], organisationName?: string, companyIds?: number[]): Promise<string>;
  /** Stores the requests that have ended, which would otherwise be stored within five seconds. */
  storeRequests(): Promise<void>;
  /** Stops the work in the background, whose changes a test would see. */
  stopWork(): Promise<void>;
  stop(): Promise<void>;
}

export const serverUrl = process.env.DATABASE_URL;

// Asked for while the test file is loaded, which no time limit ends: the first file waits until the run has made it.
const template = serverUrl ? await templateDatabase() : await templateFile();

/** A database of its own on the server of DATABASE_URL, copied from the migrated template and dropped when the gateway stops. */
export async function ownDatabase(): Promise<{ url: string; drop: () => Promise<void> } | undefined> {
  return serverUrl ? newDatabase(serverUrl, template) : undefined;
}

let snapshot: Promise<Blob> | undefined;

/** The migrated embedded database; loading it takes a sixth of the time of creating one. */
const embeddedTemplate = (): Promise<Blob> => (snapshot ??= openAsBlob(template));

/** Starts a gateway with settings of the test's choice. */
export async function startGateway(
  settings: Partial<Config> = {},
  log = pino({ level: 'silent' }),
  plugins: readonly Plugin[] = [],
): Promise<Gateway> {
  const own = await ownDatabase();
  const config: Config = {
    ...readConfig({ DATABASE_READ_PATH: process.env.DATABASE_READ_PATH }),
    databaseUrl: own?.url,
    dataDir: ':memory:',
    adminToken: ADMIN_TOKEN,
    demoData: false,
    rateLimitPerMinute: 0,
    failedAuthLimit: 0,
    poolMax: 5,
    ...settings,
  };
  if (config.databaseUrl) config.directUrl ??= directOf(config.databaseUrl);
  const clock = new TestClock();
  const isEmpty = !config.databaseUrl && !existsSync(join(config.dataDir, 'PG_VERSION'));
  const { services, stopWork, close } = await openServices(config, {
    log,
    clock,
    snapshot: isEmpty ? await embeddedTemplate() : undefined,
  });
  const demo = config.demoData ? await ensureDemo(services, demoSeeds) : null;
  const app = await createApp(services, adapters(demo), plugins);
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  const admin = config.adminPort === 0 ? undefined : await listenForAdmin(app, { port: config.adminPort, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${server.port}`;

  const send: Gateway['send'] = async (method, path, { headers = {}, body, raw } = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const init: RequestInit = { method, headers: { ...json, ...headers } };
    if (raw !== undefined) init.body = raw as never;
    else if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(origin + path, init);
    const text = await response.text();
    record({
      method,
      path,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body === undefined ? null : Buffer.from(init.body as never).toString(),
      status: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      response: text,
    });
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : undefined };
  };
  const graphql: Gateway['graphql'] = (key, query, variables) =>
    send('POST', '/graphql', { headers: key ? { authorization: `Bearer ${key}` } : {}, body: { query, variables } });
  return {
    origin,
    services,
    clock,
    send,
    graphql,
    key: async (roles, organisationName = `Organisation ${randomUUID()}`, companyIds) =>
      (await services.keys.issue({ organisationName, roles, companyIds: companyIds ?? null })).key,
    storeRequests: () => app.requests.store(),
    stopWork,
    stop: async () => {
      await server.close();
      admin?.close();
      await close();
      await own?.drop();
    },
  };
}

/** A gateway for a test file: started before its tests, stopped after them. */
export function useGateway(settings: Partial<Config> = {}): Gateway {
  const gateway = {} as Gateway;
  beforeAll(async () => {
    Object.assign(gateway, await startGateway(settings));
  });
  afterAll(() => gateway.stop());
  return gateway;
}

// Made once per run: a migrated database that every test's gateway starts from, and the program as shipped.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { type Config, readConfig } from '../../src/config.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { type OpenServices, openServices } from '../../src/services.ts';
import { directOf, onDatabase, runOnServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded database as a dump, and as a directory to be copied. */
    templateFile: string;
    templateDirectory: string;
    /** The database on the server of DATABASE_URL. */
    templateDatabase: string;
    /** Directory of the compiled program. */
    program: string;
  }
}

const serverUrl = process.env.DATABASE_URL;

/** Makes both before the first test; the returned function removes them after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removals = await Promise.all([serverUrl ? onServer(project, serverUrl) : embedded(project), compiled(project)]);
  return async () => {
    for (const remove of removals) await remove();
  };
}

/** A gateway that has started on an empty database: its tables, queues and content are there. It stores no secrets, because every test's gateway has its own. */
const opened = (settings: Partial<Config>): Promise<OpenServices> =>
  openServices(
    { ...readConfig({}), adminToken: 'the token of the template', signingSecret: 'the secret of the template', worker: false, ...settings },
    { log: pino({ level: 'silent' }) },
  );

async function onServer(project: TestProject, url: string): Promise<() => Promise<void>> {
  const name = `gateway_template_${process.pid}`;
  await runOnServer(url, `drop database if exists ${name} with (force)`);
  await runOnServer(url, `create database ${name}`);
  const own = onDatabase(url, name);
  // A pooler would keep connections, and a database with connections cannot be copied.
  const { close } = await opened({ databaseUrl: directOf(own) ?? own });
  await close();
  project.provide('templateDatabase', name);
  return () => runOnServer(url, `drop database ${name} with (force)`);
}

async function embedded(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-template-'));
  const [directory, file] = [join(folder, 'data'), join(folder, 'dump.tar')];
  const { services, close } = await opened({ dataDir: directory });
  const client = (await services.database.native()) as PGlite;
  // Two databases that nothing connects to make up a third of the bytes that each of a hundred gateways loads.
  await client.exec('update pg_database set datistemplate = false');
  for (const unused of ['template0', 'template1']) await client.exec(`drop database ${unused}`);
  const dump = await client.dumpDataDir('none');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  await close();
  project.provide('templateFile', file);
  project.provide('templateDirectory', directory);
  return () => rm(folder, { recursive: true, force: true });
}

/** Below node_modules, so that its imports are found. */
async function compiled(project: TestProject): Promise<() => Promise<void>> {
  const cache = packagePath('node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'program-'));
  const compiler = packagePath('node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', packagePath('tsconfig.build.json'), '--outDir', directory]);
  project.provide('program', directory);
  return () => rm(directory, { recursive: true, force: true });
}

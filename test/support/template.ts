// What a run makes once, when a test first asks for it: a migrated database that the gateway of every test starts from, and the program as shipped. A
// worker asks over HTTP (`made.ts`), because it is a process of its own; a test that needs neither pays for neither.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import type { Config } from '../../src/config.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import type { OpenServices } from '../../src/services.ts';
import type { MadeName } from './made.ts';
import { directOf, makeDatabase, onDatabase, runOnServer } from './server.ts';

/** Something made for the run, and how it is removed after the last test. */
interface Made {
  place: string;
  remove: () => Promise<void>;
}

/** Listens for the workers; the returned function removes what was made. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const made = new Map<string, Promise<Made>>();
  const makers: Record<MadeName, () => Promise<Made>> = { embedded, server: () => onServer(process.env.DATABASE_URL!), program: compiled };
  const server = createServer((request, response) => {
    const name = request.url!.slice(1) as MadeName;
    const one = made.get(name) ?? makers[name]();
    made.set(name, one);
    one.then(
      ({ place }) => response.end(place),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  project.provide('maker', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    for (const one of await Promise.allSettled(made.values())) if (one.status === 'fulfilled') await one.value.remove();
  };
}

/** A gateway that has started on an empty database: its tables, queues and content are there. It stores no secrets, because every test's gateway has its own. */
async function opened(settings: Partial<Config>): Promise<OpenServices> {
  const [{ readConfig }, { openServices }, { pino }] = await Promise.all([
    import('../../src/config.ts'),
    import('../../src/services.ts'),
    import('pino'),
  ]);
  return openServices(
    { ...readConfig({}), adminToken: 'the token of the template', signingSecret: 'the secret of the template', worker: false, ...settings },
    { log: pino({ level: 'silent' }) },
  );
}

/** A database on the server of DATABASE_URL. */
async function onServer(url: string): Promise<Made> {
  const name = `gateway_template_${process.pid}`;
  await runOnServer(url, `drop database if exists ${name} with (force)`);
  await makeDatabase(url, name);
  const own = onDatabase(url, name);
  // A pooler would keep connections, and a database with connections cannot be copied.
  const { close } = await opened({ databaseUrl: directOf(own) ?? own });
  await close();
  return { place: name, remove: () => runOnServer(url, `drop database ${name} with (force)`) };
}

/** A folder with the embedded database as a dump, `dump.tar`, and as a directory to copy, `data`. */
async function embedded(): Promise<Made> {
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
  return { place: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The directory of the compiled program: below node_modules, so that its imports are found. */
async function compiled(): Promise<Made> {
  const cache = packagePath('node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, 'program-'));
  const dist = join(directory, 'dist');
  const run = (...words: string[]) => promisify(execFile)(process.execPath, words, { cwd: directory });
  await run(packagePath('node_modules', 'typescript', 'bin', 'tsc'), '-p', packagePath('tsconfig.build.json'), '--outDir', dist);
  await run(packagePath('node_modules', 'rolldown', 'bin', 'cli.mjs'), '-c', packagePath('rolldown.config.ts'));
  return { place: dist, remove: () => rm(directory, { recursive: true, force: true }) };
}

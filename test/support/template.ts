// Made once per run: a migrated database that every test's gateway starts from.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/core/database.ts';
import { contentSeeds, entities } from '../../src/registry.ts';
import { onDatabase, runOnServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    templateFile: string;
    templateDatabase: string;
  }
}

const serverUrl = process.env.DATABASE_URL;

/** Makes the template before the first test; the result removes it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  return serverUrl ? onServer(project, serverUrl) : embedded(project);
}

async function onServer(project: TestProject, url: string): Promise<() => Promise<void>> {
  const name = `gateway_template_${process.pid}`;
  await runOnServer(url, `drop database if exists ${name} with (force)`);
  await runOnServer(url, `create database ${name}`);
  const database = await openDatabase({ url: onDatabase(url, name), entities, log: () => {} });
  for (const seed of contentSeeds) await seed(database, new Date());
  await database.close();
  project.provide('templateDatabase', name);
  return () => runOnServer(url, `drop database ${name} with (force)`);
}

async function embedded(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-template-'));
  const file = join(folder, 'pglite.tar');
  const database = await openDatabase({ entities, log: () => {} });
  for (const seed of contentSeeds) await seed(database, new Date());
  const dump = await ((await database.native()) as PGlite).dumpDataDir('none');
  await writeFile(file, Buffer.from(await dump.arrayBuffer()));
  await database.close();
  project.provide('templateFile', file);
  return () => rm(folder, { recursive: true, force: true });
}

// Programs under test: a CONNECTORS_FILE and a mapping in a directory of their own, and a connector through the interface of connectors.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
// The records of the registry are the data models that a mapping may name.
import '../../../src/registry.ts';
import { readConfig } from '../../../src/config.ts';
import type { Connector, ConnectorDefinition, Json, SourcePage } from '../../../src/integrations/connectors/connector.ts';
import { programDefinitions } from '../../../src/integrations/connectors/programs/definitions.ts';

/** The path of a file next to this one. */
export const nextTo = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const mapping = `
title: A ledger of the tests
streams:
  contacts:
    - dataModel: CONTACT
      deleted: gone = true
      record: '{ "platform_id": $string(id), "name": name }'
  accounts:
    - dataModel: ACCOUNT
      record: '{ "platform_id": id, "name": name }'
`;

/** A directory that is removed after the test. */
export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ledger-test-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** The path of a CONNECTORS_FILE in a folder with these programs; `mapping.yaml` is next to it. */
export async function fileIn(folder: string, programs: unknown, files: Record<string, string> = {}): Promise<string> {
  for (const [name, text] of Object.entries({ 'mapping.yaml': mapping, ...files })) await writeFile(join(folder, name), text);
  const path = join(folder, 'connectors.json');
  await writeFile(path, JSON.stringify(programs));
  return path;
}

/** The same in a directory that is removed after the test. */
export const fileOf = async (programs: unknown, files?: Record<string, string>): Promise<string> =>
  fileIn(await directory(), programs, files);

/** The definitions of a CONNECTORS_FILE with these programs. */
export async function definitionsOf(programs: unknown, files: Record<string, string> = {}): Promise<ConnectorDefinition[]> {
  return programDefinitions(readConfig({ CONNECTORS_FILE: await fileOf(programs, files), PATH: process.env.PATH }));
}

export interface Session {
  connector: Connector;
  /** What was stored of changed settings, in order. */
  saved: Readonly<Record<string, string>>[];
  abort(): void;
}

/** A connector for one run. */
export function open(definition: ConnectorDefinition, settings: Record<string, string> = {}): Session {
  const saved: Readonly<Record<string, string>>[] = [];
  const ending = new AbortController();
  const connector = definition.open({
    company: { organisationId: 1, ledgerId: 1, integrationType: definition.source },
    settings,
    http: () => Promise.reject(new Error('a program makes its calls itself')),
    saveSettings: async (changed) => void saved.push(changed),
    signal: ending.signal,
  });
  return { connector, saved, abort: () => ending.abort(new Error('the run is cancelled')) };
}

/** The interpreter itself: what a version manager puts before it on PATH starts slowly and has an environment of its own. */
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

/** A Singer tap of this folder; `name` is the first argument of a program with several. */
export const tap = (file: string, name: string[] = [], more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'TAP',
  protocol: 'SINGER',
  command: python,
  arguments: [nextTo(file), ...name],
  mapping: './mapping.yaml',
  ...more,
});

export interface Pulled {
  pages: SourcePage[];
  ids: string[];
  /** The last cursor that came. */
  cursor: Json | undefined;
  error: unknown;
}

/** All pages of a pull, with the plain members of their records, and the error it ended with. */
export async function pull(connector: Connector, dataModel: string, cursor: Json = null, isFull = false): Promise<Pulled> {
  const pages: SourcePage[] = [];
  let error: unknown;
  try {
    for await (const page of connector.pull({ dataModel, cursor, since: null, isFull })) pages.push(structuredClone(page));
  } catch (thrown) {
    error = thrown;
  }
  const ids = pages.flatMap(({ records }) => records.map((record) => String(record.platform_id)));
  return { pages, ids, cursor: pages.findLast((page) => page.cursor !== undefined)?.cursor, error };
}

// Command `doctor`: checks everything a gateway needs and prints what is wrong, without changing anything.
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { sealIssues } from '../administration/seal-check.ts';
import type { Config } from '../config.ts';
import { missingGrant } from '../database/application-role.ts';
import { foldingCheck, missingTables, type ServerCheck, serverChecks } from '../database/connection/server-checks.ts';
import { DirectoryInUse, requireCreatable } from '../database/directory-lock.ts';
import { distributedEngines } from '../database/engines.ts';
import { type RunStatement, schemaState } from '../database/migrations/state.ts';
import { SESSION } from '../database/read-path/session.ts';
import { refusing } from '../database/refusals.ts';
import { connectionCheck, connectionsOf } from '../queue/connections.ts';
import { entities } from '../registry.ts';
import { createSecretBox } from '../security/secret-box.ts';
import type { Printer } from './print.ts';
import { onDirectory, onPostgres } from './store.ts';

type State = 'ok' | 'warning' | 'ERROR';

interface Finding {
  what: string;
  state: State;
  words: string;
}

const DEADLINE_MS = 3_000;
const MAX_SKEW_MS = 5_000;
/** A relay looks every second; entries that wait longer than this have none that gets through. */
const MAX_RELAY_SECONDS = 60;

async function gateway(url: string): Promise<Finding[]> {
  const before = Date.now();
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(DEADLINE_MS) }).catch(() => null);
  if (!response)
    return [{ what: 'gateway', state: 'warning', words: `nothing responds at ${url}: start the gateway, or name its address by --url` }];
  const { status } = (await response.json().catch(() => ({ status: 'unknown' }))) as { status: string };
  const served = Date.parse(response.headers.get('date') ?? '');
  return [
    { what: 'gateway', state: response.ok ? 'ok' : 'ERROR', words: `${url} is ${status}` },
    ...skew('clock of the gateway', served - (before + Date.now()) / 2),
  ];
}

function skew(what: string, milliseconds: number): Finding[] {
  if (Number.isNaN(milliseconds)) return [];
  const seconds = (milliseconds / 1000).toFixed(1);
  const words = `${seconds} s from the clock here`;
  return [
    Math.abs(milliseconds) > MAX_SKEW_MS
      ? { what, state: 'ERROR', words: `${words}. Keep the clocks of the machines in step, by NTP` }
      : { what, state: 'ok', words },
  ];
}

async function server(what: string, run: RunStatement): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await run<{ version: string; epoch: number }>(
    "select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 as epoch",
  );
  return [
    { what, state: 'ok', words: `PostgreSQL ${row!.version} responds` },
    ...skew(`clock of the ${what}`, row!.epoch * 1000 - (before + Date.now()) / 2),
  ];
}

const fitness = ({ what, words, problem }: ServerCheck): Finding => ({
  what,
  state: problem === undefined ? 'ok' : 'ERROR',
  words: problem ?? words,
});

/** A process that starts may find connections closed by then, so few of them are a warning. */
const room = ({ what, words, problem }: ServerCheck): Finding => ({
  what,
  state: problem === undefined ? 'ok' : 'warning',
  words: problem ?? words,
});

/** Whether the secrets of the settings open what is stored sealed. */
async function seals(run: RunStatement, { signingSecret, sealingSecrets }: Config): Promise<Finding[]> {
  // One that was made at the first start.
  const [made] = await run<{ value: string }>("select value from kept_setting where name = 'signing_secret'");
  const secret = signingSecret ?? made?.value;
  if (secret === undefined) return [];
  const issues = await sealIssues(run, createSecretBox(secret, sealingSecrets));
  if (issues.length > 0) return issues.map((words) => ({ what: 'sealed secrets', state: 'ERROR', words }));
  return [{ what: 'sealed secrets', state: 'ok', words: 'what was tried opens' }];
}

/** Whether migrations can make their tables, or those that are noted as applied have. */
async function tables(run: RunStatement, isPending: boolean): Promise<Finding[]> {
  const what = 'tables';
  if (!isPending) {
    const problem = await missingTables(run, entities);
    return [
      { what, state: problem === undefined ? 'ok' : 'ERROR', words: problem === undefined ? 'none is missing' : `the database ${problem}` },
    ];
  }
  const [found] = await run<{ user: string; canCreate: boolean | null }>(
    `select quote_ident(current_user) as user, (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public') as "canCreate"`,
  );
  const { user, canCreate } = found!;
  if (canCreate) return [];
  const words = `migrations cannot make them, because the user may not create in the schema public. Have an administrator of the database run: alter schema public owner to ${user}`;
  return [{ what, state: 'ERROR', words }];
}

/** Whether row-level security will be on. */
async function rowSecurity(run: RunStatement, { databaseAllow }: Config): Promise<Finding> {
  const what = 'row-level security';
  const grant = await missingGrant(run);
  if (grant === null) return { what, state: 'ok', words: 'the user may take its role' };
  const words = `the user may not take its role. Have an administrator of the server run: ${grant}`;
  return { what, state: databaseAllow.noRowSecurity ? 'warning' : 'ERROR', words };
}

async function database(run: RunStatement, config: Config, isEmbedded = false): Promise<Finding[]> {
  const ofServer = await server('database', run);
  // There is no other way to set the embedded database up.
  const checks = [...(isEmbedded ? [] : await serverChecks(run)), await foldingCheck(run)];
  const { pending, unknown } = await schemaState(run);
  const made = await tables(run, pending.length > 0);
  return [
    ...ofServer,
    ...checks.map(fitness),
    {
      what: 'migrations',
      state: pending.length > 0 ? 'warning' : 'ok',
      words: pending.length > 0 ? `pending, applied at the next start: ${pending.map(({ name }) => name).join(', ')}` : 'all are applied',
    },
    ...unknown.map(
      (name): Finding => ({
        what: 'migrations',
        state: 'ERROR',
        words: `${name} belongs to a newer or different program: use that one, or set DATABASE_ALLOW_NEWER_SCHEMA=true`,
      }),
    ),
    ...made,
    ...(isEmbedded ? [] : [await rowSecurity(run, config)]),
    ...(pending.length > 0 || made.some(({ state }) => state === 'ERROR') ? [] : await seals(run, config)),
  ];
}

/** What waits in the outbox or in a queue where nothing takes it: the setting may have been given or removed while there was work. */
async function waiting(run: RunStatement, hasOutbox: boolean): Promise<Finding[]> {
  const [tables] = await run<{ outbox: boolean; queue: boolean }>(
    "select to_regclass('public.outbox') is not null as outbox, to_regclass('pgboss.job') is not null as queue",
  );
  if (!tables!.outbox) return [];
  const [outbox] = await run<{ entries: number; seconds: number }>(
    'select count(*)::int as entries, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds from outbox',
  );
  const { entries, seconds } = outbox!;
  if (!hasOutbox)
    return entries === 0
      ? []
      : [
          {
            what: 'outbox',
            state: 'ERROR',
            words: `${entries} entries wait for a relay, which runs only with QUEUE_DATABASE_URL: set it again until nothing waits`,
          },
        ];
  const [jobs] = tables!.queue
    ? await run<{ count: number }>("select count(*)::int as count from pgboss.job where state < 'completed'")
    : [];
  return [
    {
      what: 'outbox',
      state: seconds > MAX_RELAY_SECONDS ? 'ERROR' : 'ok',
      words: entries === 0 ? 'nothing waits' : `${entries} entries wait for a relay, the oldest for ${seconds.toFixed(0)} s`,
    },
    ...(jobs?.count
      ? [
          {
            what: 'queue',
            state: 'ERROR',
            words: `${jobs.count} jobs are in the database of the records, where nothing runs them since QUEUE_DATABASE_URL is set: move the queue as docs/operations/scale.md describes`,
          } as const,
        ]
      : []),
  ];
}

/** Where the tables of companies are, on a server that can have them on several nodes. */
async function distribution(run: RunStatement): Promise<Finding[]> {
  const states = await Promise.all(distributedEngines.map((engine) => engine.check(run, entities)));
  return states.flatMap((state) => (state ? [{ what: 'distribution', state: state.isComplete ? 'ok' : 'ERROR', words: state.text }] : []));
}

async function embedded(config: Config): Promise<Finding[]> {
  const directory = config.dataDir;
  if (!existsSync(directory)) {
    requireCreatable(directory);
    return [{ what: 'data directory', state: 'ok', words: `${directory} will be created at the first start` }];
  }
  const free: Finding = { what: 'data directory', state: 'ok', words: `${directory} has no owner` };
  return onDirectory(directory, async (run) => [free, ...(await database(run, config, true))]).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return [{ what: 'data directory', state: 'ok', words: error.message }];
    throw error;
  });
}

/** Adds the command. */
export function doctorCommand(program: Command, config: Config, printer: Printer): void {
  program
    .command('doctor')
    .description('check configuration, gateway, database, migrations, clocks and data directory')
    .action(async () => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const findings: Finding[] = [
        { what: 'program', state: major > 22 || (major === 22 && minor >= 17) ? 'ok' : 'ERROR', words: `Node ${process.versions.node}` },
        { what: 'configuration', state: 'ok', words: 'every setting is valid' },
        ...(await gateway(program.opts<{ url: string }>().url)),
      ];
      const { databaseUrl, directUrl, queueUrl } = config;
      const checked = (what: string, findings: Promise<Finding[]>): Promise<Finding[]> =>
        findings.catch((error: Error): Finding[] => [{ what, state: 'ERROR', words: error.message || 'it does not respond' }]);
      const { records, queue } = connectionsOf(config);
      const onServer = async (run: RunStatement): Promise<Finding[]> => [
        ...(await database(run, config)),
        room(await connectionCheck(run, records)),
        ...(await distribution(run)),
        ...(await waiting(run, queueUrl !== undefined)),
      ];
      findings.push(
        ...(await checked(
          'database',
          databaseUrl
            ? onPostgres(databaseUrl, onServer, directUrl ? {} : SESSION).catch(refusing('DATABASE_URL', databaseUrl))
            : embedded(config),
        )),
      );
      if (queueUrl)
        findings.push(
          ...(await checked(
            'database of the queue',
            onPostgres(queueUrl, async (run) => [
              ...(await server('database of the queue', run)),
              room(await connectionCheck(run, queue)),
            ]).catch(refusing('QUEUE_DATABASE_URL', queueUrl)),
          )),
        );
      printer.table(
        ['check', 'state', 'finding'],
        findings.map(({ what, state, words }) => [what, state, words]),
      );
      if (findings.some(({ state }) => state === 'ERROR')) process.exitCode = 1;
    });
}

// The settings. This file alone reads the environment; it reports all invalid settings at once, by name.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { completeUrl, isSameDatabase, urlIssue } from './postgres-url.ts';

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .optional()
    .transform((value) => (value === undefined ? fallback : value === 'true' || value === '1'));

const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .optional()
    .transform((value) => value ?? fallback);

const list = z
  .string()
  .optional()
  .transform((value) =>
    value
      ? value
          .split(',')
          .map((entry) => entry.trim())
          .filter(Boolean)
      : [],
  );

const url = (protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL starting with ${protocols.join('// or ')}//`,
    );

/** Whether a host is this machine alone. */
export const isLoopback = (host: string): boolean => /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host);

const databaseUrl = z.string().superRefine((value, context) => {
  const message = urlIssue(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** The client of the operator at each source that connections sign in to, by the name of the source. */
const oauthClients = z
  .string()
  .optional()
  .transform((value, context) => {
    try {
      return JSON.parse(value ?? '{}') as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string(),
      z.strictObject({
        clientId: z.string().min(1),
        clientSecret: z.string().min(1),
        webhookKey: z.string().min(1).optional(),
        scopes: z.array(z.string().min(1)).optional(),
        onlyScopes: z.array(z.string().min(1)).min(1).optional(),
      }),
    ),
  );

/**
 * The operator's client at a source: the key that signs the messages of the source to it, the scopes that the source grants beyond the usual ones,
 * and those that are requested in place of the usual ones.
 */
export type OauthClient = z.output<typeof oauthClients>[string];

/** Which geocoder is used: the embedded one, the one at GEOCODER_URL, or the second when the first is unsure or fails. */
export const geocoderPolicies = ['embedded', 'upstream', 'embedded_then_upstream', 'upstream_then_embedded'] as const;

export type GeocoderPolicy = (typeof geocoderPolicies)[number];

/** How reads reach the database: the wire path takes rows before the driver parses them, the plain path uses only the driver's published interface. */
export const readPaths = ['wire', 'plain'] as const;

export type ReadPathName = (typeof readPaths)[number];

/** A hundred years. */
const MAX_DAYS = 36_525;

const settings = z
  .object({
    PORT: whole(4000, 0, 65_535),
    ADMIN_PORT: whole(0, 0, 65_535),
    HOST: z.string().min(1).default('127.0.0.1'),
    REUSE_PORT: flag(false),
    DATABASE_URL: databaseUrl.optional(),
    DATA_DIR: z.string().min(1).default('./data'),
    DATABASE_DIRECT_URL: databaseUrl.optional(),
    DATABASE_REPLICA_URLS: list.pipe(z.array(databaseUrl)),
    QUEUE_DATABASE_URL: databaseUrl.optional(),
    REPLICA_MAX_LAG_SECONDS: whole(5, 1, 60),
    DATABASE_POOL_MAX: whole(10, 1, 500),
    DATABASE_READ_PATH: z.enum(readPaths, `must be one of ${readPaths.join(', ')}`).default('wire'),
    DATABASE_ALLOW_CREATE: flag(false),
    DATABASE_ALLOW_NEWER_SCHEMA: flag(false),
    DATABASE_ALLOW_NO_ROW_SECURITY: flag(false),
    // A second name for the same.
    ALLOW_NO_ROW_SECURITY: flag(false),
    PUBLIC_URL: url(['http:', 'https:']).optional(),
    TAX_HOSTS: list,
    CORS_ORIGINS: list,
    TRUSTED_PROXIES: whole(0, 0, 10),
    ADMIN_TOKEN: z.string().min(24, 'must have at least 24 characters').optional(),
    DEMO_DATA: flag(true),
    SIGNING_SECRET: z.string().min(24, 'must have at least 24 characters').optional(),
    SEALING_SECRETS: list.pipe(z.array(z.string().min(24, 'must have secrets of at least 24 characters, separated by commas'))),
    WORKER: flag(true),
    DRAIN_SECONDS: whole(5, 0, 300),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be one of fatal, error, warn, info, debug, trace, silent')
      .default('info'),
    WEBHOOK_ALLOW_PRIVATE: flag(false),
    CONNECTOR_PRIVATE_HOSTS: list,
    CONNECTOR_OAUTH_CLIENTS: oauthClients,
    SOURCE_CALL_SECONDS: whole(300, 1, 600),
    SOURCE_PAGE_SECONDS: whole(600, 1, 600),
    SOURCE_RUN_SECONDS: whole(21_600, 1, 604_800),
    RATE_LIMIT_PER_MINUTE: whole(6_000, 0, 10_000_000),
    RATE_LIMIT_BURST: whole(1_000, 0, 1_000_000),
    FAILED_AUTH_LIMIT: whole(20, 0, 1_000_000),
    QUOTA_MEGABYTES: whole(20_480, 0, 1_000_000_000),
    QUOTA_RAW_MEGABYTES: whole(5_120, 0, 1_000_000_000),
    QUOTA_COMPANIES: whole(10_000, 0, 10_000_000),
    QUOTA_CONNECTIONS: whole(10_000, 0, 10_000_000),
    QUOTA_KEYS: whole(1_000, 0, 10_000_000),
    QUOTA_BATCHES: whole(1_000, 0, 10_000_000),
    INTROSPECTION: flag(true),
    TRUSTED_DOCUMENTS: z.string().min(1).optional(),
    FEDERATION: flag(false),
    SYNC_RETENTION_DAYS: whole(90, 0, MAX_DAYS),
    JOB_RETENTION_DAYS: whole(90, 0, MAX_DAYS),
    EVENT_RETENTION_DAYS: whole(30, 0, MAX_DAYS),
    DELIVERY_RETENTION_DAYS: whole(30, 0, MAX_DAYS),
    IDEMPOTENCY_KEY_RETENTION_DAYS: whole(1, 1, MAX_DAYS),
    INBOX_FILE_RETENTION_DAYS: whole(90, 0, MAX_DAYS),
    RAW_DATA_RETENTION_DAYS: whole(0, 0, MAX_DAYS),
    IMPORT_JOB_RETENTION_DAYS: whole(90, 0, MAX_DAYS),
    AUDIT_RETENTION_DAYS: whole(2_555, 0, MAX_DAYS),
    REQUEST_RETENTION_DAYS: whole(7, 0, MAX_DAYS),
    DELETED_RECORD_RETENTION_DAYS: whole(0, 0, MAX_DAYS),
    OIDC_ISSUER: url(['https:', 'http:'])
      .refine((value) => !value.startsWith('http:') || isLoopback(new URL(value).hostname), 'must be https, except on this machine')
      .optional(),
    OIDC_AUDIENCE: z.string().min(1).optional(),
    OIDC_OPERATOR_CLAIM: z.string().min(1).default('roles'),
    OIDC_OPERATOR_VALUE: z.string().min(1).optional(),
    VIES_URL: url(['https:', 'http:']).optional(),
    GEOCODER_URL: url(['https:', 'http:']).optional(),
    GEOCODER_POLICY: z.enum(geocoderPolicies, `must be one of ${geocoderPolicies.join(', ')}`).optional(),
    CONNECTORS_FILE: z.string().min(1).optional(),
  })
  .refine((given) => given.GEOCODER_URL !== undefined || (given.GEOCODER_POLICY ?? 'embedded') === 'embedded', {
    path: ['GEOCODER_POLICY'],
    message: 'needs GEOCODER_URL',
  })
  .refine((given) => given.DATABASE_DIRECT_URL === undefined || given.DATABASE_URL !== undefined, {
    path: ['DATABASE_DIRECT_URL'],
    message: 'needs DATABASE_URL, which names the pooler in front of it',
  })
  .refine((given) => given.QUEUE_DATABASE_URL === undefined || given.DATABASE_URL !== undefined, {
    path: ['QUEUE_DATABASE_URL'],
    message: 'needs DATABASE_URL: the embedded database holds its own queue',
  })
  .refine(
    ({ QUEUE_DATABASE_URL: queue, DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct }) =>
      queue === undefined || ![pooled, direct].some((url) => url !== undefined && isSameDatabase(url, queue)),
    {
      path: ['QUEUE_DATABASE_URL'],
      message: 'leads to the database of the records, which has the queue without this setting: leave it out, or name another database',
    },
  )
  .refine((given) => given.OIDC_ISSUER === undefined || given.OIDC_AUDIENCE !== undefined, {
    path: ['OIDC_AUDIENCE'],
    message: 'is needed with OIDC_ISSUER: a token that is meant for another service must not open this one',
  })
  .refine((given) => given.OIDC_OPERATOR_VALUE === undefined || given.OIDC_ISSUER !== undefined, {
    path: ['OIDC_OPERATOR_VALUE'],
    message: 'needs OIDC_ISSUER',
  });

/** The protocols that programs speak which an operator connects as sources. */
export const programProtocols = ['SINGER', 'AIRBYTE'] as const;

/** How a Singer tap takes its catalog: by `--catalog`, by the older `--properties`, or not at all. */
export const catalogOptions = ['catalog', 'properties', 'none'] as const;

const programSetting = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be in lower snake case'),
  title: z.string().min(1),
  description: z.string().default(''),
  kind: z.enum(['text', 'url', 'date', 'secret'], 'must be one of text, url, date, secret').default('text'),
  isRequired: z.boolean().default(true),
  path: z.array(z.string().min(1)).min(1, 'must name a member').optional(),
  isJson: z.boolean().default(false),
});

const program = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be in upper snake case'),
  title: z.string().min(1).optional(),
  protocol: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(programProtocols, `must be one of ${programProtocols.join(', ')}`)),
  command: z.string().min(1),
  arguments: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  config: z.record(z.string(), z.json()).default({}),
  settings: z.array(programSetting).default([]),
  mapping: z.string().min(1),
  catalog: z.enum(catalogOptions, `must be one of ${catalogOptions.join(', ')}`).default('catalog'),
  metadata: z.record(z.string(), z.record(z.string(), z.json())).default({}),
});

/** A setting of the connections of a program, and the member of its configuration that it becomes. */
export type ProgramSetting = z.output<typeof programSetting>;

/**
 * A program that an operator allows as a source, from CONNECTORS_FILE. `command` is the absolute path of an executable file and `environment`
 * all that it is given, PATH included. `mapping` is the absolute path of a mapping file, or the name of one that is shipped.
 */
export type ProgramSettings = z.output<typeof program>;

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/**
 * The absolute path of a command. The command is a path already, or a name to find in a search path. Returns undefined where there is no such
 * program.
 */
function commandPath(command: string, searchPath: string): string | undefined {
  if (isAbsolute(command)) return isExecutable(command) ? command : undefined;
  if (command.includes('/')) return undefined;
  return searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, command))
    .find(isExecutable);
}

/** The programs of CONNECTORS_FILE; each line of the error names a member of the file. */
function readPrograms(path: string | undefined, searchPath: string): ProgramSettings[] {
  if (path === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'), (name, value) => {
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(`${name} is a number above 2^53; write it as text`);
      return value;
    });
  } catch (error) {
    throw new ConfigError(`CONNECTORS_FILE names a file that cannot be read as JSON: ${(error as Error).message}`);
  }
  const parsed = z.array(program, 'must be a list of programs').safeParse(content);
  if (!parsed.success)
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${['CONNECTORS_FILE', ...issue.path].join('.')} ${issue.message}`).join('\n'),
    );
  const issues: string[] = [];
  const programs = parsed.data.map((entry, index) => {
    const at = `CONNECTORS_FILE.${index}`;
    if (parsed.data.findIndex(({ name }) => name === entry.name) < index)
      issues.push(`${at}.name ${entry.name} is the name of two programs`);
    const command = commandPath(entry.command, searchPath);
    if (command === undefined)
      issues.push(`${at}.command must be the absolute path of an executable file, or the name of one that PATH leads to`);
    const mapping = /[/.]/.test(entry.mapping) ? resolve(dirname(path), entry.mapping) : entry.mapping;
    return { ...entry, command: command ?? entry.command, mapping, environment: { PATH: searchPath, ...entry.environment } };
  });
  if (issues.length > 0) throw new ConfigError(issues.join('\n'));
  return programs;
}

/** The number of days after which ended work and old entries are removed; 0 means never. */
export interface Retention {
  syncDays: number;
  /** The jobs of a sync that are left go with it. */
  jobDays: number;
  /** An event with a delivery stays as long as that. */
  eventDays: number;
  deliveryDays: number;
  /** At least 1: how long a repeated request gets the first response. */
  idempotencyKeyDays: number;
  inboxFileDays: number;
  rawDataDays: number;
  importJobDays: number;
  auditDays: number;
  requestDays: number;
  deletedRecordDays: number;
}

/** The settings as the program uses them; `.env.example` documents their meaning, unit and default. */
export interface Config {
  port: number;
  /** Port of the metrics and the documentation; 0 when they are on the port of everything else. */
  adminPort: number;
  host: string;
  /** Whether other processes of this machine may listen on `port` too; the kernel divides new connections among them. */
  reusePort: boolean;
  databaseUrl: string | undefined;
  directUrl: string | undefined;
  dataDir: string;
  replicaUrls: string[];
  replicaMaxLagSeconds: number;
  /** The database of the background queue, where that is not the one of the records. */
  queueUrl: string | undefined;
  poolMax: number;
  readPath: ReadPathName;
  databaseAllow: { create: boolean; newerSchema: boolean; noRowSecurity: boolean };
  publicUrl: string | undefined;
  taxHosts: string[];
  corsOrigins: string[];
  trustedProxies: number;
  adminToken: string | undefined;
  demoData: boolean;
  signingSecret: string | undefined;
  /** Secrets that stored secrets are sealed under: the first seals, all open. */
  sealingSecrets: string[];
  worker: boolean;
  drainSeconds: number;
  logLevel: string;
  webhookAllowPrivate: boolean;
  /** Hosts of sources that connectors may call at private addresses. */
  connectorPrivateHosts: string[];
  /**
   * Longest times of a source: for a call with its response, for a page of records, and for all records of a data model in a pull. Also the wait
   * before a retry, which doubles.
   */
  sourceTimes: { callMs: number; pageMs: number; runMs: number; retryMs?: number };
  /** The client of the operator at each source that connections sign in to, by the name of the source. */
  connectorOauthClients: Readonly<Record<string, OauthClient>>;
  rateLimitPerMinute: number;
  rateLimitBurst: number;
  failedAuthLimit: number;
  /** How much one organisation may have; 0 is no limit. */
  quotas: { megabytes: number; rawMegabytes: number; companies: number; connections: number; keys: number; batches: number };
  introspection: boolean;
  trustedDocuments: string | undefined;
  federation: boolean;
  retention: Retention;
  oidcIssuer: string | undefined;
  oidcAudience: string | undefined;
  /** The claim whose value makes the holder of a token an operator. */
  oidcOperator: { name: string; value: string } | undefined;
  viesUrl: string | undefined;
  geocoderUrl: string | undefined;
  geocoderPolicy: GeocoderPolicy;
  programs: ProgramSettings[];
}

/** Thrown for invalid settings; the message has one line per setting. */
export class ConfigError extends Error {}

/** A name without case and underscores, which people forget or add. */
const normalised = (name: string): string => name.replaceAll('_', '').toUpperCase();

/** The name and all its variants without one character; two names that share a variant differ by one typing error. */
const typosOf = (name: string): Set<string> => new Set([name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))]);

/** The settings that name a PostgreSQL; one of them a list. */
const databaseUrls = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS', 'QUEUE_DATABASE_URL'] as const;

/** Settings that a file may contain instead; the setting of the same name with `_FILE` gives its path. */
const secrets = [...databaseUrls, 'ADMIN_TOKEN', 'SIGNING_SECRET', 'SEALING_SECRETS', 'CONNECTOR_OAUTH_CLIENTS'] as const;
const FILE = '_FILE';

/** The settings of an environment with those in files; empty ones count as absent. */
function withFiles(environment: Record<string, string | undefined>): Record<string, string | undefined> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const issues: string[] = [];
  for (const name of secrets) {
    const path = given[name + FILE];
    if (path === undefined) continue;
    if (given[name] !== undefined) issues.push(`${name + FILE} and ${name} are both set; give one of them`);
    else
      try {
        given[name] = readFileSync(path, 'utf8').trim();
      } catch (error) {
        issues.push(`${name + FILE} names a file that cannot be read: ${(error as Error).message}`);
      }
  }
  if (issues.length > 0) throw new ConfigError(issues.join('\n'));
  return given;
}

/** Names in an environment that resemble settings, each with the setting that may be meant; null where only the first word matches. */
export function unknownSettings(environment: Record<string, string | undefined> = process.env): [name: string, meant: string | null][] {
  const known = [...Object.keys(settings.shape), ...secrets.map((name) => name + FILE)];
  const families = new Set(known.filter((name) => name.includes('_')).map((name) => name.slice(0, name.indexOf('_') + 1)));
  return Object.keys(environment)
    .filter((name) => !known.includes(name))
    .flatMap((name): [string, string | null][] => {
      const typos = typosOf(normalised(name));
      const meant =
        known.find((setting) => normalised(setting) === normalised(name)) ??
        known.find((setting) => [...typosOf(normalised(setting))].some((typo) => typos.has(typo)));
      if (meant) return [[name, meant]];
      return [...families].some((family) => name.startsWith(family)) ? [[name, null]] : [];
    })
    .sort();
}

/** Reads the settings of an environment. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = withFiles(environment);
  for (const name of databaseUrls)
    given[name] = given[name]
      ?.split(',')
      .map((one) => completeUrl(one.trim(), environment))
      .join(',');
  const parsed = settings.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'));
  const value = parsed.data;
  return {
    port: value.PORT,
    adminPort: value.ADMIN_PORT,
    host: value.HOST,
    reusePort: value.REUSE_PORT,
    databaseUrl: value.DATABASE_URL,
    directUrl: value.DATABASE_DIRECT_URL,
    dataDir: value.DATA_DIR,
    replicaUrls: value.DATABASE_REPLICA_URLS,
    replicaMaxLagSeconds: value.REPLICA_MAX_LAG_SECONDS,
    queueUrl: value.QUEUE_DATABASE_URL,
    poolMax: value.DATABASE_POOL_MAX,
    readPath: value.DATABASE_READ_PATH,
    databaseAllow: {
      create: value.DATABASE_ALLOW_CREATE,
      newerSchema: value.DATABASE_ALLOW_NEWER_SCHEMA,
      noRowSecurity: value.DATABASE_ALLOW_NO_ROW_SECURITY || value.ALLOW_NO_ROW_SECURITY,
    },
    publicUrl: value.PUBLIC_URL?.replace(/\/$/, ''),
    taxHosts: value.TAX_HOSTS.map((host) => host.toLowerCase()),
    corsOrigins: value.CORS_ORIGINS,
    trustedProxies: value.TRUSTED_PROXIES,
    adminToken: value.ADMIN_TOKEN,
    demoData: given.DEMO_DATA === undefined ? value.DATABASE_URL === undefined : value.DEMO_DATA,
    signingSecret: value.SIGNING_SECRET,
    sealingSecrets: value.SEALING_SECRETS,
    worker: value.WORKER,
    drainSeconds: value.DRAIN_SECONDS,
    logLevel: value.LOG_LEVEL,
    webhookAllowPrivate: value.WEBHOOK_ALLOW_PRIVATE,
    connectorPrivateHosts: value.CONNECTOR_PRIVATE_HOSTS,
    sourceTimes: {
      callMs: value.SOURCE_CALL_SECONDS * 1_000,
      pageMs: value.SOURCE_PAGE_SECONDS * 1_000,
      runMs: value.SOURCE_RUN_SECONDS * 1_000,
    },
    connectorOauthClients: value.CONNECTOR_OAUTH_CLIENTS,
    rateLimitPerMinute: value.RATE_LIMIT_PER_MINUTE,
    rateLimitBurst: value.RATE_LIMIT_BURST,
    failedAuthLimit: value.FAILED_AUTH_LIMIT,
    quotas: {
      megabytes: value.QUOTA_MEGABYTES,
      rawMegabytes: value.QUOTA_RAW_MEGABYTES,
      companies: value.QUOTA_COMPANIES,
      connections: value.QUOTA_CONNECTIONS,
      keys: value.QUOTA_KEYS,
      batches: value.QUOTA_BATCHES,
    },
    introspection: value.INTROSPECTION,
    trustedDocuments: value.TRUSTED_DOCUMENTS,
    federation: value.FEDERATION,
    retention: {
      syncDays: value.SYNC_RETENTION_DAYS,
      jobDays: value.JOB_RETENTION_DAYS,
      eventDays: value.EVENT_RETENTION_DAYS,
      deliveryDays: value.DELIVERY_RETENTION_DAYS,
      idempotencyKeyDays: value.IDEMPOTENCY_KEY_RETENTION_DAYS,
      inboxFileDays: value.INBOX_FILE_RETENTION_DAYS,
      rawDataDays: value.RAW_DATA_RETENTION_DAYS,
      importJobDays: value.IMPORT_JOB_RETENTION_DAYS,
      auditDays: value.AUDIT_RETENTION_DAYS,
      requestDays: value.REQUEST_RETENTION_DAYS,
      deletedRecordDays: value.DELETED_RECORD_RETENTION_DAYS,
    },
    oidcIssuer: value.OIDC_ISSUER,
    oidcAudience: value.OIDC_AUDIENCE,
    oidcOperator:
      value.OIDC_OPERATOR_VALUE === undefined ? undefined : { name: value.OIDC_OPERATOR_CLAIM, value: value.OIDC_OPERATOR_VALUE },
    viesUrl: value.VIES_URL,
    geocoderUrl: value.GEOCODER_URL,
    geocoderPolicy: value.GEOCODER_POLICY ?? (value.GEOCODER_URL ? 'embedded_then_upstream' : 'embedded'),
    programs: readPrograms(value.CONNECTORS_FILE, given.PATH ?? '/usr/local/bin:/usr/bin:/bin'),
  };
}

/** The URL of a PostgreSQL that an option gives, with what the environment adds to it. */
export function readDatabaseUrl(option: string, given: string, environment: Record<string, string | undefined> = process.env): string {
  const url = completeUrl(given, environment);
  const issue = urlIssue(url);
  if (issue !== undefined) throw new ConfigError(`${option} ${issue}`);
  return url;
}

/** The configuration; prints what is invalid and ends the process with status 1 otherwise. */
export function configOrExit(): Config {
  for (const [name, meant] of unknownSettings())
    console.error(`${name} is not a setting of the gateway and has no effect${meant ? `; ${meant} may be meant` : ''}.`);
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The settings are invalid:\n${error.message.replaceAll(/^/gm, '  ')}`);
    process.exit(1);
  }
}

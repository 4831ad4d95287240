// The settings. This file alone reads the environment; it reports all invalid settings at once, by name.
import { z } from 'zod';

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

/** Which geocoder answers: the embedded one, the one at GEOCODER_URL, or the second when the first is unsure or fails. */
export const geocoderPolicies = ['embedded', 'upstream', 'embedded_then_upstream', 'upstream_then_embedded'] as const;

export type GeocoderPolicy = (typeof geocoderPolicies)[number];

/** A hundred years. */
const MOST_DAYS = 36_525;

const settings = z
  .object({
    PORT: whole(4000, 0, 65_535),
    HOST: z.string().min(1).default('127.0.0.1'),
    DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
    DATA_DIR: z.string().min(1).default('./data'),
    DATABASE_REPLICA_URLS: list,
    DATABASE_POOL_MAX: whole(10, 1, 500),
    DATABASE_ALLOW_CREATE: flag(false),
    DATABASE_ALLOW_NEWER_SCHEMA: flag(false),
    DATABASE_ALLOW_NO_ROW_SECURITY: flag(false),
    PUBLIC_URL: url(['http:', 'https:']).optional(),
    TAX_HOSTS: list,
    CORS_ORIGINS: list,
    TRUSTED_PROXIES: whole(0, 0, 10),
    ADMIN_TOKEN: z.string().min(24, 'must have at least 24 characters').optional(),
    DEMO_DATA: flag(true),
    SIGNING_SECRET: z.string().min(24, 'must have at least 24 characters').optional(),
    WORKER: flag(true),
    DRAIN_SECONDS: whole(5, 0, 300),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be one of fatal, error, warn, info, debug, trace, silent')
      .default('info'),
    WEBHOOK_ALLOW_PRIVATE: flag(false),
    RATE_LIMIT_PER_MINUTE: whole(6_000, 0, 10_000_000),
    RATE_LIMIT_BURST: whole(1_000, 0, 1_000_000),
    FAILED_AUTH_LIMIT: whole(20, 0, 1_000_000),
    INTROSPECTION: flag(true),
    RETENTION_SYNC_DAYS: whole(90, 0, MOST_DAYS),
    RETENTION_INBOX_FILE_DAYS: whole(90, 0, MOST_DAYS),
    RETENTION_IMPORT_JOB_DAYS: whole(90, 0, MOST_DAYS),
    RETENTION_OPERATOR_ACTION_DAYS: whole(2_555, 0, MOST_DAYS),
    RETENTION_DELETED_RECORD_DAYS: whole(0, 0, MOST_DAYS),
    OIDC_ISSUER: url(['https:', 'http:']).optional(),
    OIDC_AUDIENCE: z.string().min(1).optional(),
    GEOCODER_URL: url(['https:', 'http:']).optional(),
    GEOCODER_POLICY: z.enum(geocoderPolicies, `must be one of ${geocoderPolicies.join(', ')}`).optional(),
  })
  .refine((given) => given.GEOCODER_URL !== undefined || (given.GEOCODER_POLICY ?? 'embedded') === 'embedded', {
    path: ['GEOCODER_POLICY'],
    message: 'needs GEOCODER_URL',
  })
  .refine((given) => given.OIDC_ISSUER === undefined || given.OIDC_AUDIENCE !== undefined, {
    path: ['OIDC_AUDIENCE'],
    message: 'is needed with OIDC_ISSUER: a token that is meant for another service must not open this one',
  });

/** The number of days after which ended work and old entries are removed; 0 means never. */
export interface Retention {
  syncDays: number;
  inboxFileDays: number;
  importJobDays: number;
  operatorActionDays: number;
  deletedRecordDays: number;
}

/** The settings as the program uses them; `.env.example` documents their meaning, unit and default. */
export interface Config {
  port: number;
  host: string;
  databaseUrl: string | undefined;
  dataDir: string;
  replicaUrls: string[];
  poolMax: number;
  databaseAllow: { create: boolean; newerSchema: boolean; noRowSecurity: boolean };
  publicUrl: string | undefined;
  taxHosts: string[];
  corsOrigins: string[];
  trustedProxies: number;
  adminToken: string | undefined;
  demoData: boolean;
  signingSecret: string | undefined;
  worker: boolean;
  drainSeconds: number;
  logLevel: string;
  webhookAllowPrivate: boolean;
  rateLimitPerMinute: number;
  rateLimitBurst: number;
  failedAuthLimit: number;
  introspection: boolean;
  retention: Retention;
  oidcIssuer: string | undefined;
  oidcAudience: string | undefined;
  geocoderUrl: string | undefined;
  geocoderPolicy: GeocoderPolicy;
}

/** Thrown for invalid settings; the message has one line per setting. */
export class ConfigError extends Error {}

/** A name without case and underscores, which people forget or add. */
const normalised = (name: string): string => name.replaceAll('_', '').toUpperCase();

/** The name and all its variants without one character; two names that share a variant differ by one typing error. */
const typosOf = (name: string): Set<string> => new Set([name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))]);

/** Names in an environment that resemble settings but are none, each with the setting that may be meant; null where only the first word matches. */
export function unknownSettings(environment: Record<string, string | undefined> = process.env): [name: string, meant: string | null][] {
  const known = Object.keys(settings.shape);
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
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('\n'));
  const value = parsed.data;
  return {
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL,
    dataDir: value.DATA_DIR,
    replicaUrls: value.DATABASE_REPLICA_URLS,
    poolMax: value.DATABASE_POOL_MAX,
    databaseAllow: {
      create: value.DATABASE_ALLOW_CREATE,
      newerSchema: value.DATABASE_ALLOW_NEWER_SCHEMA,
      noRowSecurity: value.DATABASE_ALLOW_NO_ROW_SECURITY,
    },
    publicUrl: value.PUBLIC_URL?.replace(/\/$/, ''),
    taxHosts: value.TAX_HOSTS.map((host) => host.toLowerCase()),
    corsOrigins: value.CORS_ORIGINS,
    trustedProxies: value.TRUSTED_PROXIES,
    adminToken: value.ADMIN_TOKEN,
    demoData: given.DEMO_DATA === undefined ? value.DATABASE_URL === undefined : value.DEMO_DATA,
    signingSecret: value.SIGNING_SECRET,
    worker: value.WORKER,
    drainSeconds: value.DRAIN_SECONDS,
    logLevel: value.LOG_LEVEL,
    webhookAllowPrivate: value.WEBHOOK_ALLOW_PRIVATE,
    rateLimitPerMinute: value.RATE_LIMIT_PER_MINUTE,
    rateLimitBurst: value.RATE_LIMIT_BURST,
    failedAuthLimit: value.FAILED_AUTH_LIMIT,
    introspection: value.INTROSPECTION,
    retention: {
      syncDays: value.RETENTION_SYNC_DAYS,
      inboxFileDays: value.RETENTION_INBOX_FILE_DAYS,
      importJobDays: value.RETENTION_IMPORT_JOB_DAYS,
      operatorActionDays: value.RETENTION_OPERATOR_ACTION_DAYS,
      deletedRecordDays: value.RETENTION_DELETED_RECORD_DAYS,
    },
    oidcIssuer: value.OIDC_ISSUER,
    oidcAudience: value.OIDC_AUDIENCE,
    geocoderUrl: value.GEOCODER_URL,
    geocoderPolicy: value.GEOCODER_POLICY ?? (value.GEOCODER_URL ? 'embedded_then_upstream' : 'embedded'),
  };
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

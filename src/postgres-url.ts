// The URL of a PostgreSQL server: the one place that reads it, for every connection of the program. Its parameters have the meaning that libpq documents.
import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';

/** The modes of libpq that say whether the connection is encrypted; the others (`allow`, `prefer`) fall back to plaintext without a word. */
export const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

type SslMode = (typeof SSL_MODES)[number];

/** The parameters that the environment gives where the URL does not, each by the variable of libpq. */
const VARIABLES = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  options: 'PGOPTIONS',
} as const;

/** Every parameter of a URL that has an effect. Any other is rejected, because what it asks for would not happen. */
const PARAMETERS = [...Object.keys(VARIABLES), 'ssl'];

/** What a connection is for, as `pg_stat_activity` shows it where the URL names no application. */
export type Purpose = 'requests' | 'replica reads' | 'replica state' | 'notifications' | 'queue' | 'migrations' | 'start' | 'admin';

const DEFAULT_PORT = 5432;

const isSslMode = (mode: string): mode is SslMode => (SSL_MODES as readonly string[]).includes(mode);

/** Where a parameter with an issue may come from, because the issue names the setting of the URL. */
const source = (name: keyof typeof VARIABLES): string => `${VARIABLES[name]} sets it where the URL does not`;

function modeOf(given: Map<string, string>): SslMode {
  const ssl = given.get('ssl');
  if (ssl !== undefined && ssl !== 'true') throw new Error(`has ssl=${ssl}; use sslmode, which is one of ${SSL_MODES.join(', ')}`);
  const mode = given.get('sslmode') ?? (ssl === undefined ? 'disable' : 'require');
  if (isSslMode(mode)) return mode;
  const why = mode === 'prefer' || mode === 'allow' ? ', which falls back to plaintext without notice' : '';
  throw new Error(`has sslmode=${mode}${why}; it must be one of ${SSL_MODES.join(', ')}. ${source('sslmode')}`);
}

/** The text of a certificate or key. */
function fileOf(given: Map<string, string>, name: 'sslrootcert' | 'sslcert' | 'sslkey'): string | undefined {
  const path = given.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`has ${name}=${path}, a file that cannot be read: ${(error as Error).message}. ${source(name)}`);
  }
}

/** How a connection is encrypted and what the server proves; false without TLS. A socket of the machine needs none, and its server offers none. */
function tlsOf(given: Map<string, string>, host: string): NonNullable<ClientConfig['ssl']> {
  const mode = modeOf(given);
  if (mode === 'disable' || host.startsWith('/')) return false;
  // `system` names the authorities that the program trusts anyway.
  const isSystem = given.get('sslrootcert') === 'system';
  const ca = isSystem ? undefined : fileOf(given, 'sslrootcert');
  const [cert, key] = [fileOf(given, 'sslcert'), fileOf(given, 'sslkey')];
  if ((cert === undefined) !== (key === undefined)) throw new Error('has one of sslcert and sslkey; a client certificate needs both');
  if (isSystem && mode !== 'verify-full') throw new Error(`has sslrootcert=system with sslmode=${mode}; use sslmode=verify-full`);
  if (mode === 'verify-ca' && ca === undefined)
    throw new Error('has sslmode=verify-ca without sslrootcert; name the file of the authority, or use sslmode=verify-full');
  const certificates = { ...(ca === undefined ? {} : { ca }), ...(cert === undefined ? {} : { cert, key: key! }) };
  // With an authority, `require` verifies it, as libpq does.
  if (mode === 'require' && ca === undefined) return { ...certificates, rejectUnauthorized: false };
  // The driver passes no host to the check of a certificate where it is an address.
  return mode === 'verify-full' ? { ...certificates, host } : { ...certificates, checkServerIdentity: () => undefined };
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('has a % that encodes nothing; write it as %25');
  }
};

const MAX_CONNECT_SECONDS = 600;

/** How long opening a connection may take, in milliseconds; undefined leaves it to the purpose of the connection. */
function connectMs(given: Map<string, string>): number | undefined {
  const seconds = given.get('connect_timeout');
  if (seconds === undefined) return undefined;
  if (!/^[1-9]\d{0,2}$/.test(seconds) || Number(seconds) > MAX_CONNECT_SECONDS)
    throw new Error(
      `has connect_timeout=${seconds}; it must be a whole number of seconds from 1 to ${MAX_CONNECT_SECONDS}. ${source('connect_timeout')}`,
    );
  return Number(seconds) * 1_000;
}

/** Where a URL leads and how, as the driver takes it. Throws with what is wrong with the URL, to follow its name. */
function readUrl(url: string) {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('must be a URL starting with postgres:// or postgresql://');
  if (!URL.canParse(url))
    throw new Error(
      'cannot be read as postgres://user:password@host:5432/name, or for a socket postgres://user@/name?host=/directory; special characters of user and password are written as %40 for @, %2F for /, %23 for #',
    );
  const address = new URL(url);
  const given = new Map(address.searchParams);
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new Error(`has the parameter ${unknown}, which has no effect; it may have ${PARAMETERS.join(', ')}`);
  const host = decoded(address.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = decoded(address.pathname.slice(1));
  if (database === '') throw new Error('names no database');
  const connectionTimeoutMillis = connectMs(given);
  return {
    host,
    port: Number(address.port || DEFAULT_PORT),
    user: decoded(address.username),
    password: decoded(address.password),
    database,
    ssl: tlsOf(given, host),
    ...(connectionTimeoutMillis === undefined ? {} : { connectionTimeoutMillis }),
    applicationName: given.get('application_name'),
    options: given.get('options'),
  };
}

/** The options of a connection to a URL, with further ones of the driver. Where both set an option of the session, the program's wins. */
export function connectionOptions<T extends ClientConfig>(url: string, purpose: Purpose, settings?: T) {
  const { options, applicationName = `ledger-gateway ${purpose}`, ...read } = readUrl(url);
  const session = [options, settings?.options].filter((part) => part !== undefined).join(' ');
  return { ...settings, ...read, application_name: applicationName, ...(session === '' ? {} : { options: session }) };
}

/** Whether two URLs lead to the same database, by what they say; false for one that cannot be used. */
export function isSameDatabase(one: string, other: string): boolean {
  if (urlIssue(one) !== undefined || urlIssue(other) !== undefined) return false;
  const [first, second] = [readUrl(one), readUrl(other)];
  return first.host === second.host && first.port === second.port && first.database === second.database;
}

/** The name of the database that a URL leads to. */
export const databaseOf = (url: string): string => readUrl(url).database;

/** What is wrong with a URL, to follow its name; undefined for one that can be used. */
export function urlIssue(url: string): string | undefined {
  try {
    readUrl(url);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A URL with its server in front of its parameters, among which libpq takes it too: `postgres://user@/name?host=/run/postgresql`. */
function withServerInFront(url: string): string {
  const [, user, server, path = '', query] = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(\/[^?]*)?\?(.*)$/.exec(url) ?? [];
  const given = new URLSearchParams(query);
  const [, ownHost, ownPort] = /^(\[.*\]|[^:]*)(?::(.*))?$/.exec(server ?? '')!;
  const [host, port] = [given.get('host'), given.get('port') ?? ownPort];
  if (host === null && !given.has('port')) return url;
  given.delete('host');
  given.delete('port');
  const place = host === null ? ownHost : host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  return `${user}${place}${port ? `:${port}` : ''}${path}?${given}`;
}

/** A URL in the one form that the program reads: its server in front, and what it leaves to the environment added. */
export function completeUrl(given: string, environment: Record<string, string | undefined>): string {
  const url = withServerInFront(given);
  if (!URL.canParse(url)) return url;
  const { searchParams } = new URL(url);
  const left = Object.entries(VARIABLES).filter(
    ([name, variable]) => environment[variable] && !searchParams.has(name) && !(name === 'sslmode' && searchParams.has('ssl')),
  );
  const words = left.map(([name, variable]) => `${name}=${encodeURIComponent(environment[variable]!)}`);
  return words.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${words.join('&')}`;
}

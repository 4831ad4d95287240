// The URL of a PostgreSQL server: the one place that reads it, for every connection of the program. Its parameters have the meaning that libpq documents.
import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';

/** The modes of libpq that say whether the connection is encrypted; the others (`allow`, `prefer`) fall back to plaintext without a word. */
export const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

type SslMode = (typeof SSL_MODES)[number];

/** The parameters of TLS, and the environment variable that gives each where the URL does not, as with libpq. */
const TLS_VARIABLES = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' } as const;

/** Every parameter of a URL that has an effect; another one is refused, because what it asks for would not happen. */
const PARAMETERS = [...Object.keys(TLS_VARIABLES), 'ssl', 'application_name', 'options'];

const DEFAULT_PORT = 5432;

const isSslMode = (mode: string): mode is SslMode => (SSL_MODES as readonly string[]).includes(mode);

function modeOf(given: Map<string, string>): SslMode {
  const ssl = given.get('ssl');
  if (ssl !== undefined && ssl !== 'true') throw new Error(`has ssl=${ssl}; use sslmode, which is one of ${SSL_MODES.join(', ')}`);
  const mode = given.get('sslmode') ?? (ssl === undefined ? 'disable' : 'require');
  if (isSslMode(mode)) return mode;
  const why = mode === 'prefer' || mode === 'allow' ? ', which falls back to plaintext without notice' : '';
  throw new Error(`has sslmode=${mode}${why}; it must be one of ${SSL_MODES.join(', ')}`);
}

/** The text of a certificate or key. */
function fileOf(given: Map<string, string>, name: string): string | undefined {
  const path = given.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`has ${name}=${path}, a file that cannot be read: ${(error as Error).message}`);
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

/** Where a URL leads and how, as the driver takes it. Throws with what is wrong with the URL, to follow its name. */
function readUrl(url: string) {
  const address = new URL(url);
  const given = new Map(address.searchParams);
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw new Error(`has the parameter ${unknown}, which has no effect; it may have ${PARAMETERS.join(', ')}`);
  const host = decoded(address.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = decoded(address.pathname.slice(1));
  if (database === '') throw new Error('names no database');
  const applicationName = given.get('application_name');
  return {
    host,
    port: Number(address.port || DEFAULT_PORT),
    user: decoded(address.username),
    password: decoded(address.password),
    database,
    ssl: tlsOf(given, host),
    ...(applicationName === undefined ? {} : { application_name: applicationName }),
    options: given.get('options'),
  };
}

/** The options of a connection to a URL, with further ones of the driver. Where both set an option of the session, the program's wins. */
export function connectionOptions<T extends ClientConfig>(url: string, settings?: T) {
  const { options, ...read } = readUrl(url);
  const session = [options, settings?.options].filter((part) => part !== undefined).join(' ');
  return { ...settings, ...read, ...(session === '' ? {} : { options: session }) };
}

/** What is wrong with a URL, to follow its name; undefined for one that can be used. */
export function urlIssue(url: string): string | undefined {
  try {
    readUrl(url);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A URL with what it leaves to the environment. */
export function withEnvironment(url: string, environment: Record<string, string | undefined>): string {
  if (!URL.canParse(url)) return url;
  const { searchParams } = new URL(url);
  const left = Object.entries(TLS_VARIABLES).filter(
    ([name, variable]) => environment[variable] && !searchParams.has(name) && !(name === 'sslmode' && searchParams.has('ssl')),
  );
  const words = left.map(([name, variable]) => `${name}=${encodeURIComponent(environment[variable]!)}`);
  return words.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${words.join('&')}`;
}

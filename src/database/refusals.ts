// Errors of a server while a process starts, as operators read them: the setting to look at, the message of the server, and what to do.
import { connectionOptions } from '../postgres-url.ts';
import { type DatabaseError, databaseError, messageOf } from './errors.ts';

interface Place {
  user: string;
  database: string;
}

const INCOMPLETE =
  'An incomplete restore or the tables of another program leave a database like this. Restore the whole backup into an empty database, or use another empty one';

/** What to do, by what the code, the message and the detail of an error say; the first that applies counts. */
const REMEDIES: readonly [says: RegExp, remedy: (place: Place, match: RegExpExecArray) => string][] = [
  [
    /^(ECONN|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOENT|EACCES)/,
    () => 'Check host and port, and that the server runs and can be reached from here',
  ],
  [
    /pg_hba\.conf/,
    () => 'Allow the connection in pg_hba.conf; a server that takes only encrypted connections needs sslmode=verify-full in the URL',
  ],
  [/does not support SSL/, () => 'Turn on ssl at the server, or leave out sslmode where the network is trusted'],
  [
    /certificate|self-signed|altnames/i,
    () => 'Name the certificate of its authority by sslrootcert, and as the host a name that the certificate of the server is for',
  ],
  [/^28/, () => 'Check user and password of the URL, and that the role may log in'],
  [
    /CONNECT privilege/,
    ({ user, database }) => `Have an administrator of the server run: grant connect on database "${database}" to "${user}"`,
  ],
  [
    /^3D000|denied to create database/,
    ({ user, database }) => `Check the name, or have an administrator of the server run: create database "${database}" owner "${user}"`,
  ],
  [
    /not currently accepting/,
    ({ database }) => `Have an administrator of the server run: alter database "${database}" allow_connections true`,
  ],
  [
    /^53300/,
    () =>
      'Lower DATABASE_POOL_MAX of the processes, or raise max_connections of the server or the connection limit of the role or the database',
  ],
  [/^57P0/, () => 'Start again once the server is up'],
  [/^25006/, () => 'It takes no writes, as a standby does. Name the primary'],
  [/^3F000/, ({ user }) => `Have an administrator of the database run: create schema if not exists public authorization "${user}"`],
  [
    /denied for schema "?(\w+)/,
    ({ user }, [, schema]) => `Have an administrator of the database run: alter schema ${schema} owner to "${user}"`,
  ],
  [
    /denied (for database|to create extension)/,
    ({ user, database }) => `Have an administrator of the server run: grant create on database "${database}" to "${user}"`,
  ],
  [
    /^42501/,
    ({ user }) =>
      `What is in the database belongs to another role. Connect with that role, or have an administrator run: reassign owned by OWNER to "${user}"`,
  ],
  [
    /extension control file|extension "\w+" is not available/,
    () => 'Install the contrib modules of PostgreSQL at the server: pg_trgm and btree_gin',
  ],
  [/^(42P07|42710|42701|42P06|42P01|42703|42P16)/, () => INCOMPLETE],
  [/^(55P03|40P01)/, () => 'Transactions that run for long hold its tables. Find them in pg_stat_activity, end them, and start again'],
];

/** Where a setting leads, without the credentials. */
const placeWords = (url: string): string => {
  const { host, port, database } = connectionOptions(url, 'start');
  return `${host.startsWith('/') ? host : `${host || 'localhost'}:${port}`}, database ${database}`;
};

/** What the driver reports without a code: by its message, and the code that PostgreSQL or the socket has for it. */
const WITHOUT_CODE: readonly [says: RegExp, code: string][] = [
  [/timeout|terminated unexpectedly/, 'ETIMEDOUT'],
  [/client password/, '28P01'],
  [/support SSL|certificate|self-signed/i, ''],
];

function foundIn(error: unknown): DatabaseError | undefined {
  // A host name with several addresses has an error for each.
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const found = databaseError(first ?? error);
  if (found) return found;
  const { message = '' } = (first ?? error) as Error;
  const known = WITHOUT_CODE.find(([says]) => says.test(message));
  return known && { code: known[1], message };
}

/** An error that names the setting, the place and the remedy; an error of another kind as it is. */
function refusal(error: unknown, setting: string, url: string): Error {
  const found = foundIn(error);
  if (!found) return error as Error;
  const { user, database } = connectionOptions(url, 'start');
  const text = [found.code, found.message, found.detail].filter(Boolean).join(' ');
  const remedy = REMEDIES.map(([says, words]) => {
    const match = says.exec(text);
    return match && words({ user, database }, match);
  }).find((words) => words !== null);
  // One that names a migration has what the server reports as its cause.
  const own = (error as Error).message;
  const words = own === '' ? messageOf(found) : own.split('\n', 1)[0];
  return new Error(`${setting} leads to ${placeWords(url)}: ${words}. ${remedy ?? 'The log of the server says more'}`, { cause: error });
}

/** Throws an error of the server that a setting leads to in these words. Undefined without a URL: no setting leads to the embedded database. */
export const refusing = (setting: string, url: string | undefined): ((error: unknown) => never) | undefined =>
  url === undefined
    ? undefined
    : (error) => {
        throw refusal(error, setting, url);
      };

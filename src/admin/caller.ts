// Calls the running gateway, with the admin token or an organisation's key; an error response is printed and ends the program.
import type { Command } from 'commander';

interface GraphQLResponse<T> {
  /** Absent where there are errors. */
  data: T;
  errors?: { message: string }[];
}

interface RestResponse<T> {
  /** Absent where the status says that the request failed. */
  data: T;
  message?: string;
}

/** Ways to call the gateway. */
export interface Caller {
  /** Runs an operation with the admin token. */
  asAdmin<T>(query: string, variables: Record<string, unknown>): Promise<T>;
  /** Runs an operation with the key of `--key`. */
  withKey<T>(query: string, variables: Record<string, unknown>): Promise<T>;
  /** Runs an operation with the key of `--key`, or else with the admin token. */
  withEither<T>(query: string, variables: Record<string, unknown>): Promise<T>;
  /** Sends a REST request of the platform API with the key of `--key`; returns the `data` of the response. */
  rest<T>(method: string, path: string, body?: FormData): Promise<T>;
}

/** Makes the caller from the options `--url`, `--token` and `--key`. */
export function callerOf(program: Command): Caller {
  const options = () => program.opts<{ url: string; token?: string; key?: string }>();
  const send = (path: string, init: RequestInit): Promise<Response> => {
    const { url } = options();
    return fetch(url + path, init).catch(() => program.error(`no gateway responds at ${url}`));
  };
  const key = (): string => options().key ?? program.error('no key: give --key with a key of the organisation');
  const run = async <T>(credential: string, query: string, variables: Record<string, unknown>): Promise<T> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` };
    const response = await send('/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const result = (await response.json()) as GraphQLResponse<T>;
    if (result.errors) program.error(result.errors.map((error) => error.message).join('\n'));
    return result.data;
  };
  const token = (): string => options().token ?? program.error('no token: set ADMIN_TOKEN or give --token');
  return {
    asAdmin: (query, variables) => run(token(), query, variables),
    withEither: (query, variables) => run(options().key ?? token(), query, variables),
    withKey: (query, variables) => run(key(), query, variables),
    rest: async <T>(method: string, path: string, body?: FormData) => {
      const response = await send(path, { method, headers: { authorization: `Bearer ${key()}` }, ...(body ? { body } : {}) });
      const result = (await response.json()) as RestResponse<T>;
      if (!response.ok) program.error(result.message ?? `the gateway returned ${response.status}`);
      return result.data;
    },
  };
}

// How the checks reach Tryton: the connector as the gateway opens it, and calls of their own that share nothing with it.
import type { Connector, ConnectorSession, Json, SourceHttp, SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import { openSourceHttp } from '../../../src/integrations/connectors/source-http.ts';
import { tryton } from '../../../src/integrations/connectors/tryton/tryton.ts';
import type { TrytonServer } from './server.ts';

const running = new AbortController();

/** The gateway's way out. */
export const { http } = openSourceHttp({ privateHosts: ['127.0.0.1'], signal: running.signal, now: () => new Date() });

/** A connector of a new run, with other settings or another way out where they are given. */
export function connect(
  { url, database, user, password }: Pick<TrytonServer, 'url' | 'database' | 'user' | 'password'>,
  settings: Record<string, string> = {},
  way: SourceHttp = http,
  more: Pick<ConnectorSession, 'wantsRaw' | 'customFields'> = {},
): Connector {
  const session: ConnectorSession = {
    company: { organisationId: 1, ledgerId: 1, integrationType: tryton.source },
    settings: { url, database, user, password, ...settings },
    http: way,
    signal: running.signal,
    ...more,
  };
  return tryton.open(session);
}

/** What one run of a pull brings. */
export interface Pulled {
  records: SourceRecord[];
  deleted: string[];
  cursor: Json;
  pages: number;
}

/** Pulls a data model to the end of the run. */
export async function pull(connector: Connector, dataModel: string, cursor: Json = null, isFull = cursor === null): Promise<Pulled> {
  const pulled: Pulled = { records: [], deleted: [], cursor, pages: 0 };
  for await (const page of connector.pull({ dataModel, cursor, since: null, isFull })) {
    pulled.records.push(...page.records);
    pulled.deleted.push(...(page.deleted ?? []));
    // As it is after the database has stored it.
    pulled.cursor = JSON.parse(JSON.stringify(page.cursor)) as Json;
    pulled.pages += 1;
  }
  return pulled;
}

/** Calls of the checks themselves. */
export class Rpc {
  readonly #server: TrytonServer;
  #login: { authorization: string; context: Record<string, unknown> } | undefined;

  constructor(server: TrytonServer) {
    this.#server = server;
  }

  /** The result of a method of a model, such as `party.party.write`. Throws what Tryton returns as an error. */
  call(method: string, ...params: unknown[]): Promise<unknown> {
    return this.callIn({}, method, ...params);
  }

  /** The same with a context besides that of the user, by which reports know their days. */
  async callIn(context: object, method: string, ...params: unknown[]): Promise<unknown> {
    this.#login ??= await this.#open();
    return this.#send(`model.${method}`, [...params, { ...this.#login.context, ...context }], this.#login.authorization);
  }

  async #open() {
    const { user, password } = this.#server;
    const [id, key] = (await this.#send('common.db.login', [user, { password }, 'en'])) as [number, string];
    const authorization = `Session ${Buffer.from(`${user}:${id}:${key}`).toString('base64')}`;
    const context = (await this.#send('model.res.user.get_preferences', [true, {}], authorization)) as Record<string, unknown>;
    return { authorization, context };
  }

  async #send(method: string, params: unknown[], authorization?: string): Promise<unknown> {
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
    const body = JSON.stringify({ id: 1, method, params });
    const response = await fetch(`${this.#server.url}/${this.#server.database}/`, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }
}

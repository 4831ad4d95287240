// The built gateway as a process of its own on a PostgreSQL database, which checks kill and start again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';

const root = join(import.meta.dirname, '../../..');
const ADMIN_TOKEN = 'admin-token-of-a-gateway-that-is-killed';
const START_MS = 120_000;

// biome-ignore lint/suspicious/noExplicitAny: checks look into responses by path.
type Body = any;

/** A gateway that loses its process and keeps its database. */
export class GatewayProcess {
  readonly #database: string;
  readonly #pool: pg.Pool;
  #child: ChildProcess | undefined;
  #origin = '';
  #key = '';

  constructor(database: string) {
    this.#database = database;
    this.#pool = new pg.Pool({ connectionString: database, max: 2 });
  }

  /** Starts the process and waits until it listens. */
  async start(): Promise<void> {
    const child = spawn('node', ['dist/bundle/main.js'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: this.#database,
        HOST: '127.0.0.1',
        PORT: '0',
        ADMIN_TOKEN,
        DEMO_DATA: 'false',
        LOG_LEVEL: 'error',
        RATE_LIMIT_PER_MINUTE: '0',
        RATE_LIMIT_BURST: '0',
        CONNECTOR_PRIVATE_HOSTS: '127.0.0.1',
      },
    });
    this.#child = child;
    this.#origin = await new Promise((resolve, reject) => {
      let output = '';
      const timer = setTimeout(() => reject(new Error(`the gateway did not start:\n${output}`)), START_MS);
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const [, address] = /listening on (\S+:\d+)/.exec(output) ?? [];
          if (!address) return;
          clearTimeout(timer);
          resolve(`http://${address}`);
        });
      child.once('exit', () => reject(new Error(`the gateway ended:\n${output}`)));
    });
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.#child!.kill('SIGKILL');
    await once(this.#child!, 'exit');
  }

  async stop(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.kill('SIGKILL')) await once(this.#child, 'exit');
    await this.#pool.end();
  }

  async issueKey(): Promise<void> {
    const query = 'mutation { issueAccessKey(input: { organisationName: "Orchard", roles: [INTEGRATIONS] }) { key } }';
    this.#key = ADMIN_TOKEN;
    this.#key = (await this.graphql(query)).issueAccessKey.key;
  }

  async sql<T>(statement: string, values: unknown[] = []): Promise<T[]> {
    return (await this.#pool.query(statement, values)).rows as T[];
  }

  /** The body of a response. Throws where the gateway rejects, or ends before it has responded. */
  async rest(method: string, path: string, body?: unknown): Promise<Body> {
    return this.#send(method, `/v4/core${path}`, body, { api_key: this.#key });
  }

  /** The data of a response. Throws where it has errors. */
  async graphql(query: string, variables: Record<string, unknown> = {}): Promise<Body> {
    const { data, errors } = await this.#send('POST', '/graphql', { query, variables }, { authorization: `Bearer ${this.#key}` });
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  }

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Body> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
}

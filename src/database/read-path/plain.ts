// The plain read paths: reads over the drivers' published interfaces alone.
import type { PGlite } from '@electric-sql/pglite';
import type { CustomTypesConfig, Pool, QueryArrayConfig } from 'pg';
import { DataRows, type TextRow } from './data-rows.ts';
import type { Pooled, ReadPath, ReadValues, Statement } from './read-path.ts';
import { SET_IN_TRANSACTION } from './session.ts';

const asIs = (text: string): string => text;

const asText: CustomTypesConfig = { getTypeParser: () => asIs };

/** Reads of PostgreSQL over the driver's own prepared queries. */
export class PlainPostgresReads implements ReadPath {
  readonly #pool: Pool;
  readonly #pooled: Pooled | undefined;
  readonly #textOf = new Map<string, string>();

  constructor(pool: Pool, pooled?: Pooled) {
    this.#pool = pool;
    this.#pooled = pooled;
  }

  async query({ name, text }: Statement, values: ReadValues): Promise<DataRows> {
    if (!this.#textOf.has(name)) this.#textOf.set(name, text);
    // The driver rejects another text under a name, so such a text runs without one and is planned at every run.
    const isNamed = this.#textOf.get(name) === text && this.#pooled?.keepsStatements !== false;
    const query = { ...(isNamed ? { name } : {}), text, values: [...values], rowMode: 'array' as const, types: asText };
    return DataRows.of(await (this.#pooled ? this.#inTransaction(query) : this.#send(this.#pool, query)));
  }

  async #send(to: Pick<Pool, 'query'>, query: QueryArrayConfig): Promise<TextRow[]> {
    return (await to.query<TextRow>(query)).rows;
  }

  /** The session of a pooled connection lasts as long as a transaction. */
  async #inTransaction(query: QueryArrayConfig): Promise<TextRow[]> {
    const client = await this.#pool.connect();
    try {
      await client.query(`begin; ${SET_IN_TRANSACTION}`);
      const rows = await this.#send(client, query);
      await client.query('commit');
      client.release();
      return rows;
    } catch (error) {
      // Its transaction is not over, so the connection is closed.
      client.release(true);
      throw error;
    }
  }
}

/** Reads of the embedded database over its own query, which parses and plans at every run. */
export class PlainEmbeddedReads implements ReadPath {
  readonly #client: PGlite;
  readonly #asText: Record<string, typeof asIs>;

  constructor(client: PGlite) {
    this.#client = client;
    // The driver has no general parser: it returns the text of types that it has no parser for.
    const types = [...Object.keys(client.parsers), ...Object.keys(client.serializers)];
    this.#asText = Object.fromEntries(types.map((type) => [type, asIs]));
  }

  async query({ text }: Statement, values: ReadValues): Promise<DataRows> {
    const options = { rowMode: 'array', parsers: this.#asText, serializers: this.#asText } as const;
    const { rows } = await this.#client.query<TextRow>(text, [...values], options);
    return DataRows.of(rows);
  }
}

// What a read path is: how prepared reads reach one database.
import type { DataRows } from './data-rows.ts';

/** A prepared read. The database parses and plans it once per connection. The same name may come with another text later. */
export interface Statement {
  name: string;
  text: string;
  /**
   * Planned with the values of each run, where the path can do so. It is for statements that read so much that a plan without values costs more than
   * planning.
   */
  isReplanned?: boolean;
}

/** Values of a statement's numbered parameters, as the database's text; null for NULL. */
export type ReadValues = readonly (string | null)[];

/** A pooler in transaction mode between us and the database: a read brings the settings of its session along. */
export interface Pooled {
  /** Whether the pooler keeps prepared statements; otherwise each read is parsed and planned again. */
  keepsStatements: boolean;
}

/** Runs prepared reads on one database, outside any transaction. A read that got no response may be sent again. */
export interface ReadPath {
  /** Rejected with the database's error, whose `code` is its SQLSTATE, or with the driver's when the database cannot be reached. */
  query(statement: Statement, values: ReadValues): Promise<DataRows>;
}

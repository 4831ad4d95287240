// A prepared statement for the pg driver that keeps the wire's text: no description of the columns is asked for, none is parsed, no value is converted.
import type { Connection, Submittable } from 'pg';

/** A row as it came over the wire: the text of each column, null for NULL. */
export type TextRow = (string | null)[];

/** What the driver's connection offers beyond its published types. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string; types: undefined }): void;
  bind(message: { statement: string; values: readonly (string | null)[] }): void;
  execute(message: object): void;
  sync(): void;
}

/** One run of a named statement. Describing its result again for every run cost a small read 5 % of its time in the server. */
export class TextQuery implements Submittable {
  readonly name: string;
  readonly text: string;
  readonly #values: readonly (string | null)[];
  readonly rows: TextRow[] = [];
  /** Set by the pool. */
  callback: ((error: Error | null, result?: this) => void) | undefined;

  constructor(name: string, text: string, values: readonly (string | null)[]) {
    this.name = name;
    this.text = text;
    this.#values = values;
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    // Corked, the messages leave in one packet.
    wire.stream.cork();
    if (!wire.parsedStatements[this.name]) wire.parse({ name: this.name, text: this.text, types: undefined });
    wire.bind({ statement: this.name, values: this.#values });
    wire.execute({});
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.(null, this);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

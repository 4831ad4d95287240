// Gathers the records of a run into pages, each with the last state that covers no record after it.
import type { Json, SourcePage, SourceRecord } from '../connector.ts';
import type { Mapped } from './expressions.ts';

/** Records of a page, and bytes of the lines they came in: a page is stored in one transaction. */
const MAX_RECORDS = 200;
const MAX_BYTES = 8 * 1024 * 1024;

/** Streams without a mapping that are counted by name, the characters of a name, and the name for all others. */
const MAX_STREAMS = 50;
const MAX_NAME = 200;
const OTHERS = 'others';

const idOf = (record: SourceRecord): string => String(record.platform_id);

/** The page that is being collected. */
export class Pages {
  #records: SourceRecord[] = [];
  #deleted = new Set<string>();
  #bytes = 0;
  #state: Json | undefined;
  #isStateNew = false;
  readonly #leftOut = new Map<string, number>();
  #isLeftOutNew = false;

  /** Whether these have to wait for the next page: a page does not say which of a record and its deletion came first. */
  mustWait({ records, deleted }: Mapped): boolean {
    if (this.#deleted.size > 0 && records.some((record) => this.#deleted.has(idOf(record)))) return true;
    return deleted.length > 0 && this.#records.some((record) => deleted.includes(idOf(record)));
  }

  add({ records, deleted }: Mapped, bytes: number): void {
    this.#records.push(...records);
    for (const id of deleted) this.#deleted.add(id);
    this.#bytes += bytes;
  }

  /** Takes a state that covers every record added so far. */
  reach(state: Json): void {
    this.#state = state;
    this.#isStateNew = true;
  }

  /** Counts a record of a stream that the mapping does not know. */
  leaveOut(stream: string): void {
    const short = stream.slice(0, MAX_NAME);
    const name = this.#leftOut.has(short) || this.#leftOut.size < MAX_STREAMS ? short : OTHERS;
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + 1);
    this.#isLeftOutNew = true;
  }

  /** How many records were left out of each stream, as text; empty for none. */
  get leftOut(): string {
    return [...this.#leftOut].map(([stream, count]) => `${stream} (${count})`).join(', ');
  }

  get isFull(): boolean {
    return this.#records.length + this.#deleted.size >= MAX_RECORDS || this.#bytes >= MAX_BYTES;
  }

  /** Whether something is collected that was not taken: a record, a state, or a count. */
  get hasRest(): boolean {
    return this.#records.length + this.#deleted.size > 0 || this.#isStateNew || this.#isLeftOutNew;
  }

  take(): SourcePage {
    const page: SourcePage = { records: this.#records };
    if (this.#deleted.size > 0) page.deleted = [...this.#deleted];
    if (this.#isStateNew) page.cursor = this.#state!;
    if (this.#isLeftOutNew) page.leftOut = Object.fromEntries(this.#leftOut);
    this.#records = [];
    this.#deleted = new Set();
    this.#bytes = 0;
    this.#isStateNew = false;
    this.#isLeftOutNew = false;
    return page;
  }
}

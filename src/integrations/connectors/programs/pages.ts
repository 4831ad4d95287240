// Gathers the records of a run into pages, each with the last state that covers no record after it.
import type { Json, SourcePage, SourceRecord } from '../connector.ts';
import type { Mapped } from './mapping.ts';

/** Records of a page, and bytes of the lines they came in: a page is stored in one transaction. */
const MOST_RECORDS = 200;
const MOST_BYTES = 8 * 1024 * 1024;

const idOf = (record: SourceRecord): string => String(record.platform_id);

/** The page that is being gathered. */
export class Pages {
  #records: SourceRecord[] = [];
  #deleted = new Set<string>();
  #bytes = 0;
  #state: Json | undefined;
  #isStateNew = false;

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

  get isFull(): boolean {
    return this.#records.length + this.#deleted.size >= MOST_RECORDS || this.#bytes >= MOST_BYTES;
  }

  /** Whether something is gathered that was not taken: a record, or a state. */
  get hasRest(): boolean {
    return this.#records.length + this.#deleted.size > 0 || this.#isStateNew;
  }

  take(): SourcePage {
    const page: SourcePage = { records: this.#records };
    if (this.#deleted.size > 0) page.deleted = [...this.#deleted];
    if (this.#isStateNew) page.cursor = this.#state!;
    this.#records = [];
    this.#deleted = new Set();
    this.#bytes = 0;
    this.#isStateNew = false;
    return page;
  }
}

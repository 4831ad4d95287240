// What the model has stored.
export type Input = Record<string, unknown>;

/** A stored record. References hold keys of the model, because the gateway gives out its numbers later. */
export interface Stored {
  key: number;
  type: string;
  /** Its number and the id of the source, once they are known. */
  id?: number;
  platformId?: string;
  values: Record<string, unknown>;
  parent?: number;
  /** Place among the children of its parent. */
  place: number;
  isDeleted: boolean;
  /** The versions that were read, the last one being the present one. */
  etags: string[];
}

export class Books {
  records: Stored[] = [];
  #next = 1;

  copy(): Books {
    const copy = new Books();
    copy.records = structuredClone(this.records);
    copy.#next = this.#next;
    return copy;
  }

  get(key: unknown): Stored | undefined {
    return this.records.find((record) => record.key === key);
  }

  /** The live record of a number, which is of one of the types. */
  byNumber(names: readonly string[], number: unknown): Stored | undefined {
    return this.records.find(
      (record) => record.id !== undefined && record.id === number && !record.isDeleted && names.includes(record.type),
    );
  }

  live(name: string): Stored[] {
    return this.records.filter(({ type, isDeleted }) => type === name && !isDeleted);
  }

  childrenOf(parent: Stored, name: string): Stored[] {
    return this.live(name)
      .filter((child) => child.parent === parent.key)
      .sort((a, b) => a.place - b.place);
  }

  add(type: string, parent?: Stored): Stored {
    const record: Stored = { key: this.#next++, type, values: {}, place: 0, isDeleted: false, etags: [] };
    if (parent) {
      record.parent = parent.key;
      record.place = Math.max(-1, ...this.childrenOf(parent, type).map(({ place }) => place)) + 1;
    }
    this.records.push(record);
    return record;
  }

  /** Takes back what `add` has added. */
  drop(record: Stored): void {
    this.records.splice(this.records.indexOf(record), 1);
  }

  remove(record: Stored): void {
    record.isDeleted = true;
    for (const child of this.records) if (child.parent === record.key) child.isDeleted = true;
  }
}

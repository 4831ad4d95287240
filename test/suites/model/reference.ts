// What a write does to the books, by the documented semantics. Every write works on a copy of them, so that what is rejected leaves nothing behind.
import type { Books, Input, Stored } from './books.ts';
import { brokenRules } from './rules.ts';
import { type Children, dataModel, parentsOf, type Reference, type Type, typeOf } from './types.ts';

export interface WriteOptions {
  mode: 'create' | 'upsert' | 'update';
  strict: boolean;
  ifMatch?: string | undefined;
  /** The number of the record that an update is of. */
  target?: number | undefined;
}

/** One record of a bulk form or batch. */
export interface Entry extends WriteOptions {
  input: Input;
}

/** The outcome of one record: the key of it, or the codes of which one rejects it. */
export type Outcome = { key: number } | { codes: ReadonlySet<string> };

export const isRefused = (outcome: Outcome): outcome is { codes: ReadonlySet<string> } => 'codes' in outcome;

/** The write of some records of one type. */
class Write {
  readonly books: Books;
  readonly type: Type;
  readonly rejections: Map<number, Set<string>> = new Map();
  /** What each entry names or creates. */
  readonly targets: (Stored | undefined)[] = [];
  #current = 0;
  #before: ReadonlyMap<Stored, string> = new Map();
  #strict = false;
  /** The currencies that had a code before this write. */
  readonly #codes: ReadonlyMap<unknown, number>;
  /** The currencies that it has given a code. */
  readonly #given = new Map<unknown, number>();

  constructor(books: Books, type: Type) {
    this.books = books;
    this.type = type;
    this.#codes = new Map(books.live('Currency').map(({ key, values }) => [values.code, key]));
  }

  refuse(code: string): void {
    const known = this.rejections.get(this.#current) ?? new Set();
    this.rejections.set(this.#current, known.add(code));
  }

  /** Writes all entries; what they refer to may come later among them. */
  run(entries: readonly Entry[]): void {
    const isNew: boolean[] = [];
    const met = new Set<Stored>();
    const ids = new Set<unknown>();
    for (const [index, entry] of entries.entries()) {
      this.#current = index;
      const stored = this.#find(entry);
      const id = entry.mode === 'update' ? entry.target : entry.input.platformId;
      if ((stored && met.has(stored)) || (id != null && ids.has(id))) this.refuse('INVALID_PARAMS');
      ids.add(id);
      isNew[index] = stored === undefined;
      if (this.rejections.has(index)) continue;
      const record = stored ?? this.books.add(this.type.name);
      if (!stored && entry.input.platformId != null) record.platformId = String(entry.input.platformId);
      met.add(record);
      this.targets[index] = record;
    }
    const above = new Map([...met].map((record) => [record, record.values.parentAccountId]));
    this.#before = new Map([...met].map((record) => [record, contentOf(record)]));
    for (const [index, entry] of entries.entries()) {
      this.#current = index;
      this.#strict = entry.strict;
      const record = this.targets[index];
      if (record) this.#fill(record, this.type, entry.input, isNew[index]!);
    }
    // What is rejected for itself closes no circle; the others are tried again without it.
    if (this.rejections.size > 0) return;
    for (const [index, record] of this.targets.entries()) {
      this.#current = index;
      const hasMoved = record && record.values.parentAccountId !== above.get(record);
      if (hasMoved && this.#isCircular(record)) this.refuse('INVALID_PARAMS');
    }
  }

  #isCircular(record: Stored): boolean {
    const seen = new Set<unknown>();
    for (
      let above = this.books.get(record.values.parentAccountId);
      above && !seen.has(above.key);
      above = this.books.get(above.values.parentAccountId)
    ) {
      if (above === record) return true;
      seen.add(above.key);
    }
    return false;
  }

  /** The stored record that an entry is about. */
  #find({ mode, input, ifMatch, target }: Entry): Stored | undefined {
    const { books, type } = this;
    let stored: Stored | undefined;
    if (mode === 'update') {
      stored = books.byNumber([type.name], target);
      if (!stored) this.refuse('RECORD_NOT_FOUND');
      else if (input.platformId != null && input.platformId !== stored.platformId) this.refuse('INVALID_PARAMS');
    } else {
      if (Object.keys(input).length === 0) this.refuse('MISSING_PARAMS');
      stored = this.#match(type, input, this.#parentNamed(input));
      if (stored && mode === 'create') this.refuse('RECORD_ALREADY_EXISTS');
    }
    if (ifMatch !== undefined && !(stored && (ifMatch === '*' || ifMatch === stored.etags.at(-1))) && !(mode === 'update' && !stored))
      this.refuse('STALE_RECORD');
    return stored;
  }

  /** The live record that has the id of the source, within its parent where it is a child, or the code of a currency. */
  #match(type: Type, input: Input, parent?: Stored): Stored | undefined {
    const all = this.books.live(type.name);
    if (input.platformId != null) return all.find((record) => record.platformId === input.platformId && record.parent === parent?.key);
    return type.name === 'Currency' && input.code != null ? all.find((record) => record.values.code === input.code) : undefined;
  }

  /** The parent that a child names, which is written by its own path. */
  #parentNamed(input: Input): Stored | undefined {
    const { parent } = this.type;
    return parent === undefined ? undefined : this.books.byNumber(parentTypes(this.type, input), input[parent]);
  }

  /** Merges the input into a record. */
  #fill(record: Stored, type: Type, input: Input, isNew: boolean): void {
    this.#nest(record, type, input);
    for (const name of Object.keys(type.fields)) {
      if (input[name] !== undefined) record.values[name] = input[name];
      else if (isNew) record.values[name] ??= null;
    }
    if (type.name === 'Currency') this.#checkCode(record, input);
    if (input.currency != null) this.#nestCurrency(record, input);
    else if (input.currency === null) {
      if (input.currencyId != null) this.refuse('INVALID_PARAMS');
      record.values.currencyId = null;
    }
    for (const reference of type.references) this.#refer(record, reference, input, isNew);
    if (this.type.parent !== undefined && type === this.type) this.#place(record, input, isNew);
    for (const children of type.children) this.#replace(record, children, input[children.field]);
    this.#check(record, type, input);
  }

  #checkCode(record: Stored, input: Input): void {
    if (record.values.code == null) this.refuse('MISSING_PARAMS');
    if (input.code == null) return;
    const before = this.#codes.get(input.code);
    const earlier = this.#given.get(input.code) ?? record.key;
    // The record that has the code already may name it too.
    if (before !== undefined && before !== record.key) this.refuse('RECORD_ALREADY_EXISTS');
    else {
      if (earlier !== record.key) this.refuse('INVALID_PARAMS');
      this.#given.set(input.code, earlier);
    }
  }

  /** Creates or updates the contact that a document contains; one with nothing but its id is linked. */
  #nest(record: Stored, type: Type, input: Input): void {
    const reference = type.references.find(({ nested }) => nested);
    if (!reference || input[reference.by] == null) return;
    if (input[reference.id] === null) this.refuse('INVALID_PARAMS');
    const given = input[reference.by] as Input;
    const contact = typeOf(reference.to[0]!);
    const stored = this.#match(contact, given);
    const linked = stored ?? this.books.add(contact.name);
    if (!stored && given.platformId != null) linked.platformId = String(given.platformId);
    this.#fill(linked, contact, given, !stored);
    const number = input[reference.id];
    if (number != null && this.#recordNamed(reference, number, input) !== linked) this.refuse('INVALID_PARAMS');
    record.values[reference.id] = linked.key;
  }

  #nestCurrency(record: Stored, input: Input): void {
    const given = input.currency as Input;
    const type = typeOf('Currency');
    const stored = this.#match(type, given);
    const linked = stored ?? this.books.add(type.name);
    if (!stored) {
      if (given.platformId != null) linked.platformId = String(given.platformId);
      linked.values.code = given.code ?? null;
    }
    this.#fill(linked, type, given, !stored);
    if (input.currencyId !== undefined && input.currencyId !== linked.values.code) this.refuse('INVALID_PARAMS');
    record.values.currencyId = linked.values.code;
  }

  /** The live record that a number or a global id names. */
  #recordNamed(reference: Reference, number: unknown, values: Record<string, unknown>): Stored | undefined {
    const names = namesOf(reference, values);
    const text = String(number);
    const plain = typeof number === 'number' ? number : Number(text.slice(text.lastIndexOf('_') + 1));
    return this.books.byNumber(names, plain);
  }

  #refer(record: Stored, reference: Reference, input: Input, isNew: boolean): void {
    const { id, by, nested, typedBy } = reference;
    const [number, object] = [input[id], input[by] as Input | null | undefined];
    if (nested && object != null) return;
    if ((number === null && object != null) || (object === null && number != null)) this.refuse('INVALID_PARAMS');
    const current = record.values[id] ?? null;
    if (isNew) record.values[id] = null;
    // What a stored reference names may have been deleted in the meantime; it may be sent again.
    const old = this.books.get(current);
    let found: Stored | null | undefined;
    if (number === null || (object === null && number === undefined)) found = null;
    else if (number !== undefined) {
      found = this.#recordNamed(reference, number, record.values) ?? (old && old.id === number ? old : undefined);
      if (!found) this.refuse('INVALID_PARAMS');
    }
    if (object != null) {
      const named = namesOf(reference, record.values);
      const other = this.books.records.find((one) => !one.isDeleted && named.includes(one.type) && one.platformId === object.platformId);
      if (!other || (number != null && other !== found)) this.refuse('INVALID_PARAMS');
      found = other;
    }
    if (typedBy !== undefined && record.values[typedBy] == null && found != null) this.refuse('MISSING_PARAMS');
    if (found !== undefined) record.values[id] = found?.key ?? null;
    else if (typedBy !== undefined && old && dataModel(old.type) !== record.values[typedBy]) this.refuse('INVALID_PARAMS');
  }

  /** The parent of a child that is written by its own path. */
  #place(record: Stored, input: Input, isNew: boolean): void {
    const parent = isNew ? this.#parentNamed(input) : this.books.get(record.parent);
    const name = this.type.parent!;
    if (!parent && input[name] !== undefined) this.refuse('INVALID_PARAMS');
    if (isNew && parent) {
      record.parent = parent.key;
      record.place =
        Math.max(-1, ...this.books.childrenOf(parent, record.type).flatMap((child) => (child === record ? [] : [child.place]))) + 1;
    }
  }

  /**
   * Writes the children that a record has from now on, in the order sent. Named children are merged, the others are new, and children that are not
   * sent are removed. A child without a name that has the content of a stored one is that one. A record that is sent again then changes nothing.
   */
  #replace(parent: Stored, { type: name }: Children, given: unknown): void {
    if (given === undefined) return;
    const type = typeOf(name);
    const inputs = (given ?? []) as Input[];
    const siblings = this.books.childrenOf(parent, name);
    const left = new Set(siblings);
    const named = inputs.map((input) => this.#childNamed(input, siblings, left));
    const children = inputs.map((input, place) => {
      const stored = named[place];
      const child = stored ?? this.books.add(name, parent);
      if (!stored && input.platformId != null) child.platformId = String(input.platformId);
      this.#fill(child, type, input, !stored);
      if (stored || input.id != null || input.platformId != null) return child;
      const alike = [...left].find((one) => contentOf(one) === contentOf(child));
      if (!alike) return child;
      left.delete(alike);
      this.books.drop(child);
      return alike;
    });
    for (const [place, child] of children.entries()) child.place = place;
    for (const child of left) this.books.remove(child);
    const ids = children.flatMap(({ platformId }) => platformId ?? []);
    if (new Set(ids).size < ids.length) this.refuse('INVALID_PARAMS');
  }

  /** The stored child that a nested one names. */
  #childNamed({ id, platformId }: Input, siblings: readonly Stored[], left: Set<Stored>): Stored | undefined {
    if (id == null && platformId == null) return undefined;
    const stored = siblings.find((child) => (id == null ? child.platformId === platformId : child.id === id));
    if (!stored) {
      if (id != null) this.refuse('INVALID_PARAMS');
      return undefined;
    }
    if (platformId != null && platformId !== stored.platformId) this.refuse('INVALID_PARAMS');
    if (!left.delete(stored)) this.refuse('INVALID_PARAMS');
    return stored;
  }

  /** The rules of a record; those of a parent hold for a child that is written by its own path. */
  #check(record: Stored, type: Type, input: Input): void {
    const broken = brokenRules(this.books, record);
    if (type.name === 'JournalEntry' && input.lineItems !== undefined && broken.includes('BALANCED_ENTRY')) this.refuse('INVALID_PARAMS');
    if (this.#strict && broken.length > 0) this.refuse('INVALID_PARAMS');
    if (type !== this.type || type.parent === undefined) return;
    const parent = this.books.get(record.parent);
    if (!parent) return;
    if (isWhole(this.books, record) && this.#before.get(record) !== contentOf(record)) this.refuse('INVALID_PARAMS');
    if (this.#strict && brokenRules(this.books, parent).length > 0) this.refuse('INVALID_PARAMS');
  }
}

/** The content of a record, whose members may have come in any order. */
export const contentOf = ({ values }: Stored): string => JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The types that a reference can name: with a typed one, the one that the record says. */
const namesOf = ({ to, typedBy }: Reference, values: Record<string, unknown>): readonly string[] =>
  typedBy === undefined ? to : to.filter((name) => dataModel(name) === values[typedBy]);

const parentTypes = (type: Type, input: Input): string[] =>
  parentsOf(type.name).flatMap(({ name }) => (type.parent !== 'parentId' || dataModel(name) === input.parentType ? [name] : []));

/** Whether a child may only be written with its parent. */
export const isWhole = (books: Books, child: Stored): boolean => {
  const parent = books.get(child.parent);
  return parent !== undefined && typeOf(parent.type).children.some(({ type, whole }) => whole && type === child.type);
};

/** Writes entries each on its own: what is rejected is left out, until what is left can be stored together. */
export function writeEach(books: Books, name: string, entries: readonly Entry[]): { books: Books; outcomes: Outcome[] } {
  const outcomes: Outcome[] = [];
  let left = entries.map((entry, index) => ({ entry, index }));
  for (;;) {
    const trial = books.copy();
    const write = new Write(trial, typeOf(name));
    write.run(left.map(({ entry }) => entry));
    for (const [place, { index }] of left.entries()) {
      const codes = write.rejections.get(place);
      outcomes[index] = codes ? { codes } : { key: write.targets[place]!.key };
    }
    if (write.rejections.size === 0) return { books: trial, outcomes };
    for (const { entry, index } of left) outcomes[index] = withOthers(books, name, entry, outcomes[index]!, entries);
    left = left.filter((_, place) => !write.rejections.has(place));
  }
}

/** The outcome of a rejected entry with what else is wrong with it: which of several errors comes first is not documented. */
function withOthers(books: Books, name: string, entry: Entry, outcome: Outcome, entries: readonly Entry[]): Outcome {
  if (!isRefused(outcome)) return outcome;
  const isGivenTwice = name === 'Currency' && entries.some((other) => other !== entry && other.input.code === entry.input.code);
  const alone = new Write(books.copy(), typeOf(name));
  const mode = entry.mode === 'create' ? 'upsert' : entry.mode;
  alone.run([{ ...entry, mode, ifMatch: undefined }]);
  return { codes: new Set([...outcome.codes, ...(alone.rejections.get(0) ?? []), ...(isGivenTwice ? ['INVALID_PARAMS'] : [])]) };
}

/** A write of one record. */
export function writeOne(books: Books, name: string, entry: Entry): { books: Books; outcome: Outcome } {
  const { books: after, outcomes } = writeEach(books, name, [entry]);
  return { books: after, outcome: outcomes[0]! };
}

/** Deletes a record by its number. */
export function removeOne(books: Books, name: string, number: number, ifMatch?: string): { books: Books; outcome: Outcome } {
  const after = books.copy();
  const record = after.byNumber([name], number);
  const refused = (code: string) => ({ books, outcome: { codes: new Set([code]) } });
  if (!record) return refused('RECORD_NOT_FOUND');
  if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== record.etags.at(-1)) return refused('STALE_RECORD');
  if (isWhole(after, record)) return refused('INVALID_PARAMS');
  after.remove(record);
  return { books: after, outcome: { key: record.key } };
}

// One history of operations against a company of its own. Each is predicted by the model and sent, and everything that the gateway then shows is
// compared.
import { type Gateway } from '../../support/gateway.ts';
import { buildCompany } from '../../support/records.ts';
import { recordEvents } from '../../support/registrations.ts';
import { Books, type Input } from './books.ts';
import { type Call, Caller, newKey, type Row, rowOf, type Seen, selectionOf } from './caller.ts';
import { changesBetween, compareRecord, compareType, Difference, same } from './compare.ts';
import { checkList, checkSums } from './lists.ts';
import {
  aboutOf,
  type BulkOperation,
  type DeleteOperation,
  type ListOperation,
  type Operation,
  picked,
  type ReadOperation,
  resolved,
  versionOf,
  type WriteOperation,
} from './operations.ts';
import { type Entry, isRefused, type Outcome, removeOne, writeEach, writeOne } from './reference.ts';
import { one, parentsOf, snake, type Type, takesCurrency, typeOf } from './types.ts';

/** What a history has done, for the figures that the suite prints. */
export interface Tally {
  accepted: number;
  refused: number;
  skipped: number;
}

export class History {
  #books = new Books();
  readonly #caller: Caller;
  /** The types whose records it can change. */
  readonly #types: readonly Type[];
  readonly #events: () => Promise<unknown[][]>;
  readonly #reads = new Map<string, { etag: string; data: string }>();
  #seenEvents = 0;
  readonly tally: Tally = { accepted: 0, refused: 0, skipped: 0 };

  private constructor(caller: Caller, types: readonly Type[], events: () => Promise<unknown[][]>) {
    this.#caller = caller;
    this.#types = types;
    this.#events = events;
  }

  static async begin(gateway: Gateway, operations: readonly Operation[]): Promise<History> {
    const company = await buildCompany(gateway);
    await recordEvents(gateway, company.key);
    const text =
      "select operation, subject_id from event where organisation_id = $1 and topic = 'DATA_MODEL_CHANGES' order by commit_order, id";
    const { organisationId } = (await gateway.services.keys.find(company.key))!;
    const events = () => gateway.services.database.read({ name: 'changes_of', text }, [String(organisationId)]);
    return new History(new Caller(gateway, company), reachedBy(operations), events);
  }

  async run(operation: Operation): Promise<void> {
    if (operation.do === 'write') await this.#write(operation);
    else if (operation.do === 'bulk' || operation.do === 'batch') await this.#bulk(operation);
    else if (operation.do === 'delete' || operation.do === 'deleteMany') await this.#delete(operation);
    else if (operation.do === 'read') await this.#read(operation);
    else await this.#list(operation as ListOperation);
  }

  async #write(operation: WriteOperation): Promise<void> {
    const type = typeOf(operation.type);
    const { mode, at, strict, match, surface, repeat } = operation;
    const about = aboutOf(this.#books, type, mode, at, operation.input);
    const input = this.#inputOf(type, mode, operation.input, about);
    if (!input || (mode === 'update' && !about)) return this.#skip();
    const call: Call = { type, mode, input, strict, target: about?.id, ifMatch: versionOf(match, about), key: repeat && newKey() };
    const { books, outcome } = writeOne(this.#books, type.name, call);
    const send = (sent: Call) =>
      surface === 'rest'
        ? this.#caller.restWrite(sent)
        : this.#caller.graphqlWrite(sent, operation.hasVariables && type.parent === undefined);
    const first = await send(call);
    await this.#settle(type, books, [outcome], [first.seen], type.parent !== undefined);
    if (!repeat || (repeat === 'other' && isRefused(outcome))) return;
    const fields = Object.entries(type.fields);
    const [field, kind] = fields.find(([, one]) => one === 'text') ?? fields[0]!;
    const other = kind === 'text' ? 'another content' : 77;
    const again = await send(
      repeat === 'other' ? { ...call, input: { ...input, [field]: other } } : { ...call, isSpelled: repeat === 'spelled' },
    );
    if (repeat === 'other') same('retry', 'codes of another content with the same key', again.seen.codes, ['IDEMPOTENCY_KEY_REUSED']);
    else {
      same('retry', `the repeated response, ${repeat}`, contentOf(again.response.body), contentOf(first.response.body));
    }
    await this.#check(this.#books, new Set());
  }

  /** The input as it is sent. A part that is written by its own path has a parent, which an update does not change. */
  #inputOf(type: Type, mode: WriteOperation['mode'], given: Input, about: ReturnType<typeof aboutOf>): Input | undefined {
    const input = resolved(this.#books, type, given, about);
    if (mode === 'update') delete input.platformId;
    if (type.parent === undefined) return input;
    if (mode !== 'update') return input[type.parent] === undefined ? undefined : input;
    const { parentType: _, [type.parent]: __, ...rest } = input;
    return rest;
  }

  async #bulk(operation: BulkOperation): Promise<void> {
    const type = typeOf(operation.type);
    const { mode, atomic, strict, surface } = operation;
    const entries = operation.entries.flatMap(({ at, input, match }): Entry[] => {
      const about = aboutOf(this.#books, type, mode, at, input);
      if (mode === 'update' && !about) return [];
      const own = this.#inputOf(type, mode, input, about)!;
      return [{ mode, strict, input: own, target: about?.id, ifMatch: versionOf(match, about) }];
    });
    if (entries.length === 0) return this.#skip();
    const { books, outcomes } = writeEach(this.#books, type.name, entries);
    const records = entries.map(({ input, target, ifMatch }) =>
      mode === 'update' ? { ...input, id: target, ...(ifMatch === undefined ? {} : { ifMatch }) } : input,
    );
    if (operation.do === 'batch') {
      const ids = entries.map(({ input }) => input.platformId);
      const seen = await this.#caller.batch(type, mode as 'upsert', records, strict, surface === 'rest');
      // A batch that names a record twice is rejected at once.
      if (new Set(ids).size < ids.length) return this.#settleWhole(type, [{ codes: new Set(['INVALID_PARAMS']) }], seen);
      return this.#settle(type, books, outcomes, seen);
    }
    const seen = await this.#caller.bulk(type, mode, records, { atomic, strict });
    if (atomic && outcomes.some(isRefused)) return this.#settleWhole(type, outcomes, seen);
    return this.#settle(type, books, outcomes, seen);
  }

  async #delete(operation: DeleteOperation): Promise<void> {
    const type = typeOf(operation.type);
    const records = operation.at.flatMap((at) => picked(this.#books, type.name, at) ?? []);
    if (records.length === 0) return this.#skip();
    const isMany = operation.do === 'deleteMany';
    const named = (isMany ? records : records.slice(0, 1)).map((record) => ({
      id: record.id!,
      ifMatch: versionOf(operation.match, record),
    }));
    let books = this.#books;
    const outcomes = named.map(({ id, ifMatch }): Outcome => {
      const { books: after, outcome } = removeOne(books, type.name, id, ifMatch);
      books = after;
      return outcome;
    });
    const seen = isMany
      ? await this.#caller.removeMany(type, named, operation.atomic)
      : [await this.#caller.remove(type, named[0]!.id, operation.surface === 'rest', named[0]!.ifMatch)];
    if (isMany && operation.atomic && outcomes.some(isRefused)) return this.#settleWhole(type, outcomes, seen);
    return this.#settle(type, books, outcomes, seen, type.parent !== undefined);
  }

  /** Compares the outcome of each record, and then everything. */
  async #settle(type: Type, books: Books, outcomes: readonly Outcome[], seen: readonly Seen[], isPart = false): Promise<void> {
    same('outcome', 'number of outcomes', seen.length, outcomes.length);
    for (const [index, outcome] of outcomes.entries()) {
      const { codes, row } = seen[index]!;
      if (isRefused(outcome)) {
        if (codes.length === 0)
          throw new Difference('accepted', `record ${index} of ${type.many} was accepted, expected ${[...outcome.codes]}`);
        if (!outcome.codes.has(codes[0]!))
          throw new Difference('code', `record ${index} of ${type.many} got ${codes}, expected one of ${[...outcome.codes]}`);
        this.tally.refused++;
        continue;
      }
      if (codes.length > 0) throw new Difference('refused', `record ${index} of ${type.many} was rejected with ${codes}`);
      this.tally.accepted++;
      if (row?.platformId !== undefined) compareRecord(books, books.get(outcome.key)!, row, `returned ${one(type.name)}`);
    }
    const alone = isPart ? outcomes.flatMap((outcome) => (isRefused(outcome) ? [] : [outcome.key])) : [];
    const before = this.#books;
    this.#books = books;
    await this.#check(before, new Set(alone));
  }

  /** A write that is rejected as a whole. */
  async #settleWhole(type: Type, outcomes: readonly Outcome[], seen: readonly Seen[]): Promise<void> {
    const expected = new Set(outcomes.flatMap((outcome) => (isRefused(outcome) ? [...outcome.codes] : [])));
    const codes = seen.flatMap((each) => each.codes);
    if (codes.length === 0) throw new Difference('accepted', `a write of ${type.many} was accepted, expected ${[...expected]}`);
    if (!expected.has(codes[0]!)) throw new Difference('code', `a write of ${type.many} got ${codes}, expected one of ${[...expected]}`);
    this.tally.refused++;
    await this.#check(this.#books, new Set());
  }

  #skip(): void {
    this.tally.skipped++;
  }

  /** Compares all records, their versions, and the events of what has changed. Of parts only those that were written alone have events. */
  async #check(before: Books, alone: ReadonlySet<number>): Promise<void> {
    const changes = changesBetween(before, this.#books);
    const changed = new Set(changes.keys());
    for (const [type, rows] of await this.#rows()) compareType(this.#books, type, rows, changed);
    const events = await this.#events();
    const seen = events.slice(this.#seenEvents).map(([operation, subject]) => `${operation} ${subject}`);
    this.#seenEvents = events.length;
    const expected = [...changes].flatMap(([key, change]) => {
      const record = this.#books.get(key)!;
      const isReported = typeOf(record.type).parent === undefined || alone.has(key);
      return isReported ? [`${change} ${snake(record.type)}_${record.id}`] : [];
    });
    same('events', 'events', seen.sort(), expected.sort());
  }

  /** All records of the types of this history, in one operation as far as their first pages go. */
  async #rows(): Promise<Map<Type, Row[]>> {
    const rows = new Map(this.#types.map((type): [Type, Row[]] => [type, []]));
    let open: { type: Type; after: string | null }[] = this.#types.map((type) => ({ type, after: null }));
    while (open.length > 0) {
      const lists = open.map(
        ({ type, after }) =>
          `${type.many}(first: 40, includeDeleted: true, after: ${JSON.stringify(after)}) { nodes { ${selectionOf(type)} } pageInfo { hasNextPage endCursor } }`,
      );
      const response = await this.#caller.graphql(`{ company(id: "company_${this.#caller.company.id}") { ${lists.join(' ')} } }`);
      const company = response.body?.data?.company;
      if (!company) throw new Difference('read', response.text);
      for (const { type } of open) rows.get(type)!.push(...(rowOf(company[type.many].nodes) as Row[]));
      open = open.flatMap(({ type }) => {
        const { hasNextPage, endCursor } = company[type.many].pageInfo;
        return hasNextPage ? [{ type, after: endCursor }] : [];
      });
    }
    return rows;
  }

  /** Reads one record over REST, with and without the version of an earlier read. */
  async #read({ type: name, at, expands, selects }: ReadOperation): Promise<void> {
    const type = typeOf(name);
    const record = picked(this.#books, name, at);
    if (!record) return this.#skip();
    const expand = [
      ...type.children.map(({ field }) => snake(field)),
      ...type.references.flatMap(({ by, typedBy }) => (typedBy ? [] : [snake(by)])),
    ];
    const parts = [...(expands && expand.length > 0 ? [`expand=${expand}`] : []), ...(selects ? ['select=data_hash'] : [])];
    const path = `${snake(type.many)}/${record.id}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
    const response = await this.#caller.rest('GET', path);
    if (record.isDeleted) {
      same('read', `code of deleted ${path}`, response.body?.error?.error_code, 'RECORD_NOT_FOUND');
      return;
    }
    if (response.status !== 200) throw new Difference('read', `${path}: ${response.text}`);
    compareRecord(this.#books, record, rowOf(response.body.data) as Row, path);
    const read = { etag: response.headers.get('etag')!, data: JSON.stringify(response.body.data) };
    const last = this.#reads.get(path);
    this.#reads.set(path, read);
    for (const { etag, data } of last ? [last, read] : [read]) {
      const again = await this.#caller.rest('GET', path, undefined, { 'if-none-match': etag });
      same('304', `status of ${path} with the version ${etag} of ${data}`, again.status, data === read.data ? 304 : 200);
    }
  }

  async #list(operation: ListOperation): Promise<void> {
    const type = typeOf(operation.type);
    if (operation.do === 'sum') return checkSums(this.#caller, type, operation, this.#books);
    await checkList(
      this.#caller,
      type,
      operation,
      () => this.#books,
      async () => {
        for (const write of operation.between) await this.#write(write);
      },
    );
  }
}

/** A response without what names its request. */
const contentOf = (body: Record<string, unknown>): unknown => {
  const { error, data } = body as { error?: Row; data?: unknown };
  return { data, code: error?.error_code, field: error?.field };
};

/** The types that operations can change, records before their parts. */
function reachedBy(operations: readonly Operation[]): Type[] {
  const names = new Set(operations.flatMap(({ type }) => [type, ...parentsOf(type).map(({ name }) => name)]));
  for (const name of [...names]) {
    const type = typeOf(name);
    for (const { to, nested } of type.references) if (nested) names.add(to[0]!);
    if (takesCurrency(type)) names.add('Currency');
  }
  const whole = [...names].map(typeOf).filter(({ parent }) => parent === undefined);
  return [...whole, ...new Set(whole.flatMap(({ children }) => children.map(({ type }) => typeOf(type))))];
}

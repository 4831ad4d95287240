// Calls to a Tryton server: JSON-RPC, the session that a login opens, and the context of the company.
import { isPlainObject } from '../../../records/checked.ts';
import { GatewayError } from '../../../records/errors.ts';
import type { ConnectorSession } from '../connector.ts';
import { SourceUnusable } from '../source-http.ts';
import { responseError, statusError, unreadable } from './errors.ts';
import { readJson } from './values.ts';

/** A condition of a search: `[field, operator, value]`, nested with `OR`. */
export type Domain = readonly unknown[];

/** What every row of a search has. */
export interface Row {
  id: number;
  _timestamp: string;
}

/** What a search asks for. */
export interface Search {
  domain: Domain;
  fields: readonly string[];
  /** In ascending order of the id when absent. */
  order?: readonly [string, string];
  limit?: number;
  /** What is added to the context of the call, such as the days of computed amounts. */
  context?: Record<string, unknown>;
}

interface Login {
  /** Value of the header of each call. */
  authorization: string;
  /** The preferences of the user, which every call carries; the company and the language among them. */
  context: { company: number; [name: string]: unknown };
}

/** The session of one run, shared by the clients of the run. */
class Session {
  readonly #source: ConnectorSession;
  readonly #settings: Readonly<Record<string, string>>;
  #login: Promise<Login> | undefined;
  #methods: Promise<Set<string>> | undefined;
  #number = 0;
  /** Which models the user may read, of those that were asked for. */
  readonly readable = new Map<string, Promise<boolean>>();
  /** The fields of models, by their names. */
  readonly fields = new Map<string, Promise<Record<string, { type: string }>>>();
  /** The time of the last response by the clock of the server, as a time stamp; null where it did not say. */
  now: string | null = null;

  constructor(source: ConnectorSession) {
    this.#source = source;
    this.#settings = source.settings;
  }

  login(): Promise<Login> {
    this.#login ??= this.#open().catch((error) => {
      this.#login = undefined;
      throw error;
    });
    return this.#login;
  }

  /** Calls a method. A session that has ended is opened once more; what the server rejected in it has not run. */
  async call(method: string, params: readonly unknown[], context: Record<string, unknown>): Promise<unknown> {
    const login = await this.login();
    const complete = { ...login.context, active_test: false, ...context };
    try {
      return await this.send(method, [...params, complete], login.authorization);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'CONNECTION_EXPIRED') throw error;
      this.#login = undefined;
      const { authorization } = await this.login();
      return this.send(method, [...params, complete], authorization);
    }
  }

  methods(): Promise<Set<string>> {
    this.#methods ??= this.#list().catch((error) => {
      this.#methods = undefined;
      throw error;
    });
    return this.#methods;
  }

  async #list(): Promise<Set<string>> {
    const { authorization } = await this.login();
    return new Set((await this.send('system.listMethods', [], authorization)) as string[]);
  }

  async send(method: string, params: readonly unknown[], authorization?: string): Promise<unknown> {
    const { url = '', database = '' } = this.#settings;
    const response = await this.#source.http({
      url: `${url}${url.endsWith('/') ? '' : '/'}${encodeURIComponent(database)}/`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify({ id: ++this.#number, method, params }),
    });
    const text = await response.text();
    const at = Date.parse(response.headers.date ?? '');
    this.now = Number.isNaN(at) ? null : String(at / 1_000);
    if (response.status !== 200) throw statusError(response.status);
    const { result, error } = parsed(text);
    if (error) throw responseError(error);
    return result;
  }

  async #open(): Promise<Login> {
    const { user = '', password = '' } = this.#settings;
    const [id, key] = (await this.send('common.db.login', [user, { password }, 'en'])) as [number, string];
    const authorization = `Session ${Buffer.from(`${user}:${id}:${key}`).toString('base64')}`;
    const preferences = (await this.send('model.res.user.get_preferences', [true, {}], authorization)) as Record<string, unknown>;
    const context = Object.fromEntries(Object.entries(preferences).filter(([name]) => !name.includes('.')));
    return { authorization, context: { ...context, company: await this.#company(context, authorization) } };
  }

  /** The company of the settings, by its number or the name of its party; without one that of the user. */
  async #company(context: Record<string, unknown>, authorization: string): Promise<number> {
    const wanted = this.#settings.company?.trim();
    if (!wanted) {
      if (typeof context.company === 'number') return context.company;
      throw new SourceUnusable('PLATFORM_DENIED', 'the user has no company in Tryton, and the connection names none');
    }
    const domain = /^\d+$/.test(wanted) ? [['id', '=', Number(wanted)]] : [['party.name', '=', wanted]];
    const params = [domain, 0, 2, null, ['id'], context];
    const found = (await this.send('model.company.company.search_read', params, authorization)) as Row[];
    if (found.length !== 1)
      throw new SourceUnusable('PLATFORM_DENIED', `Tryton has ${found.length === 0 ? 'no' : 'more than one'} company ${wanted}`);
    return found[0]!.id;
  }
}

/** Why a field is in no row that is read whole, by its type; undefined for one that is. */
export function leftOut(type: string): string | undefined {
  if (type === 'one2many') return 'its rows name this one, and are records or children of their own';
  if (type === 'binary') return 'files stay at the source';
  return undefined;
}

function parsed(text: string): { result: unknown; error?: [string, unknown] } {
  try {
    const body = readJson(text);
    if (isPlainObject(body) && ('result' in body || Array.isArray(body.error))) return body as ReturnType<typeof parsed>;
  } catch {}
  throw unreadable(text);
}

/** Whether a value is the rows of a search. Without its id or its version, a record would be missed, or never seen to change. */
const isRows = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.every((row) => isPlainObject(row) && Number.isSafeInteger(row.id) && typeof row._timestamp === 'string');

/** The fields of the models that are read whole, and the rows that were read of them, by `model,id`. */
interface Whole {
  fields: ReadonlyMap<string, readonly string[]>;
  rows: Map<string, Row>;
}

/** The models of a Tryton database, for one company. */
export class TrytonClient {
  readonly #session: Session;
  /** Time stamps of the rows read, by `model,id`; a write that carries them is rejected when a row has changed since. */
  readonly #timestamps: Record<string, string> | undefined;
  readonly #numbers: Map<string, number>;
  /** Absent where no model is read whole. */
  readonly #whole: Whole | undefined;

  private constructor(
    session: Session,
    numbers: Map<string, number>,
    { timestamps, whole }: { timestamps?: Record<string, string>; whole?: Whole | undefined } = {},
  ) {
    this.#session = session;
    this.#numbers = numbers;
    this.#timestamps = timestamps;
    this.#whole = whole;
  }

  /** A client of a run; makes no call. */
  static open(source: ConnectorSession): TrytonClient {
    return new TrytonClient(new Session(source), new Map());
  }

  /** A client that remembers the versions of the rows it reads, and writes only over them. */
  overRead(): TrytonClient {
    return new TrytonClient(this.#session, this.#numbers, { timestamps: {}, whole: this.#whole });
  }

  /** A client that reads rows of some models whole: all their fields but those that `leftOut` names. */
  async readingWhole(models: readonly string[]): Promise<TrytonClient> {
    const fields = new Map<string, string[]>();
    for (const model of models) {
      const all = await this.#fieldsOf(model);
      fields.set(
        model,
        Object.keys(all).filter((name) => leftOut(all[name]!.type) === undefined),
      );
    }
    return new TrytonClient(this.#session, this.#numbers, { whole: { fields, rows: new Map() } });
  }

  /** Whether a model has a field: modules add fields to the models of others. */
  async hasField(model: string, name: string): Promise<boolean> {
    return name in (await this.#fieldsOf(model));
  }

  /** The fields of a model, asked for once in a run. */
  #fieldsOf(model: string): Promise<Record<string, { type: string }>> {
    const { fields } = this.#session;
    const known = fields.get(model) ?? (this.#call(model, 'fields_get', [[]]) as Promise<Record<string, { type: string }>>);
    fields.set(model, known);
    known.catch(() => fields.delete(model));
    return known;
  }

  /** A row that was read whole, once; undefined where it was not. */
  takeWhole(model: string, id: unknown): Row | undefined {
    const key = `${model},${id}`;
    const row = this.#whole?.rows.get(key);
    this.#whole?.rows.delete(key);
    return row;
  }

  /** The number of the company in Tryton. */
  async company(): Promise<number> {
    return (await this.#session.login()).context.company;
  }

  /** The time at the server, as a time stamp, after a call; null where it does not say. */
  get now(): string | null {
    return this.#session.now;
  }

  /** Whether the database has a model and the user may read it, asked for once in a run. */
  canRead(model: string): Promise<boolean> {
    const { readable } = this.#session;
    const known = readable.get(model) ?? this.#tryRead(model);
    readable.set(model, known);
    known.catch(() => readable.delete(model));
    return known;
  }

  async #tryRead(model: string): Promise<boolean> {
    if (!(await this.methods()).has(`model.${model}.search_read`)) return false;
    try {
      await this.rows(model, { domain: [], fields: [], limit: 1 });
      return true;
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'PLATFORM_DENIED' && !(error instanceof SourceUnusable)) return false;
      throw error;
    }
  }

  /** Names of the methods that the server has, asked for once in a run. */
  methods(): Promise<Set<string>> {
    return this.#session.methods();
  }

  /** Rows of a model, inactive ones among them. Dotted fields are in `name.`, as an object. */
  async rows<T extends Row>(model: string, { domain, fields, order = ['id', 'ASC'], limit, context = {} }: Search): Promise<T[]> {
    const whole = fields.length > 0 ? this.#whole?.fields.get(model) : undefined;
    const names = [...new Set([...fields, ...(whole ?? []), '_timestamp'])];
    const rows = await this.#call(model, 'search_read', [domain, 0, limit ?? null, [order], names], context);
    if (!isRows(rows)) throw unreadable(JSON.stringify(rows));
    if (whole) for (const row of rows) this.#whole!.rows.set(`${model},${row.id}`, row);
    if (this.#timestamps) for (const { id, _timestamp } of rows) this.#timestamps[`${model},${id}`] = _timestamp;
    return rows as T[];
  }

  /** Rows by the id that one of their fields names, such as lines by their document. */
  async rowsBy<T extends Row>(model: string, parent: keyof T & string, ids: readonly number[], fields: readonly string[]) {
    if (ids.length === 0) return new Map<number, T[]>();
    const rows = await this.rows<T>(model, { domain: [[parent, 'in', ids]], fields: [...fields, parent] });
    return Map.groupBy(rows, (row) => row[parent] as number);
  }

  /** Rows by their own id. */
  async rowsOf<T extends Row>(
    model: string,
    ids: readonly (number | null)[],
    fields: readonly string[],
    context: Record<string, unknown> = {},
  ): Promise<Map<number, T>> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    if (wanted.length === 0) return new Map();
    const rows = await this.rows<T>(model, { domain: [['id', 'in', wanted]], fields, context });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The id of the only row that matches, remembered for the run; null without one, or with several. */
  async find(model: string, domain: Domain): Promise<number | null> {
    const key = `${model} ${JSON.stringify(domain)}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const rows = await this.rows(model, { domain, fields: [], limit: 2 });
    if (rows.length !== 1) return null;
    this.#numbers.set(key, rows[0]!.id);
    return rows[0]!.id;
  }

  /** What the form of a model fills in on its own when these fields are set. */
  async changed(model: string, values: Record<string, unknown>, names: readonly string[]): Promise<Record<string, unknown>> {
    const changes = (await this.#call(model, 'on_change', [values, names])) as Record<string, unknown>[];
    return Object.assign({}, ...changes);
  }

  /** The value of a field that a form computes from others. */
  async computed(model: string, values: Record<string, unknown>, name: string): Promise<unknown> {
    return ((await this.#call(model, 'on_change_with', [values, [name]])) as Record<string, unknown>)[name];
  }

  async create(model: string, values: Record<string, unknown>): Promise<number> {
    return ((await this.#call(model, 'create', [[values]])) as number[])[0]!;
  }

  async write(model: string, id: number, values: Record<string, unknown>): Promise<void> {
    await this.#call(model, 'write', [[id], values]);
  }

  async delete(model: string, id: number): Promise<void> {
    await this.#call(model, 'delete', [[id]]);
  }

  #call(model: string, method: string, params: readonly unknown[], context: Record<string, unknown> = {}): Promise<unknown> {
    const isWrite = method === 'write' || method === 'delete';
    const all = isWrite && this.#timestamps ? { ...context, _timestamp: this.#timestamps } : context;
    return this.#session.call(`model.${model}.${method}`, params, all);
  }
}

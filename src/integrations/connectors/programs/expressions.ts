// The expressions of a mapping: compiled once, and what they make of a record. Loaded in the thread that maps, so it imports little.
import { createRequire } from 'node:module';
import type jsonata from 'jsonata';
import { parseSourceJson } from '../../../json/exact-json.ts';
import type { SourceRecord } from '../connector.ts';
import { amount, sum } from '../decimals.ts';
import type { JsonObject } from './protocol.ts';

/** What a record of a stream becomes: records to store, or ids of records that the source has deleted. */
export interface Mapped {
  records: SourceRecord[];
  deleted: string[];
}

/** How the records of a stream become records of a data model. */
export interface Rule {
  dataModel: string;
  when?: string | undefined;
  deleted?: string | undefined;
  record: string;
}

type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The expressions of a mapping file. */
export interface Expressions {
  tables: Tables;
  shared: string;
  streams: Readonly<Record<string, readonly Rule[]>>;
}

/** Loads the library for the first mapping: 4 MB that a gateway without programs does without. */
const load = createRequire(import.meta.url);

/** Rounds of evaluation inside one another and members of a list that one record may take. */
const LIMITS = { stack: 500, sequence: 100_000 };

/** The entry of a table for every value that has none of its own. */
const OTHERWISE = '*';

/** `$table(name, value)`: what a value of the source is called here; nothing for no value. */
function lookUp(tables: Tables, name: unknown, value: unknown): string | undefined {
  const table = typeof name === 'string' && Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (!table) throw new Error(`there is no table ${String(name)}`);
  if (value === null || value === undefined) return undefined;
  return Object.hasOwn(table, String(value)) ? table[String(value)] : table[OTHERWISE];
}

/** `$json(text)`: the value that a text holds as JSON; nothing for any other text. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return parseSourceJson(text);
  } catch {
    return undefined;
  }
}

/** An amount with a decimal sign. Digits are grouped by one sign: three in the last group, and two or three in those before it, as in India. */
const amountPattern = (point: string, groups: string): RegExp => {
  const blank = '[\\s\\u00a0\\u202f]*';
  const whole = `[1-9]\\d{0,2}([\\s\\u00a0\\u202f'’${groups}])(?:\\d{2,3}\\4)*\\d{3}|\\d+`;
  return new RegExp(`^(\\()?${blank}([-+]?)${blank}(${whole})?(?:\\${point}(\\d+))?${blank}(-|\\))?$`);
};
const AMOUNTS = { '.': amountPattern('.', ','), ',': amountPattern(',', '.') };

/**
 * `$decimal(text, sign)`: the amount that a text holds, exact, with this decimal sign; the other sign groups digits. An amount in parentheses is
 * negative. Throws for a sign that cannot group the digits next to it: that of another form would make 1250 of 12.50.
 */
function decimalOf(text: unknown, sign: unknown = '.'): unknown {
  if (typeof text !== 'string') return text;
  const given = text.trim();
  if (given === '') return undefined;
  const [, open, minus, whole = '', , fraction, behind] = AMOUNTS[sign === ',' ? ',' : '.'].exec(given) ?? [];
  if ((whole === '' && fraction === undefined) || (open === undefined) !== (behind !== ')') || (minus === '-' && behind !== undefined))
    throw new Error(`${JSON.stringify(text.slice(0, 40))} is not an amount with the decimal sign ${sign === ',' ? '","' : '"."'}`);
  const isNegative = minus === '-' || behind !== undefined;
  const digits = whole.replace(/\D/g, '') || '0';
  return amount(`${isNegative ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`);
}

/** `$date(text, form)`: the date that a text begins with as YYYY-MM-DD, where the form names the order of YYYY or YY, MM and DD. */
function dateOf(text: unknown, form: unknown): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const order: string[] = String(form).match(/YYYY|YY|MM|DD/g) ?? [];
  const [, ...numbers] = /^(\d+)\D+(\d+)\D+(\d+)/.exec(text.trim()) ?? [];
  const part = (name: string): string => numbers[order.indexOf(name)] ?? '';
  const year = part('YYYY') || (part('YY') && `20${part('YY').padStart(2, '0')}`);
  const date = `${year}-${part('MM').padStart(2, '0')}-${part('DD').padStart(2, '0')}`;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
  if (!isDate) throw new Error(`${JSON.stringify(text.slice(0, 40))} is not a date of the form ${String(form).slice(0, 20)}`);
  return date;
}

/** `$total(amounts)`: their exact sum; the sum of JSONata rounds in binary. */
function totalOf(amounts: unknown): unknown {
  const list = [amounts ?? []].flat();
  for (const entry of list)
    if (!/^-?\d+(\.\d+)?$/.test(String(entry))) throw new Error(`${String(entry).slice(0, 40)} cannot be added exactly`);
  return amount(list.map(String).reduce(sum, '0'));
}

/** Compiles an expression; throws what the library throws. */
export function compile(text: string, { shared, tables }: Pick<Expressions, 'shared' | 'tables'>): jsonata.Expression {
  const expression = (load('jsonata') as typeof jsonata)(shared.trim() === '' ? text : `(${shared.trim()}\n${text})`, LIMITS);
  expression.registerFunction('table', (name: unknown, value: unknown) => lookUp(tables, name, value));
  expression.registerFunction('json', parsed);
  expression.registerFunction('decimal', decimalOf);
  expression.registerFunction('date', dateOf);
  expression.registerFunction('total', totalOf);
  return expression;
}

/** The words of an error of JSONata, which is an object without a prototype of errors. */
export const wordsOf = (error: unknown): string => (error as { message?: string } | null)?.message ?? String(error);

const isEmpty = (value: unknown): boolean => value === undefined || value === null;

interface CompiledRule {
  dataModel: string;
  when: jsonata.Expression | undefined;
  deleted: jsonata.Expression | undefined;
  record: jsonata.Expression;
}

/** The expressions of a mapping file, ready for records. */
export class Evaluator {
  readonly #streams: ReadonlyMap<string, readonly CompiledRule[]>;

  constructor({ streams, ...shared }: Expressions) {
    const member = (text: string | undefined) => (text === undefined ? undefined : compile(text, shared));
    const compiled = ({ dataModel, when, deleted, record }: Rule): CompiledRule => ({
      dataModel,
      when: member(when),
      deleted: member(deleted),
      record: compile(record, shared),
    });
    this.#streams = new Map(Object.entries(streams).map(([stream, rules]) => [stream, rules.map(compiled)]));
  }

  /** What a record of a stream becomes as records of a data model. */
  async apply(dataModel: string, stream: string, data: JsonObject): Promise<Mapped> {
    const mapped: Mapped = { records: [], deleted: [] };
    for (const rule of this.#streams.get(stream) ?? []) if (rule.dataModel === dataModel) await applyRule(rule, data, mapped);
    return mapped;
  }
}

async function applyRule({ when, deleted, record }: CompiledRule, data: JsonObject, mapped: Mapped): Promise<void> {
  if (when && (await when.evaluate(data)) !== true) return;
  const isDeleted = deleted !== undefined && (await deleted.evaluate(data)) === true;
  const value: unknown = await record.evaluate(data);
  for (const made of Array.isArray(value) ? value : isEmpty(value) ? [] : [value]) {
    if (typeof made !== 'object' || made === null) throw new Error('it makes a value that is not a record');
    const { platform_id: id } = made as SourceRecord;
    if (typeof id !== 'string' || id === '') throw new Error('it makes a record without a text as platform_id');
    if (isDeleted) mapped.deleted.push(id);
    else mapped.records.push(made as SourceRecord);
  }
}

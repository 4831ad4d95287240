// Mapping files: how the records of a program's streams become records of our data models. Each expression is compiled once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type jsonata from 'jsonata';
import { z } from 'zod';
import { ConfigError } from '../../../config.ts';
import { GatewayError } from '../../../records/errors.ts';
import { packagePath } from '../../../runtime/package-root.ts';
import type { SourceRecord } from '../connector.ts';
import type { JsonObject } from './protocol.ts';

/** What a record of a stream becomes: records to store, or ids of records that the source has deleted. */
export interface Mapped {
  records: SourceRecord[];
  deleted: string[];
}

/** Loads the libraries of mappings for the first of them: 4 MB that a gateway without programs does without. */
const load = createRequire(import.meta.url);

/** Milliseconds, rounds of evaluation inside one another and members of a list that one record may take. */
const LIMITS = { timeout: 1_000, stack: 500, sequence: 100_000 };

const rule = z.strictObject({
  dataModel: z.string().min(1),
  when: z.string().min(1).optional(),
  deleted: z.string().min(1).optional(),
  record: z.string().min(1),
});

const file = z.strictObject({
  title: z.string().min(1),
  tables: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  shared: z.string().default(''),
  streams: z.record(z.string(), z.array(rule).min(1)),
});

type Tables = z.output<typeof file>['tables'];

/** The entry of a table for every value that has none of its own. */
const OTHERWISE = '*';

interface CompiledRule {
  dataModel: string;
  when: jsonata.Expression | null;
  deleted: jsonata.Expression | null;
  record: jsonata.Expression;
}

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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function compile(text: string, { shared, tables }: { shared: string; tables: Tables }): jsonata.Expression {
  const expression = (load('jsonata') as typeof jsonata)(shared.trim() === '' ? text : `(${shared.trim()}\n${text})`, LIMITS);
  expression.registerFunction('table', (name: unknown, value: unknown) => lookUp(tables, name, value));
  expression.registerFunction('json', parsed);
  return expression;
}

/** The words of an error of JSONata, which is an object without a prototype of errors. */
const wordsOf = (error: unknown): string => (error as { message?: string } | null)?.message ?? String(error);

const isEmpty = (value: unknown): boolean => value === undefined || value === null;

/** The mapping of one source. */
export class Mapping {
  readonly title: string;
  readonly #streams: ReadonlyMap<string, readonly CompiledRule[]>;

  private constructor(title: string, streams: ReadonlyMap<string, readonly CompiledRule[]>) {
    this.title = title;
    this.#streams = streams;
  }

  /** Reads a mapping file, or the shipped one of a name. Throws ConfigError, a line for each wrong member. */
  static read(given: string): Mapping {
    const path = given.includes('/') ? given : packagePath('src', 'integrations', 'connectors', 'programs', 'mappings', `${given}.yaml`);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw new ConfigError(`mapping ${given} cannot be read: ${(error as Error).message}`);
    }
    return Mapping.parse(text, given);
  }

  /** The mapping of a text, which errors call by the name given. Throws ConfigError. */
  static parse(text: string, name: string): Mapping {
    let content: unknown;
    try {
      content = (load('js-yaml') as typeof import('js-yaml')).load(text);
    } catch (error) {
      throw new ConfigError(`mapping ${name} is not YAML: ${(error as Error).message}`);
    }
    const shape = file.safeParse(content);
    if (!shape.success)
      throw new ConfigError(shape.error.issues.map((issue) => `mapping ${name}: ${issue.path.join('.')} ${issue.message}`).join('\n'));
    const issues: string[] = [];
    const streams = Object.entries(shape.data.streams).map(([stream, rules]): [string, CompiledRule[]] => [
      stream,
      rules.map((entry, index) => {
        const at = `streams.${stream}.${index}`;
        const member = (key: 'when' | 'deleted' | 'record'): jsonata.Expression | null => {
          const expression = entry[key];
          if (expression === undefined) return null;
          try {
            return compile(expression, shape.data);
          } catch (error) {
            issues.push(`${at}.${key} is not an expression of JSONata: ${wordsOf(error)}`);
            return null;
          }
        };
        return { dataModel: entry.dataModel, when: member('when'), deleted: member('deleted'), record: member('record')! };
      }),
    ]);
    if (issues.length > 0) throw new ConfigError(issues.map((issue) => `mapping ${name}: ${issue}`).join('\n'));
    return new Mapping(shape.data.title, new Map(streams));
  }

  /** The data models that it makes records of. */
  get dataModels(): string[] {
    return [...new Set([...this.#streams.values()].flat().map(({ dataModel }) => dataModel))];
  }

  get streams(): ReadonlySet<string> {
    return new Set(this.#streams.keys());
  }

  /** The streams that records of a data model are made of. */
  streamsOf(dataModel: string): ReadonlySet<string> {
    return new Set([...this.#streams].filter(([, rules]) => rules.some((entry) => entry.dataModel === dataModel)).map(([name]) => name));
  }

  /** What a record of a stream becomes as records of a data model. Throws PLATFORM_ERROR where an expression fails: nothing may be left out. */
  async apply(dataModel: string, stream: string, data: JsonObject): Promise<Mapped> {
    const mapped: Mapped = { records: [], deleted: [] };
    for (const entry of this.#streams.get(stream) ?? [])
      if (entry.dataModel === dataModel) await this.#applyRule(entry, stream, data, mapped);
    return mapped;
  }

  async #applyRule({ dataModel, when, deleted, record }: CompiledRule, stream: string, data: JsonObject, mapped: Mapped): Promise<void> {
    const failed = (words: string): GatewayError =>
      new GatewayError('PLATFORM_ERROR', `the mapping of stream ${stream} to ${dataModel} fails: ${words}`);
    try {
      if (when && (await when.evaluate(data)) !== true) return;
      const isDeleted = deleted !== null && (await deleted.evaluate(data)) === true;
      const value: unknown = await record.evaluate(data);
      for (const made of Array.isArray(value) ? value : isEmpty(value) ? [] : [value]) {
        if (typeof made !== 'object' || made === null) throw new Error('it makes a value that is no record');
        const { platform_id: id } = made as SourceRecord;
        if (typeof id !== 'string' || id === '') throw new Error('it makes a record without a text as platform_id');
        if (isDeleted) mapped.deleted.push(id);
        else mapped.records.push(made as SourceRecord);
      }
    } catch (error) {
      throw failed(wordsOf(error));
    }
  }
}

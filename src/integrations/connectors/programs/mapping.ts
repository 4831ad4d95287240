// Mapping files: how the records of a program's streams become records of our data models.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { ConfigError } from '../../../config.ts';
import { packagePath } from '../../../runtime/package-root.ts';
import { compile, type Expressions, type Rule, wordsOf } from './expressions.ts';
import { fieldsNamed } from './mapped-fields.ts';
import { MappingRun } from './mapping-run.ts';

/** Loads the library of mapping files for the first of them. */
const load = createRequire(import.meta.url);

const rule = z.strictObject({
  dataModel: z.string().min(1),
  when: z.string().min(1).optional(),
  deleted: z.string().min(1).optional(),
  record: z.string().min(1),
});

const repeated = z.enum(['first', 'last']);

const file = z.strictObject({
  title: z.string().min(1),
  tables: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  shared: z.string().default(''),
  files: z
    .record(
      z.string(),
      z.strictObject({
        columns: z.array(z.string().min(1)).min(1),
        group: z.string().min(1).optional(),
        repeated: z.record(z.string(), repeated).default({}),
      }),
    )
    .default({}),
  streams: z.record(z.string(), z.array(rule).min(1)),
});

/** Which of the records of a `platform_id` counts where they differ. */
export type Repeated = z.infer<typeof repeated>;

/** How a file is known whose rows are the records of a stream. */
export interface FileForm {
  /** Columns, or members of the first record, that it has, whatever others there are. */
  columns: readonly string[];
  /** The column whose rows make one record as long as its value stays the same or is empty. */
  group?: string | undefined;
  /** Which record of an id counts, by data model. Of any other data model, those that differ from the first of an id are rejected. */
  repeated: Readonly<Record<string, Repeated>>;
}

/** The mapping of one source. */
export class Mapping {
  readonly title: string;
  /** The files that it maps, by their streams; none in a mapping for a program. */
  readonly files: Readonly<Record<string, FileForm>>;
  readonly #expressions: Expressions;

  private constructor(title: string, files: Mapping['files'], expressions: Expressions) {
    this.title = title;
    this.files = files;
    this.#expressions = expressions;
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
    const { title, files, ...expressions } = shape.data;
    for (const [stream, { repeated }] of Object.entries(files)) {
      if (!Object.hasOwn(expressions.streams, stream)) issues.push(`files.${stream} is not one of the streams`);
      const made = modelsOf(expressions.streams[stream] ?? []);
      for (const dataModel of Object.keys(repeated))
        if (!made.includes(dataModel)) issues.push(`files.${stream}.repeated.${dataModel} is not a data model of the stream`);
    }
    for (const [stream, rules] of Object.entries(expressions.streams))
      for (const [index, rule] of rules.entries())
        for (const key of ['when', 'deleted', 'record'] as const)
          try {
            if (rule[key] !== undefined) compile(rule[key], expressions);
          } catch (error) {
            issues.push(`streams.${stream}.${index}.${key} is not an expression of JSONata: ${wordsOf(error)}`);
          }
    if (issues.length > 0) throw new ConfigError(issues.map((issue) => `mapping ${name}: ${issue}`).join('\n'));
    return new Mapping(title, files, expressions);
  }

  /** The data models that it makes records of. */
  get dataModels(): string[] {
    return modelsOf(Object.values(this.#expressions.streams).flat());
  }

  /** The data models that the records of a stream become. */
  dataModelsOf(stream: string): string[] {
    return modelsOf(this.#expressions.streams[stream] ?? []);
  }

  /** Those of the fields of a data model that it makes. */
  fieldsOf(dataModel: string, fields: readonly string[]): string[] {
    const rules = Object.values(this.#expressions.streams)
      .flat()
      .filter((rule) => rule.dataModel === dataModel);
    const named = rules.flatMap((rule) => fieldsNamed(compile(rule.record, this.#expressions), fields));
    return [...new Set(named)];
  }

  /** The mapping for one run; to be closed. */
  open(mostCpuMs?: number): MappingRun {
    return new MappingRun(this.#expressions, mostCpuMs);
  }
}

const modelsOf = (rules: readonly Rule[]): string[] => [...new Set(rules.map(({ dataModel }) => dataModel))];

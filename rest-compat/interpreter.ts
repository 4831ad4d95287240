// Runs one row: gathers its arguments, runs its stored operation through the executor, wraps the answer. Knows no record and no rule.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import type { LRUCache } from 'lru-cache';
import type { RoleName } from '../src/core/access.ts';
import type { Answer } from '../src/core/answer.ts';
import { type Coercer, coercerFor, dialects } from '../src/core/coerce.ts';
import type { RequestContext } from '../src/core/context.ts';
import { faulty, GatewayError, missing } from '../src/core/errors.ts';
import { type Executor, markCoerced, type Operation, type Variables } from '../src/core/executor.ts';
import type { Fault } from '../src/core/fault.ts';
import { snakeCase } from '../src/core/names.ts';
import { envelope } from './envelopes.ts';
import { type LedgerParameters, ledgerParameters, readLedgerQuery } from './ledger-query.ts';
import { type Choice, operationName, plainChoice, resultField, rootFields, type StoredOperation, storedOperation } from './operation.ts';
import type { Row } from './row.ts';
import type { Multipart, MultipartForm } from './upload.ts';

/** A request as a row sees it. */
export interface RowRequest {
  params: Record<string, string>;
  query: Map<string, string>;
  body: unknown;
  multipart?: Multipart | undefined;
  headers: IncomingHttpHeaders;
  context: RequestContext;
}

interface Argument {
  key: string;
  source: Row['args'][string];
  coercer: Coercer;
  required: boolean;
  anyJson: boolean;
}

/** A row's operation for one choice of fields. */
export interface Prepared {
  stored: StoredOperation;
  operation: Operation;
}

/** A row ready to run. */
export class RowRunner {
  readonly row: Row;
  /** Name of the row's operation. */
  readonly name: string;
  /** Roles the root field asks for; checked before the request is looked at any closer. */
  readonly roles: readonly RoleName[];
  /** Whether the row only reads. */
  readonly isQuery: boolean;
  readonly #schema: GraphQLSchema;
  readonly #executor: Executor;
  readonly #arguments: Argument[];
  readonly #parameters: LedgerParameters | undefined;
  readonly #listKey: string;
  /** Operations of all rows for choices other than the plain one. */
  readonly #choices: LRUCache<string, Prepared>;
  #plainly: Prepared | undefined;
  readonly #queryNames: Set<string>;
  readonly #plain: Choice;

  constructor(schema: GraphQLSchema, executor: Executor, choices: LRUCache<string, Prepared>, row: Row) {
    this.row = row;
    this.#choices = choices;
    this.name = operationName(row);
    this.#schema = schema;
    const { envelope: shape } = row;
    this.#plain = {
      ...plainChoice,
      select: new Set(row.select),
      count: (shape.kind === 'list' && shape.total === true) || shape.kind === 'counted',
    };
    this.#executor = executor;
    const { kind, fields } = rootFields(schema, row);
    this.isQuery = kind === 'query';
    this.roles = fields[0]!.extensions.access as RoleName[];
    const known = new Map<string, GraphQLArgument>(
      fields.flatMap((field) => field.args.map((argument) => [`${field.name}.${argument.name}`, argument] as const)),
    );
    const last = fields.at(-1)!;
    this.#listKey = last.name;
    this.#arguments = Object.entries(row.args).map(([name, source]) => {
      const key = name.includes('.') ? name : `${last.name}.${name}`;
      const argument = known.get(key);
      if (!argument) throw new Error(`${row.method} ${row.path}: no argument ${key}`);
      return {
        key,
        source,
        coercer: argumentCoercer(argument.type, source, row),
        required: isRequiredArgument(argument),
        anyJson: getNamedType(argument.type).name === 'JSON',
      };
    });
    if (row.ledgerQuery) {
      const record = getNamedType(resultField(fields, row).type) as GraphQLObjectType;
      const filter = last.args.find((argument) => argument.name === 'filter');
      this.#parameters = ledgerParameters(
        recordOf(record),
        row.ledgerQuery === 'list' ? (getNamedType(filter!.type) as GraphQLInputObjectType) : undefined,
      );
    }
    this.#queryNames = new Set(
      this.#arguments.flatMap(({ source }) =>
        source.from === 'query' ? [source.name] : source.from === 'body' ? (source.orQuery ?? []) : [],
      ),
    );
  }

  /** Whether the row reads a JSON body, and whether that may be absent. */
  get reads(): 'json' | 'optional' | undefined {
    const bodies = this.#arguments.flatMap(({ source }) => (source.from === 'body' ? [source] : []));
    if (bodies.length === 0) return undefined;
    return bodies.every((source) => source.optional || source.orQuery !== undefined) ? 'optional' : 'json';
  }

  /** What the multipart body of the row may hold; undefined for every other row. */
  get form(): MultipartForm | undefined {
    const sources = this.#arguments.map(({ source }) => source);
    const file = sources.find((source) => source.from === 'upload');
    return (
      file && {
        file: file.name,
        maxBytes: file.maxBytes,
        parts: sources.flatMap((source) => (source.from === 'part' ? [source.name] : [])),
      }
    );
  }

  /** Whether the body may be an array: it is passed on whole, as a value of any form. */
  get bodyMayBeArray(): boolean {
    return this.#arguments.some(({ source, anyJson }) => source.from === 'body' && !source.member && anyJson);
  }

  /** The operation the row runs when nothing is expanded, for documentation and the playground. */
  get stored(): StoredOperation {
    return this.#prepare(this.#plain, new Set(this.#arguments.map((argument) => argument.key))).stored;
  }

  /** The list and expansion parameters of the row, for documentation. */
  get parameters(): LedgerParameters | undefined {
    return this.#parameters;
  }

  /** Runs the row. */
  run(request: RowRequest): Promise<Answer> {
    const values = new Map<string, unknown>();
    const faults: Fault[] = [];
    for (const { key, source, coercer, required } of this.#arguments) {
      const raw = rawValue(source, request);
      if (raw === undefined && mayBeAbsent(source) && !required) continue;
      refuseArray(source, raw, request.query);
      values.set(key, coercer(raw, pathOf(source), faults));
    }
    if (faults.length > 0) throw faulty(faults);
    const choice = this.#readQuery(request.query, values);
    const { stored, operation } = this.#prepare(choice, new Set(values.keys()));
    const variables: Variables = {};
    for (const variable of stored.variables) {
      const value = values.get(variable.key);
      variables[variable.name] = value;
      markCoerced(request.context, value);
    }
    return this.#execute(operation, variables, choice, request);
  }

  #readQuery(query: Map<string, string>, values: Map<string, unknown>): Choice {
    if (this.#parameters) {
      if (query.size === 0) return this.#plain;
      const { choice, args } = readLedgerQuery(this.#parameters, query);
      for (const [name, value] of Object.entries(args)) values.set(`${this.#listKey}.${name}`, value);
      return choice;
    }
    for (const name of query.keys()) {
      if (this.#queryNames.has(name)) continue;
      const shown = name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
      const allowed = this.#queryNames.size > 0 ? `known are ${[...this.#queryNames].join(', ')}` : 'there are none';
      throw new GatewayError('INVALID_PARAMS', `${shown} is not a parameter here; ${allowed}`, {
        field: shown,
        faults: [{ field: shown, code: 'UNKNOWN_FIELD', message: `${shown} is not a parameter here` }],
      });
    }
    return this.#plain;
  }

  #prepare(choice: Choice, used: ReadonlySet<string>): Prepared {
    // Most requests ask for nothing special; telling two choices apart by their text would cost those more than the rest of this.
    if (choice === this.#plain && used.size === this.#arguments.length) {
      this.#plainly ??= this.#compile(choice, used);
      return this.#plainly;
    }
    const id = JSON.stringify([this.name, [...choice.expand].sort(), [...choice.select].sort(), choice.deleted, choice.count, [...used]]);
    let prepared = this.#choices.get(id);
    if (!prepared) {
      prepared = this.#compile(choice, used);
      this.#choices.set(id, prepared);
    }
    return prepared;
  }

  #compile(choice: Choice, used: ReadonlySet<string>): Prepared {
    const stored = storedOperation(this.#schema, this.row, choice, used);
    return { stored, operation: this.#executor.compile(parse(stored.document, { noLocation: true }), stored.name) };
  }

  async #execute(operation: Operation, variables: Variables, choice: Choice, request: RowRequest): Promise<Answer> {
    const pending = operation.run(request.context, variables);
    const result = pending instanceof Promise ? await pending : pending;
    if (result.errors && result.errors.length > 0) throw this.#respelled(result.errors[0]!, request.body);
    let root: unknown = result.data;
    for (const name of this.row.root.split('.')) root = (root as Record<string, unknown>)[name];
    let record: unknown = root;
    for (const name of this.row.result?.split('.') ?? []) record = (record as Record<string, unknown> | null)?.[name];
    const single = !Array.isArray((request.body as { data?: unknown } | undefined)?.data);
    const one = (single && Array.isArray(record) ? record[0] : record) as Record<string, unknown> | undefined;
    return {
      status: record === null ? (this.row.statusWithoutResult ?? this.row.status) : this.row.status,
      headers: this.row.entityTag && single && one ? { ETag: this.row.entityTag(one) } : {},
      body: envelope(this.row, {
        root: root as Record<string, unknown>,
        record,
        requestId: request.context.requestId,
        counted: choice.count,
        single,
      }),
    };
  }

  /** The name a caller of the row uses for an argument that is a parameter of the path or the query. */
  #ownName(field: string): string | undefined {
    const source = this.row.args[field];
    if (source?.from === 'body') return source.member ?? 'body';
    return source && 'name' in source ? source.name : undefined;
  }

  /** An error of a resolver names fields as GraphQL spells them; the caller gets the spelling of the row. */
  #respelled(error: GraphQLError, body: unknown): unknown {
    const original = error.originalError;
    if (!(original instanceof GatewayError) || original.info.field === undefined) return original ?? error;
    const isSingle = !Array.isArray((body as { data?: unknown } | undefined)?.data);
    const respell = (field: string): string => {
      const own = this.#ownName(field);
      if (own !== undefined) return own;
      const member = withoutInput(field);
      const spelled = this.row.spelling === 'camel' || field === 'companyId' ? member : member.split('.').map(snakeName).join('.');
      return isSingle ? spelled.replace(/^data\[0\]/, 'data') : spelled;
    };
    const retell = (message: string, field: string): string =>
      [field, withoutInput(field), field.split('.').at(-1)!].reduce(
        (text, part) => text.replaceAll(part, part.includes('.') ? respell(part) : respell(field).split('.').at(-1)!),
        message,
      );
    const { field, faults } = original.info;
    return new GatewayError(original.code, retell(original.message, field), {
      ...original.info,
      field: respell(field),
      ...(faults
        ? { faults: faults.map((fault) => ({ ...fault, field: respell(fault.field), message: retell(fault.message, fault.field) })) }
        : {}),
    });
  }
}

/** Members of the argument `input` are members of the body. */
const withoutInput = (field: string): string => field.replace(/^input\./, '');

/** Keys of maps, such as countries, are no names of ours. */
const snakeName = (name: string): string => (/^[a-z]/.test(name) ? snakeCase(name) : name);

/** Below a connection or payload the record is one step further down. */
function recordOf(type: GraphQLObjectType): GraphQLObjectType {
  const nodes = type.getFields().nodes;
  return nodes && isObjectType(getNamedType(nodes.type)) ? (getNamedType(nodes.type) as GraphQLObjectType) : type;
}

function rawValue(source: Row['args'][string], request: RowRequest): unknown {
  switch (source.from) {
    case 'path':
      return request.params[source.name];
    case 'query':
      return request.query.get(source.name);
    case 'upload':
      return request.multipart!.file;
    case 'part':
      return request.multipart!.parts.get(source.name)?.trim() || undefined;
    case 'value':
      return source.value;
    case 'header':
      return request.headers[source.name];
    case 'body':
      if (source.orQuery) return { ...fromQuery(source.orQuery, request.query), ...(request.body as object | undefined) };
      return source.member ? (request.body as Record<string, unknown> | null | undefined)?.[source.member] : request.body;
  }
}

const fromQuery = (names: string[], query: Map<string, string>): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])));
/** Whether an argument without a value is left to its default rather than checked. */
const mayBeAbsent = (source: Row['args'][string]): boolean =>
  source.from === 'query' || source.from === 'header' || source.from === 'part' || (source.from === 'body' && source.optional === true);

/** An array is only for requests that say they can wait for it. */
function refuseArray(source: Row['args'][string], raw: unknown, query: Map<string, string>): void {
  if (source.from !== 'body' || !source.many || !Array.isArray(raw) || query.get(source.many) === 'true') return;
  throw new GatewayError('ASYNC_REQUIRED', `an array in ${source.member} needs ${source.many}=true`, { field: source.many });
}

/** Path under which faults of an argument are reported: the members of a whole body stand for themselves. */
const pathOf = (source: Row['args'][string]): string =>
  source.from === 'body' ? (source.member ?? '') : source.from === 'value' ? '' : source.name;

function argumentCoercer(type: GraphQLInputType, source: Row['args'][string], row: Row): Coercer {
  if (source.from === 'value' || source.from === 'upload') return (value) => value;
  if (source.from !== 'body') return coercerFor(type, dialects.text);
  const coercer = coercerFor(type, dialects[row.spelling]);
  if (!source.many) return coercer;
  return (value, path, faults) => {
    if (value === undefined || value === null) throw missing(path);
    if (Array.isArray(value)) return coercer(value, path, faults);
    const own: Fault[] = [];
    const list = coercer([value], path, own);
    for (const fault of own)
      faults.push({ ...fault, field: fault.field.replace(/^data\[0\]/, 'data'), message: fault.message.replaceAll('data[0]', 'data') });
    return list;
  };
}

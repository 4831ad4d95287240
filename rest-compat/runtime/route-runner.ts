// Runs one route: collects its arguments, runs its stored operation through the executor, wraps the response. Contains no rules of any record.

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  assertObjectType,
  type GraphQLArgument,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import type { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../src/access/context.ts';
import type { Multipart, MultipartForm } from '../../src/files/posted-form.ts';
import { inTurn } from '../../src/graphql/admission.ts';
import { type Executor, markCoerced, type Operation, type Variables } from '../../src/graphql/executor.ts';
import { type Coercer, coercerFor, namingStrategies, recordsCoercer } from '../../src/graphql/input/input-coercion.ts';
import { DeclaredArguments } from '../../src/graphql/mutations/input-argument.ts';
import { type CostFunction, costOf } from '../../src/graphql/query-cost.ts';
import type { HttpResponse } from '../../src/http/response.ts';
import { expandedEtag } from '../../src/integrations/ledger/ledger-record.ts';
import { Gathering, isPlainObject, memberOf } from '../../src/records/checked.ts';
import { GatewayError, missing } from '../../src/records/errors.ts';
import type { RoleName } from '../../src/records/roles.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import type { Route } from '../routes/route.ts';
import { envelope } from './envelopes.ts';
import { type LedgerParameters, ledgerParameters, readLedgerQuery } from './ledger-parameters.ts';
import { conditionsOf, entityTagOf, existing, isVersioned } from './record-versions.ts';
import { CSV, reportCsv } from './report-csv.ts';
import { noSources, RequestPlaces, refuseArray, requireSpelling, type SourcedArgument, type Sources } from './request-places.ts';
import {
  defaultProjection,
  operationName,
  type Projection,
  resultField,
  rootFields,
  type StoredOperation,
  storedOperation,
} from './stored-operation.ts';
import { readSummaryQuery, type SummaryParameters, summaryParameters } from './summary-parameters.ts';

/** A request as a route sees it. */
export interface RouteRequest {
  params: Record<string, string>;
  query: Map<string, string>;
  body: unknown;
  multipart?: Multipart | undefined;
  headers: IncomingHttpHeaders;
  /** Whether the caller wants CSV rather than JSON. */
  isCsv: boolean;
  context: RequestContext;
}

interface Argument extends SourcedArgument {
  coercer: Coercer;
  /** The same for an array of records. */
  records: ReturnType<typeof recordsCoercer> | undefined;
  required: boolean;
}

/** A route's operation for one projection of fields. */
export interface Prepared {
  stored: StoredOperation;
  operation: Operation;
  /** What it costs, by which it takes its turn; routes have limits of their own. */
  cost: CostFunction;
}

/** The projection of a request, and where its arguments came from. */
interface ParsedQuery {
  projection: Projection;
  sources: Sources;
}

/** The fields of a record that say what its source made of a write. */
const OUTCOME = ['source_state', 'source_error'];

/** A route ready to run. */
export class RouteRunner {
  readonly route: Route;
  /** Name of the route's operation. */
  readonly name: string;
  /** Roles of the root field; checked before anything else of the request. */
  readonly roles: readonly RoleName[];
  /** Whether the route only reads. */
  readonly isQuery: boolean;
  /** Whether the route reads a JSON body, and whether the body may be absent. */
  readonly reads: 'json' | 'optional' | undefined;
  /** What the multipart body of the route may hold; undefined for every other route. */
  readonly form: MultipartForm | undefined;
  /** Whether the body may be an array, because it is passed on whole as free-form JSON. */
  readonly bodyMayBeArray: boolean;
  readonly #schema: GraphQLSchema;
  readonly #executor: Executor;
  readonly #arguments: Argument[];
  readonly #parameters: LedgerParameters | undefined;
  readonly #summary: SummaryParameters | undefined;
  readonly #listKey: string;
  /** Operations of all routes for projections other than the plain one. */
  readonly #projections: LRUCache<string, Prepared>;
  #plainOperation: Prepared | undefined;
  readonly #queryNames: Set<string>;
  /** The members that a body may have; undefined where the whole body is one argument, which knows its own. */
  readonly #members: ReadonlySet<string> | undefined;
  readonly #plain: Projection;
  readonly #places: RequestPlaces;
  /** Whether callers may name the version that they change, and the tag of the version that the response shows. */
  readonly #isVersioned: boolean;
  readonly #tagOf: ReturnType<typeof entityTagOf>;
  /** Where the response is in the result of the operation, and the record in the response. */
  readonly #rootPath: readonly string[];
  readonly #recordPath: readonly string[];

  constructor(schema: GraphQLSchema, executor: Executor, projections: LRUCache<string, Prepared>, route: Route) {
    this.route = route;
    this.#projections = projections;
    this.name = operationName(route);
    this.#schema = schema;
    const { envelope: shape } = route;
    this.#plain = {
      ...defaultProjection,
      expand: new Set(route.expand),
      select: new Set(route.select),
      count: (shape.kind === 'list' && shape.total === true) || shape.kind === 'counted',
    };
    this.#executor = executor;
    const { kind, fields } = rootFields(schema, route);
    this.isQuery = kind === 'query';
    this.roles = fields[0]!.extensions.access!;
    const known = new Map<string, GraphQLArgument>(
      fields.flatMap((field) => field.args.map((argument) => [`${field.name}.${argument.name}`, argument] as const)),
    );
    const last = fields.at(-1)!;
    this.#listKey = last.name;
    this.#isVersioned = isVersioned(schema, route);
    this.#tagOf = entityTagOf(schema, route);
    this.#arguments = Object.entries(route.args).map(([name, source]) => {
      const key = name.includes('.') ? name : `${last.name}.${name}`;
      const argument = known.get(key);
      if (!argument) throw new Error(`${route.method} ${route.path}: no argument ${key}`);
      return {
        key,
        type: argument.type,
        source,
        coercer: argumentCoercer(argument, source, route),
        records:
          source.from === 'body' && source.many
            ? recordsCoercer(argument.type, namingStrategies[route.naming], argument.extensions.names)
            : undefined,
        required: isRequiredArgument(argument),
        anyJson: getNamedType(argument.type).name === 'JSON',
      };
    });
    this.reads = readsOf(this.#arguments);
    this.form = formOf(this.#arguments);
    this.bodyMayBeArray = this.#arguments.some(({ source, anyJson }) => source.from === 'body' && !source.member && anyJson);
    this.#members = membersOf(this.#arguments);
    this.#rootPath = route.root.split('.');
    this.#recordPath = route.result?.split('.') ?? [];
    this.#places = new RequestPlaces(schema, route, this.#arguments, this.#listKey);
    if (route.ledgerQuery === 'summary') this.#summary = summaryParameters(last, route);
    else if (route.ledgerQuery) {
      const record = assertObjectType(getNamedType(resultField(fields, route).type));
      this.#parameters = ledgerParameters(recordOf(record), last, route);
    }
    this.#queryNames = new Set(
      this.#arguments.flatMap(({ source }) =>
        source.from === 'query' ? [source.name] : source.from === 'body' ? (source.orQuery ?? []) : [],
      ),
    );
  }

  /** The operation the route runs when nothing is expanded, for documentation and the playground. */
  get stored(): StoredOperation {
    return this.#prepare(this.#plain, new Set(this.#arguments.map((argument) => argument.key))).stored;
  }

  /** The list and expansion parameters of the route, for documentation. */
  get parameters(): LedgerParameters | undefined {
    return this.#parameters;
  }

  /** Reads a request of the route; throws what is wrong with it. The returned function runs it. */
  async read(given: RouteRequest): Promise<() => Promise<HttpResponse>> {
    const request = this.isQuery ? given : { ...given, headers: conditionsOf(given.headers, this.route, this.#isVersioned) };
    const values = new Map<string, unknown>();
    const issues = new Gathering();
    if (this.#members) unknownMembers(this.#members, request.body, issues);
    for (const { key, source, coercer, records, required } of this.#arguments) {
      const raw = rawValue(source, request);
      if (raw === undefined && mayBeAbsent(source) && !required) continue;
      refuseArray(source, raw, request.query);
      const path = pathOf(source);
      const value = records && Array.isArray(raw) ? await records(raw, path, issues) : coercer(raw, path, issues);
      if (source.from === 'path' && typeof value === 'number') requireSpelling(source.name, raw, value, issues);
      values.set(key, value);
    }
    issues.refuse();
    const query = this.#readQuery(request.query, values);
    // A write with `wait` shows whether the source has taken it.
    if (this.route.ledgerQuery === 'write' && request.query.has('wait'))
      query.projection = { ...query.projection, select: new Set([...query.projection.select, ...OUTCOME]) };
    const prepared = this.#prepare(query.projection, new Set(values.keys()));
    return () => {
      if (this.#isVersioned && request.headers['if-match'] !== undefined) request.context.ifMatch = request.headers['if-match'];
      const sent: Variables = {};
      for (const { name, key } of prepared.stored.sent) {
        const value = values.get(key);
        sent[name] = value;
        markCoerced(request.context, value);
      }
      const [input] = this.isQuery ? [] : prepared.stored.variables;
      const response = this.#execute(prepared, input ? { [input.name]: new DeclaredArguments(sent) } : sent, query, request);
      return !this.isQuery && given.headers['if-none-match'] !== undefined ? response.catch(existing) : response;
    };
  }

  #readQuery(query: Map<string, string>, values: Map<string, unknown>): ParsedQuery {
    const plain = { projection: this.#plain, sources: noSources };
    const others = [...query].filter(([name]) => !this.#queryNames.has(name));
    if (others.length === 0) return plain;
    if (this.#parameters || this.#summary) {
      const given = new Map(others);
      const { projection, args, sources } = this.#summary
        ? readSummaryQuery(this.#summary, this.#plain, given)
        : readLedgerQuery(this.#parameters!, this.#plain, given);
      for (const [name, value] of Object.entries(args)) values.set(`${this.#listKey}.${name}`, value);
      return { projection, sources };
    }
    for (const [name] of others) {
      const shown = printable(name);
      const allowed = this.#queryNames.size > 0 ? `use ${[...this.#queryNames].join(', ')}` : 'this route takes no parameters';
      throw new GatewayError('INVALID_PARAMS', `${shown} is not a parameter here; ${allowed}`, {
        field: shown,
        issues: [{ field: shown, code: 'UNKNOWN_FIELD', message: `${shown} is not a parameter here` }],
      });
    }
    return plain;
  }

  #prepare(projection: Projection, used: ReadonlySet<string>): Prepared {
    // Most requests use the plain projection; building a cache key would cost them more than all else in this method.
    if (projection === this.#plain && used.size === this.#arguments.length) {
      this.#plainOperation ??= this.#compile(projection, used);
      return this.#plainOperation;
    }
    const id = JSON.stringify([
      this.name,
      [...projection.expand].sort(),
      [...projection.select].sort(),
      projection.deleted,
      projection.count,
      [...used],
    ]);
    let prepared = this.#projections.get(id);
    if (!prepared) {
      prepared = this.#compile(projection, used);
      this.#projections.set(id, prepared);
    }
    return prepared;
  }

  #compile(projection: Projection, used: ReadonlySet<string>): Prepared {
    const stored = storedOperation(this.#schema, this.route, projection, used);
    const document = parse(stored.document, { noLocation: true });
    return { stored, operation: this.#executor.compile(document, stored.name), cost: costOf(this.#schema, document) };
  }

  async #execute(
    { operation, cost }: Prepared,
    variables: Variables,
    { projection, sources }: ParsedQuery,
    request: RouteRequest,
  ): Promise<HttpResponse> {
    const pending = inTurn(request.context, cost(variables), () => operation.run(request.context, variables));
    const result = pending instanceof Promise ? await pending : pending;
    if (result.errors && result.errors.length > 0) throw this.#places.renamed(result.errors[0]!, sources, request.body);
    let root: unknown = result.data;
    for (const name of this.#rootPath) root = memberOf(root, name);
    let record: unknown = root;
    for (const name of this.#recordPath) record = record === null ? null : memberOf(record, name);
    const single = !Array.isArray(memberOf(request.body, 'data'));
    const one: unknown = single && Array.isArray(record) ? record[0] : record;
    const { csv } = this.route;
    const response = {
      isWithoutSecrets: operation.traits.isWithoutSecrets,
      status: record === null ? (this.route.statusWithoutResult ?? this.route.status) : this.route.status,
      headers: csv ? { Vary: 'Accept' } : single && isPlainObject(one) ? this.#entityTag(one, projection) : {},
    };
    if (csv && request.isCsv) {
      const headers = { ...response.headers, 'Content-Type': `${CSV}; charset=utf-8` };
      // Records in a result are JSON already, which this reads.
      return { ...response, headers, body: reportCsv(csv, JSON.parse(JSON.stringify(record))) };
    }
    return {
      ...response,
      body: envelope(this.route, {
        root: isPlainObject(root) ? root : {},
        record,
        requestId: request.context.requestId,
        counted: projection.count,
        single,
      }),
    };
  }

  /**
   * The tag of a record. The version that was read includes a hash of the response where the response may change without the record. That is so with
   * expansions, with fields shown on request that depend on other records (issues), and for records of the platform that show parts of others.
   */
  #entityTag(record: Record<string, unknown>, { expand, select }: Projection): Record<string, string> {
    const tag = this.#tagOf?.(record);
    if (tag === undefined) return {};
    const mayDiffer = this.isQuery && (expand.size > 0 || select.size > 0 || this.route.surface !== 'integrations');
    return { ETag: mayDiffer ? expandedEtag(tag, hash('sha256', JSON.stringify(record), 'hex').slice(0, 16)) : tag };
  }
}

/** A name the caller sent, made safe for a message. */
const printable = (name: string): string => name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');

/** The members of the body that arguments come from, where each comes from one. */
function membersOf(args: readonly Argument[]): ReadonlySet<string> | undefined {
  const members = args.flatMap(({ source }) => (source.from === 'body' ? [source.member] : []));
  const named = members.filter((member) => member !== undefined);
  return named.length > 0 && named.length === members.length ? new Set(named) : undefined;
}

/** Records each member of a body that is not known. */
function unknownMembers(members: ReadonlySet<string>, body: unknown, issues: Gathering): void {
  if (!isPlainObject(body)) return;
  const choices = `; allowed are ${[...members].join(', ')}`;
  for (const name of Object.keys(body)) {
    const field = printable(name);
    if (!members.has(name)) issues.add(field, 'UNKNOWN_FIELD', `${field} is not a field here`, { choices });
  }
}

function readsOf(args: readonly Argument[]): 'json' | 'optional' | undefined {
  const bodies = args.flatMap(({ source }) => (source.from === 'body' ? [source] : []));
  if (bodies.length === 0) return undefined;
  return bodies.every((source) => source.optional || source.orQuery !== undefined) ? 'optional' : 'json';
}

function formOf(args: readonly Argument[]): MultipartForm | undefined {
  const sources = args.map(({ source }) => source);
  const file = sources.find((source) => source.from === 'upload');
  return (
    file && {
      file: file.name,
      maxBytes: file.maxBytes,
      parts: sources.flatMap((source) => (source.from === 'part' ? [source.name] : [])),
    }
  );
}

/** The record type of a field: that of `nodes` for a connection. */
function recordOf(type: GraphQLObjectType): GraphQLObjectType {
  const nodes = type.getFields().nodes;
  return nodes && isObjectType(getNamedType(nodes.type)) ? assertObjectType(getNamedType(nodes.type)) : type;
}

function rawValue(source: Route['args'][string], request: RouteRequest): unknown {
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
      return request.headers[source.name.toLowerCase()];
    case 'body':
      if (source.orQuery) return { ...fromQuery(source.orQuery, request.query), ...(isPlainObject(request.body) ? request.body : {}) };
      return source.member ? memberOf(request.body, source.member) : request.body;
  }
}

const fromQuery = (names: string[], query: Map<string, string>): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : [])));
/** Whether an absent argument gets its default instead of being checked. */
const mayBeAbsent = (source: Route['args'][string]): boolean =>
  source.from === 'query' || source.from === 'header' || source.from === 'part' || (source.from === 'body' && source.optional === true);

/** The path prefix of the issues of an argument; empty for a whole body, whose members are named directly. */
const pathOf = (source: Route['args'][string]): string =>
  source.from === 'body' ? (source.member ?? '') : source.from === 'value' ? '' : source.name;

function argumentCoercer(argument: GraphQLArgument, source: Route['args'][string], route: Route): Coercer {
  const { names } = argument.extensions;
  const type = restTypeOf(argument);
  if (source.from === 'value' || source.from === 'upload') return (value) => value;
  if (source.from !== 'body') return coercerFor(type, namingStrategies.text, names);
  const coercer = coercerFor(type, namingStrategies[route.naming], names);
  if (!source.many) return coercer;
  return (value, path, issues) => {
    if (value === undefined || value === null) throw missing(path);
    const own = new Gathering();
    const list = coercer([value], path, own);
    const single = own.issues.map((issue) => ({
      ...issue,
      field: issue.field.replace(/^data\[0\]/, 'data'),
      message: issue.message.replaceAll('data[0]', 'data'),
    }));
    issues.addAll({ issues: single, count: own.count });
    return list;
  };
}

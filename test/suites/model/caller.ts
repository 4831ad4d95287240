// Sends the operations of the model over REST or GraphQL, and brings the responses of both to one form.
import { randomUUID } from 'node:crypto';
import type { Gateway, GatewayResponse } from '../../support/gateway.ts';
import type { TestCompany } from '../../support/records.ts';
import { endOfSync, jobsOf } from '../../support/syncs.ts';
import type { Input } from './books.ts';
import { camel, type Kind, one, type Reference, snake, type Type, takesCurrency, typeOf } from './types.ts';

/** A record as the gateway shows it: names of GraphQL, `id` as its number. */
export type Row = Record<string, unknown>;

/** What was returned about one record. */
export interface Seen {
  codes: string[];
  row?: Row | undefined;
}

export interface Sent {
  response: GatewayResponse;
  seen: Seen;
}

export interface Call {
  type: Type;
  mode: 'create' | 'upsert' | 'update';
  input: Input;
  strict: boolean;
  target?: number | undefined;
  ifMatch?: string | undefined;
  key?: string | undefined;
  /** Whether the members of the body come in another order, which is the same request. */
  isSpelled?: boolean;
}

const graphqlKinds: Record<Kind, string> = {
  text: 'String',
  amount: 'Decimal',
  integer: 'Int',
  currency: 'CurrencyCode',
  choice: 'AllocationDocument',
};

/** The fields of a type that the suite compares, as a selection; children with theirs. */
export function selectionOf(type: Type, depth = 0): string {
  const fields = ['ledgerId', 'platformId', 'etag', ...Object.keys(type.fields), ...type.references.map(({ id }) => id)];
  if (type.parent) fields.push(type.parent);
  if (depth === 0) fields.push('ledgerDeletedAt', 'integrityIssues { rule }');
  const children = type.children.map(({ field, type: name }) => `${field} { ${selectionOf(typeOf(name), depth + 1)} }`);
  return [...fields, ...children].join(' ');
}

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, entry]) => [name, reversed(entry)]),
  );
};

/** Members with the names of REST, where the number of a child is its `ledger_id`. */
export function restInput(value: unknown, isChild = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => restInput(entry, true));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [isChild && name === 'id' ? 'ledger_id' : snake(name), restInput(entry)]),
  );
}

/** A record of a response with the names of GraphQL. */
export function rowOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rowOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name === 'ledger_id' || name === 'ledgerId' ? 'id' : camel(name), rowOf(entry)]),
  );
}

export class Caller {
  readonly gateway: Gateway;
  readonly company: TestCompany;

  constructor(gateway: Gateway, company: TestCompany) {
    this.gateway = gateway;
    this.company = company;
  }

  rest(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<GatewayResponse> {
    return this.gateway.send(method, `${this.company.base}/${path}`, {
      headers: { ...this.company.headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  async graphql(query: string, variables: Record<string, unknown> = {}): Promise<GatewayResponse> {
    return this.gateway.graphql(this.company.key, query, variables);
  }

  /** Writes one record. */
  async restWrite({ type, mode, input, strict, target, ifMatch, key, isSpelled }: Call): Promise<Sent> {
    const path = `${snake(type.many)}${mode === 'update' ? `/${target}` : ''}${strict ? '?strict=true' : ''}`;
    const body = { data: restInput(input) };
    const headers = { ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }), ...(key === undefined ? {} : { 'idempotency-key': key }) };
    const response = await this.rest(mode === 'create' ? 'POST' : 'PUT', path, isSpelled ? reversed(body) : body, headers);
    return { response, seen: restSeen(response, response.body?.data?.data) };
  }

  async graphqlWrite(call: Call, hasVariables: boolean): Promise<Sent> {
    const { type, mode, input, strict, target, ifMatch, key, isSpelled } = call;
    const field = `${mode}${type.name}`;
    const given: Record<string, unknown> = {
      companyId: `company_${this.company.id}`,
      ...(mode === 'update' ? { id: target } : {}),
      ...input,
      ...(strict ? { strict } : {}),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    };
    const payload = `{ ${one(type.name)} { ${selectionOf(type)} } errors { code path } }`;
    const Input = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
    const variables = isSpelled ? (reversed(given) as Record<string, unknown>) : given;
    const response = hasVariables
      ? await this.graphql(membersDocument(type, field, given, payload), variables)
      : await this.graphql(`mutation ($input: ${Input}!) { ${field}(input: $input) ${payload} }`, { input: variables });
    const result = response.body?.data?.[field];
    return { response, seen: graphqlSeen(response, result?.errors, result?.[one(type.name)]) };
  }

  /** Writes records each on its own, or all or none. */
  async bulk(type: Type, mode: Call['mode'], records: Input[], { atomic, strict }: { atomic: boolean; strict: boolean }): Promise<Seen[]> {
    const field = `${mode}${plural(type)}`;
    const response = await this.graphql(
      `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) {
        results { index ${one(type.name)} { ${selectionOf(type)} } errors { code path } } errors { code path } } }`,
      { input: { companyId: `company_${this.company.id}`, records, atomic, strict } },
    );
    return bulkSeen(response, field, one(type.name), records.length);
  }

  async removeMany(type: Type, records: { id: unknown; ifMatch?: string | undefined }[], atomic: boolean): Promise<Seen[]> {
    const field = `delete${plural(type)}`;
    const response = await this.graphql(
      `mutation ($input: Delete${plural(type)}Input!) { ${field}(input: $input) {
        results { index ${one(type.name)} { ledgerId } errors { code path } } errors { code path } } }`,
      { input: { companyId: `company_${this.company.id}`, records, atomic } },
    );
    return bulkSeen(response, field, one(type.name), records.length);
  }

  async remove(type: Type, target: number, isRest: boolean, ifMatch?: string): Promise<Seen> {
    if (isRest) {
      const response = await this.rest(
        'DELETE',
        `${snake(type.many)}/${target}`,
        undefined,
        ifMatch === undefined ? {} : { 'if-match': ifMatch },
      );
      return restSeen(response, undefined);
    }
    const field = `delete${type.name}`;
    const response = await this.graphql(
      `mutation ($input: Delete${type.name}Input!) { ${field}(input: $input) { ${one(type.name)} { ledgerId } errors { code path } } }`,
      {
        input: {
          companyId: `company_${this.company.id}`,
          id: `${snake(type.name)}_${target}`,
          ...(ifMatch === undefined ? {} : { ifMatch }),
        },
      },
    );
    return graphqlSeen(response, response.body?.data?.[field]?.errors, undefined);
  }

  /** Writes a batch in the background; the outcome of each record when it has ended. Throws the codes of one that is rejected as a whole. */
  async batch(type: Type, mode: 'create' | 'upsert', records: Input[], strict: boolean, isRest: boolean): Promise<Seen[]> {
    let response: GatewayResponse;
    let syncId: string | undefined;
    if (isRest) {
      const path = `${snake(type.many)}?run_async=true${strict ? '&strict=true' : ''}`;
      response = await this.rest(mode === 'create' ? 'POST' : 'PUT', path, { data: records.map((record) => restInput(record)) });
      syncId = response.body?.data?.sync_id;
    } else {
      const field = `${mode}${plural(type)}`;
      response = await this.graphql(
        `mutation ($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { syncId errors { code path } } }`,
        { input: { companyId: `company_${this.company.id}`, records, strict, runAsync: true } },
      );
      syncId = response.body?.data?.[field]?.syncId;
      if (!syncId) return records.map(() => graphqlSeen(response, response.body?.data?.[field]?.errors, undefined));
    }
    if (!syncId) return records.map(() => restSeen(response, undefined));
    await endOfSync(this.gateway, this.company, syncId);
    const seen = records.map((): Seen => ({ codes: [] }));
    for (const { errorCode, errorResponse } of await jobsOf(this.gateway, this.company, syncId))
      if (errorResponse) seen[errorResponse.index]!.codes.push(errorCode!);
    return seen;
  }
}

export const newKey = (): string => randomUUID();

const plural = (type: Type): string => type.many[0]!.toUpperCase() + type.many.slice(1);

/** A document in which each member of the input is a variable, with two members more whose variables are not sent. */
function membersDocument(type: Type, field: string, given: Record<string, unknown>, payload: string): string {
  const kinds = new Map<string, string>([
    ['companyId', 'ID!'],
    ['id', 'ID!'],
    ['platformId', 'String'],
    ['strict', 'Boolean!'],
    ...(field.startsWith('create') ? [] : [['ifMatch', 'String'] as [string, string]]),
    ['idempotencyKey', 'String'],
    ...Object.entries(type.fields).map(([name, kind]): [string, string] => [name, graphqlKinds[kind]]),
    ...type.references.flatMap(({ id, by, nested, to }: Reference): [string, string][] => [
      [id, 'ID'],
      [by, nested ? `${to[0]}Input` : 'RecordReferenceInput'],
    ]),
    ...type.children.map(({ field: name, type: child }): [string, string] => [name, `[${child}Input!]`]),
    ...(takesCurrency(type) ? [['currency', 'CurrencyInput'] as [string, string]] : []),
  ]);
  const absent = [...kinds.keys()]
    .filter((name) => !(name in given) && !kinds.get(name)!.endsWith('!') && name !== 'idempotencyKey')
    .slice(0, 3);
  const names = [...Object.keys(given), ...absent];
  const variables = names.map((name) => `$${name}: ${kinds.get(name)}`).join(', ');
  return `mutation (${variables}) { ${field}(input: { ${names.map((name) => `${name}: $${name}`).join(', ')} }) ${payload} }`;
}

function restSeen(response: GatewayResponse, record: unknown): Seen {
  if (response.status < 300) return { codes: [], row: record === undefined ? undefined : (rowOf(record) as Row) };
  return { codes: [String(response.body?.error?.error_code ?? `status ${response.status}`)] };
}

function graphqlSeen(response: GatewayResponse, errors: { code: string }[] | undefined, record: unknown): Seen {
  if (response.body?.errors) return { codes: response.body.errors.map(({ extensions, message }: never) => codeOf(extensions, message)) };
  if (errors?.length) return { codes: errors.map(({ code }) => code) };
  return { codes: [], row: record ? (rowOf(record) as Row) : undefined };
}

const codeOf = (extensions: { code?: string } | undefined, message: string): string => extensions?.code ?? message;

function bulkSeen(response: GatewayResponse, field: string, record: string, count: number): Seen[] {
  const payload = response.body?.data?.[field];
  if (!payload?.results) return Array.from({ length: count }, () => graphqlSeen(response, payload?.errors, undefined));
  return payload.results.map((result: Record<string, unknown>) => graphqlSeen(response, result.errors as never, result[record]));
}

// Each read takes every query parameter that the OpenAPI documents list for it: a parameter sent alone, with a value of its schema, causes no error.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTenant, type Tenant } from '../suites/tenants.ts';
import { useGateway } from '../support/gateway.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | null)[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  pattern?: string;
  format?: string;
  minimum?: number;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  schema: Schema;
}
interface Item {
  parameters?: Parameter[];
  get?: { parameters?: Parameter[] };
}
interface Document {
  paths: Record<string, Item>;
}

const gateway = useGateway({ webhookAllowPrivate: true, connectorPrivateHosts: ['127.0.0.1'] });
let tenant: Tenant;
let headers: Record<string, string>;
let corporationId: string;

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Parameters');
  headers = { authorization: `Bearer ${tenant.key}`, api_key: tenant.key, 'x-api-key': tenant.key };
  corporationId = await firstOf('/api/v1/corporations');
}, 120_000);

/** The trial balance that a source made itself, of which the demo ledger makes none. */
const OF_A_SOURCE = '/reports/source_trial_balance';

/** Values that the schema cannot tell. */
const KNOWN: Record<string, string[]> = {
  time_zone: ['Europe/Berlin'],
  // A cursor is a value of the list itself, and an empty one counts as absent.
  next: [''],
  prev: [''],
  after: [],
  cursor: [],
  parent: ['01'],
  'requester_ip[eq]': ['127.0.0.1'],
  '/api/v1/audit-log/verification?from': [],
  '/api/v1/entity-forms?country': ['US'],
  '/api/v1/entity-forms?state': ['CA'],
};

/** Texts of values that fit a schema: all that it lists, otherwise one. */
function valuesOf(schema: Schema): string[] {
  const { type, minimum = 1, pattern = '' } = schema;
  if (schema.anyOf) return schema.anyOf.flatMap(valuesOf);
  if (schema.items) return valuesOf(schema.items);
  const [, minus, named] = /^\^(-\?)?\(([\w|]+)\)\$$/.exec(pattern) ?? [];
  const choices = schema.enum?.filter((value) => value !== null) ?? named?.split('|');
  if (choices) return minus ? choices.flatMap((one) => [one, `-${one}`]) : choices;
  if (type?.includes('boolean')) return ['true', 'false'];
  if (type?.includes('integer') || type?.includes('number')) return [String(minimum)];
  return ['2026-01-31', 'a', 'GB']
    .filter((text) => schema.format !== 'date' || text.length > 2)
    .filter((text) => new RegExp(pattern).test(text))
    .slice(0, 1);
}

const surfaces = ['platform', 'address', 'integrations'] as const;
const documents = surfaces
  .map((surface) => {
    const document = JSON.parse(readFileSync(new URL(`../../schema/openapi/${surface}.json`, import.meta.url), 'utf8')) as Document;
    const resolved = <T extends { $ref?: string }>(value: T): T =>
      value.$ref
        ? resolved(
            value.$ref
              .slice(2)
              .split('/')
              .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name.replaceAll('~1', '/')], document) as T,
          )
        : value;
    const plain = (schema: Schema): Schema => {
      const { items, anyOf, properties, ...rest } = resolved(schema);
      return {
        ...rest,
        ...(items ? { items: plain(items) } : {}),
        ...(anyOf ? { anyOf: anyOf.map(plain) } : {}),
        ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, plain(one)])) } : {}),
      };
    };
    const reads = Object.entries(document.paths).flatMap(([path, { parameters = [], get }]) => {
      const all = [...parameters, ...(get?.parameters ?? [])].map(resolved);
      const query = all.filter((one) => one.in === 'query').map((one) => ({ ...one, schema: plain(one.schema) }));
      return query.length > 0 && !path.endsWith(OF_A_SOURCE) ? [{ path, query }] : [];
    });
    return { surface, reads };
  })
  .filter(({ reads }) => reads.length > 0);

/** The values of a parameter, each with the name that it is sent under. */
function sentAs({ name, schema, style }: Parameter, path: string): [string, string][] {
  if (name === 'corporation_id') return [[style ? `${name}[eq]` : name, corporationId]];
  const known = KNOWN[`${path}?${name}`] ?? KNOWN[name];
  // A summary can be ordered by what it is grouped by, and by their number.
  if (name === 'order_by' && path.endsWith('/summary'))
    return [
      [name, 'count'],
      [name, '-count'],
    ];
  if (style !== 'deepObject') return (known ?? valuesOf(schema)).map((value) => [name, value]);
  const operators = schema.properties ?? {};
  return Object.entries(operators).flatMap(([operator, one]) =>
    // The values of `in` are those of `eq`, with commas between them.
    (KNOWN[`${name}[${operator === 'in' ? 'eq' : operator}]`] ?? valuesOf(operator === 'in' ? (operators.eq ?? one) : one))
      .slice(0, 1)
      .map((value): [string, string] => [`${name}[${operator}]`, value]),
  );
}

/** The id of the first record of a list. */
async function firstOf(list: string): Promise<string> {
  const { body, text } = await gateway.send('GET', list, { headers });
  const [first] = [body?.data, ...Object.values(body?.data ?? {})].find(Array.isArray) ?? [];
  const id = first?.ledger_id ?? first?.id;
  if (id === undefined) throw new Error(`${list}: ${text}`);
  return String(id);
}

/** The path with the id of a record where it needs one: that of the first in the list before it. */
async function concrete(path: string): Promise<string> {
  const company = path.replace(/\{company_id\}|\{companyId\}/, String(tenant.companyId));
  let filled = company.replace('{businessEntityId}', String(tenant.businessEntityId));
  for (;;) {
    const [, list, name] = /^(.*)\/\{(\w+)\}/.exec(filled) ?? [];
    if (list === undefined) return filled;
    const id = await firstOf(name === 'syncId' ? `/v4/core/companies/${tenant.companyId}/syncs` : list);
    filled = filled.replace(`{${name}}`, id);
  }
}

describe.each(documents)('the document of the $surface API', ({ reads }) => {
  it.each(reads.map((one): [string, typeof one] => [one.path, one]))('GET %s takes every parameter', async (_, { path, query }) => {
    const address = await concrete(path);
    const needed = query.filter(({ required }) => required).flatMap((one) => sentAs(one, path).slice(0, 1));
    const get = async (...parameters: [string, string][]): Promise<string> => {
      const { status, text } = await gateway.send('GET', `${address}?${new URLSearchParams(parameters)}`, { headers });
      return status === 200 || text.includes('MIXED_CURRENCIES')
        ? ''
        : `${new URLSearchParams(parameters)}: ${status} ${text.slice(0, 200)}`;
    };
    expect(await get(...needed)).toBe('');
    const wrong: string[] = [];
    for (const parameter of query)
      for (const sent of sentAs(parameter, path)) {
        const others = needed.filter(([name]) => name !== sent[0]);
        const said = await get(...others, sent);
        if (said) wrong.push(said);
      }
    expect(wrong).toEqual([]);
  });
});

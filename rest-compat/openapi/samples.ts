// Sample requests of the pages: the variables of an operation, and the same values in a REST request.
import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import type { Route } from '../routes/route.ts';
import type { StoredVariable } from '../runtime/stored-operation.ts';
import { valuesOf } from './json-schema.ts';

/** A request to paste: path with query string, and a JSON body or the parts of a form where one is sent. Ids that only the caller knows stay `{placeholders}`. */
export interface SampleRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Parts of a multipart body; a value that starts with `@` names a file. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Values by field name; a field without an entry gets a value by its type. */
const byName: Record<string, unknown> = {
  addressLine1: '100 Example Street',
  address: '10 Downing Street, London SW1A 2AA',
  city: 'Wilmington',
  corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } },
  country: 'US',
  currency: 'USD',
  customsCode: '8471.30.0100',
  entityType: 'C_CORP',
  eventData: { reference: 'test' },
  frequency: 'MONTHLY',
  jurisdiction: 'US',
  legalName: 'Blue Harbor Trading, Inc.',
  name: 'Example',
  postalCode: '19801',
  sku: 'LAPTOP-14',
  state: 'DE',
  text: '10 Downing Street, Lond',
  url: 'https://example.com/hooks',
};

/** Optional fields to include in the sample of a type, besides the required ones. */
const optionalFields: Record<string, readonly string[]> = {
  CreateCorporationInput: ['state', 'entityType'],
  CreateProductInput: ['sku', 'name'],
  UpdateCorporationInput: ['legalName'],
  UpdateProductInput: ['name'],
  UpdateWebhookInput: ['url'],
};

const byScalar: Record<string, unknown> = {
  Boolean: false,
  Int: 1,
  PositiveInt: 1,
  SafeInt: 1,
  Float: 1,
  Decimal: 1,
  Latitude: 51.5033,
  Longitude: -0.1276,
  DateTime: '2026-01-31T12:00:00Z',
  LocalDate: '2026-01-31',
  UUID: '018f2f6e-0000-7000-8000-000000000000',
  JSON: {},
  JSONObject: {},
};

/** The names of fields and enum values in a sample. */
interface SampleNaming {
  field: (name: string, field: GraphQLInputField) => string;
  firstValue: (type: GraphQLEnumType) => string;
  has: (field: GraphQLInputField) => boolean;
}

const asGraphql: SampleNaming = { field: (name) => name, firstValue: (type) => type.getValues()[0]!.name, has: () => true };
const asRest = (route: Route): SampleNaming => ({
  field: namingStrategies[route.naming].fieldName,
  firstValue: (type) => valuesOf(type)[0]!,
  has: ({ extensions }) => !extensions.graphqlOnly,
});

/** A value of a type. */
function sampleOf(type: GraphQLInputType, name: string, naming: SampleNaming): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [sampleOf(inner.ofType, name, naming)];
  if (name in byName) return byName[name];
  if (isEnumType(inner)) return naming.firstValue(inner);
  if (!isInputObjectType(inner)) return byScalar[inner.name] ?? `<${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}>`;
  const wanted = Object.values(inner.getFields()).filter(
    (field) =>
      naming.has(field) &&
      ((isNonNullType(restTypeOf(field)) && field.defaultValue === undefined) ||
        optionalFields[inner.name]?.includes(field.name) ||
        isIdentity(inner.name, field.name)),
  );
  return Object.fromEntries(wanted.map((field) => [naming.field(field.name, field), sampleOf(restTypeOf(field), field.name, naming)]));
}

/** Ledger records have no required field; their samples show the name and the key for upserts. */
const isIdentity = (type: string, field: string): boolean =>
  /^(?!Create|Update)\w+Input$/.test(type) && (field === 'name' || field === 'platformId');

/** The required variables of a route's operation, and its whole body. */
export function sampleVariables(variables: readonly StoredVariable[]): Record<string, unknown> {
  const needed = variables.filter(
    ({ argument }) =>
      (isNonNullType(argument.type) && argument.defaultValue === undefined) || isInputObjectType(getNamedType(argument.type)),
  );
  return Object.fromEntries(needed.map(({ name, argument }) => [name, sampleOf(restTypeOf(argument), argument.name, asGraphql)]));
}

/** The JSON body of a route's request. */
export function sampleBody(route: Route, argument: GraphQLArgument, { member, many }: { member?: string; many?: string }): unknown {
  const value = sampleOf(restTypeOf(argument), argument.name, asRest(route));
  if (!member) return value;
  return { [member]: many ? (value as unknown[])[0] : value };
}

/** The value of a path parameter that exists in the demo data; undefined for ids that only the caller knows. */
export const sampleParameter = (argument: GraphQLArgument): unknown =>
  getNamedType(restTypeOf(argument)).name === 'PositiveInt' ? byScalar.PositiveInt : undefined;

/** The REST request with the same values; ids that only the caller knows stay placeholders. */
export function sampleRequest(route: Route, variables: readonly StoredVariable[]): SampleRequest {
  let path = route.path;
  const query: string[] = [];
  const form: Record<string, string> = {};
  let body: unknown;
  for (const [name, source] of Object.entries(route.args)) {
    const argument = variables.find(({ key }) => key === name || key.endsWith(`.${name}`))?.argument;
    if (!argument) continue;
    if (source.from === 'path') {
      const value = sampleParameter(argument);
      if (value !== undefined) path = path.replace(`{${source.name}}`, String(value));
    } else if (source.from === 'query') {
      if (isNonNullType(argument.type) && argument.defaultValue === undefined) query.push(`${source.name}={${source.name}}`);
    } else if (source.from === 'body') {
      const sample = sampleBody(route, argument, source);
      body = body === undefined ? sample : { ...(body as object), ...(sample as object) };
    } else if (source.from === 'upload') {
      form[source.name] = '@products.csv';
    } else if (source.from === 'part') {
      form[source.name] = String(sampleOf(restTypeOf(argument), argument.name, asRest(route)));
    }
  }
  const parts = Object.keys(form).length > 0 ? { form } : {};
  return {
    method: route.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    ...(body === undefined ? {} : { body }),
    ...parts,
  };
}

// The errors that an operation may return, from what its field takes, returns and says of itself.
import { type GraphQLField, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import { type ErrorCode, type ErrorSurface, errorCodes } from '../../src/records/errors.ts';
import { allModels } from '../../src/records/metadata.ts';

type Field = GraphQLField<unknown, unknown>;

const isCode = (text: string): text is ErrorCode => Object.hasOwn(errorCodes, text);

/** Errors of any operation with a trait, in the order in which a request meets them. */
const traits: readonly [holds: (operation: Traits) => boolean, codes: readonly ErrorCode[]][] = [
  [({ roles }) => roles.length > 0, ['UNAUTHENTICATED', 'FORBIDDEN']],
  [() => true, ['RATE_LIMIT_EXCEEDED']],
  [({ kind, surface }) => kind === 'mutation' && surface !== 'graphql', ['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE']],
  [({ surface }) => surface === 'graphql', ['QUERY_TOO_COMPLEX']],
  [({ names }) => names.length > 0, ['INVALID_PARAMS']],
  [({ fields }) => fields.some(({ args }) => args.some(isRequiredArgument)), ['MISSING_PARAMS']],
  [({ names }) => names.includes('after'), ['INVALID_CURSOR']],
  [({ names }) => names.includes('filter'), ['FILTER_TOO_BROAD']],
  [({ kind }) => kind === 'mutation', ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS']],
  [({ names }) => names.includes('ifMatch'), ['STALE_RECORD']],
];

interface Traits {
  readonly kind: string;
  readonly surface: ErrorSurface;
  readonly fields: readonly Field[];
  readonly names: readonly string[];
  readonly roles: readonly string[];
}

/** The record types that a field names by its arguments, and the one it returns by its own id. */
function namedModels(field: Field): string[] {
  const payload = getNamedType(field.type);
  const returned = [payload, ...(isObjectType(payload) ? Object.values(payload.getFields()).map(({ type }) => getNamedType(type)) : [])];
  const hasOwnId = field.args.some(({ name }) => ['id', 'ledgerId', 'input'].includes(name));
  return [
    ...field.args.flatMap(
      ({ name, extensions }) =>
        extensions.names?.().map((model) => model.name) ?? (/Id$/.test(name) ? name[0]!.toUpperCase() + name.slice(1, -2) : []),
    ),
    ...(hasOwnId && !field.name.startsWith('create') ? returned.map(({ name }) => name) : []),
  ];
}

/** Codes of the closed list by the path of fields that an operation runs; `declared` are those its route names. */
export function operationErrors(
  kind: string,
  fields: readonly Field[],
  surface: ErrorSurface,
  declared: readonly string[] = [],
): ErrorCode[] {
  const names = fields.flatMap(({ args }) => args.map(({ name }) => name));
  const operation: Traits = { kind, surface, fields, names, roles: fields[0]!.extensions.access ?? [] };
  const models = new Set(fields.flatMap(namedModels));
  const missing = allModels().flatMap((model) => (models.has(model.name) && model.notFound ? [model.notFound] : []));
  const described = fields.flatMap(({ description }) => description?.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);
  const codes = new Set<string>([
    ...traits.flatMap(([holds, more]) => (holds(operation) ? more : [])),
    ...missing,
    ...described,
    ...declared,
  ]);
  return [...codes].filter(isCode).filter((code) => (errorCodes[code].surfaces as readonly string[]).includes(surface));
}

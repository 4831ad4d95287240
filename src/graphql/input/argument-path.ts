// The paths by which errors name arguments, such as `input.taxIds[0].value`. Errors get this form when they leave a resolver; each endpoint then
// renames the fields for its callers.
import { type GraphQLArgument, type GraphQLInputType, getNamedType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { GatewayError } from '../../records/errors.ts';
import type { NamingStrategy } from './input-coercion.ts';

/** A segment of a path: the name of a member or the index in a list. */
type Segment = string | number;

const freeForm = new Set(['JSON', 'JSONObject']);
const isFreeForm = (type: GraphQLInputType): boolean => freeForm.has(getNamedType(type).name);
const withoutNonNull = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);

/** The segments of a path in any of its notations: `a.b[0].c`, `a.b.0.c`, and the JSON pointer `/a/b/0/c`. */
export function segmentsOf(path: string): Segment[] {
  const isPointer = path.startsWith('/');
  const parts = isPointer
    ? path
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return parts.filter((part) => part !== '').map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part));
}

/** Joins segments to a path; `dotted` writes indexes as `a.0`, not as `a[0]`. */
export const joined = (segments: readonly Segment[], dotted = false): string =>
  segments
    .map((segment, index) => (typeof segment === 'number' && !dotted ? `[${segment}]` : `${index > 0 ? '.' : ''}${segment}`))
    .join('');

/** The segments below a value of a type, with members named by `nameOf`; cut off where the type has no such member. */
export function segmentsBelow(declared: GraphQLInputType, segments: readonly Segment[], nameOf: NamingStrategy['fieldName']): Segment[] {
  const [first, ...tail] = segments;
  const type = withoutNonNull(declared);
  if (first === undefined) return [];
  if (isListType(type))
    return typeof first === 'number' ? [first, ...segmentsBelow(type.ofType, tail, nameOf)] : segmentsBelow(type.ofType, segments, nameOf);
  if (isFreeForm(type)) return [...segments];
  const field = isInputObjectType(type) ? type.getFields()[first] : undefined;
  if (field) return [nameOf(field.name, field), ...segmentsBelow(field.type, tail, nameOf)];
  const ownNumber = isInputObjectType(type) && first === 'id' ? type.extensions.ownNumber?.name : undefined;
  return ownNumber === undefined ? [] : [nameOf === asDeclared ? 'id' : ownNumber];
}

const asDeclared = (name: string): string => name;

/**
 * The path of a field that a resolver names, starting at an argument. A resolver may name a member of its input object without the argument,
 * and a member of its JSON document by a pointer. Undefined for a name that is in no argument: the caller did not send it.
 */
export function argumentPath(args: readonly GraphQLArgument[], named: string): string | undefined {
  const segments = segmentsOf(named);
  const [head, ...tail] = segments;
  const below = (argument: GraphQLArgument, inner: Segment[]): string =>
    joined([argument.name, ...segmentsBelow(argument.type, inner, asDeclared)]);
  // The empty pointer is the whole document.
  if (named === '' || named.startsWith('/')) {
    const document = args.find((argument) => isFreeForm(argument.type));
    return document && joined([document.name, ...segments], true);
  }
  const own = args.find((argument) => argument.name === head);
  // The schema does not know the lists of a free-form document, so its paths stay as they are.
  if (own) return isFreeForm(own.type) ? named : below(own, tail);
  const holder = args.find((argument) => {
    const type = withoutNonNull(argument.type);
    return isInputObjectType(type) && head !== undefined && head in type.getFields();
  });
  return holder && below(holder, segments);
}

/** The error with every field renamed by `rename`; fields for which it returns undefined are removed. */
export function withRenamedFields(
  error: GatewayError,
  rename: (field: string) => string | undefined,
  message = error.message,
): GatewayError {
  const { field, issues, ...info } = error.info;
  const own = field === undefined ? undefined : rename(field);
  const named = issues?.flatMap((issue) => {
    const renamed = rename(issue.field);
    return renamed === undefined ? [] : [{ ...issue, field: renamed }];
  });
  return new GatewayError(error.code, message, {
    ...info,
    ...(own === undefined ? {} : { field: own }),
    ...(named && named.length > 0 ? { issues: named } : {}),
  });
}

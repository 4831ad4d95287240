// The paths by which errors name arguments, `input.taxIds[0].value`: brought into that form where a resolver ends, respelled by each door for its callers.
import { type GraphQLArgument, type GraphQLInputType, getNamedType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { GatewayError } from '../records/errors.ts';
import type { NamingStrategy } from './input-coercion.ts';

/** A step of a path: the name of a member or the place in a list. */
type Segment = string | number;

const freeForm = new Set(['JSON', 'JSONObject']);
const isFreeForm = (type: GraphQLInputType): boolean => freeForm.has(getNamedType(type).name);
const bare = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? type.ofType : type);

/** The steps of a path in any of its spellings: `a.b[0].c`, `a.b.0.c`, and the JSON pointer `/a/b/0/c`. */
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

/** Puts steps into one path; `dotted` names places in lists as `a.0`, not as `a[0]`. */
export const joined = (segments: readonly Segment[], dotted = false): string =>
  segments
    .map((segment, index) => (typeof segment === 'number' && !dotted ? `[${segment}]` : `${index > 0 ? '.' : ''}${segment}`))
    .join('');

/** The steps below a value of a type, members spelled by `nameOf`; cut off where the type has no such member. */
export function stepsBelow(declared: GraphQLInputType, segments: readonly Segment[], nameOf: NamingStrategy['fieldName']): Segment[] {
  const [first, ...rest] = segments;
  const type = bare(declared);
  if (first === undefined) return [];
  if (isListType(type))
    return typeof first === 'number' ? [first, ...stepsBelow(type.ofType, rest, nameOf)] : stepsBelow(type.ofType, segments, nameOf);
  if (isFreeForm(type)) return [...segments];
  const field = isInputObjectType(type) ? type.getFields()[first] : undefined;
  return field ? [nameOf(field.name, field), ...stepsBelow(field.type, rest, nameOf)] : [];
}

const asDeclared = (name: string): string => name;

/**
 * The path of what a resolver names, from the arguments of its field down. A resolver may name a member of its input object by itself, and a
 * place of its JSON document by a pointer. Undefined for what is in no argument: the caller did not send it.
 */
export function argumentPath(args: readonly GraphQLArgument[], named: string): string | undefined {
  const segments = segmentsOf(named);
  const [head, ...rest] = segments;
  const below = (argument: GraphQLArgument, steps: Segment[]): string =>
    joined([argument.name, ...stepsBelow(argument.type, steps, asDeclared)]);
  // The empty pointer is the whole document.
  if (named === '' || named.startsWith('/')) {
    const document = args.find((argument) => isFreeForm(argument.type));
    return document && joined([document.name, ...segments], true);
  }
  const own = args.find((argument) => argument.name === head);
  // A document of free form has no lists that we know of, so its places stay as they are named.
  if (own) return isFreeForm(own.type) ? named : below(own, rest);
  const holder = args.find((argument) => {
    const type = bare(argument.type);
    return isInputObjectType(type) && head !== undefined && head in type.getFields();
  });
  return holder && below(holder, segments);
}

/** The error with every field it names put through `respell`; what that does not know is no longer named. */
export function refielded(error: GatewayError, respell: (field: string) => string | undefined, message = error.message): GatewayError {
  const { field, issues, ...info } = error.info;
  const own = field === undefined ? undefined : respell(field);
  const named = issues?.flatMap((issue) => {
    const spelled = respell(issue.field);
    return spelled === undefined ? [] : [{ ...issue, field: spelled }];
  });
  return new GatewayError(error.code, message, {
    ...info,
    ...(own === undefined ? {} : { field: own }),
    ...(named && named.length > 0 ? { issues: named } : {}),
  });
}

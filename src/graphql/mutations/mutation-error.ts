// Errors as data: the type `MutationError` of the payloads, and which errors are reported there.
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { type ErrorCode, errorCodes, type GatewayError } from '../../records/errors.ts';
import { type InputIssue, type Issues, listed, sizeOf } from '../../records/input-issue.ts';
import { others } from '../../runtime/others.ts';

/** An error of a mutation as its payload reports it. */
export interface MutationError {
  code: ErrorCode;
  path: string[];
  message: string;
  allowed: readonly string[] | null;
}

const ErrorCodes = Object.fromEntries(Object.keys(errorCodes).map((code) => [code, code]));
registerEnumType(ErrorCodes, {
  name: 'ErrorCode',
  description: 'Error code; `/docs/errors` explains the meaning, cause and fix of each.',
  valuesConfig: Object.fromEntries(Object.entries(errorCodes).map(([code, { meaning }]) => [code, { description: meaning }])),
});

@ObjectType('MutationError', {
  description: 'Reason that a mutation, or one record of it, was rejected. Rejected input is not stored.',
  simpleResolvers: true,
})
export class MutationErrorType implements MutationError {
  @Field(() => ErrorCodes, { description: 'Code of the error.' }) code!: ErrorCode;
  @Field(() => [String], {
    description: 'Path of the value below `input`: names of members, and list indexes as text. Empty for the whole call.',
  })
  path!: string[];
  @Field(() => String, { description: 'One sentence for people.' }) message!: string;
  @Field(() => [String], { nullable: true, description: 'Allowed values, if the list is short; otherwise null.' })
  allowed!: readonly string[] | null;
}

const NONE: readonly MutationError[] = Object.freeze([]);

/** The value of the field `errors` of a payload, or of the result of one record. */
export const shownErrors = ({ errors }: { errors?: readonly MutationError[] }): readonly MutationError[] => errors ?? NONE;

/**
 * Codes that remain errors of the request, because no value of the input causes them: authentication and permissions, limits, retries, and failures
 * on our side.
 */
const requestErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
  'BATCH_LIMIT_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMIT_EXCEEDED',
  'QUERY_TOO_COMPLEX',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
]);

/** Whether a payload reports the error. */
export const isData = (error: GatewayError): boolean => !requestErrors.has(error.code);

/** Whether all issues of coerced input are about values, which a payload reports. A field that the schema does not have is an error of the document. */
export const areAboutValues = ({ issues }: Issues): boolean => issues.every(({ code }) => code !== 'UNKNOWN_FIELD');

/** A place in the words of the caller: the segments below `input`, and the message about it. */
export type Placed = (field: string | undefined, message: string) => Pick<MutationError, 'path' | 'message'>;

const codeOf = (error: ErrorCode, issue: InputIssue['code']): ErrorCode => {
  if (error !== 'INVALID_PARAMS' && error !== 'MISSING_PARAMS') return error;
  return issue === 'REQUIRED' ? 'MISSING_PARAMS' : 'INVALID_PARAMS';
};

/** An issue as an error of a payload. */
export const issueAsData = ({ field, code, message, allowed }: InputIssue, error: ErrorCode, placed: Placed): MutationError => ({
  code: codeOf(error, code),
  ...placed(field, message),
  allowed: allowed ?? null,
});

/** Every issue of an error, and of those found in the same call, as errors of a payload. */
export function errorAsData({ code, message, info }: GatewayError, placed: Placed): MutationError[] {
  const own = info.issues?.length
    ? info.issues.map((issue) => issueAsData(issue, code, placed))
    : [{ code, ...placed(info.field, message), allowed: null }];
  return [
    ...own,
    ...elsewhere(
      own,
      (info.others ?? []).flatMap((other) => errorAsData(other, placed)),
    ),
  ];
}

/** What a resolver returns for a record of a bulk form, with the error of a rejected one. */
export interface RecordOutcome {
  index: number;
  refusal?: GatewayError;
  errors?: MutationError[];
}

/** Gives each rejected record its errors, and returns those of all. With pauses, because the errors of a thousand records take 20 ms. */
export async function errorsOfRecords(outcomes: readonly RecordOutcome[], placed: Placed): Promise<MutationError[]> {
  const errors: MutationError[] = [];
  for (const outcome of outcomes) {
    if (outcome.refusal) outcome.errors = errorAsData(outcome.refusal, placed);
    for (const error of outcome.errors ?? []) errors.push(error);
    await others();
  }
  return errors;
}

/** The errors of other places. A rejected value is absent for later checks, which would report it again, or report what contains it as missing. */
export function elsewhere(known: readonly MutationError[], later: readonly MutationError[]): MutationError[] {
  const named = new Set(known.map(({ path }) => path.join('.')));
  const holders = new Set(known.flatMap(({ path }) => path.map((_, end) => path.slice(0, end).join('.'))));
  return later.filter(({ path, code }) => {
    const place = path.join('.');
    const isNamed = named.has(place) || path.some((_, end) => end > 0 && named.has(path.slice(0, end).join('.')));
    return !isNamed && !(code === 'MISSING_PARAMS' && holders.has(place));
  });
}

/** The errors of a call that is rejected: as many as a response lists, and one that counts the others. */
export function withinResponse(errors: readonly MutationError[], count = errors.length): MutationError[] {
  const shown = listed(errors, ({ path, message, allowed }) => sizeOf({ field: path.join('.'), message, allowed: allowed ?? [] }));
  const more = Math.max(count, errors.length) - shown.length;
  if (more === 0) return [...shown];
  return [...shown, { code: shown[0]!.code, path: [], message: `and ${more} more, which are not listed`, allowed: null }];
}

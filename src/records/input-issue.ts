// The shape of an input issue and the bounds of a list of them, for validators, the input coercer and the error renderers.

/** The kind of an input issue: the closed list of `error.details[].code` on the platform API. */
export type InputIssueCode =
  | 'REQUIRED'
  | 'INVALID_TYPE'
  | 'INVALID_FORMAT'
  | 'INVALID_VALUE'
  | 'OUT_OF_RANGE'
  | 'TOO_LONG'
  | 'DUPLICATE'
  | 'NOT_FOUND'
  | 'MISMATCH'
  | 'UNKNOWN_FIELD';

/** One issue of an input: the path of the field, the kind of issue, and a sentence for people. */
export interface InputIssue {
  field: string;
  /** Column of an uploaded file, where `field` names the file. */
  column?: string;
  code: InputIssueCode;
  message: string;
  /** The values that are allowed, where they are few. */
  allowed?: readonly string[];
}

/** Issues that were found: those that are listed, and how many there are, where that is more. */
export interface Issues {
  readonly issues: readonly InputIssue[];
  readonly count?: number;
}

/** Most issues that a response lists; further ones are counted. */
export const MAX_ISSUES = 100;

/**
 * Approximate maximum of the characters of the issues in a response. A character takes up to six bytes, and no response to rejected input is above 64
 * KB.
 */
export const MAX_TEXT = 8_000;

/** Longest name or sentence of a response that rejects; both may hold what the caller sent. */
const MAX_CHARACTERS = 2_000;

/** A text that is cut where it is too long. */
export const shortened = (text: string, most = MAX_CHARACTERS): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;

/** The characters that an issue adds to a response. */
export const sizeOf = ({ field, column = '', message, allowed = [] }: Omit<InputIssue, 'code'>): number =>
  field.length + column.length + message.length + allowed.reduce((sum, { length }) => sum + length, 0);

/** Those of a list of issues, or of errors made from them, that a response lists. */
export function listed<T>(issues: readonly T[], size: (issue: T) => number): readonly T[] {
  let room = MAX_TEXT;
  const end = issues.findIndex((issue, index) => {
    const isOver = room <= 0 || index === MAX_ISSUES;
    room -= size(issue);
    return isOver;
  });
  return end < 0 ? issues : issues.slice(0, end);
}

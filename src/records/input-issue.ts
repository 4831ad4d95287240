// The shape of an input issue, for validators, the input coercer and the error renderers.

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

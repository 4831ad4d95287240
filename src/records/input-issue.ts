// The shape of one thing wrong with an input; used by validators, the input coercer and the error renderers.

/** What kind of issue a field has; the closed list of `error.details[].code` on the platform API. */
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

/** One issue of an input: the field's path, the kind of issue, and one human sentence. */
export interface InputIssue {
  field: string;
  /** Column of an uploaded file, where `field` names the file. */
  column?: string;
  code: InputIssueCode;
  message: string;
}

// What is wrong with one input field; the shape every rule reports and every surface renders.
export interface Fault {
  field: string;
  code:
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
  message: string;
}

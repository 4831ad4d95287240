// Positions in the write-ahead log of PostgreSQL: what a write returns as its consistency token, and what a replica has replayed.

/** A position in the log; a later one is larger. */
export type LogPosition = bigint;

const FORM = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** The position in a text as PostgreSQL writes it, such as `16/B374D848`; undefined for any other text. */
export function logPosition(text: string): LogPosition | undefined {
  const [, high, low] = FORM.exec(text) ?? [];
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

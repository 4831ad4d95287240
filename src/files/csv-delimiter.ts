// Finds the delimiter of a CSV file: a comma, or the semicolon or tab that spreadsheets write where the comma is the decimal sign.

const DELIMITERS = [',', ';', '\t'] as const;

/** The delimiter of a CSV file. */
export type CsvDelimiter = (typeof DELIMITERS)[number];

/**
 * The most frequent delimiter of the header row, outside quoted cells; a comma without one. `isWhole` says whether the header row ends
 * within the text; otherwise more text must be read.
 */
export function delimiterOf(text: string): { delimiter: CsvDelimiter; isWhole: boolean } {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let isWhole = false;
  let isBegun = false;
  for (const sign of text) {
    const isBreak = sign === '\n' || sign === '\r';
    if (isBreak && isBegun && !isQuoted) {
      isWhole = true;
      break;
    }
    if (!isBreak && sign !== '\ufeff') isBegun = true;
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && counts.has(sign)) counts.set(sign, counts.get(sign)! + 1);
  }
  const delimiter = DELIMITERS.reduce((best, next) => (counts.get(next)! > counts.get(best)! ? next : best));
  return { delimiter, isWhole };
}

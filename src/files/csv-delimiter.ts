// Finds what separates the cells of a CSV file: commas, or the semicolons and tabs that spreadsheets write where the comma is the decimal sign.

const DELIMITERS = [',', ';', '\t'] as const;

/** What separates the cells of a CSV file. */
export type CsvDelimiter = (typeof DELIMITERS)[number];

/**
 * The delimiter that stands most often in the header row, quoted cells aside; a comma where none does. `isWhole` says whether the row ends
 * within the text: of one that does not, more must be read first.
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

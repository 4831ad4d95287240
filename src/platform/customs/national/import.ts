// Imports a published tariff as a version of its country, in one transaction and a chunk of codes at a time.
import type { Database } from '../../../database/open.ts';
import { systemTransaction } from '../../../database/transaction.ts';
import { NationalTariff, NationalTariffLine, type TariffLine } from './national-tariff.ts';
import { publishedCodes } from './published-files.ts';
import { TariffFileIssue } from './tariff-file-issue.ts';

/** Codes of one statement. */
const CHUNK = 1_000;
/** The largest published tariffs have some 40,000 codes. */
const MAX_CODES = 200_000;

/** What to import. */
export interface TariffImport extends Pick<NationalTariff, 'country' | 'validFrom' | 'validTo' | 'source'> {
  /** Opens the file; called again where the transaction is repeated. */
  open: () => AsyncIterable<Uint8Array>;
}

/** The number of codes stored, and of rows that repeated one of them. */
export interface ImportedTariff {
  codes: number;
  repeated: number;
}

/** Stores a version; one of the same country and first day is replaced. A file that is not as published changes nothing: TariffFileIssue or CsvIssue. */
export function importTariff(database: Database, { open, ...version }: TariffImport, now: Date): Promise<ImportedTariff> {
  const { country, validFrom } = version;
  return systemTransaction(database, async (em) => {
    // The row of the version comes first: it lets one import of a version wait for another.
    await em.upsert(NationalTariff, { ...version, codes: 0, importedAt: now });
    await em.nativeDelete(NationalTariffLine, { country, validFrom });
    const counts = { codes: 0, repeated: 0 };
    for await (const lines of inChunks(publishedCodes(open(), validFrom), counts))
      await em.insertMany(
        NationalTariffLine,
        lines.map((line) => ({ ...line, country, validFrom })),
      );
    if (counts.codes === 0) throw new TariffFileIssue(1, 'the file has no codes longer than six digits');
    await em.nativeUpdate(NationalTariff, { country, validFrom }, { codes: counts.codes });
    return counts;
  });
}

/** The codes in chunks, each with the one it is under: in a published tariff that comes before it. A repeated code keeps its first description. */
async function* inChunks(published: ReturnType<typeof publishedCodes>, counts: ImportedTariff): AsyncGenerator<TariffLine[]> {
  const seen = new Set<string>();
  const above: string[] = [];
  let chunk: TariffLine[] = [];
  for await (const { line, code, description } of published) {
    if (seen.has(code)) {
      counts.repeated += 1;
      continue;
    }
    seen.add(code);
    counts.codes += 1;
    if (counts.codes > MAX_CODES) throw new TariffFileIssue(line, `the file has more than ${MAX_CODES} codes`);
    while (above.length > 0 && !code.startsWith(above.at(-1)!)) above.pop();
    chunk.push({ code, parent: above.at(-1) ?? code.slice(0, 6), description });
    above.push(code);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

// Seals the stored secrets again under the key that seals now, after it was changed. What is sealed under it already is left as it is.
import type { Database } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { allModels, type Model, type Prop } from '../records/metadata.ts';
import type { SecretBox } from '../security/secret-box.ts';
import { otherSeals, replaceSeal, type SealedRow } from './reseal.statements.ts';

/** Rows of one transaction. */
const BATCH = 200;

/** What was found in a column of sealed texts. */
export interface Resealed {
  table: string;
  column: string;
  /** Texts that were sealed again, or would be. */
  resealed: number;
  /** Texts that no key of the settings opens; they are left as they are. */
  unreadable: number;
}

/** The columns that hold sealed texts, as their records declare them. */
export const sealedColumns = (): { model: Model; prop: Prop }[] =>
  allModels().flatMap((model) => [...model.props.values()].filter(({ sealed }) => sealed).map((prop) => ({ model, prop })));

export function opened(box: SecretBox, { text, owner }: SealedRow): string | undefined {
  try {
    return box.open(text, owner);
  } catch {
    return undefined;
  }
}

/**
 * Seals every stored secret again, column by column in batches; `dryRun` only counts. May be stopped at any time and run again: it continues
 * with what is left. Yields what it has done in a column after each batch.
 */
export async function* reseal(database: Database, box: SecretBox, dryRun: boolean): AsyncGenerator<Resealed> {
  for (const { model, prop } of sealedColumns()) {
    const done: Resealed = { table: model.table, column: prop.column, resealed: 0, unreadable: 0 };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      after = await systemTransaction(database, async (em) => {
        const counted = { resealed: 0, unreadable: 0 };
        const rows = await otherSeals(em, model, prop, { prefix: box.prefix, after: from, limit: BATCH });
        for (const row of rows) {
          const secret = opened(box, row);
          if (secret === undefined) counted.unreadable++;
          else if (dryRun || (await replaceSeal(em, model, prop, row, box.seal(secret, row.owner)))) counted.resealed++;
        }
        // After the transaction, which may run more than once.
        return { counted, last: rows.length === BATCH ? rows.at(-1)!.owner : undefined };
      }).then(({ counted, last }) => {
        done.resealed += counted.resealed;
        done.unreadable += counted.unreadable;
        return last;
      });
      yield { ...done };
    }
  }
}

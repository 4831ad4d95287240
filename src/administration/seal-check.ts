// Whether the secrets of the settings open what is stored sealed. Asked at the start and by `doctor`: a wrong secret shows otherwise only where a sealed value is needed.
import type { RunStatement } from '../database/migrations/state.ts';
import type { SecretBox } from '../security/secret-box.ts';
import { type SealedRow, someSeals } from './reseal.statements.ts';
import { opened, sealedColumns } from './reseal.ts';

/** Values that are tried of each column: one alone may have been unreadable for long. */
const TRIED = 10;

/** What is wrong with the secrets, in a sentence for each kind of sealed value of which none opens. */
export async function sealIssues(run: RunStatement, box: SecretBox): Promise<string[]> {
  const issues: string[] = [];
  for (const { model, prop } of sealedColumns()) {
    const rows = await run<SealedRow>(someSeals(model, prop, TRIED));
    if (rows.length > 0 && rows.every((row) => opened(box, row) === undefined))
      issues.push(
        `no value of ${model.table}.${prop.column} opens (${rows.length} tried): it is sealed under a secret that is neither in SEALING_SECRETS nor SIGNING_SECRET. Set the secrets that were kept with the backup`,
      );
  }
  return issues;
}

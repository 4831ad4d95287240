// The statement that reads and locks the company of a write.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { jsonOfRow } from '../../database/reader/json-expression.ts';
import type { Column, Model, StoredRecord } from '../../records/metadata.ts';

/** The company, which no other transaction can change until this one ends. Every write of ledger records begins with it. */
export async function lockedCompany<T extends object, K extends Column<T>>(
  em: EntityManager,
  company: Model<T>,
  organisationId: number,
  ledgerId: number,
  select: readonly K[],
): Promise<StoredRecord<T, K> | undefined> {
  const rows = await executeIn<{ row: StoredRecord<T, K> }>(
    em,
    `select ${jsonOfRow(company, select)} as row from company where organisation_id = $1 and ledger_id = $2 and removed_at is null for share`,
    [organisationId, ledgerId],
  );
  return rows[0]?.row;
}

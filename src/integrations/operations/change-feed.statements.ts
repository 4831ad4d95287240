// The statement of the change feed: the records of a company in the order of their stamps, whatever their types.
import type { Statement } from '../../database/open.ts';
import { isoTimestamp } from '../../database/reader/column-values.ts';
import { MAX_PAGE } from '../../graphql/connections.ts';
import { modelOf } from '../../records/metadata.ts';
import { ledgerTypes, namesOf } from '../ledger/ledger-record.ts';

/** A record with its stamps, as the feed reads it. */
export interface StampedRecord {
  dataModel: string;
  ledgerId: number;
  platformId: string;
  ledgerIntegrationType: string;
  ledgerCreatedAt: string;
  ledgerUpdatedAt: string;
  isDeleted: boolean;
}

const ORDER = 'ledger_updated_at, ledger_id';

/**
 * At most a page and one record more, from the index of each type in the order of the feed. `$5` has the data models: a type that is not among
 * them is not read. One text for all callers, because one for each choice of types would be prepared for each.
 */
export const changesAfter = (): Statement => {
  const parts = ledgerTypes().map((target) => {
    const { dataModel } = namesOf(target);
    return `(select '${dataModel}' as data_model, ledger_id, platform_id, ledger_integration_type, ledger_created_at, ledger_updated_at, ledger_deleted_at is not null as is_deleted
      from "${modelOf(target).table}" where '${dataModel}' = any($5::text::text[]) and company_id = $1::bigint and organisation_id = $2::bigint
      and (${ORDER}) > ($3::text::timestamptz, $4::bigint) and ledger_updated_at < $6::text::timestamptz order by ${ORDER} limit ${MAX_PAGE + 1})`;
  });
  return { name: 'changes_after', text: `select * from (${parts.join(' union all ')}) t order by ${ORDER} limit ${MAX_PAGE + 1}` };
};

/** A row of the statement. */
export const stampedRecord = (row: readonly (string | null)[]): StampedRecord => {
  const [dataModel, ledgerId, platformId, ledgerIntegrationType, createdAt, updatedAt, isDeleted] = row as string[];
  return {
    dataModel: dataModel!,
    ledgerId: Number(ledgerId),
    platformId: platformId!,
    ledgerIntegrationType: ledgerIntegrationType!,
    ledgerCreatedAt: isoTimestamp(createdAt!),
    ledgerUpdatedAt: isoTimestamp(updatedAt!),
    isDeleted: isDeleted === 't',
  };
};

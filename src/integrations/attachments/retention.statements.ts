// The conditions of the removal of attachments and their files.
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';

/** Attachments whose document is not stored any more; a deleted one keeps its own until it is removed. */
export const ofMissingDocument = (documents: readonly RecordClass<LedgerRecord>[]): string =>
  `not case t.document_type ${documents
    .map(
      (target) =>
        `when '${namesOf(target).dataModel}' then exists (select 1 from "${modelOf(target).table}" d where d.company_id = t.company_id and d.ledger_id = t.document_id)`,
    )
    .join(' ')} end`;

/** Files that were uploaded as attachments before a moment, and that no document has. */
export const withoutAttachment = `t.purpose = 'ATTACHMENT' and t.created_at < $1::timestamptz and not exists (select 1 from attachment a where a.file_id = t.id)`;

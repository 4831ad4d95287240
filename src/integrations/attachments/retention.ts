// The removal of attachments whose documents are gone, and of files that no document has any more.
import { FilePiece, StoredFile, UNUSED_MS } from '../../files/stored-file.ts';
import { removeRows } from '../../queue/retention.statements.ts';
import type { Schedule } from '../../queue/schedules.ts';
import { isDocument, ledgerTypes } from '../ledger/ledger-record.ts';
import { Attachment } from './attachment.ts';
import { ofMissingDocument, withoutAttachment } from './retention.statements.ts';

const DAY_MS = 86_400_000;
/** Files removed in one transaction: each may have sixty pieces. */
const FILES = 20;
const ALL = { filters: { tenant: false } };

/** Removes attachments of documents that are no longer stored, and files of attachments a week after they were uploaded, once no document has them. */
export const attachmentRetention: Schedule = {
  name: 'attachment-retention',
  everyMs: DAY_MS,
  async batch(em, { clock }) {
    const documents = ledgerTypes().filter(isDocument);
    const orphans = await removeRows(em, Attachment, { condition: ofMissingDocument(documents), values: [] });
    const before = new Date(clock.now().getTime() - UNUSED_MS).toISOString();
    const files = await removeRows(em, StoredFile, { condition: withoutAttachment, values: [before], limit: FILES });
    if (files.length > 0) await em.nativeDelete(FilePiece, { fileId: { $in: files } }, ALL);
    return orphans.length > 0 || files.length === FILES;
  },
};

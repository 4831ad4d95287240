// The removal of attachments whose documents are gone, and of files that no document has any more.
import { areTogether, engineOf } from '../../database/engine/engine.ts';
import type { EntityManager } from '../../database/open.ts';
import { FilePiece, StoredFile, UNUSED_MS } from '../../files/stored-file.ts';
import { type OldRows, removeRows } from '../../queue/retention.statements.ts';
import type { Chore } from '../../queue/schedules.ts';
import { modelOf } from '../../records/metadata.ts';
import { isDocument, ledgerTypes } from '../ledger/ledger-record.ts';
import { Attachment } from './attachment.ts';
import { ofMissingDocument, withoutAttachment } from './retention.statements.ts';

/** Files removed in one transaction: each may have sixty pieces. */
const FILES = 20;
const ALL = { filters: { tenant: false } };

/** Files whose attachments are asked for in one statement. */
const PAGE = 1_000;

/** Files that follow one by their ids: those without an attachment, and the last of all where more may follow it. */
interface FilePage {
  unused: string[];
  last: string | undefined;
}

/** A page of old files of attachments, for an engine that takes no statement on files and attachments because they are on different nodes. */
async function filePage(em: EntityManager, before: string, after: string): Promise<FilePage> {
  const old = { purpose: 'ATTACHMENT' as const, createdAt: { $lt: before }, id: { $gt: after } };
  const files = await em.find(StoredFile, old, { ...ALL, fields: ['id'], orderBy: { id: 'asc' }, limit: PAGE, disableIdentityMap: true });
  const ids = files.map(({ id }) => id);
  const attached = await em.find(Attachment, { fileId: { $in: ids } }, { ...ALL, fields: ['fileId'], disableIdentityMap: true });
  const used = new Set(attached.map(({ fileId }) => fileId));
  return { unused: ids.filter((id) => !used.has(id)), last: ids[PAGE - 1] };
}

/** Removes files that no document has; returns whether there may be more. */
type RemoveFiles = (em: EntityManager, before: string) => Promise<boolean>;

async function removeFiles(em: EntityManager, files: OldRows): Promise<number> {
  const removed = await removeRows(em, StoredFile, files);
  if (removed.length > 0) await em.nativeDelete(FilePiece, { fileId: { $in: removed } }, ALL);
  return removed.length;
}

const removeUnused: RemoveFiles = async (em, before) =>
  (await removeFiles(em, { condition: withoutAttachment, values: [before], limit: FILES })) === FILES;

/** The same, page by page. A pass that was interrupted begins again. */
function removeByPages(): RemoveFiles {
  let place = '';
  return async (em, before) => {
    const { unused, last } = await filePage(em, before, place);
    const now = unused.slice(0, FILES);
    if (now.length > 0) await removeFiles(em, { condition: 't.id = any($1::text[])', values: [now] });
    // What is left of the page is on the next one.
    place = unused.length > FILES ? now.at(-1)! : (last ?? '');
    return place !== '';
  };
}

/** Removes attachments of documents that are no longer stored, and files of attachments a week after they were uploaded, once no document has them. */
function retention(): Chore {
  const byPages = removeByPages();
  return {
    name: 'attachment-retention',
    async batch(em, { clock }) {
      const documents = ledgerTypes().filter(isDocument);
      const orphans = await removeRows(em, Attachment, { condition: ofMissingDocument(documents), values: [] });
      const before = new Date(clock.now().getTime() - UNUSED_MS).toISOString();
      const remove = areTogether(engineOf(em), modelOf(StoredFile), modelOf(Attachment)) ? removeUnused : byPages;
      const isMore = await remove(em, before);
      return orphans.length > 0 || isMore;
    },
  };
}

/** The chore of that removal. */
export const attachmentRetention = retention();

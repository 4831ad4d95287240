// A file of the demo company, which the first documents of each type have.
import type { EntityManager } from '../../database/open.ts';
import { FilePiece, StoredFile } from '../../files/stored-file.ts';
import { newId } from '../../records/ids.ts';
import { Attachment } from '../attachments/attachment.ts';
import { isDocument, ledgerTypes, namesOf } from '../ledger/ledger-record.ts';
import type { WriteScope } from '../writes/change.ts';

const CONTENT = Buffer.from('Blue Harbour Coffee Roasters\n\nReceived in good condition.\n');
/** Documents of each type that have it. */
const DOCUMENTS = 2;

/** Stores the file and attaches it. */
export async function attachDemoFile(em: EntityManager, { organisationId, company, now }: WriteScope): Promise<void> {
  const file = { name: 'received.txt', mimeType: 'text/plain', size: CONTENT.length, createdAt: now, organisationId };
  const fileId = newId('file');
  em.create(StoredFile, { ...file, id: fileId, purpose: 'ATTACHMENT', adopted: true, used: true });
  em.create(FilePiece, { fileId, position: 0, organisationId, content: CONTENT });
  const companyId = company.ledgerId;
  for (const target of ledgerTypes().filter(isDocument)) {
    const documents = await em.find(target, { companyId }, { limit: DOCUMENTS, orderBy: { ledgerId: 'asc' }, fields: ['ledgerId'] });
    const documentType = namesOf(target).dataModel;
    for (const { ledgerId } of documents)
      em.create(Attachment, { ...file, id: newId('attachment'), companyId, documentType, documentId: ledgerId, fileId });
  }
}

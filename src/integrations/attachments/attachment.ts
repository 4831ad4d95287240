// Files attached to documents.
import { Node } from '../../graphql/node.ts';
import {
  belongsTo,
  enumeration,
  identifier,
  integer,
  ledgerNumber,
  moment,
  record,
  text,
  typedReference,
} from '../../records/decorators.ts';
import { Company } from '../companies/company.ts';
import { AttachableDocument } from '../ledger/enums.ts';

@record({
  description: 'A file attached to a document, such as the scan of a bill.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'attachment',
  primaryKey: ['id', 'companyId'],
  plural: 'attachments',
  indexes: [
    { name: 'attachment_document', columns: 'company_id, document_type, document_id, id' },
    { name: 'attachment_file', columns: 'file_id' },
  ],
  unique: [{ name: 'attachment_once', columns: 'company_id, document_type, document_id, file_id' }],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class Attachment {
  @identifier('Identifier, `attachment_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the company.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @ledgerNumber('Company that owns the document.', { required: true, write: 'never' }) companyId!: number;
  @belongsTo(() => Company, 'companyId', { to: 'ledgerId', within: true, shown: 'Company that the record belongs to.' }) company?: Company;
  @enumeration(AttachableDocument, 'Record type of the document.', { required: true, write: 'never' }) documentType!: string;
  @typedReference('documentType', '`ledgerId` of the document, of the type `documentType` names.', 'document', {
    required: true,
    write: 'never',
  })
  documentId!: number;
  @identifier('Id of the stored file, which several documents may share.', { required: true, write: 'never' }) fileId!: string;
  @text('File name without a path.', { required: true, write: 'never' }) name!: string;
  @text('Media type, detected from the content.', { required: true, write: 'never' }) mimeType!: string;
  @integer('Size in bytes.', { required: true, write: 'never' }) size!: number;
  @moment('When it was attached.', { required: true, write: 'never' }) createdAt!: Date;
}

// The inbox of a company: uploaded files of records, which the next pull reads.
import type { Opt } from '@mikro-orm/core';
import { DataModel } from '../../../events/data-model.ts';
import { Node } from '../../../graphql/node.ts';
import {
  belongsTo,
  enumeration,
  flag,
  identifier,
  integer,
  ledgerNumber,
  list,
  moment,
  record,
  text,
} from '../../../records/decorators.ts';
import { Company } from '../../companies/company.ts';

@record({
  description: "A file of records in a company's inbox, for the next pull.",
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'import',
  primaryKey: ['id', 'companyId'],
  indexes: [
    { name: 'inbox_file_company', columns: 'company_id, data_model, created_at' },
    { name: 'inbox_file_organisation', columns: 'organisation_id' },
  ],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class InboxFile {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the file.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company whose records it holds.', { required: true }) companyId!: number;
  @belongsTo(() => Company, 'companyId', {
    to: 'ledgerId',
    within: true,
    shown: 'Company that the record belongs to.',
    inverse: 'inboxFiles',
  })
  company?: Company;
  @enumeration(DataModel, 'Data model of its records; the main one where it has records of several.', { required: true })
  dataModel!: string;
  @list(() => DataModel.values, 'All data models of its records, where it has records of several; otherwise null.') dataModels!:
    | string[]
    | null;
  @flag('Whether its content says what its records are: a statement of a bank, or columns that a mapping knows.', {
    required: true,
    hidden: true,
    columnDefault: 'false',
  })
  isRecognized!: Opt<boolean>;
  @text('Name the file was uploaded under.') fileName!: string | null;
  @integer('Records in it: rows, objects, or transactions of a statement.', { required: true }) recordCount!: number;
  @text('Its content; of a file that an earlier version took, its records as JSON text.', { required: true, hidden: true })
  records!: string;
  @integer('Bytes of its content.', { required: true, hidden: true, columnDefault: '0' }) size!: number;
  @moment('When it was uploaded.', { required: true }) createdAt!: Date;
}

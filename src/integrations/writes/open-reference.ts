// References of pulled records to records that the source has not sent yet: kept by the source's id until those come.
import { flag, integer, ledgerNumber, record, text } from '../../records/decorators.ts';

/**
 * One id that a property of a record names. Every entry of a list with an open entry is here. Once the last one comes, the list is complete and in
 * the order of the source.
 */
@record({
  description: 'References to records that the source has not sent yet.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'recordId',
  prefix: 'openreference',
  primaryKey: ['companyId', 'recordId', 'property', 'position'],
  indexes: [
    {
      name: 'open_reference_target',
      columns: 'company_id, target_model, platform_id, record_id',
      where: 'is_open',
    },
  ],
  internal: true,
})
export class OpenReference {
  @ledgerNumber('Company of the record.', { required: true }) companyId!: number;
  @ledgerNumber('The record that has the reference.', { required: true }) recordId!: number;
  @text('Its property.', { required: true }) property!: string;
  @integer('Place in the list; 0 for a property that names one record.', { required: true }) position!: number;
  @ledgerNumber('Organisation that owns the record.', { required: true }) organisationId!: number;
  @text('Data model of the record.', { required: true }) dataModel!: string;
  @text('Data model of the parent of a child.') parentModel!: string | null;
  @ledgerNumber('The parent of a child.') parentId!: number | null;
  @text('Data model of the record that is named.', { required: true }) targetModel!: string;
  @text("The source's id of that record.", { required: true }) platformId!: string;
  @text('The source.', { required: true }) integrationType!: string;
  @flag('Whether no stored record has the id.', { required: true }) isOpen!: boolean;
}

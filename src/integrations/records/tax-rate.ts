// Tax rates of a company.

import { amount, enumeration, json, key, moment, text } from '../../records/decorators.ts';
import { UsageStatus } from '../ledger/enums.ts';
import { ledgerRecord, SourcedRecord } from '../ledger/ledger-record.ts';

@ledgerRecord({ description: 'A tax rate of a company.' })
export class TaxRate extends SourcedRecord {
  @text('Display name.', { list: 'indexed', search: true }) name!: string | null;
  @key('Code of the rate, such as S20.', { list: 'indexed', search: true }) code!: string | null;
  @amount('Rate in percent or as a fraction, as in the source.') rate!: number | null;
  @text('Kind of tax in free text, such as VAT.') taxType!: string | null;
  @amount('Effective rate after compounding.') effectiveTaxRate!: number | null;
  @amount('Sum of the rates of the components.') totalTaxRate!: number | null;
  @json('Components, as JSON of the source.') components!: unknown;
  @text('Jurisdiction in free text.') jurisdiction!: string | null;
  @enumeration(UsageStatus, 'Whether the rate is in use.') status!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}

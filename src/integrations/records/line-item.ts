// Lines of documents.
import { amount, enumeration, flag, list, moment, reference, text } from '../../records/decorators.ts';
import { ExternalId } from '../../records/scalars.ts';
import { LineParent } from '../ledger/enums.ts';
import { ChildRecord, ledgerRecord } from '../ledger/ledger-record.ts';
import { Account } from './account.ts';
import { Item, Variant } from './item.ts';
import { TaxRate } from './tax-rate.ts';

@ledgerRecord({
  description: 'A line of an invoice, bill, credit note, estimate, order, receipt, expense or journal entry.',
  dataModel: 'Lines of documents.',
})
export class LineItem extends ChildRecord {
  @list(() => ExternalId, 'Ids of tracking categories, which are not stored here.') trackingCategoryIds!: (string | number)[] | null;
  @enumeration(LineParent, 'Record type the line belongs to.', { list: 'scanned' }) parentType!: string | null;
  @reference(() => Item, '`ledgerId` of the item sold or bought.', 'item') itemId!: number | null;
  item?: Item | null;
  @text('Name.') name!: string | null;
  @text('Description.') description!: string | null;
  @amount('Quantity.', { isMoney: false }) quantity!: number | null;
  @amount('Price of one unit.') unitAmount!: number | null;
  @amount('Tax on the line.') taxAmount!: number | null;
  @flag('Whether the amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the line.') discountAmount!: number | null;
  @amount('Amount before tax.') subTotal!: number | null;
  @amount('Amount with tax.') totalAmount!: number | null;
  @reference(() => TaxRate, '`ledgerId` of the tax rate.', 'tax') taxId!: number | null;
  tax?: TaxRate | null;
  @reference(() => Account, '`ledgerId` of the account it is posted to.', 'account') accountId!: number | null;
  account?: Account | null;
  @reference(() => Variant, '`ledgerId` of the variant of the item.', 'variant') variantId!: number | null;
  variant?: Variant | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
}

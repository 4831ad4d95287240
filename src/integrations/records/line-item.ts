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
  @list(() => ExternalId, 'Ids of tracking categories at the source.') trackingCategoryIds!: (string | number)[] | null;
  @enumeration(LineParent, 'Record type of `parentId`.', { list: 'scanned' }) parentType!: string | null;
  @reference(() => Item, '`ledgerId` of the sold or purchased item.', 'item') itemId!: number | null;
  item?: Item | null;
  @text('Short name of the line.') name!: string | null;
  @text('Description in free text.') description!: string | null;
  @amount('Number of units.', { isMoney: false }) quantity!: number | null;
  @amount('Price of one unit.') unitAmount!: number | null;
  @amount('Tax on the line, in the currency of its document.') taxAmount!: number | null;
  @flag('Whether the amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the line, in the currency of its document.') discountAmount!: number | null;
  @amount('Amount before tax.') subTotal!: number | null;
  @amount('Amount with tax.') totalAmount!: number | null;
  @reference(() => TaxRate, '`ledgerId` of the tax rate.', 'tax') taxId!: number | null;
  tax?: TaxRate | null;
  @reference(() => Account, '`ledgerId` of the account.', 'account') accountId!: number | null;
  account?: Account | null;
  @reference(() => Variant, '`ledgerId` of the item variant.', 'variant') variantId!: number | null;
  variant?: Variant | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}

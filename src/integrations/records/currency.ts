// Currencies a company uses, with their rate to its base currency.
import { amount, enumeration, flag, moment, text } from '../../records/decorators.ts';
import { CurrencyCode } from '../ledger/enums.ts';
import { ledgerRecord, SourcedRecord } from '../ledger/ledger-record.ts';

@ledgerRecord({
  description: 'A currency of a company. One that the company does not store has only code, name and symbol.',
  plural: 'currencies',
  naturalKey: 'code',
  standsIn: true,
})
export class Currency extends SourcedRecord {
  @text('Name, such as Euro.') name!: string | null;
  @enumeration(CurrencyCode, 'ISO 4217 code.', { required: true }) code!: string;
  @text('Symbol, such as €.') symbol!: string | null;
  @flag("Whether this is the company's base currency.") isBaseCurrency!: boolean | null;
  @amount('Units of the base currency for one unit of this currency; more than 0.', { rules: { moreThan: 0 } }) exchangeRate!:
    | number
    | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}

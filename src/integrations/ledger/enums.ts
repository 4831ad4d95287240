// Enums that several record types share: currency codes, data models, parent types and document states.

import { DataModel, otherModels } from '../../events/data-model.ts';
import { amount, enumeration, related } from '../../records/decorators.ts';
import { addEnumValue, defineEnum } from '../../records/enums.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';

const codes =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG'.split(
    ' ',
  );

const currencyNames = new Intl.DisplayNames('en', { type: 'currency', fallback: 'code' });

/** ISO 4217 codes that amounts may be in. */
export const CurrencyCode = defineEnum(
  'CurrencyCode',
  'An ISO 4217 currency code.',
  Object.fromEntries(codes.map((code) => [code, `${currencyNames.of(code)}.`])),
);

/** ISO 4217: the currencies whose minor unit is not a hundredth, by its decimal places. */
const minorUnits = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([places, listed]) => listed.split(' ').map((code) => [code, Number(places)] as const)),
);

/** The decimal places of the minor unit of a currency; 2 where it is not known. */
export const minorUnitOf = (code: unknown): number => minorUnits.get(String(code)) ?? 2;

export const ParentType = defineEnum<string>('ParentType', 'Type of the parent of an address, phone number or link.', otherModels);

export const AttachableDocument = defineEnum<string>('AttachableDocument', 'Record type that files can be attached to.', {});

/** Adds the data model name of a stored record type to the two enums that list record types. */
export function addDataModel(name: string, description: string): void {
  addEnumValue(DataModel, name, description);
  addEnumValue(ParentType, name, description);
}

export const VariantParent = defineEnum('VariantParent', 'Type of the parent of a variant.', { ITEM: 'An item.' });

export const LineParent = defineEnum('LineParent', 'Type of the parent of a line.', {
  BILL: 'A bill.',
  INVOICE: 'An invoice.',
  BILL_CREDIT_NOTE: 'A credit note on bills.',
  INVOICE_CREDIT_NOTE: 'A credit note on invoices.',
  ESTIMATE: 'An estimate.',
  PURCHASE_ORDER: 'A purchase order.',
  GOODS_RECEIPT_NOTE: 'A goods receipt note.',
  SALES_ORDER: 'A sales order.',
  EXPENSE: 'An expense.',
  JOURNAL_ENTRY: 'A journal entry.',
});

/** The states that invoices, bills, credit notes and purchase documents share. */
export const documentStates = {
  DRAFT: 'Draft, not sent yet.',
  SUBMITTED: 'Sent, or awaiting payment.',
  PARTIALLY_PAID: 'Partly paid or used.',
  PAID: 'Fully paid or used.',
  OVERDUE: 'Past its due date.',
  VOID: 'Cancelled; it has no effect.',
  UNKNOWN: 'A state of the source without an equivalent.',
} as const;

export const DocumentStatus = defineEnum('DocumentStatus', 'State of an invoice, a bill or a credit note.', documentStates);

export const UsageStatus = defineEnum(
  'UsageStatus',
  'Whether an account, a tax rate or a pipeline is in use.',
  { ACTIVE: 'In use.', ARCHIVED: 'No longer in use.', UNKNOWN: 'A state of the source without an equivalent.' },
  { INACTIVE: 'ARCHIVED', PENDING: 'UNKNOWN' },
);

const symbolOf = (code: string): string | null => {
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }).formatToParts(0);
  const symbol = parts.find(({ type }) => type === 'currency')!.value;
  return symbol === code ? null : symbol;
};

const isoCurrencies = new Map<string, Record<string, unknown>>();

/** The ISO 4217 currency of a code, as a record that is not stored. Its name and symbol come from the Unicode CLDR, and its other fields are null. */
function isoCurrency(target: RecordClass, code: string): Record<string, unknown> {
  let known = isoCurrencies.get(code);
  if (!known) {
    const { props, derived, prefix } = modelOf(target);
    const blank = Object.fromEntries([...props.keys(), ...derived.keys()].map((name) => [name, null]));
    known = { ...blank, id: `${prefix}_${code}`, code, name: currencyNames.of(code), symbol: symbolOf(code) };
    isoCurrencies.set(code, known);
  }
  return known;
}

/** Declares the currency code column of a record and the expandable currency it names; `nested` when a write may carry that currency. */
export function currency(
  target: () => RecordClass,
  { nested = false }: { nested?: boolean } = {},
): <T extends { currencyId: unknown; currency?: unknown }>(prototype: T, key: string) => void {
  return (prototype, key) => {
    enumeration(CurrencyCode, 'ISO 4217 currency code.', { isCurrency: true })(prototype, key);
    related({
      description: 'The currency of `currencyId`.',
      target,
      from: 'currencyId',
      to: 'code',
      many: false,
      rest: 'expand',
      owned: false,
      nested,
      standIn: (code) => isoCurrency(target(), code as string),
    })(prototype, 'currency');
  };
}

/** Declares the rate of a record's currency to the base currency of the company. */
export const currencyRate: PropertyDecorator = amount('Base currency per unit; more than 0.', {
  isMoney: false,
  rules: { moreThan: 0 },
});

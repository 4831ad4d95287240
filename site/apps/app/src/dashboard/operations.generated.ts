/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Main category of an account. */
export const AccountCategory = {
  /** Assets: what the company owns. */
  ASSET: 'ASSET',
  /** Equity: what belongs to the owners. */
  EQUITY: 'EQUITY',
  /** Expenses: what the company spends. */
  EXPENSE: 'EXPENSE',
  /** Income: what the company earns. */
  INCOME: 'INCOME',
  /** Liabilities: what the company owes. */
  LIABILITY: 'LIABILITY',
  /** A category of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type AccountCategory = typeof AccountCategory[keyof typeof AccountCategory];
/** Conditions on values of the kind AccountCategory; those given must all hold. */
export type AccountCategoryFilter = {
  /** Equal to this value. */
  readonly eq?: AccountCategory | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<AccountCategory> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Account records; all must match. */
export type AccountFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<AccountFilter> | null | undefined;
  readonly category?: AccountCategoryFilter | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currentBalance?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  readonly nominalCode?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: AccountFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<AccountFilter> | null | undefined;
  readonly parentAccount?: AccountFilter | null | undefined;
  readonly parentAccountId?: LedgerIdFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  /** Words that must all occur in `nominalCode` or `name`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: UsageStatusFilter | null | undefined;
  readonly subCategory?: TextFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Conditions on Address records; all must match. */
export type AddressFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<AddressFilter> | null | undefined;
  readonly city?: TextFilter | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly country?: TextFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly locality?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: AddressFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<AddressFilter> | null | undefined;
  readonly parentId?: LedgerIdFilter | null | undefined;
  readonly parentType?: ParentTypeFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly postalCode?: TextFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly state?: TextFilter | null | undefined;
  readonly street?: TextFilter | null | undefined;
  readonly street2?: TextFilter | null | undefined;
  readonly type?: AddressTypeFilter | null | undefined;
};

/** Conditions on the Address records of a record. */
export type AddressListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: AddressFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: AddressFilter | null | undefined;
};

/** Use of an address. */
export const AddressType = {
  /** Address for invoices. */
  BILLING: 'BILLING',
  /** At home. */
  HOME: 'HOME',
  /** Any other use. */
  OTHER: 'OTHER',
  /** Address for mail. */
  POSTAL: 'POSTAL',
  /** Main address. */
  PRIMARY: 'PRIMARY',
  /** Address for deliveries. */
  SHIPPING: 'SHIPPING',
  /** A kind of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** At work. */
  WORK: 'WORK'
} as const;

export type AddressType = typeof AddressType[keyof typeof AddressType];
/** Conditions on values of the kind AddressType; those given must all hold. */
export type AddressTypeFilter = {
  /** Equal to this value. */
  readonly eq?: AddressType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<AddressType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind Boolean; those given must all hold. */
export type BooleanFilter = {
  /** Equal to this value. */
  readonly eq?: boolean | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<boolean> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Company records; all must match. */
export type CompanyFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<CompanyFilter> | null | undefined;
  readonly connectionStatus?: ConnectionStatusFilter | null | undefined;
  readonly integrationType?: TextFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: CompanyFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<CompanyFilter> | null | undefined;
  /** Words that must all occur in `name`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
};

/** Whether a company is connected to its source system. */
export const ConnectionStatus = {
  /** Connected; records can be written and pulled. */
  ACTIVE: 'ACTIVE',
  /** Disconnected; stored records can be read. */
  DISCONNECTED: 'DISCONNECTED'
} as const;

export type ConnectionStatus = typeof ConnectionStatus[keyof typeof ConnectionStatus];
/** Conditions on values of the kind ConnectionStatus; those given must all hold. */
export type ConnectionStatusFilter = {
  /** Equal to this value. */
  readonly eq?: ConnectionStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ConnectionStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Contact records; all must match. */
export type ContactFilter = {
  readonly addresses?: AddressListFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<ContactFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contactName?: TextFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly email?: TextFilter | null | undefined;
  readonly externalLinks?: ExternalLinkListFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: ContactFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<ContactFilter> | null | undefined;
  readonly phone?: TextFilter | null | undefined;
  readonly phoneNumbers?: PhoneNumberListFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly registrationNumber?: TextFilter | null | undefined;
  /** Words that must all occur in `name` or `contactName` or `email` or `phone` or `taxNumber` or `registrationNumber` or `website`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: ContactStatusFilter | null | undefined;
  readonly taxNumber?: TextFilter | null | undefined;
  readonly type?: ContactTypeFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
  readonly website?: TextFilter | null | undefined;
};

/** Whether a contact is in use. */
export const ContactStatus = {
  /** In use. */
  ACTIVE: 'ACTIVE',
  /** No longer in use. */
  ARCHIVED: 'ARCHIVED',
  /** Not in use. */
  INACTIVE: 'INACTIVE',
  /** Temporarily blocked. */
  SUSPENDED: 'SUSPENDED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type ContactStatus = typeof ContactStatus[keyof typeof ContactStatus];
/** Conditions on values of the kind ContactStatus; those given must all hold. */
export type ContactStatusFilter = {
  /** Equal to this value. */
  readonly eq?: ContactStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ContactStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Relation of a contact to the company. */
export const ContactType = {
  /** Buys and sells. */
  BOTH: 'BOTH',
  /** Buys from the company. */
  CUSTOMER: 'CUSTOMER',
  /** The source does not say. */
  UNKNOWN: 'UNKNOWN',
  /** Sells to the company. */
  VENDOR: 'VENDOR'
} as const;

export type ContactType = typeof ContactType[keyof typeof ContactType];
/** Conditions on values of the kind ContactType; those given must all hold. */
export type ContactTypeFilter = {
  /** Equal to this value. */
  readonly eq?: ContactType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ContactType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** An ISO 4217 currency code. */
export const CurrencyCode = {
  /** United Arab Emirates Dirham. */
  AED: 'AED',
  /** Afghan Afghani. */
  AFN: 'AFN',
  /** Albanian Lek. */
  ALL: 'ALL',
  /** Armenian Dram. */
  AMD: 'AMD',
  /** Netherlands Antillean Guilder. */
  ANG: 'ANG',
  /** Angolan Kwanza. */
  AOA: 'AOA',
  /** Argentine Peso. */
  ARS: 'ARS',
  /** Australian Dollar. */
  AUD: 'AUD',
  /** Aruban Florin. */
  AWG: 'AWG',
  /** Azerbaijani Manat. */
  AZN: 'AZN',
  /** Bosnia-Herzegovina Convertible Mark. */
  BAM: 'BAM',
  /** Barbadian Dollar. */
  BBD: 'BBD',
  /** Bangladeshi Taka. */
  BDT: 'BDT',
  /** Bulgarian Lev. */
  BGN: 'BGN',
  /** Bahraini Dinar. */
  BHD: 'BHD',
  /** Burundian Franc. */
  BIF: 'BIF',
  /** Bermudan Dollar. */
  BMD: 'BMD',
  /** Brunei Dollar. */
  BND: 'BND',
  /** Bolivian Boliviano. */
  BOB: 'BOB',
  /** Bolivian Mvdol. */
  BOV: 'BOV',
  /** Brazilian Real. */
  BRL: 'BRL',
  /** Bahamian Dollar. */
  BSD: 'BSD',
  /** Bhutanese Ngultrum. */
  BTN: 'BTN',
  /** Botswanan Pula. */
  BWP: 'BWP',
  /** Belarusian Ruble. */
  BYN: 'BYN',
  /** Belize Dollar. */
  BZD: 'BZD',
  /** Canadian Dollar. */
  CAD: 'CAD',
  /** Congolese Franc. */
  CDF: 'CDF',
  /** WIR Euro. */
  CHE: 'CHE',
  /** Swiss Franc. */
  CHF: 'CHF',
  /** WIR Franc. */
  CHW: 'CHW',
  /** Chilean Unit of Account (UF). */
  CLF: 'CLF',
  /** Chilean Peso. */
  CLP: 'CLP',
  /** Chinese Yuan. */
  CNY: 'CNY',
  /** Colombian Peso. */
  COP: 'COP',
  /** Colombian Real Value Unit. */
  COU: 'COU',
  /** Costa Rican Colón. */
  CRC: 'CRC',
  /** Cuban Convertible Peso. */
  CUC: 'CUC',
  /** Cuban Peso. */
  CUP: 'CUP',
  /** Cape Verdean Escudo. */
  CVE: 'CVE',
  /** Czech Koruna. */
  CZK: 'CZK',
  /** Djiboutian Franc. */
  DJF: 'DJF',
  /** Danish Krone. */
  DKK: 'DKK',
  /** Dominican Peso. */
  DOP: 'DOP',
  /** Algerian Dinar. */
  DZD: 'DZD',
  /** Egyptian Pound. */
  EGP: 'EGP',
  /** Eritrean Nakfa. */
  ERN: 'ERN',
  /** Ethiopian Birr. */
  ETB: 'ETB',
  /** Euro. */
  EUR: 'EUR',
  /** Fijian Dollar. */
  FJD: 'FJD',
  /** Falkland Islands Pound. */
  FKP: 'FKP',
  /** British Pound. */
  GBP: 'GBP',
  /** Georgian Lari. */
  GEL: 'GEL',
  /** Ghanaian Cedi. */
  GHS: 'GHS',
  /** Gibraltar Pound. */
  GIP: 'GIP',
  /** Gambian Dalasi. */
  GMD: 'GMD',
  /** Guinean Franc. */
  GNF: 'GNF',
  /** Guatemalan Quetzal. */
  GTQ: 'GTQ',
  /** Guyanaese Dollar. */
  GYD: 'GYD',
  /** Hong Kong Dollar. */
  HKD: 'HKD',
  /** Honduran Lempira. */
  HNL: 'HNL',
  /** Haitian Gourde. */
  HTG: 'HTG',
  /** Hungarian Forint. */
  HUF: 'HUF',
  /** Indonesian Rupiah. */
  IDR: 'IDR',
  /** Israeli New Shekel. */
  ILS: 'ILS',
  /** Indian Rupee. */
  INR: 'INR',
  /** Iraqi Dinar. */
  IQD: 'IQD',
  /** Iranian Rial. */
  IRR: 'IRR',
  /** Icelandic Króna. */
  ISK: 'ISK',
  /** Jamaican Dollar. */
  JMD: 'JMD',
  /** Jordanian Dinar. */
  JOD: 'JOD',
  /** Japanese Yen. */
  JPY: 'JPY',
  /** Kenyan Shilling. */
  KES: 'KES',
  /** Kyrgyz Som. */
  KGS: 'KGS',
  /** Cambodian Riel. */
  KHR: 'KHR',
  /** Comorian Franc. */
  KMF: 'KMF',
  /** North Korean Won. */
  KPW: 'KPW',
  /** South Korean Won. */
  KRW: 'KRW',
  /** Kuwaiti Dinar. */
  KWD: 'KWD',
  /** Cayman Islands Dollar. */
  KYD: 'KYD',
  /** Kazakhstani Tenge. */
  KZT: 'KZT',
  /** Laotian Kip. */
  LAK: 'LAK',
  /** Lebanese Pound. */
  LBP: 'LBP',
  /** Sri Lankan Rupee. */
  LKR: 'LKR',
  /** Liberian Dollar. */
  LRD: 'LRD',
  /** Lesotho Loti. */
  LSL: 'LSL',
  /** Libyan Dinar. */
  LYD: 'LYD',
  /** Moroccan Dirham. */
  MAD: 'MAD',
  /** Moldovan Leu. */
  MDL: 'MDL',
  /** Malagasy Ariary. */
  MGA: 'MGA',
  /** Macedonian Denar. */
  MKD: 'MKD',
  /** Myanmar Kyat. */
  MMK: 'MMK',
  /** Mongolian Tugrik. */
  MNT: 'MNT',
  /** Macanese Pataca. */
  MOP: 'MOP',
  /** Mauritanian Ouguiya. */
  MRU: 'MRU',
  /** Mauritian Rupee. */
  MUR: 'MUR',
  /** Maldivian Rufiyaa. */
  MVR: 'MVR',
  /** Malawian Kwacha. */
  MWK: 'MWK',
  /** Mexican Peso. */
  MXN: 'MXN',
  /** Mexican Investment Unit. */
  MXV: 'MXV',
  /** Malaysian Ringgit. */
  MYR: 'MYR',
  /** Mozambican Metical. */
  MZN: 'MZN',
  /** Namibian Dollar. */
  NAD: 'NAD',
  /** Nigerian Naira. */
  NGN: 'NGN',
  /** Nicaraguan Córdoba. */
  NIO: 'NIO',
  /** Norwegian Krone. */
  NOK: 'NOK',
  /** Nepalese Rupee. */
  NPR: 'NPR',
  /** New Zealand Dollar. */
  NZD: 'NZD',
  /** Omani Rial. */
  OMR: 'OMR',
  /** Panamanian Balboa. */
  PAB: 'PAB',
  /** Peruvian Sol. */
  PEN: 'PEN',
  /** Papua New Guinean Kina. */
  PGK: 'PGK',
  /** Philippine Peso. */
  PHP: 'PHP',
  /** Pakistani Rupee. */
  PKR: 'PKR',
  /** Polish Zloty. */
  PLN: 'PLN',
  /** Paraguayan Guarani. */
  PYG: 'PYG',
  /** Qatari Riyal. */
  QAR: 'QAR',
  /** Romanian Leu. */
  RON: 'RON',
  /** Serbian Dinar. */
  RSD: 'RSD',
  /** Russian Ruble. */
  RUB: 'RUB',
  /** Rwandan Franc. */
  RWF: 'RWF',
  /** Saudi Riyal. */
  SAR: 'SAR',
  /** Solomon Islands Dollar. */
  SBD: 'SBD',
  /** Seychellois Rupee. */
  SCR: 'SCR',
  /** Sudanese Pound. */
  SDG: 'SDG',
  /** Swedish Krona. */
  SEK: 'SEK',
  /** Singapore Dollar. */
  SGD: 'SGD',
  /** St. Helena Pound. */
  SHP: 'SHP',
  /** Sierra Leonean Leone. */
  SLE: 'SLE',
  /** Somali Shilling. */
  SOS: 'SOS',
  /** Surinamese Dollar. */
  SRD: 'SRD',
  /** South Sudanese Pound. */
  SSP: 'SSP',
  /** São Tomé & Príncipe Dobra. */
  STN: 'STN',
  /** Salvadoran Colón. */
  SVC: 'SVC',
  /** Syrian Pound. */
  SYP: 'SYP',
  /** Swazi Lilangeni. */
  SZL: 'SZL',
  /** Thai Baht. */
  THB: 'THB',
  /** Tajikistani Somoni. */
  TJS: 'TJS',
  /** Turkmenistani Manat. */
  TMT: 'TMT',
  /** Tunisian Dinar. */
  TND: 'TND',
  /** Tongan Paʻanga. */
  TOP: 'TOP',
  /** Turkish Lira. */
  TRY: 'TRY',
  /** Trinidad & Tobago Dollar. */
  TTD: 'TTD',
  /** New Taiwan Dollar. */
  TWD: 'TWD',
  /** Tanzanian Shilling. */
  TZS: 'TZS',
  /** Ukrainian Hryvnia. */
  UAH: 'UAH',
  /** Ugandan Shilling. */
  UGX: 'UGX',
  /** US Dollar. */
  USD: 'USD',
  /** US Dollar (Next day). */
  USN: 'USN',
  /** Uruguayan Peso (Indexed Units). */
  UYI: 'UYI',
  /** Uruguayan Peso. */
  UYU: 'UYU',
  /** Uruguayan Nominal Wage Index Unit. */
  UYW: 'UYW',
  /** Uzbekistani Som. */
  UZS: 'UZS',
  /** Bolívar Soberano. */
  VED: 'VED',
  /** Venezuelan Bolívar. */
  VES: 'VES',
  /** Vietnamese Dong. */
  VND: 'VND',
  /** Vanuatu Vatu. */
  VUV: 'VUV',
  /** Samoan Tala. */
  WST: 'WST',
  /** Central African CFA Franc. */
  XAF: 'XAF',
  /** Silver. */
  XAG: 'XAG',
  /** Gold. */
  XAU: 'XAU',
  /** European Composite Unit. */
  XBA: 'XBA',
  /** European Monetary Unit. */
  XBB: 'XBB',
  /** European Unit of Account (XBC). */
  XBC: 'XBC',
  /** European Unit of Account (XBD). */
  XBD: 'XBD',
  /** East Caribbean Dollar. */
  XCD: 'XCD',
  /** Special Drawing Rights. */
  XDR: 'XDR',
  /** West African CFA Franc. */
  XOF: 'XOF',
  /** Palladium. */
  XPD: 'XPD',
  /** CFP Franc. */
  XPF: 'XPF',
  /** Platinum. */
  XPT: 'XPT',
  /** Sucre. */
  XSU: 'XSU',
  /** Testing Currency Code. */
  XTS: 'XTS',
  /** ADB Unit of Account. */
  XUA: 'XUA',
  /** Unknown Currency. */
  XXX: 'XXX',
  /** Yemeni Rial. */
  YER: 'YER',
  /** South African Rand. */
  ZAR: 'ZAR',
  /** Zambian Kwacha. */
  ZMW: 'ZMW',
  /** Zimbabwean Gold. */
  ZWG: 'ZWG'
} as const;

export type CurrencyCode = typeof CurrencyCode[keyof typeof CurrencyCode];
/** Conditions on values of the kind CurrencyCode; those given must all hold. */
export type CurrencyCodeFilter = {
  /** Equal to this value. */
  readonly eq?: CurrencyCode | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<CurrencyCode> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind DateTime; those given must all hold. */
export type DateTimeFilter = {
  /** At this moment; a date without a time is midnight in UTC. */
  readonly eq?: string | null | undefined;
  /** After this moment; for a date without a time, after the end of the day in UTC. */
  readonly gt?: string | null | undefined;
  /** At or after this moment; for a date without a time, from the start of the day in UTC. */
  readonly gte?: string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Before this moment; for a date without a time, before the start of the day in UTC. */
  readonly lt?: string | null | undefined;
  /** At or before this moment; for a date without a time, until the end of the day in UTC. */
  readonly lte?: string | null | undefined;
};

/** Conditions on values of the kind Decimal; those given must all hold. */
export type DecimalFilter = {
  /** Equal to this value. */
  readonly eq?: number | string | null | undefined;
  /** Greater than this value, or after it. */
  readonly gt?: number | string | null | undefined;
  /** At least this value, or at or after it. */
  readonly gte?: number | string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number | string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Less than this value, or before it. */
  readonly lt?: number | string | null | undefined;
  /** At most this value, or at or before it. */
  readonly lte?: number | string | null | undefined;
};

/** State of an invoice, a bill or a credit note. */
export const DocumentStatus = {
  /** Draft, not sent yet. */
  DRAFT: 'DRAFT',
  /** Past its due date. */
  OVERDUE: 'OVERDUE',
  /** Fully paid or used. */
  PAID: 'PAID',
  /** Partly paid or used. */
  PARTIALLY_PAID: 'PARTIALLY_PAID',
  /** Sent, or awaiting payment. */
  SUBMITTED: 'SUBMITTED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** Cancelled; it has no effect. */
  VOID: 'VOID'
} as const;

export type DocumentStatus = typeof DocumentStatus[keyof typeof DocumentStatus];
/** Conditions on values of the kind DocumentStatus; those given must all hold. */
export type DocumentStatusFilter = {
  /** Equal to this value. */
  readonly eq?: DocumentStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<DocumentStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on ExternalLink records; all must match. */
export type ExternalLinkFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<ExternalLinkFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly link?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: ExternalLinkFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<ExternalLinkFilter> | null | undefined;
  readonly parentId?: LedgerIdFilter | null | undefined;
  readonly parentType?: ParentTypeFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly type?: LinkTypeFilter | null | undefined;
};

/** Conditions on the ExternalLink records of a record. */
export type ExternalLinkListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: ExternalLinkFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: ExternalLinkFilter | null | undefined;
};

/** Conditions on Invoice records; all must match. */
export type InvoiceFilter = {
  readonly addresses?: AddressListFilter | null | undefined;
  readonly amountDue?: DecimalFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<InvoiceFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly dueDate?: DateTimeFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly issuedAt?: DateTimeFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: InvoiceFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<InvoiceFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  /** Words that must all occur in `documentNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly shippingAmount?: DecimalFilter | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: DocumentStatusFilter | null | undefined;
  readonly subTotal?: DecimalFilter | null | undefined;
  readonly taxAmount?: DecimalFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly totalDiscount?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Sort key of a list of Invoice records. */
export type InvoiceOrder = {
  /** Sort direction. */
  readonly direction?: OrderDirection;
  /** Field to sort by. */
  readonly field: InvoiceOrderField;
  /** Where nulls come; last by default. */
  readonly nulls?: NullsOrder | null | undefined;
};

/** Sort keys of lists of Invoice records. */
export const InvoiceOrderField = {
  AMOUNT_DUE: 'AMOUNT_DUE',
  CONTACT_ID: 'CONTACT_ID',
  CREATED_AT: 'CREATED_AT',
  CURRENCY_ID: 'CURRENCY_ID',
  DOCUMENT_NUMBER: 'DOCUMENT_NUMBER',
  DUE_DATE: 'DUE_DATE',
  ISSUED_AT: 'ISSUED_AT',
  LEDGER_CREATED_AT: 'LEDGER_CREATED_AT',
  LEDGER_ID: 'LEDGER_ID',
  LEDGER_UPDATED_AT: 'LEDGER_UPDATED_AT',
  POSTED_DATE: 'POSTED_DATE',
  STATUS: 'STATUS',
  TOTAL_AMOUNT: 'TOTAL_AMOUNT',
  UPDATED_AT: 'UPDATED_AT'
} as const;

export type InvoiceOrderField = typeof InvoiceOrderField[keyof typeof InvoiceOrderField];
/** Conditions on Item records; all must match. */
export type ItemFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<ItemFilter> | null | undefined;
  readonly code?: TextFilter | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly isBillItem?: BooleanFilter | null | undefined;
  readonly isInvoiceItem?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: ItemFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<ItemFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly price?: DecimalFilter | null | undefined;
  readonly quantityOnHand?: DecimalFilter | null | undefined;
  /** Words that must all occur in `name` or `code` or `sku`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sku?: TextFilter | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: ItemStatusFilter | null | undefined;
  readonly type?: ItemTypeFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
  readonly variants?: VariantListFilter | null | undefined;
};

/** Availability of an item or variant. */
export const ItemStatus = {
  /** Available. */
  ACTIVE: 'ACTIVE',
  /** No longer available. */
  ARCHIVED: 'ARCHIVED',
  /** Not yet available. */
  DRAFT: 'DRAFT',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type ItemStatus = typeof ItemStatus[keyof typeof ItemStatus];
/** Conditions on values of the kind ItemStatus; those given must all hold. */
export type ItemStatusFilter = {
  /** Equal to this value. */
  readonly eq?: ItemStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ItemStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Kind of an item. */
export const ItemType = {
  /** Delivered electronically. */
  DIGITAL: 'DIGITAL',
  /** Stocked goods. */
  INVENTORY: 'INVENTORY',
  /** Goods that are not stocked. */
  NON_INVENTORY: 'NON_INVENTORY',
  /** A service. */
  SERVICE: 'SERVICE',
  /** A kind of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type ItemType = typeof ItemType[keyof typeof ItemType];
/** Conditions on values of the kind ItemType; those given must all hold. */
export type ItemTypeFilter = {
  /** Equal to this value. */
  readonly eq?: ItemType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ItemType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind LedgerId; those given must all hold. */
export type LedgerIdFilter = {
  /** Equal to this value. */
  readonly eq?: number | string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number | string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on LineItem records; all must match. */
export type LineItemFilter = {
  readonly account?: AccountFilter | null | undefined;
  readonly accountId?: LedgerIdFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<LineItemFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly discountAmount?: DecimalFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly item?: ItemFilter | null | undefined;
  readonly itemId?: LedgerIdFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: LineItemFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<LineItemFilter> | null | undefined;
  readonly parentId?: LedgerIdFilter | null | undefined;
  readonly parentType?: LineParentFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly quantity?: DecimalFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly subTotal?: DecimalFilter | null | undefined;
  readonly tax?: TaxRateFilter | null | undefined;
  readonly taxAmount?: DecimalFilter | null | undefined;
  readonly taxId?: LedgerIdFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly unitAmount?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
  readonly variant?: VariantFilter | null | undefined;
  readonly variantId?: LedgerIdFilter | null | undefined;
};

/** Conditions on the LineItem records of a record. */
export type LineItemListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: LineItemFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: LineItemFilter | null | undefined;
};

/** Type of the parent of a line. */
export const LineParent = {
  /** A bill. */
  BILL: 'BILL',
  /** A credit note on bills. */
  BILL_CREDIT_NOTE: 'BILL_CREDIT_NOTE',
  /** An estimate. */
  ESTIMATE: 'ESTIMATE',
  /** An expense. */
  EXPENSE: 'EXPENSE',
  /** A goods receipt note. */
  GOODS_RECEIPT_NOTE: 'GOODS_RECEIPT_NOTE',
  /** An invoice. */
  INVOICE: 'INVOICE',
  /** A credit note on invoices. */
  INVOICE_CREDIT_NOTE: 'INVOICE_CREDIT_NOTE',
  /** A journal entry. */
  JOURNAL_ENTRY: 'JOURNAL_ENTRY',
  /** A purchase order. */
  PURCHASE_ORDER: 'PURCHASE_ORDER',
  /** A sales order. */
  SALES_ORDER: 'SALES_ORDER'
} as const;

export type LineParent = typeof LineParent[keyof typeof LineParent];
/** Conditions on values of the kind LineParent; those given must all hold. */
export type LineParentFilter = {
  /** Equal to this value. */
  readonly eq?: LineParent | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<LineParent> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Target of a link. */
export const LinkType = {
  /** Any other use. */
  OTHER: 'OTHER',
  /** A portal to log in to. */
  PORTAL: 'PORTAL',
  /** A social media profile. */
  SOCIAL: 'SOCIAL',
  /** A kind of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** A website. */
  WEBSITE: 'WEBSITE'
} as const;

export type LinkType = typeof LinkType[keyof typeof LinkType];
/** Conditions on values of the kind LinkType; those given must all hold. */
export type LinkTypeFilter = {
  /** Equal to this value. */
  readonly eq?: LinkType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<LinkType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind LocalDate; those given must all hold. */
export type LocalDateFilter = {
  /** Equal to this value. */
  readonly eq?: string | null | undefined;
  /** Greater than this value, or after it. */
  readonly gt?: string | null | undefined;
  /** At least this value, or at or after it. */
  readonly gte?: string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Less than this value, or before it. */
  readonly lt?: string | null | undefined;
  /** At most this value, or at or before it. */
  readonly lte?: string | null | undefined;
};

/** Conditions on values that have names; those given must all hold. */
export type NamedValuesFilter = {
  /** Has a value of this name; with an equals sign and a value after it, has that value of this name. */
  readonly has?: string | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Position of records without a value in a sorted list. */
export const NullsOrder = {
  /** Before all others. */
  FIRST: 'FIRST',
  /** After all others. */
  LAST: 'LAST'
} as const;

export type NullsOrder = typeof NullsOrder[keyof typeof NullsOrder];
/** Sort direction. */
export const OrderDirection = {
  /** Smallest or oldest first. */
  ASC: 'ASC',
  /** Largest or newest first. */
  DESC: 'DESC'
} as const;

export type OrderDirection = typeof OrderDirection[keyof typeof OrderDirection];
/** Type of the parent of an address, phone number or link. */
export const ParentType = {
  /** Accounts. */
  ACCOUNT: 'ACCOUNT',
  /** Postal addresses. */
  ADDRESS: 'ADDRESS',
  /** Bank transactions. */
  BANK_TRANSACTION: 'BANK_TRANSACTION',
  /** Bills. */
  BILL: 'BILL',
  /** Credit notes on bills. */
  BILL_CREDIT_NOTE: 'BILL_CREDIT_NOTE',
  /** Payments of bills. */
  BILL_PAYMENT: 'BILL_PAYMENT',
  /** Cash flow statements. */
  CASH_FLOW_STATEMENT: 'CASH_FLOW_STATEMENT',
  /** The company itself. */
  COMPANY_INFO: 'COMPANY_INFO',
  /** Contacts. */
  CONTACT: 'CONTACT',
  /** Currencies. */
  CURRENCY: 'CURRENCY',
  /** Estimates. */
  ESTIMATE: 'ESTIMATE',
  /** Expenses. */
  EXPENSE: 'EXPENSE',
  /** Links of the contact. */
  EXTERNAL_LINK: 'EXTERNAL_LINK',
  /** Goods receipt notes. */
  GOODS_RECEIPT_NOTE: 'GOODS_RECEIPT_NOTE',
  /** Invoices. */
  INVOICE: 'INVOICE',
  /** Credit notes on invoices. */
  INVOICE_CREDIT_NOTE: 'INVOICE_CREDIT_NOTE',
  /** Payments of invoices. */
  INVOICE_PAYMENT: 'INVOICE_PAYMENT',
  /** Items. */
  ITEM: 'ITEM',
  /** Journal entries. */
  JOURNAL_ENTRY: 'JOURNAL_ENTRY',
  /** Lines of documents. */
  LINE_ITEM: 'LINE_ITEM',
  /** Payments. */
  PAYMENT: 'PAYMENT',
  /** Parts of payments by the documents they pay. */
  PAYMENT_ALLOCATION: 'PAYMENT_ALLOCATION',
  /** Phone numbers. */
  PHONE_NUMBER: 'PHONE_NUMBER',
  /** Sales pipelines. */
  PIPELINE: 'PIPELINE',
  /** Stages of pipelines. */
  PIPELINE_STAGE: 'PIPELINE_STAGE',
  /** Purchase orders. */
  PURCHASE_ORDER: 'PURCHASE_ORDER',
  /** Sales orders. */
  SALES_ORDER: 'SALES_ORDER',
  /** Tax rates. */
  TAX_RATE: 'TAX_RATE',
  /** Variants of items. */
  VARIANT: 'VARIANT'
} as const;

export type ParentType = typeof ParentType[keyof typeof ParentType];
/** Conditions on values of the kind ParentType; those given must all hold. */
export type ParentTypeFilter = {
  /** Equal to this value. */
  readonly eq?: ParentType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ParentType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on PhoneNumber records; all must match. */
export type PhoneNumberFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<PhoneNumberFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: PhoneNumberFilter | null | undefined;
  readonly number?: TextFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<PhoneNumberFilter> | null | undefined;
  readonly parentId?: LedgerIdFilter | null | undefined;
  readonly parentType?: ParentTypeFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly type?: PhoneTypeFilter | null | undefined;
};

/** Conditions on the PhoneNumber records of a record. */
export type PhoneNumberListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: PhoneNumberFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: PhoneNumberFilter | null | undefined;
};

/** Use of a phone number. */
export const PhoneType = {
  /** Fax machine. */
  FAX: 'FAX',
  /** At home. */
  HOME: 'HOME',
  /** Landline phone. */
  LANDLINE: 'LANDLINE',
  /** Mobile phone. */
  MOBILE: 'MOBILE',
  /** Any other use. */
  OTHER: 'OTHER',
  /** Main number. */
  PRIMARY: 'PRIMARY',
  /** A kind of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** At work. */
  WORK: 'WORK'
} as const;

export type PhoneType = typeof PhoneType[keyof typeof PhoneType];
/** Conditions on values of the kind PhoneType; those given must all hold. */
export type PhoneTypeFilter = {
  /** Equal to this value. */
  readonly eq?: PhoneType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<PhoneType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Record type of a document that belongs to the books. */
export const PostingDocument = {
  /** A bank transaction. It has no postings; the matching payment, expense or entry has them. */
  BANK_TRANSACTION: 'BANK_TRANSACTION',
  /** A bill. */
  BILL: 'BILL',
  /** A credit note on bills. */
  BILL_CREDIT_NOTE: 'BILL_CREDIT_NOTE',
  /** An expense. */
  EXPENSE: 'EXPENSE',
  /** An invoice. */
  INVOICE: 'INVOICE',
  /** A credit note on invoices. */
  INVOICE_CREDIT_NOTE: 'INVOICE_CREDIT_NOTE',
  /** A journal entry. */
  JOURNAL_ENTRY: 'JOURNAL_ENTRY',
  /** A payment. */
  PAYMENT: 'PAYMENT'
} as const;

export type PostingDocument = typeof PostingDocument[keyof typeof PostingDocument];
/** Conditions on values of the kind PostingDocument; those given must all hold. */
export type PostingDocumentFilter = {
  /** Equal to this value. */
  readonly eq?: PostingDocument | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<PostingDocument> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on postings; all must match. */
export type PostingFilter = {
  /** Filters `accountId`. `ledgerId` of the account. */
  readonly accountId?: LedgerIdFilter | null | undefined;
  /** Filters `contactId`. `ledgerId` of the customer or vendor. */
  readonly contactId?: LedgerIdFilter | null | undefined;
  /** Filters `date`. Day of the posting. */
  readonly date?: LocalDateFilter | null | undefined;
  /** Filters `documentId`. `ledgerId` of the document. */
  readonly documentId?: LedgerIdFilter | null | undefined;
  /** Filters `documentType`. Record type of the document. */
  readonly documentType?: PostingDocumentFilter | null | undefined;
  /** Filters `part`. Part of the document. */
  readonly part?: PostingPartFilter | null | undefined;
};

/** Part of a document that a posting records. */
export const PostingPart = {
  /** Lines, shipping and discount of bills and their credit notes, and lines of expenses. */
  COSTS: 'COSTS',
  /** Lines of journal entries. */
  ENTRY: 'ENTRY',
  /** Exchange gains and losses, and rounding differences. */
  EXCHANGE: 'EXCHANGE',
  /** Incoming or outgoing money. */
  MONEY: 'MONEY',
  /** Amount owed to a vendor, or its payment. */
  PAYABLE: 'PAYABLE',
  /** Amount owed by a customer, or its payment. */
  RECEIVABLE: 'RECEIVABLE',
  /** Lines, shipping and discount of invoices and their credit notes. */
  SALES: 'SALES',
  /** Tax on sales and purchases. */
  TAX: 'TAX'
} as const;

export type PostingPart = typeof PostingPart[keyof typeof PostingPart];
/** Conditions on values of the kind PostingPart; those given must all hold. */
export type PostingPartFilter = {
  /** Equal to this value. */
  readonly eq?: PostingPart | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<PostingPart> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Synchronisation state of a record with its source. */
export const SourceState = {
  /** Changed both here and at the source; resolve it with `resolveConflict`. */
  CONFLICT: 'CONFLICT',
  /** Same as at the source. */
  IN_SYNC: 'IN_SYNC',
  /** Written here, but not sent: the source accepts no records of this type. */
  LOCAL: 'LOCAL',
  /** Written here, but not yet sent to the source. */
  PENDING_PUSH: 'PENDING_PUSH',
  /** Written here, but rejected by the source; the next write of the record resends it. */
  PUSH_FAILED: 'PUSH_FAILED'
} as const;

export type SourceState = typeof SourceState[keyof typeof SourceState];
/** Conditions on values of the kind SourceState; those given must all hold. */
export type SourceStateFilter = {
  /** Equal to this value. */
  readonly eq?: SourceState | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<SourceState> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on TaxRate records; all must match. */
export type TaxRateFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<TaxRateFilter> | null | undefined;
  readonly code?: TextFilter | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly effectiveTaxRate?: DecimalFilter | null | undefined;
  readonly jurisdiction?: TextFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: TaxRateFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<TaxRateFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly rate?: DecimalFilter | null | undefined;
  /** Words that must all occur in `name` or `code`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: UsageStatusFilter | null | undefined;
  readonly taxType?: TextFilter | null | undefined;
  readonly totalTaxRate?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Conditions on values of the kind Text; those given must all hold. */
export type TextFilter = {
  /** Contains this text; case and accents do not matter. */
  readonly contains?: string | null | undefined;
  /** Equal to this value. */
  readonly eq?: string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Begins with this text; case and accents do not matter. */
  readonly startsWith?: string | null | undefined;
};

/** Whether an account, a tax rate or a pipeline is in use. */
export const UsageStatus = {
  /** In use. */
  ACTIVE: 'ACTIVE',
  /** No longer in use. */
  ARCHIVED: 'ARCHIVED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type UsageStatus = typeof UsageStatus[keyof typeof UsageStatus];
/** Conditions on values of the kind UsageStatus; those given must all hold. */
export type UsageStatusFilter = {
  /** Equal to this value. */
  readonly eq?: UsageStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<UsageStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Variant records; all must match. */
export type VariantFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<VariantFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly compareAtPrice?: DecimalFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: VariantFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<VariantFilter> | null | undefined;
  readonly parentId?: LedgerIdFilter | null | undefined;
  readonly parentType?: VariantParentFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly price?: DecimalFilter | null | undefined;
  /** Words that must all occur in `sku`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sku?: TextFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: ItemStatusFilter | null | undefined;
};

/** Conditions on the Variant records of a record. */
export type VariantListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: VariantFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: VariantFilter | null | undefined;
};

/** Type of the parent of a variant. */
export const VariantParent = {
  /** An item. */
  ITEM: 'ITEM'
} as const;

export type VariantParent = typeof VariantParent[keyof typeof VariantParent];
/** Conditions on values of the kind VariantParent; those given must all hold. */
export type VariantParentFilter = {
  /** Equal to this value. */
  readonly eq?: VariantParent | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<VariantParent> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

export type DashboardQueryVariables = Exact<{
  company?: CompanyFilter | null | undefined;
  filter?: InvoiceFilter | null | undefined;
  orderBy?: ReadonlyArray<InvoiceOrder> | InvoiceOrder | null | undefined;
  first: number;
  offset: number;
}>;


export type DashboardQuery = { readonly viewer: { readonly companies: ReadonlyArray<{ readonly id: string, readonly ledgerId: number, readonly name: string }> } | null, readonly companies: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly ledgerId: number, readonly name: string, readonly byStatus: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> } | null, readonly byMonth: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> } | null, readonly invoices: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: DocumentStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null }> } | null };

export type InvoicesQueryVariables = Exact<{
  company: number | string;
  filter?: InvoiceFilter | null | undefined;
  orderBy?: ReadonlyArray<InvoiceOrder> | InvoiceOrder | null | undefined;
  first: number;
  offset: number;
}>;


export type InvoicesQuery = { readonly company: { readonly id: string, readonly invoices: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: DocumentStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null } | null };

export type InvoiceChangesSubscriptionVariables = Exact<{
  company: number | string;
}>;


export type InvoiceChangesSubscription = { readonly recordChanged: { readonly nodeId: string, readonly node:
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: DocumentStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
      | { readonly id: string }
     | null } };

export type TotalsFragment = { readonly byStatus: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> } | null, readonly byMonth: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> } | null };

export type GroupsFragment = { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> };

export type InvoicePageFragment = { readonly invoices: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: DocumentStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null };

export type InvoiceRowFragment = { readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: DocumentStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null };

export type ProfitByMonthQueryVariables = Exact<{
  company: number | string;
  from: string;
  to: string;
}>;


export type ProfitByMonthQuery = { readonly company: { readonly id: string, readonly profitAndLoss: { readonly currency: CurrencyCode | null, readonly from: string, readonly to: string, readonly netProfit: string, readonly comparisons: ReadonlyArray<{ readonly from: string | null, readonly to: string, readonly total: string }>, readonly sections: ReadonlyArray<{ readonly category: AccountCategory, readonly title: string, readonly total: string, readonly comparisons: ReadonlyArray<string>, readonly rows: ReadonlyArray<{ readonly comparisons: ReadonlyArray<string>, readonly subtotalComparisons: ReadonlyArray<string>, readonly accountId: number | null, readonly part: PostingPart | null, readonly name: string | null, readonly level: number, readonly amount: string, readonly subtotal: string, readonly account: { readonly id: string, readonly nominalCode: string | null, readonly name: string | null } | null }> }> } | null } | null };

export type BalanceSheetQueryVariables = Exact<{
  company: number | string;
  asOf: string;
}>;


export type BalanceSheetQuery = { readonly company: { readonly id: string, readonly balanceSheet: { readonly currency: CurrencyCode | null, readonly totalAssets: string, readonly totalLiabilities: string, readonly totalEquity: string, readonly sections: ReadonlyArray<{ readonly category: AccountCategory, readonly title: string, readonly total: string, readonly rows: ReadonlyArray<{ readonly accountId: number | null, readonly part: PostingPart | null, readonly name: string | null, readonly level: number, readonly amount: string, readonly subtotal: string, readonly account: { readonly id: string, readonly nominalCode: string | null, readonly name: string | null } | null }> }> } | null } | null };

export type OpenAmountsQueryVariables = Exact<{
  company: number | string;
  asOf: string;
}>;


export type OpenAmountsQuery = { readonly company: { readonly id: string, readonly agedReceivables: { readonly currency: CurrencyCode | null, readonly total: string, readonly buckets: ReadonlyArray<{ readonly label: string, readonly amount: string }>, readonly rows: ReadonlyArray<{ readonly contactId: number | null, readonly total: string, readonly buckets: ReadonlyArray<{ readonly label: string, readonly amount: string }>, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null, readonly agedPayables: { readonly currency: CurrencyCode | null, readonly total: string, readonly buckets: ReadonlyArray<{ readonly label: string, readonly amount: string }>, readonly rows: ReadonlyArray<{ readonly contactId: number | null, readonly total: string, readonly buckets: ReadonlyArray<{ readonly label: string, readonly amount: string }>, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null } | null };

export type FigurePostingsQueryVariables = Exact<{
  company: number | string;
  filter: PostingFilter;
  first: number;
  offset: number;
}>;


export type FigurePostingsQuery = { readonly company: { readonly id: string, readonly postings: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly date: string, readonly documentType: PostingDocument | null, readonly documentId: number | null, readonly sourceNumber: string | null, readonly description: string | null, readonly amount: string, readonly currencyId: CurrencyCode | null, readonly baseAmount: string, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null } | null };

export type StatementRowFragment = { readonly accountId: number | null, readonly part: PostingPart | null, readonly name: string | null, readonly level: number, readonly amount: string, readonly subtotal: string, readonly account: { readonly id: string, readonly nominalCode: string | null, readonly name: string | null } | null };

export type AgedFragment = { readonly currency: CurrencyCode | null, readonly total: string, readonly buckets: ReadonlyArray<{ readonly label: string, readonly amount: string }>, readonly rows: ReadonlyArray<{ readonly contactId: number | null, readonly total: string, readonly buckets: ReadonlyArray<{ readonly label: string, readonly amount: string }>, readonly contact: { readonly id: string, readonly name: string | null } | null }> };

export const GroupsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Groups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"sum"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}}]}}]}}]}}]} as unknown as DocumentNode<GroupsFragment, unknown>;
export const TotalsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Totals"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"byStatus"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"byMonth"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"bucket"},"value":{"kind":"EnumValue","value":"MONTH"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"postedDate"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"isNull"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Groups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"sum"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}}]}}]}}]}}]} as unknown as DocumentNode<TotalsFragment, unknown>;
export const InvoiceRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<InvoiceRowFragment, unknown>;
export const InvoicePageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoicePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<InvoicePageFragment, unknown>;
export const StatementRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReportRow"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"subtotal"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"nominalCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<StatementRowFragment, unknown>;
export const AgedFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Aged"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgedReport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contactId"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<AgedFragment, unknown>;
export const DashboardDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Dashboard"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CompanyFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceOrder"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"companies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"ledgerId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"companies"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"LEDGER_ID"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"ledgerId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Totals"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoicePage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Groups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"sum"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Totals"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"byStatus"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"byMonth"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"bucket"},"value":{"kind":"EnumValue","value":"MONTH"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"postedDate"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"isNull"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoicePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}}]} as unknown as DocumentNode<DashboardQuery, DashboardQueryVariables>;
export const InvoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Invoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceOrder"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoicePage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoicePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}}]} as unknown as DocumentNode<InvoicesQuery, InvoicesQueryVariables>;
export const InvoiceChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"InvoiceChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"type"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"INVOICE"}]}},{"kind":"Argument","name":{"kind":"Name","value":"companyId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<InvoiceChangesSubscription, InvoiceChangesSubscriptionVariables>;
export const ProfitByMonthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProfitByMonth"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LocalDate"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LocalDate"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"profitAndLoss"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"periods"},"value":{"kind":"IntValue","value":"11"}},{"kind":"Argument","name":{"kind":"Name","value":"timeframe"},"value":{"kind":"EnumValue","value":"MONTH"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"netProfit"}},{"kind":"Field","name":{"kind":"Name","value":"comparisons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sections"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"comparisons"}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatementRow"}},{"kind":"Field","name":{"kind":"Name","value":"comparisons"}},{"kind":"Field","name":{"kind":"Name","value":"subtotalComparisons"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReportRow"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"subtotal"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"nominalCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ProfitByMonthQuery, ProfitByMonthQueryVariables>;
export const BalanceSheetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BalanceSheet"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"asOf"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LocalDate"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"balanceSheet"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"asOf"},"value":{"kind":"Variable","name":{"kind":"Name","value":"asOf"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"totalAssets"}},{"kind":"Field","name":{"kind":"Name","value":"totalLiabilities"}},{"kind":"Field","name":{"kind":"Name","value":"totalEquity"}},{"kind":"Field","name":{"kind":"Name","value":"sections"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatementRow"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReportRow"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accountId"}},{"kind":"Field","name":{"kind":"Name","value":"part"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"subtotal"}},{"kind":"Field","name":{"kind":"Name","value":"account"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"nominalCode"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<BalanceSheetQuery, BalanceSheetQueryVariables>;
export const OpenAmountsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OpenAmounts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"asOf"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LocalDate"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"agedReceivables"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"asOf"},"value":{"kind":"Variable","name":{"kind":"Name","value":"asOf"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Aged"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agedPayables"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"asOf"},"value":{"kind":"Variable","name":{"kind":"Name","value":"asOf"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Aged"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Aged"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AgedReport"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rows"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"contactId"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<OpenAmountsQuery, OpenAmountsQueryVariables>;
export const FigurePostingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FigurePostings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PostingFilter"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"postings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"date"}},{"kind":"Field","name":{"kind":"Name","value":"documentType"}},{"kind":"Field","name":{"kind":"Name","value":"documentId"}},{"kind":"Field","name":{"kind":"Name","value":"sourceNumber"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"baseAmount"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<FigurePostingsQuery, FigurePostingsQueryVariables>;
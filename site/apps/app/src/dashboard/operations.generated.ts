/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Which part of the books an account belongs to. */
export const AccountCategory = {
  /** What the company owns. */
  ASSET: 'ASSET',
  /** What belongs to the owners. */
  EQUITY: 'EQUITY',
  /** What the company spends. */
  EXPENSE: 'EXPENSE',
  /** What the company earns. */
  INCOME: 'INCOME',
  /** What the company owes. */
  LIABILITY: 'LIABILITY',
  /** A category of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type AccountCategory = typeof AccountCategory[keyof typeof AccountCategory];
/** Conditions on values of the kind `AccountCategory`; those given must all hold. */
export type AccountCategoryFilter = {
  /** Equal to this value. */
  readonly eq?: AccountCategory | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<AccountCategory> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which Account records a list returns; conditions that stand beside each other must all hold. */
export type AccountFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<AccountFilter> | null | undefined;
  /** Condition on `category`. */
  readonly category?: AccountCategoryFilter | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `currencyId`. */
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  /** Condition on `currentBalance`. */
  readonly currentBalance?: DecimalFilter | null | undefined;
  /** Condition on `description`. */
  readonly description?: TextFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** Condition on `nominalCode`. */
  readonly nominalCode?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: AccountFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<AccountFilter> | null | undefined;
  /** Conditions on the record of `parentAccount`; without one they do not hold. */
  readonly parentAccount?: AccountFilter | null | undefined;
  /** Condition on `parentAccountId`. */
  readonly parentAccountId?: LedgerIdFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Words of which each is in one of `nominalCode`, `name`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `sourceState`. */
  readonly sourceState?: SourceStateFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: AccountStatusFilter | null | undefined;
  /** Condition on `subCategory`. */
  readonly subCategory?: TextFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Whether an account is in use. */
export const AccountStatus = {
  /** In use. */
  ACTIVE: 'ACTIVE',
  /** No longer in use. */
  ARCHIVED: 'ARCHIVED',
  /** A state of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type AccountStatus = typeof AccountStatus[keyof typeof AccountStatus];
/** Conditions on values of the kind `AccountStatus`; those given must all hold. */
export type AccountStatusFilter = {
  /** Equal to this value. */
  readonly eq?: AccountStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<AccountStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which Address records a list returns; conditions that stand beside each other must all hold. */
export type AddressFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<AddressFilter> | null | undefined;
  /** Condition on `city`. */
  readonly city?: TextFilter | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `country`. */
  readonly country?: TextFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `locality`. */
  readonly locality?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: AddressFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<AddressFilter> | null | undefined;
  /** Condition on `parentId`. */
  readonly parentId?: LedgerIdFilter | null | undefined;
  /** Condition on `parentType`. */
  readonly parentType?: ParentTypeFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `position`. */
  readonly position?: DecimalFilter | null | undefined;
  /** Condition on `postalCode`. */
  readonly postalCode?: TextFilter | null | undefined;
  /** Condition on `state`. */
  readonly state?: TextFilter | null | undefined;
  /** Condition on `street`. */
  readonly street?: TextFilter | null | undefined;
  /** Condition on `street2`. */
  readonly street2?: TextFilter | null | undefined;
  /** Condition on `type`. */
  readonly type?: AddressTypeFilter | null | undefined;
};

/** Conditions on the Address records of a record. */
export type AddressListFilter = {
  /** None of them meets this filter; true without any. */
  readonly none?: AddressFilter | null | undefined;
  /** At least one of them meets this filter. */
  readonly some?: AddressFilter | null | undefined;
};

/** What an address is for. */
export const AddressType = {
  /** Invoices go here. */
  BILLING: 'BILLING',
  /** A home. */
  HOME: 'HOME',
  /** Something else. */
  OTHER: 'OTHER',
  /** Letters go here. */
  POSTAL: 'POSTAL',
  /** The main address. */
  PRIMARY: 'PRIMARY',
  /** Goods go here. */
  SHIPPING: 'SHIPPING',
  /** A kind of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN',
  /** A place of work. */
  WORK: 'WORK'
} as const;

export type AddressType = typeof AddressType[keyof typeof AddressType];
/** Conditions on values of the kind `AddressType`; those given must all hold. */
export type AddressTypeFilter = {
  /** Equal to this value. */
  readonly eq?: AddressType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<AddressType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind `Boolean`; those given must all hold. */
export type BooleanFilter = {
  /** Equal to this value. */
  readonly eq?: boolean | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<boolean> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which Company records a list returns; conditions that stand beside each other must all hold. */
export type CompanyFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<CompanyFilter> | null | undefined;
  /** Condition on `connectionStatus`. */
  readonly connectionStatus?: ConnectionStatusFilter | null | undefined;
  /** Condition on `integrationType`. */
  readonly integrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: CompanyFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<CompanyFilter> | null | undefined;
  /** Words of which each is in one of `name`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
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
/** Conditions on values of the kind `ConnectionStatus`; those given must all hold. */
export type ConnectionStatusFilter = {
  /** Equal to this value. */
  readonly eq?: ConnectionStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ConnectionStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which Contact records a list returns; conditions that stand beside each other must all hold. */
export type ContactFilter = {
  /** Conditions on the records of `addresses`. */
  readonly addresses?: AddressListFilter | null | undefined;
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<ContactFilter> | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `contactName`. */
  readonly contactName?: TextFilter | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Condition on `currencyId`. */
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  /** Condition on `email`. */
  readonly email?: TextFilter | null | undefined;
  /** Conditions on the records of `externalLinks`. */
  readonly externalLinks?: ExternalLinkListFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: ContactFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<ContactFilter> | null | undefined;
  /** Condition on `phone`. */
  readonly phone?: TextFilter | null | undefined;
  /** Conditions on the records of `phoneNumbers`. */
  readonly phoneNumbers?: PhoneNumberListFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `registrationNumber`. */
  readonly registrationNumber?: TextFilter | null | undefined;
  /** Words of which each is in one of `name`, `contactName`, `email`, `phone`, `taxNumber`, `registrationNumber`, `website`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `sourceState`. */
  readonly sourceState?: SourceStateFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: ContactStatusFilter | null | undefined;
  /** Condition on `taxNumber`. */
  readonly taxNumber?: TextFilter | null | undefined;
  /** Condition on `type`. */
  readonly type?: ContactTypeFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `website`. */
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
  /** Blocked for now. */
  SUSPENDED: 'SUSPENDED',
  /** A state of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type ContactStatus = typeof ContactStatus[keyof typeof ContactStatus];
/** Conditions on values of the kind `ContactStatus`; those given must all hold. */
export type ContactStatusFilter = {
  /** Equal to this value. */
  readonly eq?: ContactStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ContactStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** How a contact relates to the company. */
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
/** Conditions on values of the kind `ContactType`; those given must all hold. */
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
/** Conditions on values of the kind `CurrencyCode`; those given must all hold. */
export type CurrencyCodeFilter = {
  /** Equal to this value. */
  readonly eq?: CurrencyCode | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<CurrencyCode> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind `DateTime`; those given must all hold. */
export type DateTimeFilter = {
  /** At this moment; a date without a time is its midnight in UTC. */
  readonly eq?: string | null | undefined;
  /** After this moment; after the end of the day, in UTC, for a date without a time. */
  readonly gt?: string | null | undefined;
  /** At or after this moment; from the start of the day, in UTC, for a date without a time. */
  readonly gte?: string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Before this moment; before the start of the day, in UTC, for a date without a time. */
  readonly lt?: string | null | undefined;
  /** At or before this moment; until the end of the day, in UTC, for a date without a time. */
  readonly lte?: string | null | undefined;
};

/** Conditions on values of the kind `Decimal`; those given must all hold. */
export type DecimalFilter = {
  /** Equal to this value. */
  readonly eq?: number | string | null | undefined;
  /** After this value, or greater. */
  readonly gt?: number | string | null | undefined;
  /** At or after this value, or at least this number. */
  readonly gte?: number | string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number | string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Before this value, or less. */
  readonly lt?: number | string | null | undefined;
  /** At or before this value, or at most this number. */
  readonly lte?: number | string | null | undefined;
};

/** Which ExternalLink records a list returns; conditions that stand beside each other must all hold. */
export type ExternalLinkFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<ExternalLinkFilter> | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `link`. */
  readonly link?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: ExternalLinkFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<ExternalLinkFilter> | null | undefined;
  /** Condition on `parentId`. */
  readonly parentId?: LedgerIdFilter | null | undefined;
  /** Condition on `parentType`. */
  readonly parentType?: ParentTypeFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `position`. */
  readonly position?: DecimalFilter | null | undefined;
  /** Condition on `type`. */
  readonly type?: LinkTypeFilter | null | undefined;
};

/** Conditions on the ExternalLink records of a record. */
export type ExternalLinkListFilter = {
  /** None of them meets this filter; true without any. */
  readonly none?: ExternalLinkFilter | null | undefined;
  /** At least one of them meets this filter. */
  readonly some?: ExternalLinkFilter | null | undefined;
};

/** Which Invoice records a list returns; conditions that stand beside each other must all hold. */
export type InvoiceFilter = {
  /** Conditions on the records of `addresses`. */
  readonly addresses?: AddressListFilter | null | undefined;
  /** Condition on `amountDue`. */
  readonly amountDue?: DecimalFilter | null | undefined;
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<InvoiceFilter> | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Conditions on the record of `contact`; without one they do not hold. */
  readonly contact?: ContactFilter | null | undefined;
  /** Condition on `contactId`. */
  readonly contactId?: LedgerIdFilter | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Condition on `currencyId`. */
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  /** Condition on `currencyRate`. */
  readonly currencyRate?: DecimalFilter | null | undefined;
  /** Condition on `documentNumber`. */
  readonly documentNumber?: TextFilter | null | undefined;
  /** Condition on `dueDate`. */
  readonly dueDate?: DateTimeFilter | null | undefined;
  /** Condition on `isTaxInclusive`. */
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  /** Condition on `issuedAt`. */
  readonly issuedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Conditions on the records of `lineItems`. */
  readonly lineItems?: LineItemListFilter | null | undefined;
  /** Condition on `memo`. */
  readonly memo?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: InvoiceFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<InvoiceFilter> | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `postedDate`. */
  readonly postedDate?: DateTimeFilter | null | undefined;
  /** Words of which each is in one of `documentNumber`, `memo`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `shippingAmount`. */
  readonly shippingAmount?: DecimalFilter | null | undefined;
  /** Condition on `sourceState`. */
  readonly sourceState?: SourceStateFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: InvoiceStatusFilter | null | undefined;
  /** Condition on `subTotal`. */
  readonly subTotal?: DecimalFilter | null | undefined;
  /** Condition on `taxAmount`. */
  readonly taxAmount?: DecimalFilter | null | undefined;
  /** Condition on `totalAmount`. */
  readonly totalAmount?: DecimalFilter | null | undefined;
  /** Condition on `totalDiscount`. */
  readonly totalDiscount?: DecimalFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** One key of the order of a list of Invoice records. */
export type InvoiceOrder = {
  /** Direction. */
  readonly direction?: OrderDirection;
  /** What to order by. */
  readonly field: InvoiceOrderField;
  /** Where records without a value come; last when absent, in either direction. */
  readonly nulls?: NullsOrder | null | undefined;
};

/** What a list of Invoice records can be ordered by. */
export const InvoiceOrderField = {
  /** What is still to be paid. */
  AMOUNT_DUE: 'AMOUNT_DUE',
  /** `ledgerId` of the customer. */
  CONTACT_ID: 'CONTACT_ID',
  /** When the record was created in the source system. */
  CREATED_AT: 'CREATED_AT',
  /** ISO 4217 code of the currency of the amounts. */
  CURRENCY_ID: 'CURRENCY_ID',
  /** Number printed on the document. */
  DOCUMENT_NUMBER: 'DOCUMENT_NUMBER',
  /** When it has to be paid. */
  DUE_DATE: 'DUE_DATE',
  /** When the document was issued to the customer. */
  ISSUED_AT: 'ISSUED_AT',
  /** When the record was stored first. */
  LEDGER_CREATED_AT: 'LEDGER_CREATED_AT',
  /** Number of the record, unique over all records. */
  LEDGER_ID: 'LEDGER_ID',
  /** When the record last changed here. */
  LEDGER_UPDATED_AT: 'LEDGER_UPDATED_AT',
  /** Date of the document. */
  POSTED_DATE: 'POSTED_DATE',
  /** State. */
  STATUS: 'STATUS',
  /** Total with tax. */
  TOTAL_AMOUNT: 'TOTAL_AMOUNT',
  /** When the record last changed in the source system. */
  UPDATED_AT: 'UPDATED_AT'
} as const;

export type InvoiceOrderField = typeof InvoiceOrderField[keyof typeof InvoiceOrderField];
/** State of an invoice. */
export const InvoiceStatus = {
  /** Being written. */
  DRAFT: 'DRAFT',
  /** Past its due date. */
  OVERDUE: 'OVERDUE',
  /** Paid or used in full. */
  PAID: 'PAID',
  /** Paid or used in part. */
  PARTIALLY_PAID: 'PARTIALLY_PAID',
  /** Sent or awaiting payment. */
  SUBMITTED: 'SUBMITTED',
  /** A state of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN',
  /** Cancelled. */
  VOID: 'VOID'
} as const;

export type InvoiceStatus = typeof InvoiceStatus[keyof typeof InvoiceStatus];
/** Conditions on values of the kind `InvoiceStatus`; those given must all hold. */
export type InvoiceStatusFilter = {
  /** Equal to this value. */
  readonly eq?: InvoiceStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<InvoiceStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which Item records a list returns; conditions that stand beside each other must all hold. */
export type ItemFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<ItemFilter> | null | undefined;
  /** Condition on `code`. */
  readonly code?: TextFilter | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Condition on `currencyId`. */
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  /** Condition on `description`. */
  readonly description?: TextFilter | null | undefined;
  /** Condition on `isBillItem`. */
  readonly isBillItem?: BooleanFilter | null | undefined;
  /** Condition on `isInvoiceItem`. */
  readonly isInvoiceItem?: BooleanFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: ItemFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<ItemFilter> | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `price`. */
  readonly price?: DecimalFilter | null | undefined;
  /** Condition on `quantityOnHand`. */
  readonly quantityOnHand?: DecimalFilter | null | undefined;
  /** Words of which each is in one of `name`, `code`, `sku`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `sku`. */
  readonly sku?: TextFilter | null | undefined;
  /** Condition on `sourceState`. */
  readonly sourceState?: SourceStateFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: ItemStatusFilter | null | undefined;
  /** Condition on `type`. */
  readonly type?: ItemTypeFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
  /** Conditions on the records of `variants`. */
  readonly variants?: VariantListFilter | null | undefined;
};

/** Whether an item or variant is on offer. */
export const ItemStatus = {
  /** On offer. */
  ACTIVE: 'ACTIVE',
  /** No longer on offer. */
  ARCHIVED: 'ARCHIVED',
  /** Not yet on offer. */
  DRAFT: 'DRAFT',
  /** A state of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type ItemStatus = typeof ItemStatus[keyof typeof ItemStatus];
/** Conditions on values of the kind `ItemStatus`; those given must all hold. */
export type ItemStatusFilter = {
  /** Equal to this value. */
  readonly eq?: ItemStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ItemStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** What kind of thing an item is. */
export const ItemType = {
  /** Something delivered electronically. */
  DIGITAL: 'DIGITAL',
  /** Goods that are stocked. */
  INVENTORY: 'INVENTORY',
  /** Goods that are not stocked. */
  NON_INVENTORY: 'NON_INVENTORY',
  /** A service. */
  SERVICE: 'SERVICE',
  /** A kind of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type ItemType = typeof ItemType[keyof typeof ItemType];
/** Conditions on values of the kind `ItemType`; those given must all hold. */
export type ItemTypeFilter = {
  /** Equal to this value. */
  readonly eq?: ItemType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ItemType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind `LedgerId`; those given must all hold. */
export type LedgerIdFilter = {
  /** Equal to this value. */
  readonly eq?: number | string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number | string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which LineItem records a list returns; conditions that stand beside each other must all hold. */
export type LineItemFilter = {
  /** Conditions on the record of `account`; without one they do not hold. */
  readonly account?: AccountFilter | null | undefined;
  /** Condition on `accountId`. */
  readonly accountId?: LedgerIdFilter | null | undefined;
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<LineItemFilter> | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Condition on `description`. */
  readonly description?: TextFilter | null | undefined;
  /** Condition on `discountAmount`. */
  readonly discountAmount?: DecimalFilter | null | undefined;
  /** Condition on `isTaxInclusive`. */
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  /** Conditions on the record of `item`; without one they do not hold. */
  readonly item?: ItemFilter | null | undefined;
  /** Condition on `itemId`. */
  readonly itemId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: LineItemFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<LineItemFilter> | null | undefined;
  /** Condition on `parentId`. */
  readonly parentId?: LedgerIdFilter | null | undefined;
  /** Condition on `parentType`. */
  readonly parentType?: LineParentFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `position`. */
  readonly position?: DecimalFilter | null | undefined;
  /** Condition on `quantity`. */
  readonly quantity?: DecimalFilter | null | undefined;
  /** Condition on `subTotal`. */
  readonly subTotal?: DecimalFilter | null | undefined;
  /** Conditions on the record of `tax`; without one they do not hold. */
  readonly tax?: TaxRateFilter | null | undefined;
  /** Condition on `taxAmount`. */
  readonly taxAmount?: DecimalFilter | null | undefined;
  /** Condition on `taxId`. */
  readonly taxId?: LedgerIdFilter | null | undefined;
  /** Condition on `totalAmount`. */
  readonly totalAmount?: DecimalFilter | null | undefined;
  /** Condition on `unitAmount`. */
  readonly unitAmount?: DecimalFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
  /** Conditions on the record of `variant`; without one they do not hold. */
  readonly variant?: VariantFilter | null | undefined;
  /** Condition on `variantId`. */
  readonly variantId?: LedgerIdFilter | null | undefined;
};

/** Conditions on the LineItem records of a record. */
export type LineItemListFilter = {
  /** None of them meets this filter; true without any. */
  readonly none?: LineItemFilter | null | undefined;
  /** At least one of them meets this filter. */
  readonly some?: LineItemFilter | null | undefined;
};

/** Record type a line belongs to. */
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
/** Conditions on values of the kind `LineParent`; those given must all hold. */
export type LineParentFilter = {
  /** Equal to this value. */
  readonly eq?: LineParent | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<LineParent> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** What a link leads to. */
export const LinkType = {
  /** Something else. */
  OTHER: 'OTHER',
  /** A portal to log in to. */
  PORTAL: 'PORTAL',
  /** A social media profile. */
  SOCIAL: 'SOCIAL',
  /** A kind of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN',
  /** A web site. */
  WEBSITE: 'WEBSITE'
} as const;

export type LinkType = typeof LinkType[keyof typeof LinkType];
/** Conditions on values of the kind `LinkType`; those given must all hold. */
export type LinkTypeFilter = {
  /** Equal to this value. */
  readonly eq?: LinkType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<LinkType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Where an order puts records without a value. */
export const NullsOrder = {
  /** Before all others. */
  FIRST: 'FIRST',
  /** After all others. */
  LAST: 'LAST'
} as const;

export type NullsOrder = typeof NullsOrder[keyof typeof NullsOrder];
/** Direction of an order. */
export const OrderDirection = {
  /** Smallest or oldest first. */
  ASC: 'ASC',
  /** Largest or newest first. */
  DESC: 'DESC'
} as const;

export type OrderDirection = typeof OrderDirection[keyof typeof OrderDirection];
/** Record type an address, phone number or link belongs to. */
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
  /** Links. */
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
/** Conditions on values of the kind `ParentType`; those given must all hold. */
export type ParentTypeFilter = {
  /** Equal to this value. */
  readonly eq?: ParentType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<ParentType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which PhoneNumber records a list returns; conditions that stand beside each other must all hold. */
export type PhoneNumberFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<PhoneNumberFilter> | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: PhoneNumberFilter | null | undefined;
  /** Condition on `number`. */
  readonly number?: TextFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<PhoneNumberFilter> | null | undefined;
  /** Condition on `parentId`. */
  readonly parentId?: LedgerIdFilter | null | undefined;
  /** Condition on `parentType`. */
  readonly parentType?: ParentTypeFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `position`. */
  readonly position?: DecimalFilter | null | undefined;
  /** Condition on `type`. */
  readonly type?: PhoneTypeFilter | null | undefined;
};

/** Conditions on the PhoneNumber records of a record. */
export type PhoneNumberListFilter = {
  /** None of them meets this filter; true without any. */
  readonly none?: PhoneNumberFilter | null | undefined;
  /** At least one of them meets this filter. */
  readonly some?: PhoneNumberFilter | null | undefined;
};

/** What a phone number is for. */
export const PhoneType = {
  /** A fax machine. */
  FAX: 'FAX',
  /** A home. */
  HOME: 'HOME',
  /** A fixed line. */
  LANDLINE: 'LANDLINE',
  /** A mobile phone. */
  MOBILE: 'MOBILE',
  /** Something else. */
  OTHER: 'OTHER',
  /** The main number. */
  PRIMARY: 'PRIMARY',
  /** A kind of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN',
  /** A place of work. */
  WORK: 'WORK'
} as const;

export type PhoneType = typeof PhoneType[keyof typeof PhoneType];
/** Conditions on values of the kind `PhoneType`; those given must all hold. */
export type PhoneTypeFilter = {
  /** Equal to this value. */
  readonly eq?: PhoneType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<PhoneType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Where a record stands with its source system. */
export const SourceState = {
  /** Changed here and at the source; `resolveConflict` decides which version stays. */
  CONFLICT: 'CONFLICT',
  /** As the source has it. */
  IN_SYNC: 'IN_SYNC',
  /** Written here, and not sent, because the source takes no records of this type. */
  LOCAL: 'LOCAL',
  /** Written here and not yet sent to the source. */
  PENDING_PUSH: 'PENDING_PUSH',
  /** Written here and refused by the source; the next write of the record sends it again. */
  PUSH_FAILED: 'PUSH_FAILED'
} as const;

export type SourceState = typeof SourceState[keyof typeof SourceState];
/** Conditions on values of the kind `SourceState`; those given must all hold. */
export type SourceStateFilter = {
  /** Equal to this value. */
  readonly eq?: SourceState | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<SourceState> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which TaxRate records a list returns; conditions that stand beside each other must all hold. */
export type TaxRateFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<TaxRateFilter> | null | undefined;
  /** Condition on `code`. */
  readonly code?: TextFilter | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Condition on `effectiveTaxRate`. */
  readonly effectiveTaxRate?: DecimalFilter | null | undefined;
  /** Condition on `jurisdiction`. */
  readonly jurisdiction?: TextFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: TaxRateFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<TaxRateFilter> | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `rate`. */
  readonly rate?: DecimalFilter | null | undefined;
  /** Words of which each is in one of `name`, `code`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `sourceState`. */
  readonly sourceState?: SourceStateFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: TaxRateStatusFilter | null | undefined;
  /** Condition on `taxType`. */
  readonly taxType?: TextFilter | null | undefined;
  /** Condition on `totalTaxRate`. */
  readonly totalTaxRate?: DecimalFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Whether a tax rate is in use. */
export const TaxRateStatus = {
  /** In use. */
  ACTIVE: 'ACTIVE',
  /** No longer in use. */
  ARCHIVED: 'ARCHIVED',
  /** A state of the source that has no counterpart here. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type TaxRateStatus = typeof TaxRateStatus[keyof typeof TaxRateStatus];
/** Conditions on values of the kind `TaxRateStatus`; those given must all hold. */
export type TaxRateStatusFilter = {
  /** Equal to this value. */
  readonly eq?: TaxRateStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<TaxRateStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind `Text`; those given must all hold. */
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

/** Which Variant records a list returns; conditions that stand beside each other must all hold. */
export type VariantFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<VariantFilter> | null | undefined;
  /** Conditions on the record of `company`; without one they do not hold. */
  readonly company?: CompanyFilter | null | undefined;
  /** Condition on `compareAtPrice`. */
  readonly compareAtPrice?: DecimalFilter | null | undefined;
  /** Condition on `currencyId`. */
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  /** Condition on `ledgerCreatedAt`. */
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerDeletedAt`. */
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  /** Condition on `ledgerId`. */
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  /** Condition on `ledgerIntegrationType`. */
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  /** Condition on `ledgerUpdatedAt`. */
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: VariantFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<VariantFilter> | null | undefined;
  /** Condition on `parentId`. */
  readonly parentId?: LedgerIdFilter | null | undefined;
  /** Condition on `parentType`. */
  readonly parentType?: VariantParentFilter | null | undefined;
  /** Condition on `platformId`. */
  readonly platformId?: TextFilter | null | undefined;
  /** Condition on `position`. */
  readonly position?: DecimalFilter | null | undefined;
  /** Condition on `price`. */
  readonly price?: DecimalFilter | null | undefined;
  /** Words of which each is in one of `sku`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `sku`. */
  readonly sku?: TextFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: ItemStatusFilter | null | undefined;
};

/** Conditions on the Variant records of a record. */
export type VariantListFilter = {
  /** None of them meets this filter; true without any. */
  readonly none?: VariantFilter | null | undefined;
  /** At least one of them meets this filter. */
  readonly some?: VariantFilter | null | undefined;
};

/** Record type a variant belongs to. */
export const VariantParent = {
  /** An item. */
  ITEM: 'ITEM'
} as const;

export type VariantParent = typeof VariantParent[keyof typeof VariantParent];
/** Conditions on values of the kind `VariantParent`; those given must all hold. */
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


export type DashboardQuery = { readonly viewer: { readonly companies: ReadonlyArray<{ readonly id: string, readonly ledgerId: number, readonly name: string }> } | null, readonly companies: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly ledgerId: number, readonly name: string, readonly byStatus: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> } | null, readonly byMonth: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }>, readonly sum: { readonly totalAmount: string | null, readonly amountDue: string | null } }> } | null, readonly invoices: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: InvoiceStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null }> } | null };

export type InvoicesQueryVariables = Exact<{
  company: number | string;
  filter?: InvoiceFilter | null | undefined;
  orderBy?: ReadonlyArray<InvoiceOrder> | InvoiceOrder | null | undefined;
  first: number;
  offset: number;
}>;


export type InvoicesQuery = { readonly company: { readonly id: string, readonly invoices: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: InvoiceStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null } | null };

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
      | { readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: InvoiceStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }
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

export type InvoicePageFragment = { readonly invoices: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: InvoiceStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null }> } | null };

export type InvoiceRowFragment = { readonly id: string, readonly documentNumber: string | null, readonly postedDate: string | null, readonly dueDate: string | null, readonly status: InvoiceStatus | null, readonly currencyId: CurrencyCode | null, readonly totalAmount: string | null, readonly amountDue: string | null, readonly contact: { readonly id: string, readonly name: string | null } | null };

export const GroupsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Groups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"sum"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}}]}}]}}]}}]} as unknown as DocumentNode<GroupsFragment, unknown>;
export const TotalsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Totals"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"byStatus"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"byMonth"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"bucket"},"value":{"kind":"EnumValue","value":"MONTH"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"postedDate"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"isNull"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Groups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"sum"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}}]}}]}}]}}]} as unknown as DocumentNode<TotalsFragment, unknown>;
export const InvoiceRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<InvoiceRowFragment, unknown>;
export const InvoicePageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoicePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<InvoicePageFragment, unknown>;
export const DashboardDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Dashboard"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"CompanyFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceOrder"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"companies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"ledgerId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"companies"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"LEDGER_ID"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"ledgerId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"Totals"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoicePage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Groups"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceSummary"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"sum"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Totals"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"byStatus"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"byMonth"},"name":{"kind":"Name","value":"invoicesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"500"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CURRENCY_ID"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]},{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"bucket"},"value":{"kind":"EnumValue","value":"MONTH"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"POSTED_DATE"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"postedDate"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"isNull"},"value":{"kind":"BooleanValue","value":false}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Groups"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoicePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}}]} as unknown as DocumentNode<DashboardQuery, DashboardQueryVariables>;
export const InvoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Invoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PositiveInt"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InvoiceOrder"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"company"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoicePage"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoicePage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Company"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"invoices"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}}]} as unknown as DocumentNode<InvoicesQuery, InvoicesQueryVariables>;
export const InvoiceChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"InvoiceChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"company"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PositiveInt"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recordChanged"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"type"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"INVOICE"}]}},{"kind":"Argument","name":{"kind":"Name","value":"companyId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"company"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"InvoiceRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InvoiceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Invoice"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"documentNumber"}},{"kind":"Field","name":{"kind":"Name","value":"postedDate"}},{"kind":"Field","name":{"kind":"Name","value":"dueDate"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"currencyId"}},{"kind":"Field","name":{"kind":"Name","value":"totalAmount"}},{"kind":"Field","name":{"kind":"Name","value":"amountDue"}},{"kind":"Field","name":{"kind":"Name","value":"contact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<InvoiceChangesSubscription, InvoiceChangesSubscriptionVariables>;
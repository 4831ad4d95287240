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

/** Record type that a payment is allocated to. */
export const AllocationDocument = {
  /** A bill. */
  BILL: 'BILL',
  /** A credit note on bills, refunded or used. */
  BILL_CREDIT_NOTE: 'BILL_CREDIT_NOTE',
  /** An expense. */
  EXPENSE: 'EXPENSE',
  /** An invoice. */
  INVOICE: 'INVOICE',
  /** A credit note on invoices, refunded or used. */
  INVOICE_CREDIT_NOTE: 'INVOICE_CREDIT_NOTE',
  /** A journal entry. */
  JOURNAL_ENTRY: 'JOURNAL_ENTRY',
  /** A type of the source whose records the gateway does not store. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type AllocationDocument = typeof AllocationDocument[keyof typeof AllocationDocument];
/** Conditions on values of the kind AllocationDocument; those given must all hold. */
export type AllocationDocumentFilter = {
  /** Equal to this value. */
  readonly eq?: AllocationDocument | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<AllocationDocument> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on BankTransaction records; all must match. */
export type BankTransactionFilter = {
  readonly account?: AccountFilter | null | undefined;
  readonly accountId?: LedgerIdFilter | null | undefined;
  readonly amount?: DecimalFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<BankTransactionFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: BankTransactionFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<BankTransactionFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  readonly referenceNumber?: TextFilter | null | undefined;
  /** Words that must all occur in `description` or `referenceNumber`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: BankTransactionStatusFilter | null | undefined;
  readonly transactionDate?: DateTimeFilter | null | undefined;
  readonly type?: BankTransactionTypeFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Progress of a bank transaction. */
export const BankTransactionStatus = {
  /** Pending at the bank; may still change. */
  PENDING: 'PENDING',
  /** Booked on the statement. */
  POSTED: 'POSTED',
  /** Matched with the books. */
  RECONCILED: 'RECONCILED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** Cancelled; it has no effect. */
  VOID: 'VOID'
} as const;

export type BankTransactionStatus = typeof BankTransactionStatus[keyof typeof BankTransactionStatus];
/** Conditions on values of the kind BankTransactionStatus; those given must all hold. */
export type BankTransactionStatusFilter = {
  /** Equal to this value. */
  readonly eq?: BankTransactionStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<BankTransactionStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Kind of a bank transaction. */
export const BankTransactionType = {
  /** A card payment. */
  CARD: 'CARD',
  /** Cash withdrawal. */
  CASH: 'CASH',
  /** A cheque. */
  CHECK: 'CHECK',
  /** Other money in. */
  CREDIT: 'CREDIT',
  /** Other money out. */
  DEBIT: 'DEBIT',
  /** Money put into the account. */
  DEPOSIT: 'DEPOSIT',
  /** Direct debit by another party. */
  DIRECT_DEBIT: 'DIRECT_DEBIT',
  /** Direct deposit by another party. */
  DIRECT_DEPOSIT: 'DIRECT_DEPOSIT',
  /** Share of a profit. */
  DIVIDEND: 'DIVIDEND',
  /** Charge of the bank. */
  FEE: 'FEE',
  /** Interest paid or received. */
  INTEREST: 'INTEREST',
  /** Any other use. */
  OTHER: 'OTHER',
  /** A payment by transfer. */
  PAYMENT: 'PAYMENT',
  /** A standing order. */
  REPEATING_PAYMENT: 'REPEATING_PAYMENT',
  /** Transfer between accounts of the company. */
  TRANSFER: 'TRANSFER',
  /** A type of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type BankTransactionType = typeof BankTransactionType[keyof typeof BankTransactionType];
/** Conditions on values of the kind BankTransactionType; those given must all hold. */
export type BankTransactionTypeFilter = {
  /** Equal to this value. */
  readonly eq?: BankTransactionType | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<BankTransactionType> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on BillCreditNote records; all must match. */
export type BillCreditNoteFilter = {
  readonly addresses?: AddressListFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<BillCreditNoteFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: BillCreditNoteFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<BillCreditNoteFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  readonly remainingCredit?: DecimalFilter | null | undefined;
  /** Words that must all occur in `documentNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: DocumentStatusFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Conditions on Bill records; all must match. */
export type BillFilter = {
  readonly addresses?: AddressListFilter | null | undefined;
  readonly amountDue?: DecimalFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<BillFilter> | null | undefined;
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
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: BillFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<BillFilter> | null | undefined;
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

/** Conditions on values of the kind Boolean; those given must all hold. */
export type BooleanFilter = {
  /** Equal to this value. */
  readonly eq?: boolean | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<boolean> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on CashFlowStatement records; all must match. */
export type CashFlowStatementFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<CashFlowStatementFilter> | null | undefined;
  readonly cashAtBeginningOfPeriod?: DecimalFilter | null | undefined;
  readonly cashAtEndOfPeriod?: DecimalFilter | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: CashFlowStatementFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<CashFlowStatementFilter> | null | undefined;
  readonly periodEnd?: DateTimeFilter | null | undefined;
  readonly periodStart?: DateTimeFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Kind of a change. */
export const ChangeOperation = {
  /** The record is new. */
  CREATED: 'CREATED',
  /** The record was deleted. */
  DELETED: 'DELETED',
  /** The record changed. */
  UPDATED: 'UPDATED'
} as const;

export type ChangeOperation = typeof ChangeOperation[keyof typeof ChangeOperation];
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

/** Conditions on Corporation records; all must match. */
export type CorporationFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<CorporationFilter> | null | undefined;
  readonly contactEmail?: EmailAddressFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly emailAlias?: TextFilter | null | undefined;
  readonly entityType?: TextFilter | null | undefined;
  readonly externalId?: TextFilter | null | undefined;
  readonly id?: IdFilter | null | undefined;
  readonly jurisdiction?: CountryCodeFilter | null | undefined;
  readonly legalName?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: CorporationFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<CorporationFilter> | null | undefined;
  /** Words that must all occur in `legalName` or `emailAlias` or `externalId` or `contactEmail` or `website`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly state?: TextFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
  readonly website?: UrlFilter | null | undefined;
};

/** Conditions on values of the kind CountryCode; those given must all hold. */
export type CountryCodeFilter = {
  /** Equal to this value. */
  readonly eq?: string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** A webhook to register. */
export type CreateWebhookInput = {
  /** Version of the payload; only `v1.0`. */
  readonly apiVersion?: string | null | undefined;
  /** Send only events of these companies; null for all events. */
  readonly companyIds?: ReadonlyArray<number | string> | null | undefined;
  /** Send only events of these record types; null for all events. */
  readonly dataModels?: ReadonlyArray<DataModel> | null | undefined;
  /** Free text. */
  readonly description?: string | null | undefined;
  /** Records whose events are sent, by record type, as the filters of their lists select them; null for every event. Deletions are sent for every record of these types. */
  readonly filter?: RecordFilters | null | undefined;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** What the webhook is for. */
  readonly name?: string | null | undefined;
  /** Signing secret of 24 to 256 printable ASCII characters: base64 after `whsec_`, otherwise used literally. By default one is generated and shown once, in the response. */
  readonly secret?: string | null | undefined;
  /** Whether events are sent. */
  readonly status?: WebhookStatus | null | undefined;
  /** Kinds of event to send: 1 to 50 of the catalogue, or the one value for all. They include those of the integrations API: a webhook belongs to the organisation and gets the events of all its companies, unless `companyIds`, `dataModels` or `filter` narrows it. */
  readonly topics: ReadonlyArray<EventTopic>;
  /** URL of the receiver: https, on the public internet. */
  readonly url: string;
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

/** Conditions on Currency records; all must match. */
export type CurrencyFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<CurrencyFilter> | null | undefined;
  readonly code?: CurrencyCodeFilter | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly exchangeRate?: DecimalFilter | null | undefined;
  readonly isBaseCurrency?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: CurrencyFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<CurrencyFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly symbol?: TextFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** A record type. Types that the gateway does not store can be named, but not written or pulled. */
export const DataModel = {
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
  /** Transactions of the general ledger, each with its postings. They are read only. */
  LEDGER_TRANSACTION: 'LEDGER_TRANSACTION',
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

export type DataModel = typeof DataModel[keyof typeof DataModel];
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

/** Input of `deleteWebhook`. */
export type DeleteWebhookInput = {
  /** Id of the webhook. */
  readonly id: number | string;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Required `etag` of the record. */
  readonly ifMatch?: string | null | undefined;
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

/** Conditions on values of the kind EmailAddress; those given must all hold. */
export type EmailAddressFilter = {
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

/** Error code; `/docs/errors` explains the meaning, cause and fix of each. */
export const ErrorCode = {
  /** No access key has this id. */
  ACCESS_KEY_NOT_FOUND: 'ACCESS_KEY_NOT_FOUND',
  /** An array in `data` needs asynchronous processing. */
  ASYNC_REQUIRED: 'ASYNC_REQUIRED',
  /** The batch holds more records than allowed. */
  BATCH_LIMIT_EXCEEDED: 'BATCH_LIMIT_EXCEEDED',
  /** No such business entity is visible to this key. */
  BUSINESS_ENTITY_NOT_FOUND: 'BUSINESS_ENTITY_NOT_FOUND',
  /** The job was cancelled. */
  CANCELLED: 'CANCELLED',
  /** No such company is visible to this key. */
  COMPANY_NOT_FOUND: 'COMPANY_NOT_FOUND',
  /** The company has no live connection to a source system. */
  CONNECTION_DISCONNECTED: 'CONNECTION_DISCONNECTED',
  /** The connection needs to be authorised again. */
  CONNECTION_EXPIRED: 'CONNECTION_EXPIRED',
  /** No such corporation is visible to this key. */
  CORPORATION_NOT_FOUND: 'CORPORATION_NOT_FOUND',
  /** `corporationTypeInfo` does not hold exactly the entry of `country`. */
  CORPORATION_TYPE_MISMATCH: 'CORPORATION_TYPE_MISMATCH',
  /** The header row has unknown, repeated or missing columns. */
  CSV_HEADER_INVALID: 'CSV_HEADER_INVALID',
  /** The feed may lack entries after this cursor, so the feed cannot continue from it. */
  CURSOR_EXPIRED: 'CURSOR_EXPIRED',
  /** The customs code does not have a form the country accepts. */
  CUSTOMS_CODE_INVALID: 'CUSTOMS_CODE_INVALID',
  /** The product has no customs code for the country. */
  CUSTOMS_CODE_NOT_FOUND: 'CUSTOMS_CODE_NOT_FOUND',
  /** The document is not in the manifest of trusted documents, and this gateway runs no other. */
  DOCUMENT_NOT_TRUSTED: 'DOCUMENT_NOT_TRUSTED',
  /** Another live product of this corporation has the sku. */
  DUPLICATE_SKU: 'DUPLICATE_SKU',
  /** No such file is visible to this key, or it has expired. */
  FILE_NOT_FOUND: 'FILE_NOT_FOUND',
  /** The uploaded file is larger than allowed. */
  FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  /** The content of the file is not of an accepted type. */
  FILE_TYPE_UNSUPPORTED: 'FILE_TYPE_UNSUPPORTED',
  /** Too many records would have to be read to find a page of the list. */
  FILTER_TOO_BROAD: 'FILTER_TOO_BROAD',
  /** The key is valid but lacks the role or right for this operation. */
  FORBIDDEN: 'FORBIDDEN',
  /** The URL and the headers of the request are larger than allowed. */
  HEADERS_TOO_LARGE: 'HEADERS_TOO_LARGE',
  /** The first request with this idempotency key is still running. */
  IDEMPOTENCY_IN_PROGRESS: 'IDEMPOTENCY_IN_PROGRESS',
  /** The idempotency key was used with another body. */
  IDEMPOTENCY_KEY_REUSED: 'IDEMPOTENCY_KEY_REUSED',
  /** No such incorporation request is visible to this key. */
  INCORPORATION_REQUEST_NOT_FOUND: 'INCORPORATION_REQUEST_NOT_FOUND',
  /** Something failed on our side; the request id leads to the details in our log. */
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  /** The cursor is damaged, or was issued for another list, order or filter. */
  INVALID_CURSOR: 'INVALID_CURSOR',
  /** The body is not JSON, or not the JSON object this operation expects. */
  INVALID_JSON: 'INVALID_JSON',
  /** A field or parameter has a wrong type, value or name. */
  INVALID_PARAMS: 'INVALID_PARAMS',
  /** The state of the record does not allow this transition. */
  INVALID_STATE_TRANSITION: 'INVALID_STATE_TRANSITION',
  /** No such job is visible to this key. */
  JOB_NOT_FOUND: 'JOB_NOT_FOUND',
  /** The job stopped reporting progress. */
  JOB_TIMEOUT: 'JOB_TIMEOUT',
  /** The signed link is older than it may be. */
  LINK_EXPIRED: 'LINK_EXPIRED',
  /** The path exists but not with this method. */
  METHOD_NOT_ALLOWED: 'METHOD_NOT_ALLOWED',
  /** A required field or parameter is absent. */
  MISSING_PARAMS: 'MISSING_PARAMS',
  /** The records of a summary are in several currencies, and amounts of different currencies have no sum. */
  MIXED_CURRENCIES: 'MIXED_CURRENCIES',
  /** The operation is not permitted for this record or content. */
  OPERATION_DENIED: 'OPERATION_DENIED',
  /** The source system cannot do this for this data model. */
  OPERATION_NOT_SUPPORTED: 'OPERATION_NOT_SUPPORTED',
  /** The caller has no sales tax partner record. */
  PARTNER_NOT_FOUND: 'PARTNER_NOT_FOUND',
  /** The body is larger than allowed. */
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  /** The gateway has no document with this hash, or no longer has it. */
  PERSISTED_QUERY_NOT_FOUND: 'PERSISTED_QUERY_NOT_FOUND',
  /** The source system rejected the request. */
  PLATFORM_DENIED: 'PLATFORM_DENIED',
  /** The source system failed or returned an unreadable response. */
  PLATFORM_ERROR: 'PLATFORM_ERROR',
  /** The source system limits the rate of requests. */
  PLATFORM_RATE_LIMIT_EXCEEDED: 'PLATFORM_RATE_LIMIT_EXCEEDED',
  /** The source system did not respond in time; a write may or may not have happened. */
  PLATFORM_TIMEOUT: 'PLATFORM_TIMEOUT',
  /** No such product is visible to this key. */
  PRODUCT_NOT_FOUND: 'PRODUCT_NOT_FOUND',
  /** The GraphQL operation is over a limit of depth, cost, selections, aliases, root fields or directives, or a filter over one of its own. */
  QUERY_TOO_COMPLEX: 'QUERY_TOO_COMPLEX',
  /** The organisation has as much as it may have. */
  QUOTA_EXCEEDED: 'QUOTA_EXCEEDED',
  /** The key, or the address without one, has used up its requests for now. */
  RATE_LIMIT_EXCEEDED: 'RATE_LIMIT_EXCEEDED',
  /** A record with this `platform_id` or unique value already exists. */
  RECORD_ALREADY_EXISTS: 'RECORD_ALREADY_EXISTS',
  /** No such record exists in this company, or it is deleted. */
  RECORD_NOT_FOUND: 'RECORD_NOT_FOUND',
  /** No registration content has this id. */
  REGISTRATION_CONTENT_NOT_FOUND: 'REGISTRATION_CONTENT_NOT_FOUND',
  /** The corporation already has a registration for this content. */
  REGISTRATION_DUPLICATE: 'REGISTRATION_DUPLICATE',
  /** The filing frequency is not one of the content entry. */
  REGISTRATION_INVALID_FREQUENCY: 'REGISTRATION_INVALID_FREQUENCY',
  /** A tax type is not allowed, or a required one is missing. */
  REGISTRATION_INVALID_TAX_TYPE: 'REGISTRATION_INVALID_TAX_TYPE',
  /** No such registration is visible to this key. */
  REGISTRATION_NOT_FOUND: 'REGISTRATION_NOT_FOUND',
  /** Another registration is needed first. */
  REGISTRATION_PREREQUISITE_MISSING: 'REGISTRATION_PREREQUISITE_MISSING',
  /** There is no operation at this path. */
  ROUTE_NOT_FOUND: 'ROUTE_NOT_FOUND',
  /** The store is not reachable or the service is stopping. */
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  /** The record changed since the version named in `If-Match`. */
  STALE_RECORD: 'STALE_RECORD',
  /** A subscription ended because its client reads more slowly than changes happen. */
  SUBSCRIBER_TOO_SLOW: 'SUBSCRIBER_TOO_SLOW',
  /** A sync of this company is running. */
  SYNC_IN_PROGRESS: 'SYNC_IN_PROGRESS',
  /** No such sync is visible to this key. */
  SYNC_NOT_FOUND: 'SYNC_NOT_FOUND',
  /** The credential is missing, unknown, expired or revoked. */
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  /** The source system rejected the request for an unknown reason. */
  UNKNOWN_ERROR: 'UNKNOWN_ERROR',
  /** The content type is not one this operation reads. */
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  /** The webhook is disabled. */
  WEBHOOK_DISABLED: 'WEBHOOK_DISABLED',
  /** No such webhook is visible to this key. */
  WEBHOOK_NOT_FOUND: 'WEBHOOK_NOT_FOUND'
} as const;

export type ErrorCode = typeof ErrorCode[keyof typeof ErrorCode];
/** Conditions on Estimate records; all must match. */
export type EstimateFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<EstimateFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: EstimateFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<EstimateFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  /** Words that must all occur in `documentNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: EstimateStatusFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** State of an estimate. */
export const EstimateStatus = {
  /** Accepted by the customer. */
  ACCEPTED: 'ACCEPTED',
  /** Converted into an order or invoice. */
  CONVERTED: 'CONVERTED',
  /** Draft, not sent yet. */
  DRAFT: 'DRAFT',
  /** No longer valid. */
  EXPIRED: 'EXPIRED',
  /** Rejected by the customer. */
  REJECTED: 'REJECTED',
  /** Sent, without a response yet. */
  SUBMITTED: 'SUBMITTED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** Cancelled; it has no effect. */
  VOID: 'VOID'
} as const;

export type EstimateStatus = typeof EstimateStatus[keyof typeof EstimateStatus];
/** Conditions on values of the kind EstimateStatus; those given must all hold. */
export type EstimateStatusFilter = {
  /** Equal to this value. */
  readonly eq?: EstimateStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<EstimateStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Event records; all must match. */
export type EventFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<EventFilter> | null | undefined;
  readonly companyId?: LedgerIdFilter | null | undefined;
  readonly dataModel?: TextFilter | null | undefined;
  readonly id?: IdFilter | null | undefined;
  readonly integrationType?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: EventFilter | null | undefined;
  readonly operation?: RecordOperationFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<EventFilter> | null | undefined;
  readonly organizationId?: TextFilter | null | undefined;
  readonly subjectId?: IdFilter | null | undefined;
  readonly test?: BooleanFilter | null | undefined;
  readonly topic?: EventTopicFilter | null | undefined;
  readonly triggeredAt?: DateTimeFilter | null | undefined;
};

/** Topic of an event. Webhook bodies and REST write it with full stops. */
export const EventTopic = {
  /** Every topic, including those of later releases; only for subscribing. Written `*` on REST. */
  ALL: 'ALL',
  /** An operator changed a registration of a business entity. */
  BUSINESS_ENTITY_REGISTRATION_UPDATED: 'BUSINESS_ENTITY_REGISTRATION_UPDATED',
  /** A run of a connection reached its source, for the first time or again. */
  CONNECTIONS_CONNECTED: 'CONNECTIONS_CONNECTED',
  /** A connection to a source system was created. */
  CONNECTIONS_CREATED: 'CONNECTIONS_CREATED',
  /** A connection ended; its credentials are destroyed. */
  CONNECTIONS_DISCONNECTED: 'CONNECTIONS_DISCONNECTED',
  /** A run of a working connection failed; the next one retries. */
  CONNECTIONS_ERROR: 'CONNECTIONS_ERROR',
  /** The holder of an expired connection link requested a new one. */
  CONNECTIONS_LINK_REQUESTED: 'CONNECTIONS_LINK_REQUESTED',
  /** The source no longer accepts the credentials of a connection. */
  CONNECTIONS_NEEDS_REAUTH: 'CONNECTIONS_NEEDS_REAUTH',
  /** The schedule of a connection was stopped on request. */
  CONNECTIONS_PAUSED: 'CONNECTIONS_PAUSED',
  /** A connection of a company was created, changed or ended. */
  CONNECTION_CHANGED: 'CONNECTION_CHANGED',
  /** A corporation was created. */
  CORPORATIONS_CREATED: 'CORPORATIONS_CREATED',
  /** A corporation was deleted. */
  CORPORATIONS_DELETED: 'CORPORATIONS_DELETED',
  /** A corporation was changed. */
  CORPORATIONS_UPDATED: 'CORPORATIONS_UPDATED',
  /** A customs code of a product was set, replaced or removed. */
  CUSTOMS_DUTY_CUSTOMS_CODE_UPDATE: 'CUSTOMS_DUTY_CUSTOMS_CODE_UPDATE',
  /** A record of a company was created, changed in substance, or deleted. */
  DATA_MODEL_CHANGES: 'DATA_MODEL_CHANGES',
  /** The company was incorporated. */
  INCORPORATION_REQUEST_COMPLETED: 'INCORPORATION_REQUEST_COMPLETED',
  /** The company could not be incorporated. */
  INCORPORATION_REQUEST_FAILED: 'INCORPORATION_REQUEST_FAILED',
  /** The holder of an expired incorporation link requested a new one. */
  INCORPORATION_REQUEST_LINK_REQUESTED: 'INCORPORATION_REQUEST_LINK_REQUESTED',
  /** An incorporation request waits for further information. */
  INCORPORATION_REQUEST_NEEDS_ADDITIONAL_INFO: 'INCORPORATION_REQUEST_NEEDS_ADDITIONAL_INFO',
  /** The form of an incorporation request was submitted. */
  INCORPORATION_REQUEST_SUBMITTED: 'INCORPORATION_REQUEST_SUBMITTED',
  /** A product was created. */
  PRODUCTS_CREATED: 'PRODUCTS_CREATED',
  /** A product was deleted. */
  PRODUCTS_DELETED: 'PRODUCTS_DELETED',
  /** A bulk upload of products ended. */
  PRODUCTS_IMPORT_COMPLETED: 'PRODUCTS_IMPORT_COMPLETED',
  /** A bulk upload of products failed or was cancelled. */
  PRODUCTS_IMPORT_FAILED: 'PRODUCTS_IMPORT_FAILED',
  /** A product was changed. */
  PRODUCTS_UPDATED: 'PRODUCTS_UPDATED',
  /** A registration was created. */
  REGISTRATIONS_CREATED: 'REGISTRATIONS_CREATED',
  /** The validation of an existing registration failed. */
  REGISTRATIONS_EXISTING_VALIDATION_FAILED: 'REGISTRATIONS_EXISTING_VALIDATION_FAILED',
  /** The validation of an existing registration succeeded. */
  REGISTRATIONS_EXISTING_VALIDATION_SUCCEEDED: 'REGISTRATIONS_EXISTING_VALIDATION_SUCCEEDED',
  /** What the sales of the companies of a corporation mean for a registration changed; compared once a day. */
  REGISTRATIONS_NEED_UPDATED: 'REGISTRATIONS_NEED_UPDATED',
  /** A new registration was rejected. */
  REGISTRATIONS_NEW_INVALID: 'REGISTRATIONS_NEW_INVALID',
  /** A new registration was granted. */
  REGISTRATIONS_NEW_SUCCEEDED: 'REGISTRATIONS_NEW_SUCCEEDED',
  /** The status of a registration changed. */
  REGISTRATIONS_STATUS_UPDATED: 'REGISTRATIONS_STATUS_UPDATED',
  /** A full run would delete many records and waits for a confirmation or the next full run. */
  SYNCS_CONFIRMATION_NEEDED: 'SYNCS_CONFIRMATION_NEEDED',
  /** A sync ended. */
  SYNC_COMPLETED: 'SYNC_COMPLETED',
  /** A sync began. */
  SYNC_STARTED: 'SYNC_STARTED',
  /** The verification of a tax id changed. */
  TAX_IDS_VERIFICATION_UPDATED: 'TAX_IDS_VERIFICATION_UPDATED',
  /** A webhook was disabled: by a caller, by a 410 response, or after five days of failed attempts. */
  WEBHOOK_DISABLED: 'WEBHOOK_DISABLED',
  /** All attempts of a webhook failed for an hour; sent once until an attempt succeeds. */
  WEBHOOK_FAILING: 'WEBHOOK_FAILING',
  /** A test event was triggered; sent to one webhook only. */
  WEBHOOK_TEST: 'WEBHOOK_TEST'
} as const;

export type EventTopic = typeof EventTopic[keyof typeof EventTopic];
/** Conditions on values of the kind EventTopic; those given must all hold. */
export type EventTopicFilter = {
  /** Equal to this value. */
  readonly eq?: EventTopic | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<EventTopic> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Expense records; all must match. */
export type ExpenseFilter = {
  readonly account?: AccountFilter | null | undefined;
  readonly accountId?: LedgerIdFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<ExpenseFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: ExpenseFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<ExpenseFilter> | null | undefined;
  readonly paymentMode?: TextFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  /** Words that must all occur in `documentNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly subTotal?: DecimalFilter | null | undefined;
  readonly taxAmount?: DecimalFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly transactionDate?: DateTimeFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
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

/** Conditions on GoodsReceiptNote records; all must match. */
export type GoodsReceiptNoteFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<GoodsReceiptNoteFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly deliveryDate?: DateTimeFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: GoodsReceiptNoteFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<GoodsReceiptNoteFilter> | null | undefined;
  readonly paymentMode?: TextFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  /** Words that must all occur in `documentNumber`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: GoodsReceiptNoteStatusFilter | null | undefined;
  readonly subTotal?: DecimalFilter | null | undefined;
  readonly taxAmount?: DecimalFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly totalDiscount?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** State of a goods receipt note. */
export const GoodsReceiptNoteStatus = {
  /** Closed: nothing more is expected. */
  CLOSED: 'CLOSED',
  /** Draft, not sent yet. */
  DRAFT: 'DRAFT',
  /** Past its due date. */
  OVERDUE: 'OVERDUE',
  /** Fully paid or used. */
  PAID: 'PAID',
  /** Partly paid or used. */
  PARTIALLY_PAID: 'PARTIALLY_PAID',
  /** Goods received. */
  RECEIVED: 'RECEIVED',
  /** Goods returned. */
  REJECTED: 'REJECTED',
  /** Sent, or awaiting payment. */
  SUBMITTED: 'SUBMITTED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** Cancelled; it has no effect. */
  VOID: 'VOID'
} as const;

export type GoodsReceiptNoteStatus = typeof GoodsReceiptNoteStatus[keyof typeof GoodsReceiptNoteStatus];
/** Conditions on values of the kind GoodsReceiptNoteStatus; those given must all hold. */
export type GoodsReceiptNoteStatusFilter = {
  /** Equal to this value. */
  readonly eq?: GoodsReceiptNoteStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<GoodsReceiptNoteStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind Id; those given must all hold. */
export type IdFilter = {
  /** Equal to this value. */
  readonly eq?: number | string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number | string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind Int; those given must all hold. */
export type IntFilter = {
  /** Equal to this value. */
  readonly eq?: number | null | undefined;
  /** Greater than this value, or after it. */
  readonly gt?: number | null | undefined;
  /** At least this value, or at or after it. */
  readonly gte?: number | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Less than this value, or before it. */
  readonly lt?: number | null | undefined;
  /** At most this value, or at or before it. */
  readonly lte?: number | null | undefined;
};

/** Conditions on InvoiceCreditNote records; all must match. */
export type InvoiceCreditNoteFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<InvoiceCreditNoteFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
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
  readonly not?: InvoiceCreditNoteFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<InvoiceCreditNoteFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  readonly remainingCredit?: DecimalFilter | null | undefined;
  /** Words that must all occur in `documentNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly shippingAmount?: DecimalFilter | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: DocumentStatusFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly totalDiscount?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
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

/** Conditions on JournalEntry records; all must match. */
export type JournalEntryFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<JournalEntryFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: JournalEntryFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<JournalEntryFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  /** Words that must all occur in `documentNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: JournalEntryStatusFilter | null | undefined;
  readonly transactionDate?: DateTimeFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Posting state of a journal entry. */
export const JournalEntryStatus = {
  /** Draft, not sent yet. */
  DRAFT: 'DRAFT',
  /** Posted to the books. */
  POSTED: 'POSTED',
  /** A state of the source without an equivalent. */
  UNKNOWN: 'UNKNOWN',
  /** Cancelled; it has no effect. */
  VOID: 'VOID'
} as const;

export type JournalEntryStatus = typeof JournalEntryStatus[keyof typeof JournalEntryStatus];
/** Conditions on values of the kind JournalEntryStatus; those given must all hold. */
export type JournalEntryStatusFilter = {
  /** Equal to this value. */
  readonly eq?: JournalEntryStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<JournalEntryStatus> | null | undefined;
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

/** Conditions on values that have names; those given must all hold. */
export type NamedValuesFilter = {
  /** Has a value of this name; with an equals sign and a value after it, has that value of this name. */
  readonly has?: string | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

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

/** Conditions on PaymentAllocation records; all must match. */
export type PaymentAllocationFilter = {
  readonly allocatedAt?: DateTimeFilter | null | undefined;
  readonly amount?: DecimalFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<PaymentAllocationFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly documentId?: LedgerIdFilter | null | undefined;
  readonly documentType?: AllocationDocumentFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: PaymentAllocationFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<PaymentAllocationFilter> | null | undefined;
  readonly payment?: PaymentFilter | null | undefined;
  readonly paymentId?: LedgerIdFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
};

/** Conditions on the PaymentAllocation records of a record. */
export type PaymentAllocationListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: PaymentAllocationFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: PaymentAllocationFilter | null | undefined;
};

/** Direction of the money of a payment. */
export const PaymentDirection = {
  /** Paid by the company, usually to a vendor. */
  MADE: 'MADE',
  /** Received by the company, usually from a customer. */
  RECEIVED: 'RECEIVED',
  /** The source does not say. */
  UNKNOWN: 'UNKNOWN'
} as const;

export type PaymentDirection = typeof PaymentDirection[keyof typeof PaymentDirection];
/** Conditions on values of the kind PaymentDirection; those given must all hold. */
export type PaymentDirectionFilter = {
  /** Equal to this value. */
  readonly eq?: PaymentDirection | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<PaymentDirection> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Payment records; all must match. */
export type PaymentFilter = {
  readonly account?: AccountFilter | null | undefined;
  readonly accountId?: LedgerIdFilter | null | undefined;
  readonly allocations?: PaymentAllocationListFilter | null | undefined;
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<PaymentFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly direction?: PaymentDirectionFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly memo?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: PaymentFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<PaymentFilter> | null | undefined;
  readonly paymentMode?: TextFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly referenceNumber?: TextFilter | null | undefined;
  /** Words that must all occur in `referenceNumber` or `memo`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly transactionDate?: DateTimeFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
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

/** Conditions on Pipeline records; all must match. */
export type PipelineFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<PipelineFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: PipelineFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<PipelineFilter> | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  /** Words that must all occur in `name`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly stages?: PipelineStageListFilter | null | undefined;
  readonly status?: UsageStatusFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Conditions on PipelineStage records; all must match. */
export type PipelineStageFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<PipelineStageFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly displayOrder?: IntFilter | null | undefined;
  readonly isClosed?: BooleanFilter | null | undefined;
  readonly isWon?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: PipelineStageFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<PipelineStageFilter> | null | undefined;
  readonly pipeline?: PipelineFilter | null | undefined;
  readonly pipelineId?: LedgerIdFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly position?: DecimalFilter | null | undefined;
  readonly probability?: DecimalFilter | null | undefined;
  /** Words that must all occur in `name`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** Conditions on the PipelineStage records of a record. */
export type PipelineStageListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: PipelineStageFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: PipelineStageFilter | null | undefined;
};

/** Conditions on Product records; all must match. */
export type ProductFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<ProductFilter> | null | undefined;
  readonly corporation?: CorporationFilter | null | undefined;
  readonly corporationId?: IdFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly id?: IdFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: ProductFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<ProductFilter> | null | undefined;
  readonly originCountry?: CountryCodeFilter | null | undefined;
  /** Words that must all occur in `name` or `sku` or `sourcePlatformId`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sku?: TextFilter | null | undefined;
  readonly sourcePlatform?: TextFilter | null | undefined;
  readonly sourcePlatformId?: TextFilter | null | undefined;
  readonly taxCode?: TextFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
  readonly volumeInLiters?: DecimalFilter | null | undefined;
  readonly weightInKg?: DecimalFilter | null | undefined;
};

/** Conditions on PurchaseOrder records; all must match. */
export type PurchaseOrderFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<PurchaseOrderFilter> | null | undefined;
  readonly company?: CompanyFilter | null | undefined;
  readonly contact?: ContactFilter | null | undefined;
  readonly contactId?: LedgerIdFilter | null | undefined;
  readonly currencyId?: CurrencyCodeFilter | null | undefined;
  readonly currencyRate?: DecimalFilter | null | undefined;
  readonly customFields?: NamedValuesFilter | null | undefined;
  readonly deliveryDate?: DateTimeFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly documentNumber?: TextFilter | null | undefined;
  readonly isTaxInclusive?: BooleanFilter | null | undefined;
  readonly ledgerCreatedAt?: DateTimeFilter | null | undefined;
  readonly ledgerDeletedAt?: DateTimeFilter | null | undefined;
  readonly ledgerId?: LedgerIdFilter | null | undefined;
  readonly ledgerIntegrationType?: TextFilter | null | undefined;
  readonly ledgerUpdatedAt?: DateTimeFilter | null | undefined;
  readonly lineItems?: LineItemListFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: PurchaseOrderFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<PurchaseOrderFilter> | null | undefined;
  readonly paymentMode?: TextFilter | null | undefined;
  readonly platformId?: TextFilter | null | undefined;
  readonly postedDate?: DateTimeFilter | null | undefined;
  /** Words that must all occur in `documentNumber`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly sourceState?: SourceStateFilter | null | undefined;
  readonly sourceStatus?: TextFilter | null | undefined;
  readonly status?: PurchaseOrderStatusFilter | null | undefined;
  readonly subTotal?: DecimalFilter | null | undefined;
  readonly taxAmount?: DecimalFilter | null | undefined;
  readonly totalAmount?: DecimalFilter | null | undefined;
  readonly totalDiscount?: DecimalFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
};

/** State of a purchase order. */
export const PurchaseOrderStatus = {
  /** Approved for ordering. */
  AUTHORIZED: 'AUTHORIZED',
  /** The bill was received. */
  BILLED: 'BILLED',
  /** Closed: nothing more is expected. */
  CLOSED: 'CLOSED',
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

export type PurchaseOrderStatus = typeof PurchaseOrderStatus[keyof typeof PurchaseOrderStatus];
/** Conditions on values of the kind PurchaseOrderStatus; those given must all hold. */
export type PurchaseOrderStatusFilter = {
  /** Equal to this value. */
  readonly eq?: PurchaseOrderStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<PurchaseOrderStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which records, by type: each member takes the filter of the lists of that type; `{}` for all of its records; together at most 32,768 characters as JSON. */
export type RecordFilters = {
  /** Which Account records. */
  readonly account?: AccountFilter | null | undefined;
  /** Which Address records. */
  readonly address?: AddressFilter | null | undefined;
  /** Which BankTransaction records. */
  readonly bankTransaction?: BankTransactionFilter | null | undefined;
  /** Which Bill records. */
  readonly bill?: BillFilter | null | undefined;
  /** Which BillCreditNote records. */
  readonly billCreditNote?: BillCreditNoteFilter | null | undefined;
  /** Which CashFlowStatement records. */
  readonly cashFlowStatement?: CashFlowStatementFilter | null | undefined;
  /** Which Contact records. */
  readonly contact?: ContactFilter | null | undefined;
  /** Which Corporation records. */
  readonly corporation?: CorporationFilter | null | undefined;
  /** Which Currency records. */
  readonly currency?: CurrencyFilter | null | undefined;
  /** Which Estimate records. */
  readonly estimate?: EstimateFilter | null | undefined;
  /** Which Expense records. */
  readonly expense?: ExpenseFilter | null | undefined;
  /** Which ExternalLink records. */
  readonly externalLink?: ExternalLinkFilter | null | undefined;
  /** Which GoodsReceiptNote records. */
  readonly goodsReceiptNote?: GoodsReceiptNoteFilter | null | undefined;
  /** Which Invoice records. */
  readonly invoice?: InvoiceFilter | null | undefined;
  /** Which InvoiceCreditNote records. */
  readonly invoiceCreditNote?: InvoiceCreditNoteFilter | null | undefined;
  /** Which Item records. */
  readonly item?: ItemFilter | null | undefined;
  /** Which JournalEntry records. */
  readonly journalEntry?: JournalEntryFilter | null | undefined;
  /** Which LineItem records. */
  readonly lineItem?: LineItemFilter | null | undefined;
  /** Which Payment records. */
  readonly payment?: PaymentFilter | null | undefined;
  /** Which PaymentAllocation records. */
  readonly paymentAllocation?: PaymentAllocationFilter | null | undefined;
  /** Which PhoneNumber records. */
  readonly phoneNumber?: PhoneNumberFilter | null | undefined;
  /** Which Pipeline records. */
  readonly pipeline?: PipelineFilter | null | undefined;
  /** Which PipelineStage records. */
  readonly pipelineStage?: PipelineStageFilter | null | undefined;
  /** Which Product records. */
  readonly product?: ProductFilter | null | undefined;
  /** Which PurchaseOrder records. */
  readonly purchaseOrder?: PurchaseOrderFilter | null | undefined;
  /** Which TaxRate records. */
  readonly taxRate?: TaxRateFilter | null | undefined;
  /** Which Variant records. */
  readonly variant?: VariantFilter | null | undefined;
};

/** Kind of a change. */
export const RecordOperation = {
  /** The record was created. */
  CREATE: 'CREATE',
  /** The record was deleted. */
  DELETE: 'DELETE',
  /** The content of the record changed. */
  UPDATE: 'UPDATE'
} as const;

export type RecordOperation = typeof RecordOperation[keyof typeof RecordOperation];
/** Conditions on values of the kind RecordOperation; those given must all hold. */
export type RecordOperationFilter = {
  /** Equal to this value. */
  readonly eq?: RecordOperation | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<RecordOperation> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Input of `replayWebhookDeliveries`. */
export type ReplayWebhookDeliveriesInput = {
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Reason, stored in the audit log. */
  readonly reason?: string | null | undefined;
  /** Deliveries queued at this time or later. */
  readonly since: string;
  /** Topics of the deliveries; default all. */
  readonly topics?: ReadonlyArray<EventTopic> | null | undefined;
  /** End of the period in which the deliveries were queued, exclusive; default now. */
  readonly until?: string | null | undefined;
  /** Id of the webhook. */
  readonly webhookId: number | string;
};

/** Input of `retryWebhookDelivery`. */
export type RetryWebhookDeliveryInput = {
  /** Id of the delivery. */
  readonly id: number | string;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Reason, stored in the audit log. */
  readonly reason?: string | null | undefined;
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

/** A test event. */
export type TriggerWebhookTestInput = {
  /** Copied into the `data` of the event; at most 64 KiB. */
  readonly eventData: Record<string, unknown>;
  /** Id of the webhook. */
  readonly id: number | string;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
};

/** Conditions on values of the kind URL; those given must all hold. */
export type UrlFilter = {
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

/** Changes of a webhook; at least one. */
export type UpdateWebhookInput = {
  /** Send only events of these companies; null for all events. */
  readonly companyIds?: ReadonlyArray<number | string> | null | undefined;
  /** Send only events of these record types; null for all events. */
  readonly dataModels?: ReadonlyArray<DataModel> | null | undefined;
  /** Free text. */
  readonly description?: string | null | undefined;
  /** Records whose events are sent, by record type, as the filters of their lists select them; null for every event. Deletions are sent for every record of these types. */
  readonly filter?: RecordFilters | null | undefined;
  /** Id of the webhook. */
  readonly id: number | string;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Required `etag` of the record. */
  readonly ifMatch?: string | null | undefined;
  /** What the webhook is for. */
  readonly name?: string | null | undefined;
  /** Signing secret of 24 to 256 printable ASCII characters: base64 after `whsec_`, otherwise used literally. The previous secret also signs for 24 hours. */
  readonly secret?: string | null | undefined;
  /** Whether events are sent; enabling clears `disabledReason`. */
  readonly status?: WebhookStatus | null | undefined;
  /** Kinds of event to send: 1 to 50 of the catalogue, or the one value for all. They include those of the integrations API: a webhook belongs to the organisation and gets the events of all its companies, unless `companyIds`, `dataModels` or `filter` narrows it. */
  readonly topics?: ReadonlyArray<EventTopic> | null | undefined;
  /** URL of the receiver: https, on the public internet. */
  readonly url?: string | null | undefined;
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

/** Conditions on WebhookAttempt records; all must match. */
export type WebhookAttemptFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<WebhookAttemptFilter> | null | undefined;
  readonly at?: DateTimeFilter | null | undefined;
  readonly delivery?: WebhookDeliveryFilter | null | undefined;
  readonly duration?: IntFilter | null | undefined;
  readonly error?: TextFilter | null | undefined;
  readonly id?: IdFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: WebhookAttemptFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<WebhookAttemptFilter> | null | undefined;
  readonly responseBody?: TextFilter | null | undefined;
  readonly status?: IntFilter | null | undefined;
};

/** Conditions on the WebhookAttempt records of a record. */
export type WebhookAttemptListFilter = {
  /** None of them matches this filter. True for an empty list. */
  readonly none?: WebhookAttemptFilter | null | undefined;
  /** At least one of them matches this filter. */
  readonly some?: WebhookAttemptFilter | null | undefined;
};

/** Conditions on WebhookDelivery records; all must match. */
export type WebhookDeliveryFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<WebhookDeliveryFilter> | null | undefined;
  readonly attempts?: WebhookAttemptListFilter | null | undefined;
  readonly attemptsLeft?: IntFilter | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly event?: EventFilter | null | undefined;
  readonly eventId?: IdFilter | null | undefined;
  readonly finishedAt?: DateTimeFilter | null | undefined;
  readonly id?: IdFilter | null | undefined;
  readonly nextAttemptAt?: DateTimeFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: WebhookDeliveryFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<WebhookDeliveryFilter> | null | undefined;
  readonly status?: WebhookDeliveryStatusFilter | null | undefined;
  readonly webhook?: WebhookFilter | null | undefined;
  readonly webhookId?: IdFilter | null | undefined;
};

/** State of a delivery. */
export const WebhookDeliveryStatus = {
  /** The webhook was disabled or deleted first. */
  CANCELLED: 'CANCELLED',
  /** The receiver responded with 2xx. */
  DELIVERED: 'DELIVERED',
  /** Every attempt failed. */
  FAILED: 'FAILED',
  /** An attempt is in progress or scheduled. */
  PENDING: 'PENDING'
} as const;

export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus[keyof typeof WebhookDeliveryStatus];
/** Conditions on values of the kind WebhookDeliveryStatus; those given must all hold. */
export type WebhookDeliveryStatusFilter = {
  /** Equal to this value. */
  readonly eq?: WebhookDeliveryStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<WebhookDeliveryStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Reason that a webhook was disabled. */
export const WebhookDisabledReason = {
  /** All attempts of five days failed. */
  FAILING: 'FAILING',
  /** The receiver responded with 410. */
  GONE: 'GONE',
  /** Disabled by a caller. */
  MANUAL: 'MANUAL'
} as const;

export type WebhookDisabledReason = typeof WebhookDisabledReason[keyof typeof WebhookDisabledReason];
/** Conditions on values of the kind WebhookDisabledReason; those given must all hold. */
export type WebhookDisabledReasonFilter = {
  /** Equal to this value. */
  readonly eq?: WebhookDisabledReason | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<WebhookDisabledReason> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on Webhook records; all must match. */
export type WebhookFilter = {
  /** Filters that must all match, 1 to 20. */
  readonly and?: ReadonlyArray<WebhookFilter> | null | undefined;
  readonly createdAt?: DateTimeFilter | null | undefined;
  readonly description?: TextFilter | null | undefined;
  readonly disabledReason?: WebhookDisabledReasonFilter | null | undefined;
  readonly id?: IdFilter | null | undefined;
  readonly name?: TextFilter | null | undefined;
  /** Filter that must not match. */
  readonly not?: WebhookFilter | null | undefined;
  /** Alternative filters, 1 to 20. */
  readonly or?: ReadonlyArray<WebhookFilter> | null | undefined;
  /** Words that must all occur in `url` or `name` or `description`; at most 10 words and 200 characters. */
  readonly search?: string | null | undefined;
  readonly status?: WebhookStatusFilter | null | undefined;
  readonly updatedAt?: DateTimeFilter | null | undefined;
  readonly url?: UrlFilter | null | undefined;
};

/** Whether events are sent. */
export const WebhookStatus = {
  /** Events are not sent. */
  DISABLED: 'DISABLED',
  /** Events are sent. */
  ENABLED: 'ENABLED'
} as const;

export type WebhookStatus = typeof WebhookStatus[keyof typeof WebhookStatus];
/** Conditions on values of the kind WebhookStatus; those given must all hold. */
export type WebhookStatusFilter = {
  /** Equal to this value. */
  readonly eq?: WebhookStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<WebhookStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

export type WebhooksQueryVariables = Exact<{
  filter?: WebhookDeliveryFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type WebhooksQuery = { readonly webhooks: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly unknownFilters: ReadonlyArray<string>, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null }> } | null, readonly webhookDeliveries: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type DeliveriesQueryVariables = Exact<{
  filter?: WebhookDeliveryFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type DeliveriesQuery = { readonly webhookDeliveries: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type WebhookFiguresQueryVariables = Exact<{
  id: number | string;
}>;


export type WebhookFiguresQuery = { readonly webhook: { readonly id: string, readonly statistics: { readonly attempts: number, readonly successRate: number | null, readonly p50: number | null, readonly p95: number | null, readonly hours: ReadonlyArray<{ readonly hour: string, readonly attempts: number, readonly successRate: number | null, readonly p50: number | null, readonly p95: number | null }> } } | null };

export type DeliveryMessageQueryVariables = Exact<{
  id: number | string;
}>;


export type DeliveryMessageQuery = { readonly node:
    | { readonly id: string, readonly event: { readonly id: string, readonly data: Record<string, unknown> } | null }
    | Record<PropertyKey, never>
   | null };

export type DeliveryChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DeliveryChangesSubscription = { readonly deliveryChanged: { readonly operation: ChangeOperation, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } | null } };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { readonly createWebhook: { readonly webhook: { readonly secret: string | null, readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly unknownFilters: ReadonlyArray<string>, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { readonly updateWebhook: { readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly unknownFilters: ReadonlyArray<string>, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type DeleteWebhookMutationVariables = Exact<{
  input: DeleteWebhookInput;
}>;


export type DeleteWebhookMutation = { readonly deleteWebhook: { readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type SendTestMutationVariables = Exact<{
  input: TriggerWebhookTestInput;
}>;


export type SendTestMutation = { readonly triggerWebhookTest: { readonly delivery: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type RetryMutationVariables = Exact<{
  input: RetryWebhookDeliveryInput;
}>;


export type RetryMutation = { readonly retryWebhookDelivery: { readonly delivery: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type ReplayMutationVariables = Exact<{
  input: ReplayWebhookDeliveriesInput;
}>;


export type ReplayMutation = { readonly replayWebhookDeliveries: { readonly queued: number | null, readonly remaining: number | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type WebhookCardFragment = { readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly unknownFilters: ReadonlyArray<string>, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null };

export type DeliveryPageFragment = { readonly webhookDeliveries: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type DeliveryRowFragment = { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> };

export type IssueFragment = { readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string };

export const WebhookCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"unknownFilters"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}}]} as unknown as DocumentNode<WebhookCardFragment, unknown>;
export const DeliveryRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<DeliveryRowFragment, unknown>;
export const DeliveryPageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<DeliveryPageFragment, unknown>;
export const IssueFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<IssueFragment, unknown>;
export const WebhooksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Webhooks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"16"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookCard"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryPage"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"unknownFilters"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<WebhooksQuery, WebhooksQueryVariables>;
export const DeliveriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Deliveries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryPage"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<DeliveriesQuery, DeliveriesQueryVariables>;
export const WebhookFiguresDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WebhookFigures"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"successRate"}},{"kind":"Field","name":{"kind":"Name","value":"p50"}},{"kind":"Field","name":{"kind":"Name","value":"p95"}},{"kind":"Field","name":{"kind":"Name","value":"hours"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hour"}},{"kind":"Field","name":{"kind":"Name","value":"attempts"}},{"kind":"Field","name":{"kind":"Name","value":"successRate"}},{"kind":"Field","name":{"kind":"Name","value":"p50"}},{"kind":"Field","name":{"kind":"Name","value":"p95"}}]}}]}}]}}]}}]} as unknown as DocumentNode<WebhookFiguresQuery, WebhookFiguresQueryVariables>;
export const DeliveryMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DeliveryMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"data"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DeliveryMessageQuery, DeliveryMessageQueryVariables>;
export const DeliveryChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DeliveryChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deliveryChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<DeliveryChangesSubscription, DeliveryChangesSubscriptionVariables>;
export const CreateWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookCard"}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"unknownFilters"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const UpdateWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"unknownFilters"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const DeleteWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const SendTestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendTest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TriggerWebhookTestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"triggerWebhookTest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivery"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<SendTestMutation, SendTestMutationVariables>;
export const RetryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Retry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RetryWebhookDeliveryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryWebhookDelivery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivery"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<RetryMutation, RetryMutationVariables>;
export const ReplayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Replay"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReplayWebhookDeliveriesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayWebhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<ReplayMutation, ReplayMutationVariables>;
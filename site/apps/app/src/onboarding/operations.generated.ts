/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A corporation to create. */
export type CreateCorporationInput = {
  /** Registered address. */
  readonly address?: RegisteredAddressInput | null | undefined;
  /** Companies of the organisation whose invoices are the sales of the corporation, at most 100. Naming one takes the role INTEGRATIONS as well, because callers of the platform then see its sales by jurisdiction. */
  readonly companyIds?: ReadonlyArray<number | string> | null | undefined;
  /** Email address of a contact person. */
  readonly contactEmail?: string | null | undefined;
  /** Local part of the email address for authorities: up to 64 of a-z, 0-9 and hyphen; unique. */
  readonly emailAlias?: string | null | undefined;
  /** Legal form: a value of EntityForm such as C_CORP, or an ISO 20275 code such as 2HBR. Input may also be a local abbreviation such as "GmbH". */
  readonly entityType?: string | null | undefined;
  /** Your own unique key, at most 128 characters. */
  readonly externalId?: string | null | undefined;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Country of registration, two letters (ISO 3166-1). */
  readonly jurisdiction: string;
  /** Registered name with its legal suffix, up to 255 characters. */
  readonly legalName: string;
  /** Subdivision of formation: the suffix of an ISO 3166-2 code. */
  readonly state?: string | null | undefined;
  /** Tax ids of the corporation, one per kind. */
  readonly taxIds?: ReadonlyArray<TaxIdInput> | null | undefined;
  /** Web address, http or https. */
  readonly website?: string | null | undefined;
};

/** Input of `createFile`. */
export type CreateFileInput = {
  /** Content of the file. */
  readonly content: Blob;
  /** Corporation that owns the file. */
  readonly corporationId?: number | string | null | undefined;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** File name; on REST, the name of the uploaded file. */
  readonly name?: string | null | undefined;
  /** Purpose of the file; default PRODUCT_IMPORT. */
  readonly purpose?: FilePurpose | null | undefined;
};

/** A registration to record or to obtain. */
export type CreateRegistrationInput = {
  /** Registered corporation. */
  readonly corporationId: number | string;
  /** Reference to a login stored elsewhere. */
  readonly credentialId?: string | null | undefined;
  /** Last day of effect; after the first. */
  readonly effectiveEndDate?: string | null | undefined;
  /** First day of effect, at most a year ahead; required for EXISTING. */
  readonly effectiveStartDate?: string | null | undefined;
  /** Filing frequency, one of those in the content entry. */
  readonly frequency?: string | null | undefined;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Answers to the `inputFields` of the content entry, by key. */
  readonly inputValues?: Record<string, unknown> | null | undefined;
  /** Reference to the portal of the authority. */
  readonly portalId?: string | null | undefined;
  /** Party that makes the registration. */
  readonly registeredBy?: RegisteredBy;
  /** Content id from `registrationInputOptions`. */
  readonly registrationContentId: number | string;
  /** Whether it already exists at the authority. */
  readonly registrationType?: RegistrationType;
  /** Number that the authority assigned. */
  readonly taxRegistrationId?: string | null | undefined;
  /** Tax types of the content entry. Optional only below state level. */
  readonly taxTypes?: ReadonlyArray<string> | null | undefined;
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
/** Purpose of a file. */
export const FilePurpose = {
  /** Attached to documents of a company, such as invoices; removed with the last of them. */
  ATTACHMENT: 'ATTACHMENT',
  /** A CSV file of products to import. */
  PRODUCT_IMPORT: 'PRODUCT_IMPORT',
  /** A document that supports a registration or an application. */
  SUPPORTING_DOCUMENT: 'SUPPORTING_DOCUMENT'
} as const;

export type FilePurpose = typeof FilePurpose[keyof typeof FilePurpose];
/** Kind of answer to a question. */
export const InputFieldType = {
  /** True or false. */
  BOOLEAN: 'BOOLEAN',
  /** A calendar date. */
  DATE: 'DATE',
  /** An email address. */
  EMAIL: 'EMAIL',
  /** A whole number. */
  INTEGER: 'INTEGER',
  /** Text of several lines. */
  LONGTEXT: 'LONGTEXT',
  /** One of the options. */
  SELECT: 'SELECT',
  /** One line of text. */
  TEXT: 'TEXT',
  /** A web address. */
  URL: 'URL'
} as const;

export type InputFieldType = typeof InputFieldType[keyof typeof InputFieldType];
/** Registered address of a corporation; lines of at most 255 characters. */
export type RegisteredAddressInput = {
  /** First line of the address. */
  readonly addressLine1: string;
  /** Second line of the address. */
  readonly addressLine2?: string | null | undefined;
  /** City or town. */
  readonly city?: string | null | undefined;
  /** Country, two letters (ISO 3166-1). */
  readonly country: string;
  /** Postal or ZIP code. */
  readonly postalCode?: string | null | undefined;
  /** State or province. */
  readonly state?: string | null | undefined;
};

/** Party that made a registration. */
export const RegisteredBy = {
  /** A client of this API. */
  API: 'API',
  /** The operator of the gateway. */
  PLATFORM: 'PLATFORM',
  /** A third party on behalf of the company. */
  THIRD_PARTY: 'THIRD_PARTY',
  /** A person through another application. */
  USER: 'USER'
} as const;

export type RegisteredBy = typeof RegisteredBy[keyof typeof RegisteredBy];
/** Status of a registration at the authority. */
export const RegistrationStatus = {
  /** Ended. */
  CLOSED: 'CLOSED',
  /** Requested, not started. */
  PENDING: 'PENDING',
  /** In force. */
  REGISTERED: 'REGISTERED',
  /** Applied for at the authority. */
  REGISTRATION_IN_PROGRESS: 'REGISTRATION_IN_PROGRESS',
  /** Rejected by the authority. */
  REJECTED: 'REJECTED',
  /** Takes effect on a future day. */
  SCHEDULED: 'SCHEDULED'
} as const;

export type RegistrationStatus = typeof RegistrationStatus[keyof typeof RegistrationStatus];
/** Whether the registration already exists at the authority. */
export const RegistrationType = {
  /** It exists and is recorded here. */
  EXISTING: 'EXISTING',
  /** It must be obtained from the authority. */
  NEW: 'NEW'
} as const;

export type RegistrationType = typeof RegistrationType[keyof typeof RegistrationType];
/** Kind of indirect tax. */
export const SalesTaxType = {
  /** District transaction tax. */
  DTT: 'DTT',
  /** General excise tax. */
  GET: 'GET',
  /** Gross receipts tax. */
  GRT: 'GRT',
  /** Goods and services tax. */
  GST: 'GST',
  /** Harmonised sales tax. */
  HST: 'HST',
  /** Japanese consumption tax. */
  JCT: 'JCT',
  /** Provincial sales tax. */
  PST: 'PST',
  /** Quebec sales tax. */
  QST: 'QST',
  /** Retail sales tax. */
  RST: 'RST',
  /** Retailers use tax. */
  RUT: 'RUT',
  /** Streamlined sales tax. */
  SST: 'SST',
  /** Simplified sellers use tax. */
  SSUT: 'SSUT',
  /** Sales and use tax. */
  SUT: 'SUT',
  /** Transaction privilege tax. */
  TPT: 'TPT',
  /** Value added tax. */
  VAT: 'VAT',
  /** Vendor use tax. */
  VUT: 'VUT'
} as const;

export type SalesTaxType = typeof SalesTaxType[keyof typeof SalesTaxType];
/** A number that a government assigned to a corporation. */
export type TaxIdInput = {
  /** Kind of number, such as US_EIN; one number per kind. */
  readonly type: string;
  /** The number, checked for its format and, if any, its check digits. */
  readonly value: string;
};

/** Fields of a corporation to change; null clears optional ones. */
export type UpdateCorporationInput = {
  /** Registered address. */
  readonly address?: RegisteredAddressInput | null | undefined;
  /** The companies whose invoices are the sales of the corporation; null for none. */
  readonly companyIds?: ReadonlyArray<number | string> | null | undefined;
  /** Email address of a contact person. */
  readonly contactEmail?: string | null | undefined;
  /** Local part of the email address for authorities: up to 64 of a-z, 0-9 and hyphen; unique. */
  readonly emailAlias?: string | null | undefined;
  /** Legal form: a value of EntityForm such as C_CORP, or an ISO 20275 code such as 2HBR. Input may also be a local abbreviation such as "GmbH". */
  readonly entityType?: string | null | undefined;
  /** Your own unique key, at most 128 characters. */
  readonly externalId?: string | null | undefined;
  /** Id of the corporation. */
  readonly id: number | string;
  /** Idempotency key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Required `etag` of the record. */
  readonly ifMatch?: string | null | undefined;
  /** Country of registration, two letters (ISO 3166-1). */
  readonly jurisdiction?: string | null | undefined;
  /** Registered name with its legal suffix, up to 255 characters. */
  readonly legalName?: string | null | undefined;
  /** Subdivision of formation: the suffix of an ISO 3166-2 code. */
  readonly state?: string | null | undefined;
  /** Tax ids of the corporation, one per kind. */
  readonly taxIds?: ReadonlyArray<TaxIdInput> | null | undefined;
  /** Web address, http or https. */
  readonly website?: string | null | undefined;
};

export type OnboardingQueryVariables = Exact<{
  country: string;
  state?: string | null | undefined;
  hasCountry: boolean;
}>;


export type OnboardingQuery = { readonly corporations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly etag: string, readonly legalName: string, readonly jurisdiction: string, readonly state: string | null, readonly entityType: string | null, readonly contactEmail: string | null, readonly website: string | null, readonly taxIds: ReadonlyArray<{ readonly type: string, readonly value: string }>, readonly address: { readonly addressLine1: string, readonly addressLine2: string | null, readonly city: string | null, readonly state: string | null, readonly postalCode: string | null, readonly country: string } | null, readonly registrations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly jurisdictionName: string, readonly taxTypes: ReadonlyArray<SalesTaxType> | null, readonly taxRegistrationId: string | null, readonly effectiveStartDate: string | null, readonly registrationStatus: RegistrationStatus }> } | null, readonly files: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly size: number, readonly mimeType: string }> } | null }> } | null, readonly countries: ReadonlyArray<{ readonly alpha2: string, readonly name: string, readonly commonName: string | null }> | null } & { readonly subdivisions?: ReadonlyArray<{ readonly code: string, readonly name: string }> | null, readonly entityForms?: ReadonlyArray<{ readonly code: string, readonly name: string, readonly abbreviation: string | null }> | null, readonly taxIdKinds?: ReadonlyArray<{ readonly type: string, readonly name: string, readonly shortName: string, readonly example: string }> | null };

export type ChoicesQueryVariables = Exact<{
  country: string;
  state?: string | null | undefined;
}>;


export type ChoicesQuery = { readonly subdivisions: ReadonlyArray<{ readonly code: string, readonly name: string }> | null, readonly entityForms: ReadonlyArray<{ readonly code: string, readonly name: string, readonly abbreviation: string | null }> | null, readonly taxIdKinds: ReadonlyArray<{ readonly type: string, readonly name: string, readonly shortName: string, readonly example: string }> | null };

export type BeginMutationVariables = Exact<{
  input: CreateCorporationInput;
}>;


export type BeginMutation = { readonly createCorporation: { readonly corporation: { readonly id: string, readonly etag: string, readonly legalName: string, readonly jurisdiction: string, readonly state: string | null, readonly entityType: string | null, readonly contactEmail: string | null, readonly website: string | null, readonly taxIds: ReadonlyArray<{ readonly type: string, readonly value: string }>, readonly address: { readonly addressLine1: string, readonly addressLine2: string | null, readonly city: string | null, readonly state: string | null, readonly postalCode: string | null, readonly country: string } | null, readonly registrations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly jurisdictionName: string, readonly taxTypes: ReadonlyArray<SalesTaxType> | null, readonly taxRegistrationId: string | null, readonly effectiveStartDate: string | null, readonly registrationStatus: RegistrationStatus }> } | null, readonly files: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly size: number, readonly mimeType: string }> } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type SaveMutationVariables = Exact<{
  input: UpdateCorporationInput;
}>;


export type SaveMutation = { readonly updateCorporation: { readonly corporation: { readonly id: string, readonly etag: string, readonly legalName: string, readonly jurisdiction: string, readonly state: string | null, readonly entityType: string | null, readonly contactEmail: string | null, readonly website: string | null, readonly taxIds: ReadonlyArray<{ readonly type: string, readonly value: string }>, readonly address: { readonly addressLine1: string, readonly addressLine2: string | null, readonly city: string | null, readonly state: string | null, readonly postalCode: string | null, readonly country: string } | null, readonly registrations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly jurisdictionName: string, readonly taxTypes: ReadonlyArray<SalesTaxType> | null, readonly taxRegistrationId: string | null, readonly effectiveStartDate: string | null, readonly registrationStatus: RegistrationStatus }> } | null, readonly files: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly size: number, readonly mimeType: string }> } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type AddDocumentMutationVariables = Exact<{
  input: CreateFileInput;
}>;


export type AddDocumentMutation = { readonly createFile: { readonly file: { readonly id: string, readonly name: string, readonly size: number, readonly mimeType: string, readonly corporation: { readonly id: string, readonly files: { readonly nodes: ReadonlyArray<{ readonly id: string }> } | null } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type PlacesQueryVariables = Exact<{
  country: string;
}>;


export type PlacesQuery = { readonly registrationJurisdictions: { readonly jurisdictions: ReadonlyArray<{ readonly jurisdictionId: string, readonly name: string }> } | null };

export type OffersQueryVariables = Exact<{
  place: number | string;
}>;


export type OffersQuery = { readonly registrationInputOptions: { readonly options: ReadonlyArray<{ readonly jurisdictionId: string, readonly registrations: ReadonlyArray<{ readonly registrationContentId: string, readonly name: string, readonly taxType: SalesTaxType, readonly inputFields: ReadonlyArray<{ readonly key: string, readonly name: string, readonly type: InputFieldType, readonly required: boolean, readonly options: ReadonlyArray<string>, readonly dependsOn: { readonly field: string, readonly value: unknown } | null }> }> }> } | null };

export type AddRegistrationMutationVariables = Exact<{
  input: CreateRegistrationInput;
}>;


export type AddRegistrationMutation = { readonly createRegistration: { readonly registration: { readonly id: string, readonly jurisdictionName: string, readonly taxTypes: ReadonlyArray<SalesTaxType> | null, readonly taxRegistrationId: string | null, readonly effectiveStartDate: string | null, readonly registrationStatus: RegistrationStatus, readonly corporation: { readonly id: string, readonly registrations: { readonly nodes: ReadonlyArray<{ readonly id: string }> } | null } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type CountryChoicesFragment = { readonly subdivisions: ReadonlyArray<{ readonly code: string, readonly name: string }> | null, readonly entityForms: ReadonlyArray<{ readonly code: string, readonly name: string, readonly abbreviation: string | null }> | null, readonly taxIdKinds: ReadonlyArray<{ readonly type: string, readonly name: string, readonly shortName: string, readonly example: string }> | null };

export type CorporationDraftFragment = { readonly id: string, readonly etag: string, readonly legalName: string, readonly jurisdiction: string, readonly state: string | null, readonly entityType: string | null, readonly contactEmail: string | null, readonly website: string | null, readonly taxIds: ReadonlyArray<{ readonly type: string, readonly value: string }>, readonly address: { readonly addressLine1: string, readonly addressLine2: string | null, readonly city: string | null, readonly state: string | null, readonly postalCode: string | null, readonly country: string } | null, readonly registrations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly jurisdictionName: string, readonly taxTypes: ReadonlyArray<SalesTaxType> | null, readonly taxRegistrationId: string | null, readonly effectiveStartDate: string | null, readonly registrationStatus: RegistrationStatus }> } | null, readonly files: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly size: number, readonly mimeType: string }> } | null };

export type RegistrationRowFragment = { readonly id: string, readonly jurisdictionName: string, readonly taxTypes: ReadonlyArray<SalesTaxType> | null, readonly taxRegistrationId: string | null, readonly effectiveStartDate: string | null, readonly registrationStatus: RegistrationStatus };

export type DocumentFragment = { readonly id: string, readonly name: string, readonly size: number, readonly mimeType: string };

export type IssueFragment = { readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string };

export const CountryChoicesFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CountryChoices"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subdivisions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entityForms"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}},{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"Variable","name":{"kind":"Name","value":"state"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"abbreviation"}}]}},{"kind":"Field","name":{"kind":"Name","value":"taxIdKinds"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"shortName"}},{"kind":"Field","name":{"kind":"Name","value":"example"}}]}}]}}]} as unknown as DocumentNode<CountryChoicesFragment, unknown>;
export const RegistrationRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RegistrationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Registration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionName"}},{"kind":"Field","name":{"kind":"Name","value":"taxTypes"}},{"kind":"Field","name":{"kind":"Name","value":"taxRegistrationId"}},{"kind":"Field","name":{"kind":"Name","value":"effectiveStartDate"}},{"kind":"Field","name":{"kind":"Name","value":"registrationStatus"}}]}}]} as unknown as DocumentNode<RegistrationRowFragment, unknown>;
export const DocumentFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Document"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}}]}}]} as unknown as DocumentNode<DocumentFragment, unknown>;
export const CorporationDraftFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorporationDraft"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Corporation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"etag"}},{"kind":"Field","name":{"kind":"Name","value":"legalName"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdiction"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"contactEmail"}},{"kind":"Field","name":{"kind":"Name","value":"website"}},{"kind":"Field","name":{"kind":"Name","value":"taxIds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addressLine1"}},{"kind":"Field","name":{"kind":"Name","value":"addressLine2"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"postalCode"}},{"kind":"Field","name":{"kind":"Name","value":"country"}}]}},{"kind":"Field","name":{"kind":"Name","value":"registrations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RegistrationRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Document"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RegistrationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Registration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionName"}},{"kind":"Field","name":{"kind":"Name","value":"taxTypes"}},{"kind":"Field","name":{"kind":"Name","value":"taxRegistrationId"}},{"kind":"Field","name":{"kind":"Name","value":"effectiveStartDate"}},{"kind":"Field","name":{"kind":"Name","value":"registrationStatus"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Document"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}}]}}]} as unknown as DocumentNode<CorporationDraftFragment, unknown>;
export const IssueFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<IssueFragment, unknown>;
export const OnboardingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Onboarding"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"country"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CountryCode"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"state"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"hasCountry"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"corporations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"CREATED_AT"}},{"kind":"ObjectField","name":{"kind":"Name","value":"direction"},"value":{"kind":"EnumValue","value":"DESC"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CorporationDraft"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"countries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alpha2"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"commonName"}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"CountryChoices"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"hasCountry"}}}]}]}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RegistrationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Registration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionName"}},{"kind":"Field","name":{"kind":"Name","value":"taxTypes"}},{"kind":"Field","name":{"kind":"Name","value":"taxRegistrationId"}},{"kind":"Field","name":{"kind":"Name","value":"effectiveStartDate"}},{"kind":"Field","name":{"kind":"Name","value":"registrationStatus"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Document"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorporationDraft"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Corporation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"etag"}},{"kind":"Field","name":{"kind":"Name","value":"legalName"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdiction"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"contactEmail"}},{"kind":"Field","name":{"kind":"Name","value":"website"}},{"kind":"Field","name":{"kind":"Name","value":"taxIds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addressLine1"}},{"kind":"Field","name":{"kind":"Name","value":"addressLine2"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"postalCode"}},{"kind":"Field","name":{"kind":"Name","value":"country"}}]}},{"kind":"Field","name":{"kind":"Name","value":"registrations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RegistrationRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Document"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CountryChoices"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subdivisions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entityForms"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}},{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"Variable","name":{"kind":"Name","value":"state"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"abbreviation"}}]}},{"kind":"Field","name":{"kind":"Name","value":"taxIdKinds"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"shortName"}},{"kind":"Field","name":{"kind":"Name","value":"example"}}]}}]}}]} as unknown as DocumentNode<OnboardingQuery, OnboardingQueryVariables>;
export const ChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Choices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"country"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CountryCode"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"state"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CountryChoices"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CountryChoices"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subdivisions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"entityForms"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}},{"kind":"Argument","name":{"kind":"Name","value":"state"},"value":{"kind":"Variable","name":{"kind":"Name","value":"state"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"abbreviation"}}]}},{"kind":"Field","name":{"kind":"Name","value":"taxIdKinds"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"country"},"value":{"kind":"Variable","name":{"kind":"Name","value":"country"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"shortName"}},{"kind":"Field","name":{"kind":"Name","value":"example"}}]}}]}}]} as unknown as DocumentNode<ChoicesQuery, ChoicesQueryVariables>;
export const BeginDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Begin"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateCorporationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createCorporation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"corporation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CorporationDraft"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RegistrationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Registration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionName"}},{"kind":"Field","name":{"kind":"Name","value":"taxTypes"}},{"kind":"Field","name":{"kind":"Name","value":"taxRegistrationId"}},{"kind":"Field","name":{"kind":"Name","value":"effectiveStartDate"}},{"kind":"Field","name":{"kind":"Name","value":"registrationStatus"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Document"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorporationDraft"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Corporation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"etag"}},{"kind":"Field","name":{"kind":"Name","value":"legalName"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdiction"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"contactEmail"}},{"kind":"Field","name":{"kind":"Name","value":"website"}},{"kind":"Field","name":{"kind":"Name","value":"taxIds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addressLine1"}},{"kind":"Field","name":{"kind":"Name","value":"addressLine2"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"postalCode"}},{"kind":"Field","name":{"kind":"Name","value":"country"}}]}},{"kind":"Field","name":{"kind":"Name","value":"registrations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RegistrationRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Document"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<BeginMutation, BeginMutationVariables>;
export const SaveDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Save"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateCorporationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateCorporation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"corporation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CorporationDraft"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RegistrationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Registration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionName"}},{"kind":"Field","name":{"kind":"Name","value":"taxTypes"}},{"kind":"Field","name":{"kind":"Name","value":"taxRegistrationId"}},{"kind":"Field","name":{"kind":"Name","value":"effectiveStartDate"}},{"kind":"Field","name":{"kind":"Name","value":"registrationStatus"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Document"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CorporationDraft"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Corporation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"etag"}},{"kind":"Field","name":{"kind":"Name","value":"legalName"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdiction"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"contactEmail"}},{"kind":"Field","name":{"kind":"Name","value":"website"}},{"kind":"Field","name":{"kind":"Name","value":"taxIds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"address"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addressLine1"}},{"kind":"Field","name":{"kind":"Name","value":"addressLine2"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"postalCode"}},{"kind":"Field","name":{"kind":"Name","value":"country"}}]}},{"kind":"Field","name":{"kind":"Name","value":"registrations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RegistrationRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"files"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Document"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<SaveMutation, SaveMutationVariables>;
export const AddDocumentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddDocument"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateFileInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"file"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Document"}},{"kind":"Field","name":{"kind":"Name","value":"corporation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Document"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StoredFile"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"mimeType"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<AddDocumentMutation, AddDocumentMutationVariables>;
export const PlacesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Places"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"country"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CountryCode"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registrationJurisdictions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"filters"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"countries"},"value":{"kind":"ListValue","values":[{"kind":"Variable","name":{"kind":"Name","value":"country"}}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"jurisdictions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"jurisdictionId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<PlacesQuery, PlacesQueryVariables>;
export const OffersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Offers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"place"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registrationInputOptions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"filters"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"jurisdictionIds"},"value":{"kind":"ListValue","values":[{"kind":"Variable","name":{"kind":"Name","value":"place"}}]}}]}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"options"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"jurisdictionId"}},{"kind":"Field","name":{"kind":"Name","value":"registrations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registrationContentId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"taxType"}},{"kind":"Field","name":{"kind":"Name","value":"inputFields"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"options"}},{"kind":"Field","name":{"kind":"Name","value":"dependsOn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<OffersQuery, OffersQueryVariables>;
export const AddRegistrationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddRegistration"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateRegistrationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createRegistration"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registration"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RegistrationRow"}},{"kind":"Field","name":{"kind":"Name","value":"corporation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"registrations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RegistrationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Registration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionName"}},{"kind":"Field","name":{"kind":"Name","value":"taxTypes"}},{"kind":"Field","name":{"kind":"Name","value":"taxRegistrationId"}},{"kind":"Field","name":{"kind":"Name","value":"effectiveStartDate"}},{"kind":"Field","name":{"kind":"Name","value":"registrationStatus"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<AddRegistrationMutation, AddRegistrationMutationVariables>;
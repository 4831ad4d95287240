/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Conditions on values of the kind `Boolean`; those given must all hold. */
export type BooleanFilter = {
  /** Equal to this value. */
  readonly eq?: boolean | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<boolean> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** What happened to a record. */
export const ChangeOperation = {
  /** It is new. */
  CREATED: 'CREATED',
  /** It was deleted. */
  DELETED: 'DELETED',
  /** It changed. */
  UPDATED: 'UPDATED'
} as const;

export type ChangeOperation = typeof ChangeOperation[keyof typeof ChangeOperation];
/** A webhook to register. */
export type CreateWebhookInput = {
  /** Version of the payload; only `v1.0`. */
  readonly apiVersion?: string | null | undefined;
  /** Companies whose events are sent, without those of no company; null for every event. */
  readonly companyIds?: ReadonlyArray<number | string> | null | undefined;
  /** Record types whose events are sent, without those of no record type; null for every event. */
  readonly dataModels?: ReadonlyArray<DataModel> | null | undefined;
  /** Free text. */
  readonly description?: string | null | undefined;
  /** The header `Idempotency-Key` as a member, of 1 to 128 printable ASCII characters: a retry with it gets the first answer again. */
  readonly idempotencyKey?: string | null | undefined;
  /** What the webhook is for. */
  readonly name?: string | null | undefined;
  /** Signing secret of 24 to 256 printable ASCII characters; base64 after `whsec_`, otherwise used as it is written. When absent, one is generated and shown once, in the answer. */
  readonly secret?: string | null | undefined;
  /** Whether events are sent. */
  readonly status?: WebhookStatus | null | undefined;
  /** Kinds of event to send: 1 to 50 of the catalogue, or the one value for all. They include those of the integrations API: a webhook belongs to the organisation and gets the events of all its companies, unless `companyIds` names some. */
  readonly topics: ReadonlyArray<EventTopic>;
  /** Address the events are sent to: https, on the public internet. */
  readonly url: string;
};

/** A record type. Types that are not stored here can be named, but neither written nor pulled. */
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

export type DataModel = typeof DataModel[keyof typeof DataModel];
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

/** Input of `deleteWebhook`. */
export type DeleteWebhookInput = {
  /** Id of the webhook. */
  readonly id: string;
  /** The header `Idempotency-Key` as a member, of 1 to 128 printable ASCII characters: a retry with it gets the first answer again. */
  readonly idempotencyKey?: string | null | undefined;
  /** Write only if the record is still this version, given as its `etag`; `*` matches any version. STALE_RECORD otherwise. */
  readonly ifMatch?: string | null | undefined;
};

/** Code of an error; `/docs/errors` says what each means, its usual cause and its fix. */
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
  /** The feed may lack entries after this cursor, so it does not go on from it. */
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
  /** The gateway does not know a document of this hash, or no longer. */
  PERSISTED_QUERY_NOT_FOUND: 'PERSISTED_QUERY_NOT_FOUND',
  /** The source system refused the request. */
  PLATFORM_DENIED: 'PLATFORM_DENIED',
  /** The source system failed or returned an unreadable answer. */
  PLATFORM_ERROR: 'PLATFORM_ERROR',
  /** The source system limits the rate of requests. */
  PLATFORM_RATE_LIMIT_EXCEEDED: 'PLATFORM_RATE_LIMIT_EXCEEDED',
  /** The source system did not answer in time; a write may or may not have happened. */
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
  /** No operation is served at this path. */
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
  /** The source system refused for an unknown reason. */
  UNKNOWN_ERROR: 'UNKNOWN_ERROR',
  /** The content type is not one this operation reads. */
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  /** The webhook is disabled. */
  WEBHOOK_DISABLED: 'WEBHOOK_DISABLED',
  /** No such webhook is visible to this key. */
  WEBHOOK_NOT_FOUND: 'WEBHOOK_NOT_FOUND'
} as const;

export type ErrorCode = typeof ErrorCode[keyof typeof ErrorCode];
/** Which Event records a list returns; conditions that stand beside each other must all hold. */
export type EventFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<EventFilter> | null | undefined;
  /** Condition on `companyId`. */
  readonly companyId?: LedgerIdFilter | null | undefined;
  /** Condition on `dataModel`. */
  readonly dataModel?: TextFilter | null | undefined;
  /** Condition on `id`. */
  readonly id?: IdFilter | null | undefined;
  /** Condition on `integrationType`. */
  readonly integrationType?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: EventFilter | null | undefined;
  /** Condition on `operation`. */
  readonly operation?: RecordOperationFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<EventFilter> | null | undefined;
  /** Condition on `organizationId`. */
  readonly organizationId?: TextFilter | null | undefined;
  /** Condition on `subjectId`. */
  readonly subjectId?: IdFilter | null | undefined;
  /** Condition on `test`. */
  readonly test?: BooleanFilter | null | undefined;
  /** Condition on `topic`. */
  readonly topic?: EventTopicFilter | null | undefined;
  /** Condition on `triggeredAt`. */
  readonly triggeredAt?: DateTimeFilter | null | undefined;
};

/** A kind of event. Webhook bodies and REST write it with full stops. */
export const EventTopic = {
  /** Every topic, those of later releases included; only for subscribing. Written `*` on REST. */
  ALL: 'ALL',
  /** An operator changed a registration of a business entity. */
  BUSINESS_ENTITY_REGISTRATION_UPDATED: 'BUSINESS_ENTITY_REGISTRATION_UPDATED',
  /** A run of a connection reached its source, for the first time or again. */
  CONNECTIONS_CONNECTED: 'CONNECTIONS_CONNECTED',
  /** A connection to a source system was made. */
  CONNECTIONS_CREATED: 'CONNECTIONS_CREATED',
  /** A connection ended; its credentials are destroyed. */
  CONNECTIONS_DISCONNECTED: 'CONNECTIONS_DISCONNECTED',
  /** A run of a connection that had worked failed; the next one tries again. */
  CONNECTIONS_ERROR: 'CONNECTIONS_ERROR',
  /** The link of a connection has expired, and the person who has it asks for a new one. */
  CONNECTIONS_LINK_REQUESTED: 'CONNECTIONS_LINK_REQUESTED',
  /** The source does not accept the credentials of a connection any more. */
  CONNECTIONS_NEEDS_REAUTH: 'CONNECTIONS_NEEDS_REAUTH',
  /** The schedule of a connection was stopped on request. */
  CONNECTIONS_PAUSED: 'CONNECTIONS_PAUSED',
  /** A connection of a company was made, changed or ended. */
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
  /** The link of an open incorporation request has expired, and the person who has it asks for a new one. */
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
  /** A bulk upload of products could not be carried out, or was cancelled. */
  PRODUCTS_IMPORT_FAILED: 'PRODUCTS_IMPORT_FAILED',
  /** A product was changed. */
  PRODUCTS_UPDATED: 'PRODUCTS_UPDATED',
  /** A registration record was made. */
  REGISTRATIONS_CREATED: 'REGISTRATIONS_CREATED',
  /** The validation of an existing registration failed. */
  REGISTRATIONS_EXISTING_VALIDATION_FAILED: 'REGISTRATIONS_EXISTING_VALIDATION_FAILED',
  /** The validation of an existing registration ended well. */
  REGISTRATIONS_EXISTING_VALIDATION_SUCCEEDED: 'REGISTRATIONS_EXISTING_VALIDATION_SUCCEEDED',
  /** A new registration was refused. */
  REGISTRATIONS_NEW_INVALID: 'REGISTRATIONS_NEW_INVALID',
  /** A new registration was granted. */
  REGISTRATIONS_NEW_SUCCEEDED: 'REGISTRATIONS_NEW_SUCCEEDED',
  /** The status of a registration changed. */
  REGISTRATIONS_STATUS_UPDATED: 'REGISTRATIONS_STATUS_UPDATED',
  /** A full run would delete many records, and waits for a confirmation or for the next full run. */
  SYNCS_CONFIRMATION_NEEDED: 'SYNCS_CONFIRMATION_NEEDED',
  /** A sync ended. */
  SYNC_COMPLETED: 'SYNC_COMPLETED',
  /** A sync began. */
  SYNC_STARTED: 'SYNC_STARTED',
  /** A webhook was disabled: by a caller, by its receiver with 410, or because every attempt of five days failed. */
  WEBHOOK_DISABLED: 'WEBHOOK_DISABLED',
  /** Every attempt of a webhook has failed for an hour; sent once until an attempt succeeds. */
  WEBHOOK_FAILING: 'WEBHOOK_FAILING',
  /** The test trigger was used; sent to that one webhook only. */
  WEBHOOK_TEST: 'WEBHOOK_TEST'
} as const;

export type EventTopic = typeof EventTopic[keyof typeof EventTopic];
/** Conditions on values of the kind `EventTopic`; those given must all hold. */
export type EventTopicFilter = {
  /** Equal to this value. */
  readonly eq?: EventTopic | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<EventTopic> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind `Id`; those given must all hold. */
export type IdFilter = {
  /** Equal to this value. */
  readonly eq?: string | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<string> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Conditions on values of the kind `Int`; those given must all hold. */
export type IntFilter = {
  /** Equal to this value. */
  readonly eq?: number | null | undefined;
  /** After this value, or greater. */
  readonly gt?: number | null | undefined;
  /** At or after this value, or at least this number. */
  readonly gte?: number | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<number> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
  /** Before this value, or less. */
  readonly lt?: number | null | undefined;
  /** At or before this value, or at most this number. */
  readonly lte?: number | null | undefined;
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

/** What happened to a record. */
export const RecordOperation = {
  /** It was created. */
  CREATE: 'CREATE',
  /** It was deleted. */
  DELETE: 'DELETE',
  /** It changed in substance. */
  UPDATE: 'UPDATE'
} as const;

export type RecordOperation = typeof RecordOperation[keyof typeof RecordOperation];
/** Conditions on values of the kind `RecordOperation`; those given must all hold. */
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
  /** The header `Idempotency-Key` as a member, of 1 to 128 printable ASCII characters: a retry with it gets the first answer again. */
  readonly idempotencyKey?: string | null | undefined;
  /** Reason, stored in the audit log. */
  readonly reason?: string | null | undefined;
  /** Deliveries queued at this time or later. */
  readonly since: string;
  /** Id of the webhook. */
  readonly webhookId: string;
};

/** Input of `retryWebhookDelivery`. */
export type RetryWebhookDeliveryInput = {
  /** Id of the delivery. */
  readonly id: string;
  /** The header `Idempotency-Key` as a member, of 1 to 128 printable ASCII characters: a retry with it gets the first answer again. */
  readonly idempotencyKey?: string | null | undefined;
  /** Reason, stored in the audit log. */
  readonly reason?: string | null | undefined;
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

/** A test event. */
export type TriggerWebhookTestInput = {
  /** Copied into the `data` of the event; at most 64 KiB. */
  readonly eventData: Record<string, unknown>;
  /** Id of the webhook. */
  readonly id: string;
  /** The header `Idempotency-Key` as a member, of 1 to 128 printable ASCII characters: a retry with it gets the first answer again. */
  readonly idempotencyKey?: string | null | undefined;
};

/** Conditions on values of the kind `URL`; those given must all hold. */
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
  /** Companies whose events are sent, without those of no company; null for every event. */
  readonly companyIds?: ReadonlyArray<number | string> | null | undefined;
  /** Record types whose events are sent, without those of no record type; null for every event. */
  readonly dataModels?: ReadonlyArray<DataModel> | null | undefined;
  /** Free text. */
  readonly description?: string | null | undefined;
  /** Id of the webhook. */
  readonly id: string;
  /** The header `Idempotency-Key` as a member, of 1 to 128 printable ASCII characters: a retry with it gets the first answer again. */
  readonly idempotencyKey?: string | null | undefined;
  /** Write only if the record is still this version, given as its `etag`; `*` matches any version. STALE_RECORD otherwise. */
  readonly ifMatch?: string | null | undefined;
  /** What the webhook is for. */
  readonly name?: string | null | undefined;
  /** Signing secret of 24 to 256 printable ASCII characters; base64 after `whsec_`, otherwise used as it is written. The former secret also signs for 24 hours. */
  readonly secret?: string | null | undefined;
  /** Whether events are sent; enabling clears the reason why the webhook was disabled. */
  readonly status?: WebhookStatus | null | undefined;
  /** Kinds of event to send: 1 to 50 of the catalogue, or the one value for all. They include those of the integrations API: a webhook belongs to the organisation and gets the events of all its companies, unless `companyIds` names some. */
  readonly topics?: ReadonlyArray<EventTopic> | null | undefined;
  /** Address the events are sent to: https, on the public internet. */
  readonly url?: string | null | undefined;
};

/** Which WebhookAttempt records a list returns; conditions that stand beside each other must all hold. */
export type WebhookAttemptFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<WebhookAttemptFilter> | null | undefined;
  /** Condition on `at`. */
  readonly at?: DateTimeFilter | null | undefined;
  /** Conditions on the record of `delivery`; without one they do not hold. */
  readonly delivery?: WebhookDeliveryFilter | null | undefined;
  /** Condition on `duration`. */
  readonly duration?: IntFilter | null | undefined;
  /** Condition on `error`. */
  readonly error?: TextFilter | null | undefined;
  /** Condition on `id`. */
  readonly id?: IdFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: WebhookAttemptFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<WebhookAttemptFilter> | null | undefined;
  /** Condition on `responseBody`. */
  readonly responseBody?: TextFilter | null | undefined;
  /** Condition on `status`. */
  readonly status?: IntFilter | null | undefined;
};

/** Conditions on the WebhookAttempt records of a record. */
export type WebhookAttemptListFilter = {
  /** None of them meets this filter; true without any. */
  readonly none?: WebhookAttemptFilter | null | undefined;
  /** At least one of them meets this filter. */
  readonly some?: WebhookAttemptFilter | null | undefined;
};

/** Which WebhookDelivery records a list returns; conditions that stand beside each other must all hold. */
export type WebhookDeliveryFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<WebhookDeliveryFilter> | null | undefined;
  /** Conditions on the records of `attempts`. */
  readonly attempts?: WebhookAttemptListFilter | null | undefined;
  /** Condition on `attemptsLeft`. */
  readonly attemptsLeft?: IntFilter | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Conditions on the record of `event`; without one they do not hold. */
  readonly event?: EventFilter | null | undefined;
  /** Condition on `eventId`. */
  readonly eventId?: IdFilter | null | undefined;
  /** Condition on `finishedAt`. */
  readonly finishedAt?: DateTimeFilter | null | undefined;
  /** Condition on `id`. */
  readonly id?: IdFilter | null | undefined;
  /** Condition on `nextAttemptAt`. */
  readonly nextAttemptAt?: DateTimeFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: WebhookDeliveryFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<WebhookDeliveryFilter> | null | undefined;
  /** Condition on `status`. */
  readonly status?: WebhookDeliveryStatusFilter | null | undefined;
  /** Conditions on the record of `webhook`; without one they do not hold. */
  readonly webhook?: WebhookFilter | null | undefined;
  /** Condition on `webhookId`. */
  readonly webhookId?: IdFilter | null | undefined;
};

/** How far a delivery is. */
export const WebhookDeliveryStatus = {
  /** The webhook was disabled or deleted before it succeeded. */
  CANCELLED: 'CANCELLED',
  /** The receiver answered 2xx. */
  DELIVERED: 'DELIVERED',
  /** Every attempt failed. */
  FAILED: 'FAILED',
  /** An attempt is under way or still to come. */
  PENDING: 'PENDING'
} as const;

export type WebhookDeliveryStatus = typeof WebhookDeliveryStatus[keyof typeof WebhookDeliveryStatus];
/** Conditions on values of the kind `WebhookDeliveryStatus`; those given must all hold. */
export type WebhookDeliveryStatusFilter = {
  /** Equal to this value. */
  readonly eq?: WebhookDeliveryStatus | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<WebhookDeliveryStatus> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Why a webhook stopped. */
export const WebhookDisabledReason = {
  /** Every attempt of five days failed. */
  FAILING: 'FAILING',
  /** The receiver answered 410. */
  GONE: 'GONE',
  /** A caller disabled it. */
  MANUAL: 'MANUAL'
} as const;

export type WebhookDisabledReason = typeof WebhookDisabledReason[keyof typeof WebhookDisabledReason];
/** Conditions on values of the kind `WebhookDisabledReason`; those given must all hold. */
export type WebhookDisabledReasonFilter = {
  /** Equal to this value. */
  readonly eq?: WebhookDisabledReason | null | undefined;
  /** Equal to any of these values, at most 100. */
  readonly in?: ReadonlyArray<WebhookDisabledReason> | null | undefined;
  /** Whether there is no value. */
  readonly isNull?: boolean | null | undefined;
};

/** Which Webhook records a list returns; conditions that stand beside each other must all hold. */
export type WebhookFilter = {
  /** Filters that must all hold, 1 to 20. */
  readonly and?: ReadonlyArray<WebhookFilter> | null | undefined;
  /** Condition on `createdAt`. */
  readonly createdAt?: DateTimeFilter | null | undefined;
  /** Condition on `description`. */
  readonly description?: TextFilter | null | undefined;
  /** Condition on `disabledReason`. */
  readonly disabledReason?: WebhookDisabledReasonFilter | null | undefined;
  /** Condition on `id`. */
  readonly id?: IdFilter | null | undefined;
  /** Condition on `name`. */
  readonly name?: TextFilter | null | undefined;
  /** A filter that must not hold. A record matches either a filter or its `not`, whatever its values. */
  readonly not?: WebhookFilter | null | undefined;
  /** Filters of which one must hold, 1 to 20. */
  readonly or?: ReadonlyArray<WebhookFilter> | null | undefined;
  /** Words of which each is in one of `url`, `name`, `description`, in any order and place; case and accents do not matter. At most 200 characters and 10 words. */
  readonly search?: string | null | undefined;
  /** Condition on `status`. */
  readonly status?: WebhookStatusFilter | null | undefined;
  /** Condition on `updatedAt`. */
  readonly updatedAt?: DateTimeFilter | null | undefined;
  /** Condition on `url`. */
  readonly url?: UrlFilter | null | undefined;
};

/** Whether events are sent. */
export const WebhookStatus = {
  /** They are not. */
  DISABLED: 'DISABLED',
  /** They are. */
  ENABLED: 'ENABLED'
} as const;

export type WebhookStatus = typeof WebhookStatus[keyof typeof WebhookStatus];
/** Conditions on values of the kind `WebhookStatus`; those given must all hold. */
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


export type WebhooksQuery = { readonly webhooks: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null }> } | null, readonly webhookDeliveries: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type DeliveriesQueryVariables = Exact<{
  filter?: WebhookDeliveryFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type DeliveriesQuery = { readonly webhookDeliveries: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type DeliveryMessageQueryVariables = Exact<{
  id: string;
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


export type CreateWebhookMutation = { readonly createWebhook: { readonly webhook: { readonly secret: string | null, readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { readonly updateWebhook: { readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null } | null, readonly errors: ReadonlyArray<{ readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string }> } | null };

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

export type WebhookCardFragment = { readonly id: string, readonly name: string | null, readonly url: string, readonly status: WebhookStatus, readonly disabledReason: WebhookDisabledReason | null, readonly topics: ReadonlyArray<EventTopic>, readonly secretPreview: string, readonly deliveriesSummary: { readonly groups: ReadonlyArray<{ readonly count: number, readonly key: ReadonlyArray<{ readonly value: string | null }> }> } | null };

export type DeliveryPageFragment = { readonly webhookDeliveries: { readonly totalCount: number, readonly edges: ReadonlyArray<{ readonly cursor: string, readonly node: { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null };

export type DeliveryRowFragment = { readonly id: string, readonly status: WebhookDeliveryStatus, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly attemptsLeft: number, readonly webhook: { readonly id: string, readonly name: string | null, readonly url: string } | null, readonly event: { readonly id: string, readonly topic: EventTopic, readonly test: boolean } | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly at: string, readonly status: number | null, readonly duration: number, readonly error: string | null }> };

export type IssueFragment = { readonly code: ErrorCode, readonly path: ReadonlyArray<string>, readonly message: string };

export const WebhookCardFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}}]} as unknown as DocumentNode<WebhookCardFragment, unknown>;
export const DeliveryRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<DeliveryRowFragment, unknown>;
export const DeliveryPageFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<DeliveryPageFragment, unknown>;
export const IssueFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<IssueFragment, unknown>;
export const WebhooksDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Webhooks"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhooks"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"16"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookCard"}}]}}]}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryPage"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<WebhooksQuery, WebhooksQueryVariables>;
export const DeliveriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Deliveries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDeliveryFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryPage"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryPage"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Query"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<DeliveriesQuery, DeliveriesQueryVariables>;
export const DeliveryMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DeliveryMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"data"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DeliveryMessageQuery, DeliveryMessageQueryVariables>;
export const DeliveryChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"DeliveryChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deliveryChanged"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<DeliveryChangesSubscription, DeliveryChangesSubscriptionVariables>;
export const CreateWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookCard"}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const UpdateWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookCard"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookCard"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Webhook"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"topics"}},{"kind":"Field","name":{"kind":"Name","value":"secretPreview"}},{"kind":"Field","name":{"kind":"Name","value":"deliveriesSummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}},{"kind":"Argument","name":{"kind":"Name","value":"groupBy"},"value":{"kind":"ListValue","values":[{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"field"},"value":{"kind":"EnumValue","value":"STATUS"}}]}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const DeleteWebhookDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteWebhook"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteWebhookInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteWebhook"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const SendTestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendTest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TriggerWebhookTestInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"triggerWebhookTest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivery"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<SendTestMutation, SendTestMutationVariables>;
export const RetryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Retry"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RetryWebhookDeliveryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryWebhookDelivery"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"delivery"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DeliveryRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DeliveryRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookDelivery"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextAttemptAt"}},{"kind":"Field","name":{"kind":"Name","value":"attemptsLeft"}},{"kind":"Field","name":{"kind":"Name","value":"webhook"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"topic"}},{"kind":"Field","name":{"kind":"Name","value":"test"}}]}},{"kind":"Field","name":{"kind":"Name","value":"attempts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"duration"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<RetryMutation, RetryMutationVariables>;
export const ReplayDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Replay"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ReplayWebhookDeliveriesInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayWebhookDeliveries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"queued"}},{"kind":"Field","name":{"kind":"Name","value":"remaining"}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Issue"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Issue"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MutationError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]} as unknown as DocumentNode<ReplayMutation, ReplayMutationVariables>;
// THE list of the gateway's records and resolvers. Nothing is discovered by scanning.
import { AuditChain, AuditEntry } from './access/audit-entry.ts';
import { AccessKey, Organisation } from './access/tables.ts';
import { GeocodeResolver, storedAddressResolver } from './address/geocode-resolver.ts';
import { HealthResolver } from './address/health.ts';
import { isoTables } from './address/iso/records.ts';
import { IsoCountryNames, IsoResolver, IsoSubdivisionNames } from './address/iso/resolver.ts';
import { seedIsoContent } from './address/iso/seed.ts';
import { AccessResolver } from './administration/access-key-resolver.ts';
import { AuditLogResolver } from './administration/audit-log.ts';
import { OperatorAction } from './administration/operator-action.ts';
import { OrganisationResolver } from './administration/organisations.ts';
import { RequestLogResolver } from './administration/requests.ts';
import { ViewerResolver } from './administration/viewer.ts';
import type { Database } from './database/open.ts';
import { RecentWrite } from './database/replicas/recent-writes.ts';
import { StoredSetting } from './database/stored-secrets.ts';
import type { DemoSeed } from './demo/demo.ts';
import { Event, EventRecording } from './events/event.ts';
import { EventFeedResolver } from './events/event-feed.ts';
import { EventTimeline } from './events/event-order.ts';
import { EventResolver } from './events/event-resolver.ts';
import { EventStreamResolver, EventSubjectResolver } from './events/stream-resolver.ts';
import { FilePiece, StoredFile } from './files/stored-file.ts';
import { reverseLists } from './graphql/graph/reverse-lists.ts';
import { NodeResolver } from './graphql/node.ts';
import { IdempotencyKey } from './http/idempotency-key.ts';
import { RequestPart } from './http/request-part.ts';
import { Attachment } from './integrations/attachments/attachment.ts';
import { AttachmentResolver, attachmentMutations } from './integrations/attachments/resolver.ts';
import { LedgerTransaction, PostingTotal, SourcePosting } from './integrations/books/ledger-transaction.ts';
import {
  AgedContactResolver,
  ColumnContactResolver,
  CompanyBooksResolver,
  PostedRecordsResolver,
  ReportAccountResolver,
  ReportResolver,
  SourceAccountResolver,
} from './integrations/books/resolver.ts';
import { Company, CompanyResolver, ViewerCompaniesResolver } from './integrations/companies/company.ts';
import { Connection } from './integrations/connections/connection.ts';
import { CompanyConnectionsResolver, ConnectionFieldResolver, ConnectionResolver } from './integrations/connections/resolver.ts';
import { SourceOutage } from './integrations/connections/source-outage.ts';
import { InboxFile } from './integrations/connectors/files/inbox-file.ts';
import { seedIntegrationsDemo } from './integrations/demo/seed.ts';
import { DisconnectRequest } from './integrations/disconnects/request.ts';
import { DisconnectResolver } from './integrations/disconnects/resolver.ts';
import { InboxResolver } from './integrations/imports/resolver.ts';
import { declareDocuments, isDocument } from './integrations/ledger/ledger-record.ts';
import { NexusState } from './integrations/nexus/known-state.ts';
import { CorporationSalesResolver, RegistrationNeedResolver } from './integrations/nexus/needed-resolver.ts';
import { ChangedRecordResolver, CompanyChangesResolver } from './integrations/operations/change-feed.ts';
import { RecordChangeResolver } from './integrations/operations/changes.ts';
import { ContactVerificationField } from './integrations/operations/contact-verification.ts';
import { recordMutations } from './integrations/operations/mutations.ts';
import { listedReads, parentReads, typedReads } from './integrations/operations/parents.ts';
import { recordReads } from './integrations/operations/reads.ts';
import { recordSearch } from './integrations/operations/search.ts';
import { Account } from './integrations/records/account.ts';
import { BankTransaction } from './integrations/records/bank-transaction.ts';
import { BillCreditNote } from './integrations/records/bill-credit-note.ts';
import { CashFlowStatement } from './integrations/records/cash-flow-statement.ts';
import { Address, Contact, ExternalLink, PhoneNumber } from './integrations/records/contact.ts';
import { Currency } from './integrations/records/currency.ts';
import { Estimate } from './integrations/records/estimate.ts';
import { Expense } from './integrations/records/expense.ts';
import { InvoiceCreditNote } from './integrations/records/invoice-credit-note.ts';
import { Bill, Invoice } from './integrations/records/invoice-document.ts';
import { Item, Variant } from './integrations/records/item.ts';
import { JournalEntry } from './integrations/records/journal-entry.ts';
import { LineItem } from './integrations/records/line-item.ts';
import { Payment, PaymentAllocation } from './integrations/records/payment.ts';
import { Pipeline, PipelineStage } from './integrations/records/pipeline.ts';
import { GoodsReceiptNote, PurchaseOrder } from './integrations/records/purchase-document.ts';
import { TaxRate } from './integrations/records/tax-rate.ts';
import { CompanySyncsResolver, SyncFieldResolver, SyncResolver } from './integrations/syncs/resolver.ts';
import { DataModelStateResolver, SourceResolver } from './integrations/syncs/source-resolver.ts';
import { RefusedRecord, SourcePush, Sync, SyncChunk, SyncJob, SyncSeen } from './integrations/syncs/state/sync.ts';
import { OpenReference } from './integrations/writes/open-reference.ts';
import {
  Acknowledgement,
  BusinessEntity,
  BusinessEntityRegistration,
  GovernmentIdentifier,
} from './platform/business-entities/business-entity.ts';
import { BusinessEntityOperatorResolver } from './platform/business-entities/operator-resolver.ts';
import {
  AcknowledgementResolver,
  BusinessEntityResolver,
  EntityRegistrationResolver,
  GovernmentIdentifierResolver,
} from './platform/business-entities/resolver.ts';
import { RegisteredAddress } from './platform/corporations/address.ts';
import { CorporationChangeResolver } from './platform/corporations/changes.ts';
import { OptionsResolver } from './platform/corporations/options-resolver.ts';
import { CorporationOwnerResolver, corporations } from './platform/corporations/resolver.ts';
import { CustomsTable, CustomsTableResolver } from './platform/customs/customs-tables.ts';
import { NationalTariff, NationalTariffLine } from './platform/customs/national/national-tariff.ts';
import { TariffResolver } from './platform/customs/tariff-resolver.ts';
import { seedDemoEntities } from './platform/demo/entities.ts';
import { seedPlatformDemo } from './platform/demo/seed.ts';
import { EntityFormResolver } from './platform/entity-forms/entity-forms.ts';
import { CorporationFilesResolver, FileCorporationResolver, FileResolver } from './platform/files/resolver.ts';
import { IncorporationFormResolver } from './platform/incorporation/form-resolver.ts';
import { IncorporationOperatorResolver } from './platform/incorporation/operator-resolver.ts';
import { IncorporationRequest } from './platform/incorporation/request.ts';
import { EntityOriginResolver, IncorporationFieldResolver, IncorporationRequestResolver } from './platform/incorporation/resolver.ts';
import { ImportJob, ImportJobFields, ImportRowIssue } from './platform/products/imports/job.ts';
import { ImportProgressResolver, ImportResolver } from './platform/products/imports/resolver.ts';
import { CustomsCodeResolver, products } from './platform/products/resolver.ts';
import { RegistrationContentPack, RegistrationContentResolver } from './platform/registrations/content-resolver.ts';
import { RegistrationWriteResolver } from './platform/registrations/create.ts';
import { RegistrationOperatorResolver } from './platform/registrations/operator-resolver.ts';
import { Registration } from './platform/registrations/registration.ts';
import { RegistrationResolver, RegistrationStatusResolver } from './platform/registrations/resolver.ts';
import type { Resource } from './platform/shared/resource.ts';
import { IdentifierVerificationField, TaxIdVerificationField } from './platform/tax-ids/fields.ts';
import { TaxIdVerificationResolver, VerifiedTaxId } from './platform/tax-ids/verification.ts';
import { CompletedJob, OutboxEntry } from './queue/outbox.ts';
import type { RecordClass } from './records/metadata.ts';
import { WebhookAttempt, WebhookDelivery } from './webhooks/delivery.ts';
import { DeliveryChangeResolver } from './webhooks/delivery-changes.ts';
import { DeliveryResolver, WebhookDeliveriesResolver } from './webhooks/delivery-resolver.ts';
import { Webhook } from './webhooks/webhook.ts';
import { WebhookFieldResolver, WebhookResolver } from './webhooks/webhook-resolver.ts';
import { WebhookHoursResolver, WebhookStatisticsResolver } from './webhooks/webhook-statistics.ts';

/** Records of the integrations API; each gets the full set of operations on both endpoints. */
export const ledgerRecords: RecordClass[] = [
  TaxRate,
  Account,
  Invoice,
  Bill,
  Payment,
  PaymentAllocation,
  BillCreditNote,
  InvoiceCreditNote,
  Estimate,
  PurchaseOrder,
  GoodsReceiptNote,
  Pipeline,
  PipelineStage,
  CashFlowStatement,
  JournalEntry,
  Expense,
  BankTransaction,
  Contact,
  Address,
  PhoneNumber,
  ExternalLink,
  Currency,
  LineItem,
  Item,
  Variant,
];

/** Records of the platform API with the full set of operations on both endpoints. */
export const resources: Resource[] = [corporations, products];

/** Records of the platform API. */
export const platformRecords: RecordClass[] = [
  ...resources.map(({ record }) => record),
  VerifiedTaxId,
  NexusState,
  CustomsTable,
  NationalTariff,
  NationalTariffLine,
  StoredFile,
  FilePiece,
  ImportJob,
  ImportRowIssue,
];

/** Records of registrations, incorporation requests and business entities. */
export const entityRecords: RecordClass[] = [
  AuditEntry,
  AuditChain,
  OperatorAction,
  RegistrationContentPack,
  Registration,
  IncorporationRequest,
  BusinessEntity,
  BusinessEntityRegistration,
  Acknowledgement,
  GovernmentIdentifier,
];

/** Every table. */
export const entities: RecordClass[] = [
  Organisation,
  AccessKey,
  StoredSetting,
  IdempotencyKey,
  RequestPart,
  Event,
  EventRecording,
  EventTimeline,
  OutboxEntry,
  CompletedJob,
  RecentWrite,
  Webhook,
  WebhookDelivery,
  WebhookAttempt,
  Company,
  Sync,
  SyncJob,
  SyncChunk,
  OpenReference,
  SyncSeen,
  SourcePush,
  RefusedRecord,
  Connection,
  SourceOutage,
  InboxFile,
  Attachment,
  DisconnectRequest,
  LedgerTransaction,
  SourcePosting,
  PostingTotal,
  ...ledgerRecords,
  ...platformRecords,
  ...entityRecords,
  ...isoTables,
];

const addressResolvers: RecordClass[] = [
  HealthResolver,
  GeocodeResolver,
  IsoResolver,
  IsoCountryNames,
  IsoSubdivisionNames,
  storedAddressResolver(Address, ['street', 'street2', 'locality', 'city', 'state', 'postalCode', 'country']),
  storedAddressResolver(RegisteredAddress, ['addressLine1', 'addressLine2', 'city', 'state', 'postalCode', 'country']),
];
const platformResolvers: RecordClass[] = [
  ...resources.map(({ resolver }) => resolver),
  CorporationOwnerResolver,
  CorporationChangeResolver,
  OptionsResolver,
  ContactVerificationField,
  IdentifierVerificationField,
  TaxIdVerificationField,
  TaxIdVerificationResolver,
  CustomsCodeResolver,
  CustomsTableResolver,
  TariffResolver,
  EntityFormResolver,
  FileCorporationResolver,
  FileResolver,
  CorporationFilesResolver,
  ImportProgressResolver,
  ImportResolver,
  ImportJobFields,
];
const registrationResolvers: RecordClass[] = [
  RegistrationContentResolver,
  RegistrationStatusResolver,
  RegistrationResolver,
  RegistrationWriteResolver,
  RegistrationOperatorResolver,
];
const entityResolvers: RecordClass[] = [
  IncorporationFieldResolver,
  IncorporationRequestResolver,
  EntityOriginResolver,
  IncorporationFormResolver,
  IncorporationOperatorResolver,
  EntityRegistrationResolver,
  BusinessEntityResolver,
  GovernmentIdentifierResolver,
  AcknowledgementResolver,
  BusinessEntityOperatorResolver,
];

declareDocuments(ledgerRecords);

/** Every resolver. */
export const resolvers: RecordClass[] = [
  NodeResolver,
  AccessResolver,
  AuditLogResolver,
  RequestLogResolver,
  OrganisationResolver,
  ViewerResolver,
  EventStreamResolver,
  EventSubjectResolver,
  EventResolver,
  EventFeedResolver,
  WebhookFieldResolver,
  WebhookResolver,
  WebhookDeliveriesResolver,
  DeliveryResolver,
  DeliveryChangeResolver,
  WebhookStatisticsResolver,
  WebhookHoursResolver,
  CompanyResolver,
  ViewerCompaniesResolver,
  CompanySyncsResolver,
  SyncFieldResolver,
  SyncResolver,
  InboxResolver,
  ConnectionFieldResolver,
  ConnectionResolver,
  DataModelStateResolver,
  SourceResolver,
  CompanyConnectionsResolver,
  DisconnectResolver,
  RecordChangeResolver,
  CompanyChangesResolver,
  ChangedRecordResolver,
  CorporationSalesResolver,
  RegistrationNeedResolver,
  CompanyBooksResolver,
  ReportResolver,
  ReportAccountResolver,
  SourceAccountResolver,
  AgedContactResolver,
  ColumnContactResolver,
  PostedRecordsResolver,
  ...ledgerRecords.flatMap((record) => [...recordReads(record), recordMutations(record)]),
  recordSearch(ledgerRecords),
  ...parentReads(ledgerRecords),
  ...ledgerRecords.filter(isDocument).map(attachmentMutations),
  AttachmentResolver,
  ...typedReads([...ledgerRecords, Attachment]),
  ...listedReads(ledgerRecords),
  ...entities.flatMap(reverseLists),
  ...platformResolvers,
  ...registrationResolvers,
  ...entityResolvers,
  ...addressResolvers,
];

/** Object types that are reached only through the Node interface. */
export const orphanTypes: RecordClass[] = [Sync, SyncJob];

/** Seeds of the content that all organisations share. */
export const contentSeeds: ((database: Database, now: Date) => Promise<void>)[] = [seedIsoContent];

/** Seeds of the demo organisation, run at its first start. */
export const demoSeeds: readonly DemoSeed[] = [seedIntegrationsDemo, seedPlatformDemo, seedDemoEntities];

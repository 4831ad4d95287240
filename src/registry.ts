// THE list of the gateway's records and resolvers. Nothing is discovered by scanning.
import { AccessKey, Organisation } from './access/tables.ts';
import { GeocodeResolver, storedAddressResolver } from './address/geocode-resolver.ts';
import { HealthResolver } from './address/health.ts';
import { isoTables } from './address/iso/records.ts';
import { IsoCountryNames, IsoResolver, IsoSubdivisionNames } from './address/iso/resolver.ts';
import { seedIsoContent } from './address/iso/seed.ts';
import { AccessResolver } from './administration/access-key-resolver.ts';
import { OperatorAction } from './administration/audit-log.ts';
import type { Database } from './database/open.ts';
import { StoredSetting } from './database/stored-secrets.ts';
import type { DemoSeed } from './demo/demo.ts';
import { EventTimeline } from './events/event-order.ts';
import { Event, EventRecording } from './events/events.ts';
import { EventStreamResolver } from './events/stream-resolver.ts';
import { FilePiece, StoredFile } from './files/stored-file.ts';
import { NodeResolver } from './graphql/node.ts';
import { IdempotencyKey } from './http/idempotency.ts';
import { Company, CompanyResolver } from './integrations/companies/company.ts';
import { seedIntegrationsDemo } from './integrations/demo/seed.ts';
import { DisconnectRequest } from './integrations/disconnects/request.ts';
import { DisconnectResolver } from './integrations/disconnects/resolver.ts';
import { recordMutations } from './integrations/operations/mutations.ts';
import { recordReads } from './integrations/operations/reads.ts';
import { Account } from './integrations/records/account.ts';
import { BillCreditNote } from './integrations/records/bill-credit-note.ts';
import { CashFlowStatement } from './integrations/records/cash-flow-statement.ts';
import { Address, Contact, ExternalLink, PhoneNumber } from './integrations/records/contact.ts';
import { Currency } from './integrations/records/currency.ts';
import { Estimate } from './integrations/records/estimate.ts';
import { InvoiceCreditNote } from './integrations/records/invoice-credit-note.ts';
import { Item, Variant } from './integrations/records/item.ts';
import { LineItem } from './integrations/records/line-item.ts';
import { Pipeline, PipelineStage } from './integrations/records/pipeline.ts';
import { GoodsReceiptNote, PurchaseOrder } from './integrations/records/purchase-document.ts';
import { TaxRate } from './integrations/records/tax-rate.ts';
import { InboxFile, InboxResolver } from './integrations/syncs/inbox.ts';
import { CompanySyncsResolver, SyncResolver } from './integrations/syncs/resolver.ts';
import { Sync, SyncChunk, SyncJob } from './integrations/syncs/sync.ts';
import {
  Acknowledgement,
  BusinessEntity,
  BusinessEntityRegistration,
  GovernmentIdentifier,
} from './platform/business-entities/business-entity.ts';
import { BusinessEntityOperatorResolver } from './platform/business-entities/operator-resolver.ts';
import { AcknowledgementResolver, BusinessEntityResolver, GovernmentIdentifierResolver } from './platform/business-entities/resolver.ts';
import { Corporation, RegisteredAddress } from './platform/corporations/corporation.ts';
import { CorporationResolver } from './platform/corporations/resolver.ts';
import { seedDemoEntities } from './platform/demo/entities.ts';
import { seedPlatformDemo } from './platform/demo/seed.ts';
import { FileResolver } from './platform/files/resolver.ts';
import { IncorporationFormResolver } from './platform/incorporation/form-resolver.ts';
import { IncorporationOperatorResolver } from './platform/incorporation/operator-resolver.ts';
import { IncorporationRequest, IncorporationRequestResolver } from './platform/incorporation/request.ts';
import { CustomsTable, CustomsTableResolver } from './platform/products/customs-tables.ts';
import { ImportJob, ImportJobFields, ImportRowIssue } from './platform/products/imports/job.ts';
import { ImportResolver } from './platform/products/imports/resolver.ts';
import { Product } from './platform/products/product.ts';
import { ProductResolver } from './platform/products/resolver.ts';
import { RegistrationContentPack, RegistrationContentResolver } from './platform/registrations/content-resolver.ts';
import { RegistrationWriteResolver } from './platform/registrations/create.ts';
import { RegistrationOperatorResolver } from './platform/registrations/operator-resolver.ts';
import { Registration, RegistrationResolver } from './platform/registrations/registration.ts';
import type { RecordClass } from './records/metadata.ts';
import { WebhookAttempt, WebhookDelivery } from './webhooks/delivery.ts';
import { DeliveryResolver } from './webhooks/delivery-resolver.ts';
import { Webhook } from './webhooks/webhook.ts';
import { WebhookResolver } from './webhooks/webhook-resolver.ts';

/** Records of the integrations API; each gets the full set of operations on both endpoints. */
export const ledgerRecords: RecordClass[] = [
  TaxRate,
  Account,
  BillCreditNote,
  InvoiceCreditNote,
  Estimate,
  PurchaseOrder,
  GoodsReceiptNote,
  Pipeline,
  PipelineStage,
  CashFlowStatement,
  Contact,
  Address,
  PhoneNumber,
  ExternalLink,
  Currency,
  LineItem,
  Item,
  Variant,
];

/** Records of the platform API. */
export const platformRecords: RecordClass[] = [Corporation, Product, CustomsTable, StoredFile, FilePiece, ImportJob, ImportRowIssue];

/** Records of registrations, incorporation requests and business entities. */
export const entityRecords: RecordClass[] = [
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
  Event,
  EventRecording,
  EventTimeline,
  Webhook,
  WebhookDelivery,
  WebhookAttempt,
  Company,
  Sync,
  SyncJob,
  SyncChunk,
  InboxFile,
  DisconnectRequest,
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
  CorporationResolver,
  ProductResolver,
  CustomsTableResolver,
  FileResolver,
  ImportResolver,
  ImportJobFields,
];
const registrationResolvers: RecordClass[] = [
  RegistrationContentResolver,
  RegistrationResolver,
  RegistrationWriteResolver,
  RegistrationOperatorResolver,
];
const entityResolvers: RecordClass[] = [
  IncorporationRequestResolver,
  IncorporationFormResolver,
  IncorporationOperatorResolver,
  BusinessEntityResolver,
  GovernmentIdentifierResolver,
  AcknowledgementResolver,
  BusinessEntityOperatorResolver,
];

/** Every resolver. */
export const resolvers: RecordClass[] = [
  NodeResolver,
  AccessResolver,
  EventStreamResolver,
  WebhookResolver,
  DeliveryResolver,
  CompanyResolver,
  CompanySyncsResolver,
  SyncResolver,
  InboxResolver,
  DisconnectResolver,
  ...ledgerRecords.flatMap((record) => [...recordReads(record), recordMutations(record)]),
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

// THE list of what the gateway is made of: its records and its resolvers. Nothing is discovered by scanning.
import 'reflect-metadata';
import { GeocodeResolver, storedAddressResolver } from './address/geocode-resolver.ts';
import { HealthResolver } from './address/health.ts';
import { isoTables } from './address/iso/records.ts';
import { IsoCountryNames, IsoResolver, IsoSubdivisionNames } from './address/iso/resolver.ts';
import { seedIsoContent } from './address/iso/seed.ts';
import { AccessKey, Organisation } from './core/access.ts';
import { AccessResolver } from './core/access-resolver.ts';
import type { Database } from './core/database.ts';
import { EventTimeline } from './core/event-order.ts';
import { EventStreamResolver } from './core/event-stream.ts';
import { Event, EventRecording } from './core/events.ts';
import { IdempotencyKey } from './core/idempotency.ts';
import { KeptSetting } from './core/kept-settings.ts';
import type { RecordClass } from './core/model.ts';
import { NodeResolver } from './core/node.ts';
import { OperatorAction } from './core/operator-trace.ts';
import { FilePiece, StoredFile } from './core/stored-file.ts';
import { WebhookAttempt, WebhookDelivery } from './core/webhooks/delivery.ts';
import { DeliveryResolver } from './core/webhooks/delivery-resolver.ts';
import { Webhook } from './core/webhooks/webhook.ts';
import { WebhookResolver } from './core/webhooks/webhook-resolver.ts';
import type { DemoSeed } from './demo.ts';
import { Account } from './integrations/account.ts';
import { BillCreditNote } from './integrations/bill-credit-note.ts';
import { CashFlowStatement } from './integrations/cash-flow-statement.ts';
import { Company, CompanyResolver } from './integrations/company.ts';
import { Address, Contact, ExternalLink, PhoneNumber } from './integrations/contact.ts';
import { Currency } from './integrations/currency.ts';
import { seedIntegrationsDemo } from './integrations/demo.ts';
import { DisconnectRequest } from './integrations/disconnect-request.ts';
import { DisconnectResolver } from './integrations/disconnect-resolver.ts';
import { Estimate } from './integrations/estimate.ts';
import { InboxFile, InboxResolver } from './integrations/inbox.ts';
import { InvoiceCreditNote } from './integrations/invoice-credit-note.ts';
import { Item, Variant } from './integrations/item.ts';
import { LineItem } from './integrations/line-item.ts';
import { Pipeline, PipelineStage } from './integrations/pipeline.ts';
import { GoodsReceiptNote, PurchaseOrder } from './integrations/purchase-document.ts';
import { recordMutations } from './integrations/record-mutations.ts';
import { recordReads } from './integrations/record-resolver.ts';
import { Sync, SyncChunk, SyncJob } from './integrations/sync.ts';
import { CompanySyncsResolver, SyncResolver } from './integrations/sync-resolver.ts';
import { TaxRate } from './integrations/tax-rate.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './platform/business-entity.ts';
import { AcknowledgementResolver, BusinessEntityResolver, GovernmentIdentifierResolver } from './platform/business-entity-resolver.ts';
import { Corporation, RegisteredAddress } from './platform/corporation.ts';
import { CorporationResolver } from './platform/corporation-resolver.ts';
import { CustomsTable, CustomsTableResolver } from './platform/customs-tables.ts';
import { seedPlatformDemo } from './platform/demo.ts';
import { seedDemoEntities } from './platform/demo-entities.ts';
import { EntityStepsResolver } from './platform/entity-steps.ts';
import { FileResolver } from './platform/files.ts';
import { ImportFault, ImportJob, ImportJobFields } from './platform/import-job.ts';
import { ImportResolver } from './platform/import-resolver.ts';
import { IncorporationFormResolver } from './platform/incorporation-form.ts';
import { IncorporationRequest, IncorporationRequestResolver } from './platform/incorporation-request.ts';
import { IncorporationStepsResolver } from './platform/incorporation-steps.ts';
import { Product } from './platform/product.ts';
import { ProductResolver } from './platform/product-resolver.ts';
import { Registration, RegistrationResolver } from './platform/registration.ts';
import { RegistrationContentPack, RegistrationContentResolver } from './platform/registration-content.ts';
import { RegistrationWriteResolver } from './platform/registration-create.ts';
import { RegistrationStepsResolver } from './platform/registration-steps.ts';

/** Records of the integrations API; each gets the full set of operations on both doors. */
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
export const platformRecords: RecordClass[] = [Corporation, Product, CustomsTable, StoredFile, FilePiece, ImportJob, ImportFault];

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
  KeptSetting,
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
  RegistrationStepsResolver,
];
const entityResolvers: RecordClass[] = [
  IncorporationRequestResolver,
  IncorporationFormResolver,
  IncorporationStepsResolver,
  BusinessEntityResolver,
  GovernmentIdentifierResolver,
  AcknowledgementResolver,
  EntityStepsResolver,
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

/** Shared content a new database starts with. */
export const contentSeeds: ((database: Database, now: Date) => Promise<void>)[] = [seedIsoContent];

/** What fills the demo organisation at the first start. */
export const demoSeeds: readonly DemoSeed[] = [seedIntegrationsDemo, seedPlatformDemo, seedDemoEntities];

// THE list of what the gateway is made of: its records and its resolvers. Nothing is discovered by scanning.
import 'reflect-metadata';
import { AccessKey, Organisation } from './core/access.ts';
import { AccessResolver } from './core/access-resolver.ts';
import { EventStreamResolver } from './core/event-stream.ts';
import { Event, EventRecording } from './core/events.ts';
import { KeptSetting } from './core/kept-settings.ts';
import type { Services } from './core/context.ts';
import type { Database } from './core/database.ts';
import type { RecordClass } from './core/kit.ts';
import { NodeResolver } from './core/node.ts';
import { FilePiece, StoredFile } from './core/stored-file.ts';
import { WebhookAttempt, WebhookDelivery } from './core/webhooks/delivery.ts';
import { DeliveryResolver } from './core/webhooks/delivery-resolver.ts';
import { Webhook } from './core/webhooks/webhook.ts';
import { WebhookResolver } from './core/webhooks/webhook-resolver.ts';
import { GeocodeResolver, storedAddressResolver } from './address/geocode-resolver.ts';
import { HealthResolver } from './address/health.ts';
import { isoTables } from './address/iso/records.ts';
import { IsoCountryNames, IsoResolver, IsoSubdivisionNames } from './address/iso/resolver.ts';
import { seedIsoContent } from './address/iso/seed.ts';
import { Account } from './integrations/account.ts';
import { BillCreditNote } from './integrations/bill-credit-note.ts';
import { Company, CompanyResolver } from './integrations/company.ts';
import { Address, Contact, ExternalLink, PhoneNumber } from './integrations/contact.ts';
import { Currency } from './integrations/currency.ts';
import { Item, Variant } from './integrations/item.ts';
import { LineItem } from './integrations/line-item.ts';
import { recordResolver } from './integrations/record-resolver.ts';
import { Sync, SyncJob } from './integrations/sync.ts';
import { TaxRate } from './integrations/tax-rate.ts';
import { Corporation, RegisteredAddress } from './platform/corporation.ts';
import { CorporationResolver } from './platform/corporation-resolver.ts';
import { CustomsTable, CustomsTableResolver } from './platform/customs-tables.ts';
import { FileResolver } from './platform/files.ts';
import { ImportFault, ImportJob, ImportJobFields } from './platform/import-job.ts';
import { ImportResolver } from './platform/import-resolver.ts';
import { Product } from './platform/product.ts';
import { ProductResolver } from './platform/product-resolver.ts';

/** Records of the integrations API; each gets the full set of operations on both doors. */
export const ledgerRecords: RecordClass[] = [
  TaxRate,
  Account,
  BillCreditNote,
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

/** Every table. */
export const entities: RecordClass[] = [Organisation, AccessKey, KeptSetting, Event, EventRecording, Webhook, WebhookDelivery, WebhookAttempt, Company, Sync, SyncJob, ...ledgerRecords, ...platformRecords, ...isoTables];

const addressResolvers: RecordClass[] = [
  HealthResolver,
  GeocodeResolver,
  IsoResolver,
  IsoCountryNames,
  IsoSubdivisionNames,
  storedAddressResolver(Address, ['street', 'street2', 'locality', 'city', 'state', 'postalCode', 'country']),
  storedAddressResolver(RegisteredAddress, ['addressLine1', 'addressLine2', 'city', 'state', 'postalCode', 'country']),
];
const platformResolvers: RecordClass[] = [CorporationResolver, ProductResolver, CustomsTableResolver, FileResolver, ImportResolver, ImportJobFields];

/** Every resolver. */
export const resolvers: RecordClass[] = [NodeResolver, AccessResolver, EventStreamResolver, WebhookResolver, DeliveryResolver, CompanyResolver, ...ledgerRecords.map(recordResolver), ...platformResolvers, ...addressResolvers];

/** Object types that are reached only through the Node interface. */
export const orphanTypes: RecordClass[] = [Sync, SyncJob];

/** Shared content a new database starts with. */
export const contentSeeds: ((database: Database, now: Date) => Promise<void>)[] = [seedIsoContent];

/** What fills the demo organisation at the first start. */
export const demoSeeds: ((services: Services) => Promise<void>)[] = [];

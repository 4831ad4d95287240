// The meaning of a place in the schema: a reference to a stored record, a key of the caller, a cursor, or a plain value.
// An id-like place without a known meaning is an error, not a guess.
import { getNamedType, isEnumType, isObjectType } from 'graphql';
import { isDocument } from '../../src/integrations/ledger/ledger-record.ts';
import { type Model, modelOf } from '../../src/records/metadata.ts';
import { entities, ledgerRecords } from '../../src/registry.ts';
import type { Place } from './operations.ts';

/** The reference of an id-like place: `record` by its key, `text` by a key of the caller, `cursor` a page of a list, `any` every exposed record. */
export type Reference = { kind: 'record' | 'text'; model: Model; prop: string } | { kind: 'cursor' } | { kind: 'any' };

const models = new Map(entities.map(modelOf).map((model) => [model.name, model]));

/** References whose name is not the name of their record. */
const aliases: Record<string, string> = {
  file: 'StoredFile',
  identifier: 'GovernmentIdentifier',
  parentAccount: 'Account',
  tax: 'TaxRate',
  importJob: 'ImportJob',
  ledgerCompany: 'Company',
  parentJob: 'SyncJob',
  'AddressInput.parent': 'Contact',
  'PhoneNumberInput.parent': 'Contact',
  'ExternalLinkInput.parent': 'Contact',
  'AddressFilter.parent': 'Contact',
  'PhoneNumberFilter.parent': 'Contact',
  'ExternalLinkFilter.parent': 'Contact',
  'VariantInput.parent': 'Item',
  'VariantFilter.parent': 'Item',
  'LineItemInput.parent': 'BillCreditNote',
  'LineItemFilter.parent': 'BillCreditNote',
  'PaymentAllocationInput.document': 'Invoice',
  'PaymentAllocationFilter.document': 'Invoice',
  'AttachmentFilter.document': 'Invoice',
  'PostingFilter.document': 'Invoice',
  ...Object.fromEntries(
    ledgerRecords.filter(isDocument).flatMap(({ name }) => ['add', 'remove'].map((action) => [`${action}${name}Attachment`, name])),
  ),
  deleteWebhook: 'Webhook',
  replayWebhookDeliveries: 'Webhook',
  retryWebhookDelivery: 'WebhookDelivery',
  triggerWebhookTest: 'Webhook',
  incorporationForm: 'IncorporationRequest',
  submitIncorporationForm: 'IncorporationRequest',
  removeAcknowledgement: 'Acknowledgement',
  removeCompany: 'Company',
  deleteImportedFile: 'InboxFile',
  replaces: 'InboxFile',
  resolveConflict: 'Contact',
};

/** Id-like places that name nothing an organisation stores. */
const free = new Set([
  // Content that all organisations share.
  'RegistrationInputOptionFilters.jurisdictionIds',
  'RegistrationPortalFilters.registrationContentIds',
  'CreateRegistrationInput.registrationContentId',
  'RegistrationFilter.registrationContentId',
  'RegistrationFilter.jurisdictionId',
  // The organisation of every event that the caller may see.
  'EventFilter.organizationId',
  'EventFilter.subjectId',
  // Conditions on entries of the audit log, which name what no longer has to exist.
  'AuditLogFilter.organisationId',
  'AuditHeadInput.organisationId',
  'AuditLogFilter.actorId',
  'AuditLogFilter.recordId',
  'AuditLogFilter.requestId',
  // Conditions on requests, of which the caller reads only those of its organisation.
  'RequestLogFilter.actorId',
  'RequestLogFilter.requestId',
  // Numbers and names of other systems, stored as given.
  'CreateRegistrationInput.taxRegistrationId',
  'CorrectRegistrationInput.taxRegistrationId',
  'confirmRegistration.taxRegistrationId',
  'ConfirmRegistrationInput.taxRegistrationId',
  'CreateRegistrationInput.portalId',
  'CreateRegistrationInput.credentialId',
  'CreateProductInput.sourcePlatformId',
  'UpdateProductInput.sourcePlatformId',
  'ProductFilter.sourcePlatformId',
  'CreateIncorporationRequestInput.companyId',
  'IncorporationRequestFilter.companyId',
  'DisconnectRequestFilter.resolvedByUserId',
  // The public id of the organisation itself.
  'EventFilter.organizationId',
  'ResolvedByInput.ledgerId',
  'DisconnectRequestFilter.resolvedByUserId',
  'ProductFilter.sourcePlatformId',
  'RegistrationFilter.taxRegistrationId',
  'RegistrationFilter.portalId',
  'RegistrationFilter.credentialId',
]);

/** Keys of the caller that are unique within an organisation only. */
const textKeys = new Set(['platformId', 'externalId', 'emailAlias', 'sku']);

/** The record type of an input or filter type. */
export const modelOfOwner = (owner: string): Model | undefined =>
  models.get(owner.replace(/^(Create|Update|Upsert|Delete)/, '').replace(/(Change)?Input$|Filter$/, ''));

/** The record type that a field returns or whose payload it returns. */
function returned({ field }: Place): Model | undefined {
  const type = getNamedType(field.type);
  if (models.has(type.name)) return models.get(type.name);
  const inner = isObjectType(type) ? Object.values(type.getFields()).map((below) => getNamedType(below.type).name) : [];
  return models.get(inner.find((name) => models.has(name)) ?? '');
}

const record = (model: Model): Reference => ({ kind: 'record', model, prop: model.key });

/** The record type of a place: by the declaration of its property, by its name, or by the type that the field returns. */
function named(place: Place): Model | undefined {
  const stem = place.name.replace(/Ids?$/, '');
  const own = modelOfOwner(place.owner);
  const declared = own?.props.get(place.name)?.target?.();
  // The inputs of a record's mutations repeat the fields of its own input.
  const alias = aliases[`${place.owner}.${stem}`] ?? aliases[`${own?.name}Input.${stem}`] ?? aliases[stem];
  return models.get(declared?.name ?? alias ?? stem[0]!.toUpperCase() + stem.slice(1));
}

/** The record type that a reference by the source's id names: by the member that holds it. The parent of a child is of several types. */
function namedBySource({ path }: Place): Model {
  const member = String(path.slice(0, -1).findLast((part) => typeof part === 'string'));
  const stem = member.replace(/s$/, '');
  return models.get(
    member === 'parent' ? 'Contact' : member === 'document' ? 'Invoice' : (aliases[member] ?? stem[0]!.toUpperCase() + stem.slice(1)),
  )!;
}

/** The reference of a place; undefined for a plain value. Throws for an id-like place without a known meaning. */
export function referenceOf(place: Place): Reference | undefined {
  const { name, owner, type } = place;
  if (isEnumType(type) || free.has(`${owner}.${name}`)) return undefined;
  if (['after', 'before'].includes(name)) return { kind: 'cursor' };
  if (owner === 'node' || owner === 'nodes') return { kind: 'any' };
  if (owner === 'RecordReferenceInput') return { kind: 'text', model: namedBySource(place), prop: name };
  const own = modelOfOwner(owner);
  if (textKeys.has(name) && own) return { kind: 'text', model: own, prop: name };
  if (type.name === 'ExternalId' || !(/(^id|Id|Ids)$/.test(name) || ['ID', 'UUID'].includes(type.name))) return undefined;
  if (name === 'id' || name === 'ledgerId') {
    const found = own ?? models.get(aliases[owner] ?? aliases[place.field.name] ?? '') ?? returned(place);
    if (found) return record(found);
  }
  const found = named(place);
  if (found) return record(found);
  throw new Error(`${owner}.${name} looks like an id, but not of a record: say in places.ts what it names`);
}

/** Values of plain places whose rules are stricter than their type. */
const samples: Record<string, unknown> = {
  country: 'US',
  jurisdiction: 'US',
  originCountry: 'US',
  url: 'https://receiver.example/hook',
  topics: '*',
  name: 'Sample',
  legalName: 'Sample Ltd',
  customsCode: '8471.30.0100',
  fileName: 'records.csv',
  first: 5,
  graceHours: 1,
  parentType: 'CONTACT',
  'VariantInput.parentType': 'ITEM',
  'LineItemInput.parentType': 'BILL_CREDIT_NOTE',
  'PaymentAllocationInput.documentType': 'INVOICE',
  'GovernmentIdentifierInput.key': 'US_EIN',
  'importRecords.file': 'platform_id,name\na,A\n',
  'importRecords.dataModel': 'TAX_RATE',
  'connector.source': 'DEMO',
  'previewImport.file': 'platform_id,name\na,A\n',
  'previewImport.dataModel': 'TAX_RATE',
  'createFile.content': 'sku,name\nA-1,Kettle\n',
  'RegistrationInputOptionFilters.jurisdictionIds': 'US_AL',
  'RegistrationPortalFilters.registrationContentIds': 'US_AL_RST',
  'CreateRegistrationInput.registrationContentId': 'US_AL_RST',
  'CreateRegistrationInput.taxTypes': 'RST',
  'CreateRegistrationInput.effectiveStartDate': '2020-01-01',
  'CreateIncorporationRequestInput.companyId': '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
  'CreateIncorporationRequestInput.corporationTypeInfo': { US: { state: 'DE', corporationType: 'CCorp' } },
};

const byType: Record<string, unknown> = {
  Boolean: false,
  CountryCode: 'US',
  DateTime: '2026-03-01T10:20:30.000Z',
  Decimal: 12.5,
  EmailAddress: 'name@example.com',
  Int: 1,
  JSON: {},
  JSONObject: {},
  Latitude: 51.5,
  LocalDate: '2026-03-01',
  Locale: 'fr',
  Longitude: -0.12,
  PositiveInt: 1,
  String: 'sample',
  Timestamp: 1,
  URL: 'https://site.example/page',
  IP: '192.0.2.1',
  ID: 'none_1',
  Upload: 'sample',
  ExternalId: 'sample',
  UUID: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
};

const companions = new Set(['platformId', 'documentType', 'taxTypes', 'effectiveStartDate', 'sku', 'name', 'legalName']);

/** Optional places that are sent anyway, because a rule requires them or the response would grow. */
export function isCompanion({ owner, name, path, field }: Place): boolean {
  if (!/Input$/.test(owner)) return name === 'first';
  // The platform id of a stored record cannot be changed.
  if (name === 'platformId' && field.name.startsWith('update')) return false;
  // A child within its parent's write has that parent.
  if (name === 'parentType' || name === 'parentId') return path.length <= 3;
  return companions.has(name);
}

/** A plain value that the place accepts. */
export function sampleOf({ owner, name, type }: Place): unknown {
  const given = samples[`${owner}.${name}`] ?? samples[name] ?? (isEnumType(type) ? type.getValues()[0]!.name : byType[type.name]);
  if (given === undefined) throw new Error(`no sample for ${owner}.${name}: ${type.name}`);
  return given;
}

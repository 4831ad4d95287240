// Writes of business entities and what belongs to them, inside a transaction of their organisation. Operators, incorporation and demo data use them.
import type { Services } from '../core/context.ts';
import { type EntityManager, executeIn } from '../core/database.ts';
import { emitEvents } from '../core/events.ts';
import { faulty, GatewayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { accept } from './registration-checks.ts';
import type { EntityForm } from './rules/corporation-types.ts';
import { categoryOf } from './rules/documents.ts';
import { checkIdentifier, IDENTIFIER_KINDS } from './rules/government-identifiers.ts';

/** Where an entity's writes happen. */
export interface EntityScope {
  em: EntityManager;
  services: Services;
  organisationId: number;
}

export interface NewEntity {
  legalName: string;
  country: string;
  state: string | null;
  corporationType: EntityForm;
  incorporationRequestId?: string | null;
}

const nowOf = ({ services }: EntityScope): string => services.clock.now().toISOString();

/** Stores an entity; answers its number. */
export async function insertEntity(scope: EntityScope, entity: NewEntity): Promise<number> {
  const rows = await executeIn<{ id: string | number }>(
    scope.em,
    `insert into business_entity (business_entity_id, organisation_id, legal_name, country, state, corporation_type, incorporation_request_id, created_at, updated_at)
     values (nextval('business_entity_id'), $1, $2, $3, $4, $5, $6, $7::timestamptz, $7::timestamptz) returning business_entity_id as id`,
    [scope.organisationId, entity.legalName, entity.country, entity.state, entity.corporationType, entity.incorporationRequestId ?? null, nowOf(scope)],
  );
  return Number(rows[0]!.id);
}

/** What the writes below need to know of an entity. */
export interface EntityFacts {
  businessEntityId: number;
  country: string;
  corporationType: EntityForm;
}

export interface NewEntityRegistration {
  purpose: string;
  displayName: string;
  description: string;
  jurisdiction?: string | null;
  country?: string | null;
  effectiveStartDate?: string | null;
  effectiveEndDate?: string | null;
  registeredBy?: string | null;
  status?: string | null;
  registrationStatus?: string | null;
  internalIdentifier?: string | null;
  isFunctionCritical?: boolean | null;
}

const fault = (field: string, message: string) => faulty([{ field, code: 'OUT_OF_RANGE', message }]);

/** Refuses a last day that is not after the first. */
export function checkPeriod(start: string | null | undefined, end: string | null | undefined): void {
  if (start && end && end <= start) throw fault('input.effectiveEndDate', 'effectiveEndDate must be after effectiveStartDate');
}

/** Federal countries call their own level FEDERAL, the others NATIONAL. */
const FEDERAL = new Set(['US', 'CA', 'AE', 'IN']);
const nationalLevel = (country: string): string => (FEDERAL.has(country) ? 'FEDERAL' : 'NATIONAL');

/** Stores a registration of an entity; answers its id. */
export async function insertEntityRegistration(scope: EntityScope, entity: EntityFacts, given: NewEntityRegistration): Promise<string> {
  checkPeriod(given.effectiveStartDate, given.effectiveEndDate);
  const country = given.country ?? entity.country;
  const jurisdiction = given.jurisdiction ?? nationalLevel(country);
  const isRegistry = given.purpose === 'CORPORATE_REGISTRY';
  const id = newId('ber');
  await executeIn(
    scope.em,
    `insert into business_entity_registration (id, organisation_id, country, jurisdiction, business_entity_id, corporation_type, effective_start_date, effective_end_date,
       registered_by, display_name, description, purpose, is_function_critical, is_custom, status, stored_standing, internal_identifier, recorded_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7::date, $8::date, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18::timestamptz, $18::timestamptz)`,
    [
      id,
      scope.organisationId,
      country,
      jurisdiction,
      entity.businessEntityId,
      entity.corporationType,
      given.effectiveStartDate ?? null,
      given.effectiveEndDate ?? null,
      given.registeredBy ?? 'PLATFORM',
      given.displayName,
      given.description,
      given.purpose,
      given.isFunctionCritical ?? isRegistry,
      given.purpose === 'OTHER',
      given.status ?? 'PENDING',
      given.registrationStatus ?? 'REGISTRATION_IN_PROGRESS',
      given.internalIdentifier ?? `${country}_${jurisdiction}_${isRegistry ? 'CORP_REGISTRY' : given.purpose}`,
      nowOf(scope),
    ],
  );
  return id;
}

/** A file of the organisation, from now on kept as long as the record that names it. */
export async function keepFile({ em, organisationId }: EntityScope, fileId: string): Promise<{ name: string }> {
  const rows = await executeIn<{ name: string }>(em, 'update stored_file set used = true where id = $1 and organisation_id = $2 and adopted returning name', [fileId, organisationId]);
  if (!rows[0]) throw new GatewayError('FILE_NOT_FOUND', `file ${fileId} was not found`, { field: 'input.fileId' });
  return rows[0];
}

export interface NewIdentifier {
  key: string;
  value: string;
  country?: string | null;
  jurisdiction?: string | null;
  displayName?: string | null;
  description?: string | null;
  purposes?: string[] | null;
  isFunctionCritical?: boolean | null;
  fileId?: string | null;
  registrationIds?: string[] | null;
}

interface CheckedKind {
  displayName: string;
  shortName: string;
  description: string;
  purposes: readonly string[];
  regexString: string | null;
  documentType: string;
  isCustom: boolean;
  country: string;
  value: string;
  compact: string;
  verdict: 'VALID' | 'INVALID';
}

/** What the catalogue says of the kind, or, for a kind it does not have, what the operator said. */
function kindOf(entity: EntityFacts, given: NewIdentifier): CheckedKind {
  const kind = IDENTIFIER_KINDS.get(given.key);
  if (!kind) {
    if (!given.displayName) throw faulty([{ field: 'input.displayName', code: 'REQUIRED', message: `displayName is required: the catalogue has no ${given.key}` }]);
    const { displayName, value } = given;
    const purposes = given.purposes ?? ['TAXATION'];
    const shared = { displayName, shortName: displayName, description: given.description ?? displayName, purposes, regexString: null, documentType: 'Other', isCustom: true };
    return { ...shared, country: given.country ?? entity.country, value, compact: value.toUpperCase().replace(/[\s./-]/g, ''), verdict: 'VALID' };
  }
  const forms = kind.corporationTypes;
  if (forms && !forms.includes(entity.corporationType)) {
    throw faulty([{ field: 'input.key', code: 'MISMATCH', message: `${given.key} belongs to ${forms.join(', ')}; the entity is a ${entity.corporationType}` }]);
  }
  const { value, compact, verdict } = accept(checkIdentifier(given.key, given.value), 'input.');
  return { ...kind, isCustom: false, value, compact, verdict: verdict === 'valid' ? 'VALID' : 'INVALID' };
}

/** Registrations an identifier is linked to must belong to its entity. */
async function requireOwnRegistrations({ em }: EntityScope, businessEntityId: number, ids: readonly string[]): Promise<void> {
  const rows = await executeIn<{ id: string }>(em, 'select id from business_entity_registration where business_entity_id = $1 and id = any($2::text[])', [businessEntityId, ids]);
  const stray = ids.find((id) => !rows.some((row) => row.id === id));
  if (stray) throw new GatewayError('REGISTRATION_NOT_FOUND', `${stray} is not a registration of business entity ${businessEntityId}`, { field: 'registrationId' });
}

/** Stores an identifier of an entity; a wrong check digit where that is no ground for refusal makes it INVALID and is remarked on. */
export async function insertIdentifier(scope: EntityScope, entity: EntityFacts, given: NewIdentifier): Promise<{ id: string; warnings: string[] }> {
  const kind = kindOf(entity, given);
  const registrationIds = given.registrationIds ?? [];
  await requireOwnRegistrations(scope, entity.businessEntityId, registrationIds);
  const file = given.fileId ? await keepFile(scope, given.fileId) : null;
  const id = newId('gid');
  await executeIn(
    scope.em,
    `insert into government_identifier (id, organisation_id, business_entity_id, country, corporation_type, key, display_name, short_name, description, purposes,
       is_function_critical, is_custom, jurisdiction, value, compact, regex_string, verdict, registration_ids, document_id, document_file_id, document_file_name,
       document_sub_type, recorded_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14, $15, $16, $17, $18::jsonb,
       case when $19::text is null then null else nextval('document_id') end, $19, $20, $21, $22::timestamptz, $22::timestamptz)`,
    [
      id,
      scope.organisationId,
      entity.businessEntityId,
      kind.country,
      entity.corporationType,
      given.key,
      kind.displayName,
      kind.shortName,
      kind.description,
      JSON.stringify(kind.purposes),
      given.isFunctionCritical ?? kind.purposes[0] === 'TAXATION',
      kind.isCustom,
      given.jurisdiction ?? nationalLevel(kind.country),
      kind.value,
      kind.compact,
      kind.regexString,
      kind.verdict,
      JSON.stringify(registrationIds),
      given.fileId ?? null,
      file?.name ?? null,
      file ? kind.documentType : null,
      nowOf(scope),
    ],
  );
  return { id, warnings: kind.verdict === 'INVALID' ? [`value ${kind.value} was stored as INVALID: its check digits do not fit`] : [] };
}

/** Links an identifier to a registration of the same entity; linking twice changes nothing. */
export async function linkIdentifier(scope: EntityScope, identifierId: string, registrationId: string): Promise<number> {
  const rows = await executeIn<{ entity: string | number }>(scope.em, 'select business_entity_id as entity from government_identifier where id = $1 for update', [identifierId]);
  const businessEntityId = Number(rows[0]!.entity);
  await requireOwnRegistrations(scope, businessEntityId, [registrationId]);
  await executeIn(
    scope.em,
    `update government_identifier set registration_ids = registration_ids || to_jsonb($2::text), changed_at = $3::timestamptz where id = $1 and not registration_ids @> to_jsonb($2::text)`,
    [identifierId, registrationId, nowOf(scope)],
  );
  return businessEntityId;
}

export interface NewAcknowledgement {
  documentSubType: string;
  documentType?: string | null;
  explicitDocumentType?: string | null;
  fileId: string;
  isUnique?: boolean | null;
  complianceTag?: string | null;
  compliancePurpose?: string | null;
  dateOfIssuance?: string | null;
  dateOfExpiration?: string | null;
  effectiveStartDate?: string | null;
  effectiveEndDate?: string | null;
  data?: Record<string, unknown> | null;
}

/** Stores a document of a registration; answers its number. */
export async function insertAcknowledgement(scope: EntityScope, registrationId: string, given: NewAcknowledgement): Promise<number> {
  checkPeriod(given.effectiveStartDate, given.effectiveEndDate);
  const explicit = given.explicitDocumentType ?? '';
  if ((given.documentSubType === 'Other') !== (explicit !== '')) {
    throw faulty([{ field: 'input.explicitDocumentType', code: explicit ? 'INVALID_VALUE' : 'REQUIRED', message: 'explicitDocumentType names the kind when documentSubType is Other, and only then' }]);
  }
  const file = await keepFile(scope, given.fileId);
  const rows = await executeIn<{ id: string | number }>(
    scope.em,
    `insert into acknowledgement (id, organisation_id, registration_id, document_type, document_sub_type, explicit_document_type, supports_data_storage, is_time_sensitive,
       is_unique, file_name, file_id, compliance_tag, compliance_purpose, date_of_issuance, date_of_expiration, effective_start_date, effective_end_date, data, attached_at, changed_at)
     values (nextval('document_id'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::date, $14::date, $15::date, $16::date, $17::jsonb, $18::timestamptz, $18::timestamptz)
     returning id`,
    [
      scope.organisationId,
      registrationId,
      given.documentType ?? categoryOf(given.documentSubType),
      given.documentSubType,
      explicit,
      given.data != null,
      given.dateOfExpiration != null,
      given.isUnique ?? true,
      file.name,
      given.fileId,
      given.complianceTag ?? null,
      given.compliancePurpose ?? null,
      given.dateOfIssuance ?? null,
      given.dateOfExpiration ?? null,
      given.effectiveStartDate ?? null,
      given.effectiveEndDate ?? null,
      JSON.stringify(given.data ?? {}),
      nowOf(scope),
    ],
  );
  return Number(rows[0]!.id);
}

/** The event that a registration of an entity changed. */
export function emitEntityChange({ em, services, organisationId }: EntityScope, businessEntityId: number, registrationId: string): Promise<void> {
  const data = { business_entity_id: businessEntityId, registration_id: registrationId };
  return emitEvents(em, { services, organisationId, organisation: null }, [{ topic: 'BUSINESS_ENTITY.REGISTRATION.UPDATED', data }]);
}

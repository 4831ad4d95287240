// Writes of business entities and what belongs to them, inside a transaction of their organisation. Operators, incorporation and demo data use them.
import type { Services } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { emitEvents } from '../../events/events.ts';
import { GatewayError, inputError, invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import type { EntityForm } from '../shared/corporation-types.ts';
import { categoryOf } from './documents.ts';

/** The open transaction of a write, and the organisation that owns the entity. */
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

/** The current time as ISO text, for the parameters of statements. */
export const nowOf = ({ services }: EntityScope): string => services.clock.now().toISOString();

/** Stores an entity; returns its number. */
export async function insertEntity(scope: EntityScope, entity: NewEntity): Promise<number> {
  const rows = await executeIn<{ id: string | number }>(
    scope.em,
    `insert into business_entity (business_entity_id, organisation_id, legal_name, country, state, corporation_type, incorporation_request_id, created_at, updated_at)
     values (nextval('business_entity_id'), $1, $2, $3, $4, $5, $6, $7::timestamptz, $7::timestamptz) returning business_entity_id as id`,
    [
      scope.organisationId,
      entity.legalName,
      entity.country,
      entity.state,
      entity.corporationType,
      entity.incorporationRequestId ?? null,
      nowOf(scope),
    ],
  );
  return Number(rows[0]!.id);
}

/** The properties of an entity that the writes below need. */
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

const outOfRange = (field: string, message: string) => inputError([{ field, code: 'OUT_OF_RANGE', message }]);

/** Refuses a last day that is not after the first. */
export function checkPeriod(start: string | null | undefined, end: string | null | undefined): void {
  if (start && end && end <= start) throw outOfRange('input.effectiveEndDate', 'effectiveEndDate must be after the start date');
}

const FEDERAL = new Set(['US', 'CA', 'AE', 'IN']);
/** The jurisdiction of the national level: FEDERAL in federal countries, NATIONAL in others. */
export const nationalLevel = (country: string): string => (FEDERAL.has(country) ? 'FEDERAL' : 'NATIONAL');

/** Stores a registration of an entity; returns its id. */
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

/** Fields of a registration to change; absent ones keep their value. */
export type EntityRegistrationChange = { [name in keyof typeof CHANGEABLE]?: string | null };

const CHANGEABLE = {
  displayName: 'display_name',
  description: 'description',
  effectiveStartDate: 'effective_start_date',
  effectiveEndDate: 'effective_end_date',
  status: 'status',
  registrationStatus: 'stored_standing',
} as const;

/** Writes the given fields of a registration; returns the number of its entity. */
export async function changeRegistration(scope: EntityScope, id: string, input: EntityRegistrationChange): Promise<number> {
  const [stored] = await executeIn<{ starts: string | null; ends: string | null }>(
    scope.em,
    'select effective_start_date::text as starts, effective_end_date::text as ends from business_entity_registration where id = $1 for update',
    [id],
  );
  const start = input.effectiveStartDate === undefined ? stored!.starts : input.effectiveStartDate;
  const end = input.effectiveEndDate === undefined ? stored!.ends : input.effectiveEndDate;
  checkPeriod(start, end);
  for (const name of ['displayName', 'description', 'status', 'registrationStatus'] as const) {
    if (input[name] === null) throw invalid(`input.${name}`, `${name} cannot be cleared`);
  }
  const given = (Object.keys(CHANGEABLE) as (keyof typeof CHANGEABLE)[]).filter((name) => input[name] !== undefined);
  const assignments = given.map((name, at) => `${CHANGEABLE[name]} = $${at + 3}::${name.endsWith('Date') ? 'date' : 'text'}`);
  const rows = await executeIn<{ entity: string | number }>(
    scope.em,
    `update business_entity_registration set ${['changed_at = $2::timestamptz', ...assignments].join(', ')} where id = $1 returning business_entity_id as entity`,
    [id, nowOf(scope), ...given.map((name) => input[name])],
  );
  return Number(rows[0]!.entity);
}

/** Marks a file of the organisation as used, so that it does not expire. FILE_NOT_FOUND when there is none. */
export async function markFileUsed({ em, organisationId }: EntityScope, fileId: string): Promise<{ name: string }> {
  const rows = await executeIn<{ name: string }>(
    em,
    'update stored_file set used = true where id = $1 and organisation_id = $2 and adopted returning name',
    [fileId, organisationId],
  );
  if (!rows[0]) throw new GatewayError('FILE_NOT_FOUND', `file ${fileId} was not found`, { field: 'input.fileId' });
  return rows[0];
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

/** Stores a document of a registration; returns its number. */
export async function insertAcknowledgement(scope: EntityScope, registrationId: string, given: NewAcknowledgement): Promise<number> {
  checkPeriod(given.effectiveStartDate, given.effectiveEndDate);
  const explicit = given.explicitDocumentType ?? '';
  if ((given.documentSubType === 'Other') !== (explicit !== '')) {
    throw inputError([
      {
        field: 'input.explicitDocumentType',
        code: explicit ? 'INVALID_VALUE' : 'REQUIRED',
        message: 'explicitDocumentType is required when documentSubType is Other, and not allowed otherwise',
      },
    ]);
  }
  const file = await markFileUsed(scope, given.fileId);
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

/** Emits the event that a registration of an entity changed. */
export function emitEntityChange(
  { em, services, organisationId }: EntityScope,
  businessEntityId: number,
  registrationId: string,
): Promise<void> {
  const data = { business_entity_id: businessEntityId, registration_id: registrationId };
  return emitEvents(em, { services, organisationId, organisation: null }, [{ topic: 'BUSINESS_ENTITY.REGISTRATION.UPDATED', data }]);
}

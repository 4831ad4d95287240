// Writes of business entities and what belongs to them, inside a transaction of their organisation. Operators, incorporation and demo data use them.
import type { RequiredEntityData } from '@mikro-orm/core';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { emitEvents } from '../../events/events.ts';
import { StoredFile } from '../../files/stored-file.ts';
import type { Gathering } from '../../records/checked.ts';
import { accept } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import { checkChange, checkNew, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { writableProps } from '../../records/metadata.ts';
import { lockRecord } from '../shared/transitions.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration } from './business-entity.ts';

/** The open transaction of a write, and the organisation that owns the entity. */
export interface EntityScope {
  em: EntityManager;
  services: Services;
  organisationId: number;
}

/** The properties of an entity that the writes of its registrations and numbers need. */
export type EntityFacts = Pick<BusinessEntity, 'businessEntityId' | 'country' | 'corporationType'>;

/** Stores an entity with checked fields. */
export async function insertEntity(
  { em, services, organisationId }: EntityScope,
  fields: Omit<RequiredEntityData<BusinessEntity>, 'businessEntityId' | 'organisationId' | 'createdAt' | 'updatedAt'>,
): Promise<EntityFacts> {
  const now = services.clock.now();
  const entity = em.create(BusinessEntity, { ...fields, organisationId, createdAt: now, updatedAt: now });
  // The database numbers the entity, and what belongs to it names that number.
  await em.flush();
  return entity;
}

interface Period {
  effectiveStartDate?: string | null;
  effectiveEndDate?: string | null;
}

/** Rejects a last day that is not after the first. */
const checkPeriod =
  (stored: Period = {}) =>
  (fields: Period, gathering: Gathering): void => {
    const { effectiveStartDate: start, effectiveEndDate: end } = {
      effectiveStartDate: stored.effectiveStartDate,
      effectiveEndDate: stored.effectiveEndDate,
      ...fields,
    };
    if (start && end && end <= start) gathering.add('effectiveEndDate', 'OUT_OF_RANGE', 'effectiveEndDate must be after the start date');
  };

/** What a caller sends of a registration; its standing is stored as `storedStanding`. */
export type GivenRegistration = Given<BusinessEntityRegistration> & { registrationStatus?: string | null };

/** Stores a registration of an entity; returns its id. */
export function insertEntityRegistration(
  { em, services, organisationId }: EntityScope,
  { businessEntityId, country, corporationType }: EntityFacts,
  { registrationStatus, ...given }: GivenRegistration,
): string {
  const known = { businessEntityId, country, corporationType };
  const fields = accept(checkNew(BusinessEntityRegistration, given, known, checkPeriod()), 'input.');
  const id = newId('ber');
  const now = services.clock.now();
  const made = em.create(BusinessEntityRegistration, {
    ...fields,
    ...known,
    id,
    organisationId,
    isCustom: fields.purpose === 'OTHER',
    storedStanding: registrationStatus ?? 'REGISTRATION_IN_PROGRESS',
    recordedAt: now,
    changedAt: now,
  });
  em.persist(made);
  return id;
}

/** Writes the given fields of a registration; returns the number of its entity. */
export async function changeRegistration(
  { em, services }: EntityScope,
  id: string,
  { registrationStatus, ...given }: GivenRegistration,
): Promise<number> {
  const stored = await lockRecord(em, BusinessEntityRegistration, { id }, { id, field: 'id' });
  for (const { name, required } of writableProps<BusinessEntityRegistration>(BusinessEntityRegistration))
    if (required && given[name] === null) throw invalid(`input.${name}`, `${name} cannot be cleared`);
  if (registrationStatus === null) throw invalid('input.registrationStatus', 'registrationStatus cannot be cleared');
  const fields = accept(checkChange(BusinessEntityRegistration, given, stored, checkPeriod(stored)), 'input.');
  const standing = registrationStatus === undefined ? {} : { storedStanding: registrationStatus };
  em.assign(stored, { ...fields, ...standing, changedAt: services.clock.now() }, { mergeObjectProperties: false });
  return stored.businessEntityId;
}

/** Marks a file of the organisation as used, so that it does not expire. FILE_NOT_FOUND if it does not exist. */
export async function markFileUsed({ em }: EntityScope, id: string): Promise<StoredFile> {
  const file = await lockRecord(em, StoredFile, { id, adopted: true }, { id, field: 'input.fileId' });
  file.used = true;
  return file;
}

/** Stores a document of a registration; returns its number. */
export async function insertAcknowledgement(scope: EntityScope, registrationId: string, given: Given<Acknowledgement>): Promise<number> {
  const { em, services, organisationId } = scope;
  const fields = accept(
    checkNew(Acknowledgement, given, {}, (checked, gathering) => {
      checkPeriod()(checked, gathering);
      const named = (checked.explicitDocumentType ?? '') !== '';
      if ((checked.documentSubType === 'Other') === named) return;
      const message = 'explicitDocumentType is required when documentSubType is Other, and not allowed otherwise';
      gathering.add('explicitDocumentType', named ? 'INVALID_VALUE' : 'REQUIRED', message);
    }),
    'input.',
  );
  const { name: fileName } = await markFileUsed(scope, fields.fileId);
  const now = services.clock.now();
  const made = em.create(Acknowledgement, {
    ...fields,
    organisationId,
    registrationId,
    fileName,
    supportsDataStorage: given.data != null,
    isTimeSensitive: fields.dateOfExpiration != null,
    attachedAt: now,
    changedAt: now,
  });
  await em.flush();
  return made.id;
}

/** Emits the event that a registration of an entity changed. */
export function emitEntityChange({ em, services, organisationId }: EntityScope, businessEntityId: number, registrationId: string): void {
  const data = { business_entity_id: businessEntityId, registration_id: registrationId };
  emitEvents(em, { services, organisationId, organisation: null }, [
    { topic: 'BUSINESS_ENTITY.REGISTRATION.UPDATED', subject: registrationId, data },
  ]);
}

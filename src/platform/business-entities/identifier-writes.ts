// Writes of government identifiers, inside a transaction of their organisation.
import { raw } from '@mikro-orm/core';
import type { Written } from '../../graphql/declared/payloads.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError, inputError } from '../../records/errors.ts';
import { checkNew, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { checkIdentifier, IDENTIFIER_KINDS } from '../shared/government-identifiers.ts';
import { lockRecord } from '../shared/transitions.ts';
import { BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { type EntityFacts, type EntityScope, markFileUsed } from './writes.ts';

/** What a caller sends of an identifier; `fileId` is the file that proves it. */
export type GivenIdentifier = Given<GovernmentIdentifier> & { fileId?: string | null; registrationIds?: readonly string[] | null };

const refused = (field: string, code: 'REQUIRED' | 'MISMATCH', message: string): Error =>
  inputError({ issues: [{ field: `input.${field}`, code, message }] });

/** What the catalogue or, for a kind it does not have, the number itself says of an identifier. */
function catalogued({ corporationType }: EntityFacts, { key, value, displayName }: Record<'key' | 'value' | 'displayName', string>) {
  const kind = IDENTIFIER_KINDS.get(key);
  if (!kind) {
    const compact = value.toUpperCase().replace(/[\s./-]/g, '');
    return { shortName: displayName, regexString: null, isCustom: true, value, compact, verdict: 'VALID' };
  }
  const forms = kind.corporationTypes;
  if (forms && !forms.includes(corporationType))
    throw refused('key', 'MISMATCH', `${key} belongs to ${forms.join(', ')}; the corporation type of the entity is ${corporationType}`);
  const checked = accept(checkIdentifier(key, value), 'input.');
  const { shortName, regexString } = kind;
  const verdict = checked.verdict === 'valid' ? 'VALID' : 'INVALID';
  return { shortName, regexString, isCustom: false, value: checked.value, compact: checked.compact, verdict };
}

/** Throws unless all registrations belong to the entity. */
async function requireOwnRegistrations({ em }: EntityScope, businessEntityId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await em.find(BusinessEntityRegistration, { businessEntityId, id: { $in: [...ids] } }, { fields: ['id'] });
  const own = new Set(rows.map(({ id }) => id));
  const stray = ids.find((id) => !own.has(id));
  if (stray)
    throw new GatewayError('REGISTRATION_NOT_FOUND', `${stray} is not a registration of business entity ${businessEntityId}`, {
      field: 'registrationId',
    });
}

/** Stores an identifier of an entity. Check digits that do not fit make it INVALID and add a warning. */
export async function insertIdentifier(
  scope: EntityScope,
  entity: EntityFacts,
  { fileId, ...given }: GivenIdentifier,
): Promise<Written<string>> {
  const kind = IDENTIFIER_KINDS.get(String(given.key));
  if (!kind && !given.displayName) throw refused('displayName', 'REQUIRED', `displayName is required: the catalogue has no ${given.key}`);
  const { businessEntityId, corporationType } = entity;
  const known = { businessEntityId, corporationType, country: kind?.country ?? entity.country };
  // The catalogue names the kinds it has.
  const catalogue = kind ? { displayName: undefined, description: undefined, purposes: undefined } : {};
  const fields = accept(checkNew(GovernmentIdentifier, { ...given, ...catalogue }, known), 'input.');
  const number = catalogued(entity, fields);
  await requireOwnRegistrations(scope, businessEntityId, fields.registrationIds);
  const file = fileId ? await markFileUsed(scope, fileId) : null;
  const document = file && {
    documentId: raw<number>(`nextval('document_id')`),
    documentFileId: fileId!,
    documentFileName: file.name,
    documentSubType: kind?.documentType ?? 'Other',
  };
  const id = newId('gid');
  const now = scope.services.clock.now();
  const { em, organisationId } = scope;
  const own = { ...known, ...number, ...document, id, organisationId, recordedAt: now, changedAt: now };
  em.persist(em.create(GovernmentIdentifier, { ...fields, ...own }));
  return {
    id,
    warnings: number.verdict === 'INVALID' ? [`value ${number.value} was stored as INVALID: its check digits do not fit`] : [],
  };
}

/** Links an identifier to a registration of the same entity; linking twice changes nothing. Returns the number of the entity. */
export async function linkIdentifier(scope: EntityScope, id: string, registrationId: string): Promise<number> {
  const identifier = await lockRecord(scope.em, GovernmentIdentifier, { id }, { id, field: 'identifierId' });
  const { businessEntityId, registrationIds } = identifier;
  await requireOwnRegistrations(scope, businessEntityId, [registrationId]);
  if (!registrationIds.includes(registrationId)) {
    identifier.registrationIds = [...registrationIds, registrationId];
    identifier.changedAt = scope.services.clock.now();
  }
  return businessEntityId;
}

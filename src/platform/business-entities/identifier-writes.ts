// Writes of government identifiers, inside a transaction of their organisation.
import { executeIn } from '../../database/open.ts';
import { GatewayError, inputError } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { accept } from '../shared/checks.ts';
import { checkIdentifier, IDENTIFIER_KINDS } from '../shared/government-identifiers.ts';
import { type EntityFacts, type EntityScope, markFileUsed, nationalLevel, nowOf } from './writes.ts';

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

/** The kind of an identifier: from the catalogue, or from the input when the catalogue does not have it. */
function kindOf(entity: EntityFacts, given: NewIdentifier): CheckedKind {
  const kind = IDENTIFIER_KINDS.get(given.key);
  if (!kind) {
    if (!given.displayName)
      throw inputError([
        { field: 'input.displayName', code: 'REQUIRED', message: `displayName is required: the catalogue has no ${given.key}` },
      ]);
    const { displayName, value } = given;
    const purposes = given.purposes ?? ['TAXATION'];
    const shared = {
      displayName,
      shortName: displayName,
      description: given.description ?? displayName,
      purposes,
      regexString: null,
      documentType: 'Other',
      isCustom: true,
    };
    return {
      ...shared,
      country: given.country ?? entity.country,
      value,
      compact: value.toUpperCase().replace(/[\s./-]/g, ''),
      verdict: 'VALID',
    };
  }
  const forms = kind.corporationTypes;
  if (forms && !forms.includes(entity.corporationType)) {
    throw inputError([
      {
        field: 'input.key',
        code: 'MISMATCH',
        message: `${given.key} belongs to ${forms.join(', ')}; the entity is a ${entity.corporationType}`,
      },
    ]);
  }
  const { value, compact, verdict } = accept(checkIdentifier(given.key, given.value), 'input.');
  return { ...kind, isCustom: false, value, compact, verdict: verdict === 'valid' ? 'VALID' : 'INVALID' };
}

/** Throws unless all registrations belong to the entity. */
async function requireOwnRegistrations({ em }: EntityScope, businessEntityId: number, ids: readonly string[]): Promise<void> {
  const rows = await executeIn<{ id: string }>(
    em,
    'select id from business_entity_registration where business_entity_id = $1 and id = any($2::text[])',
    [businessEntityId, ids],
  );
  const stray = ids.find((id) => !rows.some((row) => row.id === id));
  if (stray)
    throw new GatewayError('REGISTRATION_NOT_FOUND', `${stray} is not a registration of business entity ${businessEntityId}`, {
      field: 'registrationId',
    });
}

/** Stores an identifier of an entity. Wrong check digits refuse it in some countries; in others they make it INVALID and add a warning. */
export async function insertIdentifier(
  scope: EntityScope,
  entity: EntityFacts,
  given: NewIdentifier,
): Promise<{ id: string; warnings: string[] }> {
  const kind = kindOf(entity, given);
  const registrationIds = given.registrationIds ?? [];
  await requireOwnRegistrations(scope, entity.businessEntityId, registrationIds);
  const file = given.fileId ? await markFileUsed(scope, given.fileId) : null;
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
  const rows = await executeIn<{ entity: string | number }>(
    scope.em,
    'select business_entity_id as entity from government_identifier where id = $1 for update',
    [identifierId],
  );
  const businessEntityId = Number(rows[0]!.entity);
  await requireOwnRegistrations(scope, businessEntityId, [registrationId]);
  await executeIn(
    scope.em,
    `update government_identifier set registration_ids = registration_ids || to_jsonb($2::text), changed_at = $3::timestamptz where id = $1 and not registration_ids @> to_jsonb($2::text)`,
    [identifierId, registrationId, nowOf(scope)],
  );
  return businessEntityId;
}

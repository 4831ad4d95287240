// Corporations: the companies of a sales tax partner. Record and input types.
import type { Opt } from '@mikro-orm/core';
import { createInput } from '../../graphql/input-types.ts';
import { Node } from '../../graphql/node.ts';
import { type FieldCheck, passed } from '../../records/checked.ts';
import {
  country,
  derived,
  email,
  embeddable,
  embedded,
  identifier,
  key,
  ledgerNumber,
  list,
  moment,
  record,
  text,
  url,
  version,
} from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { checkMailAddress, checkWebAddress, line, textOf } from '../../records/text.ts';
import { legalForm } from '../entity-forms/entity-type.ts';
import { countryCode, subdivisionIn } from '../shared/countries.ts';
import { checkTaxIds } from '../shared/government-identifiers.ts';
import { checkAddress, RegisteredAddress, RegisteredAddressInput } from './address.ts';

export const CorporationStatus = defineEnum('CorporationStatus', 'Whether a corporation is in use.', {
  ACTIVE: 'In use.',
  ARCHIVED: 'Deleted, with its products and registrations.',
});

@embeddable('A number that a government assigned to a corporation.')
export class TaxId {
  @text('Kind of number, such as US_EIN.', { required: true, createDescription: 'Kind of number, such as US_EIN; one number per kind.' })
  type!: string;
  @key('The number as submitted.', {
    required: true,
    createDescription: 'The number, checked for its format and, if any, its check digits.',
  })
  value!: string;
}

const TaxIdInput = createInput(TaxId, 'A number that a government assigned to a corporation.', { name: 'TaxIdInput' });

const emailAlias = textOf({ max: 64, pattern: /^[a-z0-9-]+$/, patternHint: 'consist of lower-case letters, digits and hyphens' });

const taxIds: FieldCheck = (field, value) => {
  const checked = checkTaxIds(value, field);
  if (!checked.ok) return checked;
  const doubtful = checked.value.filter(({ verdict }) => verdict === 'warning');
  return passed(
    checked.value.map((id) => ({ type: id.type, value: id.value })),
    doubtful.map(({ type }) => `The check digits of the ${type} do not fit`),
  );
};

/** Most companies that a corporation names; each is read when its sales are summed. */
const MAX_COMPANIES = 100;

@record({
  description: 'A company of a sales tax partner; owner of products and registrations.',
  scope: 'organisation',
  key: 'id',
  prefix: 'corp',
  deletedAt: 'archivedAt',
  notFound: 'CORPORATION_NOT_FOUND',
  unique: [
    { name: 'corporation_external_id_key', columns: 'organisation_id, external_id', where: 'archived_at is null' },
    { name: 'corporation_email_alias_key', columns: 'organisation_id, email_alias', where: 'archived_at is null' },
  ],
  listed: true,
  followed: true,
  indexes: [
    { name: 'corporation_list', columns: 'organisation_id, created_at, id', where: 'archived_at is null' },
    { name: 'corporation_with_companies', columns: 'id', where: 'company_ids is not null and archived_at is null' },
  ],
  node: { roles: ['PLATFORM'] },
  implements: Node,
})
export class Corporation {
  @version('id', 'updatedAt') etag!: Opt<string>;
  @identifier('Identifier, `corp_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the corporation.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @text('Registered name with its legal suffix, up to 255 characters.', {
    required: true,
    list: 'indexed',
    search: true,
    check: line(255),
  })
  legalName!: string;
  @country('Country of registration, two letters (ISO 3166-1).', { required: true, list: 'indexed', check: countryCode })
  jurisdiction!: string;
  @text('Subdivision of formation: the suffix of an ISO 3166-2 code.', {
    check: subdivisionIn('jurisdiction'),
  })
  state!: string | null;
  @text(
    'Legal form: a value of EntityForm such as C_CORP, or an ISO 20275 code such as 2HBR. Input may also be a local abbreviation such as "GmbH".',
    { check: legalForm },
  )
  entityType!: string | null;
  @text('Local part of the email address for authorities: up to 64 of a-z, 0-9 and hyphen; unique.', {
    list: 'indexed',
    search: true,
    check: emailAlias,
  })
  emailAlias!: string | null;
  @key('Your own unique key, at most 128 characters.', { list: 'indexed', search: true, check: line(128) }) externalId!: string | null;
  @embedded(() => TaxId, 'Tax ids of the corporation, one per kind.', {
    array: true,
    required: true,
    fallback: [],
    input: () => [TaxIdInput],
    check: taxIds,
  })
  taxIds!: TaxId[];
  @embedded(() => RegisteredAddress, 'Registered address.', { input: () => RegisteredAddressInput, check: checkAddress })
  address!: RegisteredAddress | null;
  @list(() => PositiveInt, 'The companies whose invoices are the sales of the corporation; null for none.', {
    names: 'Company',
    createDescription:
      'Companies of the organisation whose invoices are the sales of the corporation, at most 100. Naming one takes the role INTEGRATIONS as well, because callers of the platform then see its sales by jurisdiction.',
    rules: { minItems: 1, maxItems: MAX_COMPANIES, unique: true },
  })
  companyIds!: number[] | null;
  @email('Email address of a contact person.', { search: true, check: checkMailAddress }) contactEmail!: string | null;
  @url('Web address, http or https.', { search: true, check: checkWebAddress }) website!: string | null;
  @derived(
    () => CorporationStatus.values,
    'ACTIVE, or ARCHIVED once it is deleted.',
    ['archivedAt'],
    (row) => (row.archivedAt === null ? 'ACTIVE' : 'ARCHIVED'),
  )
  status!: Opt<string>;
  @moment('When it was created.', { required: true, write: 'never' }) createdAt!: Date;
  @moment('When it last changed.', { required: true, write: 'never' }) updatedAt!: Date;
  @moment('When it was archived.', { write: 'never', hidden: true }) archivedAt!: Date | null;
}

// The tables of organisations and their access keys.
import { identifier, key, ledgerNumber, list, moment, record, text } from '../records/decorators.ts';
import { Role, type RoleName } from '../records/roles.ts';
import { PositiveInt } from '../records/scalars.ts';

@record({
  description: 'A customer of the gateway; owner of every other record.',
  scope: 'shared',
  key: 'id',
  prefix: 'org',
  notFound: 'PARTNER_NOT_FOUND',
  unique: [
    { name: 'organisation_name_key', columns: 'name' },
    { name: 'organisation_public_id_key', columns: 'public_id' },
  ],
  internal: true,
})
export class Organisation {
  @ledgerNumber('Internal number.', { required: true, sequence: 'organisation_id' }) id!: number;
  @text('Public id, `org_…`.', { required: true }) publicId!: string;
  @text('Name, unique.', { required: true }) name!: string;
  @moment('When it was created.', { required: true }) createdAt!: Date;
}

const set = { required: true, write: 'never' } as const;

@record({
  description: 'A credential of an organisation. Its value is shown once, when the key is issued; only a hash is stored.',
  scope: 'shared',
  key: 'id',
  prefix: 'key',
  notFound: 'ACCESS_KEY_NOT_FOUND',
  unique: [{ name: 'access_key_hash_key', columns: 'hash' }],
  indexes: [{ name: 'access_key_organisation', columns: 'organisation_name, id' }],
})
export class AccessKey {
  @identifier('Identifier, `key_…`.', set) id!: string;
  @ledgerNumber('Internal number of the organisation.', { required: true, hidden: true }) organisationId!: number;
  @key('Name of the organisation that owns the key.', {
    required: true,
    rules: { minLength: 1, maxLength: 255 },
    createDescription: 'Organisation of the key; a new name creates it.',
  })
  organisationName!: string;
  @list(() => Role.values, 'Roles of the key: the permitted operations.', {
    required: true,
    rules: { minItems: 1, unique: true },
    createDescription: 'Roles of the key.',
  })
  roles!: RoleName[];
  @key('Free text that identifies the key for people.', { rules: { maxLength: 255 } }) label!: string | null;
  @list(() => PositiveInt, 'Companies that the key is limited to; null for all of the organisation.', {
    names: 'Company',
    rules: { minItems: 1, maxItems: 1000, unique: true },
    createDescription: 'Companies that the key is limited to; default all of the organisation.',
  })
  companyIds!: number[] | null;
  @list(() => String, 'Documents of which agents with the key get each as a tool of its own; null for none.', {
    rules: { minItems: 1, maxItems: 50, unique: true },
    createDescription:
      'Documents of which agents with the key get each as a tool of its own: one query or mutation with a name, which is that of the tool. Comments at the beginning are its description.',
  })
  tools!: string[] | null;
  @moment('When the key expires; null for never.', { createDescription: 'When the key expires; default never.' })
  expiresAt!: Date | null;
  @moment('When the key was revoked.', { write: 'never' }) revokedAt!: Date | null;
  @moment('When the key was last used, to the minute.', { write: 'never' }) lastUsedAt!: Date | null;
  @moment('When the key was issued.', set) createdAt!: Date;
  @text('Prefix and last four characters of the value.', set) keyPreview!: string;
  @text('SHA-256 of the value, hexadecimal.', { required: true, hidden: true }) hash!: string;
}

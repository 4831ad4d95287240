// The tables of organisations and their access keys.
import { identifier, ledgerNumber, list, moment, record, text } from '../records/decorators.ts';
import { PositiveInt } from '../records/scalars.ts';
import { Role, type RoleName } from './principal.ts';

@record({
  description: 'A customer of the gateway; owner of every other record.',
  scope: 'shared',
  key: 'id',
  prefix: 'org',
  primaryKey: ['id'],
  unique: [
    { name: 'organisation_name_key', columns: 'name' },
    { name: 'organisation_public_id_key', columns: 'public_id' },
  ],
  internal: true,
})
export class Organisation {
  @ledgerNumber('Internal number.', { required: true }) id!: number;
  @text('Public id, `org_…`.', { required: true }) publicId!: string;
  @text('Name, unique.', { required: true }) name!: string;
  @moment('When it was created.', { required: true }) createdAt!: Date;
}

@record({
  description: 'A credential of an organisation. Its value is shown once, at issue; only a hash is stored.',
  scope: 'shared',
  key: 'id',
  prefix: 'key',
  primaryKey: ['id'],
  unique: [{ name: 'access_key_hash_key', columns: 'hash' }],
  indexes: [{ name: 'access_key_organisation', columns: 'organisation_name, id' }],
})
export class AccessKey {
  @identifier('Identifier, `key_…`.', { required: true }) id!: string;
  @ledgerNumber('Internal number of the organisation.', { required: true, hidden: true }) organisationId!: number;
  @text('Name of the organisation the key belongs to.', { required: true }) organisationName!: string;
  @list(() => Role.values, 'Roles of the key: the operations it allows.', { required: true }) roles!: RoleName[];
  @text('Free text that helps to recognise the key.') label!: string | null;
  @list(() => PositiveInt, 'Ledger ids of the companies the key is limited to; null means all of the organisation.') companyIds!:
    | number[]
    | null;
  @moment('When the key stops working; null means never.') expiresAt!: Date | null;
  @moment('When the key was revoked.') revokedAt!: Date | null;
  @moment('When the key was last used, to the minute.') lastUsedAt!: Date | null;
  @moment('When the key was issued.', { required: true }) createdAt!: Date;
  @text('Prefix and last four characters of the value.', { required: true }) keyPreview!: string;
  @text('SHA-256 of the value, hexadecimal.', { required: true, hidden: true }) hash!: string;
}

// The tables of the audit log: its entries, and where the chain of each organisation begins and ends.
import { enumeration, identifier, integer, ipAddress, ledgerNumber, list, moment, record, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';

/** Who made a write. */
export const AuditActorKind = defineEnum('AuditActorKind', 'Who made a write.', {
  KEY: 'The holder of an access key; `id` is the id of the key.',
  PERSON: 'A person with a token of the identity provider; `id` has issuer, organisation and subject.',
  OPERATOR: 'An operator: `admin` for the admin token, or issuer and subject of a token of the identity provider.',
  LINK: 'The holder of a signed link, without an identity; `id` is null.',
});
export type AuditActorKindName = keyof typeof AuditActorKind.values;

@record({
  description: 'The audit log entry of one write.',
  scope: 'organisation',
  key: 'id',
  prefix: 'audit',
  primaryKey: ['id'],
  unique: [{ name: 'audit_entry_chain', columns: 'coalesce(organisation_id, 0), position', where: 'position is not null' }],
  indexes: [
    { name: 'audit_entry_organisation_time', columns: 'organisation_id, at' },
    { name: 'audit_entry_time', columns: 'at' },
    { name: 'audit_entry_unsealed', columns: 'id', where: 'position is null' },
  ],
  internal: true,
})
export class AuditEntry {
  @identifier('Identifier; that of an entry which a migration took over has the prefix of an earlier table.', { required: true })
  id!: string;
  @ledgerNumber('Organisation whose records were written; null for content that all organisations share.') organisationId!: number | null;
  @moment('When the write happened.', { required: true }) at!: Date;
  @enumeration(AuditActorKind, 'Who made the write.', { required: true }) actorKind!: AuditActorKindName;
  @identifier('Which one.') actorId!: string | null;
  @text('Name of the mutation, whichever endpoint it came by.', { required: true }) operation!: string;
  @list(() => String, 'Global ids of the records it named, the first of them.', { required: true }) recordIds!: string[];
  @integer('How many records it named.', { required: true }) recordCount!: number;
  @text('Hash of their content before, where it is known.') beforeHash!: string | null;
  @text('Hash of their content afterwards, where it is known.') afterHash!: string | null;
  @ipAddress('Address of the caller.') address!: string | null;
  @text('Id of the request.', { required: true }) requestId!: string;
  @text('Reason that the operator gave.') reason!: string | null;
  @ledgerNumber('Place in the chain of the organisation, from 1; null until the entry is sealed.') position!: number | null;
  @text('Hash of the entry and of the hash before it; null until the entry is sealed.') hash!: string | null;
}

@record({
  description: 'Both ends of the chain of the audit log of an organisation.',
  scope: 'shared',
  key: 'organisationId',
  prefix: 'auditchain',
  primaryKey: ['organisationId'],
  internal: true,
})
export class AuditChain {
  @ledgerNumber('Organisation; 0 for content that all organisations share.', { required: true }) organisationId!: number;
  @ledgerNumber('Place of the last entry that retention removed; 0 when the first is still there.', { required: true })
  startPosition!: number;
  @text('Its hash, which the first kept entry continues; empty at the very start.', { required: true }) startHash!: string;
  @ledgerNumber('Place of the newest entry.', { required: true }) endPosition!: number;
  @text('Its hash.', { required: true }) endHash!: string;
}

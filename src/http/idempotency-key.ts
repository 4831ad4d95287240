// The table of idempotency keys.
import { flag, identifier, integer, moment, object, record, text } from '../records/decorators.ts';

@record({
  description: 'A request that was sent with an idempotency key, and its response.',
  scope: 'shared',
  key: 'name',
  prefix: 'idempotency',
  primaryKey: ['keyId', 'method', 'path', 'name'],
  indexes: [{ name: 'idempotency_key_expiry', columns: 'expires_at' }],
  internal: true,
})
export class IdempotencyKey {
  @identifier('The caller: the id of the key, or issuer, organisation and subject of a token.', { required: true }) keyId!: string;
  @text('Method of the request.', { required: true }) method!: string;
  @text('Path of the operation with its decoded parameters.', { required: true }) path!: string;
  @text('The idempotency key.', { required: true }) name!: string;
  @text('SHA-256 of the decoded query and body.', { required: true }) bodyHash!: string;
  @identifier('The run of the request that owns the claim.', { required: true }) owner!: string;
  @flag('Whether a write of the request was committed.', { required: true }) isWritten!: boolean;
  @integer('Status of the response; null until there is one.') status!: number | null;
  @object('Headers of the response that are sent again.') headers!: Record<string, string> | null;
  @text('Body of the response, encrypted: it may show a key or a secret that is stored nowhere else.', {
    sealed: ['keyId', 'method', 'path', 'name'],
  })
  body!: string | null;
  @moment('When a claim without a response may be taken over.', { required: true }) leaseUntil!: Date;
  @moment('When the key expires and its response is removed.', { required: true }) expiresAt!: Date;
}

// The caller of a request.
import type { RoleName } from '../records/roles.ts';
import type { AuditActorKindName } from './audit-entry.ts';

/** The authenticated caller of a request. */
export interface Principal {
  kind: Exclude<AuditActorKindName, 'LINK'>;
  /** Identifies the caller in idempotency keys, allowances and the audit log: the id of a key, or issuer, organisation and subject of a token. */
  identity: string;
  organisationId: number | null;
  organisationName: string | null;
  /** Public id of the organisation, as records show it. */
  organisation: string | null;
  roles: ReadonlySet<RoleName>;
  companyIds: readonly number[] | null;
  /** Documents that agents get as tools; absent or null for none. */
  tools?: readonly string[] | null;
}

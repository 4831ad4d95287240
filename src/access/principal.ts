// The caller of a request, and the roles that allow operations.
import { defineEnum } from '../records/enums.ts';

/** The roles of an access key. */
export const Role = defineEnum('Role', 'A role of an access key: the operations it allows.', {
  PLATFORM: 'Platform and indirect tax operations, incorporation requests.',
  ENTITIES: 'The registrations of business entities.',
  GEOCODE: 'Geocoding.',
  MANAGE_CONTENT: 'Ingesting ISO 3166 content.',
  INTEGRATIONS: 'The records, syncs and jobs of companies.',
  ADMIN: 'Issuing keys and operator mutations.',
});
export type RoleName = keyof typeof Role.values;

/** The authenticated caller of a request. */
export interface Principal {
  /** Identifies the caller in idempotency keys, allowances and the audit log: the id of a key, or issuer, organisation and subject of a token. */
  identity: string;
  organisationId: number | null;
  organisationName: string | null;
  /** Public id of the organisation, as records show it. */
  organisation: string | null;
  roles: ReadonlySet<RoleName>;
  companyIds: readonly number[] | null;
}

// Who makes a request, and the roles that open operations.
import { defineEnum } from '../records/enums.ts';

/** What a key opens. */
export const Role = defineEnum('Role', 'What an access key opens.', {
  PLATFORM: 'Platform and indirect tax operations, incorporation requests.',
  ENTITIES: 'The registrations of business entities.',
  GEOCODE: 'Geocoding.',
  MANAGE_CONTENT: 'Ingesting ISO 3166 content.',
  INTEGRATIONS: 'The records, syncs and jobs of companies.',
  ADMIN: 'Issuing keys and operator mutations.',
});
export type RoleName = keyof typeof Role.values;

/** Who makes a request. */
export interface Principal {
  /** Who this is to idempotency keys, allowances and the trace of operators: the id of a key, or issuer, organisation and subject of a token. */
  identity: string;
  organisationId: number | null;
  organisationName: string | null;
  /** Public id of the organisation, as records show it. */
  organisation: string | null;
  roles: ReadonlySet<RoleName>;
  companyIds: readonly number[] | null;
}

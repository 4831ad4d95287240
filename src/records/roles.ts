// The roles of access keys, which records and root fields name to say who may use them.
import { defineEnum } from './enums.ts';

/** The roles of an access key. */
export const Role = defineEnum('Role', 'A role of an access key: the operations it allows.', {
  PLATFORM: 'Platform and indirect tax operations, incorporation requests.',
  ENTITIES: 'The registrations of business entities.',
  GEOCODE: 'Geocoding.',
  MANAGE_CONTENT: 'Ingesting ISO 3166 content.',
  INTEGRATIONS: 'The records, syncs and jobs of companies.',
  ADMIN: 'Issuing keys and operator mutations.',
  AGENT_WRITE: 'Mutations by the tool `run` of `POST /mcp`, as far as the other roles of the key allow them.',
});
export type RoleName = keyof typeof Role.values;

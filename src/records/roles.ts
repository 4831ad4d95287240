// The roles of access keys, which records and root fields name to say who may use them.
import { defineEnum } from './enums.ts';

/** The roles of an access key. */
export const Role = defineEnum('Role', 'A role of an access key: the permitted operations.', {
  PLATFORM: 'Platform and indirect tax operations, and incorporation requests.',
  ENTITIES: 'The registrations of business entities.',
  GEOCODE: 'Geocoding.',
  MANAGE_CONTENT: 'Ingests ISO 3166 content.',
  INTEGRATIONS: 'The records, syncs and jobs of companies.',
  ADMIN: 'Issues keys and runs operator mutations.',
  AGENT_WRITE: 'Mutations through the tool `run` of `POST /mcp`, as the other roles of the key permit.',
});
export type RoleName = keyof typeof Role.values;

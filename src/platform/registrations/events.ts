// The events of registrations, emitted in the transaction of the change.
import { fromString, toUUID } from 'typeid-js';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { emitEvents } from '../../events/events.ts';
import type { TopicName } from '../../events/topics.ts';
import type { Registration } from './registration.ts';

/** What an event says of the registration it is about. */
export type RegistrationRef = Pick<Registration, 'organisationId' | 'id' | 'corporationId'>;

/** Emits one event about a registration; `more` is what its topic adds to the two ids. */
export function emitRegistrationEvent(
  em: EntityManager,
  services: Services,
  { organisationId, id, corporationId }: RegistrationRef,
  topic: TopicName,
  more: Record<string, unknown> = {},
): void {
  const data = { registration_id: toUUID(fromString(id, 'reg')), corporation_id: corporationId, ...more };
  emitEvents(em, { services, organisationId, organisation: null }, [{ topic, subject: id, data }]);
}

/** Emits the event of a status change; the registration is new when it had no status before. */
export const emitStatusChange = (
  em: EntityManager,
  services: Services,
  registration: RegistrationRef,
  previous: string | null,
  current: string,
): void =>
  emitRegistrationEvent(em, services, registration, previous === null ? 'REGISTRATIONS.CREATED' : 'REGISTRATIONS.STATUS.UPDATED', {
    previous,
    current,
  });

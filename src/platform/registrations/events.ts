// The events of registrations, emitted in the transaction of the change.
import { toUUID } from 'typeid-js';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { emitEvents } from '../../events/events.ts';
import type { TopicName } from '../../events/topics.ts';

/** Which registration an event is about. */
export interface RegistrationRef {
  organisationId: number;
  /** Global id. */
  id: string;
  corporationId: string;
}

/** Emits one event about a registration; `more` is what its topic adds to the two ids. */
export function emitRegistrationEvent(
  em: EntityManager,
  services: Services,
  { organisationId, id, corporationId }: RegistrationRef,
  topic: TopicName,
  more: Record<string, unknown> = {},
): Promise<void> {
  const data = { registration_id: toUUID(id as never), corporation_id: corporationId, ...more };
  return emitEvents(em, { services, organisationId, organisation: null }, [{ topic, data }]);
}

/** Emits the event of a status change; the registration is new when it had no status before. */
export const emitStatusChange = (
  em: EntityManager,
  services: Services,
  registration: RegistrationRef,
  previous: string | null,
  current: string,
): Promise<void> =>
  emitRegistrationEvent(em, services, registration, previous === null ? 'REGISTRATIONS.CREATED' : 'REGISTRATIONS.STATUS.UPDATED', {
    previous,
    current,
  });

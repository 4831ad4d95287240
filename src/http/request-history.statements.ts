// The statement that stores requests. Values are bound: the ORM writes them into the text, which took four fifths of the time of storing them.
import { type EntityManager, executeIn } from '../database/open.ts';
import type { RequestPart } from './request-part.ts';

/** Stores rows of requests: at most a thousand, because each binds six values and a statement at most 65,535. */
export async function storeParts(em: EntityManager, parts: readonly RequestPart[]): Promise<void> {
  const places = parts.map((_, at) => `($${[1, 2, 3, 4, 5, 6].map((place) => at * 6 + place).join(', $')})`);
  await executeIn(
    em,
    `insert into request_part (id, organisation_id, second, size, uses_deprecated, requests) values ${places.join()}`,
    parts.flatMap(({ id, organisationId, second, size, usesDeprecated, requests }) => [
      id,
      organisationId,
      second.toISOString(),
      size,
      usesDeprecated,
      requests,
    ]),
  );
}

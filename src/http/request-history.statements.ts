// The statement that stores requests. Values are bound: the ORM writes them into the text, which took four fifths of the time of storing them.
import { type EntityManager, executeIn } from '../database/open.ts';
import type { RequestPart } from './request-part.ts';

/** Rows that one statement stores; each binds six values, and a statement at most 65,535. */
const ROWS = 1_000;

/** Stores rows of requests. */
export async function storeParts(em: EntityManager, parts: readonly RequestPart[]): Promise<void> {
  for (let start = 0; start < parts.length; start += ROWS) {
    const rows = parts.slice(start, start + ROWS);
    const places = rows.map((_, at) => `($${[1, 2, 3, 4, 5, 6].map((place) => at * 6 + place).join(', $')})`);
    await executeIn(
      em,
      `insert into request_part (id, organisation_id, second, size, uses_deprecated, requests) values ${places.join()}`,
      rows.flatMap(({ id, organisationId, second, size, usesDeprecated, requests }) => [
        id,
        organisationId,
        second.toISOString(),
        size,
        usesDeprecated,
        requests,
      ]),
    );
  }
}

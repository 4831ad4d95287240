// Days of the books, in UTC.
import type { RequestContext } from '../../access/context.ts';
import { invalid } from '../../records/errors.ts';

/** The first day that dates of ISO 8601 and of the database have. */
export const FIRST_DAY = '0001-01-01';

/** The day that an argument names; today where it is absent. */
export function dayOf({ services: { clock } }: RequestContext, day: string | null | undefined, argument: string): string {
  if (day == null) return clock.now().toISOString().slice(0, 10);
  if (day < FIRST_DAY) throw invalid(argument, `${argument} must not be before ${FIRST_DAY}`, 'OUT_OF_RANGE');
  return day;
}

// Days of the books, in UTC.
import type { RequestContext } from '../../access/context.ts';
import { invalid } from '../../records/errors.ts';

/** The first day that dates of ISO 8601 and of the database have. */
export const FIRST_DAY = '0001-01-01';

/** Months of the periods that a report is compared by. */
const months = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** The size of the periods that a report is compared with. */
export type Timeframe = keyof typeof months;

/** A day of the calendar; months and days beyond their ends count on. `Date.UTC` would take the first hundred years for those after 1900. */
const dateAt = (year: number, month: number, date: number): Date => new Date(new Date(0).setUTCFullYear(year, month, date));

/** The day some periods earlier. The last day of a month stays one, and a day that the month does not have becomes its last one. */
export function earlier(day: string, count: number, timeframe: Timeframe): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const at = month - 1 - count * months[timeframe];
  const lastOf = (place: number): number => dateAt(year, place + 1, 0).getUTCDate();
  const isLast = date === lastOf(month - 1);
  const found = dateAt(year, at, isLast ? lastOf(at) : Math.min(date, lastOf(at)))
    .toISOString()
    .slice(0, 10);
  if (found < FIRST_DAY) throw invalid('periods', `periods must not reach days before ${FIRST_DAY}`, 'OUT_OF_RANGE');
  return found;
}

/** The day that an argument names; today where it is absent. */
export function dayOf({ services: { clock } }: RequestContext, day: string | null | undefined, argument: string): string {
  if (day == null) return clock.now().toISOString().slice(0, 10);
  if (day < FIRST_DAY) throw invalid(argument, `${argument} must not be before ${FIRST_DAY}`, 'OUT_OF_RANGE');
  return day;
}

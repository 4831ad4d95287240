// Calendar days in UTC, as YYYY-MM-DD text, which sorts as dates do.
import type { Clock } from '../../runtime/clock.ts';

/** The present day. */
export const today = (clock: Clock): string => clock.now().toISOString().slice(0, 10);

/** The same day so many years later. The 29 February of a common year is no date, but as text it sorts before 1 March. */
export const yearsAfter = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

/** The moment a day begins. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The day after. */
export const dayAfter = (day: string): string => new Date(startOf(day).getTime() + 86_400_000).toISOString().slice(0, 10);

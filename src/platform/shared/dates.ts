// Calendar days as the platform counts them: in UTC, as YYYY-MM-DD text, which compares as dates do.
import type { Clock } from '../../runtime/clock.ts';

/** The present day. */
export const today = (clock: Clock): string => clock.now().toISOString().slice(0, 10);

/** The same day of another year; 29 February stands for the day before 1 March as text. */
export const yearsAfter = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

/** The moment a day begins. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The day after. */
export const dayAfter = (day: string): string => new Date(startOf(day).getTime() + 86_400_000).toISOString().slice(0, 10);

// The days whose sales a threshold counts, by the period that it names.
import type { RegistrationContent, Threshold } from '../../platform/registrations/needed.ts';
import { dayAfter, yearsAfter } from '../../platform/shared/dates.ts';

/** A first and a last day. */
export type Days = readonly [from: string, to: string];

const MONTHS_OF_QUARTERS = [3, 6, 9, 12];

/** The months with which the quarters of a jurisdiction end: those of its quarterly returns. */
const quarterEnds = ({ filingPeriods = [] }: RegistrationContent): readonly number[] =>
  filingPeriods.find(({ frequency }) => frequency === 'QUARTERLY')?.endMonths ?? MONTHS_OF_QUARTERS;

/** The twelve months that end with the last day of the latest of some months that is over. */
function yearToLatest(ends: readonly number[], today: string): Days {
  const year = Number(today.slice(0, 4));
  const lastDays = [year - 1, year].flatMap((of) => ends.map((month) => new Date(Date.UTC(of, month, 0)).toISOString().slice(0, 10)));
  const to = lastDays.filter((day) => day < today).at(-1)!;
  const before = Number(to.slice(0, 4)) - 1;
  return [dayAfter(new Date(Date.UTC(before, Number(to.slice(5, 7)), 0)).toISOString().slice(0, 10)), to];
}

/** The periods of a threshold on a day; of several, any may reach it. The fiscal years of corporations are not known: they are taken as calendar years. */
export function daysOf({ period }: Threshold, entry: RegistrationContent, today: string): readonly Days[] {
  const year = Number(today.slice(0, 4));
  const current: Days = [`${year}-01-01`, today];
  const previous: Days = [`${year - 1}-01-01`, `${year - 1}-12-31`];
  const periods: Readonly<Record<Threshold['period'], readonly Days[]>> = {
    CURRENT_CALENDAR_YEAR: [current],
    PREVIOUS_CALENDAR_YEAR: [previous],
    PREVIOUS_OR_CURRENT_CALENDAR_YEAR: [previous, current],
    FISCAL_YEAR: [previous, current],
    ROLLING_12_MONTHS: [[dayAfter(yearsAfter(today, -1)), today]],
    YEAR_TO_30_SEPTEMBER: [yearToLatest([9], today)],
    FOUR_QUARTERS: [yearToLatest(quarterEnds(entry), today)],
    FIRST_SALE: [[previous[0], today]],
  };
  return periods[period];
}

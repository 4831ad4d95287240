// What makes a threshold or a filing calendar of a content entry well formed, and the calendar of a frequency that says none.
import type { FilingPeriod, RegistrationContent, Threshold } from './content-shape.ts';

/** Months between the ends of periods, and the ends in a calendar year; a fiscal year ends when its owner says. */
const USUAL: Readonly<Record<FilingPeriod['frequency'], { months: number; ends: readonly number[] }>> = {
  MONTHLY: { months: 1, ends: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
  MONTHLY_ACCELERATED_PREPAY_EARLY: { months: 1, ends: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
  BIMONTHLY: { months: 2, ends: [2, 4, 6, 8, 10, 12] },
  QUARTERLY: { months: 3, ends: [3, 6, 9, 12] },
  QUARTERLY_PREPAY_MONTHLY: { months: 3, ends: [3, 6, 9, 12] },
  SEMI_ANNUALLY: { months: 6, ends: [6, 12] },
  ANNUAL_CALENDAR_YEAR: { months: 12, ends: [12] },
  FISCAL_YEAR: { months: 12, ends: [] },
};

/** What is wrong with the calendar of a frequency; null when it divides a year into equal periods. */
export function periodTrouble({ frequency, endMonths }: FilingPeriod, frequencies: RegistrationContent['frequencies']): string | null {
  if (!frequencies.includes(frequency)) return `${frequency} is not a frequency of the entry`;
  const { months } = USUAL[frequency];
  const even = endMonths.every((month, at) => month === endMonths[0]! + at * months);
  return even && endMonths.length === 12 / months ? null : `${frequency} must have ${12 / months} ascending months, ${months} apart`;
}

/** What is wrong with a threshold; null when it has limits that can be compared. */
export function thresholdTrouble({ amount, transactions, combination, period }: Threshold): string | null {
  if (amount === null && transactions === null) return 'a threshold must have an amount, transactions or both';
  if ((amount !== null && transactions !== null) !== (combination !== null))
    return 'combination is stated for an amount with transactions, and only then';
  const first = amount?.value === 0 && amount.comparison === 'MORE_THAN' && transactions === null;
  return (period === 'FIRST_SALE') === first ? null : 'FIRST_SALE means an amount of more than 0 without transactions, and nothing else';
}

/** The calendars of an entry: those it states, and the usual one of each other frequency. */
export function filingPeriodsOf({ frequencies, filingPeriods = [] }: RegistrationContent): FilingPeriod[] {
  return frequencies.flatMap((frequency) => {
    const stated = filingPeriods.filter((one) => one.frequency === frequency);
    return stated.length > 0 ? stated : [{ frequency, endMonths: [...USUAL[frequency].ends] }];
  });
}

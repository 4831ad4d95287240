// Values as people read them, in the language of the browser.

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The day of a moment, in UTC, as books have it. */
export const dayText = (moment: string | null): string => (moment ? dates.format(new Date(moment)) : '–');
/** A month, by its first day. */
export const monthText = (day: string): string => months.format(new Date(day));
/** A moment, in the time zone of the reader. */
export const momentText = (moment: string | null): string => (moment ? moments.format(new Date(moment)) : '–');

/** An amount, exactly: it stays text until its digits are grouped. */
export const amountText = (amount: string | null, currency: string | null): string =>
  amount === null ? '–' : new Intl.NumberFormat(undefined, currency ? { style: 'currency', currency } : {}).format(amount as `${number}`);

/** A value of an enumeration in words: `PARTIALLY_PAID` as "Partially paid". */
export const wordsOf = (value: string | null): string =>
  value ? value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ') : '–';

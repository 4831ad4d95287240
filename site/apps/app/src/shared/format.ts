// Values as people read them, in the language of the browser.

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' });
const hours = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
const shares = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** The day of a moment, in UTC, as books have it. */
export const dayText = (moment: string | null): string => (moment ? dates.format(new Date(moment)) : '–');
/** A month, by its first day. */
export const monthText = (day: string): string => months.format(new Date(day));
/** A moment, in the time zone of the reader. */
export const momentText = (moment: string | null): string => (moment ? moments.format(new Date(moment)) : '–');

/** The beginning of an hour, in the time zone of the reader. */
export const hourText = (moment: string): string => hours.format(new Date(moment));
/** A share of 0 to 1. */
export const percentText = (share: number | null): string => (share === null ? '–' : shares.format(share));

/** An amount, exactly: it stays text until its digits are grouped. */
export const amountText = (amount: string | null, currency: string | null): string =>
  amount === null ? '–' : new Intl.NumberFormat(undefined, currency ? { style: 'currency', currency } : {}).format(amount as `${number}`);

/** An amount in few characters, for a chart. */
export const shortAmount = (amount: string, currency: string | null): string =>
  new Intl.NumberFormat(undefined, { notation: 'compact', ...(currency ? { style: 'currency', currency } : {}) }).format(
    amount as `${number}`,
  );

/** The labels of records in a list: their names, with a mark where several have the same name. */
export function namesIn<T>(records: readonly T[], nameOf: (record: T) => string, markOf: (record: T) => string): (record: T) => string {
  const marks = new Map<string, Set<string>>();
  for (const record of records) {
    const name = nameOf(record);
    marks.set(name, (marks.get(name) ?? new Set()).add(markOf(record)));
  }
  return (record) => {
    const name = nameOf(record);
    return marks.get(name)!.size > 1 ? `${name} (${markOf(record)})` : name;
  };
}

/** A value of an enumeration as readable text: `PARTIALLY_PAID` as "Partially paid". */
export const wordsOf = (value: string | null): string =>
  value ? value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ') : '–';

// Converts the flat names of a posted form (`keyPersons.0.roles`) to the nested answers of the form's operation.

import { shown } from '../../src/files/posted-form.ts';
import { invalid } from '../../src/records/errors.ts';

type Nested = { [name: string]: Nested | string | string[] };

/** The flat pairs of a posted form, in the order sent. */
export type Posted = readonly (readonly [name: string, value: string])[];

/** Plain names and list indexes, at most four segments, so that no name can reach anything but answers. */
const NAME = /^[a-zA-Z][a-zA-Z0-9]{0,39}(?:\.(?:[a-zA-Z][a-zA-Z0-9]{0,39}|\d{1,2})){0,3}$/;

const isGroup = (value: Nested[string] | undefined): value is Nested => typeof value === 'object' && !Array.isArray(value);

/** Stores an answer at the place of its name; rejects a name that is a single answer in one pair and a group in another. */
function place(into: Nested, [name, value]: readonly [string, string]): void {
  if (!NAME.test(name)) throw invalid(shown(name), `${shown(name)} is not the name of an answer`, 'UNKNOWN_FIELD');
  const refuse = (): never => {
    throw invalid(name, `${name} conflicts with another answer: one is a single value, the other a group`, 'INVALID_TYPE');
  };
  const segments = name.split('.');
  const last = segments.pop()!;
  let at = into;
  for (const segment of segments) {
    at[segment] ??= Object.create(null) as Nested;
    const next = at[segment];
    at = isGroup(next) ? next : refuse();
  }
  const present = at[last];
  if (isGroup(present)) refuse();
  else if (typeof present === 'string') at[last] = [present, value];
  else if (Array.isArray(present)) present.push(value);
  else at[last] = value;
}

/** Whether a box, or every box of a group, is blank. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null ? Object.values(value).every(isBlank) : String(value).trim() === '');

/** The values of an object whose names are list indexes, without blank ones. */
const listOf = (value: Nested[string] | undefined): unknown[] => {
  if (value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).filter((entry) => !isBlank(entry)) : [value];
};

/** The answers of a posted form. Blank persons, names and addresses count as absent; the form always sends all its boxes. */
export function answersOf(posted: Posted): Record<string, unknown> {
  const flat: Nested = Object.create(null) as Nested;
  for (const pair of posted) place(flat, pair);
  const { action: _, step: _step, mark: _mark, find: _find, companyNames, keyPersons, fiscalYearEnd, ...others } = flat;
  const answers: Record<string, unknown> = Object.fromEntries(Object.entries(others).filter(([, value]) => !isBlank(value)));
  answers.companyNames = listOf(companyNames);
  answers.keyPersons = listOf(keyPersons);
  if (!isBlank(fiscalYearEnd)) {
    const { month = '', day = '' } = isGroup(fiscalYearEnd) ? fiscalYearEnd : { month: [] };
    answers.fiscalYearEnd = typeof month === 'string' && typeof day === 'string' ? `${month}-${day}` : fiscalYearEnd;
  }
  return answers;
}

/**
 * The last value of a name that is not an answer: the pressed button as `action`, the `step`, the `mark` of what it showed, and the texts of the
 * address finder (`find.` and its field).
 */
export const controlOf = (posted: Posted, name: string): string | undefined => posted.findLast(([own]) => own === name)?.[1];

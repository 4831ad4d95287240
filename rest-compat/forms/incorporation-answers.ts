// Turns the flat names of a posted form (`keyPersons.0.roles`) into the nested answers the form's operation takes.

import { invalid } from '../../src/records/errors.ts';
import { shown } from '../runtime/multipart.ts';

type Nested = { [name: string]: Nested | string | string[] };

/** The flat pairs of a posted form, in the order sent. */
export type Posted = readonly (readonly [name: string, value: string])[];

/** Plain words and list places only, at most four steps: a name can reach nothing but answers. */
const NAME = /^[a-zA-Z][a-zA-Z0-9]{0,39}(?:\.(?:[a-zA-Z][a-zA-Z0-9]{0,39}|\d{1,2})){0,3}$/;

const isGroup = (value: Nested[string] | undefined): value is Nested => typeof value === 'object' && !Array.isArray(value);

/** Puts an answer where its name says; refuses one that is an answer by one name and a group of answers by another. */
function place(into: Nested, [name, value]: readonly [string, string]): void {
  if (!NAME.test(name)) throw invalid(shown(name), `${shown(name)} is no name of an answer`, 'UNKNOWN_FIELD');
  const refuse = (): never => {
    throw invalid(name, `${name} is sent beside an answer that leaves it no place`, 'INVALID_TYPE');
  };
  const steps = name.split('.');
  const last = steps.pop()!;
  let at = into;
  for (const step of steps) {
    at[step] ??= Object.create(null) as Nested;
    const next = at[step];
    at = isGroup(next) ? next : refuse();
  }
  const present = at[last];
  if (isGroup(present)) refuse();
  else if (typeof present === 'string') at[last] = [present, value];
  else if (Array.isArray(present)) present.push(value);
  else at[last] = value;
}

/** Whether nothing was typed, in one box or in any of a group. */
const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null ? Object.values(value).every(isBlank) : String(value).trim() === '');

/** Values of an object whose names are the places of a list, blank ones left out. */
const listOf = (value: Nested[string] | undefined): unknown[] => {
  if (value === undefined) return [];
  return typeof value === 'object' ? Object.values(value).filter((entry) => !isBlank(entry)) : [value];
};

/** The answers of a posted form. Blank persons, names and addresses count as absent; the form always sends all its boxes. */
export function answersOf(posted: Posted): Record<string, unknown> {
  const flat: Nested = Object.create(null) as Nested;
  for (const pair of posted) place(flat, pair);
  const { action: _, companyNames, keyPersons, fiscalYearEnd, ...rest } = flat;
  const answers: Record<string, unknown> = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isBlank(value)));
  answers.companyNames = listOf(companyNames);
  answers.keyPersons = listOf(keyPersons);
  if (!isBlank(fiscalYearEnd)) {
    const { month = '', day = '' } = isGroup(fiscalYearEnd) ? fiscalYearEnd : { month: [] };
    answers.fiscalYearEnd = typeof month === 'string' && typeof day === 'string' ? `${month}-${day}` : fiscalYearEnd;
  }
  return answers;
}

/** The button that was pressed: `submit`, `add-person`, or `remove-person-` and a place. */
export const actionOf = (posted: Posted): string => posted.findLast(([name]) => name === 'action')?.[1] ?? 'submit';

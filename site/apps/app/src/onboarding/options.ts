// What the wizard offers: the countries, and the states and legal forms of one of them.
import type { OnboardingQuery } from './operations.generated.ts';
import type { Choices } from './steps.ts';

/** A choice: what is stored, and what is shown for it. */
export interface Option {
  readonly value: string;
  readonly text: string;
}

export type Countries = NonNullable<OnboardingQuery['countries']>;

const byText = (a: Option, b: Option): number => a.text.localeCompare(b.text);

export const countryOptions = (countries: Countries): Option[] =>
  countries.map(({ alpha2, name, commonName }) => ({ value: alpha2, text: commonName ?? name })).toSorted(byText);

export const stateOptions = (choices: Choices | undefined): Option[] =>
  (choices?.subdivisions ?? []).map(({ code, name }) => ({ value: code.replace(/^[A-Z]{2}-/, ''), text: name })).toSorted(byText);

export const formOptions = (choices: Choices | undefined): Option[] =>
  (choices?.entityForms ?? [])
    .map(({ code, name, abbreviation }) => ({ value: code, text: abbreviation ? `${name} (${abbreviation.split(';').join(', ')})` : name }))
    .toSorted(byText);

/** A constant as people read it: PRIVATE_LIMITED_COMPANY is "Private limited company". */
const words = (constant: string): string =>
  constant.includes('_') ? constant[0]! + constant.slice(1).toLowerCase().replaceAll('_', ' ') : constant;

/** What is shown for a stored value; the readable value itself where it is not one of the choices. */
export const textOf = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.text ?? words(value);

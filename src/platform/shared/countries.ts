// Country and sub-division codes: which ISO 3166 codes are accepted, and hints for codes that only look like one.
import { iso31661, iso31661Reserved, iso31662 } from 'iso-3166';
import { type Checked, type FieldCheck, failed, passed } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';

const ASSIGNED = new Map(iso31661.map((entry) => [entry.alpha2, entry.name]));
const RESERVED = new Map(iso31661Reserved.map((entry) => [entry.alpha2, entry.name]));
const SUBDIVISIONS = new Map<string, Map<string, string>>();
/** The codes below another, where there are any; the country itself is above those of the first level. */
const BELOW = new Map<string, string[]>();
for (const { code, name, parent } of iso31662) {
  const country = code.slice(0, 2);
  if (!SUBDIVISIONS.has(country)) SUBDIVISIONS.set(country, new Map());
  SUBDIVISIONS.get(country)!.set(code.slice(3), name);
  if (!BELOW.has(parent)) BELOW.set(parent, []);
  BELOW.get(parent)!.push(code.slice(3));
}

/** XI and XK are user-assigned, so the ISO lists do not have them; EU and UK are reserved, but the general hint would not help. */
const HINTS: Record<string, string> = {
  EU: 'EU is the European Union, not a country: name the member state',
  XI: 'XI is used for Northern Ireland in value added tax only: the country is GB',
  UK: 'UK is reserved: the code of the United Kingdom is GB',
  EL: 'EL is used for Greece in value added tax only: the country is GR',
  XK: 'XK is a user-assigned code and has no official assignment',
};

export const EU_MEMBERS: readonly string[] = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

export function isAssignedCountry(code: string): boolean {
  return ASSIGNED.has(code);
}

/** Codes and names of all countries, in the order of their names. */
export const COUNTRY_NAMES: readonly (readonly [code: string, name: string])[] = [...ASSIGNED].toSorted(([, a], [, b]) =>
  a.localeCompare(b, 'en'),
);

export function countryName(code: string): string | undefined {
  return ASSIGNED.get(code);
}

/** Two upper-case letters, officially assigned in ISO 3166-1. */
export function checkCountry(value: unknown, field = 'country'): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const code = value.trim();
  if (code === '') return failed(field, 'REQUIRED', `${field} must not be empty`);
  if (!/^[A-Z]{2}$/.test(code)) return failed(field, 'INVALID_FORMAT', `${field} must be two upper-case letters (ISO 3166-1 alpha-2)`);
  if (ASSIGNED.has(code)) return passed(code);
  const reserved = RESERVED.get(code);
  const hint = HINTS[code] ?? (reserved ? `${code} is reserved (${reserved}) and not assigned to a country` : `${code} is not assigned`);
  return failed(field, 'INVALID_VALUE', `${field} must be an officially assigned ISO 3166-1 code; ${hint}`);
}

/** The check of a country property. */
/** Rejects a list of countries to look for that has something else than codes. */
export function requireCountryCodes(field: string, codes: readonly string[] | null | undefined): void {
  const wrong = codes?.find((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong !== undefined) throw invalid(field, `${field} must be two-letter ISO 3166-1 codes; "${wrong.slice(0, 20)}" is not one`);
}

export const countryCode: FieldCheck = (field, value) => checkCountry(value, field);

/** A check that depends on the country in the property `of`. It passes nothing while that is wrong, because the country has its own issue. */
export const inCountry =
  (of: string, check: (country: string, value: unknown, field: string) => Checked<string>): FieldCheck =>
  (field, value, { [of]: country }) =>
    typeof country === 'string' ? check(country, value, field) : passed(null);

/** Suffixes of the ISO 3166-2 codes of one country, all levels. */
export function subdivisionsOf(country: string): readonly string[] {
  return [...(SUBDIVISIONS.get(country)?.keys() ?? [])];
}

export function subdivisionName(country: string, suffix: string): string | undefined {
  return SUBDIVISIONS.get(country)?.get(suffix);
}

/** Sub-divisions to choose from: suffixes and names, in the order of the names. */
export interface SubdivisionChoices {
  /** Name of the sub-division they are in; null directly below the country. */
  within: string | null;
  choices: readonly (readonly [suffix: string, name: string])[];
}

/** The sub-divisions of one country: those of the first level, then those within each other one. */
export function subdivisionChoices(country: string): SubdivisionChoices[] {
  const names = SUBDIVISIONS.get(country) ?? new Map<string, string>();
  const byName = (a: string, b: string): number => names.get(a)!.localeCompare(names.get(b)!, 'en');
  return [null, ...[...names.keys()].toSorted(byName)].flatMap((within) => {
    const suffixes = BELOW.get(within === null ? country : `${country}-${within}`) ?? [];
    const choices = suffixes.toSorted(byName).map((suffix) => [suffix, names.get(suffix)!] as const);
    return choices.length > 0 ? [{ within: within === null ? null : names.get(within)!, choices }] : [];
  });
}

/** The part after the hyphen of an ISO 3166-2 code of that country. */
export function checkSubdivision(country: string, value: unknown, field = 'state'): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const suffix = value.trim();
  if (suffix === '') return failed(field, 'REQUIRED', `${field} must not be empty`);
  if (subdivisionName(country, suffix) !== undefined) return passed(suffix);
  if (suffix.startsWith(`${country}-`)) {
    return failed(field, 'INVALID_FORMAT', `${field} must be written without the country, as ${suffix.slice(3)}`);
  }
  return failed(field, 'INVALID_VALUE', `${field} must be an ISO 3166-2 sub-division of ${country}, such as ${exampleOf(country)}`);
}

function exampleOf(country: string): string {
  const some = subdivisionsOf(country).slice(0, 3);
  return some.length > 0 ? some.join(', ') : 'none: that country has no sub-divisions in the list';
}

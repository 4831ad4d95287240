// Country and sub-division codes: which ISO 3166 codes are accepted, and hints for codes that only look like one or are no longer in force.
import type { FormerCountry, IsoSubdivision } from '../../address/iso/content.ts';
import { isoInForce } from '../../address/iso/in-force.ts';
import { reservedFor } from '../../address/iso/shipped-content.ts';
import { type Checked, type FieldCheck, failed, passed } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';

/** XI and XK are user-assigned, so the ISO lists do not have them; EU and UK are reserved, but the general hint would not help. */
const HINTS: Record<string, string> = {
  EU: 'EU is the European Union, not a country: name the member state',
  XI: 'XI is used for Northern Ireland in value added tax only: the country is GB',
  UK: 'UK is reserved: the code of the United Kingdom is GB',
  EL: 'EL is used for Greece in value added tax only: the country is GR',
  XK: 'XK is a user-assigned code and has no official assignment',
};

export const EU_MEMBERS: readonly string[] = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** The country of a code that ISO assigned. */
const assigned = (code: string): { name: string } | undefined => (HINTS[code] === undefined ? isoInForce().country(code) : undefined);

export const isAssignedCountry = (code: string): boolean => assigned(code) !== undefined;

/** Codes and names of all countries, in the order of their names. */
export const countryNames = (): (readonly [code: string, name: string])[] =>
  isoInForce().countries.map(({ alpha2, name }) => [alpha2, name]);

export const countryName = (code: string): string | undefined => assigned(code)?.name;

/** A withdrawn code: the day of its withdrawal, where that is known, and the codes that replace it. */
function withdrawal(
  code: string,
  { name, supersededBy, withdrawnOn }: Pick<FormerCountry, 'name' | 'supersededBy' | 'withdrawnOn'>,
): string {
  const day = withdrawnOn === null ? '' : ` ${withdrawnOn.length === 10 ? 'on' : 'in'} ${withdrawnOn}`;
  const successors = supersededBy.length === 0 ? '' : `: use ${new Intl.ListFormat('en', { type: 'disjunction' }).format(supersededBy)}`;
  return `${code} (${name}) was withdrawn${day}${successors}`;
}

function hintOn(code: string): string {
  const known = HINTS[code];
  if (known !== undefined) return known;
  const former = isoInForce().former(code);
  if (former) return withdrawal(code, former);
  const reserved = reservedFor(code);
  return reserved ? `${code} is reserved (${reserved}) and not assigned to a country` : `${code} is not assigned`;
}

/** Two upper-case letters, officially assigned in ISO 3166-1. */
export function checkCountry(value: unknown, field = 'country'): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const code = value.trim();
  if (code === '') return failed(field, 'REQUIRED', `${field} must not be empty`);
  if (!/^[A-Z]{2}$/.test(code)) return failed(field, 'INVALID_FORMAT', `${field} must be two upper-case letters (ISO 3166-1 alpha-2)`);
  if (isAssignedCountry(code)) return passed(code);
  return failed(field, 'INVALID_VALUE', `${field} must be an officially assigned ISO 3166-1 code; ${hintOn(code)}`);
}

/** Rejects a list of countries to look for that has something else than codes. */
export function requireCountryCodes(field: string, codes: readonly string[] | null | undefined): void {
  const wrong = codes?.find((code) => !/^[A-Z]{2}$/.test(code));
  if (wrong !== undefined) throw invalid(field, `${field} must be two-letter ISO 3166-1 codes; "${wrong.slice(0, 20)}" is not one`);
}

/** The check of a country property. A stored code stays valid after its withdrawal. */
export const countryCode: FieldCheck = (field, value, { [field]: stored }) =>
  typeof value === 'string' && value === stored && isoInForce().former(value) ? passed(value) : checkCountry(value, field);

/** A check that depends on the country in the property `of`. It passes nothing while that is wrong, because the country has its own issue. */
export const inCountry =
  (of: string, check: (country: string, value: unknown, field: string, stored: unknown) => Checked<string>): FieldCheck =>
  (field, value, { [of]: country, [field]: stored }) =>
    typeof country === 'string' ? check(country, value, field, stored) : passed(null);

const suffixOf = ({ code }: IsoSubdivision): string => code.slice(3);

/** Suffixes of the ISO 3166-2 codes of one country, all levels. */
export const subdivisionsOf = (country: string): readonly string[] => isoInForce().subdivisionsOf(country).map(suffixOf);

/** A sub-division of a country, in force or not. */
const subdivisionNamed = (country: string, suffix: string): IsoSubdivision | undefined => isoInForce().subdivision(`${country}-${suffix}`);

/** The name of a sub-division, in force or not. */
export const subdivisionName = (country: string, suffix: string): string | undefined => subdivisionNamed(country, suffix)?.name;

export const isSubdivision = (country: string, suffix: string): boolean => subdivisionNamed(country, suffix)?.status === 'current';

/** Sub-divisions to choose from: suffixes and names, in the order of the names. */
export interface SubdivisionChoices {
  /** Name of the sub-division they are in; null directly below the country. */
  within: string | null;
  choices: readonly (readonly [suffix: string, name: string])[];
}

/** The sub-divisions of one country: those of the first level, then those within each other one. */
export function subdivisionChoices(country: string): SubdivisionChoices[] {
  const all = isoInForce()
    .subdivisionsOf(country)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const below = Map.groupBy(all, ({ parent }) => parent);
  return [null, ...all].flatMap((within) => {
    const choices = (below.get(within?.code ?? null) ?? []).map((one) => [suffixOf(one), one.name] as const);
    return choices.length > 0 ? [{ within: within?.name ?? null, choices }] : [];
  });
}

/** The part after the hyphen of an ISO 3166-2 code of that country. */
export function checkSubdivision(country: string, value: unknown, field = 'state'): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const suffix = value.trim();
  if (suffix === '') return failed(field, 'REQUIRED', `${field} must not be empty`);
  const found = subdivisionNamed(country, suffix);
  if (found?.status === 'current') return passed(suffix);
  const rule = `${field} must be an ISO 3166-2 sub-division of ${country}`;
  if (found) {
    const supersededBy = found.supersededBy.map((code) => (code.startsWith(`${country}-`) ? code.slice(3) : code));
    return failed(field, 'INVALID_VALUE', `${rule}; ${withdrawal(suffix, { ...found, supersededBy })}`);
  }
  if (suffix.startsWith(`${country}-`)) {
    return failed(field, 'INVALID_FORMAT', `${field} must be written without the country, as ${suffix.slice(3)}`);
  }
  return failed(field, 'INVALID_VALUE', `${rule}, such as ${exampleOf(country)}`);
}

/** The check of a subdivision property with the country in the property `of`. A stored code stays valid after its withdrawal. */
export const subdivisionIn = (of: string): FieldCheck =>
  inCountry(of, (country, value, field, stored) =>
    typeof value === 'string' && value === stored && subdivisionNamed(country, value)
      ? passed(value)
      : checkSubdivision(country, value, field),
  );

function exampleOf(country: string): string {
  const some = subdivisionsOf(country).slice(0, 3);
  return some.length > 0 ? some.join(', ') : 'none: that country has no sub-divisions in the list';
}

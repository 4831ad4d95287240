// The legal form of a company as callers write it: a value of EntityForm, the ISO 20275 code, or the name or abbreviation that is usual in the country.
import { type Checked, type FieldCheck, failed, passed } from '../../records/checked.ts';
import { CORPORATION_COUNTRIES, type CorporationType } from '../shared/corporation-types.ts';
import { type EntityLegalForm, FORMS_BY_COUNTRY, USUAL_NAMES } from './forms.ts';

/** Names and abbreviations are compared without case, accents, signs and spaces: `GmbH`, `G.m.b.H.`, `gmbh`; `(Pty) Ltd`, `Pty. Ltd.` */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/**
 * The forms of a country that a code, a usual name, an abbreviation or a name means. Forms of states other than the given one are left out. What
 * people usually mean comes before the abbreviations of the list, of which several forms may have one.
 */
function formsNamed(country: string, state: string | null, text: string): EntityLegalForm[] {
  const forms = (FORMS_BY_COUNTRY.get(country) ?? []).filter((form) => form.state === null || state === null || form.state === state);
  const coded = forms.filter(({ code }) => code === text.trim().toUpperCase());
  if (coded.length > 0) return coded;
  const wanted = folded(text);
  if (wanted === '') return [];
  const isWanted = (name: string | null): boolean => name !== null && folded(name) === wanted;
  const usual = USUAL_NAMES.get(country)?.find(({ written }) => written.some(isWanted));
  if (usual) return forms.filter(({ code }) => code === usual.code);
  const abbreviated = forms.filter(({ abbreviation }) => abbreviation?.split(';').some(isWanted));
  return abbreviated.length > 0 ? abbreviated : forms.filter(({ name, transliteration }) => isWanted(name) || isWanted(transliteration));
}

/** The corporation types that are offered in a country. */
const typesOf = (country: string): readonly CorporationType[] =>
  Object.hasOwn(CORPORATION_COUNTRIES, country) ? CORPORATION_COUNTRIES[country]!.types : [];

/** The type offered in a country that is one of the forms. It is found by its code, or by the name that a form of another state has. */
function offeredAmong(country: string, forms: readonly EntityLegalForm[]): CorporationType | undefined {
  const types = typesOf(country);
  const codesOf = ({ iso20275 }: CorporationType): string[] => (typeof iso20275 === 'string' ? [iso20275] : Object.values(iso20275 ?? {}));
  const namesOf = (type: CorporationType): string[] =>
    (FORMS_BY_COUNTRY.get(country) ?? []).filter(({ code }) => codesOf(type).includes(code)).map(({ name }) => name.toLowerCase());
  return (
    types.find((type) => forms.some(({ code }) => codesOf(type).includes(code))) ??
    types.find((type) => forms.some(({ name }) => namesOf(type).includes(name.toLowerCase())))
  );
}

/** The corporation type of a country that a code or an abbreviation names. */
export const offeredType = (country: string, state: string | null, text: string): CorporationType | undefined =>
  offeredAmong(country, formsNamed(country, state, text));

/**
 * Checks `entityType` of a corporation: a value of EntityForm that the country lists, or a form of ISO 20275 there by its code or abbreviation.
 * The result is the value of EntityForm where the form has one, otherwise the code.
 */
export function checkLegalForm(country: string, state: string | null, value: unknown, field = 'entityType'): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const listed = typesOf(country).map(({ form }) => form);
  const written = value.trim();
  if (listed.some((form) => form === written)) return passed(written);
  const forms = formsNamed(country, state, written);
  const offered = offeredAmong(country, forms);
  if (offered) return passed(offered.form);
  const codes = [...new Set(forms.map(({ code }) => code))];
  if (codes.length === 1) return passed(codes[0]!);
  if (codes.length > 1)
    return failed(field, 'INVALID_VALUE', `${field} must be one code; ${written} is short for ${codes.slice(0, 10).join(', ')}`);
  const choice = listed.length > 0 ? `one of: ${listed.join(', ')}; or a` : 'a';
  return failed(
    field,
    'INVALID_VALUE',
    `${field} must be ${choice} legal form of ${country} that entityForms lists, by its code or abbreviation`,
  );
}

/** That check for the properties `jurisdiction` and `state`. It passes nothing while the country is wrong, because that has its own issue. */
export const legalForm: FieldCheck = (field, value, { jurisdiction, state }) =>
  typeof jurisdiction === 'string' ? checkLegalForm(jurisdiction, typeof state === 'string' ? state : null, value, field) : passed(null);

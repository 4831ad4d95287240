// Corporation types: what an incorporation request may ask for in each country, and the entity form of each type.
import { type Checked, failed, Gathering, isPlainObject, passed, refuseUnknown } from '../../records/checked.ts';
import { defineEnum } from '../../records/enums.ts';
import { shortened } from '../../records/input-issue.ts';
import { checkCountry, subdivisionsOf } from './countries.ts';

/** Legal forms. */
export const EntityForms = defineEnum('EntityForm', 'Legal form of a business entity.', {
  C_CORP: 'Corporation taxed under subchapter C.',
  LLC: 'Limited liability company.',
  LP: 'Limited partnership.',
  LLP: 'Limited liability partnership.',
  PRIVATE_LIMITED_COMPANY: 'Private company limited by shares.',
  ONE_PERSON_COMPANY: 'Company with a single member.',
  PUBLIC_LIMITED_COMPANY: 'Public company limited by shares.',
  DESIGNATED_ACTIVITY_COMPANY: 'Designated activity company.',
  CORPORATION: 'Corporation.',
  FREE_ZONE_COMPANY: 'Free zone company.',
  FREE_ZONE_ESTABLISHMENT: 'Free zone establishment.',
  BRANCH: 'Branch of a foreign company.',
});
export type EntityForm = keyof typeof EntityForms.values;

export interface CorporationType {
  /** Name in the request, such as CCorp. */
  request: string;
  form: EntityForm;
  /** ISO 20275 legal form code: by state where states differ ('' = without a state), one code where they do not. */
  iso20275: string | Readonly<Record<string, string>> | null;
}

export interface CorporationCountry {
  stateRule: 'required' | 'optional' | 'absent';
  /** Suffixes of the ISO 3166-2 codes of the states to choose from. */
  states: () => readonly string[];
  types: readonly CorporationType[];
}

const type = (request: string, form: EntityForm, iso20275: CorporationType['iso20275']): CorporationType => ({ request, form, iso20275 });

/** ISO 3166-2 also lists the outlying areas, where these forms are not offered. */
const US_AREAS = ['AS', 'GU', 'MP', 'PR', 'UM', 'VI'];

export const CORPORATION_COUNTRIES: Readonly<Record<string, CorporationCountry>> = {
  US: {
    stateRule: 'required',
    states: () => subdivisionsOf('US').filter((state) => !US_AREAS.includes(state)),
    types: [
      type('CCorp', 'C_CORP', { DE: 'XTIQ' }),
      type('LLC', 'LLC', { DE: 'HZEH', WY: 'NB58', CA: 'EI4J' }),
      type('LP', 'LP', { DE: 'T91T' }),
      type('LLP', 'LLP', { DE: '1HXP' }),
    ],
  },
  IN: {
    stateRule: 'required',
    states: () => subdivisionsOf('IN'),
    types: [
      type('PvtLtd', 'PRIVATE_LIMITED_COMPANY', 'YSP9'),
      type('LLP', 'LLP', 'U5S6'),
      type('OPC', 'ONE_PERSON_COMPANY', 'I47Z'),
      type('PublicLtd', 'PUBLIC_LIMITED_COMPANY', 'DDKQ'),
    ],
  },
  GB: {
    stateRule: 'required',
    states: () => ['EAW', 'SCT', 'NIR'],
    types: [type('Ltd', 'PRIVATE_LIMITED_COMPANY', 'H0PO'), type('LLP', 'LLP', 'Z0EY'), type('PLC', 'PUBLIC_LIMITED_COMPANY', 'B6ES')],
  },
  IE: {
    stateRule: 'optional',
    states: () => subdivisionsOf('IE'),
    types: [
      type('Ltd', 'PRIVATE_LIMITED_COMPANY', 'MNQ7'),
      type('DAC', 'DESIGNATED_ACTIVITY_COMPANY', 'LGWG'),
      type('PLC', 'PUBLIC_LIMITED_COMPANY', 'VYAX'),
    ],
  },
  CA: { stateRule: 'optional', states: () => subdivisionsOf('CA'), types: [type('Corp', 'CORPORATION', { '': 'UDLA' })] },
  SG: { stateRule: 'absent', states: () => [], types: [type('PteLtd', 'PRIVATE_LIMITED_COMPANY', 'LWXI'), type('LLP', 'LLP', '5SGV')] },
  AE: {
    stateRule: 'required',
    states: () => subdivisionsOf('AE'),
    types: [
      type('LLC', 'LLC', 'RWVW'),
      type('FZCO', 'FREE_ZONE_COMPANY', null),
      type('FZE', 'FREE_ZONE_ESTABLISHMENT', null),
      type('Branch', 'BRANCH', null),
    ],
  },
};

/** India's ISO 3166-2 codes before November 2023; they are accepted and stored as the present codes. */
const RENAMED_STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = { IN: { CT: 'CG', OR: 'OD', TG: 'TS', UT: 'UK' } };

export interface CorporationTypeChoice {
  country: string;
  state: string | null;
  corporationType: string;
  form: EntityForm;
  iso20275: string | null;
}

/** The name of a type in the JSON of a request. */
const requestName = ({ request }: CorporationType): string => request;

/** The name of a type as a value of an enumeration: `PvtLtd` is `PVT_LTD`. */
export const typeNameOf = ({ request }: CorporationType): string =>
  request
    .replace(/([A-Z])([A-Z][a-z])/, '$1_$2')
    .replace(/([a-z])([A-Z])/, '$1_$2')
    .toUpperCase();

/**
 * Checks `country` and the type of an incorporation request, which `field` has: an object keyed by country, with types by the names of `nameOf`. Issue code MISMATCH: there is not
 * exactly one entry, that of the country.
 */
export function checkCorporationTypeInfo(
  country: unknown,
  info: unknown,
  field = 'corporationTypeInfo',
  nameOf = requestName,
): Checked<CorporationTypeChoice> {
  const known = checkCountry(country);
  if (!known.ok) return known;
  const rules = countryRules(known.value);
  if (!rules) {
    return failed('country', 'INVALID_VALUE', `country must be one of: ${Object.keys(CORPORATION_COUNTRIES).join(', ')}`);
  }
  if (!isPlainObject(info)) return failed(field, info == null ? 'REQUIRED' : 'INVALID_TYPE', `${field} must be an object keyed by country`);
  // GraphQL clients send null for an absent entry.
  const keys = Object.keys(info).filter((key) => info[key] != null);
  if (keys.length !== 1 || keys[0] !== known.value) {
    return failed(
      field,
      'MISMATCH',
      `${field} must have exactly one entry, ${known.value}; it has ${shortened(keys.slice(0, 10).join(', '), 100) || 'none'}`,
    );
  }
  return checkEntry(known.value, rules, info[known.value], `${field}.${known.value}`, nameOf);
}

function checkEntry(
  country: string,
  rules: CorporationCountry,
  entry: unknown,
  at: string,
  nameOf: typeof requestName,
): Checked<CorporationTypeChoice> {
  if (!isPlainObject(entry)) return failed(at, 'INVALID_TYPE', `${at} must be an object`);
  const gathering = new Gathering();
  refuseUnknown(entry, ['state', 'corporationType'], gathering, `${at}.`);
  const state = gathering.take(checkState(country, rules, entry.state ?? null, `${at}.state`));
  const chosen = gathering.take(checkType(rules, entry.corporationType ?? null, `${at}.corporationType`, nameOf));
  return gathering.finish(() => {
    const { request, form } = chosen!;
    return { country, state: state!, corporationType: request, form, iso20275: iso20275Of(chosen!, state!) };
  });
}

function checkState(country: string, rules: CorporationCountry, value: unknown, at: string): Checked<string | null> {
  if (value !== null && typeof value !== 'string') return failed(at, 'INVALID_TYPE', `${at} must be a string`);
  const written = value?.trim() || null;
  if (written === null) return rules.stateRule === 'required' ? failed(at, 'REQUIRED', `${at} is required for ${country}`) : passed(null);
  if (rules.stateRule === 'absent') return failed(at, 'INVALID_VALUE', `${at} must be absent: ${country} registers companies nationally`);
  const state = renamedState(country, written);
  const states = rules.states();
  return states.includes(state) ? passed(state) : failed(at, 'INVALID_VALUE', `${at} must be one of: ${states.join(', ')}`);
}

function checkType(rules: CorporationCountry, value: unknown, at: string, nameOf: typeof requestName): Checked<CorporationType> {
  const allowed = rules.types.map(nameOf).join(', ');
  if (value === null || value === '') return failed(at, 'REQUIRED', `${at} is required; one of: ${allowed}`);
  if (typeof value !== 'string') return failed(at, 'INVALID_TYPE', `${at} must be a string`);
  const found = rules.types.find((one) => nameOf(one) === value.trim());
  if (found) return passed(found);
  const remark = /^s[-_ ]?corp/i.test(value) ? '; an S corporation is a tax election of a CCorp or LLC, not a form' : '';
  return failed(at, 'INVALID_VALUE', `${at} must be one of: ${allowed}${remark}`);
}

function iso20275Of(chosen: CorporationType, state: string | null): string | null {
  return chosen.iso20275 === null || typeof chosen.iso20275 === 'string' ? chosen.iso20275 : (chosen.iso20275[state ?? ''] ?? null);
}

function countryRules(country: string): CorporationCountry | undefined {
  return Object.hasOwn(CORPORATION_COUNTRIES, country) ? CORPORATION_COUNTRIES[country] : undefined;
}

/** The present ISO 3166-2 suffix of a state; replaces one that was renamed. */
export function renamedState(country: string, state: string): string {
  return RENAMED_STATES[country]?.[state] ?? state;
}

export function formOfRequest(country: string, corporationType: string): EntityForm | undefined {
  return countryRules(country)?.types.find((one) => one.request === corporationType)?.form;
}

/** Checks `entityType` of a corporation: one of the forms of its country. */
export function checkEntityType(country: string, value: unknown, field = 'entityType'): Checked<EntityForm> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const forms = countryRules(country)?.types.map((one) => one.form) ?? [];
  const found = forms.find((form) => form === value.trim());
  if (found) return passed(found);
  const allowed = forms.length > 0 ? `must be one of: ${forms.join(', ')}` : `must be absent: no entity types are listed for ${country}`;
  return failed(field, 'INVALID_VALUE', `${field} ${allowed}`);
}

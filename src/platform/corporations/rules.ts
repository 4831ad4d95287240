// Corporation fields as data: one rule for each, and the rules that tie state and legal form to the country.
import { type Checked, failed, Gathering, passed } from '../shared/checked.ts';
import { checkEntityType, type EntityForm } from '../shared/corporation-types.ts';
import { checkCountry, checkSubdivision } from '../shared/countries.ts';
import { checkTaxIds } from '../shared/government-identifiers.ts';
import { checkMailAddress, checkText, checkWebAddress, type TextRule } from '../shared/text.ts';

/** A number a government assigned to the corporation. */
export interface CorporationTaxId {
  type: string;
  value: string;
}

/** A registered address; the names are those of the GraphQL fields. */
export interface CorporationAddress {
  addressLine1: string;
  addressLine2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string;
}

/** What a caller may set, after checking. Undefined leaves the stored value, null clears it. */
export interface CorporationFields {
  legalName?: string;
  jurisdiction?: string;
  state?: string | null;
  entityType?: EntityForm | null;
  emailAlias?: string | null;
  externalId?: string | null;
  taxIds?: CorporationTaxId[] | null;
  address?: CorporationAddress | null;
  contactEmail?: string | null;
  website?: string | null;
}
type CorporationField = keyof CorporationFields;

/** Checked fields, and warnings about values that were accepted. */
export interface CheckedCorporation {
  fields: CorporationFields;
  warnings: string[];
}

const TEXTS = {
  legalName: { max: 255, singleLine: true },
  emailAlias: { max: 64, pattern: /^[a-z0-9-]+$/, patternHint: 'consist of lower-case letters, digits and hyphens' },
  externalId: { max: 128, singleLine: true },
} as const satisfies Partial<Record<CorporationField, TextRule>>;

const FIELDS: readonly CorporationField[] = [
  'legalName',
  'jurisdiction',
  'state',
  'entityType',
  'emailAlias',
  'externalId',
  'taxIds',
  'address',
  'contactEmail',
  'website',
];
const REQUIRED: readonly CorporationField[] = ['legalName', 'jurisdiction'];

const ADDRESS_LINE: TextRule = { max: 255, singleLine: true };

function checkAddress(value: Record<string, unknown>): Checked<CorporationAddress> {
  const gathering = new Gathering();
  const line = (name: keyof CorporationAddress): string | null => {
    const text = value[name];
    if (text == null || (typeof text === 'string' && text.trim() === '')) return null;
    return gathering.take(checkText(`address.${name}`, text, ADDRESS_LINE)) ?? null;
  };
  const country = gathering.take(checkCountry(value.country, 'address.country'));
  const checked = {
    addressLine1: line('addressLine1') ?? '',
    addressLine2: line('addressLine2'),
    city: line('city'),
    state: line('state'),
    postalCode: line('postalCode'),
    country: country ?? '',
  };
  if (checked.addressLine1 === '' && gathering.issues.length === 0)
    gathering.add('address.addressLine1', 'REQUIRED', 'address.addressLine1 must not be empty');
  return gathering.finish(() => checked);
}

function checkField(name: CorporationField, value: unknown, country: string | undefined, warnings: string[]): Checked<unknown> {
  switch (name) {
    case 'jurisdiction':
      return checkCountry(value, name);
    case 'state':
      return country === undefined ? passed(null) : checkSubdivision(country, value);
    case 'entityType':
      return country === undefined ? passed(null) : checkEntityType(country, value);
    case 'taxIds': {
      const checked = checkTaxIds(value);
      if (!checked.ok) return checked;
      for (const id of checked.value) if (id.verdict === 'warning') warnings.push(`The check digits of the ${id.type} do not fit`);
      return passed(checked.value.map((id) => ({ type: id.type, value: id.value })));
    }
    case 'address':
      return checkAddress(value as Record<string, unknown>);
    case 'contactEmail':
      return checkMailAddress(name, value);
    case 'website':
      return checkWebAddress(name, value);
    default:
      return checkText(name, value, TEXTS[name]);
  }
}

/** Checks the fields of a write. `stored` has the current values; it is null for a new record. */
export function checkCorporation(
  input: Record<string, unknown>,
  stored: Pick<CorporationFields, 'jurisdiction' | 'state' | 'entityType'> | null,
): Checked<CheckedCorporation> {
  const gathering = new Gathering();
  const warnings: string[] = [];
  const given = input.jurisdiction === undefined ? undefined : checkCountry(input.jurisdiction);
  const country = given === undefined ? stored?.jurisdiction : given.ok ? given.value : undefined;
  const fields: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const value = input[name];
    if (value === undefined) continue;
    const cleared = value === null || (typeof value === 'string' && value.trim() === '');
    if (cleared && REQUIRED.includes(name)) gathering.add(name, 'REQUIRED', `${name} must not be empty`);
    else fields[name] = cleared ? null : gathering.take(checkField(name, value, country, warnings));
  }
  if (!stored) {
    for (const name of REQUIRED) if (input[name] === undefined) gathering.add(name, 'REQUIRED', `${name} is required`);
  } else if (country !== stored.jurisdiction && country !== undefined) {
    checkFit(gathering, country, { state: stored.state, entityType: stored.entityType, ...fields });
  }
  return gathering.finish(() => ({ fields, warnings }));
}

/** Checks that state and legal form fit a new country. */
function checkFit(gathering: Gathering, country: string, merged: Pick<CorporationFields, 'state' | 'entityType'>): void {
  const checks = [
    merged.state && checkSubdivision(country, merged.state),
    merged.entityType && checkEntityType(country, merged.entityType),
  ];
  for (const checked of checks) {
    if (!checked || checked.ok) continue;
    const message = `jurisdiction does not fit what is stored: ${checked.issues[0]!.message}`;
    gathering.take(failed('jurisdiction', 'MISMATCH', message));
  }
}

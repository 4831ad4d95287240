// Which questions the incorporation form asks, by country and entity form. Data only; the checks are in form-rules.ts.
import type { EntityForm } from '../shared/corporation-types.ts';

/** How ownership is split: shares out of the authorised ones, interests in per cent, or not at all (a branch has no owners of its own). */
export type Ownership = 'SHARES' | 'INTERESTS' | 'NONE';

export const ROLES = [
  'DIRECTOR',
  'SHAREHOLDER',
  'PRESIDENT',
  'SECRETARY',
  'TREASURER',
  'MEMBER',
  'MANAGER',
  'GENERAL_PARTNER',
  'LIMITED_PARTNER',
  'PARTNER',
  'DESIGNATED_PARTNER',
  'AUTHORISED_SIGNATORY',
] as const;
export type Role = (typeof ROLES)[number];

interface RoleRule {
  ownership: Ownership;
  roles: readonly Role[];
  /** Fewest persons with a role; the law's number where it is higher than one. */
  atLeast: Partial<Record<Role, number>>;
  atMost?: Partial<Record<Role, number>>;
}

const COMPANY_ROLES: readonly Role[] = ['DIRECTOR', 'SHAREHOLDER', 'PRESIDENT', 'SECRETARY', 'TREASURER'];
const company = (directors: number, shareholders: number, more: Partial<RoleRule['atLeast']> = {}): RoleRule => ({
  ownership: 'SHARES',
  roles: COMPANY_ROLES,
  atLeast: { DIRECTOR: directors, SHAREHOLDER: shareholders, ...more },
});

const BY_FORM: Readonly<Record<EntityForm, RoleRule>> = {
  C_CORP: company(1, 1),
  CORPORATION: company(1, 1),
  PRIVATE_LIMITED_COMPANY: company(1, 1),
  PUBLIC_LIMITED_COMPANY: company(2, 1, { SECRETARY: 1 }),
  DESIGNATED_ACTIVITY_COMPANY: company(2, 1, { SECRETARY: 1 }),
  ONE_PERSON_COMPANY: { ...company(1, 1), atMost: { SHAREHOLDER: 1 } },
  FREE_ZONE_COMPANY: { ownership: 'SHARES', roles: [...COMPANY_ROLES, 'MANAGER'], atLeast: { SHAREHOLDER: 1, MANAGER: 1 } },
  FREE_ZONE_ESTABLISHMENT: {
    ownership: 'SHARES',
    roles: [...COMPANY_ROLES, 'MANAGER'],
    atLeast: { SHAREHOLDER: 1, MANAGER: 1 },
    atMost: { SHAREHOLDER: 1 },
  },
  LLC: { ownership: 'INTERESTS', roles: ['MEMBER', 'MANAGER'], atLeast: { MEMBER: 1 } },
  LP: { ownership: 'INTERESTS', roles: ['GENERAL_PARTNER', 'LIMITED_PARTNER'], atLeast: { GENERAL_PARTNER: 1, LIMITED_PARTNER: 1 } },
  LLP: { ownership: 'INTERESTS', roles: ['PARTNER', 'DESIGNATED_PARTNER'], atLeast: {} },
  BRANCH: { ownership: 'NONE', roles: ['MANAGER', 'AUTHORISED_SIGNATORY'], atLeast: { MANAGER: 1 } },
};

/** Rules of countries whose law requires more than the general rule of a form. */
const BY_COUNTRY: Readonly<Record<string, Partial<Record<EntityForm, RoleRule>>>> = {
  // Companies Act 2013, sections 3 and 149.
  IN: {
    PRIVATE_LIMITED_COMPANY: company(2, 2),
    PUBLIC_LIMITED_COMPANY: company(3, 7),
    LLP: { ...BY_FORM.LLP, atLeast: { DESIGNATED_PARTNER: 2 } },
  },
};

const FIELDS_BEFORE_OWNERSHIP = [
  'companyNames',
  'website',
  'businessDescription',
  'fiscalYearEnd',
  'physicalAddress',
  'mailingAddress',
] as const;
export type FormFieldName =
  | (typeof FIELDS_BEFORE_OWNERSHIP)[number]
  | 'authorizedShares'
  | 'optionPoolShares'
  | 'keyPersons'
  | 'proofOfAddressFileId';

/** The steps of the form: related questions, and at the end all answers to look at before they are submitted. */
export const FORM_STEPS = ['company', 'addresses', 'people', 'review'] as const;
export type FormStep = (typeof FORM_STEPS)[number];

export interface FormField {
  name: FormFieldName;
  label: string;
  /** The step that asks it. */
  step: FormStep;
  kind: 'names' | 'url' | 'longtext' | 'monthDay' | 'address' | 'integer' | 'persons' | 'file';
  required: boolean;
}

const FIELDS: Readonly<Record<FormFieldName, Omit<FormField, 'name'>>> = {
  companyNames: { label: 'Company name, and up to two alternatives', step: 'company', kind: 'names', required: true },
  website: { label: 'Website', step: 'company', kind: 'url', required: false },
  businessDescription: { label: 'What the business does', step: 'company', kind: 'longtext', required: true },
  fiscalYearEnd: { label: 'End of the fiscal year (month and day)', step: 'company', kind: 'monthDay', required: true },
  physicalAddress: { label: 'Physical address', step: 'addresses', kind: 'address', required: true },
  mailingAddress: { label: 'Mailing address, if it differs', step: 'addresses', kind: 'address', required: false },
  authorizedShares: { label: 'Authorised shares', step: 'people', kind: 'integer', required: true },
  optionPoolShares: { label: 'Shares kept for an option pool', step: 'people', kind: 'integer', required: false },
  keyPersons: { label: 'Key persons', step: 'people', kind: 'persons', required: true },
  proofOfAddressFileId: { label: 'Proof of address', step: 'review', kind: 'file', required: true },
};

export interface FormRules extends RoleRule {
  fields: readonly FormField[];
}

/** The questions and the role rules for one entity form in one country. */
export function formRules(country: string, form: EntityForm): FormRules {
  const rule = BY_COUNTRY[country]?.[form] ?? BY_FORM[form];
  const names: FormFieldName[] = [...FIELDS_BEFORE_OWNERSHIP];
  if (rule.ownership === 'SHARES') names.push('authorizedShares', 'optionPoolShares');
  names.push('keyPersons');
  if (country === 'IN') names.push('proofOfAddressFileId');
  return { ...rule, fields: names.map((name) => ({ name, ...FIELDS[name] })) };
}

// The steps of the wizard: which fields each has, and how they become the input of a mutation.
import type { InputIssue } from '../../../../../schema/client/errors.ts';
import type { CorporationDraftFragment, CountryChoicesFragment, UpdateCorporationInput } from './operations.generated.ts';

export const STEPS = [
  { name: 'company', title: 'Company' },
  { name: 'numbers', title: 'Tax numbers' },
  { name: 'contact', title: 'Address and contact' },
  { name: 'registrations', title: 'Registrations' },
  { name: 'documents', title: 'Documents' },
  { name: 'review', title: 'Review' },
] as const;
export type StepName = (typeof STEPS)[number]['name'];

/** What the fields hold, each by the path of its member in the input; a tax number by its kind. */
export type Values = Readonly<Record<string, string>>;

/** What can be chosen in the country of a corporation. */
export type Choices = CountryChoicesFragment;

const ADDRESS = ['addressLine1', 'addressLine2', 'city', 'postalCode', 'state'] as const;

/** The field of a tax number. */
export const taxField = (kind: string): string => `taxIds.${kind}`;

/** The values of what was saved. */
export function valuesOf(draft: CorporationDraftFragment | undefined): Values {
  if (!draft) return {};
  const { legalName, jurisdiction, state, entityType, contactEmail, website, taxIds, address } = draft;
  return {
    legalName,
    jurisdiction,
    state: state ?? '',
    entityType: entityType ?? '',
    contactEmail: contactEmail ?? '',
    website: website ?? '',
    ...Object.fromEntries(taxIds.map(({ type, value }) => [taxField(type), value])),
    ...Object.fromEntries(ADDRESS.map((name) => [`address.${name}`, address?.[name] ?? ''])),
  };
}

/** The fields of a step, as the errors of its mutation name them. */
export function fieldsOf(step: StepName, choices: Choices | undefined): string[] {
  if (step === 'company') return ['jurisdiction', 'legalName', 'state', 'entityType'];
  if (step === 'numbers') return (choices?.taxIdKinds ?? []).map(({ type }) => taxField(type));
  if (step === 'contact') return [...ADDRESS.map((name) => `address.${name}`), 'contactEmail', 'website'];
  return [];
}

/** The tax numbers that were given, in the order in which they are sent. */
export const taxIdsOf = (values: Values, choices: Choices | undefined): { type: string; value: string }[] =>
  (choices?.taxIdKinds ?? []).flatMap(({ type }) => (values[taxField(type)] ? [{ type, value: values[taxField(type)]! }] : []));

/** The members of the input that a step writes. An empty field takes a value away. */
export function inputOf(step: StepName, values: Values, choices: Choices | undefined): Omit<UpdateCorporationInput, 'id' | 'ifMatch'> {
  const given = (name: string): string | null => values[name]?.trim() || null;
  if (step === 'company')
    return {
      jurisdiction: given('jurisdiction') ?? '',
      legalName: given('legalName') ?? '',
      state: given('state'),
      entityType: given('entityType'),
    };
  if (step === 'numbers') return { taxIds: taxIdsOf(values, choices) };
  const hasAddress = ADDRESS.some((name) => given(`address.${name}`));
  const address = Object.fromEntries(ADDRESS.map((name) => [name, given(`address.${name}`)]));
  return {
    address: hasAddress ? { ...address, addressLine1: given('address.addressLine1') ?? '', country: values.jurisdiction ?? '' } : null,
    contactEmail: given('contactEmail'),
    website: given('website'),
  };
}

/** An error of a tax number, which names it by its index, as an error of its field. The pattern is left out because the field shows an example. */
export function fieldIssue(issue: InputIssue, sent: readonly { type: string }[]): InputIssue {
  const kind = issue.path[0] === 'taxIds' ? sent[Number(issue.path[1])]?.type : undefined;
  if (!kind) return issue;
  const path = ['taxIds', kind, ...issue.path.slice(2)];
  return { ...issue, path, message: issue.message.replace(/: it must match .*$/s, '. Compare it with the example.') };
}

// GraphQL enums of sales tax registrations and their content.
import { defineEnum } from '../../records/enums.ts';
import type { StateOf } from '../shared/states.ts';
import type {
  COMBINATIONS,
  COMPARISONS,
  CONFIDENCES,
  FREQUENCIES,
  INPUT_FIELD_TYPES,
  JURISDICTION_TYPES,
  SELLERS,
  TAX_TYPES,
  THRESHOLD_PERIODS,
} from './content/content-shape.ts';

/** Level of government. */
export const JurisdictionType = defineEnum<(typeof JURISDICTION_TYPES)[number]>(
  'JurisdictionType',
  'Level of government of a jurisdiction.',
  {
    TRADEBLOC: 'A group of countries with a common scheme.',
    COUNTRY: 'A country.',
    STATE_OR_PROVINCE: 'A first-level subdivision.',
    COUNTY: 'A county.',
    CITY: 'A city.',
    DISTRICT: 'A special district.',
    LOCAL: 'Any other local level.',
    TERRITORY: 'A territory outside the subdivisions.',
  },
);

/** Kinds of tax. */
export const SalesTaxType = defineEnum<(typeof TAX_TYPES)[number]>('SalesTaxType', 'Kind of indirect tax.', {
  RST: 'Retail sales tax.',
  RUT: 'Retailers use tax.',
  DTT: 'District transaction tax.',
  SST: 'Streamlined sales tax.',
  SSUT: 'Simplified sellers use tax.',
  GRT: 'Gross receipts tax.',
  GET: 'General excise tax.',
  TPT: 'Transaction privilege tax.',
  VUT: 'Vendor use tax.',
  SUT: 'Sales and use tax.',
  VAT: 'Value added tax.',
  GST: 'Goods and services tax.',
  HST: 'Harmonised sales tax.',
  PST: 'Provincial sales tax.',
  QST: 'Quebec sales tax.',
  JCT: 'Japanese consumption tax.',
});

/** How often returns are due. */
export const FilingFrequency = defineEnum<(typeof FREQUENCIES)[number]>('FilingFrequency', 'How often returns are due.', {
  MONTHLY: 'Every month.',
  BIMONTHLY: 'Every second month.',
  QUARTERLY: 'Every quarter.',
  SEMI_ANNUALLY: 'Twice a year.',
  ANNUAL_CALENDAR_YEAR: 'Once per calendar year.',
  FISCAL_YEAR: 'Once per fiscal year.',
  QUARTERLY_PREPAY_MONTHLY: 'Every quarter, with monthly prepayments.',
  MONTHLY_ACCELERATED_PREPAY_EARLY: 'Every month, with an accelerated prepayment.',
});

/** How content was checked. */
export const ContentConfidence = defineEnum<(typeof CONFIDENCES)[number]>(
  'ContentConfidence',
  'How a statement in the content was checked.',
  {
    HIGH: 'Checked against text of the authority.',
    MEDIUM: "Checked against a page that is not the authority's own or confirms only a part.",
    LOW: 'Not checked; the source is the page where the authority publishes it.',
  },
);

/** Sellers that a threshold applies to. */
export const ThresholdSeller = defineEnum<(typeof SELLERS)[number]>('ThresholdSeller', 'Sellers to which a threshold applies.', {
  ANY: 'Every seller.',
  ESTABLISHED: 'Sellers established in the country, or in a member of the bloc.',
  NOT_ESTABLISHED: 'Sellers established elsewhere.',
});

/** How sales are compared with a limit. */
export const ThresholdComparison = defineEnum<(typeof COMPARISONS)[number]>('ThresholdComparison', 'How sales are compared with a limit.', {
  MORE_THAN: 'Sales must be greater.',
  AT_LEAST: 'Sales must be equal or greater.',
});

/** How two limits are combined. */
export const ThresholdCombination = defineEnum<(typeof COMBINATIONS)[number]>(
  'ThresholdCombination',
  'How the amount and the number of sales are combined.',
  { AND: 'Both must be reached.', OR: 'One is sufficient.' },
);

/** Periods whose sales count. */
export const ThresholdPeriod = defineEnum<(typeof THRESHOLD_PERIODS)[number]>('ThresholdPeriod', 'Period whose sales count.', {
  CURRENT_CALENDAR_YEAR: 'Current calendar year.',
  PREVIOUS_CALENDAR_YEAR: 'Previous calendar year.',
  PREVIOUS_OR_CURRENT_CALENDAR_YEAR: 'Current or previous calendar year, whichever has more sales.',
  ROLLING_12_MONTHS: 'Any twelve consecutive months.',
  YEAR_TO_30_SEPTEMBER: 'Twelve months until 30 September.',
  FOUR_QUARTERS: 'Four consecutive quarters, as in the returns.',
  FISCAL_YEAR: 'Fiscal year of the country or seller, according to the source.',
  FIRST_SALE: 'No period: the first sale counts.',
});

/** Whether sales reach a threshold. */
export const NeedOutcome = defineEnum('NeedOutcome', 'What comparing sales with thresholds showed.', {
  BELOW: 'The sales are less than 80 % of every threshold.',
  APPROACHING: 'The sales are at least 80 % of a threshold, and reach none.',
  REACHED: 'The sales reach a threshold.',
  REGISTERED: 'The corporation is registered or has asked for it, or holds a registration that makes this one unnecessary.',
  NOT_COMPARED: 'It cannot be said: sales are in another currency than the threshold, or their number was not given.',
});
export type NeedOutcome = keyof typeof NeedOutcome.values;

/** Kinds of answer to a question of an authority. */
export const InputFieldType = defineEnum<(typeof INPUT_FIELD_TYPES)[number]>('InputFieldType', 'Kind of answer to a question.', {
  text: 'One line of text.',
  longtext: 'Text of several lines.',
  select: 'One of the options.',
  date: 'A calendar date.',
  url: 'A web address.',
  email: 'An email address.',
  boolean: 'True or false.',
  integer: 'A whole number.',
});

/** How a registration came to be. */
export const RegistrationType = defineEnum('RegistrationType', 'Whether the registration already exists at the authority.', {
  EXISTING: 'It exists and is recorded here.',
  NEW: 'It must be obtained from the authority.',
});

/** Standing at the authority. */
export const RegistrationStatus = defineEnum<StateOf<'registrationStatus'>>(
  'RegistrationStatus',
  'Status of a registration at the authority.',
  {
    PENDING: 'Requested, not started.',
    REGISTRATION_IN_PROGRESS: 'Applied for at the authority.',
    SCHEDULED: 'Takes effect on a future day.',
    REGISTERED: 'In force.',
    CLOSED: 'Ended.',
    REJECTED: 'Rejected by the authority.',
  },
);

/** Whether the record was checked. */
export const ValidationStatus = defineEnum<StateOf<'validationStatus'>>(
  'ValidationStatus',
  'Whether the data of a registration was checked.',
  {
    PENDING: 'Not checked yet.',
    VALIDATION_IN_PROGRESS: 'Being checked.',
    VALID: 'The data is correct.',
    INVALID: 'Wrong; requires a correction.',
  },
);

/** Who entered a registration. */
export const RegisteredBy = defineEnum('RegisteredBy', 'Party that made a registration.', {
  API: 'A client of this API.',
  USER: 'A person through another application.',
  PLATFORM: 'The operator of the gateway.',
  THIRD_PARTY: 'A third party on behalf of the company.',
});

/** Whether returns are filed for the caller. */
export const AutoFilingStatus = defineEnum('AutoFilingStatus', 'Whether returns are filed automatically.', {
  NOT_FILING: 'Returns are not filed automatically.',
  FILING: 'Returns are filed automatically.',
});

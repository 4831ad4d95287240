// The shape of a registration content pack: its enums, its entries, and the rule of each field.
import { z } from 'zod';
import { isCalendarDate } from '../../../records/text.ts';
import { patternTrouble } from './pattern-safety.ts';

export const JURISDICTION_TYPES = [
  'TRADEBLOC',
  'COUNTRY',
  'STATE_OR_PROVINCE',
  'COUNTY',
  'CITY',
  'DISTRICT',
  'LOCAL',
  'TERRITORY',
] as const;
export const FREQUENCIES = [
  'MONTHLY',
  'BIMONTHLY',
  'QUARTERLY',
  'SEMI_ANNUALLY',
  'ANNUAL_CALENDAR_YEAR',
  'FISCAL_YEAR',
  'QUARTERLY_PREPAY_MONTHLY',
  'MONTHLY_ACCELERATED_PREPAY_EARLY',
] as const;
/** RST retail sales, RUT retailers use, DTT district transaction, SST and SSUT simplified sellers use, and so on; the rest by their usual initials. */
export const TAX_TYPES = [
  'RST',
  'RUT',
  'DTT',
  'SST',
  'SSUT',
  'GRT',
  'GET',
  'TPT',
  'VUT',
  'SUT',
  'VAT',
  'GST',
  'HST',
  'PST',
  'QST',
  'JCT',
] as const;
/** HIGH: compared with text of the authority. MEDIUM: with another named page, or in part. LOW: not compared with a page. */
export const CONFIDENCES = ['HIGH', 'MEDIUM', 'LOW'] as const;
export const SELLERS = ['ANY', 'ESTABLISHED', 'NOT_ESTABLISHED'] as const;
export const COMPARISONS = ['MORE_THAN', 'AT_LEAST'] as const;
export const COMBINATIONS = ['AND', 'OR'] as const;
export const THRESHOLD_PERIODS = [
  'CURRENT_CALENDAR_YEAR',
  'PREVIOUS_CALENDAR_YEAR',
  'PREVIOUS_OR_CURRENT_CALENDAR_YEAR',
  'ROLLING_12_MONTHS',
  'YEAR_TO_30_SEPTEMBER',
  'FOUR_QUARTERS',
  'FISCAL_YEAR',
  'FIRST_SALE',
] as const;
export const INPUT_FIELD_TYPES = ['text', 'longtext', 'select', 'date', 'url', 'email', 'boolean', 'integer'] as const;

const id = z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/);
const label = z.string().min(1).max(200);
const NOT_A_DATE = 'must be a calendar date written YYYY-MM-DD';
const date = z.string().refine(isCalendarDate, NOT_A_DATE).nullable();
const pattern = z.string().superRefine((source, context) => {
  const trouble = patternTrouble(source);
  if (trouble) context.addIssue({ code: 'custom', message: trouble });
});

const Portal = z.strictObject({ portalId: id, portalName: label, portalUrl: z.url({ protocol: /^https$/ }) });

const Jurisdiction = z.strictObject({
  jurisdictionId: id,
  name: label,
  type: z.enum(JURISDICTION_TYPES),
  country: z.string().nullable(),
  stateOrProvince: z.string().nullable(),
  parentJurisdictionId: id.nullable(),
});

const InputField = z.strictObject({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  name: label,
  type: z.enum(INPUT_FIELD_TYPES),
  required: z.boolean(),
  regex: pattern.nullable(),
  options: z.array(z.string().min(1)),
  isUniquePerRegistration: z.boolean(),
  displayOrder: z.int().positive(),
  dependsOn: z.strictObject({ field: z.string(), value: z.union([z.string(), z.boolean()]) }).nullable(),
});

const Source = z.strictObject({ authority: label, title: label, url: z.url({ protocol: /^https?$/ }).nullable() });

/** Where a statement comes from. Packs of operators may leave it out; the shipped one may not (`validateSourcedPack`). */
const provenance = {
  source: Source.optional(),
  checkedAt: z.string().refine(isCalendarDate, NOT_A_DATE).optional(),
  confidence: z.enum(CONFIDENCES).optional(),
};

const comparison = z.enum(COMPARISONS);

/** From which sales on a seller has to register. Reaching one threshold of an entry is enough. */
const Threshold = z.strictObject({
  seller: z.enum(SELLERS),
  amount: z.strictObject({ comparison, value: z.number().min(0), currency: z.string().regex(/^[A-Z]{3}$/) }).nullable(),
  transactions: z.strictObject({ comparison, value: z.int().min(0) }).nullable(),
  /** Whether both limits have to be reached; null where there is one. */
  combination: z.enum(COMBINATIONS).nullable(),
  period: z.enum(THRESHOLD_PERIODS),
  /** What is counted, such as `gross sales`. */
  counted: label,
  /** The jurisdiction whose sales are counted, when it is wider than the one of the entry. */
  measuredIn: id.nullable(),
  /** Another publisher that states the same; null where none was found. */
  secondSource: Source.nullable().optional(),
  ...provenance,
});

const FilingPeriod = z.strictObject({ frequency: z.enum(FREQUENCIES), endMonths: z.array(z.int().min(1).max(12)).min(1) });

const Content = z.strictObject({
  registrationContentId: id,
  jurisdictionId: id,
  name: label,
  taxType: z.enum(TAX_TYPES),
  frequencies: z.array(z.enum(FREQUENCIES)).min(1),
  relatedTaxTypes: z.array(z.strictObject({ taxType: z.enum(TAX_TYPES), optional: z.boolean() })),
  /** Name of one of the pack's field sets: many entries ask the same questions. */
  fieldSet: z.string(),
  taxRegistrationId: z.strictObject({ regex: pattern, identifierKey: z.string().nullable() }),
  /** Of each group, the corporation needs a registration for one entry. */
  prerequisites: z.array(z.strictObject({ anyOf: z.array(id).min(1) })),
  effectiveStartDate: date,
  effectiveEndDate: date,
  portalIds: z.array(id),
  /** Registrations any of which makes this one unnecessary. */
  alternatives: z.array(id).optional(),
  /** The calendar of a frequency where it is not the usual one; a frequency with several calendars has several entries. */
  filingPeriods: z.array(FilingPeriod).optional(),
  thresholds: z.array(Threshold).optional(),
  ...provenance,
});

export const Pack = z.strictObject({
  version: z.string().regex(/^\d{4}\.\d{1,3}$/),
  portals: z.array(Portal),
  fieldSets: z.record(z.string(), z.array(InputField)),
  jurisdictions: z.array(Jurisdiction).min(1),
  content: z.array(Content).min(1),
});

export type ContentPack = z.infer<typeof Pack>;
export type Portal = z.infer<typeof Portal>;
export type Jurisdiction = z.infer<typeof Jurisdiction>;
export type InputField = z.infer<typeof InputField>;
export type RegistrationContent = z.infer<typeof Content>;
export type Threshold = z.infer<typeof Threshold>;
export type FilingPeriod = z.infer<typeof FilingPeriod>;
export type Sourced = Pick<RegistrationContent, 'source' | 'checkedAt' | 'confidence'>;

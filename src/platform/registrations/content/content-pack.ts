// The check of a whole registration content pack: the shape of each entry, and the references between entries.

import type { Checked } from '../../../records/checked.ts';
import type { InputIssue, InputIssueCode } from '../../../records/input-issue.ts';
import { isAssignedCountry, isSubdivision } from '../../shared/countries.ts';
import { IDENTIFIER_KINDS } from '../../shared/government-identifiers.ts';
import {
  type ContentPack,
  type InputField,
  JURISDICTION_TYPES,
  type Jurisdiction,
  Pack,
  type RegistrationContent,
  type Sourced,
} from './content-shape.ts';
import { periodTrouble, thresholdTrouble } from './threshold-rules.ts';

/** Most issues that one response lists; a wrong file can have one in every entry. */
const MAX_ISSUES = 100;

const ZOD_CODES: Readonly<Record<string, InputIssueCode>> = {
  invalid_type: 'INVALID_TYPE',
  invalid_format: 'INVALID_FORMAT',
  unrecognized_keys: 'UNKNOWN_FIELD',
  too_small: 'OUT_OF_RANGE',
  too_big: 'TOO_LONG',
};

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Checks a whole pack. The fields of its issues are JSON pointers, so that an operator finds the entry. */
export function validatePack(json: unknown): Checked<ContentPack> {
  const shaped = Pack.safeParse(json);
  if (!shaped.success) {
    const issues = shaped.error.issues.map(({ code, path, message }) => ({
      field: pointer(path),
      code: ZOD_CODES[code] ?? 'INVALID_VALUE',
      message,
    }));
    return { ok: false, issues: issues.slice(0, MAX_ISSUES) };
  }
  const issues = crossFieldIssues(shaped.data);
  return issues.length === 0 ? { ok: true, value: shaped.data } : { ok: false, issues: issues.slice(0, MAX_ISSUES) };
}

/** The same, and every entry and threshold says where it comes from: what the shipped pack is held to. */
export function validateSourcedPack(json: unknown): Checked<ContentPack> {
  const checked = validatePack(json);
  if (!checked.ok) return checked;
  const issues: InputIssue[] = [];
  const demand = (one: Sourced, path: readonly PropertyKey[]): void => {
    for (const name of ['source', 'checkedAt', 'confidence'] as const) {
      if (one[name] === undefined) issues.push({ field: pointer([...path, name]), code: 'REQUIRED', message: `${name} is required` });
    }
  };
  for (const [at, entry] of checked.value.content.entries()) {
    demand(entry, ['content', at]);
    for (const [place, threshold] of (entry.thresholds ?? []).entries()) demand(threshold, ['content', at, 'thresholds', place]);
  }
  return issues.length === 0 ? checked : { ok: false, issues: issues.slice(0, MAX_ISSUES) };
}

type Report = (path: readonly PropertyKey[], code: InputIssueCode, message: string) => void;

function crossFieldIssues(pack: ContentPack): InputIssue[] {
  const issues: InputIssue[] = [];
  const report: Report = (path, code, message) => issues.push({ field: pointer(path), code, message });
  reportRepeats(
    pack.portals.map((one) => one.portalId),
    ['portals'],
    'portalId',
    report,
  );
  reportRepeats(
    pack.jurisdictions.map((one) => one.jurisdictionId),
    ['jurisdictions'],
    'jurisdictionId',
    report,
  );
  reportRepeats(
    pack.content.map((one) => one.registrationContentId),
    ['content'],
    'registrationContentId',
    report,
  );
  for (const [name, fields] of Object.entries(pack.fieldSets)) checkFieldSet(name, fields, report);
  const jurisdictions = new Map(pack.jurisdictions.map((one) => [one.jurisdictionId, one]));
  for (const [at, one] of pack.jurisdictions.entries()) checkJurisdiction(one, jurisdictions, ['jurisdictions', at], report);
  const known: Known = {
    jurisdictions,
    content: new Map(pack.content.map((one) => [one.registrationContentId, one])),
    fieldSets: new Set(Object.keys(pack.fieldSets)),
    portals: new Set(pack.portals.map((one) => one.portalId)),
  };
  for (const [at, one] of pack.content.entries()) checkContent(one, known, ['content', at], report);
  return issues;
}

interface Known {
  jurisdictions: ReadonlyMap<string, Jurisdiction>;
  content: ReadonlyMap<string, RegistrationContent>;
  fieldSets: ReadonlySet<string>;
  portals: ReadonlySet<string>;
}

function reportRepeats(values: readonly unknown[], path: readonly PropertyKey[], key: string | null, report: Report): void {
  const seen = new Set<unknown>();
  for (const [at, value] of values.entries()) {
    if (seen.has(value)) report(key === null ? [...path, at] : [...path, at, key], 'DUPLICATE', `${String(value)} appears twice`);
    seen.add(value);
  }
}

function checkFieldSet(name: string, fields: readonly InputField[], report: Report): void {
  const path = ['fieldSets', name];
  reportRepeats(
    fields.map((field) => field.key),
    path,
    'key',
    report,
  );
  reportRepeats(
    fields.map((field) => field.displayOrder),
    path,
    'displayOrder',
    report,
  );
  for (const [at, field] of fields.entries()) {
    if ((field.type === 'select') !== field.options.length > 0)
      report([...path, at, 'options'], 'INVALID_VALUE', 'a select must have options, and no other type may');
    reportRepeats(field.options, [...path, at, 'options'], null, report);
    if (field.regex !== null && !['text', 'longtext'].includes(field.type))
      report([...path, at, 'regex'], 'INVALID_VALUE', 'only text and longtext may have a regex');
    if (field.dependsOn === null) continue;
    const { field: key, value } = field.dependsOn;
    // Only earlier fields are searched, which also rules out circles.
    const asked = fields.find((one) => one.key === key && one.displayOrder < field.displayOrder);
    const possible = asked?.type === 'boolean' ? typeof value === 'boolean' : asked?.options.includes(String(value));
    if (!possible) report([...path, at, 'dependsOn'], 'NOT_FOUND', `${key} must be an earlier boolean or select that can be ${value}`);
  }
}

function checkJurisdiction(one: Jurisdiction, all: ReadonlyMap<string, Jurisdiction>, path: readonly PropertyKey[], report: Report): void {
  const { type, country, stateOrProvince, parentJurisdictionId } = one;
  if ((type === 'TRADEBLOC') !== (country === null))
    report([...path, 'country'], 'INVALID_VALUE', 'country is null for a TRADEBLOC and only for it');
  if (country !== null && !isAssignedCountry(country))
    report([...path, 'country'], 'INVALID_VALUE', `${country} is not an assigned ISO 3166-1 code`);
  if ((type === 'STATE_OR_PROVINCE') !== (stateOrProvince !== null) && ['TRADEBLOC', 'COUNTRY', 'STATE_OR_PROVINCE'].includes(type)) {
    report([...path, 'stateOrProvince'], 'INVALID_VALUE', `stateOrProvince does not fit the type ${type}`);
  }
  if (stateOrProvince !== null && country !== null && !isSubdivision(country, stateOrProvince)) {
    report([...path, 'stateOrProvince'], 'INVALID_VALUE', `${country}-${stateOrProvince} is not an ISO 3166-2 code`);
  }
  if (
    type !== 'TRADEBLOC' &&
    one.jurisdictionId !== ['JUR', country, stateOrProvince].filter(Boolean).join('_') &&
    ['COUNTRY', 'STATE_OR_PROVINCE'].includes(type)
  ) {
    report([...path, 'jurisdictionId'], 'MISMATCH', `${one.jurisdictionId} does not name its country and sub-division`);
  }
  if (parentJurisdictionId === null) return;
  const parent = all.get(parentJurisdictionId);
  if (!parent) report([...path, 'parentJurisdictionId'], 'NOT_FOUND', `${parentJurisdictionId} is not a jurisdiction of the pack`);
  // A parent is of a wider type, which rules out circles as well.
  else if (
    JURISDICTION_TYPES.indexOf(parent.type) >= JURISDICTION_TYPES.indexOf(type) ||
    (parent.country !== null && parent.country !== country)
  ) {
    report([...path, 'parentJurisdictionId'], 'MISMATCH', `${parentJurisdictionId} cannot contain ${one.jurisdictionId}`);
  }
}

function checkContent(one: RegistrationContent, known: Known, path: readonly PropertyKey[], report: Report): void {
  const jurisdiction = known.jurisdictions.get(one.jurisdictionId);
  if (!jurisdiction) report([...path, 'jurisdictionId'], 'NOT_FOUND', `${one.jurisdictionId} is not a jurisdiction of the pack`);
  else {
    const start = `${one.jurisdictionId.replace(/^JUR_/, '')}_`;
    if (!one.registrationContentId.startsWith(start) || !one.registrationContentId.endsWith(`_${one.taxType}`)) {
      report(
        [...path, 'registrationContentId'],
        'MISMATCH',
        `${one.registrationContentId} must begin with ${start} and end with _${one.taxType}`,
      );
    }
  }
  reportRepeats(one.frequencies, [...path, 'frequencies'], null, report);
  reportRepeats([one.taxType, ...one.relatedTaxTypes.map((related) => related.taxType)], [...path, 'relatedTaxTypes'], null, report);
  if (!known.fieldSets.has(one.fieldSet)) report([...path, 'fieldSet'], 'NOT_FOUND', `${one.fieldSet} is not a field set of the pack`);
  const key = one.taxRegistrationId.identifierKey;
  if (key !== null && IDENTIFIER_KINDS.get(key)?.country !== (jurisdiction?.country ?? null)) {
    report(
      [...path, 'taxRegistrationId', 'identifierKey'],
      'NOT_FOUND',
      `${key} is not an identifier of ${jurisdiction?.country ?? 'a bloc'}`,
    );
  }
  for (const [at, portal] of one.portalIds.entries()) {
    if (!known.portals.has(portal)) report([...path, 'portalIds', at], 'NOT_FOUND', `${portal} is not a portal of the pack`);
  }
  if (one.effectiveStartDate !== null && one.effectiveEndDate !== null && one.effectiveEndDate <= one.effectiveStartDate) {
    report([...path, 'effectiveEndDate'], 'OUT_OF_RANGE', 'effectiveEndDate must be after effectiveStartDate');
  }
  checkPrerequisites(one, known.content, path, report);
  checkObligations(one, known, path, report);
}

/** When the registration is needed and when its returns are due. */
function checkObligations(one: RegistrationContent, known: Known, path: readonly PropertyKey[], report: Report): void {
  for (const [at, other] of (one.alternatives ?? []).entries()) {
    if (!known.content.has(other)) report([...path, 'alternatives', at], 'NOT_FOUND', `${other} is not an entry of the pack`);
  }
  for (const [at, period] of (one.filingPeriods ?? []).entries()) {
    const trouble = periodTrouble(period, one.frequencies);
    if (trouble) report([...path, 'filingPeriods', at], 'INVALID_VALUE', trouble);
  }
  for (const [at, threshold] of (one.thresholds ?? []).entries()) {
    const trouble = thresholdTrouble(threshold);
    if (trouble) report([...path, 'thresholds', at], 'INVALID_VALUE', trouble);
    const { measuredIn } = threshold;
    if (measuredIn !== null && !known.jurisdictions.has(measuredIn))
      report([...path, 'thresholds', at, 'measuredIn'], 'NOT_FOUND', `${measuredIn} is not a jurisdiction of the pack`);
  }
}

function checkPrerequisites(one: RegistrationContent, content: Known['content'], path: readonly PropertyKey[], report: Report): void {
  for (const [group, { anyOf }] of one.prerequisites.entries()) {
    for (const [at, wanted] of anyOf.entries()) {
      const target = content.get(wanted);
      if (!target) report([...path, 'prerequisites', group, 'anyOf', at], 'NOT_FOUND', `${wanted} is not an entry of the pack`);
      // Prerequisites have one level, which also rules out circles.
      else if (target.prerequisites.length > 0)
        report([...path, 'prerequisites', group, 'anyOf', at], 'INVALID_VALUE', `${wanted} has prerequisites of its own`);
    }
  }
}

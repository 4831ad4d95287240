// National tariffs: the codes of eight and more digits that operators import. They are in versions by their first day, and one version is in force on
// a day.
import type { Services } from '../../../access/context.ts';
import { conditionsOf, ordersOf } from '../../../database/reader/conditions.ts';
import { projectionOf } from '../../../database/reader/projection.ts';
import type { Reader } from '../../../database/reader/reader.ts';
import { type Checked, passed } from '../../../records/checked.ts';
import { country, date, identifier, integer, moment, record, text } from '../../../records/decorators.ts';
import { modelOf, propOf, type StoredRecord } from '../../../records/metadata.ts';
import { CacheKey } from '../../../runtime/caches.ts';
import { checkCountry, EU_MEMBERS } from '../../shared/countries.ts';
import { NationalCodes } from './national-codes.ts';

/** The Combined Nomenclature holds for every member state under this code, which ISO 3166-1 reserves for the European Union. */
const UNION = 'EU';

@record({
  description: 'A version of the tariff of a country, imported by an operator. The version with the latest first day applies.',
  scope: 'shared',
  key: 'country',
  prefix: 'national_tariff',
  primaryKey: ['country', 'validFrom'],
})
export class NationalTariff {
  @country('Two-letter country code; EU for the Combined Nomenclature, which applies in every member state.', { required: true })
  country!: string;
  @date('First day on which it applies.', { required: true }) validFrom!: string;
  @date('Last day on which it applies; null until the next version.') validTo!: string | null;
  @text('Name of the imported file.', { required: true }) source!: string;
  @integer('Number of codes.', { required: true }) codes!: number;
  @moment('When it was imported.', { required: true }) importedAt!: Date;
}

@record({
  description: 'A code of a national tariff, longer than the six digits of the Harmonized System.',
  scope: 'shared',
  key: 'code',
  prefix: 'national_tariff_line',
  primaryKey: ['country', 'validFrom', 'code'],
  indexes: [{ name: 'national_tariff_line_parent', columns: 'country, valid_from, parent, code' }],
  internal: true,
})
export class NationalTariffLine {
  @country('Country of the tariff.', { required: true }) country!: string;
  @date('First day of the tariff.', { required: true }) validFrom!: string;
  @identifier('The code, digits only.', { required: true }) code!: string;
  @identifier('The longer code it is under, or its first six digits.', { required: true }) parent!: string;
  @text('What it covers, as published.', { required: true }) description!: string;
}

const ALL = ['country', 'validFrom', 'validTo', 'source', 'codes', 'importedAt'] as const;

/** A version as it is read. */
export type TariffInForce = StoredRecord<NationalTariff, (typeof ALL)[number]>;
/** A code of a version. */
export type TariffLine = Pick<NationalTariffLine, 'code' | 'parent' | 'description'>;

/** Shared content belongs to no organisation. */
const SHARED = { tenant: null };

/** A country that may have a tariff, or EU. */
export const checkTariffCountry = (value: string, field = 'country'): Checked<string> =>
  value === UNION ? passed(value) : checkCountry(value, field);

/** The tariff that holds in a country on a day: its own, otherwise that of the European Union for a member. Undefined where none was imported. */
export async function tariffOn(reader: Reader, country: string, day: string): Promise<TariffInForce | undefined> {
  const latest = { order: { by: ['validFrom'] as const, descending: true }, limit: 1 };
  const [found] = await reader.find(NationalTariff, { where: { country, validFrom: { lte: day } }, ...latest }, ALL, SHARED);
  if (found && (found.validTo === null || found.validTo >= day)) return found;
  return EU_MEMBERS.includes(country) ? tariffOn(reader, UNION, day) : undefined;
}

const LINE = ['code', 'parent', 'description'] as const;
const ASCENDING = { by: ['code'] as const };

/** The lines of a version directly under each of some codes, in the order of those codes; at most so many of each. */
export async function linesUnder(
  reader: Reader,
  { country, validFrom }: TariffInForce,
  codes: readonly string[],
  limit: number,
): Promise<TariffLine[]> {
  const model = modelOf(NationalTariffLine);
  const query = {
    projection: projectionOf(model, LINE),
    where: conditionsOf(model, { country, validFrom }),
    order: ordersOf(model, ASCENDING),
  };
  const parents = { props: [propOf(model, 'parent')], values: codes.map((code) => [code]) };
  return (await reader.rowsOfEach({ ...SHARED, ...query, limit }, parents)).flat() as unknown as TariffLine[];
}

/** The lines of a version that begin with some digits, in the order of theirs. */
export function linesFrom(reader: Reader, { country, validFrom }: TariffInForce, digits: string, limit: number): Promise<TariffLine[]> {
  // The range ends before the number that follows; digits that are all nines have none of their length.
  const range = /^9+$/.test(digits) ? { gte: digits } : { gte: digits, lt: String(Number(digits) + 1).padStart(digits.length, '0') };
  return reader.find(NationalTariffLine, { where: { country, validFrom, code: range }, order: ASCENDING, limit }, LINE, SHARED);
}

/** The codes of versions by country, first day and time of import: read once, as they do not change. */
const codesOfVersions = new CacheKey<Services, Map<string, NationalCodes>>('national_tariff_codes', () => new Map());

/** The codes that hold on a day, by country. The codes of a version are some 30,000 texts; those of versions that do not hold are forgotten. */
export async function codesOn({ reader, caches }: Services, day: string): Promise<ReadonlyMap<string, NationalCodes>> {
  const kept = caches.of(codesOfVersions);
  const versions = await reader.find(NationalTariff, { where: { validFrom: { lte: day } }, order: { by: ['validFrom'] } }, ALL, SHARED);
  const inForce = [...new Map(versions.map((version) => [version.country, version])).values()].filter(
    ({ validTo }) => validTo === null || validTo >= day,
  );
  const keyOf = ({ country, validFrom, importedAt }: TariffInForce): string => `${country} ${validFrom} ${importedAt}`;
  const keys = new Set(inForce.map(keyOf));
  for (const key of kept.keys()) if (!keys.has(key)) kept.delete(key);
  const codes = new Map<string, NationalCodes>();
  for (const version of inForce) {
    const { country, validFrom } = version;
    const known = kept.get(keyOf(version)) ?? new NationalCodes(`${country} of ${validFrom}`, await allCodes(reader, version));
    kept.set(keyOf(version), known);
    codes.set(country, known);
  }
  const union = codes.get(UNION);
  if (union) for (const member of EU_MEMBERS) if (!codes.has(member)) codes.set(member, union);
  return codes;
}

/** Every code of a version, ascending by its digits whatever the collation of the database. */
async function allCodes(reader: Reader, { country, validFrom }: TariffInForce): Promise<string[]> {
  const rows = await reader.find(NationalTariffLine, { where: { country, validFrom } }, ['code'], SHARED);
  return rows.map(({ code }) => code).sort();
}

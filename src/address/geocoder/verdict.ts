// What a caller should do with a result: how sure each part of the address is, which required parts are missing, and the next step.
import type { AddressComponents, ComponentName, GeocodedAddress, Match, Verdict, VerdictComponent, VerdictLevel } from './types.ts';

/** From this confidence on a result may be used without a manual check. */
export const SURE = 0.8;

/** The parts that an address must have, by letters of libaddressinput: A street or post office box, C city, S subdivision, Z postal code. */
const REQUIRED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AS: 'AE CO HK ID KY NR',
    A: 'AG GI MO VG',
    ACSZ: 'AS AU BR CA CN ES FM IN IT KR MH MP PF PW RU TW UA US VI',
    ACZ: 'AT AX BE BL CH CZ DE DK FI FK FR GB GF GG GL GP GR GS GU HU IM IO JE LI LU MF MQ MX MY NC NL NO NZ PL PM PN PR PT RE SE SH SJ SK TC TR WF YT ZA',
    ACS: 'CR HN IQ JM KN PG SO SV UM VE',
    ASZ: 'JP',
    AZ: 'SG SM',
  }).flatMap(([parts, countries]) => countries.split(' ').map((country) => [country, parts] as const)),
);

/** What a country requires that libaddressinput has no rule for. */
const USUALLY_REQUIRED = 'AC';

/** What the engine found out about a result besides the result itself. */
export interface Finding {
  match: Match;
  confidence: number;
  /** The name of the city was misspelt. */
  isCityCorrected: boolean;
  /** The parts of the text that another value took the place of. */
  replaced: readonly ('country' | 'state')[];
  /** Whether the engine looked streets and house numbers up. */
  hasStreets: boolean;
}

/** The address without its verdict. */
type Judged = Omit<GeocodedAddress, 'verdict'>;

const cityLevel = ({ components, locality }: Judged, { isCityCorrected, hasStreets }: Finding): VerdictLevel => {
  if (components.city === null) return 'INFERRED';
  if (isCityCorrected) return 'CORRECTED';
  return locality !== null && (locality.geonamesId !== null || locality.population !== null || hasStreets) ? 'CONFIRMED' : 'UNRESOLVED';
};

/** Parts that the embedded engine copies from the text without looking them up. They do not decide the next step. */
const COPIED: ReadonlyMap<ComponentName, keyof AddressComponents> = new Map([
  ['street', 'street'],
  ['house_number', 'houseNumber'],
  ['unit', 'unit'],
  ['po_box', 'poBox'],
  ['district', 'district'],
]);

function componentsOf(address: Judged, finding: Finding): VerdictComponent[] {
  const { components, evidence, subdivision, locality, postalCode } = address;
  const isNamed = (area: 'country' | 'subdivision'): boolean => evidence.some(({ kind }) => kind.startsWith(area));
  const levels: Partial<Record<ComponentName, VerdictLevel>> = {};
  levels.country = finding.replaced.includes('country')
    ? 'REPLACED'
    : isNamed('country') || components.country !== null
      ? 'CONFIRMED'
      : 'INFERRED';
  if (finding.replaced.includes('state')) levels.state = 'REPLACED';
  else if (subdivision) levels.state = isNamed('subdivision') || components.state !== null ? 'CONFIRMED' : 'INFERRED';
  if (components.city !== null || locality) levels.city = cityLevel(address, finding);
  if (postalCode) levels.postal_code = postalCode.validFormat && postalCode.consistent !== false ? 'CONFIRMED' : 'UNRESOLVED';
  for (const [name, member] of COPIED) if (components[member] !== null) levels[name] = finding.hasStreets ? 'CONFIRMED' : 'UNRESOLVED';
  return Object.entries(levels).map(([name, level]) => ({ name: name as ComponentName, level }));
}

function missingIn({ components, country, subdivision, locality, postalCode }: Judged): ComponentName[] {
  const required = REQUIRED.get(country.alpha2) ?? USUALLY_REQUIRED;
  const parts: Readonly<Record<string, readonly [name: ComponentName, isThere: boolean]>> = {
    A: ['street', components.street !== null || components.poBox !== null],
    C: ['city', components.city !== null || locality !== null],
    S: ['state', components.state !== null || subdivision !== null],
    Z: ['postal_code', postalCode !== null],
  };
  return [...required].flatMap((letter) => (parts[letter]![1] ? [] : [parts[letter]![0]]));
}

/** The verdict on a result. */
export function verdictOn(address: Judged, finding: Finding): Verdict {
  const components = componentsOf(address, finding);
  const missing = missingIn(address);
  const has = (level: VerdictLevel): boolean => components.some((one) => one.level === level && !COPIED.has(one.name));
  const isSure = finding.match === 'exact' && finding.confidence >= SURE;
  const next = missing.length > 0 || has('UNRESOLVED') ? 'FIX' : isSure && !has('REPLACED') && !has('CORRECTED') ? 'ACCEPT' : 'CONFIRM';
  return { next, missing, components };
}

// Adapter for Nominatim-compatible search services: builds the request and reads the places of the result.
import { z } from 'zod';
import { countryRef } from '../geocoder/compose.ts';
import { DUAL_TERRITORIES } from '../geocoder/facts/territories.ts';
import { fold, prepare } from '../geocoder/normalise.ts';
import type { GeocodedAddress, GeocodeResult, Precision, SubdivisionRef } from '../geocoder/types.ts';
import { verdictOn } from '../geocoder/verdict.ts';
import { type IsoContent, resolveCode } from '../iso/content.ts';
import { UpstreamError } from './engine.ts';
import type { UpstreamAdapter } from './upstream.ts';

const Coordinate = z.union([z.string(), z.number()]).transform(Number).pipe(z.number().finite());
const Place = z.object({
  lat: Coordinate,
  lon: Coordinate,
  display_name: z.string().max(2_000),
  addresstype: z.string().optional(),
  importance: z.number().optional(),
  boundingbox: z.array(Coordinate).length(4).optional(),
  licence: z.string().optional(),
  address: z.record(z.string(), z.string()),
});
const Places = z.array(Place).max(50);
type Place = z.infer<typeof Place>;

const CONFIDENCE: Readonly<Record<Precision, number>> = {
  house: 0.95,
  street: 0.9,
  postal_code: 0.85,
  locality: 0.85,
  subdivision: 0.8,
  country: 0.8,
};
/** Two places of nearly the same importance in different areas make the result ambiguous. */
const CLOSE_IMPORTANCE = 0.05;

/** `base` is the service address, for example `https://geocoder.example/`; every result uses the current ISO content. */
export function nominatim(base: string, iso: () => IsoContent): UpstreamAdapter {
  return {
    name: 'nominatim',
    get version() {
      return iso().version;
    },
    url(address) {
      const url = new URL('search', base.endsWith('/') ? base : `${base}/`);
      url.search = new URLSearchParams({
        q: address,
        format: 'jsonv2',
        addressdetails: '1',
        limit: '5',
        'accept-language': 'en',
      }).toString();
      return url.href;
    },
    read(address, body) {
      const parsed = Places.safeParse(body);
      if (!parsed.success) throw new UpstreamError('malformed', 'The upstream geocoder sent JSON of an unexpected shape');
      return toResult(address, parsed.data, iso());
    },
  };
}

function toResult(address: string, places: readonly Place[], iso: IsoContent): GeocodeResult {
  const query = { address, normalized: fold(prepare(address)) };
  const engine = {
    name: 'nominatim',
    dataVersion: 'upstream',
    isoVersion: iso.version,
    attribution: [...new Set(places.map((place) => place.licence).filter((text) => text !== undefined))],
  };
  const candidates = places
    .map((place) => ({ place, found: toAddress(place, iso) }))
    .filter((row): row is { place: Place; found: FoundAddress } => row.found !== null);
  const best = candidates[0];
  if (!best) return { query, match: 'none', confidence: 0, result: null, alternatives: [], engine };
  const others = candidates.slice(1).filter((row) => areaOf(row.found) !== areaOf(best.found));
  const ambiguous = others.some((row) => Math.abs((row.place.importance ?? 0) - (best.place.importance ?? 0)) < CLOSE_IMPORTANCE);
  const confidence = CONFIDENCE[best.found.precision] * (ambiguous ? 0.6 : 1);
  const match = ambiguous ? 'ambiguous' : 'exact';
  const verdict = verdictOn(best.found, { match, confidence, isCityCorrected: false, replaced: [], hasStreets: true });
  return {
    query,
    match,
    confidence,
    result: { ...best.found, verdict },
    engine,
    alternatives: others.map(({ found }) => ({
      country: found.country.alpha2,
      subdivision: found.subdivision?.code ?? null,
      locality: found.locality?.name ?? null,
      confidence: (1 - confidence) / others.length,
    })),
  };
}

/** An address before the verdict on it. */
type FoundAddress = Omit<GeocodedAddress, 'verdict'>;

const areaOf = (found: FoundAddress): string => found.subdivision?.code ?? found.country.alpha2;

function toAddress(place: Place, iso: IsoContent): FoundAddress | null {
  const { address } = place;
  const code = address.country_code?.toUpperCase();
  if (!code || !iso.country(code)) return null;
  const path = subdivisionsOf(address, code, iso);
  const territory = Object.entries(DUAL_TERRITORIES).find(
    ([, row]) => row.code !== null && row.parent === code && path.some((area) => area.code === row.code),
  )?.[0];
  const alpha2 = territory ?? code;
  const city = address.city ?? address.town ?? address.village ?? address.municipality ?? address.hamlet ?? null;
  const precision = precisionOf(place, city);
  const evidence = [{ kind: 'upstream' as const, text: place.display_name, supports: path.at(-1)?.code ?? alpha2 }];
  return {
    formatted: place.display_name,
    country: countryRef(iso, alpha2),
    parentCountry: DUAL_TERRITORIES[alpha2]?.parent ?? null,
    parentSubdivision: DUAL_TERRITORIES[alpha2]?.code ?? null,
    subdivision: path.at(-1) ?? null,
    subdivisionPath: path,
    county: null,
    locality: city ? { name: city, localName: null, geonamesId: null, population: null } : null,
    postalCode: address.postcode ? { value: address.postcode, validFormat: true, consistent: null } : null,
    components: {
      houseNumber: address.house_number ?? null,
      street: address.road ?? null,
      unit: null,
      poBox: null,
      district: address.suburb ?? address.city_district ?? null,
      city,
      state: address.state ?? null,
      postalCode: address.postcode ?? null,
      country: address.country ?? null,
    },
    coordinates: { latitude: place.lat, longitude: place.lon },
    precision,
    accuracyMeters: radiusOf(place),
    evidence,
  };
}

/** The deepest code the register knows among the level keys, with the codes above it. */
function subdivisionsOf(address: Readonly<Record<string, string>>, country: string, iso: IsoContent): SubdivisionRef[] {
  const levels = Object.entries(address)
    .map(([key, code]) => ({ level: Number(/^ISO3166-2-lvl(\d{1,2})$/.exec(key)?.[1] ?? Number.NaN), code }))
    .filter(({ level, code }) => !Number.isNaN(level) && code.startsWith(`${country}-`))
    .sort((a, b) => b.level - a.level);
  const deepest = levels.map(({ code }) => resolveCode(iso, code)).find((row) => row !== undefined);
  const chain = [];
  for (let row = deepest; row && chain.length < 5; row = row.parent ? resolveCode(iso, row.parent) : undefined) chain.unshift(row);
  return chain.map((row, i) => ({ code: row.code, name: row.name, type: row.type, level: i + 1 }));
}

function precisionOf({ address, addresstype }: Place, city: string | null): Precision {
  if (address.house_number) return 'house';
  if (address.road) return 'street';
  if (addresstype === 'postcode') return 'postal_code';
  if (city || address.suburb) return 'locality';
  return addresstype === 'country' ? 'country' : 'subdivision';
}

function radiusOf({ boundingbox }: Place): number | null {
  if (!boundingbox) return null;
  const [south, north, west, east] = boundingbox as [number, number, number, number];
  const height = (north - south) * 111_320;
  const width = (east - west) * 111_320 * Math.cos((((north + south) / 2) * Math.PI) / 180);
  return Math.max(1, Math.round(Math.hypot(height, width) / 2));
}

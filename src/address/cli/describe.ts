// A geocoder's result as lines for people.
import type { GeocodeResult } from '../geocoder/types.ts';

/** One line per thing that is known, its label in front. */
export function describe(geocoded: GeocodeResult): string[] {
  const { result } = geocoded;
  const rows: [string, string | null | undefined][] = [['Match', `${geocoded.match}, confidence ${geocoded.confidence.toFixed(2)}`]];
  if (result) {
    const { components } = result;
    rows.push(
      ['Formatted', result.formatted],
      ['Country', `${result.country.alpha2}  ${result.country.name}${result.parentCountry ? ` (part of ${result.parentCountry})` : ''}`],
      ['Subdivision', result.subdivisionPath.map((row) => `${row.code}  ${row.name}`).join(' > ')],
      ['County', result.county && `${result.county.name} (${result.county.scheme} ${result.county.code})`],
      ['Locality', result.locality && [result.locality.name, result.locality.localName].filter(Boolean).join(' / ')],
      [
        'Postcode',
        result.postalCode && `${result.postalCode.value}${result.postalCode.consistent === false ? ' (does not fit the place)' : ''}`,
      ],
      ['Street', [components.houseNumber, components.street].filter(Boolean).join(' ')],
      ['Unit', components.unit],
      ['PO box', components.poBox],
      [
        'Position',
        result.coordinates &&
          `${result.coordinates.latitude.toFixed(5)}, ${result.coordinates.longitude.toFixed(5)}  within ${result.accuracyMeters} m, precision ${result.precision}`,
      ],
      ...result.evidence.map((row): [string, string] => [
        'Evidence',
        `${row.kind.replace('_', ' ')}: "${row.text}" supports ${row.supports}`,
      ]),
    );
  }
  for (const row of geocoded.alternatives)
    rows.push([
      'Alternative',
      `${[row.locality, row.subdivision ?? row.country].filter(Boolean).join(', ')} (${row.confidence.toFixed(2)})`,
    ]);
  return rows.flatMap(([label, text]) => (text ? [`${label.padEnd(12)} ${text}`] : []));
}

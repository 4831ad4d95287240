// The content pack that ships with the program, and the summary that `npm run content:check` prints.
import { validateSourcedPack } from './content-pack.ts';
import type { ContentPack } from './content-shape.ts';
import { packOfTables } from './content-tables.ts';

/** Checked on every load: an error of an edit by hand must not reach the database. */
export function shippedContentPack(): ContentPack {
  const checked = validateSourcedPack(packOfTables());
  if (checked.ok) return checked.value;
  throw new Error(checked.issues.map(({ field, message }) => `${field}: ${message}`).join('\n'));
}

/** Counts by country or bloc; those with equal counts share a line. */
export function summariseContent({ version, jurisdictions, content, portals, fieldSets }: ContentPack): string {
  const owners = new Map(jurisdictions.map((one) => [one.jurisdictionId, one.country ?? one.name]));
  const lines = new Map<string, string[]>();
  for (const owner of new Set(owners.values())) {
    const entries = content.filter((one) => owners.get(one.jurisdictionId) === owner);
    const places = [...owners.values()].filter((one) => one === owner).length;
    const taxTypes = [...new Set(entries.map((one) => one.taxType))].join(' ');
    const line = `${String(places).padStart(13)}${String(entries.length).padStart(9)}  ${taxTypes}`;
    lines.set(line, [...(lines.get(line) ?? []), owner]);
  }
  const confident = (level: string): number => content.filter((one) => one.confidence === level).length;
  const countries = new Set([...owners.values()].filter((one) => one.length === 2)).size;
  const thresholds = content.reduce((sum, one) => sum + (one.thresholds?.length ?? 0), 0);
  const dated = content.filter((one) => one.effectiveStartDate !== null).length;
  return [
    `Registration content ${version}`,
    `${jurisdictions.length} jurisdictions, ${content.length} entries (${dated} with a start date), ${portals.length} portals, ${Object.keys(fieldSets).length} field sets`,
    `${countries} countries, ${thresholds} thresholds, confidence of the entries: ${confident('HIGH')} high, ${confident('MEDIUM')} medium, ${confident('LOW')} low`,
    'jurisdictions  entries  tax types: countries',
    ...[...lines].map(([line, names]) => `${line}: ${names.join(', ')}`),
  ].join('\n');
}

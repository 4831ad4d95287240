// Reads the tables of the shipped content into a pack, one row per line with a head line. Rows are short, so a change of one is one line.
import { readFileSync } from 'node:fs';
import { packagePath } from '../../../runtime/package-root.ts';
import fieldSets from './tables/field-sets.json' with { type: 'json' };

const folder = packagePath('src', 'platform', 'registrations', 'content', 'tables');

/** The version of the shipped content; a change of a table is a new version. */
const VERSION = '2026.6';

/** The groups of countries, in the order in which callers see them; each has a table of every kind. */
const GROUPS = [
  'united-states',
  'canada',
  'european-union',
  'europe',
  'asia-pacific',
  'middle-east',
  'africa',
  'india',
  'americas',
  'colorado',
] as const;

type Line = Readonly<Record<string, string>>;

/** The lines of a table by the names in its head line. */
function linesOf(file: string): Line[] {
  const [head, ...lines] = readFileSync(`${folder}/${file}`, 'utf8').replace(/\n$/, '').split('\n');
  const names = head!.split('\t');
  return lines.map((line, at) => {
    const cells = line.split('\t');
    if (cells.length !== names.length) throw new Error(`${file}:${at + 2} has ${cells.length} cells instead of ${names.length}`);
    return Object.fromEntries(names.map((name, place) => [name, cells[place]!]));
  });
}

const tablesOf = (kind: 'entries' | 'jurisdictions' | 'thresholds'): Line[] => GROUPS.flatMap((group) => linesOf(`${kind}/${group}.tsv`));

const words = (cell: string): string[] => (cell ? cell.split(' ') : []);
const orNull = (cell: string): string | null => cell || null;

const provenanceOf = ({ authority, title, url, checked, confidence }: Line) => ({
  source: { authority, title, url: orNull(url!) },
  checkedAt: checked,
  confidence,
});

/** A limit: `>100000 USD`, `>=200`. */
function limitOf(cell: string) {
  const [, comparison, value, currency] = /^(>=?)(\S+)(?: (\S+))?$/.exec(cell) ?? [];
  const limit = { comparison: comparison === '>=' ? 'AT_LEAST' : 'MORE_THAN', value: Number(value) };
  return currency ? { ...limit, currency } : limit;
}

/** A row of second sources is about the threshold of an entry for a kind of seller. */
const thresholdKey = ({ id, seller }: Line): string => `${id} ${seller}`;

const thresholdOf = (line: Line, second: Line | undefined) => ({
  seller: line.seller,
  amount: line.amount ? limitOf(line.amount) : null,
  transactions: line.transactions ? limitOf(line.transactions) : null,
  combination: orNull(line.combination!),
  period: line.period,
  counted: line.counted,
  measuredIn: orNull(line.measured!),
  secondSource: second ? { authority: second.authority, title: second.title, url: orNull(second.url!) } : null,
  ...provenanceOf(line),
});

/** Frequencies with the calendars that are not the usual ones: `MONTHLY QUARTERLY:2,5,8,11`. */
const periodsOf = (cell: string) =>
  words(cell).flatMap((word) => {
    const [frequency, months] = word.split(':');
    return months ? [{ frequency, endMonths: months.split(',').map(Number) }] : [];
  });

const entryOf = (line: Line, thresholds: readonly object[]) => ({
  registrationContentId: line.id,
  jurisdictionId: line.jurisdiction,
  name: line.name,
  taxType: line.id!.slice(line.id!.lastIndexOf('_') + 1),
  frequencies: [...new Set(words(line.frequencies!).map((word) => word.split(':')[0]))],
  relatedTaxTypes: words(line.related!).map((word) => ({ taxType: word.replace('?', ''), optional: word.endsWith('?') })),
  fieldSet: line.questions,
  taxRegistrationId: { regex: line.number, identifierKey: orNull(line.identifier!) },
  prerequisites: words(line.needs!).map((group) => ({ anyOf: group.split('|') })),
  effectiveStartDate: orNull(line.start!),
  effectiveEndDate: null,
  portalIds: words(line.portals!),
  alternatives: words(line.alternatives!),
  filingPeriods: periodsOf(line.frequencies!),
  thresholds,
  ...provenanceOf(line),
});

const jurisdictionOf = ({ id, name, type, country, subdivision, parent }: Line) => ({
  jurisdictionId: id,
  name,
  type,
  country: orNull(country!),
  stateOrProvince: orNull(subdivision!),
  parentJurisdictionId: orNull(parent!),
});

/** The pack that the tables hold, unchecked. */
export function packOfTables(): unknown {
  const thresholds = Map.groupBy(tablesOf('thresholds'), ({ id }) => id);
  const seconds = new Map(linesOf('second-sources.tsv').map((line) => [thresholdKey(line), line]));
  for (const key of seconds.keys())
    if (thresholds.get(key.split(' ')[0]!)?.filter((line) => thresholdKey(line) === key).length !== 1)
      throw new Error(`a second source names ${key}, which is not one threshold`);
  const entries = tablesOf('entries');
  const known = new Set(entries.map(({ id }) => id));
  for (const id of thresholds.keys()) if (!known.has(id)) throw new Error(`a threshold names ${id}, which is not an entry`);
  return {
    version: VERSION,
    portals: linesOf('portals.tsv').map(({ id, name, url }) => ({ portalId: id, portalName: name, portalUrl: url })),
    fieldSets,
    jurisdictions: tablesOf('jurisdictions').map(jurisdictionOf),
    content: entries.map((line) =>
      entryOf(
        line,
        (thresholds.get(line.id) ?? []).map((one) => thresholdOf(one, seconds.get(thresholdKey(one)))),
      ),
    ),
  };
}

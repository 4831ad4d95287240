// The mappings of files: those that are shipped, and the one in the settings of a connection. A file is recognized by its columns.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { ConfigError } from '../../../config.ts';
import { GatewayError, invalid } from '../../../records/errors.ts';
import { packagePath } from '../../../runtime/package-root.ts';
import { sourcedModels } from '../../ledger/ledger-record.ts';
import { type FileForm, Mapping } from '../programs/mapping.ts';

/** Longest mapping in the settings of a connection, in characters. */
export const MAX_MAPPING = 16_000;

/** A file that a mapping knows. */
export interface MappedStream {
  mapping: Mapping;
  stream: string;
  form: FileForm;
}

const folder = packagePath('src', 'integrations', 'connectors', 'files', 'mappings');

/** The shipped mappings, read once by each caller. */
export const shippedMappings = (): Mapping[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => Mapping.read(`${folder}/${basename(name)}`));

/** The mapping of a text. Throws INVALID_PARAMS that names the field of the text and every wrong member. */
export function mappingOf(text: string, field: string): Mapping {
  try {
    const mapping = Mapping.parse(text, 'of the connection');
    if (Object.keys(mapping.files).length === 0)
      throw new ConfigError('mapping of the connection: files must name the columns of at least one stream');
    const known = new Set(sourcedModels());
    const unknown = mapping.dataModels.filter((dataModel) => !known.has(dataModel));
    if (unknown.length > 0)
      throw new ConfigError(`mapping of the connection: ${unknown.join(', ')} is not one of the data models ${[...known].join(', ')}`);
    return mapping;
  } catch (error) {
    if (error instanceof ConfigError) throw invalid(field, `${field}: ${error.message.slice(0, 2_000)}`, 'INVALID_VALUE');
    throw error;
  }
}

const folded = (name: string): string => name.trim().toLowerCase();

/** The streams of mappings, those of the connection before the shipped ones. */
export function streamsOf(own: Mapping | undefined): MappedStream[] {
  const mappings = own ? [own, ...shippedMappings()] : shippedMappings();
  return mappings.flatMap((mapping) => Object.entries(mapping.files).map(([stream, form]) => ({ mapping, stream, form })));
}

/** The stream whose columns a file has, whatever their case; the first of those with most columns. Throws CSV_HEADER_INVALID if no stream fits. */
export function recognized(columns: readonly string[], streams: readonly MappedStream[]): MappedStream {
  const has = new Set(columns.map(folded));
  const found = streams
    .filter(({ form }) => form.columns.every((column) => has.has(folded(column))))
    .reduce<MappedStream | undefined>(
      (best, next) => (best && best.form.columns.length >= next.form.columns.length ? best : next),
      undefined,
    );
  if (found) return found;
  const nearest = streams
    .map(({ mapping, form }) => ({ title: mapping.title, lacks: form.columns.filter((column) => !has.has(folded(column))), form }))
    .filter(({ lacks, form }) => lacks.length < form.columns.length)
    .toSorted((a, b) => a.lacks.length - b.lacks.length)[0];
  const hint = nearest ? `; a file of ${nearest.title} would also have ${nearest.lacks.join(', ')}` : '';
  throw new GatewayError(
    'CSV_HEADER_INVALID',
    `no mapping knows a file with ${columns.length === 1 ? 'the column' : 'the columns'} ${columns.join(', ').slice(0, 300)}${hint}; say the data model of its records, or give the connection a mapping`,
    { field: 'file' },
  );
}

/** The names of the columns of a stream as its mapping writes them; other columns keep their own. */
export function namesOf({ columns, group }: FileForm): (column: string) => string {
  const known = new Map([...columns, ...(group ? [group] : [])].map((column) => [folded(column), column]));
  return (column) => known.get(folded(column)) ?? column;
}

// The Singer protocol, version 0.3: a tap writes SCHEMA, RECORD and STATE messages.
import type { ProgramSettings } from '../../../config.ts';
import type { Json } from '../connector.ts';
import {
  type Failure,
  type Files,
  isObject,
  type JsonObject,
  type Message,
  memberOf,
  objectOf,
  type Protocol,
  ProtocolError,
  type Reader,
  type Stream,
  textMemberOf,
} from './protocol.ts';

/** How a tap takes its catalog, and what the operator adds to the metadata of its streams. */
type CatalogSettings = Pick<ProgramSettings, 'catalog' | 'metadata'>;

/** Key of every stream that has no metadata of its own. */
const ALL = '*';

/** A stream of the catalog, selected with all of its fields or not, with metadata of its own. */
function selected(description: JsonObject, isWanted: boolean, added: JsonObject): Json {
  const given = Array.isArray(description.metadata) ? (description.metadata as readonly Json[]).filter(isObject) : [];
  const isStream = (entry: JsonObject): boolean => Array.isArray(entry.breadcrumb) && entry.breadcrumb.length === 0;
  const entries = given.some(isStream) ? given : [{ breadcrumb: [], metadata: {} }, ...given];
  const metadata = entries.map((entry) => {
    const about = isObject(entry.metadata) ? entry.metadata : {};
    const own = isStream(entry) ? added : {};
    return { ...entry, metadata: { ...about, ...own, selected: isWanted && about.inclusion !== 'unsupported' } };
  });
  // Taps older than the metadata look at the schema.
  const schema = isObject(description.schema) ? { ...description.schema, selected: isWanted } : {};
  return { ...description, schema, metadata };
}

function message(line: string): Message | null {
  const value = objectOf(line);
  switch (textMemberOf(value, 'type', 'Singer').toUpperCase()) {
    case 'RECORD':
      return { kind: 'record', stream: textMemberOf(value, 'stream', 'RECORD'), data: memberOf(value, 'record', 'RECORD') };
    case 'STATE':
      if (value.value === undefined) throw new ProtocolError('wrote a STATE message without value');
      return { kind: 'state', state: value.value };
    // SCHEMA has nothing that the mapping does not know. ACTIVATE_VERSION asks a warehouse to drop what is older; here full pulls do that.
    default:
      return null;
  }
}

const SILENT = 'it wrote no message, as a tap does that takes its catalog by another option';

/**
 * Reads the messages of one run. A tap that ends with exit code 0 and writes none has read no stream: it takes its catalog by another option, or its
 * file is not there. A run that continues may have nothing new.
 */
class SingerReader implements Reader {
  #isSilent: boolean;

  constructor(cursor: Json) {
    this.#isSilent = cursor === null;
  }

  message(line: string): Message | null {
    this.#isSilent = false;
    return message(line);
  }

  failure(): Failure | null {
    return this.#isSilent ? { message: SILENT, isRefusal: false } : null;
  }
}

/** The Singer protocol of a tap. */
export const singer = ({ catalog: catalogOption, metadata }: CatalogSettings): Protocol => ({
  discovery: ({ config }) => ['--config', config, '--discover'],

  streamsOf(output): Stream[] {
    let catalog: unknown;
    try {
      catalog = JSON.parse(output);
    } catch {
      throw new ProtocolError('wrote a catalog that is not JSON');
    }
    if (!isObject(catalog) || !Array.isArray(catalog.streams)) throw new ProtocolError('wrote a catalog without streams');
    return (catalog.streams as readonly Json[]).filter(isObject).flatMap((description) => {
      const [name, otherName] = [description.tap_stream_id, description.stream].filter((one) => typeof one === 'string');
      return name === undefined ? [] : [{ name, ...(otherName === undefined ? {} : { otherName }), description }];
    });
  },

  // Discovery writes one document, and all else to the error output.
  asidesOf: () => [],

  catalogOf: (all, wanted) => ({
    streams: all.map(({ name, otherName = name, description }) => {
      const added = metadata[name] ?? metadata[otherName] ?? metadata[ALL] ?? {};
      return selected(description, wanted.has(name), added as JsonObject);
    }),
  }),

  reading: ({ config, catalog, state }: Files) => [
    '--config',
    config,
    ...(catalog === undefined ? [] : [`--${catalogOption}`, catalog]),
    ...(state === undefined ? [] : ['--state', state]),
  ],

  stateOf: (cursor) => cursor,
  reader: (cursor) => new SingerReader(cursor),
});

// The Airbyte protocol, version 0.2: a source is run with spec, check, discover and read, and writes messages in envelopes.
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
  type Stream,
  textMemberOf,
} from './protocol.ts';

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const objectsIn = (value: Json | undefined): JsonObject[] => listOf(value).filter(isObject);

/** The message of a line; null for text that is not meant as one, which the protocol allows as a log. */
const envelopeOf = (line: string): JsonObject | null => (line.startsWith('{') ? objectOf(line) : null);

function failureOf(trace: JsonObject): Failure {
  const error = memberOf(trace, 'error', 'TRACE');
  return { message: textMemberOf(error, 'message', 'TRACE'), isRefusal: error.failure_type === 'config_error' };
}

/** A stream as it is to be read: incrementally where the source itself knows how. */
function configured({ description }: Stream): Json {
  const modes = listOf(description.supported_sync_modes);
  const cursor = listOf(description.default_cursor_field);
  const isIncremental = modes.includes('incremental') && (description.source_defined_cursor === true || cursor.length > 0);
  return {
    stream: description,
    sync_mode: isIncremental ? 'incremental' : 'full_refresh',
    destination_sync_mode: 'append',
    ...(isIncremental && cursor.length > 0 ? { cursor_field: cursor } : {}),
  };
}

/** Members of a stream's state that say that a full read of it has ended: with them the next run would read nothing. */
const ended = ['__ab_full_refresh_sync_complete', '__ab_no_cursor_state_message'];

const isEnded = (entry: Json): boolean => {
  const state = isObject(entry) ? entry.stream_state : undefined;
  return isObject(state) && ended.some((name) => state[name] === true);
};

/** The streams of a state that begin where they ended, or from their beginning. */
function continued(message: JsonObject): Json[] {
  if (isObject(message.stream)) return isEnded(message.stream) ? [] : [message];
  if (!isObject(message.global)) return [message];
  return [
    { ...message, global: { ...message.global, stream_states: listOf(message.global.stream_states).filter((entry) => !isEnded(entry)) } },
  ];
}

/** The state of a run: one value in the old form, otherwise the last message of each stream or of all of them together. */
class State {
  readonly #byStream = new Map<string, JsonObject>();
  #whole: Json = null;

  constructor(cursor: Json) {
    if (Array.isArray(cursor)) for (const message of cursor as readonly Json[]) if (isObject(message)) this.add(message);
    if (isObject(cursor)) this.#whole = cursor;
  }

  add(state: JsonObject): void {
    if (state.type === 'STREAM') {
      const descriptor = memberOf(memberOf(state, 'stream', 'STATE'), 'stream_descriptor', 'STATE');
      this.#byStream.set(JSON.stringify([descriptor.namespace ?? null, textMemberOf(descriptor, 'name', 'STATE')]), state);
      return;
    }
    if (state.type === 'GLOBAL') memberOf(state, 'global', 'STATE');
    this.#byStream.clear();
    this.#whole = state.type === 'GLOBAL' ? [state] : memberOf(state, 'data', 'STATE');
  }

  get value(): Json {
    if (this.#byStream.size > 0) return [...this.#byStream.values()];
    return this.#whole;
  }
}

function readingMessage(value: JsonObject, state: State): Message | null {
  switch (value.type) {
    case 'RECORD': {
      const record = memberOf(value, 'record', 'RECORD');
      return { kind: 'record', stream: textMemberOf(record, 'stream', 'RECORD'), data: memberOf(record, 'data', 'RECORD') };
    }
    case 'STATE':
      state.add(memberOf(value, 'state', 'STATE'));
      return { kind: 'state', state: state.value };
    case 'TRACE': {
      const trace = memberOf(value, 'trace', 'TRACE');
      return trace.type === 'ERROR' ? { kind: 'failure', failure: failureOf(trace) } : null;
    }
    case 'CONTROL': {
      const control = memberOf(value, 'control', 'CONTROL');
      if (control.type !== 'CONNECTOR_CONFIG') return null;
      return { kind: 'config', config: memberOf(memberOf(control, 'connectorConfig', 'CONTROL'), 'config', 'CONTROL') };
    }
    case 'LOG': {
      const log = memberOf(value, 'log', 'LOG');
      const isWord = log.level === 'ERROR' || log.level === 'FATAL';
      return isWord && typeof log.message === 'string' ? { kind: 'log', text: `${log.level} ${log.message}` } : null;
    }
    default:
      return null;
  }
}

/** The last message of a type in the output of a run, in its envelope. */
function answerOf(output: readonly JsonObject[], type: string): JsonObject {
  const answer = output.findLast((message) => message.type === type);
  if (!answer) throw new ProtocolError(`wrote no ${type} message`);
  return answer;
}

const envelopesOf = (output: string): JsonObject[] =>
  output
    .split('\n')
    .map((line) => envelopeOf(line.trim()))
    .filter((message) => message !== null);

/** The names of the members that the specification of a source requires of its configuration. */
export function requiredMembers(output: string): string[] {
  const spec = memberOf(answerOf(envelopesOf(output), 'SPEC'), 'spec', 'SPEC');
  const members = listOf(memberOf(spec, 'connectionSpecification', 'SPEC').required);
  return members.filter((name) => typeof name === 'string');
}

/** What a source says of its configuration: null where it works, and otherwise why not. */
export function refusalOf(output: string): string | null {
  const status = memberOf(answerOf(envelopesOf(output), 'CONNECTION_STATUS'), 'connectionStatus', 'CONNECTION_STATUS');
  if (status.status === 'SUCCEEDED') return null;
  return typeof status.message === 'string' && status.message !== '' ? status.message : 'the source refuses the settings';
}

/** The Airbyte protocol. */
export const airbyte: Protocol = {
  discovery: ({ config }) => ['discover', '--config', config],

  streamsOf(output): Stream[] {
    const catalog = memberOf(answerOf(envelopesOf(output), 'CATALOG'), 'catalog', 'CATALOG');
    return objectsIn(catalog.streams).map((description) => ({ name: textMemberOf(description, 'name', 'CATALOG'), description }));
  },

  asidesOf(output) {
    const state = new State(null);
    return envelopesOf(output)
      .map((message) => readingMessage(message, state))
      .filter((message) => message !== null);
  },

  catalogOf: (all, wanted) => ({ streams: all.filter(({ name }) => wanted.has(name)).map(configured) }),

  reading: ({ config, catalog, state }: Files) => [
    'read',
    '--config',
    config,
    ...(catalog === undefined ? [] : ['--catalog', catalog]),
    ...(state === undefined ? [] : ['--state', state]),
  ],

  stateOf(cursor): Json {
    if (!Array.isArray(cursor)) return cursor;
    const messages = (cursor as readonly Json[]).filter(isObject).flatMap(continued);
    return messages.length > 0 ? messages : null;
  },

  reader(cursor) {
    const state = new State(cursor);
    return (line) => {
      const value = envelopeOf(line);
      return value === null ? { kind: 'log', text: line } : readingMessage(value, state);
    };
  },
};

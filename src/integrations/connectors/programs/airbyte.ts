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
  type Reader,
  type Stream,
  textMemberOf,
} from './protocol.ts';

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const objectsIn = (value: Json | undefined): JsonObject[] => listOf(value).filter(isObject);

/** The message of a line. Null for text that is not meant as one, which the protocol allows as a log. */
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

/** What a failed check of the connection says. A run that reads may have one too. */
function refusalIn(value: JsonObject): Message | null {
  const { status, message } = memberOf(value, 'connectionStatus', 'CONNECTION_STATUS');
  if (status === 'SUCCEEDED') return null;
  const words = typeof message === 'string' && message !== '' ? message : 'the source rejected the settings';
  return { kind: 'failure', failure: { message: words, isRefusal: true } };
}

/** The error of a source status, which sources of `faros-airbyte-cdk` put next to the state: the source continues then, and its exit code is 0. */
function erroredStatus({ sourceStatus }: JsonObject): Failure | null {
  if (!isObject(sourceStatus)) return null;
  const about = sourceStatus.message ?? sourceStatus.error;
  if (sourceStatus.status !== 'ERRORED' && !(isObject(about) && about.type === 'ERROR')) return null;
  const words = isObject(about) ? (about.summary ?? about.message) : about;
  return { message: typeof words === 'string' ? words : 'the source reports the status ERRORED', isRefusal: false };
}

/** Reads the messages of one run, and what they say of its success. */
class AirbyteReader implements Reader {
  readonly #state: State;
  /** A failure after which the source may continue. */
  #failure: Failure | null = null;
  /** The last status of each stream whose status the source reports. */
  readonly #statuses = new Map<string, { name: string; status: Json | undefined }>();
  #lastError: string | null = null;
  #isEmpty = true;

  constructor(cursor: Json) {
    this.#state = new State(cursor);
  }

  message(line: string): Message | null {
    const value = envelopeOf(line);
    return value === null ? { kind: 'log', text: line } : this.messageOf(value);
  }

  messageOf(value: JsonObject): Message | null {
    switch (value.type) {
      case 'RECORD': {
        const record = memberOf(value, 'record', 'RECORD');
        this.#isEmpty = false;
        return { kind: 'record', stream: textMemberOf(record, 'stream', 'RECORD'), data: memberOf(record, 'data', 'RECORD') };
      }
      case 'STATE':
        return this.#stateOf(value);
      case 'TRACE':
        return this.#traceOf(memberOf(value, 'trace', 'TRACE'));
      case 'CONNECTION_STATUS':
        return refusalIn(value);
      case 'CONTROL': {
        const control = memberOf(value, 'control', 'CONTROL');
        if (control.type !== 'CONNECTOR_CONFIG') return null;
        return { kind: 'config', config: memberOf(memberOf(control, 'connectorConfig', 'CONTROL'), 'config', 'CONTROL') };
      }
      case 'LOG':
        return this.#logOf(memberOf(value, 'log', 'LOG'));
      default:
        return null;
    }
  }

  failure(streams: ReadonlySet<string>): Failure | null {
    if (this.#failure) return this.#failure;
    const cause = this.#lastError === null ? '' : `: ${this.#lastError}`;
    const statuses = [...this.#statuses.values()];
    const isComplete = (stream: string): boolean => {
      const own = statuses.filter(({ name }) => name === stream);
      return own.length > 0 && own.every(({ status }) => status === 'COMPLETE');
    };
    const cut = statuses.length > 0 ? [...streams].filter((stream) => !isComplete(stream)) : [];
    if (cut.length > 0) return { message: `it did not report ${cut.join(', ')} as COMPLETE${cause}`, isRefusal: false };
    // An error that the source has overcome is followed by records or a state.
    return this.#isEmpty && this.#lastError !== null ? { message: this.#lastError, isRefusal: false } : null;
  }

  /** The state after a failure is not used: the next run would begin after what is missing. */
  #stateOf(value: JsonObject): Message | null {
    this.#failure ??= erroredStatus(value);
    this.#state.add(memberOf(value, 'state', 'STATE'));
    if (this.#failure) return null;
    this.#isEmpty = false;
    return { kind: 'state', state: this.#state.value };
  }

  #traceOf(trace: JsonObject): Message | null {
    if (trace.type === 'ERROR') return { kind: 'failure', failure: failureOf(trace) };
    if (trace.type !== 'STREAM_STATUS') return null;
    const about = memberOf(trace, 'stream_status', 'TRACE');
    const descriptor = memberOf(about, 'stream_descriptor', 'TRACE');
    const name = textMemberOf(descriptor, 'name', 'TRACE');
    this.#statuses.set(JSON.stringify([descriptor.namespace ?? null, name]), { name, status: about.status });
    return null;
  }

  #logOf({ level, message }: JsonObject): Message | null {
    if ((level !== 'ERROR' && level !== 'FATAL') || typeof message !== 'string') return null;
    this.#lastError = message;
    if (level === 'FATAL') this.#failure ??= { message, isRefusal: false };
    return { kind: 'log', text: `${level} ${message}` };
  }
}

/** The last message of a type in the output of a run, in its envelope. */
function messageOf(output: readonly JsonObject[], type: string): JsonObject {
  const response = output.findLast((message) => message.type === type);
  if (!response) throw new ProtocolError(`wrote no ${type} message`);
  return response;
}

const envelopesOf = (output: string): JsonObject[] =>
  output
    .split('\n')
    .map((line) => envelopeOf(line.trim()))
    .filter((message) => message !== null);

/** The names of the members that the specification of a source requires of its configuration. */
export function requiredMembers(output: string): string[] {
  const spec = memberOf(messageOf(envelopesOf(output), 'SPEC'), 'spec', 'SPEC');
  const members = listOf(memberOf(spec, 'connectionSpecification', 'SPEC').required);
  return members.filter((name) => typeof name === 'string');
}

/** Throws where a check says nothing of the configuration. One that fails is a failure among its messages. */
export function requireStatus(output: string): void {
  messageOf(envelopesOf(output), 'CONNECTION_STATUS');
}

/** The Airbyte protocol. */
export const airbyte: Protocol = {
  discovery: ({ config }) => ['discover', '--config', config],

  streamsOf(output): Stream[] {
    const catalog = memberOf(messageOf(envelopesOf(output), 'CATALOG'), 'catalog', 'CATALOG');
    return objectsIn(catalog.streams).map((description) => ({ name: textMemberOf(description, 'name', 'CATALOG'), description }));
  },

  asidesOf(output) {
    const reader = new AirbyteReader(null);
    return envelopesOf(output)
      .map((message) => reader.messageOf(message))
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

  reader: (cursor) => new AirbyteReader(cursor),
};

// What the protocols of programs have in common: the messages of a run, and what a protocol makes of a program's arguments and output.
import { parseSourceJson } from '../../../json/exact-json.ts';
import type { Json } from '../connector.ts';

export type JsonObject = { readonly [name: string]: Json };

/** Why a program says it failed: its settings are rejected, or something else went wrong. */
export interface Failure {
  message: string;
  isRefusal: boolean;
}

/** A message of a run, without the envelope of its protocol. */
export type Message =
  | { kind: 'record'; stream: string; data: JsonObject }
  /** The whole state, as the program wants it back: it covers all records before it. */
  | { kind: 'state'; state: Json }
  /** The configuration that replaces the one it was given. */
  | { kind: 'config'; config: JsonObject }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'log'; text: string };

/** A stream of a program, and its description in the form of the protocol. */
export interface Stream {
  name: string;
  /** Another name that the catalog has for it, by which records and mappings may call it too. */
  otherName?: string;
  description: JsonObject;
}

/** The paths of the files that a program is given. */
export interface Files {
  config: string;
  catalog?: string;
  state?: string;
}

/** Thrown for output that does not follow the protocol. */
export class ProtocolError extends Error {}

/** Reads the output of one run that reads records. */
export interface Reader {
  /** The message of a line; null for a line of no consequence. */
  message(line: string): Message | null;
  /** Why the run of these streams failed, although the program ended with exit code 0; null where it succeeded. */
  failure(streams: ReadonlySet<string>): Failure | null;
}

/** A protocol that programs speak. Its methods that read output throw ProtocolError. */
export interface Protocol {
  /** Arguments for the run that lists the streams. */
  discovery(files: Files): string[];
  /** The streams of the output of that run. */
  streamsOf(output: string): Stream[];
  /** Failures, changed configurations and log lines in the output of a run that does not read records. */
  asidesOf(output: string): Message[];
  /** The catalog for a run that reads these streams, of all that were found. */
  catalogOf(all: readonly Stream[], wanted: ReadonlySet<string>): Json;
  /** Arguments for the run that reads. */
  reading(files: Files): string[];
  /** The content of the state file for a cursor; null for no file. */
  stateOf(cursor: Json): Json;
  /** Reads a run that began with a cursor. */
  reader(cursor: Json): Reader;
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A line as a JSON object; throws ProtocolError otherwise. */
export function objectOf(line: string): JsonObject {
  let value: unknown;
  try {
    value = parseSourceJson(line);
  } catch {
    throw new ProtocolError(`wrote a line that is not JSON: ${line.slice(0, 200)}`);
  }
  if (!isObject(value)) throw new ProtocolError(`wrote a line that is not a message: ${line.slice(0, 200)}`);
  return value;
}

/** A member of a message that has to be an object. */
export function memberOf(message: JsonObject, name: string, type: string): JsonObject {
  const value = message[name];
  if (!isObject(value)) throw new ProtocolError(`wrote a ${type} message without ${name}`);
  return value;
}

/** A member of a message that has to be text. */
export function textMemberOf(message: JsonObject, name: string, type: string): string {
  const value = message[name];
  if (typeof value !== 'string') throw new ProtocolError(`wrote a ${type} message without ${name}`);
  return value;
}

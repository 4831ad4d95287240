// The members of the driver's connection that its published types lack, and the row parser in front of the driver's own.
import { EventEmitter } from 'node:events';
import type { Client, Connection } from 'pg';
import { DataRowParser } from './row-parser.ts';

/** What the wire path adds to a connection. */
export interface Wire {
  parser: DataRowParser;
  /** Texts of the reads that the server has parsed on this connection, by name. */
  prepared: Map<string, string>;
}

/** A connection of the driver. `attachListeners` is the driver's, unpublished: it begins to parse what a stream receives. */
export interface WireConnection extends Connection {
  attachListeners?(stream: EventEmitter): void;
  wire?: Wire;
}

/** Lets a client that is not connected yet receive through a row parser. A connection of another build than expected stays as it is; the self-check reports it. */
export function installWire({ connection }: Client): void {
  const wired: WireConnection = connection;
  const listen = wired.attachListeners?.bind(wired);
  if (!listen) return;
  const remaining = new EventEmitter();
  const parser = new DataRowParser((bytes) => remaining.emit('data', bytes));
  wired.wire = { parser, prepared: new Map() };
  wired.attachListeners = (stream) => {
    listen(remaining);
    stream.on('data', (chunk: Buffer) => parser.take(chunk));
  };
}

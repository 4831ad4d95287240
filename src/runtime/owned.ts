// The owner of a stream's errors. An `error` event that nobody listens to ends the process, so no stream or socket of ours is left without one.
import type { EventEmitter } from 'node:events';

/**
 * Gives a stream, socket or server an owner of its errors for as long as it lives; called where it comes into being, before anything else
 * may use it. Without `onError` they are dropped: for what only repeats an error that is told elsewhere.
 */
export function owned<S extends EventEmitter>(stream: S, onError: (error: Error) => void = () => {}): S {
  stream.on('error', onError);
  return stream;
}

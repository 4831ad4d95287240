// Error listeners of streams. An `error` event without a listener ends the process, so every stream and socket gets one here.
import type { EventEmitter } from 'node:events';

/**
 * Listens to the errors of a stream, socket or server for its whole life. Call it where the stream is created, before anything else uses it. Without
 * `onError` the errors are dropped, for streams whose errors are already reported elsewhere.
 */
export function owned<S extends EventEmitter>(stream: S, onError: (error: Error) => void = () => {}): S {
  stream.on('error', onError);
  return stream;
}

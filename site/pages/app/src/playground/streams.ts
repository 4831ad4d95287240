// The subscriptions of this visit: what runs, what each has heard, and how to end it.
import { useRef, useState } from 'preact/hooks';
import { follow, type Request } from './run.ts';

/** Messages kept per subscription. */
const MAX_MESSAGES = 100;

/** A subscription that was started, and what it has heard. */
export interface Stream {
  readonly id: number;
  readonly name: string;
  /** Why it ended; empty while it runs. */
  readonly end: string;
  /** Newest first. */
  readonly messages: readonly { readonly number: number; readonly at: number; readonly text: string }[];
  readonly heard: number;
}

/** The subscriptions and what can be done with them. */
export interface Streams {
  readonly all: readonly Stream[];
  readonly start: (name: string, request: Request) => void;
  readonly stop: (id: number) => void;
  /** Forgets those that have ended. */
  readonly clear: () => void;
}

const hearing = (stream: Stream, message: unknown): Stream => {
  const heard = stream.heard + 1;
  const text = JSON.stringify(message, null, 2);
  return { ...stream, heard, messages: [{ number: heard, at: Date.now(), text }, ...stream.messages].slice(0, MAX_MESSAGES) };
};

export function useStreams(): Streams {
  const [all, setAll] = useState<readonly Stream[]>([]);
  const stops = useRef(new Map<number, () => void>());
  const change = (id: number, next: (stream: Stream) => Stream): void =>
    setAll((streams) => streams.map((stream) => (stream.id === id ? next(stream) : stream)));
  const end = (id: number, reason: string): void => {
    stops.current.delete(id);
    change(id, (stream) => ({ ...stream, end: stream.end || reason }));
  };
  return {
    all,
    start: (name, request) => {
      const id = Date.now();
      setAll((streams) => [{ id, name, end: '', messages: [], heard: 0 }, ...streams]);
      const stop = follow(
        request,
        (message) => change(id, (stream) => hearing(stream, message)),
        (reason) => end(id, reason ?? 'ended'),
      );
      stops.current.set(id, stop);
    },
    stop: (id) => {
      const stop = stops.current.get(id);
      end(id, 'stopped');
      stop?.();
    },
    clear: () => setAll((streams) => streams.filter((stream) => !stream.end)),
  };
}

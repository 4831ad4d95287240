// The messages of WebSocket clients: as many as subscribing needs, read one after the other and large ones in pieces.
import { CloseCode } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { WebSocket } from 'ws';
import { Allowance } from '../../access/allowance.ts';
import { decodeUtf8, parseWritten, RepeatedName } from '../../json/exact-json.ts';
import { parseInPieces } from '../../json/pieces.ts';
import { isPlainObject } from '../../records/checked.ts';
import type { Clock } from '../../runtime/clock.ts';
import { others } from '../../runtime/others.ts';

/** The limits of WebSockets; `/limits` publishes them. */
export const socketLimits = {
  /** Open connections of one address. */
  connections: 100,
  /** Open operations of one connection. */
  subscriptions: 50,
  /** Bytes of one message of a client. */
  messageBytes: 262_144,
  /** Characters of the id of an operation: each of its results repeats it. */
  idLength: 128,
  /** Characters that the open operations of one organisation have together as JSON, event streams included: each is kept until it ends. */
  openCharacters: 16_777_216,
  /** Characters that their different documents have together. Parsed ones take 100 to 250 bytes for each. */
  openDocumentCharacters: 1_048_576,
  /** Messages of any kind a client may send at once on a connection; the allowance refills in ten seconds. */
  messages: 100,
  /** Time in which a connection must send `connection_init`. */
  initSeconds: 3,
} as const;

/** Close code of a connection whose client sends too much. */
export const TOO_MANY = 4429;

/** Bytes of a message that is read at once. A turn for each would delay the operations that most clients send, which are smaller. */
const SMALL = 4_096;

/** What stands for a message that has been read. graphql-ws parses it again, and asks its reviver for the value. */
const READ = Buffer.from('null');

/** The messages of all clients. */
export class Messages {
  readonly #clock: Clock;
  /** How much each client waits for before more of it is read. */
  readonly #holds = new WeakMap<WebSocket, number>();
  /** One for all clients: making one takes 5 ms. */
  readonly #allowance = new Allowance(socketLimits.messages, socketLimits.messages / 10_000);
  #clients = 0;
  #last: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The message that listeners are called with. */
  get last(): unknown {
    return this.#last;
  }

  /** Reads nothing more of a client until `release` has been called as often as this. */
  hold({ socket }: Extra): void {
    this.#holds.set(socket, (this.#holds.get(socket) ?? 0) + 1);
    socket.pause();
  }

  /** Ends a hold. After the last one the client is read again, once it has taken what was sent to it. */
  release({ socket, request }: Extra): void {
    this.#holds.set(socket, this.#holds.get(socket)! - 1);
    const resume = (): void => {
      if (this.#holds.get(socket) === 0) socket.resume();
    };
    if (request.socket.writableNeedDrain) request.socket.once('drain', resume);
    else resume();
  }

  /**
   * Passes the messages of a client to its listeners: as many as subscribing needs, and only messages that can be read as they were written. Any other
   * ends the connection.
   */
  bound(client: Extra): void {
    const { socket } = client;
    const listeners = socket.listeners('message') as ((bytes: Buffer) => void)[];
    socket.removeAllListeners('message');
    const name = String(++this.#clients);
    const end = (code: number, reason: string): void => {
      socket.removeAllListeners('message');
      socket.close(code, reason);
    };
    const refuse = (error: unknown): void =>
      end(CloseCode.BadRequest, error instanceof RepeatedName ? error.message : 'The message is not JSON in UTF-8');
    const pass = (message: unknown): void => {
      const { id } = isPlainObject(message) ? message : {};
      if (typeof id === 'string' && id.length > socketLimits.idLength) {
        end(CloseCode.BadRequest, `An id has at most ${socketLimits.idLength} characters`);
        return;
      }
      this.#last = message;
      for (const listener of listeners) listener(READ);
    };
    const readInPieces = async (bytes: Buffer): Promise<void> => {
      await others();
      if (socket.readyState !== socket.OPEN) return;
      const message = await parseInPieces(bytes, asWritten);
      if (socket.readyState === socket.OPEN) pass(message);
    };
    /** The last of the messages that wait to be read. */
    let waiting: Promise<void> | undefined;
    socket.on('message', (bytes: Buffer) => {
      if (!this.#allowance.takes(name, this.#clock.now())) return end(TOO_MANY, 'Too many messages');
      if (!waiting && bytes.length <= SMALL) {
        try {
          pass(asWritten(decodeUtf8(bytes)));
        } catch (error) {
          refuse(error);
        }
        return;
      }
      this.hold(client);
      const read = (waiting ?? Promise.resolve())
        .then(() => readInPieces(bytes))
        .catch(refuse)
        .finally(() => {
          if (waiting === read) waiting = undefined;
          this.release(client);
        });
      waiting = read;
    });
  }
}

/** NaN takes the place of numbers that a double would change, as in the body of a request. */
const asWritten = (text: string, names?: number): unknown => parseWritten(text, () => Number.NaN, names);

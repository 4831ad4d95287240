// JSON under construction, as UTF-8 bytes: values of the database are copied from the bytes that arrived, without becoming strings.

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** The brackets of a list and the comma between its records. */
export const OPEN = Buffer.from('[');
export const COMMA = Buffer.from(',');
export const CLOSE = Buffer.from(']');
/** The bracket at the end of a record. */
export const END = Buffer.from('}');

const FIRST_SIZE = 65_536;
/** The free list holds at most this many buffers for reuse, each of at most this many bytes. */
const MAX_FREE = 16;
const MAX_FREE_BYTES = 1_048_576;
const freeList: Buffer[] = [];
const NONE = Buffer.alloc(0);

/** A growing buffer of JSON text. */
export class JsonBuffer {
  #bytes = freeList.pop() ?? Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  /** Returns the memory to the free list; call it after the last read. The buffer is empty afterwards and never sees that memory again. */
  release(): void {
    const { length } = this.#bytes;
    if (freeList.length < MAX_FREE && length >= FIRST_SIZE && length <= MAX_FREE_BYTES) freeList.push(this.#bytes);
    this.#bytes = NONE;
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the written bytes; valid until `release`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  toString(): string {
    return this.bytes.toString();
  }

  /** Appends bytes unchanged. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    this.#room(end - start);
    const bytes = this.#bytes;
    let at = this.#length;
    // A loop, because most pieces have fewer than 20 bytes, and a call into the runtime takes longer than copying those.
    for (let index = start; index < end; index++) bytes[at++] = from[index]!;
    this.#length = at;
  }

  /** Appends a part of another buffer. */
  copyPart(from: JsonBuffer, start: number, end: number): void {
    this.#room(end - start);
    this.#length += from.#bytes.copy(this.#bytes, this.#length, start, end);
  }

  /** Appends the bytes of a text as a JSON string. */
  quote(from: Buffer, start: number, end: number): void {
    this.#room(end - start + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let index = start; index < end; index++) {
      const byte = from[index]!;
      // Few texts need an escape.
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
        this.text(JSON.stringify(from.toString('utf8', start, end)));
        return;
      }
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** Appends a text unchanged. */
  text(text: string): void {
    this.#room(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

// JSON while it is written, as bytes of UTF-8: values of the database are copied from where they arrived, none becomes a string first.

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** What stands around and between the records of a list. */
export const OPEN = Buffer.from('[');
export const COMMA = Buffer.from(',');
export const CLOSE = Buffer.from(']');

const FIRST_SIZE = 65_536;
/** Pieces of memory kept for the next outputs, and the largest kept. */
const MAX_FREE = 16;
const MAX_FREE_BYTES = 1_048_576;
const freeList: Buffer[] = [];
const NONE = Buffer.alloc(0);

/** A text that grows. */
export class JsonBuffer {
  #bytes = freeList.pop() ?? Buffer.allocUnsafe(FIRST_SIZE);
  #length = 0;

  /** To be called when nobody reads the text any more: its memory is used again. The output is empty afterwards, and never sees that memory again. */
  release(): void {
    if (freeList.length < MAX_FREE && this.#bytes.length <= MAX_FREE_BYTES && this.#bytes !== NONE) freeList.push(this.#bytes);
    this.#bytes = NONE;
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  /** What was written, in the output's own memory: valid until it is given back. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  toString(): string {
    return this.bytes.toString();
  }

  /** Puts bytes in as they are. */
  copy(from: Uint8Array, start = 0, end = from.length): void {
    this.#room(end - start);
    const bytes = this.#bytes;
    let at = this.#length;
    // A loop, for most pieces are of less than 20 bytes, and a call into the runtime takes longer than those.
    for (let index = start; index < end; index++) bytes[at++] = from[index]!;
    this.#length = at;
  }

  /** Puts a part of another output in. */
  copyPart(from: JsonBuffer, start: number, end: number): void {
    this.#room(end - start);
    this.#length += from.#bytes.copy(this.#bytes, this.#length, start, end);
  }

  /** Puts bytes in as a JSON string. */
  quote(from: Buffer, start: number, end: number): void {
    this.#room(end - start + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let index = start; index < end; index++) {
      const byte = from[index]!;
      // Few texts hold what needs an escape.
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) {
        this.text(JSON.stringify(from.toString('utf8', start, end)));
        return;
      }
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** Puts a text in as it is. */
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

// The lines of a program's output, read only as fast as they are used and bounded in bytes.

/** Thrown for output that is no line of text: too long, or not UTF-8. */
export class UnreadableOutput extends Error {}

/** Bytes of the longest line that is read. A longer one is an error; what was cut off would be another message. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 10;

/** The bytes of a line that is not ended yet. */
class OpenLine {
  readonly #most: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#most) throw new UnreadableOutput(`a line of more than ${this.#most} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }

  take(): string {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new UnreadableOutput('a line that is not UTF-8');
    }
  }
}

/**
 * The lines of a stream of bytes, without their ends and without empty lines. At most one line is held with the chunk it came in. While the caller
 * works on a line, nothing is read, and the program that writes must wait.
 */
export async function* linesOf(output: AsyncIterable<Buffer>, most = MAX_LINE_BYTES): AsyncGenerator<string> {
  const line = new OpenLine(most);
  for await (const chunk of output) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      line.add(chunk.subarray(from, end));
      from = end + 1;
      const text = line.take().trim();
      if (text !== '') yield text;
    }
    line.add(chunk.subarray(from));
  }
  // A last line without an end counts: programs that are done do not always write one.
  const rest = line.take().trim();
  if (rest !== '') yield rest;
}

/** The whole output as text, at most `most` bytes. */
export async function textOf(output: AsyncIterable<Buffer>, most: number): Promise<string> {
  const line = new OpenLine(most);
  for await (const chunk of output) line.add(chunk);
  return line.take();
}

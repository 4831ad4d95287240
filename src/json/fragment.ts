// JSON that is already written: the executor passes it through, and the adapters copy it into their responses unchanged.
import { randomUUID } from 'node:crypto';
import { JsonBuffer } from './buffer.ts';

/** The placeholder of a fragment while the rest of its result is written. No caller can know it. */
const PLACE = randomUUID();
const WRITTEN_PLACE = JSON.stringify(PLACE);

/** The fragments of the result that is being written, in their order; undefined while none is. */
let collected: JsonFragment[] | undefined;

/** A finished piece of JSON: a text, or a part of a buffer that the pieces of a level share. `JSON.stringify`, which does not know fragments, gets its parsed value through `toJSON`. */
export class JsonFragment {
  readonly output: JsonBuffer | string;
  readonly #start: number;
  readonly #end: number;

  constructor(output: JsonBuffer | string, start = 0, end = output.length) {
    this.output = output;
    this.#start = start;
    this.#end = end;
  }

  /** Whether it is all of its output. */
  get isWhole(): boolean {
    return this.#start === 0 && this.#end === this.output.length;
  }

  /** Appends it to a buffer. */
  copyTo(out: JsonBuffer): void {
    if (typeof this.output === 'string') out.text(this.output);
    else out.copyPart(this.output, this.#start, this.#end);
  }

  #text(): string {
    const { output } = this;
    return typeof output === 'string' ? output : output.bytes.toString('utf8', this.#start, this.#end);
  }

  toJSON(): unknown {
    if (!collected) return JSON.parse(this.#text());
    collected.push(this);
    return PLACE;
  }
}

/** Finished JSON: one text, or pieces of which some are buffers written earlier. */
export type Json = string | readonly (string | JsonBuffer)[];

export const textOf = (json: Json): string => (typeof json === 'string' ? json : json.join(''));

/** The JSON of a result. Its fragments are inserted unchanged, wherever they are. */
export function jsonOf(value: unknown): Json {
  collected = [];
  try {
    const text = JSON.stringify(value) ?? 'null';
    if (collected.length === 0) return text;
    const parts = text.split(WRITTEN_PLACE);
    const [first] = collected as [JsonFragment];
    if (collected.length === 1 && first.isWhole)
      return typeof first.output === 'string' ? parts.join(first.output) : [parts[0]!, first.output, parts[1]!];
    return [joined(parts, collected)];
  } finally {
    collected = undefined;
  }
}

/**
 * The parts of a result with its fragments between them, in one buffer. Written to the socket one by one, many small pieces cost more than their
 * copies.
 */
function joined(parts: readonly string[], fragments: readonly JsonFragment[]): JsonBuffer {
  const out = new JsonBuffer();
  out.text(parts[0]!);
  for (const [place, fragment] of fragments.entries()) {
    fragment.copyTo(out);
    out.text(parts[place + 1]!);
  }
  for (const output of new Set(fragments.map((fragment) => fragment.output))) if (typeof output !== 'string') output.release();
  return out;
}

// JSON that is already written: the executor passes it through, and the adapters copy it into their answers unchanged.
import { JsonBuffer } from './buffer.ts';

/** A finished piece of JSON. `JSON.stringify`, which does not know fragments, gets its parsed value through `toJSON`. */
export class JsonFragment {
  readonly output: JsonBuffer | string;

  constructor(output: JsonBuffer | string) {
    this.output = output;
  }

  toJSON(): unknown {
    return JSON.parse(this.output.toString());
  }
}

/** Finished JSON: one text, or pieces of which some are buffers written earlier. */
export type Json = string | readonly (string | JsonBuffer)[];

export const textOf = (json: Json): string => (typeof json === 'string' ? json : json.join(''));

/**
 * The JSON of a result. A fragment whose ancestors are all objects is inserted unchanged; `JSON.stringify` writes everything else, fragments inside
 * arrays included.
 */
export function jsonOf(value: unknown): Json {
  const pieces: (string | JsonBuffer)[] = [];
  gather(value, pieces);
  return pieces.some((piece) => piece instanceof JsonBuffer) ? pieces : pieces.join('');
}

function gather(value: unknown, pieces: (string | JsonBuffer)[]): void {
  if (value instanceof JsonFragment) pieces.push(value.output);
  else if (typeof value !== 'object' || value === null || Array.isArray(value)) pieces.push(JSON.stringify(value) ?? 'null');
  else {
    let before = '{';
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined) continue;
      pieces.push(`${before}${JSON.stringify(key)}:`);
      gather(member, pieces);
      before = ',';
    }
    pieces.push(before === '{' ? '{}' : '}');
  }
}

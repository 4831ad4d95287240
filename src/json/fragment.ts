// JSON that is written already: the executor passes it through, and the adapters put it into their answers as it stands.
import { JsonBuffer } from './buffer.ts';

/** A finished piece of JSON. Whoever does not know it gets the value: `JSON.stringify` and tests see what was written. */
export class JsonFragment {
  readonly output: JsonBuffer | string;

  constructor(output: JsonBuffer | string) {
    this.output = output;
  }

  toJSON(): unknown {
    return JSON.parse(this.output.toString());
  }
}

/** Finished JSON: text, or text in pieces where some of it was written before. */
export type Json = string | readonly (string | JsonBuffer)[];

export const textOf = (json: Json): string => (typeof json === 'string' ? json : json.join(''));

/**
 * The JSON of a result. Finished pieces are put in as they stand where only objects lie above them; anything else, and pieces below
 * arrays, are `JSON.stringify`'s business.
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

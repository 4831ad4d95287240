// JSON that is text already: the executor passes it through, and the doors put it into their answers as it stands.

/** A finished piece of JSON. Whoever does not know it gets the value: `JSON.stringify` and tests see what was written. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * The JSON of a result. Finished pieces are put in as they stand where only objects lie above them; anything else, and pieces below
 * arrays, are `JSON.stringify`'s business.
 */
export function jsonOf(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value) ?? 'null';
  let text = '';
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${jsonOf(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

// Anything but what stands in a JSON string as it is: quotes, backslashes, control characters, and surrogates, which may stand alone.
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A string as JSON; most need no escape, and finding that out costs a third of `JSON.stringify`. */
export const quoted = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`);

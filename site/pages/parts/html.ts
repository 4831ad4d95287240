// HTML as tagged templates: every value is escaped unless it is itself a finished fragment.

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A finished piece of HTML; only `html` makes one. */
export class Fragment {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Fragment | string | number | undefined | readonly Fragment[];

function render(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Fragment) return value.text;
  if (Array.isArray(value)) return value.map((part: Fragment) => part.text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Builds a fragment from a template; strings and numbers are escaped, fragments and lists of fragments inserted as they are. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Fragment {
  return new Fragment(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** A sentence of a catalogue as HTML: text between backticks becomes code. */
export const prose = (text: string): Fragment[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** The first sentence of a description, for lists. */
export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

// Text to copy: a block of code, and the button that copies a text.
import { type Fragment, html } from './html.ts';

/** A button that copies a text; `label` says what to people who do not see it. */
export function copyButton(text: string, label: string): Fragment {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="${label}">Copy</button>`;
}

/** A block of code with its button. The page colours the languages that it knows. */
export function codeBlock(text: string, label: string, language: string): Fragment {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code class="language-${language}">${text}</code></pre>${copyButton(text, `Copy: ${label}`)}</div>`;
}

/** One program of several to choose from. */
export interface Program {
  /** As the button names it. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** The same request in several languages, with buttons to choose; the page remembers the choice. */
export const programTabs = (programs: readonly Program[], label: string): Fragment => html`<div class="programs">
<div class="languages" role="group" aria-label="Language: ${label}">${programs.map(({ name }, index) => html`<button type="button" data-language="${name}" aria-pressed="${index === 0 ? 'true' : 'false'}">${name}</button>`)}</div>
${programs.map(({ name, language, text }, index) => html`<div data-program="${name}"${index > 0 ? html` hidden` : ''}>${codeBlock(text, `${label}, ${name}`, language)}</div>`)}
</div>`;

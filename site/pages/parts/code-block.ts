// Text to copy: a block of code, and the button that copies a text.
import { type Fragment, html } from './html.ts';

/** A button that copies a text; `label` says what to people who do not see it. */
export function copyButton(text: string, label: string): Fragment {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="${label}">Copy</button>`;
}

/** A block of code with its button. */
export function codeBlock(text: string, label: string): Fragment {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>${copyButton(text, `Copy: ${label}`)}</div>`;
}

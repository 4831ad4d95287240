// Third-party markup put right where a screen reader would stumble: applied once, and again to whatever is rendered later.

type Correct = (root: Element) => void;

/** Runs `correct` now and after every change below `root`. It must leave corrected markup alone, or it would run for ever. */
export function keepCorrecting(root: Element, correct: Correct): void {
  correct(root);
  new MutationObserver(() => correct(root)).observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['role', 'aria-selected'],
  });
}

function name(root: Element, selector: string, text: string): void {
  root.querySelector(`${selector}:not([aria-label="${text}"])`)?.setAttribute('aria-label', text);
}

// A label that differs from the visible text cannot be spoken by somebody who reads the screen and says what is there.
function nameByContent(root: Element, selector: string): void {
  for (const button of root.querySelectorAll(`${selector}[aria-label]`)) button.removeAttribute('aria-label');
}

/** GraphiQL puts the close button inside an element with the role of a tab, which hides it; a list of buttons says the same correctly. */
export const correctGraphiQL: Correct = (root) => {
  root.querySelector('.graphiql-tabs[role="tablist"]')?.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[role="tab"], .graphiql-tab[aria-selected]')) {
    const selected = tab.getAttribute('aria-selected') ?? 'false';
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-pressed', selected);
  }
  nameByContent(root, '.graphiql-history-item-label');
};

/** Swagger UI leaves controls without a name and code out of reach of the keyboard, and starts its dialog with a heading of the third level. */
export const correctSwaggerUI: Correct = (root) => {
  name(root, '#servers', 'Server');
  name(root, '.operation-filter-input', 'Filter by tag or path');
  name(root, '.close-modal', 'Close');
  nameByContent(root, '.modal-btn.auth');
  for (const area of root.querySelectorAll('.body-param__text:not([aria-label])')) area.setAttribute('aria-label', 'Body of the request');
  for (const box of root.querySelectorAll<HTMLElement>('tr[data-param-name] select:not([aria-label])'))
    box.setAttribute('aria-label', box.closest<HTMLElement>('tr')?.dataset.paramName ?? '');
  for (const block of root.querySelectorAll('pre.microlight:not([tabindex])')) block.setAttribute('tabindex', '0');
  for (const heading of root.querySelectorAll('.modal-ux-content h6:not([aria-level])')) heading.setAttribute('aria-level', '4');
  root.querySelector('.modal-ux-header h3:not([aria-level])')?.setAttribute('aria-level', '2');
  for (const heading of root.querySelectorAll('.modal-ux-content h4:not([aria-level])')) heading.setAttribute('aria-level', '3');
};

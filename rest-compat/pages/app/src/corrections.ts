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

/** GraphiQL puts the close button inside an element with the role of a tab, which hides it; a list of buttons says the same correctly. */
export const correctTabs: Correct = (root) => {
  root.querySelector('.graphiql-tabs[role="tablist"]')?.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[role="tab"], .graphiql-tab[aria-selected]')) {
    const selected = tab.getAttribute('aria-selected') ?? 'false';
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-pressed', selected);
  }
};

/** Swagger UI leaves the server list and the filter without a name. */
export const nameControls: Correct = (root) => {
  root.querySelector('#servers:not([aria-label])')?.setAttribute('aria-label', 'Server');
  root.querySelector('.operation-filter-input:not([aria-label])')?.setAttribute('aria-label', 'Filter by tag or path');
};

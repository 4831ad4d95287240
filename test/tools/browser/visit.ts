// A visit of a page: where it begins, and what a visitor does there.
import type { Page } from 'playwright-core';

/** A page as the checks visit it. */
export interface Visit {
  readonly name: string;
  /** Where it begins; made again for each visit where a visit uses it up. */
  readonly path: string | (() => Promise<string>);
  /** The actions of a visitor, up to the content that the page must show then. */
  readonly act: (page: Page) => Promise<void>;
  /** Expected console errors of the browser itself. */
  readonly logs?: RegExp;
}

export const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

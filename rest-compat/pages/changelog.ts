// The changelog of the contracts as a page: schema/CHANGELOG.md, which every release carries on.
import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { packagePath } from '../../src/runtime/package-root.ts';
import { Fragment, html } from './parts/html.ts';

/** Body of `/docs/changelog`. The file is part of the package, so its Markdown is trusted. */
export function changelogBody(): Fragment {
  const text = readFileSync(packagePath('schema', 'CHANGELOG.md'), 'utf8');
  return html`<main id="main" class="column guide">${new Fragment(new Marked().parse(text, { async: false }))}</main>`;
}

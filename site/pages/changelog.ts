// The changelog of the contracts as a page: schema/CHANGELOG.md, which every release carries on.
import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { packagePath } from '../../src/runtime/package-root.ts';
import { Fragment, html } from './parts/html.ts';

/** `/docs/changelog` as Markdown. */
export const changelogMarkdown = (): string => readFileSync(packagePath('schema', 'CHANGELOG.md'), 'utf8');

/** Body of `/docs/changelog`. The file is part of the package, so its Markdown is trusted. */
export const changelogBody = (): Fragment =>
  html`<main id="main" class="column guide">${new Fragment(new Marked().parse(changelogMarkdown(), { async: false }))}</main>`;

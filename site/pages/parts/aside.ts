// What is next to the text of a documentation page: the pages of its part of the documentation, and the sections of the page itself.
import { type Fragment, html } from './html.ts';

/** Links under a heading. */
interface LinkGroup {
  readonly title: string;
  readonly links: readonly { readonly href: string; readonly label: string; readonly isCurrent?: boolean }[];
}

/** The pages of a part of the documentation, before the text; the script of the page folds them where the window is narrow. */
export const asideOf = (label: string, groups: readonly LinkGroup[]): Fragment =>
  html`<nav class="aside" aria-label="${label}"><details open><summary>${label}</summary>${groups.map(
    ({ title, links }) =>
      html`<p>${title}</p><ul>${links.map(({ href, label, isCurrent }) => html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${breakable(label)}</a></li>`)}</ul>`,
  )}</details></nav>`;

/** The sections of a page, after the text; nothing where there are fewer than two. */
export const contentsOf = (sections: readonly { readonly id: string; readonly title: string }[]): Fragment =>
  sections.length < 2
    ? html``
    : html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;

/** A name that may break after each of its words. */
const breakable = (name: string): Fragment[] => name.split(/(?<=_)/).map((word, index) => html`${index > 0 ? html`<wbr>` : ''}${word}`);

// The layout of every page: head, header with navigation, footer.
import type { Entry } from './assets.ts';
import { type Fragment, html } from './parts/html.ts';
import type { PagesModel } from './parts/model.ts';

const NAVIGATION = [
  { href: '/', label: 'Overview' },
  { href: '/graphql', label: 'Playground' },
  { href: '/apps', label: 'Apps' },
  { href: '/docs/guides', label: 'Guides' },
  { href: '/docs/graphql', label: 'GraphQL' },
  { href: '/docs', label: 'REST' },
  { href: '/docs/errors', label: 'Errors' },
  { href: '/limits', label: 'Limits' },
  { href: '/docs/changelog', label: 'Changelog' },
] as const;

export interface Page {
  /** Its place in the navigation; an error page has none. */
  readonly path?: (typeof NAVIGATION)[number]['href'];
  readonly title: string;
  readonly entry: Entry;
  readonly body: Fragment;
  /** What is next to a page of the documentation: the pages of its part, or nothing. */
  readonly aside?: Fragment;
  /** Its sections. */
  readonly contents?: Fragment;
  /** The same for programs; only documentation has it. */
  readonly markdown?: () => string;
  /** Whether the page fills the window and has no footer, as the playground does. */
  readonly fills?: boolean;
  /** What was searched for. */
  readonly query?: string;
}

function navigation(current: string | undefined): Fragment[] {
  return NAVIGATION.map(({ href, label }) =>
    href === current ? html`<a href="${href}" aria-current="page">${label}</a>` : html`<a href="${href}">${label}</a>`,
  );
}

/** The whole document of a page. */
export function shell(model: Pick<PagesModel, 'name' | 'version'>, icon: string, page: Page): string {
  const { entry } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · ${model.name}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
${entry.styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
<script type="module" src="${entry.script}"></script>
</head>
<body${page.fills ? html` class="fills"` : ''}>
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/"><img src="${icon}" alt="" width="28" height="28">${model.name}</a>
<form class="find" role="search" aria-label="Everything" action="/docs/search"><input id="find" name="q" type="search" value="${page.query ?? ''}" aria-label="Search types, operations, errors and guides" aria-keyshortcuts="/" placeholder="Search everything" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></form>
<nav aria-label="Pages">${navigation(page.path)}</nav>
</header>
${page.aside ? html`<div class="docs">${page.aside}${page.body}${page.contents ?? ''}</div>` : page.body}
${page.fills ? '' : html`<footer class="site"><p>${model.name} ${model.version}</p><p>Everything on these pages is served from here: no outside scripts, fonts or trackers.</p></footer>`}
</body>
</html>
`.text;
}

// One search over everything the pages have: types and root fields, REST operations and their paths, errors, guides, limits.

import type { Guide } from './guides.ts';
import { type Fragment, firstSentence, html, prose } from './parts/html.ts';
import { blocks, listed } from './parts/markdown.ts';
import type { PagesModel } from './parts/model.ts';
import { resourceAddress } from './reference/rest-pages.ts';

/** Something that can be found. */
export interface Findable {
  readonly name: string;
  /** What it is: `type`, `mutation`, `REST`, `error`, `guide`, `limit`. */
  readonly kind: string;
  readonly address: string;
  /** May set names in backticks. */
  readonly description: string;
  readonly isDeprecated: boolean;
  /** What it says beside that. */
  readonly text?: string;
}

/** Hits shown; more would mean that the words say too little. */
const MAX_HITS = 60;
/** Words of a query, and characters of it, that are looked at. */
const MAX_WORDS = 8;
const MAX_CHARACTERS = 200;

const kinds = { queries: 'query', mutations: 'mutation', subscriptions: 'subscription', types: 'type' } as const;

/** Everything that can be found. */
export function findables(model: PagesModel, guides: readonly Guide[]): Findable[] {
  const found = (kind: string, name: string, address: string, description: string, isDeprecated = false): Findable => ({
    name,
    kind,
    address,
    description,
    isDeprecated,
  });
  return [
    ...model.reference.names.map(({ kind, name, description, isDeprecated }) =>
      found(kinds[kind], name, `/docs/graphql/${kind}/${name}`, description, isDeprecated),
    ),
    ...model.operations.map(({ id, surface, tag, method, path, summary }) =>
      found('REST', `${method} ${path}`, `${resourceAddress(surface, tag)}#${id}`, summary),
    ),
    ...model.errors.map(({ code, meaning, cause }) => found('error', code, `/docs/errors#${code}`, `${meaning} ${cause}`)),
    ...guides.flatMap(({ name, title, summary, sections, text }) => [
      { ...found('guide', title, `/docs/guides/${name}`, summary), text },
      ...sections.map((section) => found('guide', section.title, `/docs/guides/${name}#${section.id}`, `In ${title}.`)),
    ]),
    ...model.examples.map(({ title, document, name }) => found('example', title, `/graphql#example=${name}`, document.split('\n')[0]!)),
    ...model.limits.map(({ name, meaning, value, unit }) => found('limit', name, '/limits', `${value} ${unit}. ${meaning}`)),
  ];
}

/** What has every word of a query in its name or description, best first. */
export function searched(all: readonly Findable[], query: string): Findable[] {
  const words =
    query
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.slice(0, MAX_WORDS) ?? [];
  if (words.length === 0) return [];
  const ranked = all.flatMap((entry) => {
    const rank = rankOf(entry, words);
    return rank === undefined ? [] : [{ entry, rank }];
  });
  // Equal ranks: guides, then what is in use before what is deprecated, then the shorter name.
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      Number(b.entry.kind === 'guide') - Number(a.entry.kind === 'guide') ||
      Number(a.entry.isDeprecated) - Number(b.entry.isDeprecated) ||
      a.entry.name.length - b.entry.name.length,
  );
  return ranked.slice(0, MAX_HITS).map(({ entry }) => entry);
}

/** Text without what separates words in names: `purchase_orders`, `PurchaseOrder` and `purchase order` are one. */
const joined = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '');

/**
 * 0 for the name itself, 1 for its beginning, 2 for words in the name, 3 for the same in the name of a type, because most of those were made for
 * another type; 4 for words in the description. Undefined where a word is missing.
 */
function rankOf({ name, description, kind, text: more = '' }: Findable, words: string[]): number | undefined {
  const own = joined(name);
  const whole = words.join('');
  if (own === whole) return 0;
  const isIn = words.every((word) => own.includes(joined(word)));
  if (isIn && kind === 'type') return 3;
  if (own.startsWith(whole)) return 1;
  if (isIn) return 2;
  const text = `${name} ${description} ${more}`.toLowerCase();
  return words.every((word) => text.includes(word)) ? 4 : undefined;
}

/** Body of `/docs/search`. */
export function searchBody(hits: readonly Findable[], query: string): Fragment {
  const list = html`<ul class="names hits">${hits.map(
    ({ kind, name, address, description, isDeprecated }) =>
      html`<li><small>${kind}</small> <a href="${address}"><code>${name}</code></a>${isDeprecated ? html` <em>deprecated</em>` : ''} <span>${prose(firstSentence(description))}</span></li>`,
  )}</ul>`;
  return html`<main id="main" class="column reference">
<h1>${query.trim() ? html`Found for “${query}”` : 'Search'}</h1>
<p class="lead">${
    query.trim()
      ? hits.length > 0
        ? `${hits.length === MAX_HITS ? `The best ${MAX_HITS}` : hits.length} of types, operations, errors, guides and limits.`
        : 'No results. Try fewer or shorter words.'
      : 'Type a word in the box above: a type, an operation, a path, an error code, a task.'
  }</p>
${hits.length > 0 ? list : ''}
</main>`;
}

/** Something that was found, as programs get it. */
export interface SearchResult {
  readonly title: string;
  /** Its place, from the origin. */
  readonly url: string;
  readonly kind: string;
  readonly excerpt: string;
}

/** Hits as programs get them. */
export const searchResults = (hits: readonly Findable[]): SearchResult[] =>
  hits.map(({ name, address, kind, description }) => ({ title: name, url: address, kind, excerpt: firstSentence(description) }));

/** `/docs/search` as Markdown. */
export const searchMarkdown = (hits: readonly Findable[], query: string): string =>
  blocks([
    `# Search results for "${query.replaceAll(/\s+/g, ' ').trim()}"`,
    hits.length === 0
      ? 'No results. Fewer or shorter words find more.'
      : listed(searchResults(hits).map(({ title, url, kind, excerpt }) => `${kind}: [${title}](${url}). ${excerpt}`)),
  ]);

// One search over everything the pages have: guides and their sections, types and root fields, REST operations and their paths, errors, limits.
import MiniSearch, { type SearchResult as Match, type Query } from 'minisearch';
import type { Guide } from './guides.ts';
import { type Fragment, firstSentence, html } from './parts/html.ts';
import { blocks, listed, plainOf } from './parts/markdown.ts';
import type { PagesModel } from './parts/model.ts';
import { resourceAddress } from './reference/rest-pages.ts';
import { IGNORED_WORDS, SYNONYMS } from './search-words.ts';

/** Something that can be found. */
interface Findable {
  readonly name: string;
  /** What it is: `type`, `mutation`, `REST`, `error`, `guide`, `limit`. */
  readonly kind: keyof typeof WEIGHTS;
  readonly address: string;
  /** May set names in backticks. */
  readonly description: string;
  readonly isDeprecated: boolean;
  /** Markdown that is searched too. */
  readonly text?: string;
}

/** Something that was found. */
export interface Hit extends Findable {
  /** The sentence that matches best; may set names in backticks. */
  readonly excerpt: string;
  /** The words in its texts that matched, in small letters. */
  readonly terms: readonly string[];
}

/** Finds what a query asks for, best first. */
export type Search = (query: string) => Promise<Hit[]>;

/** Hits shown; more would mean that the words say too little. */
const MAX_HITS = 60;
/** Characters of an excerpt. */
const MAX_EXCERPT = 160;
/** Words of a query, and characters of it, that are looked at. */
const MAX_WORDS = 8;
const MAX_CHARACTERS = 200;

const WORDS = /[\p{L}\p{N}_]+/gu;

/** Entries that are indexed between two turns of the event loop. */
const ENTRIES_AT_ONCE = 50;

/** How much a match in each kind counts: a reader looks for a guide first, and most types were made for another type. */
const WEIGHTS = { guide: 8, error: 2, query: 1.5, mutation: 1.5, subscription: 1.5, REST: 1.5, example: 1, limit: 1.5, type: 1 } as const;

/** How much a match in each text counts, and one of a synonym. */
const BOOST = { name: 5, description: 2, text: 1 };
const SYNONYM_BOOST = { name: 2, description: 0.8, text: 0.4 };

const kinds = { queries: 'query', mutations: 'mutation', subscriptions: 'subscription', types: 'type' } as const;

/** Everything that can be found. */
function findables(model: PagesModel, guides: readonly Guide[]): Findable[] {
  const found = (kind: Findable['kind'], name: string, address: string, description: string, isDeprecated = false): Findable => ({
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
      ...sections.map((section) => ({
        ...found('guide', section.title, `/docs/guides/${name}#${section.id}`, `In ${title}.`),
        text: section.text,
      })),
    ]),
    ...model.examples.map(({ title, document, name }) => found('example', title, `/graphql#example=${name}`, document.split('\n')[0]!)),
    ...model.limits.map(({ name, meaning, value, unit }) => found('limit', name, '/limits', `${value} ${unit}. ${meaning}`)),
  ];
}

/** The words of a text in small letters; those of a name that is written together too: `purchaseOrder` gives `purchase`, `order` and `purchaseorder`. */
const wordsOf = (text: string): string[] =>
  (text.match(WORDS) ?? []).flatMap((word) => {
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);
    return (parts.length > 1 ? [...parts, parts.join('')] : parts).map((part) => part.toLowerCase());
  });

/** A name without what separates its words, nor the plural of those before the last: `ContactSummary` and `contacts summary` are one. */
const joined = (text: string): string => text.toLowerCase().replaceAll(/s?[\s_-]+/g, '');

/** The search over everything that can be found. */
export function searchOver(model: PagesModel, guides: readonly Guide[]): Search {
  let made: Promise<(query: string) => Hit[]> | undefined;
  // By the first search, because a start does not need it.
  return async (query) => {
    made ??= indexed(findables(model, guides));
    return (await made)(query);
  };
}

async function indexed(all: readonly Findable[]): Promise<(query: string) => Hit[]> {
  const index = new MiniSearch<Findable & { id: number }>({
    fields: ['name', 'description', 'text'],
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: {
      boost: BOOST,
      prefix: (word) => word.length > 1,
      weights: { prefix: 0.6, fuzzy: 0.2 },
      boostDocument: (id) => WEIGHTS[all[id as number]!.kind],
    },
  });
  await index.addAllAsync(
    all.map((entry, id) => ({ ...entry, id })),
    { chunkSize: ENTRIES_AT_ONCE },
  );
  return (query) => {
    const words = askedFor(query.slice(0, MAX_CHARACTERS));
    const spellings = words.map((word) => ({ combineWith: 'OR' as const, queries: [word, ...synonymsOf(word)] }));
    const tries = [{ misspelt: 0.2 }, { misspelt: 0.34 }, { misspelt: 0.2, combineWith: 'OR' as const }];
    let matches: Match[] = [];
    for (const { misspelt, combineWith = 'AND' } of tries)
      if (matches.length === 0)
        matches = index.search({ combineWith, queries: spellings, fuzzy: (word) => (word.length > 5 ? misspelt : false) });
    const whole = joined(query.trim());
    return matches
      .map((match) => ({ match, entry: all[match.id as number]! }))
      .sort((a, b) => rankOf(a.entry, whole) - rankOf(b.entry, whole) || b.match.score - a.match.score)
      .slice(0, MAX_HITS)
      .map(({ match, entry }) => ({ ...entry, terms: match.terms, excerpt: excerptOf(entry, match.terms) }));
  };
}

/** The other words for a word, which count less and match as a whole. */
const synonymsOf = (word: string): Query[] =>
  (SYNONYMS[word] ?? []).map((synonym) => ({ combineWith: 'OR', queries: [synonym], prefix: false, fuzzy: false, boost: SYNONYM_BOOST }));

/** The words of a query that say something; all of them where none does. */
function askedFor(query: string): string[] {
  const words = [...new Set(wordsOf(query))];
  const telling = words.filter((word) => !IGNORED_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
}

/** What has the name or the path itself comes first, and what is in use comes before what is deprecated. */
const rankOf = ({ name, isDeprecated }: Findable, whole: string): number => {
  const own = joined(name);
  const isNamed = own === whole || (whole.startsWith('/') && own.endsWith(whole));
  return (isNamed ? 0 : 2) + Number(isDeprecated);
};

/** The sentence in which most of the words are: of the description, or else of the text; its beginning where it is long. */
function excerptOf({ description, text = '' }: Findable, terms: readonly string[]): string {
  const sentences = [firstSentence(description), ...plainOf(text).split(/(?<=\.)\s/)];
  const countOf = (sentence: string): number => new Set(wordsOf(sentence).filter((word) => terms.includes(word))).size;
  const best = sentences.reduce((most, sentence) => (countOf(sentence) > countOf(most) ? sentence : most)).trim();
  return best.length <= MAX_EXCERPT ? best : `${best.slice(0, best.lastIndexOf(' ', MAX_EXCERPT))} …`;
}

/** A text with the words that matched marked; what is between backticks is code. */
const marked = (text: string, terms: readonly string[]): Fragment[] =>
  text.split('`').map((part, index) => {
    const pieces = part
      .split(/([\p{L}\p{N}_]+)/u)
      .map((piece) => (wordsOf(piece).some((word) => terms.includes(word)) ? html`<mark>${piece}</mark>` : html`${piece}`));
    return index % 2 === 1 ? html`<code>${pieces}</code>` : html`${pieces}`;
  });

/** Body of `/docs/search`. */
export function searchBody(hits: readonly Hit[], query: string): Fragment {
  const list = html`<ul class="names hits">${hits.map(
    ({ kind, name, address, excerpt, terms, isDeprecated }) =>
      html`<li><small>${kind}</small> <a href="${address}">${kind === 'guide' || kind === 'example' ? marked(name, terms) : html`<code>${marked(name, terms)}</code>`}</a>${isDeprecated ? html` <em>deprecated</em>` : ''} <span>${marked(excerpt, terms)}</span></li>`,
  )}</ul>`;
  return html`<main id="main" class="reference">
<h1>${query.trim() ? html`Results for “${query}”` : 'Search'}</h1>
<p class="lead">${
    query.trim()
      ? hits.length > 0
        ? `${hits.length === MAX_HITS ? `The best ${MAX_HITS}` : hits.length} ${hits.length === 1 ? 'result' : 'results'}`
        : 'No results. Try other or fewer words.'
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
export const searchResults = (hits: readonly Hit[]): SearchResult[] =>
  hits.map(({ name, address, kind, excerpt }) => ({ title: name, url: address, kind, excerpt }));

/** `/docs/search` as Markdown. */
export const searchMarkdown = (hits: readonly Hit[], query: string): string =>
  blocks([
    `# Search results for "${query.replaceAll(/\s+/g, ' ').trim()}"`,
    hits.length === 0
      ? 'No results. Other or fewer words may find more.'
      : listed(searchResults(hits).map(({ title, url, kind, excerpt }) => `${kind}: [${title}](${url}). ${excerpt}`)),
  ]);

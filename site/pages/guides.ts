// The guides: the Markdown files of docs/guides as pages.
import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { packagePath } from '../../src/runtime/package-root.ts';
import { asideOf } from './parts/aside.ts';
import { codeBlock, programTabs } from './parts/code-block.ts';
import { Fragment, html, prose } from './parts/html.ts';
import { plainOf } from './parts/markdown.ts';
import type { Credential } from './parts/model.ts';
import { shareLink } from './parts/share-link.ts';
import { graphqlCurl, graphqlJavascript, graphqlPython } from './reference/request-programs.ts';

/** The guides by task, in the order in which a newcomer reads them. */
const GROUPS = [
  { title: 'Start', names: ['quickstart', 'keys', 'errors'] },
  { title: 'Read and write', names: ['lists', 'writes', 'screens', 'live-data'] },
  { title: 'Books', names: ['books', 'reports'] },
  { title: 'Sources of records', names: ['connect-a-ledger', 'files', 'connector-coverage'] },
  { title: 'Events', names: ['webhooks', 'feeds'] },
  { title: 'Clients', names: ['code-generation', 'transport', 'rest-to-graphql', 'agents'] },
] as const;

/** A guide as a page. */
export interface Guide {
  readonly name: string;
  /** The group of tasks that it belongs to. */
  readonly group: string;
  readonly title: string;
  /** Its first paragraph as text with code in backticks, without a sentence that leads to what follows it. */
  readonly summary: string;
  /** Its headings of the second level, each with the Markdown below it. */
  readonly sections: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  /** Its Markdown. */
  readonly text: string;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** An operation as text, as programs that send it, and as a link to the playground. */
function operationBlock(document: string, variables: string, label: string, origin: string, credential: Credential): Fragment {
  const request = { document, variables: JSON.parse(variables || '{}') as Record<string, unknown> };
  const programs = [
    { name: 'GraphQL', language: 'graphql', text: document },
    { name: 'curl', language: 'bash', text: graphqlCurl(origin, request, credential) },
    { name: 'JavaScript', language: 'javascript', text: graphqlJavascript(origin, request, credential) },
    { name: 'Python', language: 'python', text: graphqlPython(origin, request, credential) },
  ];
  return html`${programTabs(programs, label)}<p class="links"><a href="${shareLink({ document, variables })}">Open in the playground</a></p>`;
}

/** Turns the Markdown of one guide into HTML. Blocks that scroll are numbered, because a screen reader lists them by their names. */
function rendered(text: string, origin: string, credential: Credential): Fragment {
  let blocks = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth}${depth === 1 ? '' : ` id="${slug(text)}"`}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code(token) {
        const label = `Example ${++blocks}`;
        if (token.lang === 'graphql') return operationBlock(token.text, variables.get(token) ?? '', label, origin, credential).text;
        return codeBlock(token.text, `${label}, ${token.lang}`, token.lang === 'sh' ? 'bash' : (token.lang ?? 'text')).text;
      },
      // Wide tables scroll in a box of their own, so that a phone does not scroll the page.
      table(token) {
        const row = (cells: typeof token.header, tag: string): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${++blocks}"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const variables = variablesOf(tokens);
  return new Fragment(marked.parser(tokens));
}

/** The variables of each operation: the JSON that follows it. */
function variablesOf(tokens: readonly Token[]): Map<Token, string> {
  const blocks = tokens.filter((token): token is Tokens.Code => token.type === 'code');
  return new Map(
    blocks.flatMap((block, index) => {
      const next = blocks[index + 1];
      return block.lang === 'graphql' && next?.lang === 'json' ? [[block, next.text] as const] : [];
    }),
  );
}

/** Reads the guides. They are files of the package, so their Markdown is trusted. */
export function readGuides(): readonly Guide[] {
  return GROUPS.flatMap(({ title: group, names }) => names.map((name) => ({ group, name }))).map(({ group, name }) => {
    const text = readFileSync(packagePath('docs', 'guides', `${name}.md`), 'utf8');
    const [, title = name, summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(text) ?? [];
    return {
      name,
      group,
      title,
      summary: plainOf(summary).replace(/(?<=\.) [^.]*:$/, ''),
      text,
      sections: text
        .split(/^## /m)
        .slice(1)
        .map((section) => {
          const [heading = ''] = section.split('\n', 1);
          return { id: slug(heading), title: heading.replaceAll('`', ''), text: section.slice(heading.length) };
        }),
    };
  });
}

const grouped = (guides: readonly Guide[]): [string, Guide[]][] => [...Map.groupBy(guides, ({ group }) => group)];

/** The guides next to a page; `current` is the one that is shown. */
export const guidesAside = (guides: readonly Guide[], current?: string): Fragment =>
  asideOf(
    'Guides',
    grouped(guides).map(([title, own]) => ({
      title,
      links: own.map((guide) => ({ href: `/docs/guides/${guide.name}`, label: shortTitle(guide), isCurrent: guide.name === current })),
    })),
  );

/** A title without what it lists after a colon. */
const shortTitle = ({ title }: Guide): string => title.split(':')[0]!;

/** Links to the guides before and after one. */
function neighboursOf(guides: readonly Guide[], current: Guide): Fragment {
  const at = guides.indexOf(current);
  const link = (guide: Guide | undefined, words: string, rel: string): Fragment =>
    guide ? html`<a rel="${rel}" href="/docs/guides/${guide.name}"><small>${words}</small> ${shortTitle(guide)}</a>` : html`<span></span>`;
  return html`<nav class="neighbours" aria-label="Other guides">${link(guides[at - 1], 'Previous', 'prev')}${link(guides[at + 1], 'Next', 'next')}</nav>`;
}

/** Body of the page of a guide. Its programs call the gateway at `origin` with the credential. */
export const guideBody = (guides: readonly Guide[], guide: Guide, origin: string, credential: Credential): Fragment =>
  html`<main id="main" class="guide">${rendered(guide.text, origin, credential)}${neighboursOf(guides, guide)}<p id="announce" class="quiet" role="status"></p></main>`;

/** Body of `/docs/guides`. */
export const guidesBody = (guides: readonly Guide[]): Fragment => html`<main id="main" class="guide">
<h1>Guides</h1>
<p class="lead">How to do the common things. Every operation and program on these pages is run by the tests of the gateway.</p>
${grouped(guides).map(([title, own]) => html`<h2>${title}</h2><ul class="names">${own.map((guide) => html`<li><a href="/docs/guides/${guide.name}">${guide.title}</a> <span>${prose(guide.summary)}</span></li>`)}</ul>`)}
</main>`;

// The guides: the Markdown files of docs/guides as pages.
import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { packagePath } from '../../src/runtime/package-root.ts';
import { codeBlock } from './parts/code-block.ts';
import { Fragment, html, prose } from './parts/html.ts';
import { shareLink } from './parts/share-link.ts';

/** The guides in the order in which a newcomer reads them. */
const NAMES = [
  'keys',
  'lists',
  'writes',
  'books',
  'reports',
  'connect-a-ledger',
  'files',
  'connector-coverage',
  'errors',
  'screens',
  'live-data',
  'feeds',
  'webhooks',
  'transport',
  'code-generation',
  'rest-to-graphql',
  'agents',
] as const;

/** A guide as a page. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  /** Its first paragraph as text with code in backticks, without a sentence that leads to what follows it. */
  readonly summary: string;
  /** Its headings of the second level. */
  readonly sections: readonly { readonly id: string; readonly title: string }[];
  /** Its Markdown, for the search. */
  readonly text: string;
  readonly body: Fragment;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A link to the playground per operation; its variables are the JSON that follows it. */
function playgroundLinks(tokens: readonly Token[]): Map<Token, string> {
  const blocks = tokens.filter((token): token is Tokens.Code => token.type === 'code');
  return new Map(
    blocks.flatMap((block, index) => {
      if (block.lang !== 'graphql') return [];
      const next = blocks[index + 1];
      const address = shareLink({ document: block.text, variables: next?.lang === 'json' ? next.text : '' });
      return [[block, html`<p class="links"><a href="${address}">Open in the playground</a></p>`.text] as const];
    }),
  );
}

/** Turns the Markdown of one guide into HTML. Blocks that scroll are numbered, because a screen reader lists them by their names. */
function rendered(text: string): Fragment {
  let blocks = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth}${depth === 1 ? '' : ` id="${slug(text)}"`}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: (token) => codeBlock(token.text, `Example ${++blocks}, ${token.lang}`).text + (links.get(token) ?? ''),
      // Wide tables scroll in a box of their own, so that a phone does not scroll the page.
      table(token) {
        const row = (cells: typeof token.header, tag: string): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${++blocks}"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const links = playgroundLinks(tokens);
  return new Fragment(marked.parser(tokens));
}

/** Reads the guides. They are files of the package, so their Markdown is trusted. */
export function readGuides(): readonly Guide[] {
  return NAMES.map((name) => {
    const text = readFileSync(packagePath('docs', 'guides', `${name}.md`), 'utf8');
    const [, title = name, summary = ''] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(text) ?? [];
    return {
      name,
      title,
      summary: summary
        .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
        .replaceAll('\n', ' ')
        .replace(/(?<=\.) [^.]*:$/, ''),
      text,
      sections: [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => ({ id: slug(heading), title: heading.replaceAll('`', '') })),
      body: html`<main id="main" class="column guide"><p class="crumbs"><a href="/docs/guides">Guides</a></p>${rendered(text)}</main>`,
    };
  });
}

/** Body of `/docs/guides`. */
export const guidesBody = (guides: readonly Guide[]): Fragment => html`<main id="main" class="column guide">
<h1>Guides</h1>
<p class="lead">How to do the common things. Every operation and program on these pages is run by the tests of the gateway.</p>
<ul class="names">${guides.map(({ name, title, summary }) => html`<li><a href="/docs/guides/${name}">${title}</a> <span>${prose(summary)}</span></li>`)}</ul>
</main>`;

// The changelog of the contracts as a page. It has the text of schema/CHANGELOG.md by release and day, each followed by the part of
// schema/changes.json that `npm run release-contracts` derives from the contracts.
import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { packagePath } from '../../src/runtime/package-root.ts';
import { Fragment, html } from './parts/html.ts';
import { blocks, listed, section } from './parts/markdown.ts';

/** Members by the type or operation that has them; a whole one has no members. */
type Members = Record<string, string[]>;
type Changes = Record<'added' | 'deprecated' | 'removed', Members> & { changed: string[] };

/** A release with the changes of its contracts. */
export interface Release {
  version: string;
  day: string;
  graphql: Changes;
  rest: Changes;
}

const textOf = (file: string): string => readFileSync(packagePath('schema', file), 'utf8');

export const releases = (): Release[] => JSON.parse(textOf('changes.json')) as Release[];

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Types with the same members are one entry, and so are whole types. */
function membersList(members: Members): string {
  const groups = Map.groupBy(Object.entries(members), ([name, found]) => (name.includes(' ') && found.length === 0 ? name : String(found)));
  return listed(
    [...groups.values()].map((group) =>
      [group.map(([name]) => name), group[0]![1]]
        .filter((names) => names.length > 0)
        .map(code)
        .join(': '),
    ),
  );
}

const changesList = (title: string, { added, changed, deprecated, removed }: Changes): string[] => [
  ...section(`${title}: added`, membersList(added), 3),
  ...section(`${title}: changed`, listed(changed), 3),
  ...section(`${title}: deprecated`, membersList(deprecated), 3),
  ...section(`${title}: removed`, membersList(removed), 3),
];

/** `/docs/changelog` as Markdown. */
export function changelogMarkdown(): string {
  const byHeading = new Map(releases().map((release) => [`## ${release.version} (${release.day})`, release]));
  return blocks(
    textOf('CHANGELOG.md')
      .split(/^(?=## )/m)
      .flatMap((words) => {
        const release = byHeading.get(words.slice(0, words.indexOf('\n')));
        return [words.trimEnd(), ...(release ? [...changesList('GraphQL', release.graphql), ...changesList('REST', release.rest)] : [])];
      }),
  );
}

/** Body of `/docs/changelog`. The files are part of the package, so their Markdown is trusted. */
export const changelogBody = (): Fragment =>
  html`<main id="main" class="guide">${new Fragment(new Marked().parse(changelogMarkdown(), { async: false }))}</main>`;

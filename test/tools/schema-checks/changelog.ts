// The changelog of the contracts: its headings, what its releases have changed (schema/changes.json), and what its words must name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractChanges, Members } from './changes.ts';
import { root, schemaFolder } from './contracts.ts';

/** A release with the changes of its contracts since the release before. */
export interface Release extends ContractChanges {
  version: string;
  day: string;
  /** SHA-256 of its contracts. */
  contracts: string;
}

export const CHANGELOG = join(schemaFolder, 'CHANGELOG.md');
export const RELEASES = join(schemaFolder, 'changes.json');
export const UNRELEASED = '## Unreleased';

export const readReleases = (): Release[] => JSON.parse(readFileSync(RELEASES, 'utf8')) as Release[];
export const packageVersion = (): string => (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
export const headingOf = ({ version, day }: Pick<Release, 'version' | 'day'>): string => `## ${version} (${day})`;

/** The text below a heading of the changelog; empty where the heading is missing. */
export function wordsBelow(heading: string): string {
  const sections = readFileSync(CHANGELOG, 'utf8').split(/^(?=## )/m);
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

/** The types whose new members callers look for by name. */
const NAMED = ['Query', 'Mutation', 'Subscription', 'ErrorCode', 'EventTopic'];

const namesIn = (members: Members): string[] => Object.entries(members).flatMap(([name, found]) => (found.length > 0 ? found : [name]));

/** What of the changes the words do not name: new root fields, error codes, topics and operations, and all that is deprecated or gone. */
export function unnamedIn(words: string, { graphql, rest }: ContractChanges): string[] {
  const added = [
    ...NAMED.flatMap((type) => graphql.added[type] ?? []),
    ...Object.entries(rest.added).flatMap(([name, members]) => (name.includes(' ') && members.length === 0 ? [name] : [])),
  ];
  const gone = [graphql.deprecated, graphql.removed, rest.deprecated, rest.removed].flatMap(namesIn);
  return [...added, ...gone].filter((name) => !patternOf(name).test(words));
}

/** How words name it: an operation by the end of its path, after `…`, and a topic as it is delivered or as GraphQL spells it. */
function patternOf(name: string): RegExp {
  const path = /^[A-Z]+ \/(?:v4\/core\/companies\/\{companyId\}|v4\/core|api\/v1)(.*)$/.exec(name)?.[1];
  const words = RegExp.escape(path ?? name.replace(':)', ')')).replaceAll('_', '[._]');
  return new RegExp(`${path ? '' : '(?<!\\w)'}${words}(?!\\w)`);
}

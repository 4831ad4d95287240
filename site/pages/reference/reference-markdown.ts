// The GraphQL reference as Markdown. What a caller needs to write an operation comes first, because programs read a page from its beginning.
import { firstSentence } from '../parts/html.ts';
import { blocks, fenced, fencedJson, listed, section } from '../parts/markdown.ts';
import type { Reference, ReferenceEntry, ReferenceMember, Sample } from '../parts/model.ts';
import { addressOf, KINDS, TITLES } from './reference-pages.ts';

/** `/docs/graphql`: every root field and type with its page. */
export const overviewMarkdown = ({ names }: Reference): string =>
  blocks([
    '# GraphQL reference',
    'One schema for everything, at `POST /graphql`. Its whole text is [schema.graphql](/schema.graphql).',
    ...KINDS.flatMap((kind) => {
      const own = names.filter((entry) => entry.kind === kind);
      return section(
        TITLES[kind],
        listed(own.map(({ name, description }) => `[${name}](${addressOf(kind, name)}.md): ${firstSentence(description)}`)),
      );
    }),
  ]);

/** The page of one root field or type. */
export function entryMarkdown(entry: ReferenceEntry): string {
  const { label, result, example, members } = entry;
  const isInput = result !== undefined || label === 'input';
  const shown = isInput ? [...members.filter(isRequired), ...members.filter((member) => !isRequired(member))] : members;
  return blocks([
    `# ${entry.name} (${label})`,
    entry.isDeprecated ? 'Deprecated.' : '',
    entry.description,
    result ? `Returns \`${result.type}\`.${rolesOf(entry)}` : '',
    ...section(result ? 'Arguments' : label === 'input' ? 'Members' : 'Fields', listed(shown.map(memberLine))),
    ...section(
      'Values',
      listed(entry.values.map(({ name, description, deprecation }) => `\`${name}\`: ${description}${retired(deprecation)}`)),
    ),
    ...section('Is one of', codes(entry.types)),
    ...section('Sample', entry.sample ? fenced(entry.sample.language, entry.sample.text) : ''),
    ...(example ? section('Example', exampleBlocks(example)) : []),
    ...section('Errors', codes(entry.errors.map(({ code }) => code))),
    ...section('On REST', listed(entry.counterparts.map(({ method, path, summary }) => `\`${method} ${path}\`: ${summary}`))),
    ...section(
      'Used by',
      codes(entry.usedBy.flatMap(({ name, fields }) => (fields.length > 0 ? fields.map((field) => `${name}.${field}`) : name))),
    ),
    ...section('Recorded response', example?.recorded ? fencedJson(example.recorded.response) : ''),
  ]);
}

/** A field of a type, with its arguments. */
export const memberMarkdown = (type: string, { member, sample }: { member: ReferenceMember; sample?: Sample }): string =>
  blocks([
    `# ${type}.${member.name}`,
    memberLine(member),
    ...section('Arguments', listed(member.parameters.map(memberLine))),
    ...section('Sample', sample ? fenced(sample.language, sample.text) : ''),
  ]);

/** An operation and its variables. */
const exampleBlocks = ({ document, variables }: NonNullable<ReferenceEntry['example']>): string =>
  [fenced('graphql', document), ...(Object.keys(variables).length > 0 ? [fencedJson(variables)] : [])].join('\n\n');

const isRequired = ({ type, fallback }: ReferenceMember): boolean => type.endsWith('!') && fallback === undefined;

function memberLine({ name, parameters, type, values, fallback, description, deprecation }: ReferenceMember): string {
  const given = parameters.length > 0 ? `(${parameters.map((parameter) => parameter.name).join(', ')})` : '';
  const choices = values.length > 0 ? ` One of ${codes(values)}.` : '';
  return `\`${name}${given}: ${type}${fallback === undefined ? '' : ` = ${fallback}`}\`. ${description}${choices}${retired(deprecation)}`;
}

const retired = (reason: string | undefined): string => (reason ? ` Deprecated: ${reason}` : '');

function rolesOf({ roles }: ReferenceEntry): string {
  if (roles.length === 0) return ' It needs no key.';
  return ` A key needs ${roles.length === 1 ? 'the role' : 'one of the roles'} ${codes(roles)}.`;
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

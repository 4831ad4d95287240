// The pages other than the references as Markdown, and `/llms.txt`, which lists everything that programs can read.
import type { Guide } from './guides.ts';
import { blocks, fencedJson, listed, section } from './parts/markdown.ts';
import type { ErrorEntry, PagesModel } from './parts/model.ts';
import { documented, resourceAddress, words } from './reference/rest-pages.ts';

/** `/docs/guides`. */
export const guidesMarkdown = (guides: readonly Guide[]): string => blocks(['# Guides', guideList(guides, '')]);

const guideList = (guides: readonly Guide[], origin: string): string =>
  listed(guides.map(({ name, title, summary }) => `[${title}](${origin}/docs/guides/${name}.md): ${summary}`));

/** `/docs/errors`. */
export const errorsMarkdown = (model: PagesModel): string =>
  blocks([
    '# Errors',
    'One closed list of codes. GraphQL has the code in `extensions.code`, REST in the error body of its surface.',
    ...model.errors.flatMap((error) => [`## ${error.code}`, ...errorBlocks(model, error)]),
  ]);

/** The page of one error. */
export const errorMarkdown = (model: PagesModel, error: ErrorEntry): string => blocks([`# ${error.code}`, ...errorBlocks(model, error)]);

function errorBlocks({ surfaces }: PagesModel, { meaning, cause, fix, status, bodies }: ErrorEntry): string[] {
  const statuses = surfaces.flatMap(({ id, name }) => (status[id] ? [`${name}: ${status[id].join(' or ')}`] : []));
  return [
    listed([`Meaning: ${meaning}`, `Cause: ${cause}`, `Fix: ${fix}`, ...(statuses.length > 0 ? [`Status: ${statuses.join('; ')}`] : [])]),
    bodies.graphql === undefined ? '' : fencedJson(bodies.graphql),
  ];
}

/** `/limits`. */
export const limitsMarkdown = ({ limits }: PagesModel): string =>
  blocks([
    '# Limits',
    listed(
      limits.map(
        ({ name, value, unit, meaning, setting }) =>
          `${name}: ${value === 0 ? 'unlimited' : `${value} ${unit}`}. ${meaning}${setting ? ` Set by \`${setting}\`.` : ''}`,
      ),
    ),
  ]);

/** `/docs/model`. */
export const modelMarkdown = ({ pictured }: PagesModel): string =>
  blocks([
    '# The model',
    ...pictured.flatMap(({ title, note, types }) => [
      `## ${title}`,
      note,
      listed(
        types.map(({ name, references }) => {
          const parts = references.map(({ to, label, isOwned }) => `\`${label}\` ${isOwned ? 'owns' : 'is a'} ${to}`);
          return `[${name}](/docs/graphql/types/${name}.md)${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
        }),
      ),
    ]),
  ]);

/** `/llms.txt`, in the format of llmstxt.org. */
export function llmsText(model: PagesModel, guides: readonly Guide[], origin: string): string {
  const page = (title: string, path: string, note: string): string => `[${title}](${origin}${path}): ${note}`;
  return blocks([
    `# ${model.name}`,
    `> ${model.tagline}`,
    'Every documentation page is Markdown at its address with `.md`, and with `Accept: text/markdown`. `/docs/search?q=` returns JSON with `Accept: application/json`.',
    ...section('Guides', guideList(guides, origin)),
    ...section(
      'Reference',
      listed([
        page('GraphQL', '/docs/graphql.md', 'every query, mutation, subscription and type, each with its page'),
        page('The model', '/docs/model.md', 'the record types and what each refers to'),
        page('Errors', '/docs/errors.md', 'every error code with its cause and its fix'),
        page('Limits', '/limits.md', 'the limits in force'),
        page('Changelog', '/docs/changelog.md', 'what changed for callers'),
      ]),
    ),
    ...documented(model).flatMap((surface) =>
      section(
        `REST: ${surface.name}`,
        listed(
          model.rest
            .groups(surface.id)
            .map(({ tag, operations }) =>
              page(words(tag), `${resourceAddress(surface.id, tag)}.md`, operations.map(({ summary }) => summary).join('; ')),
            ),
        ),
      ),
    ),
    ...section(
      'Optional',
      listed([
        page('schema.graphql', '/schema.graphql', 'the whole GraphQL schema'),
        ...documented(model).map(({ name, openapi }) =>
          page(`${openapi}.json`, `/openapi/${openapi}.json`, `the OpenAPI document of ${name}`),
        ),
      ]),
    ),
  ]);
}

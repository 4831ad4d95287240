// What the tool `describe` says of a name: the page that has it, from its beginning.
import type { Documentation } from '../pages/documentation.ts';
import { errorMarkdown } from '../pages/markdown.ts';
import { blocks, fenced, fencedJson } from '../pages/parts/markdown.ts';
import type { ReferenceKind } from '../pages/parts/model.ts';
import { entryMarkdown, memberMarkdown } from '../pages/reference/reference-markdown.ts';
import { addressOf } from '../pages/reference/reference-pages.ts';
import { operationMarkdown } from '../pages/reference/rest-markdown.ts';
import { resourceAddress } from '../pages/reference/rest-pages.ts';

/** Characters of a description. A model reads them again with every further question, so a page with recorded responses would be too much. */
export const MAX_DESCRIPTION = 6_000;

/** A text with the address of the whole of it. */
interface Described {
  readonly text: string;
  readonly address: string;
}

type Lookup = (documentation: Documentation, name: string, origin: string) => Described | undefined;

const roots: Readonly<Record<string, ReferenceKind>> = { Query: 'queries', Mutation: 'mutations', Subscription: 'subscriptions' };

/** A root field by its name or as `Query.companies`, or a type. */
const entry: Lookup = ({ model: { reference } }, name) => {
  const [owner = '', field] = name.split('.');
  const places: [ReferenceKind, string][] =
    field !== undefined && roots[owner] ? [[roots[owner], field]] : [...Object.values(roots), 'types' as const].map((kind) => [kind, name]);
  for (const [kind, own] of places) {
    const found = reference.entry(kind, own);
    if (found) return { text: entryMarkdown(found), address: `${addressOf(kind, own)}.md` };
  }
  return undefined;
};

/** A field of a type, as `Contact.email`. */
const member: Lookup = ({ model: { reference } }, name) => {
  const [type = '', field = ''] = name.split('.');
  const found = reference.member(type, field);
  return found && { text: memberMarkdown(type, found), address: `${addressOf('types', type)}.md` };
};

/** A REST operation by method and path, or by its name. */
const route: Lookup = ({ model }, name, origin) => {
  const counterpart = model.operations.find(({ id, method, path }) => id === name || `${method} ${path}` === name);
  const surface = model.surfaces.find(({ id }) => id === counterpart?.surface);
  const operation =
    counterpart && model.rest.operations(counterpart.surface, counterpart.tag).find((other) => other.counterpart.id === counterpart.id);
  if (!surface || !operation) return undefined;
  return { text: operationMarkdown(surface, operation, origin), address: `${resourceAddress(surface.id, operation.counterpart.tag)}.md` };
};

const error: Lookup = ({ model }, name) => {
  const found = model.errors.find(({ code }) => code === name);
  return found && { text: errorMarkdown(model, found), address: '/docs/errors.md' };
};

/** A guide by its name or title, or one section of it by its heading. */
const guide: Lookup = ({ guides }, name) => {
  for (const { name: own, title, text, sections } of guides) {
    const address = `/docs/guides/${own}.md`;
    if (name === own || name === title) return { text, address };
    const index = sections.findIndex((section) => section.title === name);
    if (index >= 0) return { text: `## ${text.split(/^## /m)[index + 1]}`, address };
  }
  return undefined;
};

const example: Lookup = ({ model }, name) => {
  const found = model.examples.find(({ title }) => title === name);
  if (!found) return undefined;
  const variables = Object.keys(found.variables).length > 0 ? fencedJson(found.variables) : '';
  return {
    text: blocks([`# ${found.title}`, found.note ?? '', fenced('graphql', found.document), variables]),
    address: '/docs/graphql.md',
  };
};

const limit: Lookup = ({ model }, name) => {
  const found = model.limits.find((other) => other.name === name);
  return found && { text: `# ${found.name}\n\n${found.value} ${found.unit}. ${found.meaning}\n`, address: '/limits.md' };
};

/** The description of a name, cut at the end of a line; undefined where nothing has the name. */
export function described(documentation: Documentation, name: string, origin: string): string | undefined {
  for (const lookup of [entry, member, route, error, guide, example, limit]) {
    const found = lookup(documentation, name, origin);
    if (found) return shortened(found);
  }
  return undefined;
}

function shortened({ text, address }: Described): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const kept = text.slice(0, text.lastIndexOf('\n', MAX_DESCRIPTION)).trimEnd();
  // A fence that is open would take the next line for code.
  const isOpen = (kept.match(/^```/gm)?.length ?? 0) % 2 === 1;
  return `${kept}${isOpen ? '\n```' : ''}\n\nThis is the beginning, ${kept.length} of ${text.length} characters; the whole page is ${address}.\n`;
}

// The pages of the GraphQL reference: an overview with search, and a page for every root field and type.
import { asideOf } from '../parts/aside.ts';
import { codeBlock } from '../parts/code-block.ts';
import { type Fragment, firstSentence, html, prose } from '../parts/html.ts';
import type { OperationCounterpart, Reference, ReferenceEntry, ReferenceKind, ReferenceMember, ReferenceName } from '../parts/model.ts';
import { shareLink } from '../parts/share-link.ts';

/** The headings of the lists. */
export const TITLES: Record<ReferenceKind, string> = {
  queries: 'Queries',
  mutations: 'Mutations',
  subscriptions: 'Subscriptions',
  types: 'Types',
};
export const KINDS = Object.keys(TITLES) as ReferenceKind[];

/** The address of the page of a root field or type. */
export const addressOf = (kind: ReferenceKind, name: string): string => `/docs/graphql/${kind}/${name}`;

const row = ({ kind, name, description, isDeprecated }: ReferenceName): Fragment =>
  html`<li><a href="${addressOf(kind, name)}"><code>${name}</code></a>${isDeprecated ? html` <em>deprecated</em>` : ''} <span>${prose(firstSentence(description))}</span></li>`;

/** The names of a kind by group. */
const groupsOf = (kind: ReferenceKind, names: readonly ReferenceName[]): [string, ReferenceName[]][] =>
  [
    ...Map.groupBy(
      names.filter((entry) => entry.kind === kind),
      ({ group }) => group,
    ),
  ].sort(([a], [b]) => a.localeCompare(b, 'en'));

const groupId = (kind: ReferenceKind, group: string): string => `${kind}-${group.toLowerCase().replaceAll(/\W+/g, '-')}`;

/** The groups of the reference next to its pages. */
export const referenceAside = ({ names }: Reference): Fragment =>
  asideOf(
    'GraphQL reference',
    KINDS.map((kind) => ({
      title: TITLES[kind],
      links: groupsOf(kind, names).map(([group]) => ({ href: `/docs/graphql#${groupId(kind, group)}`, label: group })),
    })),
  );

/** Body of `/docs/graphql`: everything by kind and group, with a filter, which needs the script of the page. */
export function overviewBody({ names }: Reference): Fragment {
  return html`<main id="main" class="reference">
<h1>GraphQL reference</h1>
<p class="lead">One schema for everything: send operations to <code>/graphql</code>, or try them in the <a href="/graphql">playground</a>. The schema as text is <a href="/schema.graphql">schema.graphql</a>; <a href="/docs/model">the model</a> is a picture of the record types.</p>
<p class="search" hidden><label for="filter">Filter by name or description</label><input id="filter" type="search" data-filters="names" autocomplete="off" spellcheck="false" placeholder="invoice, createContact, cursor"></p>
<div id="names" class="groups">${KINDS.map((kind) => html`<section><h2>${TITLES[kind]}</h2>${groupsOf(kind, names).map(([group, own]) => groupList(kind, group, own))}</section>`)}</div>
</main>`;
}

// The list has the id: a link to it opens the details around it.
const groupList = (kind: ReferenceKind, group: string, own: readonly ReferenceName[]): Fragment =>
  html`<details><summary><h3>${group} <small>${own.length}<span class="quiet"> ${TITLES[kind].toLowerCase()}</span></small></h3></summary><ul class="names" id="${groupId(kind, group)}">${own.map(row)}</ul></details>`;

/** Body of the page of one root field or type. `docsOf` is the address of a REST operation in the REST documentation. */
export function entryBody(entry: ReferenceEntry, docsOf: (counterpart: OperationCounterpart) => string): Fragment {
  const isInput = entry.label === 'input';
  return html`<main id="main" class="reference">
<p class="crumbs"><a href="/docs/graphql">GraphQL reference</a> · ${TITLES[entry.kind]}</p>
<h1><code>${entry.name}</code> <small>${entry.label}</small></h1>
${entry.isDeprecated ? html`<p class="lead"><em>Deprecated.</em></p>` : ''}
<p class="lead">${prose(entry.description)}</p>
${entry.result ? html`<p>Returns <a href="${addressOf('types', entry.result.typeName)}"><code>${entry.result.type}</code></a>.${rolesOf(entry)}</p>` : ''}
${entry.counterparts.length > 0 ? html`<section aria-labelledby="rest"><h2 id="rest">On REST</h2><ul class="names">${entry.counterparts.map((counterpart) => html`<li><a href="${docsOf(counterpart)}"><b data-method="${counterpart.method}">${counterpart.method}</b> <code>${counterpart.path}</code></a> <span>${counterpart.summary}</span></li>`)}</ul></section>` : ''}
${entry.example ? exampleSection(entry) : ''}
${entry.members.length > 0 ? memberTable(entry.result ? 'Arguments' : isInput ? 'Members' : 'Fields', entry.members) : ''}
${entry.values.length > 0 ? html`<section aria-labelledby="values"><h2 id="values">Values</h2><table><thead><tr><th scope="col">Value</th></tr></thead><tbody>${entry.values.map((value) => html`<tr><th scope="row"><code>${value.name}</code><span class="note">${prose(value.description)}${deprecation(value)}</span></th></tr>`)}</tbody></table></section>` : ''}
${entry.types.length > 0 ? html`<section aria-labelledby="types"><h2 id="types">Is one of</h2>${inline(entry.types.map((name) => ({ kind: 'types', name })))}</section>` : ''}
${entry.usedBy.length > 0 ? html`<section aria-labelledby="used"><h2 id="used">Used by</h2>${inline(entry.usedBy)}</section>` : ''}
${entry.definition ? html`<details><summary>Definition</summary>${codeBlock(entry.definition, 'Definition', 'graphql')}</details>` : ''}
</main>`;
}

function rolesOf({ roles }: ReferenceEntry): Fragment {
  if (roles.length === 0) return html` It needs no key.`;
  const names = roles.map((role, index) => html`${index > 0 ? ', ' : ''}<code>${role}</code>`);
  return html` A key needs ${roles.length === 1 ? 'the role' : 'one of the roles'} ${names}.`;
}

const exampleSection = ({ example, errors, name }: ReferenceEntry): Fragment => {
  const { document, variables, recorded } = example!;
  const response = recorded
    ? html`<h3>${recorded.cost === undefined ? 'First message' : 'Response'} <small>recorded from the demo data, ${recorded.cost === undefined ? 'after a change' : `lists cut after three, cost ${recorded.cost}`}</small></h3>${codeBlock(JSON.stringify(recorded.response, null, 2), 'Response', 'json')}`
    : '';
  return html`<section aria-labelledby="example">
<h2 id="example">Example</h2>
<div class="pair"><div><h3>Operation</h3>${codeBlock(document, 'Operation', 'graphql')}
${Object.keys(variables).length > 0 ? html`<h3>Variables</h3>${codeBlock(JSON.stringify(variables, null, 2), 'Variables', 'json')}` : ''}
<p class="actions"><a class="button" href="${shareLink({ document, variables })}">Open in the playground</a></p></div>
${recorded ? html`<div>${response}</div>` : ''}</div>
</section>
<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>Errors that <code>${name}</code> may return; a mutation has the codes of its input in <code>errors</code> of the payload.</p>
<dl class="members">${errors.map(({ code, meaning }) => html`<div><dt><a href="/docs/errors#${code}"><code>${code}</code></a></dt><dd>${prose(meaning)}</dd></div>`)}</dl></section>`;
};

const memberTable = (title: string, members: readonly ReferenceMember[]): Fragment => html`<section aria-labelledby="members">
<h2 id="members">${title}</h2>
<table><thead><tr><th scope="col">Name</th><th scope="col" class="value">Type</th></tr></thead><tbody>${members.map(
  (member) =>
    html`<tr id="field-${member.name}"><th scope="row"><code>${member.name}${member.parameters.length > 0 ? `(${member.parameters.map(({ name }) => name).join(', ')})` : ''}</code><span class="note">${prose(member.description)}${member.fallback ? html` Default <code>${member.fallback}</code>.` : ''}${deprecation(member)}</span></th><td class="value"><a href="${addressOf('types', member.typeName)}"><code>${member.type}</code></a></td></tr>`,
)}</tbody></table></section>`;

const deprecation = ({ deprecation: reason }: { deprecation?: string }): Fragment | string =>
  reason ? html` <em>Deprecated: ${prose(reason)}</em>` : '';

const inline = (names: readonly { kind: ReferenceKind; name: string }[]): Fragment =>
  html`<div class="index"><ul>${names.map(({ kind, name }) => html`<li><a href="${addressOf(kind, name)}"><code>${name}</code></a></li>`)}</ul></div>`;

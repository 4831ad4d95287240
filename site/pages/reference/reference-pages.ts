// The pages of the GraphQL reference: an overview with search, and a page for every root field and type.
import { codeBlock } from '../parts/code-block.ts';
import { type Fragment, firstSentence, html, prose } from '../parts/html.ts';
import type { OperationTwin, Reference, ReferenceEntry, ReferenceKind, ReferenceMember, ReferenceName } from '../parts/model.ts';
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

/** Body of `/docs/graphql`: everything by kind. */
export function overviewBody({ names }: Reference): Fragment {
  return html`<main id="main" class="column reference">
<h1>GraphQL reference</h1>
<p class="lead">One schema for everything: send operations to <code>/graphql</code>, or try them in the <a href="/graphql">playground</a>. The whole of it as text is <a href="/schema.graphql">schema.graphql</a>; <a href="/docs/model">the model</a> is a picture of the record types. The search above finds any of these by name or by what it does.</p>
${KINDS.map((kind) => kindList(kind, names))}
</main>`;
}

function kindList(kind: ReferenceKind, names: readonly ReferenceName[]): Fragment {
  const own = names.filter((entry) => entry.kind === kind);
  return html`<details><summary><h2>${TITLES[kind]} <small>${own.length}</small></h2></summary><ul class="names">${own.map(row)}</ul></details>`;
}

/** Body of the page of one root field or type. `docsOf` is the address of a REST operation in the REST documentation. */
export function entryBody(entry: ReferenceEntry, docsOf: (twin: OperationTwin) => string): Fragment {
  const isInput = entry.label === 'input';
  return html`<main id="main" class="column reference">
<p class="crumbs"><a href="/docs/graphql">GraphQL reference</a> · ${TITLES[entry.kind]}</p>
<h1><code>${entry.name}</code> <small>${entry.label}</small></h1>
${entry.isDeprecated ? html`<p class="lead"><em>Deprecated.</em></p>` : ''}
<p class="lead">${prose(entry.description)}</p>
${entry.result ? html`<p>Answers <a href="${addressOf('types', entry.result.typeName)}"><code>${entry.result.type}</code></a>.${rolesOf(entry)}</p>` : ''}
${entry.twins.length > 0 ? html`<section aria-labelledby="rest"><h2 id="rest">On REST</h2><ul class="names">${entry.twins.map((twin) => html`<li><a href="${docsOf(twin)}"><b data-method="${twin.method}">${twin.method}</b> <code>${twin.path}</code></a> <span>${twin.summary}</span></li>`)}</ul></section>` : ''}
${entry.example ? exampleSection(entry) : ''}
${entry.members.length > 0 ? memberTable(entry.result ? 'Arguments' : isInput ? 'Members' : 'Fields', entry.members) : ''}
${entry.values.length > 0 ? html`<section aria-labelledby="values"><h2 id="values">Values</h2><table><thead><tr><th scope="col">Value</th></tr></thead><tbody>${entry.values.map((value) => html`<tr><th scope="row"><code>${value.name}</code><span class="note">${prose(value.description)}${deprecation(value)}</span></th></tr>`)}</tbody></table></section>` : ''}
${entry.types.length > 0 ? html`<section aria-labelledby="types"><h2 id="types">Is one of</h2>${inline(entry.types.map((name) => ({ kind: 'types', name })))}</section>` : ''}
${entry.usedBy.length > 0 ? html`<section aria-labelledby="used"><h2 id="used">Used by</h2>${inline(entry.usedBy)}</section>` : ''}
${entry.definition ? html`<details><summary>Definition</summary>${codeBlock(entry.definition, 'Definition')}</details>` : ''}
</main>`;
}

function rolesOf({ roles }: ReferenceEntry): Fragment {
  if (roles.length === 0) return html` It needs no key.`;
  const names = roles.map((role, index) => html`${index > 0 ? ', ' : ''}<code>${role}</code>`);
  return html` A key needs ${roles.length === 1 ? 'the role' : 'one of the roles'} ${names}.`;
}

const exampleSection = ({ example, errors, name }: ReferenceEntry): Fragment => {
  const { document, variables, recorded } = example!;
  const answer = recorded
    ? html`<h3>${recorded.cost === undefined ? 'First message' : 'Response'} <small>recorded from the demo data, ${recorded.cost === undefined ? 'after a change' : `lists cut after three, cost ${recorded.cost}`}</small></h3>${codeBlock(JSON.stringify(recorded.answer, null, 2), 'Answer')}`
    : '';
  return html`<section aria-labelledby="example">
<h2 id="example">Example</h2>
<div class="pair"><div><h3>Operation</h3>${codeBlock(document, 'Operation')}
${Object.keys(variables).length > 0 ? html`<h3>Variables</h3>${codeBlock(JSON.stringify(variables, null, 2), 'Variables')}` : ''}
<p class="actions"><a class="button" href="${shareLink({ document, variables })}">Open in the playground</a></p></div>
${recorded ? html`<div>${answer}</div>` : ''}</div>
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

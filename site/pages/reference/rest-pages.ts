// The pages of the REST documentation: the resources of an API, and the operations of a resource with the example next to the text.

import type { SampleRequest } from '../../../rest-compat/openapi/samples.ts';
import { asideOf } from '../parts/aside.ts';
import { codeBlock, programTabs } from '../parts/code-block.ts';
import { credentialLine, curlOf } from '../parts/curl.ts';
import { type Fragment, html, prose } from '../parts/html.ts';
import type { Credential, PagesModel, RestMember, RestOperation, Surface } from '../parts/model.ts';
import { javascriptOf, pythonOf } from './request-programs.ts';

/** The address of a resource; every operation on it has its name as fragment. */
export const resourceAddress = (surface: string, tag: string): string => `/docs/rest/${surface}/${tag}`;

/** The readable name of a resource. */
export const words = (tag: string): string => tag.replaceAll(/[_-]/g, ' ');

/** The surfaces that have a document, without those that serve another's routes under a second base. */
export const documented = ({ surfaces }: PagesModel): Surface[] =>
  surfaces.filter(({ openapi }, index) => openapi && surfaces.findIndex((other) => other.openapi === openapi) === index);

/** The APIs next to their pages, the shown one with its resources. */
export const restAside = (model: PagesModel, shown: Surface, current?: string): Fragment =>
  asideOf(
    'REST operations',
    documented(model).map((surface) => ({
      title: surface.name,
      links: [
        { href: `/docs?api=${surface.id}`, label: 'All operations', isCurrent: surface === shown && current === undefined },
        ...(surface === shown ? model.rest.groups(surface.id) : []).map(({ tag }) => ({
          href: resourceAddress(surface.id, tag),
          label: capitalised(words(tag)),
          isCurrent: tag === current,
        })),
      ],
    })),
  );

const capitalised = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const methodAndPath = ({ method, path }: { method: string; path: string }): Fragment =>
  html`<b data-method="${method}">${method}</b> <code>${path}</code>`;

/** Body of `/docs`: the resources of one API with their operations. */
export function restOverviewBody(model: PagesModel, surface: Surface): Fragment {
  const groups = model.rest.groups(surface.id);
  const files = {
    'OpenAPI 3.1, JSON': '.json',
    'OpenAPI 3.1, YAML': '.yaml',
    'OpenAPI 3.0, JSON': '-3.0.json',
    'OpenAPI 3.0, YAML': '-3.0.yaml',
  };
  return html`<main id="main" class="reference">
<h1>REST: ${surface.name}</h1>
<p class="lead">${surface.purpose} Every operation shows what it takes and returns, with a response recorded from the demo data and the same call for curl, JavaScript and Python.</p>
<p class="links">${Object.entries(files).map(([name, end], index) => html`${index > 0 ? ' · ' : ''}<a href="/openapi/${surface.openapi}${end}">${name}<span class="quiet"> of ${surface.name}</span></a>`)}</p>
<p>A key goes in <code>${credentialLine({ ...surface.credential, demoKey: '<key>' })}</code>; <a href="/docs/guides/keys">Keys</a> says how to get one. Errors have the body of the surface and a code of the <a href="/docs/errors">closed list</a>. The same records are on <a href="/docs/graphql">GraphQL</a>, where one request reads several.</p>
${groups.map(
  ({
    tag,
    operations,
  }) => html`<section class="resource" aria-labelledby="${tag}"><h2 id="${tag}"><a href="${resourceAddress(surface.id, tag)}">${words(tag)}</a></h2>
<ul class="names">${operations.map((counterpart) => html`<li><a href="${resourceAddress(surface.id, tag)}#${counterpart.id}">${methodAndPath(counterpart)}</a> <span>${counterpart.summary}</span></li>`)}</ul></section>`,
)}
</main>`;
}

/** Body of the page of a resource. */
export function resourceBody(surface: Surface, tag: string, operations: readonly RestOperation[], origin: string): Fragment {
  return html`<main id="main" class="wide reference">
<p class="crumbs"><a href="/docs?api=${surface.id}">REST: ${surface.name}</a></p>
<h1>${words(tag)}</h1>
<nav class="index" aria-label="Operations"><ul>${operations.map(({ counterpart }) => html`<li><a href="#${counterpart.id}"><b data-method="${counterpart.method}">${counterpart.method}</b> ${counterpart.summary}</a></li>`)}</ul></nav>
${operations.map((operation) => operationSection(surface, operation, origin))}
<p id="announce" class="quiet" role="status"></p>
</main>`;
}

function operationSection(surface: Surface, operation: RestOperation, origin: string): Fragment {
  const { counterpart, roles } = operation;
  const credential = counterpart.credential === undefined ? surface.credential : counterpart.credential;
  return html`<section class="operation" aria-labelledby="${counterpart.id}">
<div class="text">
<h2 id="${counterpart.id}"><a href="#${counterpart.id}">${counterpart.summary}</a></h2>
<p class="address">${methodAndPath(counterpart)}</p>
<p>${prose(operation.description)}</p>
<p class="note">${credential ? html`Needs a key with ${roles.length > 1 ? 'one of the roles' : 'the role'} ${roles.map((role, index) => html`${index > 0 ? ', ' : ''}<code>${role}</code>`)}.` : html`Needs no key.`}${operation.isDocumented ? '' : html` An addition to the documented operations.`}</p>
<p class="note">On GraphQL: <a href="/docs/graphql/${operation.root.kind === 'query' ? 'queries' : 'mutations'}/${operation.root.name}"><code>${operation.root.name}</code></a>, or <a href="/graphql#operation=${encodeURIComponent(counterpart.id)}">the same operation in the playground</a>.</p>
${memberList('Parameters', operation.parameters, counterpart.id)}
${memberList('Body', operation.body, counterpart.id)}
${memberList('Response', operation.response, counterpart.id)}
<details><summary>Errors <small>${operation.errors.length}</small><span class="quiet"> of ${counterpart.id}</span></summary><dl class="members">${operation.errors.map(({ code, status, meaning }) => html`<div><dt><a href="/docs/errors#${code}"><code>${code}</code></a> <span>${status}</span></dt><dd>${prose(meaning)}</dd></div>`)}</dl></details>
</div>
${exampleColumn(operation, credential, origin)}
</section>`;
}

/** Members above this number are folded. */
const MAX_OPEN = 8;

function memberList(title: string, members: readonly RestMember[], id: string): Fragment {
  if (members.length === 0) return html``;
  const list = html`<dl class="members">${members.map(
    ({ name, place, type, description, isRequired }) =>
      html`<div><dt><code>${name}</code> <span>${type}${place && place !== 'query' ? `, in the ${place}` : ''}${isRequired && title !== 'Response' ? html`, <em>required</em>` : ''}</span></dt><dd>${prose(description)}</dd></div>`,
  )}</dl>`;
  const summary = html`<summary>${title} <small>${members.length}</small><span class="quiet"> of ${id}</span></summary>`;
  return title === 'Response' || members.length > MAX_OPEN
    ? html`<details>${summary}${list}</details>`
    : html`<details open>${summary}${list}</details>`;
}

function exampleColumn(operation: RestOperation, credential: Credential | null, origin: string): Fragment {
  const { counterpart, recorded, status } = operation;
  const request = recorded && !counterpart.sample.form ? recorded.request : counterpart.sample;
  const programs = [
    { name: 'curl', language: 'bash', text: curlOf(origin, request, credential) },
    { name: 'JavaScript', language: 'javascript', text: javascriptOf(origin, request, credential) },
    { name: 'Python', language: 'python', text: pythonOf(origin, request, credential) },
  ];
  const response =
    recorded === undefined
      ? html``
      : recorded.response === undefined
        ? html`<p class="status-line"><b>${recorded.status}</b> without a body</p>`
        : html`<p class="status-line"><b>${recorded.status}</b> recorded from the demo data, lists cut after three</p>${codeBlock(JSON.stringify(recorded.response, null, 2), `Response of ${counterpart.id}`, 'json')}`;
  return html`<div class="example">
${programTabs(programs, counterpart.id)}
${request.form ? '' : tryForm(operation, request, credential)}
${recorded ? response : html`<p class="status-line"><b>${status}</b> when it succeeds; the demo data cannot show it</p>`}
</div>`;
}

/** A form that sends the example with the key of the tab. The script of the page sends it: the browser itself would put the key into the address. Until the script is there, the button is disabled. */
const tryForm = (
  { counterpart: { id, summary }, root }: RestOperation,
  { method, path, body }: SampleRequest,
  credential: Credential | null,
): Fragment => html`<details class="try"><summary>Run it here<span class="quiet">: ${id}</span></summary>
<form data-method="${method}"${credential ? html` data-header="${credential.header}" data-scheme="${credential.scheme ?? ''}"` : ''}>
<label>Path <input name="path" value="${path}" spellcheck="false" autocomplete="off"></label>
${body === undefined ? '' : html`<label>Body <textarea name="body" rows="8" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`}
${credential ? html`<label>Key <input class="key" type="password" autocomplete="off" value="${credential.demoKey ?? ''}" placeholder="kept for this tab"></label>` : ''}
${root.kind === 'query' ? '' : html`<p class="note">This request changes data: ${summary}, with the rights of the key.</p>`}
<button type="button" class="button primary" disabled>Send ${method}</button>
<output></output>
</form></details>`;

// The two reference tables for people: error catalogue and effective limits.
import { asideOf } from './parts/aside.ts';
import { codeBlock } from './parts/code-block.ts';
import { type Fragment, html, prose } from './parts/html.ts';
import type { ErrorEntry, PagesModel } from './parts/model.ts';

function statuses(model: PagesModel, error: ErrorEntry): Fragment[] {
  return model.surfaces
    .filter((surface) => error.status[surface.id] !== undefined)
    .map((surface) => html`<li><span>${surface.name}</span> <strong>${error.status[surface.id]!.join(' or ')}</strong></li>`);
}

/** The body of the error on each surface that returns it. */
function exampleBodies(model: PagesModel, error: ErrorEntry): Fragment {
  const bodies = model.surfaces.filter(({ id }) => error.bodies[id] !== undefined);
  if (bodies.length === 0) return html``;
  return html`<details><summary>Example bodies<span class="quiet"> of ${error.code}</span></summary>${bodies.map(({ id, name }) => html`<h3>${name}</h3>${codeBlock(JSON.stringify(error.bodies[id], null, 2), `${error.code} on ${name}`, 'json')}`)}</details>`;
}

/** Body of `/docs/errors`: one section per code, so that a link can point at it. */
export function errorsBody(model: PagesModel, query = ''): Fragment {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = model.errors.filter(({ code, meaning, cause, fix }) => {
    const text = `${code} ${meaning} ${cause} ${fix}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return html`<main id="main" class="reference">
<h1>Errors</h1>
<p class="lead">One closed list of codes for every surface. GraphQL carries the code in <code>extensions.code</code>, REST in the error body of its surface. <a href="/docs/errors.json">The same list as JSON</a></p>
<p class="lead">A GraphQL operation that ran returns 200, with its errors next to the data it could read. A request that is rejected before anything runs has the status shown; a client that accepts <code>application/json</code> alone gets 200 instead of 400.</p>
<form class="search" role="search" aria-label="Errors" action="/docs/errors"><label for="q">Find an error by its code or what happened</label><input id="q" name="q" type="search" value="${query}" autocomplete="off" spellcheck="false" placeholder="STALE_RECORD, cursor, limit"><button class="button">Search</button></form>
${shown.length === 0 ? html`<p>No error has the words “${query}”. <a href="/docs/errors">Show all</a></p>` : ''}
${shown.map(
  (error) => html`<section class="error" aria-labelledby="${error.code}">
<h2 id="${error.code}"><code>${error.code}</code></h2>
<p>${prose(error.meaning)}</p>
<dl><dt>Cause</dt><dd>${prose(error.cause)}</dd><dt>Fix</dt><dd>${prose(error.fix)}</dd></dl>
${
  Object.keys(error.status).length > 0
    ? html`<ul class="statuses" aria-label="HTTP status of ${error.code} per surface">${statuses(model, error)}</ul>`
    : html`<p>Shown as the error code of a job, not in a response.</p>`
}
${exampleBodies(model, error)}
</section>`,
)}
</main>`;
}

/** The codes next to the page of errors. */
export const errorsAside = ({ errors }: PagesModel): Fragment =>
  asideOf('Error codes', [{ title: 'Error codes', links: errors.map(({ code }) => ({ href: `/docs/errors#${code}`, label: code })) }]);

/** Body of `/limits` for browsers. */
export function limitsBody(model: PagesModel): Fragment {
  return html`<main id="main" class="reference">
<h1>Limits</h1>
<p class="lead">The limits this server enforces right now. <code>curl</code> this address for JSON.</p>
<table>
<thead><tr><th scope="col">Limit</th><th scope="col" class="value">Value</th></tr></thead>
<tbody>${model.limits.map(
    (limit) =>
      html`<tr><th scope="row">${limit.name}<span class="note">${prose(limit.meaning)}${limit.setting ? html` Set by <code>${limit.setting}</code>.` : ''}</span></th><td class="value">${limit.value === 0 ? 'unlimited' : html`${limit.value} <span>${limit.unit}</span>`}</td></tr>`,
  )}</tbody>
</table>
</main>`;
}

// The two reference tables for people: error catalogue and effective limits.
import { type Fragment, html, prose } from './html.ts';
import type { ErrorEntry, PagesModel } from './model.ts';

function statuses(model: PagesModel, error: ErrorEntry): Fragment[] {
  return model.surfaces
    .filter((surface) => error.status[surface.id] !== undefined)
    .map((surface) => html`<li><span>${surface.name}</span> <strong>${error.status[surface.id]!.join(' or ')}</strong></li>`);
}

/** Body of `/docs/errors`: one section per code, so that a link can point at it. */
export function errorsBody(model: PagesModel): Fragment {
  return html`<main id="main" class="column">
<h1>Errors</h1>
<p class="lead">One closed list of codes for every surface. GraphQL carries the code in <code>extensions.code</code>, REST in the error body of its surface. <a href="/docs/errors.json">The same list as JSON</a></p>
<p class="lead">A GraphQL operation that ran answers 200, with its errors beside the data it could read. A request that is refused before anything runs has the other status shown; a client that accepts <code>application/json</code> alone gets 200 instead of 400.</p>
<nav class="index" aria-label="Error codes"><ul>${model.errors.map(({ code }) => html`<li><a href="#${code}"><code>${code}</code></a></li>`)}</ul></nav>
${model.errors.map(
  (error) => html`<section class="error" aria-labelledby="${error.code}">
<h2 id="${error.code}"><code>${error.code}</code></h2>
<p>${prose(error.meaning)}</p>
<dl><dt>Cause</dt><dd>${prose(error.cause)}</dd><dt>Fix</dt><dd>${prose(error.fix)}</dd></dl>
${
  Object.keys(error.status).length > 0
    ? html`<ul class="statuses" aria-label="HTTP status of ${error.code} per surface">${statuses(model, error)}</ul>`
    : html`<p>Shown as the error code of a job, not as an answer.</p>`
}
</section>`,
)}
</main>`;
}

/** Body of `/limits` for browsers. */
export function limitsBody(model: PagesModel): Fragment {
  return html`<main id="main" class="column">
<h1>Limits</h1>
<p class="lead">The limits this server enforces right now. <code>curl</code> this address for JSON.</p>
<table>
<thead><tr><th scope="col">Limit</th><th scope="col" class="value">Value</th></tr></thead>
<tbody>${model.limits.map(
    (limit) =>
      html`<tr><th scope="row">${limit.name}<span class="note">${prose(limit.meaning)}${limit.setting ? html` Set by <code>${limit.setting}</code>.` : ''}</span></th><td class="value">${limit.value} <span>${limit.unit}</span></td></tr>`,
  )}</tbody>
</table>
</main>`;
}

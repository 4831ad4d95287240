// The landing page: what is served where, a first call to copy, live status.
import { credentialLine, curlOf } from './curl.ts';
import { type Fragment, html } from './html.ts';
import type { PagesModel, Surface } from './model.ts';

const PLACES = [
  { href: '/schema.graphql', label: 'GraphQL schema', note: 'SDL, for code generators and editors' },
  { href: '/docs/operations.json', label: 'Operation map', note: 'every REST operation with its GraphQL twin and curl' },
  { href: '/docs/errors.json', label: 'Error catalogue', note: 'codes as JSON' },
  { href: '/limits', label: 'Effective limits', note: 'JSON for programs, a table for browsers' },
  { href: '/healthz', label: 'Health', note: 'database connection status' },
  { href: '/livez', label: 'Liveness', note: 'the process answers' },
  { href: '/readyz', label: 'Readiness', note: 'the process can take traffic' },
  { href: '/metrics', label: 'Metrics', note: 'Prometheus text format' },
] as const;

function copyButton(text: string, label: string): Fragment {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="${label}">Copy</button>`;
}

function codeBlock(text: string, label: string): Fragment {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>${copyButton(text, `Copy: ${label}`)}</div>`;
}

function surfaceCard(surface: Surface, origin: string): Fragment {
  const address = `${origin}${surface.base}`;
  const docs = surface.openapi
    ? html`<p class="links"><a href="/docs?api=${surface.openapi}">Read the docs<span class="quiet"> of ${surface.name}</span></a> <a href="/openapi/${surface.openapi}.json">OpenAPI<span class="quiet"> of ${surface.name}</span></a></p>`
    : html`<p class="links"><a href="/graphql">Open the playground</a> <a href="/schema.graphql">Schema</a></p>`;
  return html`<li class="card" id="${surface.id}">
<h3>${surface.name}</h3>
<p>${surface.purpose}</p>
<dl>
<dt>Address</dt><dd><code>${address}</code>${copyButton(address, `Copy the address of ${surface.name}`)}</dd>
<dt>Key</dt><dd><code>${credentialLine(surface.credential)}</code>${surface.credential.demoKey ? copyButton(surface.credential.demoKey, `Copy the demo key of ${surface.name}`) : ''}</dd>
</dl>
<details><summary>Try it with curl<span class="quiet"> on ${surface.name}</span></summary>${codeBlock(curlOf(origin, surface.sample, surface.credential), `${surface.name}, sample call`)}</details>
${docs}
</li>`;
}

function firstCalls(model: PagesModel, origin: string): Fragment {
  const first = model.surfaces.find((surface) => surface.openapi);
  const graph = model.surfaces.find((surface) => !surface.openapi);
  const keys = model.surfaces.some((surface) => surface.credential.demoKey)
    ? html`<p>The demo data is loaded, so these calls work unchanged.</p>`
    : html`<p>Put your key in place of <code>&lt;key&gt;</code>. An administrator issues keys.</p>`;
  const call = (title: string, surface: Surface | undefined) =>
    surface
      ? html`<div><h3>${title}</h3>${codeBlock(curlOf(origin, surface.sample, surface.credential), `${title}, first call`)}</div>`
      : html``;
  return html`<section aria-labelledby="first"><h2 id="first">First call</h2>${keys}<div class="pair">${call('REST', first)}${call('GraphQL', graph)}</div></section>`;
}

/** Body of the landing page; `origin` is put in front of every address. */
export function landingBody(model: PagesModel, origin: string): Fragment {
  return html`<main id="main" class="column">
<div class="hero">
<h1>${model.name}</h1>
<p class="lead">${model.tagline}</p>
<p class="actions"><a class="button primary" href="/graphql">Open the playground</a><a class="button" href="/docs">Read the REST docs</a></p>
<p class="status" id="status" role="status" data-state="unknown"><span class="dot" aria-hidden="true"></span><span class="text">Checking the service</span></p>
</div>
${firstCalls(model, origin)}
<section aria-labelledby="surfaces"><h2 id="surfaces">What is served where</h2>
<ul class="cards">${model.surfaces.map((surface) => surfaceCard(surface, origin))}</ul></section>
<section aria-labelledby="places"><h2 id="places">Contracts and operations</h2>
<ul class="places">${PLACES.map(({ href, label, note }) => html`<li><a href="${href}">${label}</a><code>${href}</code><span>${note}</span></li>`)}</ul></section>
<p id="announce" class="quiet" role="status"></p>
</main>`;
}

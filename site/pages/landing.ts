// The landing page: what is served where, a first call to copy, live status.
import { codeBlock, copyButton } from './parts/code-block.ts';
import { credentialLine, curlOf } from './parts/curl.ts';
import { type Fragment, html } from './parts/html.ts';
import type { PagesModel, Surface } from './parts/model.ts';
import { modelPicture } from './reference/model-picture.ts';

const PLACES = [
  { href: '/schema.graphql', label: 'GraphQL schema', note: 'SDL, for code generators and editors' },
  { href: '/llms.txt', label: 'llms.txt', note: 'the documentation as Markdown, for programs that read' },
  { href: '/docs/operations.json', label: 'Operation map', note: 'every REST operation with its GraphQL equivalent and curl' },
  { href: '/docs/errors.json', label: 'Error catalogue', note: 'codes as JSON' },
  { href: '/limits', label: 'Effective limits', note: 'JSON for programs, a table for browsers' },
  { href: '/healthz', label: 'Health', note: 'database connection status' },
  { href: '/livez', label: 'Liveness', note: 'the process is running' },
  { href: '/readyz', label: 'Readiness', note: 'the process can take traffic' },
] as const;

/** What a visitor comes for, with the pages that lead there. */
const TASKS: readonly { title: string; why: string; links: readonly (readonly [href: string, label: string])[] }[] = [
  {
    title: 'Read the books of a company',
    why: 'Invoices, bills, payments and twenty more record types have one form, whatever ledger they come from. One request reads a screen: records, what they refer to, and exact totals.',
    links: [
      ['/docs/guides/screens', 'Build a screen'],
      ['/docs/guides/lists', 'Filter, order and page a table'],
      ['/docs/guides/books', 'How the books fit together'],
    ],
  },
  {
    title: 'Connect a ledger',
    why: 'A signed link lets the owner of a ledger connect it without giving you a password. Pulls, pushes and conflicts are syncs that you can watch, stop and retry.',
    links: [
      ['/docs/rest/integrations/connections', 'Connect over REST'],
      ['/docs/graphql/mutations/createConnection', 'Connect over GraphQL'],
    ],
  },
  {
    title: 'Write safely',
    why: 'A write is stored whole or not at all, names every wrong field at once, and can be repeated by its idempotency key. A version check keeps you from overwriting a change you have not seen.',
    links: [
      ['/docs/guides/writes', 'Create and change records'],
      ['/docs/errors', 'Understand an error'],
    ],
  },
  {
    title: 'Get notified about changes',
    why: 'Webhooks are signed and repeated until they arrive; subscriptions bring the changed record itself. Both resume where they stopped.',
    links: [
      ['/docs/guides/webhooks', 'Receive and verify webhooks'],
      ['/docs/guides/live-data', 'Subscribe'],
    ],
  },
  {
    title: 'Keep entities compliant',
    why: 'Corporations, tax registrations, customs codes and incorporations with the rules of each country, checked when they are written.',
    links: [
      ['/docs/rest/platform/registrations', 'Registrations'],
      ['/docs/rest/platform/corporations', 'Corporations'],
      ['/docs/rest/platform/customs-codes', 'Customs codes'],
    ],
  },
  {
    title: 'See it in use',
    why: 'Three small applications run on the demo data: a dashboard, an onboarding wizard and a screen of deliveries. Their code is what you would write.',
    links: [
      ['/apps', 'Open the applications'],
      ['/docs/guides/code-generation', 'Generate a typed client'],
      ['/docs/guides/keys', 'Get a key'],
      ['/docs/guides/agents', 'Let an agent use it'],
    ],
  },
];

/** The OpenAPI document of a surface in the forms that tools read. */
function documentLinks(document: string, name: string): Fragment[] {
  const forms = { 'OpenAPI 3.1': `${document}.json`, YAML: `${document}.yaml`, '3.0': `${document}-3.0.json` };
  return Object.entries(forms).map(([form, file]) => html`<a href="/openapi/${file}">${form}<span class="quiet"> of ${name}</span></a> `);
}

function surfaceCard(surface: Surface, origin: string): Fragment {
  const address = `${origin}${surface.base}`;
  const docs = surface.openapi
    ? html`<p class="links"><a href="/docs?api=${surface.openapi}">Read the docs<span class="quiet"> of ${surface.name}</span></a> ${documentLinks(surface.openapi, surface.name)}</p>`
    : html`<p class="links"><a href="/docs/graphql">Read the reference</a> <a href="/graphql">Open the playground</a> <a href="/schema.graphql">Schema</a></p>`;
  return html`<li class="card" id="${surface.id}">
<h3>${surface.name}</h3>
<p>${surface.purpose}</p>
<dl>
<dt>Address</dt><dd><code>${address}</code>${copyButton(address, `Copy the address of ${surface.name}`)}</dd>
<dt>Key</dt><dd><code>${credentialLine(surface.credential)}</code>${surface.credential.demoKey ? copyButton(surface.credential.demoKey, `Copy the demo key of ${surface.name}`) : ''}</dd>
</dl>
<details><summary>Try it with curl<span class="quiet"> on ${surface.name}</span></summary>${codeBlock(curlOf(origin, surface.sample, surface.credential), `${surface.name}, sample call`, 'bash')}</details>
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
      ? html`<div><h3>${title}</h3>${codeBlock(curlOf(origin, surface.sample, surface.credential), `${title}, first call`, 'bash')}</div>`
      : html``;
  return html`<section aria-labelledby="first"><h2 id="first">First call</h2>${keys}<div class="pair">${call('REST', first)}${call('GraphQL', graph)}</div></section>`;
}

/** Body of the landing page; `origin` is put in front of every address. */
export function landingBody(model: PagesModel, origin: string): Fragment {
  return html`<main id="main" class="column">
<div class="hero">
<h1>${model.name}</h1>
<p class="lead">${model.tagline}</p>
<p class="actions"><a class="button primary" href="/graphql">Open the playground</a><a class="button" href="/docs/guides/quickstart">Quickstart</a><a class="button" href="/docs">REST operations</a></p>
<p class="status" id="status" role="status" data-state="unknown"><span class="dot" aria-hidden="true"></span><span class="text">Checking the service</span></p>
</div>
<section aria-labelledby="tasks"><h2 id="tasks">What you can do</h2>
<ul class="cards tasks">${TASKS.map(({ title, why, links }) => html`<li class="card"><h3>${title}</h3><p>${why}</p><p class="links">${links.map(([href, label]) => html`<a href="${href}">${label}</a> `)}</p></li>`)}</ul></section>
${firstCalls(model, origin)}
<section aria-labelledby="model"><h2 id="model">The model</h2><p>${model.pictured[0]!.note} Each name leads to its fields; <a href="/docs/model">the whole model</a> has the other records too.</p>
${modelPicture(model.pictured[0]!.types, model.pictured[0]!.title)}</section>
<section aria-labelledby="surfaces"><h2 id="surfaces">What is served where</h2>
<ul class="cards">${model.surfaces.map((surface) => surfaceCard(surface, origin))}</ul></section>
<section aria-labelledby="places"><h2 id="places">Contracts and operations</h2>
<ul class="places">${PLACES.map(({ href, label, note }) => html`<li><a href="${href}">${label}</a><code>${href}</code><span>${note}</span></li>`)}</ul></section>
<p id="announce" class="quiet" role="status"></p>
</main>`;
}

/** Body of `/docs/model`: every area as a picture, and as a list for those who do not see it. */
export function modelBody({ pictured }: PagesModel): Fragment {
  return html`<main id="main" class="wide">
<h1>The model</h1>
<p class="lead">Lines lead from a record to what it refers to; thick ones to the records it owns, which are written with it and go with it. Point at a record, or move to it with the key Tab, to see its lines.</p>
${pictured.map(
  ({ title, note, types }) => html`<section><h2>${title}</h2><p>${note}</p>${modelPicture(types, title)}
<details><summary>As a list<span class="quiet">: ${title}</span></summary><ul class="names">${types.map(({ name, references }) => html`<li><a href="/docs/graphql/types/${name}"><code>${name}</code></a> <span>${references.map(({ to, label, isOwned }) => `${label}: ${isOwned ? 'owns ' : ''}${to}`).join(', ')}</span></li>`)}</ul></details></section>`,
)}
</main>`;
}

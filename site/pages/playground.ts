// The body of the playground's page: the place that its script fills, and the plain form that runs a query where scripts are off.
import { curlOf } from './parts/curl.ts';
import { type Fragment, html } from './parts/html.ts';
import type { PagesModel } from './parts/model.ts';

/** Body of `/graphql`; `nonce` allows the style element of the editor, `origin` is put in front of the address of the sample call. */
export function playgroundBody(model: PagesModel, nonce: string, origin: string): Fragment {
  const graph = model.surfaces.find((surface) => !surface.openapi);
  // Without the button to copy it, which needs a script too.
  const call = graph
    ? html`<div class="code"><pre tabindex="0"><code>${curlOf(origin, graph.sample, graph.credential)}</code></pre></div>`
    : '';
  return html`<main id="main"><h1 class="quiet">GraphQL playground</h1>
<noscript><div class="column"><h2>The playground needs JavaScript</h2>
<p>Queries work without it, from a shell or a program:</p>${call}
<p><a href="/docs/graphql">Read the reference</a>, <a href="/docs/guides">the guides</a> or <a href="/schema.graphql">the schema</a>.</p></div></noscript>
<div id="playground" data-nonce="${nonce}"></div></main>`;
}

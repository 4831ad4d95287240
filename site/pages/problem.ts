// The error page for browsers, where programs get a JSON error: an unknown address, an expired link.
import { type Fragment, html } from './parts/html.ts';

/** The content of the error page. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** The error code that programs get. */
  readonly code: string;
}

/** Body of the page, with links to other pages. */
export function problemBody({ status, title, text, code }: Problem): Fragment {
  return html`<main id="main" class="column problem">
<p class="number">${status}</p>
<h1>${title}</h1>
<p class="lead">${text}</p>
<p class="actions"><a class="button primary" href="/">Go to the overview</a><a class="button" href="/docs">Read the REST docs</a></p>
<p>Programs get the code <a href="/docs/errors#${code}"><code>${code}</code></a> here.</p>
</main>`;
}

// The page a browser gets where a program gets an error: an address at which nothing is served, a link that does not work any more.
import { type Fragment, html } from './html.ts';

/** What is wrong, for a reader. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** The code that programs get for it. */
  readonly code: string;
}

/** Body of the page, with the ways on from here. */
export function problemBody({ status, title, text, code }: Problem): Fragment {
  return html`<main id="main" class="column problem">
<p class="number">${status}</p>
<h1>${title}</h1>
<p class="lead">${text}</p>
<p class="actions"><a class="button primary" href="/">Go to the overview</a><a class="button" href="/docs">Read the REST docs</a></p>
<p>Programs get the code <a href="/docs/errors#${code}"><code>${code}</code></a> here.</p>
</main>`;
}

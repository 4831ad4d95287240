// What all hosted pages share: the document around their content, their response headers, and pages for errors.

import { Fragment, html } from '../pages/parts/html.ts';
import { formStyle, formStyleHash } from './form-style.ts';

/** The headers of every hosted page: it runs no scripts, loads nothing, is kept nowhere, and posts to this gateway alone. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src ${formStyleHash}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** The whole document around a page's content; `head` is added to its head. */
export function document(title: string, body: Fragment, head?: Fragment): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
${head}<title>${title}</title>
<style>${new Fragment(formStyle)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

/** What a visitor reads as a sentence: with a capital and a full stop. */
export const asSentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

const message = (title: string, content: Fragment): string =>
  document(title, html`<header><h1>${title}</h1></header><main><div class="card">${content}</div></main>`);

/** A page with a heading and a paragraph, for errors; `again` is the address of the page that can be tried again. */
export const messagePage = (title: string, text: string, again?: string): string =>
  message(
    title,
    html`<p>${asSentence(text)}</p>${again === undefined ? '' : html`<p><a class="button" href="${again}">Open the form again</a></p>`}`,
  );

const EXPIRED = 'This link has expired';

/** The page of a link that has expired, which can be asked for again at an address. `isKept`: whether a new one opens what was entered before. */
export const expiredPage = (
  { organisation, isAsked, isKept }: { organisation: string; isAsked: boolean; isKept: boolean },
  address: string,
): string =>
  isAsked
    ? messagePage(EXPIRED, `${organisation} has been asked for a new link${isKept ? '; what you entered before is kept for it' : ''}`)
    : message(
        EXPIRED,
        html`<p>${isKept ? 'What you entered before is saved, and a new link opens it again.' : 'You need a new link to continue.'}</p><form method="post" action="${address}"><p><button class="main">Ask ${organisation} for a new link</button></p></form>`,
      );

/** The page after a new link was asked for. */
export const askedPage = (organisation: string): string =>
  messagePage('New link requested', `${organisation} has been notified that this link expired, and will send you a new one`);

/** A step of a page, as its progress shows it. */
export interface Step {
  title: string;
  state: 'done' | 'current' | 'wrong' | 'open';
  /** What the button that opens it sends as `action`, with the form of the page. Undefined for a step that cannot be opened. */
  action?: string;
}

const STATES: Readonly<Record<Step['state'], string>> = { done: 'done', current: '', wrong: 'needs correction', open: '' };

/** The id of a form whose steps are opened by buttons, so that what was typed is saved on the way. */
export const STEPS_FORM = 'answers';

/** The steps of a page, with those that are done. */
export function progress(steps: readonly Step[]): Fragment {
  const entries = steps.map(({ title, state, action }, at) => {
    const mark = state === 'done' ? '✓' : state === 'wrong' ? '!' : String(at + 1);
    const said = STATES[state] ? html` <span class="said">(${STATES[state]})</span>` : '';
    const text = html`<span class="mark" aria-hidden="true">${mark}</span><span>${title}${said}</span>`;
    const current = state === 'current' ? html` aria-current="step"` : '';
    return html`<li class="${state}"${current}>${action === undefined || state === 'current' ? text : html`<button form="${STEPS_FORM}" name="action" value="${action}" formnovalidate>${text}</button>`}</li>`;
  });
  return html`<nav aria-label="Steps"><ol class="steps">${entries}</ol></nav>`;
}

/** The id of the box of an answer. */
export const idOf = (name: string): string => name.replaceAll('.', '-');

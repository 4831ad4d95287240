// The hosted page of a connection as HTML: who asks, what moves, the form of its settings or the way to a sign-in.

import type { LinkField, LinkForm } from '../../src/integrations/connections/link.ts';
import { type Capability, takesWrites } from '../../src/integrations/connectors/connector.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import type { InputIssue } from '../../src/records/input-issue.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type Fragment, html } from '../pages/parts/html.ts';
import { asSentence, document, idOf, progress } from './form-document.ts';

/** What a posted form held that may be shown again, and what is wrong with it. */
export interface PostedState {
  /** By the names of settings; secrets are not among them. */
  values: Readonly<Record<string, string>>;
  issues: readonly InputIssue[];
  /** Why the sign-in or the settings failed at the source, where they were tried. */
  refusal?: string;
}

const spaced = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** What people call the records of each data model: "purchase orders". */
const plurals = new Map(ledgerRecords.map(namesOf).map(({ dataModel, many }) => [dataModel, spaced(snakeCase(many))]));

/** What people call the records of a data model. */
export const words = ({ dataModel }: Pick<Capability, 'dataModel'>): string => plurals.get(dataModel) ?? `${spaced(dataModel)}s`;

/** Names in a sentence: "a, b and c". */
const listed = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);

/** Why a connection that was linked before is asked for again; undefined for one that works or is new. */
function reasonOf({ status, statusReason, title }: LinkForm): string | undefined {
  if (status === 'NEEDS_REAUTH') return `${title} does not accept the credentials any more.`;
  return status === 'ERROR' && statusReason !== null ? `The last exchange failed: ${statusReason}.` : undefined;
}

/** The way to a linked connection: what is given here, the sign-in where there is one, and the end. */
function way({ title, fields, signsIn }: LinkForm, at: 'given' | 'signing in' | 'linked'): Fragment {
  const names = [...(fields.length > 0 ? ['Settings'] : []), ...(signsIn ? [`Sign in at ${title}`] : []), 'Linked'];
  const current = at === 'given' ? 0 : at === 'linked' ? names.length : names.length - 2;
  return progress(names.map((name, step) => ({ title: name, state: step < current ? 'done' : step === current ? 'current' : 'open' })));
}

/** What is read from the source and what is written to it. */
function moves({ title, capabilities }: LinkForm): Fragment {
  const pulled = capabilities.filter(({ pull }) => pull).map(words);
  const pushed = capabilities.filter(takesWrites).map(words);
  return html`<section class="card" aria-labelledby="moves"><h2 id="moves">What is exchanged with ${title}</h2>${pulled.length > 0 ? html`<p><strong>Read from it:</strong> ${listed(pulled)}.</p>` : ''}${pushed.length > 0 ? html`<p><strong>Written to it:</strong> ${listed(pushed)}.</p>` : html`<p>Nothing is written to it.</p>`}</section>`;
}

/** The message of an issue, with the title of the setting in place of its path. */
export function sentence({ field, message }: InputIssue, fields: readonly LinkField[]): string {
  const title = fields.find(({ name }) => field === `settings.${name}`)?.title;
  return asSentence(title ? message.replaceAll(field, title) : message);
}

const TYPES: Readonly<Record<LinkField['kind'], string>> = { text: 'text', url: 'url', date: 'date', secret: 'password' };

/** The box of a setting: of one line, or of several where its text may be long. */
export function box(field: LinkField, { fields }: Pick<LinkForm, 'fields'>, { values, issues }: PostedState): Fragment {
  const { name, title, description, kind, isRequired, isStored, maxLength } = field;
  const path = `settings.${name}`;
  const id = idOf(path);
  const own = issues.filter((issue) => issue.field === path);
  const described = [`${id}-hint`, ...(own.length > 0 ? [`${id}-error`] : [])].join(' ');
  const isNeeded = isRequired && !isStored;
  const value = kind === 'secret' ? '' : (values[name] ?? field.value);
  const errors = own.length > 0 ? html`<p class="error" id="${id}-error">${own.map((issue) => sentence(issue, fields)).join(' ')}</p>` : '';
  const rules = html` autocomplete="off" spellcheck="false" aria-describedby="${described}"${isNeeded ? html` required` : ''}${own.length > 0 ? html` aria-invalid="true"` : ''}`;
  const input =
    maxLength === undefined
      ? html`<input type="${TYPES[kind]}" id="${id}" name="${path}" value="${value}"${rules}>`
      : html`<textarea id="${id}" name="${path}" rows="8" maxlength="${String(maxLength)}"${rules}>${value}</textarea>`;
  return html`<div class="wide"><label for="${id}">${title}${isStored ? html` <span class="optional">(stored; leave it empty to keep it)</span>` : isNeeded ? '' : html` <span class="optional">(optional)</span>`}</label><p class="hint" id="${id}-hint">${description}</p>${input}${errors}</div>`;
}

function summary({ title, fields }: LinkForm, { issues, refusal }: PostedState): Fragment | undefined {
  if (refusal !== undefined)
    return html`<div class="summary" role="alert"><h2>${title} is not linked</h2><p>${asSentence(refusal)}</p></div>`;
  if (issues.length === 0) return undefined;
  const entries = issues.map((issue) =>
    fields.some(({ name }) => issue.field === `settings.${name}`)
      ? html`<li><a href="#${idOf(issue.field)}">${sentence(issue, fields)}</a></li>`
      : html`<li>${asSentence(issue.message)}</li>`,
  );
  return html`<div class="summary" role="alert"><h2>Please correct ${issues.length === 1 ? 'one field' : `${issues.length} fields`}</h2><ul>${entries}</ul></div>`;
}

export function header(title: string, lead: string, { organisation, company }: LinkForm, last?: Fragment): Fragment {
  return html`<header><h1>${title}</h1><p class="lead">${lead}</p><ul class="facts" aria-label="About this connection"><li>Asked by ${organisation}</li><li>Company ${company}</li>${last}</ul></header>`;
}

export const footer = ({ id }: LinkForm): Fragment =>
  html`<footer><p>This page loads nothing from elsewhere and runs no scripts. Reference ${id}</p></footer>`;

/** The page of an open link. */
export function linkPage(form: LinkForm, state: PostedState): string {
  const { company, organisation, title, fields, signsIn, expiresAt } = form;
  const until = html`<li>Link works until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC</li>`;
  const lead = `${organisation} asks for access to the books of ${company} in ${title}. ${signsIn ? `You sign in at ${title} and decide there.` : 'What you enter is stored encrypted, and secrets are never shown again.'}`;
  const reason = reasonOf(form);
  const needs = reason ? html`<div class="note" role="note"><h2>Why you are asked again</h2>${reason}</div>` : '';
  const boxes =
    fields.length > 0
      ? html`<fieldset><legend>${signsIn ? 'Settings' : 'Access'}</legend><div class="grid">${fields.map((field) => box(field, form, state))}</div></fieldset>`
      : '';
  const name = `Connect ${title}`;
  return document(
    name,
    html`${header(name, lead, form, until)}<main>${way(form, 'given')}${summary(form, state)}${needs}${moves(form)}<form method="post" action="${form.path}" autocomplete="off">${boxes}<p><button class="main">${signsIn ? `Continue to ${title}` : 'Connect'}</button></p></form></main>${footer(form)}`,
  );
}

/** The page on the way to the sign-in, for browsers that wait. */
export function onTheWayPage(form: LinkForm, url: string): string {
  const { title } = form;
  const name = `On to ${title}`;
  return document(
    name,
    html`${header(name, `You are taken to ${title} to sign in, and come back here.`, form)}<main>${way(form, 'signing in')}<p><a class="button" href="${url}" rel="noreferrer">Continue to ${title}</a></p></main>${footer(form)}`,
    html`<meta http-equiv="refresh" content="0;url=${url}">
`,
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  PENDING: 'The first exchange begins now. Nothing more has to be done here.',
  PAUSED: 'Its exchange is paused until its owner resumes it.',
};

/** What a person reads of the connection after success. */
export const outcomeOf = ({ status, statusReason }: LinkForm): string | undefined =>
  statusReason !== null && status === 'PENDING' ? `Something is left: ${statusReason}.` : OUTCOMES[status];

/** What the page says after success: a link works once. */
export const THANKS = 'Thank you. This link has ended; a new one is needed to change anything.';

/** The page after success. */
export function connectedPage(form: LinkForm): string {
  const name = `${form.title} is linked`;
  return document(
    name,
    html`${header(name, THANKS, form)}<main>${way(form, 'linked')}<div class="card" role="status"><p>${outcomeOf(form)}</p></div>${moves(form)}</main>${footer(form)}`,
  );
}

// The hosted incorporation form as HTML: a page for each step, one with all questions, and the confirmations. It runs no scripts and loads nothing.
import { FORM_STEPS, type FormField, type FormStep } from '../../src/platform/incorporation/form-fields.ts';
import { countryName, subdivisionName } from '../../src/platform/shared/countries.ts';
import type { InputIssue } from '../../src/records/input-issue.ts';
import { type Fragment, html } from '../pages/parts/html.ts';
import { document, idOf, progress, STEPS_FORM, type Step } from './form-document.ts';
import { isBlank } from './incorporation-answers.ts';
import { Boxes, memberOf, type Shown, sentenceOf, textOf, words } from './incorporation-fields.ts';

/** What a page shows: a step, or all of them on one page. */
export type View = FormStep | 'all';

/** The state of the form on the page. */
export interface FormState extends Shown {
  view: View;
  fields: readonly FormField[];
  /** Everything that is wrong with the answers, shown or not. */
  issues: readonly InputIssue[];
  /** Identifies the saved answers to what the page shows. */
  mark: string;
  /** After a save was rejected because another window has saved since: its answers to the questions that differ. */
  savedSince?: readonly { field: FormField; value: unknown }[];
  organisation: string;
  /** Address of a view. */
  addressOf: (view: View) => string;
}

const TITLES: Readonly<Record<FormStep, string>> = {
  company: 'Company',
  addresses: 'Addresses',
  people: 'Ownership and people',
  review: 'Review and submit',
};

const TYPES: Readonly<Record<string, string>> = {
  CCorp: 'C corporation',
  PvtLtd: 'Private limited company',
  OPC: 'One person company',
  PublicLtd: 'Public limited company',
  Ltd: 'Private company limited by shares',
  PLC: 'Public limited company',
  DAC: 'Designated activity company',
  Corp: 'Corporation',
  PteLtd: 'Private company limited by shares',
  FZCO: 'Free zone company',
  FZE: 'Free zone establishment',
  LLC: 'Limited liability company',
  LP: 'Limited partnership',
  LLP: 'Limited liability partnership',
};

const ADDRESS = ['addressLine1', 'addressLine2', 'city', 'postalCode', 'state', 'country'];

/** The questions of a view. */
export const fieldsOf = (fields: readonly FormField[], view: View): FormField[] =>
  fields.filter(({ step }) => view === 'all' || step === view);

/** The view that has the question of an issue. */
const viewOf = ({ fields }: Pick<FormState, 'fields'>, field: string): FormStep | undefined =>
  fields.find(({ name }) => name === field.split('.', 1)[0])?.step;

type Answered = Pick<FormState, 'fields' | 'answers' | 'issues'>;

/** Whether a person answered a question; what is chosen at first, a country or the end of a year, is no answer on its own. */
function isAnswered({ kind, name }: FormField, answers: FormState['answers']): boolean {
  const value = answers[name];
  if (kind === 'address') return ADDRESS.some((part) => part !== 'country' && !isBlank(memberOf(value, part)));
  return kind !== 'monthDay' && !isBlank(value);
}

/** Whether anything of a view was answered. */
const isBegun = ({ fields, answers }: Answered, view: View): boolean => fieldsOf(fields, view).some((field) => isAnswered(field, answers));

/** What is wrong in a view; on the last page of the steps, in all of them. */
export const issuesOn = (state: Answered, view: View): readonly InputIssue[] =>
  view === 'all' || view === 'review' ? state.issues : state.issues.filter(({ field }) => viewOf(state, field) === view);

/** How far a step is: nothing answered yet, answered with something wrong, or done. */
function stateOf(state: Answered, step: FormStep): 'open' | 'wrong' | 'done' {
  if (!isBegun(state, step)) return 'open';
  return issuesOn(state, step).length > 0 ? 'wrong' : 'done';
}

/** The step to continue with: the first that is not done. */
export const nextStep = (state: Answered): FormStep => FORM_STEPS.find((step) => step === 'review' || stateOf(state, step) !== 'done')!;

/** The issues that a view shows: those of its questions once one of them was answered. The last page shows the issues of all. */
export const reportedOn = (state: Answered, view: View): readonly InputIssue[] =>
  isBegun(state, view === 'review' ? 'all' : view) ? issuesOn(state, view) : [];

function summary(state: FormState): Fragment | undefined {
  const { reported, view, addressOf } = state;
  if (reported.length === 0) return undefined;
  const entries = reported.map((issue) => {
    const own = viewOf(state, issue.field);
    const page = own && view !== 'all' && own !== view ? addressOf(own) : '';
    return html`<li>${own ? html`<a href="${page}#${idOf(issue.field)}">${sentenceOf(issue, state)}</a>` : sentenceOf(issue, state)}</li>`;
  });
  const isMissing = reported.every(({ code }) => code === 'REQUIRED');
  const [one, many] = isMissing ? ['is', 'are'] : ['needs', 'need'];
  const answers = reported.length === 1 ? `One answer ${one}` : `${reported.length} answers ${many}`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${answers} ${isMissing ? 'still missing' : 'to be corrected'}</h2><ul>${entries}</ul></div>`;
}

function staleNotice({ savedSince, view }: FormState): Fragment | undefined {
  if (!savedSince) return undefined;
  const rows = savedSince.map(({ field, value }) => html`<dt>${field.label}</dt><dd>${said(field, value) || '—'}</dd>`);
  const text =
    view === 'review'
      ? html`<p>Answers were saved in another window after this page was opened. They are shown below: check them again before you submit.</p>`
      : html`<p>These answers were saved in another window after this page was opened. Yours are in the boxes below and not saved yet; saving again replaces the others:</p><dl class="answers">${rows}</dl>`;
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>Saved in another window</h2>${text}</div>`;
}

/** An answer as the last page shows it, of several lines where it has several parts. */
function said({ kind }: FormField, value: unknown): string {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (kind === 'names') return parts.map(textOf).filter(Boolean).join('\n');
  if (kind === 'address') {
    const country = textOf(memberOf(value, 'country'));
    const line = (part: string): string => {
      const text = textOf(memberOf(value, part));
      const name = part === 'country' ? countryName(country) : part === 'state' ? subdivisionName(country, text) : undefined;
      return name ?? text;
    };
    return ADDRESS.map(line).filter(Boolean).join('\n');
  }
  if (kind === 'monthDay') {
    const day = new Date(`2023-${textOf(value)}T00:00:00Z`);
    return Number.isNaN(day.getTime())
      ? textOf(value)
      : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(day);
  }
  if (kind !== 'persons') return textOf(value);
  const person = (one: unknown): string => {
    const roles = [memberOf(one, 'roles')].flat().map(textOf).filter(Boolean).map(words);
    const shares = textOf(memberOf(one, 'shares'));
    const interest = textOf(memberOf(one, 'interestPercent'));
    const owned = shares ? `${shares} shares` : interest ? `${interest} %` : '';
    return [textOf(memberOf(one, 'fullName')), textOf(memberOf(one, 'email')), roles.join(', '), owned].filter(Boolean).join(' · ');
  };
  return parts.map(person).join('\n');
}

/** All answers, by step, each with a way to change them. */
function review(state: FormState): Fragment[] {
  const { fields, answers, addressOf } = state;
  return FORM_STEPS.filter((step) => step !== 'review').map((step) => {
    const rows = fieldsOf(fields, step).map((field) => html`<dt>${field.label}</dt><dd>${said(field, answers[field.name]) || '—'}</dd>`);
    return html`<section class="card" aria-labelledby="part-${step}"><div class="part"><h2 id="part-${step}">${TITLES[step]}</h2><a href="${addressOf(step)}" aria-label="Change: ${TITLES[step]}">Change</a></div><dl class="answers">${rows}</dl></section>`;
  });
}

function steps(state: FormState): Fragment {
  const entries = FORM_STEPS.map((step): Step => {
    const own = step === 'review' ? 'open' : stateOf(state, step);
    return { title: TITLES[step], state: step === state.view ? 'current' : own, action: `go.${step}` };
  });
  return progress(entries);
}

function stepForm(state: FormState): Fragment {
  const { form, view, fields } = state;
  const boxes = new Boxes(state);
  const at = FORM_STEPS.indexOf(view as FormStep);
  const isLast = view === 'review' || view === 'all';
  const main = isLast ? 'submit' : 'next';
  const heading = view === 'all' ? 'All questions' : `Step ${at + 1} of ${FORM_STEPS.length}: ${TITLES[view]}`;
  const isUpload = fieldsOf(fields, view).some(({ kind }) => kind === 'file');
  // The return key in a box presses the first button of the form, also of those outside it.
  return html`<button class="aside" form="${STEPS_FORM}" name="action" value="${main}" tabindex="-1" aria-hidden="true">Continue</button>
${view === 'all' ? '' : steps(state)}${staleNotice(state)}${summary(state)}${form.note ? html`<div class="note" role="note"><h2>What is still needed</h2>${form.note}</div>` : ''}
<form method="post" action="${state.addressOf(view)}" id="${STEPS_FORM}"${isUpload ? html` enctype="multipart/form-data"` : ''} aria-label="${heading}">
<input type="hidden" name="step" value="${view}"><input type="hidden" name="mark" value="${state.mark}" autocomplete="off"><h2>${heading}</h2>
${view === 'review' ? review(state) : ''}${fieldsOf(fields, view).map((field) => boxes.field(field))}
<div class="actions"><button class="main" name="action" value="${main}">${isLast ? 'Submit' : 'Save and continue'}</button>${at > 0 ? html`<button name="action" value="back" formnovalidate>Back</button>` : ''}<button name="action" value="later" formnovalidate>Save and finish later</button></div>
<p class="hint"><button class="link" name="action" value="go.${view === 'all' ? nextStep(state) : 'all'}" formnovalidate>${view === 'all' ? 'Answer step by step' : 'All questions on one page'}</button></p></form>`;
}

/** When a link ends, as text that needs no time zone of the reader. */
const untilOf = (expiresAt: string): string => `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`;

function page(state: Pick<FormState, 'form' | 'organisation'>, title: string, lead: string, content: Fragment): string {
  const { form, organisation } = state;
  const country = countryName(form.country) ?? form.country;
  const place = form.state ? `${subdivisionName(form.country, form.state) ?? form.state}, ${country}` : country;
  const facts = html`<ul class="facts" aria-label="About this request"><li>Asked by ${organisation}</li><li>${TYPES[form.corporationType] ?? form.corporationType}</li><li>${place}</li>${form.isOpen ? html`<li>Link works until ${untilOf(form.expiresAt)}</li>` : ''}</ul>`;
  return document(
    title,
    html`<header><h1>${title}</h1><p class="lead">${lead}</p>${facts}</header><main>${content}</main><footer><p>This page loads nothing from elsewhere and runs no scripts. Reference ${form.id}</p></footer>`,
  );
}

/** The page of a request: a view of the form, or the confirmation that it was received. */
export function formPage(state: FormState): string {
  if (!state.form.isOpen)
    return page(
      state,
      'Your form was received',
      'The company is being formed now. If anything else is needed, you will get a new link.',
      html`<div class="card" role="status"><p>Thank you. Nothing more has to be done here.</p></div>`,
    );
  const lead = 'These answers are used to register the company. Each step is saved when you leave it; open the same link to continue.';
  return page(state, 'Form a company', lead, stepForm(state));
}

/** The page after everything was saved for another time. */
export function savedPage(state: FormState): string {
  const text = `Your answers are saved. Open the same link until ${untilOf(state.form.expiresAt)} to continue where you stopped; after that, it lets you request a new one.`;
  const content = html`<div class="card" role="status"><p>${text}</p><p><a class="button" href="${state.addressOf(nextStep(state))}">Continue now</a></p></div>`;
  return page(state, 'Saved', 'You can close this page.', content);
}

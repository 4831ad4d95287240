// The hosted incorporation form as HTML: one page without scripts that loads nothing.

import type { FormField } from '../../src/platform/incorporation/form-fields.ts';
import type { IncorporationFormDefinition } from '../../src/platform/incorporation/form-resolver.ts';
import { countryName, subdivisionName } from '../../src/platform/shared/countries.ts';
import type { InputIssue } from '../../src/records/input-issue.ts';
import { Fragment, html } from '../pages/html.ts';
import { formStyle } from './incorporation-style.ts';

/** The state of the form on the page. */
export interface FormState {
  form: IncorporationFormDefinition;
  answers: Record<string, unknown>;
  issues: InputIssue[];
  /** Person blocks to show; one more than the answered ones after `Add a person`. */
  persons: number;
}

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

const words = (constant: string): string => constant[0]! + constant.slice(1).toLowerCase().replaceAll('_', ' ');
const idOf = (name: string): string => name.replaceAll('.', '-');
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** The whole document around a page's content. */
export function document(title: string, body: Fragment): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${new Fragment(formStyle)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

/** A page with a heading and a paragraph, for errors. */
export const messagePage = (title: string, text: string): string =>
  document(title, html`<header><h1>${title}</h1></header><main><div class="card"><p>${text}</p></div></main>`);

const LABELS: Readonly<Record<string, string>> = {
  addressLine1: 'First line',
  addressLine2: 'Second line',
  city: 'City',
  state: 'State or province',
  postalCode: 'Postal code',
  country: 'Country, two letters',
  fullName: 'Full name',
  email: 'Mail address',
  roles: 'Roles',
  shares: 'Shares, of an owner',
  interestPercent: 'Interest of an owner, in per cent',
};

/** Renders the boxes of one page, with the issues beside them. */
class Page {
  readonly #state: FormState;

  constructor(state: FormState) {
    this.#state = state;
  }

  #issuesAt(name: string): InputIssue[] {
    return this.#state.issues.filter((issue) => issue.field === name);
  }

  /** The message of an issue, with the label of the box in place of the path of the answer. */
  #sentence({ field, message }: InputIssue): string {
    const last = field.split('.').at(-1)!;
    const label = LABELS[last] ?? this.#state.form.fields.find((one) => one.name === field.split('.')[0])?.label;
    return label ? message.replaceAll(field, label) : message;
  }

  #errors(name: string): Fragment[] {
    return this.#issuesAt(name).map((issue) => html`<p class="error" id="${idOf(name)}-error">${this.#sentence(issue)}</p>`);
  }

  #marks(name: string): Fragment | undefined {
    return this.#issuesAt(name).length > 0 ? html` aria-invalid="true" aria-describedby="${idOf(name)}-error"` : undefined;
  }

  #box(
    name: string,
    label: string,
    value: unknown,
    {
      required = false,
      marked = !required,
      wide = false,
      attributes = new Fragment(''),
    }: { required?: boolean; marked?: boolean; wide?: boolean; attributes?: Fragment } = {},
  ): Fragment {
    const id = idOf(name);
    return html`<div${wide ? html` class="wide"` : ''}><label for="${id}">${label}${marked ? html` <span class="optional">(optional)</span>` : ''}</label><input id="${id}" name="${name}" value="${textOf(value)}"${required ? html` required` : ''}${attributes}${this.#marks(name)}>${this.#errors(name)}</div>`;
  }

  #summary(): Fragment | undefined {
    const { issues } = this.#state;
    if (issues.length === 0) return undefined;
    const entries = issues.map((issue) => html`<li><a href="#${idOf(issue.field)}">${this.#sentence(issue)}</a></li>`);
    return html`<div class="summary" role="alert"><h2>${issues.length === 1 ? 'One answer needs' : `${issues.length} answers need`} another look</h2><ul>${entries}</ul></div>`;
  }

  #address(field: FormField, value: unknown): Fragment {
    const { name, required } = field;
    const box = (part: string, more: object = {}) => this.#box(`${name}.${part}`, LABELS[part]!, memberOf(value, part), more);
    const country = value === undefined && required ? this.#state.form.country : memberOf(value, 'country');
    const capitals = html` maxlength="2" pattern="[A-Z]{2}" autocapitalize="characters"`;
    return html`<fieldset id="${idOf(name)}"><legend>${field.label}</legend>${this.#errors(name)}<div class="grid">
${box('addressLine1', { required, wide: true })}${box('addressLine2', { wide: true })}${box('city')}${box('state')}${box('postalCode')}
${this.#box(`${name}.country`, LABELS.country!, country, { required, attributes: capitals })}</div></fieldset>`;
  }

  #names(field: FormField, value: unknown): Fragment {
    const labels = ['First choice', 'Second choice', 'Third choice'];
    const boxes = labels.map((label, at) =>
      this.#box(`${field.name}.${at}`, label, memberOf(value, at), { required: at === 0, wide: true }),
    );
    return html`<fieldset id="${field.name}"><legend>${field.label}</legend>${this.#errors(field.name)}<div class="grid">${boxes}</div></fieldset>`;
  }

  #select(name: string, label: string, options: readonly (readonly [string, string])[], chosen: string): Fragment {
    const id = idOf(name);
    const entries = options.map(
      ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
    );
    return html`<div><label for="${id}">${label}</label><select id="${id}" name="${name}">${entries}</select></div>`;
  }

  #monthDay(field: FormField, value: unknown): Fragment {
    const [month = '', day = ''] = textOf(value ?? '12-31').split('-');
    const months = Array.from(
      { length: 12 },
      (_, at) =>
        [
          String(at + 1).padStart(2, '0'),
          new Date(Date.UTC(2023, at, 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
        ] as const,
    );
    const days = Array.from({ length: 31 }, (_, at) => [String(at + 1).padStart(2, '0'), String(at + 1)] as const);
    return html`<div class="wide" id="${field.name}"><span class="label">${field.label}</span><div class="grid">${this.#select(`${field.name}.month`, 'Month', months, month)}${this.#select(`${field.name}.day`, 'Day', days, day)}</div>${this.#errors(field.name)}</div>`;
  }

  #person(at: number, value: unknown): Fragment {
    const { ownership, roles } = this.#state.form;
    const name = `keyPersons.${at}`;
    const chosen = [memberOf(value, 'roles')].flat();
    const boxes = roles.map(
      ({ role }) =>
        html`<label><input type="checkbox" name="${name}.roles" value="${role}"${chosen.includes(role) ? html` checked` : ''}>${words(role)}</label>`,
    );
    const part = ownership === 'SHARES' ? 'shares' : ownership === 'INTERESTS' ? 'interestPercent' : undefined;
    const numeric = html` inputmode="decimal"`;
    return html`<fieldset id="${idOf(name)}"><legend>Person ${at + 1}</legend>${this.#errors(name)}<div class="grid">
${this.#box(`${name}.fullName`, LABELS.fullName!, memberOf(value, 'fullName'), { required: at === 0 })}
${this.#box(`${name}.email`, LABELS.email!, memberOf(value, 'email'), { required: at === 0, attributes: html` type="email"` })}
<div class="wide" id="${idOf(name)}-roles" role="group" aria-label="Roles of person ${at + 1}"><span class="label">Roles</span><div class="checks">${boxes}</div>${this.#errors(`${name}.roles`)}</div>
${part ? this.#box(`${name}.${part}`, LABELS[part]!, memberOf(value, part), { marked: false, attributes: numeric }) : ''}</div>
${this.#state.persons > 1 ? html`<button class="small" name="action" value="remove-person-${at}" formnovalidate>Remove person ${at + 1}</button>` : ''}</fieldset>`;
  }

  #persons(field: FormField, value: unknown): Fragment {
    const needed = this.#state.form.roles
      .filter((role) => role.atLeast > 0)
      .map((role) => `${role.atLeast} ${words(role.role).toLowerCase()}`);
    const blocks = Array.from({ length: this.#state.persons }, (_, at) => this.#person(at, memberOf(value, at)));
    return html`<fieldset id="${field.name}"><legend>${field.label}</legend>${needed.length > 0 ? html`<p class="hint">At least ${needed.join(', ')}. One person may have several roles.</p>` : ''}${this.#errors(field.name)}${blocks}<button class="small" name="action" value="add-person" formnovalidate>Add a person</button></fieldset>`;
  }

  #field(field: FormField): Fragment {
    const value = this.#state.answers[field.name];
    const { name, label, required } = field;
    if (field.kind === 'names') return this.#names(field, value);
    if (field.kind === 'address') return this.#address(field, value);
    if (field.kind === 'persons') return this.#persons(field, value);
    return html`<div class="card"><div class="grid">${this.#single(field, name, label, required, value)}</div></div>`;
  }

  #single(field: FormField, name: string, label: string, required: boolean, value: unknown): Fragment {
    switch (field.kind) {
      case 'longtext':
        return html`<div class="wide"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" maxlength="2000"${required ? html` required` : ''}${this.#marks(name)}>${textOf(value)}</textarea>${this.#errors(name)}</div>`;
      case 'monthDay':
        return this.#monthDay(field, value);
      case 'file': {
        const has = this.#state.form.answers !== null;
        const hint = has ? 'A file is there already; choose another one to replace it.' : 'A PDF, PNG or JPEG file of at most 15 MB.';
        return html`<div class="wide"><label for="${name}">${label}</label><p class="hint">${hint}</p><input type="file" id="${name}" name="proofOfAddress" accept=".pdf,.png,.jpg,.jpeg"${has ? '' : html` required`}${this.#marks(name)}>${this.#errors(name)}</div>`;
      }
      case 'integer':
        return this.#box(name, label, value, { required, wide: true, attributes: html` inputmode="numeric"` });
      default:
        return this.#box(name, label, value, { required, wide: true, attributes: html` type="url" placeholder="https://"` });
    }
  }

  render(): Fragment {
    const { form } = this.#state;
    const isUpload = form.fields.some((field) => field.kind === 'file');
    return html`${this.#summary()}${form.note ? html`<div class="note" role="note"><h2>What is still needed</h2>${form.note}</div>` : ''}
<form method="post"${isUpload ? html` enctype="multipart/form-data"` : ''}>
<button class="aside" name="action" value="submit" tabindex="-1" aria-hidden="true">Submit</button>
${form.fields.map((field) => this.#field(field as FormField))}
<p><button class="main" name="action" value="submit">Submit the form</button></p>
</form>`;
  }
}

/** The page of a request: the form, or the confirmation that it was received. */
export function formPage(state: FormState): string {
  const { form } = state;
  const country = countryName(form.country) ?? form.country;
  const place = form.state ? `${subdivisionName(form.country, form.state) ?? form.state}, ${country}` : country;
  const type = TYPES[form.corporationType] ?? form.corporationType;
  const title = form.isOpen ? 'Form a company' : 'Your form was received';
  const lead = form.isOpen
    ? 'These answers are used to register the company. You can send them as long as the link works.'
    : 'The company is being formed now. If anything else is needed, you will get a new link.';
  const until = `${form.expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
  const facts = html`<ul class="facts" aria-label="About this request"><li>${type}</li><li>${place}</li>${form.isOpen ? html`<li>Link works until ${until}</li>` : ''}</ul>`;
  const content = form.isOpen
    ? new Page(state).render()
    : html`<div class="card" role="status"><p>Thank you. Nothing more has to be done here.</p></div>`;
  return document(
    title,
    html`<header><h1>${title}</h1><p class="lead">${lead}</p>${facts}</header><main>${content}</main><footer><p>This page loads nothing from elsewhere and runs no scripts. Reference ${form.id}</p></footer>`,
  );
}

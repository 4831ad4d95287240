// The boxes of the incorporation form, each with its label, its hint and its error next to it.
import type { FormField } from '../../src/platform/incorporation/form-fields.ts';
import type { IncorporationFormDefinition } from '../../src/platform/incorporation/form-resolver.ts';
import { countryName, countryNames, subdivisionChoices } from '../../src/platform/shared/countries.ts';
import type { InputIssue } from '../../src/records/input-issue.ts';
import { Fragment, html } from '../pages/parts/html.ts';
import type { FoundAddress } from './address-finder.ts';
import { asSentence, idOf } from './form-document.ts';

/** What the boxes of a step show. */
export interface Shown {
  form: IncorporationFormDefinition;
  answers: Record<string, unknown>;
  /** The messages next to the fields. */
  reported: readonly InputIssue[];
  /** Person blocks to show; one more than the answered ones after `Add a person`. */
  persons: number;
  hasProof: boolean;
  /** What the address finder was asked for a field, and what it found. */
  found?: { field: string; text: string; addresses: readonly FoundAddress[] };
}

/** A constant as people read it: LIMITED_PARTNER is "Limited partner". */
export const words = (constant: string): string => constant[0]! + constant.slice(1).toLowerCase().replaceAll('_', ' ');
export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
export const memberOf = (value: unknown, name: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

export const LABELS: Readonly<Record<string, string>> = {
  addressLine1: 'Street and number',
  addressLine2: 'Floor or suite',
  city: 'City',
  state: 'State or province',
  postalCode: 'Postal code',
  country: 'Country',
  fullName: 'Full name',
  email: 'Email address',
  roles: 'Roles',
  shares: 'Shares, of an owner',
  interestPercent: 'Ownership (%)',
};

/** The message of an issue for the reader of the page. The label of the box replaces the path of the answer, and roles are written as words. */
export function sentenceOf({ field, code, message }: InputIssue, { form, answers }: Pick<Shown, 'form' | 'answers'>): string {
  const [first, ...rest] = field.split('.');
  const label = LABELS[rest.at(-1) ?? ''] ?? form.fields.find(({ name }) => name === first)?.label;
  if (!label) return asSentence(message);
  const person = first === 'keyPersons' && rest.length > 1 ? ` of person ${Number(rest[0]) + 1}` : '';
  if (code === 'REQUIRED') return `${label}${person}: an answer is needed.`;
  const country = countryName(textOf(memberOf(answers[first!], 'country')));
  if (country && rest.at(-1) === 'state' && code !== 'TOO_LONG') return `${label} is not one of ${country}; choose one from the list.`;
  const readable = message
    .replaceAll(field, `${label}${person}`)
    .replaceAll(first!, label)
    .replaceAll(/\b[A-Z]{4,}(?:_[A-Z]+)*\b/g, (role) => (form.roles.some((own) => own.role === role) ? words(role).toLowerCase() : role));
  return asSentence(readable);
}

const months = Array.from({ length: 12 }, (_, at) => {
  const name = new Date(Date.UTC(2023, at, 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  return [String(at + 1).padStart(2, '0'), name] as const;
});
const days = Array.from({ length: 31 }, (_, at) => [String(at + 1).padStart(2, '0'), String(at + 1)] as const);

interface BoxOptions {
  required?: boolean;
  /** Whether the label says that an answer can be left out; what depends on another answer says so itself. */
  isMarked?: boolean;
  wide?: boolean;
  hint?: string;
  attributes?: Fragment;
  /** The text below the field. */
  after?: Fragment;
}

type Choices = readonly (readonly [value: string, text: string])[];

const optionsOf = (choices: Choices, chosen: string): Fragment[] =>
  choices.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`);

/** Renders the boxes of questions. A button that changes a part of the page sends the browser back to that part by its `formaction`. */
export class Boxes {
  readonly #shown: Shown;

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  #own(name: string): InputIssue[] {
    return this.#shown.reported.filter(({ field }) => field === name);
  }

  #errors(name: string): Fragment | undefined {
    const own = this.#own(name);
    if (own.length === 0) return undefined;
    return html`<p class="error" id="${idOf(name)}-error">${own.map((issue) => sentenceOf(issue, this.#shown)).join(' ')}</p>`;
  }

  #marks(name: string, hint?: string): Fragment {
    const isWrong = this.#own(name).length > 0;
    const described = [...(hint ? [`${idOf(name)}-hint`] : []), ...(isWrong ? [`${idOf(name)}-error`] : [])];
    return html`${isWrong ? html` aria-invalid="true"` : ''}${described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : ''}`;
  }

  #around(
    name: string,
    label: string,
    control: Fragment,
    { required = false, isMarked = !required, wide = false, hint, after }: BoxOptions,
  ): Fragment {
    const id = idOf(name);
    return html`<div${wide ? html` class="wide"` : ''}><label for="${id}">${label}${isMarked ? html` <span class="optional">(optional)</span>` : ''}</label>${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}${control}${this.#errors(name)}${after}</div>`;
  }

  #box(name: string, label: string, value: unknown, options: BoxOptions = {}): Fragment {
    const { required = false, hint, attributes } = options;
    const control = html`<input id="${idOf(name)}" name="${name}" value="${textOf(value)}"${required ? html` required` : ''}${attributes}${this.#marks(name, hint)}>`;
    return this.#around(name, label, control, options);
  }

  #select(name: string, label: string, entries: Fragment[], options: BoxOptions = {}): Fragment {
    const control = html`<select id="${idOf(name)}" name="${name}"${options.required ? html` required` : ''}${options.attributes}${this.#marks(name)}>${entries}</select>`;
    return this.#around(name, label, control, options);
  }

  #address(field: FormField, value: unknown): Fragment {
    const { name, required } = field;
    const fill = (hint: string): Fragment => html` autocomplete="section-${name} ${hint}"`;
    const box = (part: string, hint: string, more: BoxOptions = {}) =>
      this.#box(`${name}.${part}`, LABELS[part]!, memberOf(value, part), { ...more, attributes: fill(hint) });
    const given = memberOf(value, 'country');
    const country = textOf(given) || (required ? this.#shown.form.country : '');
    const countries = this.#select(`${name}.country`, LABELS.country!, optionsOf([['', 'Choose a country'], ...countryNames()], country), {
      required,
      attributes: fill('country'),
      after: html`<button class="small" name="action" value="states.${name}" formaction="#${idOf(name)}-state" formnovalidate>List its states</button>`,
    });
    return html`<fieldset id="${idOf(name)}"><legend>${field.label}</legend>${this.#errors(name)}<div class="grid">
${this.#finder(name)}
${box('addressLine1', 'address-line1', { required, wide: true })}${box('addressLine2', 'address-line2', { wide: true })}${countries}${this.#state(name, country, textOf(memberOf(value, 'state')), fill('address-level1'))}
${box('city', 'address-level2')}${box('postalCode', 'postal-code')}</div></fieldset>`;
  }

  /** The sub-divisions of the country to choose from; a box for text where it has none. Without a script, those of another country take a button. */
  #state(address: string, country: string, chosen: string, attributes: Fragment): Fragment {
    const name = `${address}.state`;
    const groups = subdivisionChoices(country);
    if (country !== '' && groups.length === 0) return this.#box(name, LABELS.state!, chosen, { attributes });
    const first = country === '' ? 'Choose the country first' : 'Choose one';
    const entries = groups.flatMap(({ within, choices }) => {
      const options = optionsOf(choices, chosen);
      return within === null ? options : [html`<optgroup label="${within}">${options}</optgroup>`];
    });
    return this.#select(name, LABELS.state!, [...optionsOf([['', first]], chosen), ...entries], { attributes });
  }

  /** The address finder of a field: one line, a button, and a button for each address found, which fills the boxes below. */
  #finder(name: string): Fragment {
    const found = this.#shown.found?.field === name ? this.#shown.found : undefined;
    const id = `find-${name}`;
    const results = found
      ? html`<div class="wide" role="status" id="${id}-found">${found.addresses.length === 0 ? html`<p class="hint">No place was found for this. Fill in the boxes below.</p>` : html`<p class="hint">Choose one to fill in the boxes below:</p><ul class="found">${found.addresses.map(({ text }, at) => html`<li><button class="small" name="action" value="take.${name}.${at}" formnovalidate>${text}</button></li>`)}</ul>`}</div>`
      : '';
    return html`<div class="find"><div><label for="${id}">Find the address <span class="optional">(optional)</span></label><input id="${id}" name="find.${name}" value="${found?.text ?? ''}" maxlength="500" autocomplete="off" placeholder="Street, city, country"></div><button class="small" name="action" value="find.${name}" formaction="#${id}" formnovalidate>Find</button></div>${results}`;
  }

  #names(field: FormField, value: unknown): Fragment {
    const labels = ['First choice', 'Second choice', 'Third choice'];
    const boxes = labels.map((label, at) =>
      this.#box(`${field.name}.${at}`, label, memberOf(value, at), {
        required: at === 0,
        wide: true,
        attributes: at === 0 ? html` autocomplete="organization"` : html` autocomplete="off"`,
      }),
    );
    return html`<fieldset id="${field.name}"><legend>${field.label}</legend>${this.#errors(field.name)}<div class="grid">${boxes}</div></fieldset>`;
  }

  #monthDay(field: FormField, value: unknown): Fragment {
    const [month = '', day = ''] = textOf(value ?? '12-31').split('-');
    const part = (name: string, label: string, choices: Choices, chosen: string): Fragment =>
      this.#select(`${field.name}.${name}`, label, optionsOf(choices, chosen), { required: true });
    return html`<fieldset class="wide plain" id="${field.name}"><legend>${field.label}</legend><div class="grid">${part('month', 'Month', months, month)}${part('day', 'Day', days, day)}</div>${this.#errors(field.name)}</fieldset>`;
  }

  #person(at: number, value: unknown): Fragment {
    const { ownership, roles } = this.#shown.form;
    const name = `keyPersons.${at}`;
    const chosen = [memberOf(value, 'roles')].flat();
    const boxes = roles.map(
      ({ role }) =>
        html`<label><input type="checkbox" name="${name}.roles" value="${role}"${chosen.includes(role) ? html` checked` : ''}>${words(role)}</label>`,
    );
    const part = ownership === 'SHARES' ? 'shares' : ownership === 'INTERESTS' ? 'interestPercent' : undefined;
    const fill = (hint: string): Fragment => html` autocomplete="section-person${at} ${hint}"`;
    return html`<fieldset id="${idOf(name)}"><legend>Person ${at + 1}</legend>${this.#errors(name)}<div class="grid">
${this.#box(`${name}.fullName`, LABELS.fullName!, memberOf(value, 'fullName'), { required: at === 0, isMarked: false, attributes: fill('name') })}
${this.#box(`${name}.email`, LABELS.email!, memberOf(value, 'email'), { required: at === 0, isMarked: false, attributes: html` type="email"${fill('email')}` })}
<div class="wide" id="${idOf(name)}-roles" role="group" aria-label="Roles of person ${at + 1}"><span class="label">Roles</span><div class="checks">${boxes}</div>${this.#errors(`${name}.roles`)}</div>
${part ? this.#box(`${name}.${part}`, LABELS[part]!, memberOf(value, part), { isMarked: false, attributes: html` inputmode="decimal" autocomplete="off"` }) : ''}</div>
${this.#shown.persons > 1 ? html`<button class="small" name="action" value="remove-person-${at}" formaction="#keyPersons" formnovalidate>Remove person ${at + 1}</button>` : ''}</fieldset>`;
  }

  #persons(field: FormField, value: unknown): Fragment {
    const needed = this.#shown.form.roles
      .filter((role) => role.atLeast > 0)
      .map((role) => `${role.atLeast} ${words(role.role).toLowerCase()}`);
    const blocks = Array.from({ length: this.#shown.persons }, (_, at) => this.#person(at, memberOf(value, at)));
    return html`<fieldset id="${field.name}"><legend>${field.label}</legend>${needed.length > 0 ? html`<p class="hint">At least ${needed.join(', ')}. One person may have several roles.</p>` : ''}${this.#errors(field.name)}${blocks}<button class="small" name="action" value="add-person" formaction="#keyPersons-${this.#shown.persons}" formnovalidate>Add a person</button></fieldset>`;
  }

  /** The boxes of one question. */
  field(field: FormField): Fragment {
    const value = this.#shown.answers[field.name];
    if (field.kind === 'names') return this.#names(field, value);
    if (field.kind === 'address') return this.#address(field, value);
    if (field.kind === 'persons') return this.#persons(field, value);
    return html`<div class="card"><div class="grid">${this.#single(field, value)}</div></div>`;
  }

  #single(field: FormField, value: unknown): Fragment {
    const { kind, name, label, required } = field;
    const options = { required, wide: true };
    switch (kind) {
      case 'longtext': {
        const hint = 'What it sells or does, to whom and where, in a few sentences.';
        const control = html`<textarea id="${name}" name="${name}" maxlength="2000"${required ? html` required` : ''}${this.#marks(name, hint)}>${textOf(value)}</textarea>`;
        return this.#around(name, label, control, { ...options, hint });
      }
      case 'monthDay':
        return this.#monthDay(field, value);
      case 'file': {
        const { hasProof } = this.#shown;
        const hint = hasProof
          ? 'A file is there already; choose another one to replace it.'
          : 'A bill or a statement with the address: a PDF, PNG or JPEG file of at most 15 MB.';
        const control = html`<input type="file" id="${name}" name="proofOfAddress" accept=".pdf,.png,.jpg,.jpeg"${hasProof ? '' : html` required`}${this.#marks(name, hint)}>`;
        return this.#around(name, label, control, { ...options, hint });
      }
      case 'integer':
        return this.#box(name, label, value, {
          ...options,
          hint: 'A whole number, without points or commas.',
          attributes: html` inputmode="numeric" autocomplete="off"`,
        });
      default:
        return this.#box(name, label, value, {
          ...options,
          hint: 'With https:// in front.',
          attributes: html` type="url" autocomplete="url"`,
        });
    }
  }
}

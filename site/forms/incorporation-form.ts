// The adapter of the hosted incorporation form: reads the key of the signed link, saves what is typed, runs the form's operations, and returns HTML, or JSON on request.

import { parse } from 'graphql';
import { publicError, statusOf } from '../../rest-compat/runtime/error-bodies.ts';
import { parseQuery } from '../../rest-compat/runtime/route-tree.ts';
import { readForm, shown } from '../../src/files/posted-form.ts';
import { discardUpload, MAX_FILE_BYTES, type StoredUpload } from '../../src/files/stored-file.ts';
import type { Operation, Variables } from '../../src/graphql/executor.ts';
import { joined, segmentsOf, withRenamedFields } from '../../src/graphql/input/argument-path.ts';
import { DeclaredArguments } from '../../src/graphql/mutations/input-argument.ts';
import { readJson } from '../../src/http/json-body.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { askForFormLink, expiredForm, markOf, organisationOf, saveTyped } from '../../src/platform/incorporation/form-draft.ts';
import { FORM_STEPS, type FormStep } from '../../src/platform/incorporation/form-fields.ts';
import {
  type FormLink,
  formToHandIn,
  type IncorporationFormDefinition,
  issuesOfTyped,
  type OpenForm,
  openForm,
} from '../../src/platform/incorporation/form-resolver.ts';
import { GatewayError, invalid } from '../../src/records/errors.ts';
import { findAddresses } from './address-finder.ts';
import { checkMethod, hosted, type Visit } from './hosted-page.ts';
import { answersOf, controlOf, isBlank, type Posted } from './incorporation-answers.ts';
import { type FormState, fieldsOf, formPage, issuesOn, nextStep, reportedOn, savedPage, type View } from './incorporation-page.ts';

const PATH = /^\/incorporate\/([a-z]{2})\/([a-z0-9_]{1,64})$/;

const READ = `query IncorporationForm($id: ID!, $country: CountryCode!, $key: String!) {
  incorporationForm(id: $id, country: $country, key: $key) {
    id country state corporationType status isOpen note ownership expiresAt answers
    roles { role atLeast atMost }
    fields { name label kind required }
  }
}`;

const SUBMIT =
  'mutation SubmitIncorporationForm($input: SubmitIncorporationFormInput!) { submitIncorporationForm(input: $input) { id status } }';

/** Part of the form that holds a file. */
const FILE = 'proofOfAddress';
const MAX_TEXT = 20_000;
/** 50 persons with 18 boxes each, and the rest of the form. */
const MAX_TEXTS = 1_000;
const MAX_PERSONS = 50;

const wantsJson = (request: RequestWithId): boolean => {
  const accept = request.headers.accept ?? '';
  return accept.includes('json') && !accept.includes('text/html');
};

const isView = (text: string): text is View => text === 'all' || FORM_STEPS.includes(text as FormStep);

/** The view that an address or a posted form names; undefined where it names none. */
function viewOf(text: string | undefined): View | undefined {
  if (text === undefined || isView(text)) return text;
  throw invalid('step', `step must be one of ${[...FORM_STEPS, 'all'].join(', ')}`, 'INVALID_VALUE');
}

const linkOf = ({ parts, search }: Visit): FormLink => ({
  country: parts[0]!,
  id: parts[1]!,
  key: parseQuery(`?${search}`).get('key') ?? '',
});

/** The stored operations of the form. */
interface Operations {
  read: Operation;
  submit: Operation;
}

/** One visit of the form. */
class FormVisit {
  readonly #visit: Visit;
  readonly #operations: Operations;
  readonly #link: FormLink;

  constructor(visit: Visit, operations: Operations) {
    this.#visit = visit;
    this.#operations = operations;
    this.#link = linkOf(visit);
  }

  /** The data of an operation, whose type follows from its document. */
  async #run<T>(operation: Operation, variables: Variables): Promise<T> {
    const { data, errors } = await operation.run(this.#visit.context(), variables);
    if (errors?.[0]) throw withFormNames(errors[0].originalError ?? errors[0]);
    return data as T;
  }

  #runSubmit(answers: object, file?: StoredUpload): Promise<Submitted> {
    const proof = file ? { proofOfAddress: file, proofOfAddressName: file.name } : {};
    return this.#run(this.#operations.submit, { input: new DeclaredArguments({ ...this.#link, answers, ...proof }) });
  }

  #addressOf = (view: View): string => `${this.#visit.path}?${new URLSearchParams({ key: this.#link.key, step: view })}`;

  /** What a page shows of answers; without a view that of the step to continue with. Those that are saved are the same but after a save of another window. */
  async #stateOf(open: OpenForm, answers: Record<string, unknown>, view?: View, saved = answers): Promise<FormState> {
    const { form, fields, hasProof, organisationId } = open;
    const issues = issuesOfTyped(open, answers);
    const persons = Array.isArray(answers.keyPersons) ? answers.keyPersons.length : 0;
    const shown = view ?? nextStep({ fields, answers, issues });
    return {
      ...{ form, fields, hasProof, answers, issues },
      view: shown,
      mark: markOf(saved, namesOf(fields, shown === 'review' ? 'all' : shown)),
      reported: reportedOn({ fields, answers, issues }, shown),
      organisation: await organisationOf(this.#visit.context(), organisationId),
      persons: Math.max(1, persons),
      addressOf: this.#addressOf,
    };
  }

  async show(): Promise<void> {
    const visit = this.#visit;
    if (wantsJson(visit.request)) {
      const { incorporationForm: form } = await this.#run<{ incorporationForm: IncorporationFormDefinition }>(this.#operations.read, {
        ...this.#link,
      });
      visit.json(200, { data: form, message: form.isOpen ? 'Incorporation form found' : 'Incorporation form was submitted' });
      return;
    }
    const open = await openForm(visit.context(), this.#link);
    const view = viewOf(parseQuery(`?${visit.search}`).get('step'));
    visit.page(200, formPage(await this.#stateOf(open, open.typed, view)));
  }

  async post(): Promise<void> {
    const visit = this.#visit;
    // The key of the link is checked before a byte of the body is read.
    const open = await formToHandIn(visit.context(), this.#link);
    if (/^application\/([\w.+-]+\+)?json/i.test(visit.request.headers['content-type'] ?? '')) {
      const answers = await readJson(visit.request, 1_048_576);
      if (typeof answers !== 'object' || answers === null || Array.isArray(answers))
        throw new GatewayError('INVALID_JSON', 'the body must be a JSON object with the answers');
      const { submitIncorporationForm } = await this.#runSubmit(answers);
      visit.json(200, { data: submitIncorporationForm, message: 'Incorporation form submitted' });
      return;
    }
    await this.#postForm(open);
  }

  async #postForm(open: OpenForm): Promise<void> {
    const { services } = this.#visit.options;
    const posted: [string, string][] = [];
    const asksFile = open.fields.some((field) => field.kind === 'file');
    const files = await readForm(services, open.organisationId, this.#visit.request, {
      files: asksFile ? { names: [FILE], maxBytes: MAX_FILE_BYTES, most: 1 } : undefined,
      textBytes: MAX_TEXT,
      texts: MAX_TEXTS,
      text: (name, value) => posted.push([name, value]),
    });
    const file = files.get(FILE);
    let respond: () => void;
    try {
      respond = await this.#responseTo(open, posted, file);
    } finally {
      // Does nothing when the submission has adopted the file.
      if (file) await discardUpload(services, open.organisationId, file.fileId);
    }
    respond();
  }

  /** Performs the action of the pressed button; returns a function that sends the response. A program that names no step sends all answers at once. */
  async #responseTo(open: OpenForm, posted: Posted, file: StoredUpload | undefined): Promise<() => void> {
    const visit = this.#visit;
    const view = viewOf(controlOf(posted, 'step')) ?? 'all';
    const action = controlOf(posted, 'action') ?? 'submit';
    const [verb = '', field = '', place = ''] = action.split('.');
    const given = answersOf(posted);
    const persons = given.keyPersons as unknown[];
    if (action.startsWith('remove-person-')) persons.splice(Number(action.slice(14)), 1);
    const isFinder = verb === 'find' || verb === 'take';
    const isAddress = open.fields.some(({ name, kind }) => name === field && kind === 'address');
    const text = controlOf(posted, `find.${field}`) ?? '';
    const found = isFinder && isAddress ? { field, text, addresses: await findAddresses(visit.options.services, text) } : undefined;
    const chosen = verb === 'take' ? found?.addresses[Number(place)] : undefined;
    if (chosen) given[field] = { ...(given[field] as object | undefined), ...chosen.parts };

    const mark = controlOf(posted, 'mark');
    if (action === 'submit') return this.#submit(open, view, given, { file, mark });
    const changes = changesOf(open, view, given);
    const { isStale, answers } = await saveTyped(visit.context(), open, changes, mark);
    if (isStale) return this.#stale(open, view, changes, answers);
    const state = await this.#stateOf(open, answers, view);
    const at = FORM_STEPS.indexOf(view as FormStep);
    if (action === 'later') return () => visit.page(200, savedPage(state));
    if (verb === 'go' && isView(field)) return () => visit.goTo(this.#addressOf(field));
    if (action === 'back') return () => visit.goTo(this.#addressOf(FORM_STEPS[at - 1] ?? 'company'));
    if (chosen) return () => visit.goTo(`${this.#addressOf(view)}#${field}`);
    if (action === 'next') {
      const reported = issuesOn(state, view);
      const next = FORM_STEPS[at + 1];
      return reported.length === 0 && next
        ? () => visit.goTo(this.#addressOf(next))
        : () => visit.page(400, formPage({ ...state, reported }));
    }
    // What is missing is not reported yet while a block is added or removed, an address is looked up, or the country changes.
    const more = action === 'add-person' ? 1 : 0;
    const calm = { ...state, reported: [], persons: Math.min(MAX_PERSONS, state.persons + (persons.length > 0 ? more : 0)) };
    return () => visit.page(200, formPage(found ? { ...calm, found } : calm));
  }

  /** The page again with what was typed, next to the answers that another window has saved since it was shown. */
  async #stale(open: OpenForm, view: View, changes: Record<string, unknown>, saved: Record<string, unknown>): Promise<() => void> {
    const state = await this.#stateOf(open, { ...saved, ...changes }, view, saved);
    const isOther = (name: string): boolean =>
      markOf(saved, [name]) !== markOf(changes, [name]) && !(isBlank(saved[name]) && isBlank(changes[name]));
    const names = Object.keys(changes).filter(isOther);
    const savedSince = open.fields.filter(({ name }) => names.includes(name)).map((field) => ({ field, value: saved[field.name] }));
    return () => this.#visit.page(409, formPage({ ...state, reported: [], savedSince }));
  }

  async #submit(
    open: OpenForm,
    view: View,
    given: Record<string, unknown>,
    { file, mark }: { file: StoredUpload | undefined; mark: string | undefined },
  ): Promise<() => void> {
    const visit = this.#visit;
    const { fields, typed } = open;
    const changes = changesOf(open, view, given);
    const names = namesOf(fields, 'all');
    const isSame = mark === undefined || mark === markOf(typed, names);
    // The last page shows all answers and sends none.
    if (!isSame && (view === 'review' || markOf(typed, names) !== markOf({ ...typed, ...changes }, names)))
      return this.#stale(open, view, changes, typed);
    // The last page sends no answers but the file.
    const answers = view === 'all' ? given : { ...typed, ...changes };
    try {
      const result = await this.#runSubmit(answers, file);
      if (wantsJson(visit.request))
        return () => visit.json(200, { data: result.submitIncorporationForm, message: 'Incorporation form submitted' });
      return () => visit.goTo(`${visit.path}?${new URLSearchParams({ key: this.#link.key })}`);
    } catch (error) {
      const { code, info } = publicError(error);
      if (!info.issues || wantsJson(visit.request)) throw error;
      const { issues } = info;
      const kept = view === 'all' ? (await saveTyped(visit.context(), open, changes)).answers : typed;
      const state = { ...(await this.#stateOf(open, kept, view)), issues, reported: issues };
      return () => visit.page(statusOf(code), formPage(state));
    }
  }
}

/** The names of the questions of a view that are answered as text. */
const namesOf = (fields: OpenForm['fields'], view: View): string[] =>
  fieldsOf(fields, view).flatMap(({ kind, name }) => (kind === 'file' ? [] : [name]));

/** What a view changes of the saved answers: each of its questions, also those that were emptied. Rejects answers to other questions. */
function changesOf({ fields }: OpenForm, view: View, given: Record<string, unknown>): Record<string, unknown> {
  const names = namesOf(fields, view);
  for (const [name, value] of Object.entries(given))
    if (!names.includes(name) && !(Array.isArray(value) && value.length === 0))
      throw invalid(shown(name), `${shown(name)} is not asked here`, 'UNKNOWN_FIELD');
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/** An error with its fields renamed to the boxes of the form: the members of the argument `answers`, and the file. */
const withFormNames = (error: unknown): unknown =>
  error instanceof GatewayError
    ? withRenamedFields(error, (field) =>
        field === 'proofOfAddress' ? 'proofOfAddressFileId' : joined(segmentsOf(field.replace(/^answers\./, '')), true),
      )
    : error;

/** The data of the stored operation that hands a form in. */
interface Submitted {
  submitIncorporationForm: unknown;
}

/** Mounts the form. */
export const incorporationFormAdapter = hosted(({ executor }) => {
  const operations = { read: executor.compile(parse(READ)), submit: executor.compile(parse(SUBMIT)) };
  return {
    path: PATH,
    titles: { 409: 'This request has ended', 410: 'This link has expired' },
    wantsJson,
    serve: async (visit) => {
      checkMethod(visit, ['GET', 'HEAD', 'POST']);
      const form = new FormVisit(visit, operations);
      await (visit.request.method === 'POST' ? form.post() : form.show());
    },
    renewal: {
      isKept: true,
      state: (visit) => expiredForm(visit.context(), linkOf(visit)),
      ask: (visit) => askForFormLink(visit.context(), linkOf(visit)),
    },
  };
});

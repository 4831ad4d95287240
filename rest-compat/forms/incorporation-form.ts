// The adapter of the hosted incorporation form: reads the key of the signed link, runs the form's operations, answers HTML, or JSON on request.
import type { Response } from 'express';
import { parse } from 'graphql';
import type { RequestContext } from '../../src/access/context.ts';
import { discardUpload, type StoredUpload } from '../../src/files/stored-file.ts';
import { joined, segmentsOf, withRenamedFields } from '../../src/graphql/argument-path.ts';
import type { Operation, Variables } from '../../src/graphql/executor.ts';
import { requestContext } from '../../src/http/authentication.ts';
import { readJson } from '../../src/http/json-body.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { MAX_FILE_BYTES } from '../../src/platform/files/resolver.ts';
import { formToHandIn, type IncorporationFormDefinition, type OpenForm } from '../../src/platform/incorporation/form-resolver.ts';
import { GatewayError } from '../../src/records/errors.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';
import { publicError, renderers, statusOf } from '../runtime/error-bodies.ts';
import { readForm } from '../runtime/multipart.ts';
import { parseQuery } from '../runtime/route-tree.ts';
import { actionOf, answersOf, type Posted } from './incorporation-answers.ts';
import { formPage, messagePage } from './incorporation-page.ts';
import { formStyleHash } from './incorporation-style.ts';

const PATH = /^\/incorporate\/([a-z]{2})\/([a-z0-9_]{1,64})$/;

const READ = `query IncorporationForm($id: ID!, $country: String!, $key: String!) {
  incorporationForm(id: $id, country: $country, key: $key) {
    id country state corporationType status isOpen note ownership expiresAt answers
    roles { role atLeast atMost }
    fields { name label kind required }
  }
}`;

const SUBMIT = `mutation SubmitIncorporationForm($id: ID!, $country: String!, $key: String!, $answers: JSONObject!, $file: Upload, $fileName: String) {
  submitIncorporationForm(id: $id, country: $country, key: $key, answers: $answers, proofOfAddress: $file, proofOfAddressName: $fileName) { id status }
}`;

const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src ${formStyleHash}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Part of the form that holds a file. */
const FILE = 'proofOfAddress';
const MAX_TEXT = 20_000;
/** 50 persons with 18 boxes each, and the rest of the form. */
const MAX_TEXTS = 1_000;
const MOST_PERSONS = 50;

const wantsJson = (request: RequestWithId): boolean => {
  const accept = request.headers.accept ?? '';
  return accept.includes('json') && !accept.includes('text/html');
};

const TITLES: Readonly<Record<number, string>> = {
  404: 'This link does not work',
  405: 'This page cannot do that',
  409: 'This request has ended',
  410: 'This link has expired',
  429: 'Too many requests',
};

/** One request to the form. */
class Visit {
  readonly #options: AdapterOptions;
  readonly #operations: { read: Operation; submit: Operation };
  readonly #request: RequestWithId;
  readonly #response: Response;
  readonly #link: { id: string; country: string; key: string };

  constructor(
    options: AdapterOptions,
    operations: { read: Operation; submit: Operation },
    request: RequestWithId,
    response: Response,
    link: { id: string; country: string; key: string },
  ) {
    this.#options = options;
    this.#operations = operations;
    this.#request = request;
    this.#response = response;
    this.#link = link;
  }

  #context(): RequestContext {
    return requestContext(this.#options.services, this.#request.id, null, this.#request.ip ?? null);
  }

  async #run(operation: Operation, more: Variables = {}): Promise<Record<string, unknown>> {
    const { data, errors } = await operation.run(this.#context(), { ...this.#link, ...more });
    if (errors?.[0]) throw withFormNames(errors[0].originalError ?? errors[0]);
    return data as Record<string, unknown>;
  }

  async #form(): Promise<IncorporationFormDefinition> {
    return (await this.#run(this.#operations.read)).incorporationForm as IncorporationFormDefinition;
  }

  #json(status: number, body: unknown): void {
    this.#response.status(status).type('application/json').end(JSON.stringify(body));
  }

  #page(status: number, text: string): void {
    this.#response.status(status).type('html').end(text);
  }

  async show(): Promise<void> {
    const form = await this.#form();
    if (wantsJson(this.#request))
      this.#json(200, { data: form, message: form.isOpen ? 'Incorporation form found' : 'Incorporation form was submitted' });
    else {
      const answers = (form.answers ?? {}) as Record<string, unknown>;
      const given = (answers.keyPersons as unknown[] | undefined)?.length ?? 0;
      this.#page(200, formPage({ form, answers, issues: [], persons: Math.max(1, given) }));
    }
  }

  async post(): Promise<void> {
    // The key of the link is checked before a byte of the body is read.
    const open = await formToHandIn(this.#context(), this.#link);
    if (/^application\/([\w.+-]+\+)?json/i.test(this.#request.headers['content-type'] ?? '')) {
      const answers = await readJson(this.#request, 1_048_576);
      if (typeof answers !== 'object' || answers === null || Array.isArray(answers))
        throw new GatewayError('INVALID_JSON', 'the body must be a JSON object with the answers');
      const { submitIncorporationForm } = await this.#run(this.#operations.submit, { answers });
      this.#json(200, { data: submitIncorporationForm, message: 'Incorporation form submitted' });
      return;
    }
    await this.#postForm(open);
  }

  async #postForm({ organisationId, form }: OpenForm): Promise<void> {
    const { services } = this.#options;
    const posted: [string, string][] = [];
    const asksFile = form.fields.some((field) => field.kind === 'file');
    const file = await readForm(services, organisationId, this.#request, {
      file: asksFile ? { name: FILE, maxBytes: MAX_FILE_BYTES } : undefined,
      textBytes: MAX_TEXT,
      texts: MAX_TEXTS,
      text: (name, value) => posted.push([name, value]),
    });
    let answer: () => void;
    try {
      answer = await this.#answerOf(form, posted, file);
    } finally {
      // Does nothing when the submission has adopted the file.
      if (file) await discardUpload(services, organisationId, file.fileId);
    }
    answer();
  }

  /** Performs the action of the pressed button; returns a function that sends the answer. */
  async #answerOf(form: IncorporationFormDefinition, posted: Posted, file: StoredUpload | undefined): Promise<() => void> {
    const answers = answersOf(posted);
    const persons = answers.keyPersons as unknown[];
    const action = actionOf(posted);
    if (action !== 'submit') {
      if (action.startsWith('remove-person-')) persons.splice(Number(action.slice(14)), 1);
      const more = action === 'add-person' ? 1 : 0;
      const shownPersons = Math.min(MOST_PERSONS, Math.max(1, persons.length + more));
      return () => this.#page(200, formPage({ form, answers, issues: [], persons: shownPersons }));
    }
    try {
      const result = await this.#run(this.#operations.submit, {
        answers,
        ...(file ? { file, fileName: file.name } : {}),
      });
      if (wantsJson(this.#request))
        return () => this.#json(200, { data: result.submitIncorporationForm, message: 'Incorporation form submitted' });
      // Redirects to GET, so that reloading the page does not send the answers again.
      return () => this.#response.status(303).setHeader('Location', this.#request.url).end();
    } catch (error) {
      const { code, info } = publicError(error);
      if (!info.issues || wantsJson(this.#request)) throw error;
      const { issues } = info;
      return () => this.#page(statusOf(code), formPage({ form, answers, issues, persons: Math.max(1, persons.length) }));
    }
  }

  fail(thrown: unknown): void {
    const { services } = this.#options;
    const error = publicError(thrown);
    const status = statusOf(error.code);
    if (this.#response.headersSent) {
      this.#response.destroy();
      return;
    }
    if (status >= 500) services.log.error({ err: thrown, requestId: this.#request.id }, 'incorporation form failed');
    if (error.info.allow) this.#response.setHeader('Allow', error.info.allow.join(', '));
    if (error.info.retryAfterSeconds !== undefined) this.#response.setHeader('Retry-After', Math.ceil(error.info.retryAfterSeconds));
    const path = this.#request.url.split('?', 1)[0]!;
    if (wantsJson(this.#request))
      this.#json(
        status,
        renderers.platform(error, status, { requestId: this.#request.id, path, now: services.clock.now(), credential: 'none' }),
      );
    else this.#page(status, messagePage(TITLES[status] ?? 'Something is not right', error.message));
  }
}

/** An error with its fields renamed to the boxes of the form: the members of the argument `answers`, and the file. */
const withFormNames = (error: unknown): unknown =>
  error instanceof GatewayError
    ? withRenamedFields(error, (field) =>
        field === 'proofOfAddress' ? 'proofOfAddressFileId' : joined(segmentsOf(field.replace(/^answers\./, '')), true),
      )
    : error;

/** Mounts the form, on every host. */
export const incorporationFormAdapter: Adapter = (app, options) => {
  const operations = { read: options.executor.compile(parse(READ)), submit: options.executor.compile(parse(SUBMIT)) };
  app.use((request, response, next) => {
    const [pathname, search = ''] = request.url.split('?', 2) as [string, string?];
    const match = PATH.exec(pathname);
    if (!match) {
      next();
      return;
    }
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const link = { country: match[1]!, id: match[2]!, key: '' };
    const visit = new Visit(options, operations, request as RequestWithId, response, link);
    const run = async (): Promise<void> => {
      options.rateLimit.take(request.ip ?? '', response, options.services.clock.now());
      link.key = parseQuery(`?${search}`).get('key') ?? '';
      if (request.method === 'POST') await visit.post();
      else if (request.method === 'GET' || request.method === 'HEAD') await visit.show();
      else throw new GatewayError('METHOD_NOT_ALLOWED', 'this path answers GET, POST', { allow: ['GET', 'HEAD', 'POST'] });
    };
    run().catch((error: unknown) => visit.fail(error));
  });
};

// The adapter of the hosted page of connections: reads the key of the link, shows and stores its form, and takes people to a sign-in and back.

import { publicError, statusOf } from '../../rest-compat/runtime/error-bodies.ts';
import { readForm, shown } from '../../src/files/posted-form.ts';
import { endLink } from '../../src/integrations/connections/connection.ts';
import { storeParts } from '../../src/integrations/connections/connection-store.ts';
import {
  askForLink,
  changeLinked,
  checkPosted,
  expiredLink,
  formOf,
  linkInUse,
  type OpenLink,
  openLink,
  storeLinked,
  tryLinked,
} from '../../src/integrations/connections/link.ts';
import { finishSignIn, forgetTokens, sealSignIn, signInOf, startSignIn } from '../../src/integrations/connections/sign-in.ts';
import { FILES } from '../../src/integrations/connectors/files/inbox.ts';
import { openSourceHttp } from '../../src/integrations/connectors/source-http.ts';
import { GatewayError, invalid } from '../../src/records/errors.ts';
import { connectedPage, linkPage, onTheWayPage, type PostedState } from './connection-page.ts';
import { FilesVisit } from './files-form.ts';
import { checkMethod, checkSite, hosted, type Visit } from './hosted-page.ts';

const PATH = /^\/connect\/([a-z0-9_]{1,64})$/;
const CALLBACK = 'callback';

/** The cookie with the state of a sign-in: who comes back must be who went. */
const COOKIE = 'connect_state';
/** Most bytes of one text of the form. It is above the limit of a setting, so that the setting's own rule is reported. */
const MAX_TEXT = 20_000;
const MAX_TEXTS = 200;
/** Longest call to a source while a person waits. */
const CALL_MS = 20_000;

/** Codes of a source besides those that begin with PLATFORM. */
const OF_SOURCE: ReadonlySet<string> = new Set(['CONNECTION_EXPIRED', 'INVALID_PARAMS', 'OPERATION_DENIED', 'OPERATION_NOT_SUPPORTED']);

const UNTOUCHED: PostedState = { values: {}, issues: [] };

/** Whether an error is the response of a source to the settings, or why it cannot be asked. */
const isOfSource = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && (error.code.startsWith('PLATFORM_') || OF_SOURCE.has(error.code));

const keyOf = ({ search }: Visit): string => new URLSearchParams(search).get('key') ?? '';

/** One visit of the page. */
class ConnectionVisit {
  readonly #visit: Visit;

  constructor(visit: Visit) {
    this.#visit = visit;
  }

  #form(status: number, link: OpenLink, state: PostedState): void {
    this.#visit.page(status, linkPage(formOf(this.#visit.options.services, link), state));
  }

  /** Shows the form again with what the source says; its link still works. */
  #refuse(link: OpenLink, values: PostedState['values'], refusal: string): void {
    this.#form(400, link, { values, issues: [], refusal });
  }

  async open(): Promise<void> {
    const visit = this.#visit;
    const id = visit.parts[0]!;
    checkMethod(visit, id === CALLBACK ? ['GET'] : ['GET', 'HEAD', 'POST']);
    if (id === CALLBACK) return this.#comeBack();
    const link = await openLink(visit.options.services, id, keyOf(visit));
    if (link.definition.source === FILES) return new FilesVisit(visit, link).open();
    if (visit.request.method === 'POST') await this.#post(link);
    else this.#form(200, link, UNTOUCHED);
  }

  async #post(link: OpenLink): Promise<void> {
    checkSite(this.#visit);
    const posted = await this.#read(link);
    try {
      const settings = checkPosted(this.#visit.options.services, link, posted);
      if (link.definition.oauth) await this.#goToSignIn(link, settings);
      else {
        const form = formOf(this.#visit.options.services, link);
        const tried = await tryLinked(this.#visit.options.services, link, settings);
        const { status, statusReason } = await changeLinked(this.#visit.context(), link, (em, source, connection) => {
          storeLinked(em, source, connection, tried);
          endLink(connection);
        });
        this.#visit.page(200, connectedPage({ ...form, status, statusReason }));
      }
    } catch (error) {
      const { code, info, message } = publicError(error);
      if (!info.issues && !isOfSource(error)) throw error;
      const secrets = new Set(link.definition.settings.filter(({ kind }) => kind === 'secret').map(({ name }) => name));
      const values = Object.fromEntries(Object.entries(posted).filter(([name]) => !secrets.has(name)));
      if (info.issues) this.#form(statusOf(code), link, { values, issues: info.issues });
      else this.#refuse(link, values, message);
    }
  }

  /** The settings of the posted form, by their names. */
  async #read({ connection }: OpenLink): Promise<Record<string, string>> {
    const posted = new Map<string, string>();
    await readForm(this.#visit.options.services, connection.organisationId, this.#visit.request, {
      files: undefined,
      textBytes: MAX_TEXT,
      texts: MAX_TEXTS,
      text(path, value) {
        const name = /^settings\.(\w{1,64})$/.exec(path)?.[1];
        if (name === undefined) throw invalid(shown(path), `${shown(path)} is not a setting`, 'UNKNOWN_FIELD');
        if (posted.has(name)) throw invalid(path, `${path} is given more than once`, 'DUPLICATE');
        posted.set(name, value);
      },
    });
    return Object.fromEntries(posted);
  }

  async #goToSignIn(link: OpenLink, settings: ReturnType<typeof checkPosted>): Promise<void> {
    const { services } = this.#visit.options;
    const form = formOf(services, link);
    const { started, url } = await startSignIn(services, link.definition, link.connection.id);
    await changeLinked(this.#visit.context(), link, (em, source, connection) => {
      if (link.definition.settings.length > 0) storeLinked(em, source, connection, settings);
      connection.sealedSignIn = sealSignIn(services, connection.id, started);
    });
    const secure = services.config.publicUrl?.startsWith('https:') ? '; Secure' : '';
    this.#visit.response.setHeader(
      'Set-Cookie',
      `${COOKIE}=${started.state}; Path=/connect; HttpOnly; SameSite=Lax; Max-Age=3600${secure}`,
    );
    this.#visit.page(200, onTheWayPage(form, url));
  }

  /** Ends a sign-in: the person who comes back brings the state in the address and in the cookie. */
  async #comeBack(): Promise<void> {
    const { services } = this.#visit.options;
    const query = new URLSearchParams(this.#visit.search);
    const state = query.get('state') ?? '';
    const link = await linkInUse(services, state.split('.', 1)[0]!);
    const started = link && signInOf(services, link.connection, state);
    const isSame = this.#visit.request.headers.cookie?.split(/; */).includes(`${COOKIE}=${state}`) ?? false;
    if (!link || !started || !isSame)
      throw new GatewayError('RECORD_NOT_FOUND', 'this sign-in has ended already or began in another browser; open the link again');
    // The code is tried once, whatever comes of it.
    await changeLinked(this.#visit.context(), link, (_, __, connection) => {
      if (!signInOf(services, connection, state)) throw new GatewayError('RECORD_NOT_FOUND', 'this sign-in has ended already');
      connection.sealedSignIn = null;
    });
    this.#visit.response.setHeader('Set-Cookie', `${COOKIE}=; Path=/connect; HttpOnly; SameSite=Lax; Max-Age=0`);
    const { http, close } = openSourceHttp({
      privateHosts: services.config.connectorPrivateHosts,
      signal: AbortSignal.timeout(CALL_MS),
      now: () => services.clock.now(),
    });
    try {
      const tokens = await finishSignIn(services, link.definition, started, query, http);
      const parts = await tryLinked(services, link, { shown: {}, secret: tokens });
      const form = formOf(services, link);
      const { status, statusReason } = await changeLinked(this.#visit.context(), link, (em, source, connection) => {
        forgetTokens(services, connection);
        storeParts(em, source, connection, parts);
        endLink(connection);
      });
      this.#visit.page(200, connectedPage({ ...form, status, statusReason }));
    } catch (error) {
      if (!isOfSource(error)) throw error;
      this.#refuse(link, {}, error.message);
    } finally {
      await close();
    }
  }
}

/** Mounts the page. */
export const connectionFormAdapter = hosted(() => ({
  path: PATH,
  titles: {},
  serve: (visit) => new ConnectionVisit(visit).open(),
  renewal: {
    isKept: false,
    state: (visit) => expiredLink(visit.options.services, visit.parts[0]!, keyOf(visit)),
    ask: (visit) => askForLink(visit.context(), visit.parts[0]!, keyOf(visit)),
  },
}));

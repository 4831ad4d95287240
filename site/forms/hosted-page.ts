// The steps of every request to a hosted page: headers, the rate limit, the renewal of an expired link, and one way to show errors.
import type { Response } from 'express';
import { publicError, renderers, statusOf } from '../../rest-compat/runtime/error-bodies.ts';
import type { RequestContext } from '../../src/access/context.ts';
import { addressOf, networkOf, requestContext } from '../../src/http/authentication.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { GatewayError } from '../../src/records/errors.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';
import { askedPage, expiredPage, messagePage, pageHeaders } from './form-document.ts';

/** Parameter of the address of an expired link's page with which its button asks for a new link. */
const ASK = 'ask';

/** One request to a hosted page. */
export class Visit {
  readonly options: AdapterOptions;
  readonly request: RequestWithId;
  readonly response: Response;
  /** The path, its matches with the pattern of the page, and the text after the question mark. */
  readonly path: string;
  readonly parts: readonly string[];
  readonly search: string;

  constructor(options: AdapterOptions, request: RequestWithId, response: Response, match: RegExpExecArray, search: string) {
    this.options = options;
    this.request = request;
    this.response = response;
    this.path = match[0];
    this.parts = match.slice(1);
    this.search = search;
  }

  /** The context of what the visitor does, who has no key of the gateway. */
  context(): RequestContext {
    return requestContext(this.options.services, this.request.id, null, this.address, true);
  }

  get address(): string {
    return addressOf(this.request, this.options.services.config.trustedProxies);
  }

  page(status: number, text: string): void {
    this.response.status(status).type('html').end(text);
  }

  json(status: number, body: unknown): void {
    this.response.status(status).type('application/json').end(JSON.stringify(body));
  }

  /** Redirects to another address of the page, so that reloading it sends nothing again. */
  goTo(address: string): void {
    this.response.status(303).setHeader('Location', address).end();
  }
}

/** How a new link is requested for an expired one. No link is shown here: the organisation is notified and sends a new one. */
export interface Renewal {
  /** Whether a new link opens what was entered before. */
  isKept: boolean;
  /** Who can renew the link of a visit, and whether they were asked already. Throws for a link that has no renewal. */
  state(visit: Visit): Promise<{ organisation: string; isAsked: boolean }>;
  ask(visit: Visit): Promise<void>;
}

/** A kind of hosted page. */
export interface HostedPage {
  path: RegExp;
  /** Titles of error pages, where this page has its own. */
  titles: Readonly<Record<number, string>>;
  /** Whether a visitor is a program that reads JSON. */
  wantsJson?(request: RequestWithId): boolean;
  serve(visit: Visit): Promise<void>;
  renewal: Renewal;
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'This page cannot do that',
  404: 'This link does not work',
  405: 'This page cannot do that',
  410: 'This link has ended',
  429: 'Too many requests',
};

/** What a visitor can do about a link that opens nothing: the error speaks of records, to programs. */
const BROKEN = 'It may be incomplete, or a newer one was made since. Open it as it was sent to you, or ask its sender for a new one';

/** Shows an error: as JSON to programs, as the renewal of a link that has expired, otherwise as a page with its message. */
async function fail(page: HostedPage, visit: Visit, thrown: unknown): Promise<void> {
  const { request, response, options, path } = visit;
  const error = publicError(thrown);
  const status = statusOf(error.code);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status >= 500) options.services.log.error({ err: thrown, requestId: request.id }, 'hosted page failed');
  if (error.info.allow) response.setHeader('Allow', error.info.allow.join(', '));
  if (error.info.retryAfterSeconds !== undefined) response.setHeader('Retry-After', Math.ceil(error.info.retryAfterSeconds));
  if (page.wantsJson?.(request)) {
    const facts = { requestId: request.id, path, now: options.services.clock.now(), credential: 'none' };
    visit.json(status, renderers.platform(error, status, facts));
    return;
  }
  const title = page.titles[status] ?? TITLES[status] ?? 'Something is not right';
  const renewal = error.code === 'LINK_EXPIRED' ? await page.renewal.state(visit).catch(() => undefined) : undefined;
  const key = new URLSearchParams(visit.search).get('key') ?? '';
  const address = `${path}?${new URLSearchParams({ key })}`;
  // What a form cannot hold is no reason to lose the form.
  const isRefused = request.method === 'POST' && (status === 400 || status === 413);
  const isBroken = status === 404 && error.info.field === 'id';
  const text = renewal
    ? expiredPage({ ...renewal, isKept: page.renewal.isKept }, `${address}&${ASK}=1`)
    : messagePage(title, isBroken ? BROKEN : error.message, isRefused ? address : undefined);
  visit.page(status, text);
}

async function respond(page: HostedPage, visit: Visit): Promise<void> {
  const { options, request, response } = visit;
  options.rateLimit.take(networkOf(visit.address), response, options.services.clock.now());
  if (request.method === 'POST' && new URLSearchParams(visit.search).has(ASK)) {
    const { organisation } = await page.renewal.state(visit);
    await page.renewal.ask(visit);
    visit.page(200, askedPage(organisation));
  } else await page.serve(visit);
}

/** Rejects other methods than these. */
export function checkMethod({ request }: Visit, allow: readonly string[]): void {
  if (!allow.includes(request.method))
    throw new GatewayError('METHOD_NOT_ALLOWED', `method not allowed; use ${allow.join(', ')}`, { allow: [...allow] });
}

/** Rejects a form that another site sends. Browsers say where it comes from; `Origin` is null here, because the page sends no referrer. */
export function checkSite({ request }: Visit): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new GatewayError('FORBIDDEN', 'the form must be sent from this page');
}

/** Mounts a page, on every host. */
export const hosted =
  (page: (options: AdapterOptions) => HostedPage): Adapter =>
  (app, options) => {
    const own = page(options);
    app.use((request, response, next) => {
      const [pathname = '', search = ''] = request.url.split('?', 2);
      const match = own.path.exec(pathname);
      if (!match) {
        next();
        return;
      }
      for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
      const visit = new Visit(options, request, response, match, search);
      respond(own, visit)
        .catch((error: unknown) => fail(own, visit, error))
        .catch((error: unknown) => {
          options.services.log.error({ err: error, requestId: request.id }, 'hosted page failed');
          response.destroy();
        });
    });
  };

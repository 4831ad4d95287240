// Serves the applications at /apps: a page that lists them, a page for each, and their built files.
import { type RequestHandler, Router } from 'express';
import { isLoopback } from '../../src/config.ts';
import type { DemoKeys } from '../../src/demo/demo.ts';
import type { Adapter } from '../../src/server/app.ts';
import { Assets } from '../pages/assets.ts';
import { version } from '../pages/documentation.ts';
import { NAME } from '../pages/gateway-model.ts';
import { sendPage } from '../pages/pages.ts';
import { type Fragment, html } from '../pages/parts/html.ts';
import { type Page, shell } from '../pages/shell.ts';

const BASE = '/apps/';

interface Application {
  /** Its last part of the address, and its folder below `app/src`. */
  readonly name: string;
  readonly title: string;
  /** What a visitor can do with it. */
  readonly purpose: string;
  /** What of the gateway it shows. */
  readonly shows: string;
}

const applications: readonly Application[] = [
  {
    name: 'dashboard',
    title: 'Accounting dashboard',
    purpose:
      'What was invoiced, with a table that changes while you look; profit and loss by month, the balance sheet, and who owes what, down to the postings.',
    shows: 'One query for the first screen, one for each page of the table, sums made by the gateway, a subscription instead of polls.',
  },
  {
    name: 'onboarding',
    title: 'Onboarding wizard',
    purpose:
      'A new company in six steps: name and legal form, tax numbers, address, registrations, documents, review. Close it and come back.',
    shows: 'Errors as data, each next to its field; optimistic locks; choices per country; an upload.',
  },
  {
    name: 'webhooks',
    title: 'Webhook screen',
    purpose: 'Webhooks and their deliveries as they happen; send a test, retry one, replay a day, verify a signature.',
    shows: 'Live deliveries, filters over relations, numbers by status in the same query as the list.',
  },
];

function indexBody(): Fragment {
  return html`<main id="main" class="column"><h1>Applications</h1>
<p class="lead">Three small applications on the GraphQL API, with their sources in <code>site/apps/app</code>: React, Apollo Client, and types generated from the schema.</p>
<ul class="cards">${applications.map(
    ({ name, title, purpose, shows }) =>
      html`<li class="card"><h2><a href="${BASE}${name}">${title}</a></h2><p>${purpose}</p><p>${shows}</p></li>`,
  )}</ul></main>`;
}

/** The page of an application; `key` is a demo key, or empty where the visitor is asked for one. */
function applicationBody({ title, purpose }: Application, key: string): Fragment {
  const root = key ? html`<div id="app" data-key="${key}"></div>` : html`<div id="app"></div>`;
  return html`<main id="main" class="application"><h1>${title}</h1><p class="lead">${purpose}</p>${root}<noscript><p>This application needs JavaScript.</p></noscript></main>`;
}

/** The adapter of the applications. A demo key is in their pages only while the gateway is bound to loopback; elsewhere visitors bring their own. */
export const appsAdapter =
  (demo: DemoKeys | null): Adapter =>
  (app, { services }) => {
    const key = demo && isLoopback(services.config.host) ? demo.bearer : '';
    const pageAssets = new Assets();
    const assets = new Assets('site/apps/built', BASE);
    const icon = pageAssets.url('src/icon.svg');
    const look = pageAssets.entry('src/site.ts');
    const router = Router();
    const serve = (page: Page): RequestHandler => {
      const text = shell({ name: NAME, version }, icon, page);
      return (_request, response) => sendPage(response, text);
    };
    router.get(/^\/apps\/assets\/[\w.-]+$/, assets.serve);
    router.get('/apps', serve({ path: '/apps', title: 'Applications', entry: look, body: indexBody() }));
    for (const application of applications) {
      const { script, styles } = assets.entry(`src/${application.name}/main.tsx`);
      const entry = { script, styles: [...look.styles, ...styles] };
      const page = { path: '/apps', title: application.title, entry, body: applicationBody(application, key) } as const;
      router.get(`${BASE}${application.name}`, serve(page));
    }
    app.use(router);
  };

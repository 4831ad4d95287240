// The present operation as a program, in six forms: what a reader copies into a shell, a script or an application.
import type { OperationTypeNode } from 'graphql';
import { shellQuoted } from '../../../parts/shell-quote.ts';
import { headersOf } from './headers.ts';

/** What a snippet is made from. */
export interface SnippetSource {
  /** Address of the endpoint: `https://gateway.example/graphql`. */
  readonly endpoint: string;
  /** Header that carries the key. */
  readonly header: string;
  /** The key, where the reader wants it in the snippet; otherwise the snippet reads it from the environment. */
  readonly key?: string;
  readonly kind: OperationTypeNode;
  readonly document: string;
  /** JSON text; empty without any. */
  readonly variables: string;
  /** JSON text of further request headers; empty without any. */
  readonly headers?: string;
  /** Set where the document has several operations. */
  readonly operationName?: string;
}

/** The forms, in the order of their tabs. */
export const SNIPPET_FORMS = ['curl', 'fetch', 'Apollo Client', 'urql', 'Relay', 'Python'] as const;
/** One of the forms. */
export type SnippetForm = (typeof SNIPPET_FORMS)[number];

/** The operation in a form. */
export function snippetOf(form: SnippetForm, source: SnippetSource): string {
  const isLive = source.kind === 'subscription';
  const { once, live } = WRITERS[form];
  return `${(isLive ? live : once)({ ...source, document: source.document.trim(), variables: jsonOf(source.variables) })}\n`;
}

type Write = (source: SnippetSource) => string;

/** The text where it is JSON; a snippet of half-typed variables has none. */
function jsonOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text)) === '{}' ? '' : text.trim();
  } catch {
    return '';
  }
}

const EVENTS = 'text/event-stream';
const isBearer = ({ header }: SnippetSource): boolean => header.toLowerCase() === 'authorization';
const headerName = ({ header }: SnippetSource): string => header.toLowerCase();

// The reader's numbers stay as they were typed: a parsed and printed one may have other digits.
function bodyOf({ document, variables, operationName }: SnippetSource): string {
  const members = [`"query": ${JSON.stringify(document)}`];
  if (variables) members.push(`"variables": ${variables}`);
  if (operationName) members.push(`"operationName": ${JSON.stringify(operationName)}`);
  return `{${members.join(', ')}}`;
}

/** The further headers; a snippet of half-typed ones has none. */
function furtherHeaders({ headers = '' }: SnippetSource): [name: string, value: string][] {
  try {
    return Object.entries(headersOf(headers));
  } catch {
    return [];
  }
}

function curl(source: SnippetSource): string {
  const bearer = isBearer(source) ? 'Bearer ' : '';
  const credential = source.key ? shellQuoted(`${source.header}: ${bearer}${source.key}`) : `"${source.header}: ${bearer}$KEY"`;
  const isLive = source.kind === 'subscription';
  return [
    `curl${isLive ? ' -N' : ''} ${shellQuoted(source.endpoint)}`,
    `-H ${credential}`,
    `-H 'content-type: application/json'`,
    ...furtherHeaders(source).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(isLive ? [`-H 'accept: ${EVENTS}'`] : []),
    `-d ${shellQuoted(bodyOf(source))}`,
  ].join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const template = (text: string): string => `\`${text.replaceAll(/[\\`]|\$\{/g, '\\$&')}\``;
const keyLine = ({ key }: SnippetSource): string => `const KEY = ${key ? quoted(key) : 'process.env.KEY'};`;
// biome-ignore lint/suspicious/noTemplateCurlyInString: the snippet has the template.
const keyValue = (source: SnippetSource): string => (isBearer(source) ? '`Bearer ${KEY}`' : 'KEY');
const property = (name: string): string => (/^[a-z_]+$/.test(name) ? name : quoted(name));
const keyHeader = (source: SnippetSource): string => `${property(headerName(source))}: ${keyValue(source)}`;
const requestHeaders = (source: SnippetSource): string =>
  [keyHeader(source), ...furtherHeaders(source).map(([name, value]) => `${property(name)}: ${quoted(value)}`)].join(', ');
const documentLine = (source: SnippetSource, tag = ''): string => `const DOCUMENT = ${tag}${template(source.document)};`;
const variablesLine = ({ variables }: SnippetSource): string => `const variables = ${variables || '{}'};`;

const fetchCall = (source: SnippetSource, accept: string): string => `${keyLine(source)}
${documentLine(source)}
${variablesLine(source)}

const response = await fetch(${quoted(source.endpoint)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json', ${accept}${requestHeaders(source)} },
  body: JSON.stringify({ query: DOCUMENT, variables${source.operationName ? `, operationName: ${quoted(source.operationName)}` : ''} }),
});`;

const fetchOnce: Write = (source) => `${fetchCall(source, '')}
const { data, errors } = await response.json();
console.log(JSON.stringify({ data, errors }, null, 2));`;

const fetchLive: Write = (source) => `${fetchCall(source, `accept: '${EVENTS}', `)}
let unread = '';
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  const events = (unread + chunk).split('\\n\\n');
  unread = events.pop();
  for (const event of events) {
    const message = /^data: (.+)$/m.exec(event)?.[1];
    if (message) console.log(JSON.parse(message));
  }
}`;

const socketUrl = ({ endpoint }: SnippetSource): string => quoted(endpoint.replace(/^http/, 'ws'));
const socketLine = (source: SnippetSource): string =>
  `const socket = createClient({ url: ${socketUrl(source)}, connectionParams: { ${keyHeader(source)} } });`;

const apolloOnce: Write = (source) => `import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';

${keyLine(source)}
const client = new ApolloClient({
  link: new HttpLink({ uri: ${quoted(source.endpoint)}, headers: { ${requestHeaders(source)} } }),
  cache: new InMemoryCache(),
});

${documentLine(source, 'gql')}
${variablesLine(source)}

const { data } = await client.${source.kind === 'mutation' ? 'mutate({ mutation: DOCUMENT, variables })' : 'query({ query: DOCUMENT, variables })'};
console.log(data);`;

const apolloLive: Write = (source) => `import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';

${keyLine(source)}
${socketLine(source)}
const client = new ApolloClient({ link: new GraphQLWsLink(socket), cache: new InMemoryCache() });

${documentLine(source, 'gql')}
${variablesLine(source)}

client.subscribe({ query: DOCUMENT, variables }).subscribe(({ data }) => console.log(data));`;

const urqlOnce: Write = (source) => `import { cacheExchange, Client, fetchExchange, gql } from '@urql/core';

${keyLine(source)}
const client = new Client({
  url: ${quoted(source.endpoint)},
  // The second header lets queries by GET pass, which a page of another site could send unasked.
  fetchOptions: { headers: { ${requestHeaders(source)}, 'apollo-require-preflight': 'true' } },
  exchanges: [cacheExchange, fetchExchange],
});

${documentLine(source, 'gql')}
${variablesLine(source)}

const { data, error } = await client.${source.kind}(DOCUMENT, variables).toPromise();
console.log(data, error);`;

const urqlLive: Write = (source) => `import { Client, gql, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';

${keyLine(source)}
${socketLine(source)}
const forwardSubscription = ({ query, variables }) => ({
  subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
});
const client = new Client({ url: ${quoted(source.endpoint)}, exchanges: [subscriptionExchange({ forwardSubscription })] });

${documentLine(source, 'gql')}
${variablesLine(source)}

client.subscription(DOCUMENT, variables).subscribe(({ data, error }) => console.log(data, error));`;

const RELAY_NOTE = `// Its compiler reads the operation, whose name has to begin with the name of this file.`;
const relayFetch = (source: SnippetSource): string => `const ask = async ({ text }, variables) => {
  const response = await fetch(${quoted(source.endpoint)}, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ${requestHeaders(source)} },
    body: JSON.stringify({ query: text, variables }),
  });
  return response.json();
};`;

const relayCall = (kind: OperationTypeNode): [name: string, call: string] =>
  kind === 'mutation'
    ? [
        'commitMutation',
        'commitMutation(environment, { mutation: DOCUMENT, variables, onCompleted: console.log, onError: console.error });',
      ]
    : ['fetchQuery', 'console.log(await fetchQuery(environment, DOCUMENT, variables).toPromise());'];

function relayOnce(source: SnippetSource): string {
  const [name, call] = relayCall(source.kind);
  return `import { Environment, graphql, Network, RecordSource, Store, ${name} } from 'relay-runtime';

${keyLine(source)}
${relayFetch(source)}
const environment = new Environment({ network: Network.create(ask), store: new Store(new RecordSource()) });

${RELAY_NOTE}
${documentLine(source, 'graphql')}
${variablesLine(source)}

${call}`;
}

const relayLive: Write = (source) => `import { createClient } from 'graphql-ws';
import { Environment, graphql, Network, Observable, RecordSource, requestSubscription, Store } from 'relay-runtime';

${keyLine(source)}
${socketLine(source)}
${relayFetch(source)}
const follow = ({ text }, variables) => Observable.create((sink) => socket.subscribe({ query: text, variables }, sink));
const environment = new Environment({ network: Network.create(ask, follow), store: new Store(new RecordSource()) });

${RELAY_NOTE}
${documentLine(source, 'graphql')}
${variablesLine(source)}

requestSubscription(environment, { subscription: DOCUMENT, variables, onNext: console.log, onError: console.error });`;

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON as Python writes it. */
const pythonValue = (json: string): string =>
  json.replaceAll(/"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g, (part) => PYTHON_WORDS[part] ?? JSON.stringify(JSON.parse(part)));
const pythonText = (text: string): string => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"')}"""`;

function pythonRequest(source: SnippetSource, accept: string): string {
  const value = isBearer(source) ? 'f"Bearer {KEY}"' : 'KEY';
  const name = source.operationName ? `, "operationName": ${JSON.stringify(source.operationName)}` : '';
  const further = furtherHeaders(source).map(([name, value]) => `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `import json
import os
import urllib.error
import urllib.request

KEY = ${source.key ? JSON.stringify(source.key) : 'os.environ["KEY"]'}
DOCUMENT = ${pythonText(source.document)}
variables = ${source.variables ? pythonValue(source.variables) : '{}'}

request = urllib.request.Request(
    ${JSON.stringify(source.endpoint)},
    data=json.dumps({"query": DOCUMENT, "variables": variables${name}}).encode(),
    headers={"content-type": "application/json", ${accept}${JSON.stringify(source.header)}: ${value}${further.join('')}},
)`;
}

const pythonOnce: Write = (source) => `${pythonRequest(source, '')}
try:
    with urllib.request.urlopen(request) as response:
        print(json.dumps(json.load(response), indent=2))
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())`;

const pythonLive: Write = (source) => `${pythonRequest(source, `"accept": "${EVENTS}", `)}
with urllib.request.urlopen(request) as response:
    for line in response:
        if line.startswith(b"data: {"):
            print(json.loads(line[6:]), flush=True)`;

const WRITERS: Readonly<Record<SnippetForm, { once: Write; live: Write }>> = {
  curl: { once: curl, live: curl },
  fetch: { once: fetchOnce, live: fetchLive },
  'Apollo Client': { once: apolloOnce, live: apolloLive },
  urql: { once: urqlOnce, live: urqlLive },
  Relay: { once: relayOnce, live: relayLive },
  Python: { once: pythonOnce, live: pythonLive },
};

// How the playground talks to the gateway: key and CSRF header on every request, schema file when introspection is off, WebSocket for subscriptions.
import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import { keyHeaders } from './map.ts';

const ENDPOINT = '/graphql';

const gatewayFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...keyHeaders(), 'apollo-require-preflight': 'true', ...(init?.headers as Record<string, string>) } });

async function schemaFromFile(): Promise<object> {
  const response = await fetch('/schema.graphql');
  if (!response.ok) throw new Error(`introspection is off and /schema.graphql answered ${response.status}`);
  return { data: introspectionFromSchema(buildSchema(await response.text())) };
}

const schemaFetcher: Fetcher = async (params) => {
  const body = JSON.stringify(params);
  const response = await gatewayFetch(ENDPOINT, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = await response.json().catch(() => undefined);
  return answer?.data?.__schema ? answer : schemaFromFile();
};

export function createFetcher(): Fetcher {
  const wsClient = createClient({ url: `${location.origin.replace(/^http/, 'ws')}${ENDPOINT}`, connectionParams: keyHeaders });
  return createGraphiQLFetcher({ url: ENDPOINT, fetch: gatewayFetch, schemaFetcher, wsClient });
}

// How the playground talks to the gateway: one request with its measures, or a subscription over WebSocket.
import type { Client } from 'graphql-ws';
import { keyHeaders } from '../map.ts';
import { headersOf } from './headers.ts';
import { indented } from './json-text.ts';

/** Path of the endpoint. */
export const ENDPOINT = '/graphql';

/** An operation to run; variables and headers are JSON text, the variables sent as they were typed. */
export interface Request {
  readonly document: string;
  readonly variables: string;
  /** Sent with queries and mutations; a browser cannot set the headers of a WebSocket. */
  readonly headers?: string;
  readonly operationName?: string | undefined;
}

/** What an operation cost, as the gateway reports it on request. */
export interface Usage {
  readonly cost: number;
  readonly costLimit: number;
  readonly requestsLeft: number | null;
  readonly requestsLimit: number | null;
  readonly statements: number;
  readonly milliseconds: number;
}

/** A response and its measures. */
export interface OperationResponse {
  readonly text: string;
  /** HTTP status; 0 where no response came. */
  readonly status: number;
  /** From the request to the last byte of the response. */
  readonly milliseconds: number;
  /** Bytes of the response, and how many of them went over the wire where it was compressed. */
  readonly bytes: number;
  readonly bytesSent?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly hasErrors: boolean;
}

const USAGE = 'x-graphql-usage';

function bodyOf({ document, variables, operationName }: Request): string {
  const members = [`"query":${JSON.stringify(document)}`];
  // Not parsed and printed: a number keeps the digits it was typed with.
  if (variables.trim()) members.push(`"variables":${variables}`);
  if (operationName) members.push(`"operationName":${JSON.stringify(operationName)}`);
  return `{${members.join(',')}}`;
}

/** The bytes on the wire of the latest request, as the browser measured them. */
function bytesOnWire(began: number): number | undefined {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const entry = entries.findLast(({ name, startTime }) => startTime >= began && new URL(name).pathname === ENDPOINT);
  performance.clearResourceTimings();
  return entry?.encodedBodySize || undefined;
}

// The gateway writes what it cost last; a text in the data has its quotation marks escaped, so it cannot look like this.
const USAGE_TEXT = /,?"extensions":\{"usage":\{[^{}]*\}\}(?=\}\s*$)/;

/** The response as an application would get it: what it cost is shown next to it, and was only asked for that. */
function withoutUsage(text: string): { shown: string; usage?: Usage; hasErrors: boolean } {
  try {
    const response = JSON.parse(text) as { errors?: unknown; extensions?: { usage?: Usage } };
    const usage = response.extensions?.usage;
    return { shown: indented(text.replace(USAGE_TEXT, '')), ...(usage ? { usage } : {}), hasErrors: response.errors !== undefined };
  } catch {
    return { shown: text, hasErrors: true };
  }
}

/** Runs a query or mutation. */
export async function send(request: Request, signal?: AbortSignal): Promise<OperationResponse> {
  const began = performance.now();
  const elapsed = (): number => Math.round(performance.now() - began);
  try {
    const response = await fetch(ENDPOINT, {
      method: 'POST',
      headers: {
        ...headersOf(request.headers ?? ''),
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json;q=0.9',
        [USAGE]: '1',
        ...keyHeaders(),
      },
      body: bodyOf(request),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    const milliseconds = elapsed();
    const { shown, usage, hasErrors } = withoutUsage(text);
    const bytes = new Blob([text]).size;
    return { text: shown, status: response.status, milliseconds, bytes, bytesSent: bytesOnWire(began), usage, hasErrors };
  } catch (error) {
    const text = signal?.aborted ? 'Stopped.' : `No response: ${(error as Error).message}`;
    return { text, status: 0, milliseconds: elapsed(), bytes: 0, hasErrors: true };
  }
}

/** Follows a subscription on a connection of its own, with the key of this moment; returns the function that ends it. */
export function follow(request: Request, onMessage: (message: unknown) => void, onEnd: (reason?: string) => void): () => void {
  let client: Client | undefined;
  let isStopped = false;
  const listen = async (): Promise<void> => {
    const { createClient } = await import('graphql-ws');
    if (isStopped) return;
    client = createClient({ url: `${location.origin.replace(/^http/, 'ws')}${ENDPOINT}`, connectionParams: keyHeaders(), lazy: true });
    const { document: query, operationName } = request;
    const variables = request.variables.trim() ? (JSON.parse(request.variables) as Record<string, unknown>) : {};
    client.subscribe(
      { query, variables, ...(operationName ? { operationName } : {}) },
      { next: onMessage, error: (reason) => onEnd(reasonOf(reason)), complete: () => onEnd() },
    );
  };
  listen().catch((error: Error) => onEnd(error.message));
  return () => {
    isStopped = true;
    void client?.dispose();
  };
}

function reasonOf(reason: unknown): string {
  if (Array.isArray(reason)) return reason.map(({ message }: { message: string }) => message).join(' ');
  if (reason instanceof Error) return reason.message;
  return (reason as CloseEvent).reason || 'The connection was closed.';
}

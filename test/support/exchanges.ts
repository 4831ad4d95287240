// With RECORD_EXCHANGES set to a directory, every request a test sends and its response are appended to a file there, one JSON object a line.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request and its response, as sent and received; header names in lower case. */
export interface Exchange {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  status: number;
  responseHeaders: Record<string, string>;
  response: string;
}

const directory = process.env.RECORD_EXCHANGES;
// One file per test worker, so that no two processes append to the same file.
const file = directory && join(directory, `${randomUUID()}.jsonl`);

/** Not REST operations: GraphQL, agents, pages, contracts, probes, forms behind a signed link, downloads by signed link, and messages of sources. */
const NOT_REST =
  /^\/(graphql|docs|limits|assets|metrics|livez|readyz|openapi|schema\.graphql|incorporate|connect|hooks|mcp|llms\.txt|\.well-known|robots\.txt|favicon\.ico|api\/v1\/downloads)\b/;

/**
 * Records an exchange for the check against the OpenAPI documents. That check cannot read encoded bodies, so those are left out. Of a rejected call
 * it checks only the response, so the body is left out: the tests of rejections send 400 MB of them.
 */
export function record(exchange: Exchange): void {
  if (!file || NOT_REST.test(exchange.path) || exchange.headers['content-encoding'] !== undefined) return;
  appendFileSync(file, `${JSON.stringify(exchange.status < 400 ? exchange : { ...exchange, body: null })}\n`);
}

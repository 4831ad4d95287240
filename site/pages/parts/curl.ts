// Requests as curl command lines, ready to paste into a shell.

import type { SampleRequest } from '../../../rest-compat/openapi/samples.ts';
import type { Credential } from './model.ts';
import { shellQuoted } from './shell-quote.ts';

/** Header line of a credential, with the demo key where there is one. */
export function credentialLine({ header, scheme, demoKey = '<key>' }: Credential): string {
  return `${header}: ${scheme ? `${scheme} ` : ''}${demoKey}`;
}

/** One request as a curl command. */
export function curlOf(origin: string, request: SampleRequest, credential: Credential | null): string {
  const parts = [`curl${request.method === 'GET' ? '' : ` -X ${request.method}`} ${shellQuoted(`${origin}${request.path}`)}`];
  if (credential) parts.push(`-H ${shellQuoted(credentialLine(credential))}`);
  if (request.body !== undefined)
    parts.push(`-H ${shellQuoted('content-type: application/json')}`, `-d ${shellQuoted(JSON.stringify(request.body))}`);
  for (const [name, value] of Object.entries(request.form ?? {})) parts.push(`-F ${shellQuoted(`${name}=${value}`)}`);
  return parts.join(' \\\n  ');
}

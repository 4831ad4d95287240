// Requests as curl command lines, ready to paste into a shell.
import type { Credential, SampleRequest } from './model.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Header line of a credential. Without a key it names the place where the key goes. */
export function credentialLine(credential: Credential, key = '<key>'): string {
  return `${credential.header}: ${credential.scheme ? `${credential.scheme} ` : ''}${key}`;
}

/** One request as a curl command; `key` is the demo key where there is one. */
export function curlOf(origin: string, request: SampleRequest, credential: Credential, key?: string): string {
  const parts = [
    request.method === 'GET' ? 'curl' : `curl -X ${request.method}`,
    quoted(`${origin}${request.path}`),
    `-H ${quoted(credentialLine(credential, key))}`,
  ];
  if (request.body !== undefined)
    parts.push(`-H ${quoted('content-type: application/json')}`, `-d ${quoted(JSON.stringify(request.body))}`);
  return parts.join(' \\\n  ').replace(' \\\n  ', ' ');
}

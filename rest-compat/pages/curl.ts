// Requests as curl command lines, ready to paste into a shell.
import type { Credential, SampleRequest } from './model.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Header line of a credential, with the demo key where there is one. */
export function credentialLine({ header, scheme, demoKey = '<key>' }: Credential): string {
  return `${header}: ${scheme ? `${scheme} ` : ''}${demoKey}`;
}

/** One request as a curl command. */
export function curlOf(origin: string, request: SampleRequest, credential: Credential): string {
  const parts = [
    request.method === 'GET' ? 'curl' : `curl -X ${request.method}`,
    quoted(`${origin}${request.path}`),
    `-H ${quoted(credentialLine(credential))}`,
  ];
  if (request.body !== undefined)
    parts.push(`-H ${quoted('content-type: application/json')}`, `-d ${quoted(JSON.stringify(request.body))}`);
  return parts.join(' \\\n  ').replace(' \\\n  ', ' ');
}

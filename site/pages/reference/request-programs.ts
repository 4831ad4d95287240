// Requests as programs in JavaScript and Python, ready to run without a package.
import { stripIgnoredCharacters } from 'graphql';
import type { SampleRequest } from '../../../rest-compat/openapi/samples.ts';
import { credentialLine, curlOf } from '../parts/curl.ts';
import type { Credential } from '../parts/model.ts';

/** Name and value of the header of a credential. */
function headerOf(credential: Credential | null): [string, string][] {
  if (!credential) return [];
  const line = credentialLine(credential);
  const colon = line.indexOf(': ');
  return [[line.slice(0, colon), line.slice(colon + 2)]];
}

const headersOf = ({ body }: SampleRequest, credential: Credential | null): Record<string, string> =>
  Object.fromEntries([...headerOf(credential), ...(body === undefined ? [] : [['content-type', 'application/json'] as const])]);

/** A GraphQL request as a reader writes it. */
interface GraphqlRequest {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const postOf = ({ document: query, variables }: GraphqlRequest): SampleRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { query, ...(Object.keys(variables).length > 0 ? { variables } : {}) },
});

/** A GraphQL request as a curl command; its document is one line. */
export const graphqlCurl = (origin: string, { document, variables }: GraphqlRequest, credential: Credential): string =>
  curlOf(origin, postOf({ document: stripIgnoredCharacters(document), variables }), credential);

/** A GraphQL request with `fetch`. */
export const graphqlJavascript = (origin: string, request: GraphqlRequest, credential: Credential): string =>
  javascriptOf(origin, postOf(request), credential).replace(JSON.stringify(request.document), () => `\`${request.document}\``);

/** A GraphQL request with the standard library of Python. */
export const graphqlPython = (origin: string, request: GraphqlRequest, credential: Credential): string =>
  pythonOf(origin, postOf(request), credential).replace(JSON.stringify(request.document), () => `"""${request.document}"""`);

const indented = (value: unknown, spaces: string): string => JSON.stringify(value, null, 2).replaceAll('\n', `\n${spaces}`);

/** One request with `fetch`. */
export function javascriptOf(origin: string, request: SampleRequest, credential: Credential | null): string {
  const headers = headersOf(request, credential);
  const form = Object.entries(request.form ?? {});
  const parts = form.map(([name, value]) =>
    value.startsWith('@')
      ? `form.set('${name}', await openAsBlob('${value.slice(1)}'), '${value.slice(1)}');`
      : `form.set('${name}', ${JSON.stringify(value)});`,
  );
  const before = form.length > 0 ? `import { openAsBlob } from 'node:fs';\n\nconst form = new FormData();\n${parts.join('\n')}\n` : '';
  const options = [
    ...(request.method === 'GET' ? [] : [`  method: '${request.method}',`]),
    ...(Object.keys(headers).length > 0 ? [`  headers: ${indented(headers, '  ')},`] : []),
    ...(request.body === undefined ? [] : [`  body: JSON.stringify(${indented(request.body, '  ')}),`]),
    ...(form.length > 0 ? ['  body: form,'] : []),
  ];
  const given = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `${before}const response = await fetch(${JSON.stringify(origin + request.path)}${given});\nconsole.log(response.status, await response.text());`;
}

/** A JSON value as Python writes it. */
function pythonValue(value: unknown, spaces: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${spaces}    `;
  const entries = Array.isArray(value)
    ? value.map((entry) => pythonValue(entry, inner))
    : Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${pythonValue(entry, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return entries.length === 0 ? open + close : `${open}\n${entries.map((entry) => `${inner}${entry},`).join('\n')}\n${spaces}${close}`;
}

/** One request with the standard library; one with a file with `requests`, which writes multipart bodies. */
export function pythonOf(origin: string, request: SampleRequest, credential: Credential | null): string {
  const headers = headersOf(request, credential);
  const address = JSON.stringify(origin + request.path);
  const form = Object.entries(request.form ?? {});
  if (form.length > 0) {
    const files = form.map(
      ([name, value]) =>
        `    "${name}": ${value.startsWith('@') ? `open("${value.slice(1)}", "rb")` : `(None, ${JSON.stringify(value)})`},`,
    );
    return `import requests\n\nresponse = requests.${request.method.toLowerCase()}(\n    ${address},\n    headers=${pythonValue(headers, '    ')},\n    files={\n${files.map((line) => `    ${line}`).join('\n')}\n    },\n)\nprint(response.status_code, response.text)`;
  }
  const given = [
    `    ${address},`,
    ...(request.method === 'GET' ? [] : [`    method="${request.method}",`]),
    ...(Object.keys(headers).length > 0 ? [`    headers=${pythonValue(headers, '    ')},`] : []),
    ...(request.body === undefined ? [] : [`    data=json.dumps(${pythonValue(request.body, '    ')}).encode(),`]),
  ];
  const imports = request.body === undefined ? 'import urllib.request' : 'import json\nimport urllib.request';
  return `${imports}\n\nrequest = urllib.request.Request(\n${given.join('\n')}\n)\nwith urllib.request.urlopen(request) as response:\n    print(response.status, response.read().decode())`;
}

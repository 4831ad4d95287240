// Audits `/graphql` of a running gateway against the GraphQL over HTTP specification, with CSRF prevention on.
// node check.ts <base address>
import { serverAudits } from 'graphql-http';

const base = new URL(process.argv[2] ?? 'http://127.0.0.1:4000').origin;

/** Adds the header that clients send with GET requests so that CSRF prevention accepts them. */
const fetchFn: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('apollo-require-preflight', 'true');
  return fetch(input, { ...init, headers });
};

const results = await Promise.all(serverAudits({ url: `${base}/graphql`, fetchFn }).map((audit) => audit.fn()));
const failed = results.filter((result) => result.status !== 'ok');
for (const result of failed) console.log(`${result.status}  ${result.id}  ${result.name}: ${result.reason}`);

const unguarded = await fetch(`${base}/graphql?query={__typename}`, { headers: { accept: 'application/json' } });
if (unguarded.status !== 400) console.log(`CSRF prevention is off: a GET without a preflight header succeeds ${unguarded.status}`);
console.log(
  `${results.length - failed.length} of ${results.length} audits pass; a GET that needs no preflight succeeds ${unguarded.status}`,
);
process.exitCode = failed.length > 0 || unguarded.status !== 400 ? 1 : 0;

// Signs people in at an OpenID provider that others wrote, and looks at what the gateway lets them do: operators, people of an organisation, and the rest.
// node check.ts, after `npm run build` at the root; it starts a gateway of its own with the settings of the provider.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway.ts';
import { AUDIENCE, startProvider } from './provider.ts';

const OPERATORS = 'ledger-operators';
const provider = await startProvider({
  ada: { groups: ['staff', OPERATORS] },
  ben: { groups: ['staff'] },
  eve: { groups: ['staff'], organisation: 'Acme', roles: ['PLATFORM'] },
});
const data = mkdtempSync(join(tmpdir(), 'gateway-identity-'));
const gateway = await startGateway(data, {
  OIDC_ISSUER: provider.issuer,
  OIDC_AUDIENCE: AUDIENCE,
  OIDC_OPERATOR_CLAIM: 'groups',
  OIDC_OPERATOR_VALUE: OPERATORS,
});

let [checks, failures] = [0, 0];
function check(what: string, isTrue: boolean, seen: unknown): void {
  checks++;
  if (isTrue) return;
  failures++;
  console.log(`FAIL ${what}: ${JSON.stringify(seen).slice(0, 500)}`);
}

/** Runs an operation and checks the code of its first error; returns the response as text. */
async function expectCode(what: string, code: string | undefined, token: string, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(`${gateway.base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const body = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  check(what, body.errors?.[0]?.extensions.code === code, body);
  return JSON.stringify(body);
}
const ISSUE = 'mutation { issueAccessKey(input: { organisationName: "Acme", roles: [PLATFORM] }) { accessKey { id } } }';
const ORGANISATIONS = '{ organisations(first: 100) { nodes { name } } }';
const CORPORATIONS = '{ corporations(first: 1) { totalCount } }';
const LOG = '{ auditLog(first: 1, filter: { operation: "issueAccessKey" }) { nodes { actor { kind id } } } }';

try {
  const operator = await provider.signIn('ada');
  await expectCode('an operator issues the first key of an organisation', undefined, operator, ISSUE);
  await expectCode('an operator lists the organisations', undefined, operator, ORGANISATIONS);
  await expectCode('an operator opens no organisation', 'FORBIDDEN', operator, CORPORATIONS);
  const log = await expectCode('an operator reads the audit log', undefined, operator, LOG);
  check('the audit log names issuer and person', log.includes(provider.issuer) && log.includes('ada'), log);
  const member = await provider.signIn('eve');
  await expectCode('a person of an organisation reads its records', undefined, member, CORPORATIONS);
  await expectCode('a person of an organisation is no operator', 'FORBIDDEN', member, ORGANISATIONS);
  await expectCode('a person without either is rejected', 'UNAUTHENTICATED', await provider.signIn('ben'), ORGANISATIONS);
  const elsewhere = await provider.signIn('ada', 'https://other.example');
  await expectCode('a token for another service is rejected', 'UNAUTHENTICATED', elsewhere, ORGANISATIONS);
  await expectCode('a token with another signature is rejected', 'UNAUTHENTICATED', `${operator.slice(0, -4)}AAAA`, ORGANISATIONS);
  const admin = join(import.meta.dirname, '../../../dist/src/admin/main.js');
  const { stdout, stderr } = spawnSync('node', [admin, '--url', gateway.base, '--token', operator, '--json', 'organisations'], {
    encoding: 'utf8',
  });
  check('the command line takes the token of an operator', stdout.includes('"name":"Acme"'), stdout + stderr);
} finally {
  await gateway.stop();
  provider.stop();
  rmSync(data, { recursive: true, force: true });
}
console.log(`${checks} checks of oidc-provider's tokens, ${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;

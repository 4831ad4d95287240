// Command `npm run admin -- …`: an administrator's tasks, done by calling the running gateway.
import { Command } from 'commander';
import { readConfig } from './config.ts';

interface GraphQLAnswer {
  data?: Record<string, unknown>;
  errors?: { message: string }[];
}

const config = readConfig();
const program = new Command('admin')
  .description('Administer a running gateway.')
  .option('--url <address>', 'address of the gateway', config.publicUrl ?? `http://127.0.0.1:${config.port}`)
  .option('--token <token>', 'admin token or a key with the role ADMIN; default ADMIN_TOKEN', config.adminToken);

/** Runs one operation on the gateway; ends the program with the errors it answers. */
async function call<T>(query: string, variables: Record<string, unknown>): Promise<T> {
  const { url, token } = program.opts<{ url: string; token?: string }>();
  if (!token) program.error('no token: set ADMIN_TOKEN or give --token');
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  }).catch(() => program.error(`no gateway answers at ${url}`));
  const answer = (await response.json()) as GraphQLAnswer;
  if (answer.errors) program.error(answer.errors.map((error) => error.message).join('\n'));
  return answer.data as T;
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim().toUpperCase()).filter(Boolean);
const numbers = (text: string): number[] => text.split(',').map(Number);

interface Key {
  id: string;
  label: string | null;
  roles: string[];
  keyPreview: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

const keyFields = 'id label roles keyPreview createdAt lastUsedAt expiresAt revokedAt';

/** Prints rows as aligned columns under their headings. */
function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [headings, ...rows]) console.log(row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd());
}

program
  .command('issue-key')
  .description('issue a key and print its value, which is never shown again')
  .requiredOption('--organisation <name>', 'organisation; a new name creates it')
  .requiredOption('--roles <list>', 'roles, separated by commas: PLATFORM, ENTITIES, GEOCODE, MANAGE_CONTENT, INTEGRATIONS, ADMIN', words)
  .option('--label <text>', 'free text that helps to recognise the key')
  .option('--companies <list>', 'company numbers the key is limited to', numbers)
  .option('--expires <time>', 'ISO 8601 time after which the key stops working')
  .action(async (options: { organisation: string; roles: string[]; label?: string; companies?: number[]; expires?: string }) => {
    const input = { organisationName: options.organisation, roles: options.roles, label: options.label, companyIds: options.companies, expiresAt: options.expires };
    const query = 'mutation IssueKey($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key accessKey { id } } }';
    const { issueAccessKey } = await call<{ issueAccessKey: { key: string; accessKey: { id: string } } }>(query, { input });
    console.log(`id   ${issueAccessKey.accessKey.id}\nkey  ${issueAccessKey.key}`);
  });

program
  .command('revoke-key')
  .description('end a key; every process refuses it within five seconds')
  .argument('<id>', 'id of the key, key_…')
  .action(async (id: string) => {
    await call('mutation RevokeKey($id: ID!) { revokeAccessKey(id: $id) { accessKey { id } } }', { id });
    console.log(`revoked ${id}`);
  });

program
  .command('rotate-key')
  .description('issue a successor; the old key keeps working for the grace period')
  .argument('<id>', 'id of the key, key_…')
  .option('--grace-hours <hours>', 'hours the old key keeps working', Number, 24)
  .action(async (id: string, options: { graceHours: number }) => {
    const query = 'mutation RotateKey($id: ID!, $graceHours: Int!) { rotateAccessKey(id: $id, graceHours: $graceHours) { key accessKey { id } } }';
    const { rotateAccessKey } = await call<{ rotateAccessKey: { key: string; accessKey: { id: string } } }>(query, { id, graceHours: options.graceHours });
    console.log(`id   ${rotateAccessKey.accessKey.id}\nkey  ${rotateAccessKey.key}`);
  });

program
  .command('keys')
  .description('list the keys of an organisation')
  .argument('<organisation>', 'name of the organisation')
  .action(async (organisation: string) => {
    const { accessKeys } = await call<{ accessKeys: Key[] }>(`query Keys($organisation: String!) { accessKeys(organisationName: $organisation) { ${keyFields} } }`, { organisation });
    const rows = accessKeys.map((key) => [key.id, key.keyPreview, key.revokedAt ? 'revoked' : 'live', key.roles.join(','), key.lastUsedAt ?? '-', key.expiresAt ?? '-', key.label ?? '']);
    printTable(['id', 'key', 'state', 'roles', 'last used', 'expires', 'label'], rows);
  });

await program.parseAsync();

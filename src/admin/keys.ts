// Commands about access keys and the organisations they belong to.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { Role } from '../records/roles.ts';
import { counts, hours, time, words } from './arguments.ts';
import type { Caller } from './caller.ts';
import type { Printer } from './print.ts';

const ROLES = Object.keys(Role.values);

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

const KEYS = `query Keys($organisation: String!) { accessKeys(organisationName: $organisation) { ${keyFields} } }`;
const ISSUE = 'mutation IssueKey($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key accessKey { id } } }';

function stateOf({ revokedAt, expiresAt }: Key): string {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}

/** Adds the commands. */
export function keyCommands(program: Command, caller: Caller, printer: Printer): void {
  const printIssued = ({ key, accessKey: { id } }: { key: string; accessKey: { id: string } }): void =>
    printer.result({ id, key }, `id   ${id}\nkey  ${key}`);
  const issue = async (input: Record<string, unknown>): Promise<void> => {
    const { issueAccessKey } = await caller.asAdmin<{ issueAccessKey: { key: string; accessKey: { id: string } } }>(ISSUE, { input });
    printIssued(issueAccessKey);
  };

  program
    .command('issue-key')
    .description('issue a key and print its value, which is never shown again')
    .requiredOption('--organisation <name>', 'organisation; a new name creates it')
    .requiredOption('--roles <list>', `roles, separated by commas: ${ROLES.join(', ')}`, words(ROLES))
    .option('--label <text>', 'free text that helps to recognise the key')
    .option('--companies <list>', 'company numbers the key is limited to', counts)
    .option('--tools <files...>', 'files with a GraphQL operation each, which agents with the key get as tools')
    .option('--expires <time>', 'ISO 8601 time after which the key stops working', time)
    .action(
      async (options: {
        organisation: string;
        roles: string[];
        label?: string;
        companies?: number[];
        tools?: string[];
        expires?: string;
      }) => {
        const input = {
          organisationName: options.organisation,
          roles: options.roles,
          label: options.label,
          companyIds: options.companies,
          tools: options.tools?.map((file) => readFileSync(file, 'utf8')),
          expiresAt: options.expires,
        };
        await issue(input);
      },
    );

  program
    .command('revoke-key')
    .description('end a key; every process rejects it within five seconds')
    .argument('<id>', 'id of the key, key_…')
    .action(async (id: string) => {
      await caller.asAdmin('mutation RevokeKey($id: ID!) { revokeAccessKey(input: { id: $id }) { accessKey { id } } }', { id });
      printer.result({ revoked: id }, `revoked ${id}`);
    });

  program
    .command('rotate-key')
    .description('issue a successor; the old key keeps working for the grace period')
    .argument('<id>', 'id of the key, key_…')
    .option('--grace-hours <hours>', 'hours the old key keeps working, 0 to 720', hours, 24)
    .action(async (id: string, options: { graceHours: number }) => {
      const query =
        'mutation RotateKey($id: ID!, $graceHours: Int!) { rotateAccessKey(input: { id: $id, graceHours: $graceHours }) { key accessKey { id } } }';
      const { rotateAccessKey } = await caller.asAdmin<{ rotateAccessKey: { key: string; accessKey: { id: string } } }>(query, {
        id,
        graceHours: options.graceHours,
      });
      printIssued(rotateAccessKey);
    });

  program
    .command('keys')
    .description('list the keys of an organisation')
    .argument('<organisation>', 'name of the organisation')
    .action(async (organisation: string) => {
      const { accessKeys } = await caller.asAdmin<{ accessKeys: Key[] }>(KEYS, { organisation });
      const rows = accessKeys.map((key) => [key.id, key.keyPreview, stateOf(key), key.roles, key.lastUsedAt, key.expiresAt, key.label]);
      printer.table(['id', 'key', 'state', 'roles', 'last used', 'expires', 'label'], rows);
    });

  program
    .command('create-organisation')
    .description('create an organisation by issuing its first key')
    .argument('<name>', 'name of the organisation')
    .option('--roles <list>', 'roles of the first key, separated by commas', words(ROLES), ['PLATFORM', 'INTEGRATIONS'])
    .action(async (organisationName: string, { roles }: { roles: string[] }) => {
      const known = await caller.asAdmin<{ accessKeys: Key[] }>(KEYS, { organisation: organisationName });
      if (known.accessKeys.length > 0) program.error(`the organisation ${organisationName} exists already`);
      await issue({ organisationName, roles, label: 'first key' });
    });
}

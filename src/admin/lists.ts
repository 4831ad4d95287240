// Commands that list what the gateway holds: organisations, webhooks, deliveries, syncs. Each is a list of the schema and the columns to show.
import type { Command } from 'commander';
import { generateSecret } from '../webhooks/signature.ts';
import { count } from './arguments.ts';
import type { Caller } from './caller.ts';
import type { Printer } from './print.ts';

type Node = Record<string, unknown>;

interface Connection {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface Listing {
  name: string;
  description: string;
  /** Who may call it. */
  by: 'asAdmin' | 'withKey';
  /** What the list belongs to: a field of the schema by an id. */
  of?: { field: string; argument: string; description: string };
  field: string;
  columns: readonly string[];
}

const LISTINGS: readonly Listing[] = [
  {
    name: 'organisations',
    description: 'list the organisations',
    by: 'asAdmin',
    field: 'organisations',
    columns: ['id', 'name', 'createdAt'],
  },
  {
    name: 'webhooks',
    description: 'list the webhooks of the organisation of --key',
    by: 'withKey',
    field: 'webhooks',
    columns: ['id', 'url', 'status', 'disabledReason', 'topics'],
  },
  {
    name: 'deliveries',
    description: 'list what was sent to a webhook of the organisation of --key, newest first',
    by: 'withKey',
    of: { field: 'webhook', argument: 'webhook', description: 'id of the webhook, whk_…' },
    field: 'deliveries',
    columns: ['id', 'status', 'attemptsLeft', 'nextAttemptAt', 'createdAt', 'finishedAt'],
  },
  {
    name: 'syncs',
    description: 'list the syncs of a company of the organisation of --key, newest first',
    by: 'withKey',
    of: { field: 'company', argument: 'company', description: 'number of the company, or its id, company_…' },
    field: 'syncs',
    columns: ['id', 'configMode', 'status', 'dataModels', 'startTime', 'endTime'],
  },
];

/** The operation that reads a page of a list. */
function queryOf({ of, field, columns }: Listing): string {
  const list = `${field}(first: $first, after: $after) { nodes { ${columns.join(' ')} } pageInfo { hasNextPage endCursor } }`;
  const owner = of ? '$id: ID!, ' : '';
  return `query List(${owner}$first: Int, $after: String) { ${of ? `owner: ${of.field}(id: $id) { ${list} }` : list} }`;
}

/** Adds the commands. */
export function listCommands(program: Command, caller: Caller, printer: Printer): void {
  for (const listing of LISTINGS) {
    const { name, description, by, of, field, columns } = listing;
    const command = program.command(name).description(description).option('--limit <number>', 'most rows', count, 100);
    if (of) command.argument(`<${of.argument}>`, of.description);
    command.action(async (...given: unknown[]) => {
      const id = of ? given[0] : undefined;
      const { limit } = command.opts<{ limit: number }>();
      const rows: Node[] = [];
      let after: string | null = null;
      do {
        const first = Math.min(100, limit - rows.length);
        const data: Record<string, Connection> & { owner?: Record<string, Connection> | null } = await caller[by](queryOf(listing), {
          id,
          first,
          after,
        });
        if (of && !data.owner) program.error(`there is no ${of.argument} ${id}`);
        const { nodes, pageInfo } = (of ? data.owner! : data)[field]!;
        rows.push(...nodes);
        after = pageInfo.hasNextPage && rows.length < limit ? pageInfo.endCursor : null;
      } while (after !== null);
      printer.table(
        [...columns],
        rows.map((row) => columns.map((column) => row[column])),
      );
    });
  }

  program
    .command('rotate-secret')
    .description('give a webhook of the organisation of --key a new signing secret and print it; the former one signs too for 24 hours')
    .argument('<webhook>', 'id of the webhook, whk_…')
    .action(async (id: string) => {
      const secret = generateSecret();
      const query = 'mutation Rotate($id: ID!, $secret: String!) { updateWebhook(input: { id: $id, secret: $secret }) { webhook { id } } }';
      await caller.withKey(query, { id, secret });
      printer.result({ id, secret }, `secret  ${secret}`);
    });
}

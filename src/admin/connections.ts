// Commands about the connections of an organisation: the list, the state of one, and its runs.
import type { Command } from 'commander';
import { count } from './arguments.ts';
import type { Caller } from './caller.ts';
import { cell, type Printer } from './print.ts';

interface Listed {
  id: string;
  companyId: number;
  source: string;
  status: string;
  statusReason: string | null;
  lastSuccessAt: string | null;
  nextRunAt: string | null;
}

interface Shown extends Listed {
  schedules: {
    dataModel: string | null;
    intervalMinutes: number | null;
    cron: string | null;
    timeZone: string | null;
    nextRunAt: string | null;
  }[];
}

interface Page {
  nodes: { ledgerId: number; connections: { nodes: Listed[] } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const FIELDS = 'id companyId source status statusReason lastSuccessAt nextRunAt';
const LIST = `query Connections($after: String) {
  companies(first: 50, after: $after) { nodes { ledgerId connections(first: 20) { nodes { ${FIELDS} } } } pageInfo { hasNextPage endCursor } }
}`;
const SHOW = `query Connection($id: ID!) { connection(id: $id) { ${FIELDS} schedules { dataModel intervalMinutes cron timeZone nextRunAt } } }`;
const HEADINGS = ['connection', 'company', 'source', 'status', 'last success', 'next run', 'reason'];

const rowOf = ({ id, companyId, source, status, statusReason, lastSuccessAt, nextRunAt }: Listed): unknown[] => [
  id,
  companyId,
  source,
  status,
  lastSuccessAt,
  nextRunAt,
  statusReason,
];

async function list(caller: Caller, printer: Printer, company: number | undefined): Promise<void> {
  const rows: unknown[][] = [];
  for (let after: string | null = null, isOver = false; !isOver; ) {
    const { companies }: { companies: Page } = await caller.withKey(LIST, { after });
    const wanted = companies.nodes.filter(({ ledgerId }) => company === undefined || ledgerId === company);
    rows.push(...wanted.flatMap(({ connections }) => connections.nodes.map(rowOf)));
    after = companies.pageInfo.endCursor;
    isOver = !companies.pageInfo.hasNextPage;
  }
  printer.table(HEADINGS, rows);
}

async function show(caller: Caller, printer: Printer, id: string): Promise<void> {
  const { connection } = await caller.withKey<{ connection: Shown }>(SHOW, { id });
  const schedule = connection.schedules.map(({ dataModel, intervalMinutes, cron, timeZone, nextRunAt }) => {
    const rhythm = cron === null ? `every ${intervalMinutes} minutes` : `${cron} ${timeZone}`;
    return `${dataModel ?? 'others'}  ${rhythm}${nextRunAt ? `, next ${nextRunAt}` : ''}`;
  });
  const lines = rowOf(connection).map((value, index) => `${HEADINGS[index]!.padEnd(14)}${cell(value)}`);
  printer.result(connection, [...lines, ...schedule.map((line) => `${'schedule'.padEnd(14)}${line}`)].join('\n'));
}

/** Runs a mutation that returns the connection, and prints its state. */
async function change(caller: Caller, printer: Printer, mutation: 'pauseConnection' | 'resumeConnection', id: string): Promise<void> {
  const query = `mutation Change($id: ID!) { ${mutation}(input: { id: $id }) { connection { ${FIELDS} } } }`;
  const response = await caller.withKey<Record<string, { connection: Listed }>>(query, { id });
  printer.table(HEADINGS, [rowOf(response[mutation]!.connection)]);
}

async function run(caller: Caller, printer: Printer, id: string, fullSync: boolean): Promise<void> {
  const query =
    'mutation Run($id: ID!, $fullSync: Boolean!) { syncConnection(input: { id: $id, fullSync: $fullSync }) { sync { id status } } }';
  const { syncConnection } = await caller.withKey<{ syncConnection: { sync: { id: string; status: string } } }>(query, { id, fullSync });
  printer.table(['sync', 'status'], [[syncConnection.sync.id, syncConnection.sync.status]]);
}

/** Adds the commands. */
export function connectionCommands(program: Command, caller: Caller, printer: Printer): void {
  const connections = program.command('connection').description('see and run the connections of the organisation of --key');
  connections
    .command('list')
    .description('list the connections with their state')
    .option('--company <number>', 'number of the company; default all', count)
    .action(({ company }: { company?: number }) => list(caller, printer, company));
  connections
    .command('show')
    .description('show one connection with its schedule')
    .argument('<id>', 'id of the connection')
    .action((id: string) => show(caller, printer, id));
  connections
    .command('pause')
    .description('stop the schedule of a connection')
    .argument('<id>', 'id of the connection')
    .action((id: string) => change(caller, printer, 'pauseConnection', id));
  connections
    .command('resume')
    .description('start the schedule of a paused connection again')
    .argument('<id>', 'id of the connection')
    .action((id: string) => change(caller, printer, 'resumeConnection', id));
  connections
    .command('sync')
    .description('begin a run of a connection; `syncs` of its company reports it')
    .argument('<id>', 'id of the connection')
    .option('--full', 'pull every record, and mark those deleted that the source no longer has', false)
    .action((id: string, { full }: { full: boolean }) => run(caller, printer, id, full));
}

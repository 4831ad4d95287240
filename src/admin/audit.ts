// Commands about the audit log: list, export as JSON lines, verify.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { count, time } from './arguments.ts';
import type { Caller } from './caller.ts';
import type { Printer } from './print.ts';

interface Entry {
  id: string;
  at: string;
  actor: { kind: string; id: string | null };
  operation: string;
  recordIds: string[];
  recordCount: number;
  organisationId: string | null;
}

interface Page {
  auditLog: { nodes: Entry[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

interface Part {
  auditVerification: {
    checked: number;
    problems: { organisationId: string | null; position: number; entryId: string | null; kind: string }[];
    heads: { organisationId: string | null; position: number; hash: string }[];
    next: string | null;
  };
}

const PAGE = `query Audit($first: Int, $after: String, $filter: AuditLogFilter) { auditLog(first: $first, after: $after, filter: $filter) {
  nodes { id at actor { kind id } operation recordIds recordCount organisationId requestId address reason beforeHash afterHash position hash }
  pageInfo { hasNextPage endCursor } } }`;
const VERIFY =
  'query Verify($from: String, $heads: [AuditHeadInput!]) { auditVerification(from: $from, heads: $heads) { checked problems { organisationId position entryId kind } heads { organisationId position hash } next } }';

type Head = Part['auditVerification']['heads'][number];

/** Heads of one request. */
const HEADS = 1_000;

/** The heads in a file of JSON lines, as `--json audit verify` and the log of the gateway write them; other lines are left out. */
function headsIn(program: Command, file: string): Head[] {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    return program.error(`${file} cannot be read: ${(error as Error).message}`);
  }
  const heads = lines.flatMap((line, index): Head[] => {
    if (!line.startsWith('{')) return [];
    try {
      const { organisationId = null, position, hash } = JSON.parse(line) as Partial<Head>;
      return position && hash ? [{ organisationId, position, hash }] : [];
    } catch {
      return program.error(`${file}:${index + 1} is cut off or no JSON`);
    }
  });
  // A comparison with nothing would find no problem.
  return heads.length > 0 ? heads : program.error(`${file} has no heads of the audit log`);
}

interface Conditions {
  organisation?: string;
  actor?: string;
  operation?: string;
  record?: string;
  since?: string;
  until?: string;
}

const filterOf = ({ organisation, actor, operation, record, since, until }: Conditions): object => ({
  organisationId: organisation,
  actorId: actor,
  operation,
  recordId: record,
  since,
  until,
});

/** The entries, newest first; a page at a time, so that their number does not matter. */
async function* entries(caller: Caller, conditions: Conditions): AsyncGenerator<Entry> {
  let after: string | null = null;
  do {
    const { auditLog }: Page = await caller.withEither<Page>(PAGE, { first: 100, after, filter: filterOf(conditions) });
    yield* auditLog.nodes;
    after = auditLog.pageInfo.hasNextPage ? auditLog.pageInfo.endCursor : null;
  } while (after !== null);
}

/** Adds the commands. */
export function auditCommands(program: Command, caller: Caller, printer: Printer): void {
  const audit = program.command('audit').description('read and verify the audit log, of all organisations or of that of --key');
  const reading = (name: string, description: string): Command =>
    audit
      .command(name)
      .description(description)
      .option('--organisation <id>', 'public id of the organisation, org_…')
      .option('--actor <id>', 'id of the key, person or operator')
      .option('--operation <name>', 'name of the mutation')
      .option('--record <id>', 'id of a record')
      .option('--since <time>', 'ISO 8601 time of the first entries', time)
      .option('--until <time>', 'ISO 8601 time that all entries come before', time);

  reading('list', 'list the newest entries')
    .option('--limit <number>', 'most entries', count, 50)
    .action(async ({ limit, ...conditions }: Conditions & { limit: number }) => {
      const rows: unknown[][] = [];
      for await (const { id, at, actor, operation, recordIds, recordCount, organisationId } of entries(caller, conditions)) {
        rows.push([at, `${actor.kind} ${actor.id ?? ''}`.trim(), operation, recordIds[0], recordCount, organisationId, id]);
        if (rows.length === limit) break;
      }
      printer.table(['at', 'actor', 'operation', 'record', 'records', 'organisation', 'id'], rows);
    });

  reading('export', 'print every entry as one JSON object per line, newest first').action(async (conditions: Conditions) => {
    for await (const entry of entries(caller, conditions)) console.log(JSON.stringify(entry));
  });

  audit
    .command('verify')
    .description(
      'verify the chains; prints their heads, to be kept elsewhere, and exits with 1 when an entry was altered, removed or moved',
    )
    .option('--heads <file>', 'file of JSON lines with heads that were kept, which are compared too')
    .action(async ({ heads: file }: { heads?: string }) => {
      const kept = file === undefined ? [] : headsIn(program, file);
      let [checked, found]: [number, number] = [0, 0];
      const verify = async (variables: object): Promise<string | null> => {
        const { auditVerification: part } = await caller.withEither<Part>(VERIFY, { ...variables });
        for (const { organisationId, position, entryId, kind } of part.problems)
          printer.result(
            { problem: kind, organisationId, position, entryId },
            `${kind}  ${organisationId ?? 'shared content'} at ${position}${entryId ? ` (${entryId})` : ''}`,
          );
        for (const { organisationId, position, hash } of part.heads)
          printer.result({ organisationId, position, hash }, `head  ${organisationId ?? 'shared content'} ${position} ${hash}`);
        checked += part.checked;
        found += part.problems.length;
        return part.next;
      };
      let from: string | null = null;
      do from = await verify({ from });
      while (from !== null);
      for (let at = 0; at < kept.length; at += HEADS) await verify({ heads: kept.slice(at, at + HEADS) });
      printer.result({ checked, problems: found }, `${checked} entries verified, ${found} problems`);
      if (found > 0) process.exitCode = 1;
    });
}

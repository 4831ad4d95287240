// The rules of migrations: nothing that the program of the last release needs is removed unnoticed, and no lock stops the requests for a large table.
import { type MigrationFile, WITHOUT_TRANSACTION } from './files.ts';
import { createdTables, readSteps, type Step } from './statements.ts';

/** What a migration may rely on. */
export interface ReviewContext {
  /** The migrations of the last release. */
  released: readonly string[];
  /** The columns of the declared records, by table. */
  declared: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The header line that declares a destructive step. */
const DECLARATION = /^-- destructive: ([^,]+), unneeded since (\w+): \S/;
export const DECLARATION_FORM = 'STEP, unneeded since MIGRATION: REASON';

const TAKES_AWAY = /^(drop (?!not null |policy )|truncate |delete from |rename |change type |set not null )/;

/** Whether rows or the statements of an older program may not survive a step. */
function isDestructive({ what, definition }: Step): boolean {
  if (what.startsWith('add column ')) return /\bnot null\b/.test(definition) && !/\bdefault\b|\bgenerated\b/.test(definition);
  return TAKES_AWAY.test(what);
}

/** The destructive steps of statements, as a header has to declare them. Tables that the statements themselves create are used by no one else. */
export function destructiveSteps(statements: readonly string[]): Step[] {
  const created = createdTables(statements);
  return statements.flatMap(readSteps).filter((step) => !created.has(step.table ?? '') && isDestructive(step));
}

function declarationIssues(file: MigrationFile, { released, declared }: ReviewContext): string[] {
  const issues: string[] = [];
  const steps = destructiveSteps(file.statements);
  const lines = file.header.filter((line) => line.startsWith('-- destructive:'));
  const declarations = new Map(lines.map((line) => [line.match(DECLARATION)?.[1], line]));
  for (const { what, table, column } of steps) {
    if (!declarations.has(what)) issues.push(`"${what}" is destructive and not declared`);
    const columns = declared.get(table ?? '');
    const isDeclared = /^(drop|rename) column /.test(what) ? columns?.has(column!) : /^(drop|rename) table /.test(what) && columns;
    if (isDeclared) issues.push(`"${what}" takes away what a record still declares`);
  }
  for (const line of lines) {
    const [, what, since] = line.match(DECLARATION) ?? [];
    if (!since) issues.push(`"${line}" is not of the form "-- destructive: ${DECLARATION_FORM}"`);
    else if (!steps.some((step) => step.what === what)) issues.push(`"${what}" is declared, and no statement does it`);
    else if (!released.includes(since))
      issues.push(
        `"${what}" is unneeded since ${since}, which is not a released migration: the program of the last release may still need it`,
      );
  }
  return issues;
}

/** Steps that may be repeated, so that a file without a transaction can start again, and that block no reads and writes. */
const isRepeatable = ({ what, definition }: Step): boolean =>
  (what.startsWith('create index ') && definition === 'concurrently if not exists ') ||
  (what.startsWith('drop index ') && definition === 'concurrently if exists ') ||
  what.startsWith('validate constraint ') ||
  // An update whose condition its own rows no longer meet. It makes the rows fit an index that follows, and runs again where that failed.
  what.startsWith('update ');

function lockIssue({ what, definition }: Step): string | undefined {
  const elsewhere = `in a file with "${WITHOUT_TRANSACTION}"`;
  if (definition.startsWith('concurrently')) return `"${what}" belongs ${elsewhere}`;
  if (what.startsWith('create index ')) return `"${what}" stops writes: write "create index concurrently if not exists" ${elsewhere}`;
  if (what.startsWith('validate constraint ')) return `"${what}" belongs ${elsewhere}, after the one that adds the constraint`;
  if (what.startsWith('add constraint ')) {
    if (/\b(foreign key|check)\b/.test(definition)) {
      if (!/\bnot valid$/.test(definition)) return `"${what}" stops writes: add it "not valid", and validate it ${elsewhere}`;
    } else if (!/\busing index\b/.test(definition))
      return `"${what}" stops reads and writes: build its index concurrently ${elsewhere}, and add it "using index"`;
  }
  if (what.startsWith('add column ') && /\b(references|check|unique|primary key)\b/.test(definition))
    return `"${what}" checks every row under a lock: add its constraint on its own`;
  return undefined;
}

function lockIssues({ statements, isTransactional }: MigrationFile): string[] {
  const steps = statements.flatMap(readSteps);
  if (!isTransactional)
    return steps
      .filter((step) => !isRepeatable(step))
      .map(({ what }) => `"${what}" cannot be repeated or needs the transaction that "${WITHOUT_TRANSACTION}" gives up`);
  const created = createdTables(statements);
  return steps.filter(({ table }) => !created.has(table ?? '')).flatMap((step) => lockIssue(step) ?? []);
}

/** The newest migration that every distributed database has: tables are distributed after it. */
const LAST_UNDISTRIBUTED = '20261123121500_outbox';

/** What the nodes of a distributed engine reject: a new constraint together with another change of its table, and another name for one. */
function engineIssues({ name, statements }: MigrationFile): string[] {
  if (name <= LAST_UNDISTRIBUTED) return [];
  const created = createdTables(statements);
  return statements.flatMap((statement) => {
    const steps = readSteps(statement).filter(({ table }) => table !== undefined && !created.has(table));
    const refused = steps.filter(
      ({ what }) => what.startsWith('rename constraint ') || (what.startsWith('add constraint ') && steps.length > 1),
    );
    return refused.map(({ what }) =>
      what.startsWith('rename ')
        ? `"${what}" is not supported by a distributed database: drop it and add it again`
        : `"${what}" is not supported by a distributed database together with other changes to the table: put it in a statement of its own`,
    );
  });
}

/** What the rules have against a migration; nothing for most. */
export function reviewMigration(file: MigrationFile, context: ReviewContext): string[] {
  const issues: string[] = [];
  if (!/^\d{14}_[a-z0-9_]+$/.test(file.name)) issues.push('its name is not of the form YYYYMMDDHHMMSS_name');
  if (!/^-- [A-Z].*\.$/.test(file.header[0] ?? '')) issues.push('its first line is not a comment that describes it in a sentence');
  return [...issues, ...declarationIssues(file, context), ...lockIssues(file), ...engineIssues(file)].map(
    (issue) => `${file.name}: ${issue}`,
  );
}

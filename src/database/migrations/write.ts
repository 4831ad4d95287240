// Writes statements as migration files: one column a line, a file of its own for statements that lock a table for long, and a header that describes
// them.
import { type MigrationFile, parseMigration, WITHOUT_TRANSACTION } from './files.ts';
import { createdTables, readSteps, type Step, splitAtCommas } from './statements.ts';

/** A migration that is to be written, with its text. */
export interface WrittenMigration extends MigrationFile {
  text: string;
}

export interface MigrationRequest {
  /** What the database lacks, in the order of execution. */
  statements: readonly string[];
  name: string;
  now: Date;
  /** The newest migration that exists; what is written comes after it. */
  newest: string;
  /** Declarations of destructive steps, as in a header after `-- destructive: `. */
  declarations: readonly string[];
}

/** The files of a change: what one transaction may do, then what would hold its locks for long. */
export function writeMigrations({ statements, name, now, newest, declarations }: MigrationRequest): WrittenMigration[] {
  const created = createdTables(statements);
  const inTransaction: string[] = [];
  const afterwards: string[] = [];
  for (const statement of statements) {
    const [step] = readSteps(statement);
    const isOnExisting = !created.has(step?.table ?? '');
    if (isOnExisting && step?.what.startsWith('create index '))
      afterwards.push(statement.replace(/\bindex /, 'index concurrently if not exists '));
    else if (isOnExisting && step?.what.startsWith('add constraint ') && /\b(foreign key|check)\b/.test(step.definition)) {
      inTransaction.push(`${statement} not valid`);
      afterwards.push(`alter table "${step.table}" validate constraint "${step.column}"`);
    } else inTransaction.push(statement);
  }
  const first = timeAfter(now, newest);
  const files: WrittenMigration[] = [];
  if (inTransaction.length > 0) {
    const header = declarations.map((declaration) => `-- destructive: ${declaration}`);
    files.push(written(`${timestamp(first)}_${name}`, inTransaction, header));
  }
  if (afterwards.length > 0) {
    const time = new Date(first.getTime() + 1000 * files.length);
    const suffix = files.length > 0 ? '_concurrently' : '';
    files.push(written(`${timestamp(time)}_${name}${suffix}`, afterwards, [WITHOUT_TRANSACTION]));
  }
  return files;
}

const timestamp = (time: Date): string => time.toISOString().replace(/\D/g, '').slice(0, 14);

/** Now, or the second after the newest migration where that is later. */
function timeAfter(now: Date, newest: string): Date {
  const [, ...parts] = newest.match(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/) ?? [];
  if (parts.length === 0) return now;
  const [year, month, day, hour, minute, second] = parts.map(Number);
  return new Date(Math.max(now.getTime(), Date.UTC(year!, month! - 1, day, hour, minute, second! + 1)));
}

function written(name: string, statements: readonly string[], more: readonly string[]): WrittenMigration {
  const text = `${[...summaryOf(statements), ...more, ...statements.map((statement) => `${layOut(statement)};`)].join('\n')}\n`;
  return { ...parseMigration(name, text), text };
}

/** What the statements do: a sentence for each table that is created, and for each other step that is not about one of these. */
function summaryOf(statements: readonly string[]): string[] {
  const created = createdTables(statements);
  const about = ({ table, what }: Step): boolean => !created.has(table ?? '') || what.startsWith('create table ');
  const sentences = statements.flatMap(readSteps).filter(about).map(sentenceOf);
  return [...new Set(sentences)].map((sentence) => `-- ${sentence}.`);
}

function sentenceOf({ what, table }: Step): string {
  const isOther = what.startsWith('alter ') || what.includes('(');
  const text = isOther ? `change ${table ?? 'the database'}` : what;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A statement over several lines, where it creates a table or alters one in several ways. */
function layOut(statement: string): string {
  const table = statement.match(/^(create table "\w+") \((.*)\)$/s);
  if (table) return `${table[1]} (\n${indented(table[2]!)}\n)`;
  const altered = statement.match(/^(alter table "\w+") (.*)$/s);
  if (altered && splitAtCommas(altered[2]!).length > 1) return `${altered[1]}\n${indented(altered[2]!)}`;
  if (statement.startsWith('create policy '))
    return statement.replace(' using (', '\n  using (').replace(' with check (', '\n  with check (');
  return statement;
}

const indented = (text: string): string =>
  splitAtCommas(text)
    .map((part) => `  ${part}`)
    .join(',\n');

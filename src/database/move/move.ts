/**
 * Moves the content of an embedded database into an empty database of a server. Each table is one transaction that also notes the table as moved. An
 * interrupted move therefore continues with the tables that are left. At the end every table has the same rows and the same digest in both.
 */
import {
  begin,
  contentOf,
  end,
  isInUse,
  isUnfinished,
  movedTables,
  nameOf,
  noteMoved,
  othersIn,
  partsOf,
  type Run,
  sameTexts,
  sizeOf,
  type Table,
  tablesOf,
  writePart,
} from './move.statements.ts';

/** Bytes and rows of one part of a move. A row larger than this is moved alone. */
const PART_BYTES = 4 * 1_048_576;
const MAX_PART_ROWS = 500;
/** Names in the refusal of a target. */
const MAX_NAMES = 5;

export interface MoveOptions {
  source: Run;
  target: Run;
  /** Brings the empty target to the schema of this program. */
  migrate: () => Promise<void>;
  /** The statements that make the tables of the queue. */
  queueTables: string;
  /** Called after each part. */
  onStep: (movedRows: number, rows: number) => void;
}

/** A table and its number of rows. */
export interface TableRows {
  table: string;
  rows: number;
}

/**
 * Throws for a target that has anything of its own. The gateway backs up, restores and empties its database as a whole, so it shares none. An earlier
 * attempt may have left tables without data.
 */
async function refuseTarget(target: Run, source: Run): Promise<void> {
  if (await isInUse(target)) throw new Error('the database of --to has the data of a gateway; name an empty one');
  const others = await othersIn(target, source);
  if (others.length === 0) return;
  const more = others.length > MAX_NAMES ? ` and ${others.length - MAX_NAMES} more` : '';
  throw new Error(
    `the database of --to is not empty: it has ${others.slice(0, MAX_NAMES).join(', ')}${more}. Create a database for the gateway alone and name that one`,
  );
}

/** What a move would copy. */
export async function movePlan(source: Run, target: Run): Promise<TableRows[]> {
  if (!(await isUnfinished(target))) await refuseTarget(target, source);
  const counted: TableRows[] = [];
  for (const table of await tablesOf(source)) counted.push({ table: nameOf(table), rows: (await sizeOf(source, table)).rows });
  return counted;
}

/** Moves everything; returns the rows of each table, as both databases have them. */
export async function move({ source, target, migrate, queueTables, onStep }: MoveOptions): Promise<TableRows[]> {
  if (!(await isUnfinished(target))) {
    await refuseTarget(target, source);
    await migrate();
    await begin(target, queueTables);
  }
  await sameTexts(source);
  await sameTexts(target);
  const tables = await tablesOf(source);
  refuseOtherTables(tables, await tablesOf(target));
  const sizes = new Map<Table, { rows: number; bytes: number }>();
  for (const table of tables) sizes.set(table, await sizeOf(source, table));
  const total = [...sizes.values()].reduce((sum, { rows }) => sum + rows, 0);
  const moved = await movedTables(target);
  let done = 0;
  const step = (part: number): void => {
    done += part;
    onStep(done, total);
  };
  for (const [table, { rows, bytes }] of sizes) {
    if (!moved.has(nameOf(table))) {
      const rowsOfPart = Math.max(1, Math.min(MAX_PART_ROWS, Math.floor((PART_BYTES * rows) / Math.max(1, bytes))));
      await copyTable(source, target, table, rowsOfPart, step);
    } else step(rows);
  }
  const result: TableRows[] = [];
  for (const table of tables) {
    const [before, after] = [await contentOf(source, table), await contentOf(target, table)];
    if (before.rows !== after.rows || before.digest !== after.digest)
      throw new Error(
        `${nameOf(table)} has ${after.rows} rows and the digest ${after.digest} instead of ${before.rows} and ${before.digest}: the embedded database was changed since the move began. Empty the database of --to and move again`,
      );
    result.push({ table: nameOf(table), rows: after.rows });
  }
  await end(source, target);
  return result;
}

async function copyTable(source: Run, target: Run, table: Table, rowsOfPart: number, onPart: (rows: number) => void): Promise<void> {
  await target('begin');
  try {
    // Migrations and the queue fill some of them.
    await target(`delete from ${nameOf(table)}`);
    for await (const { rows, json } of partsOf(source, table, rowsOfPart)) {
      await writePart(target, table, json);
      onPart(rows);
    }
    await noteMoved(target, table);
    await target('commit');
  } catch (error) {
    await target('rollback').catch(() => {});
    throw error;
  }
}

function refuseOtherTables(source: readonly Table[], target: readonly Table[]): void {
  const formOf = (tables: readonly Table[]) => new Map(tables.map((table) => [nameOf(table), table.form]));
  const [there, here] = [formOf(target), formOf(source)];
  const others = [...new Set([...there.keys(), ...here.keys()])].filter((name) => there.get(name) !== here.get(name));
  if (others.length > 0)
    throw new Error(
      `the tables ${others.join(', ')} are not the same in both databases. Start the gateway of this program on the embedded database once, and stop it`,
    );
}

// The analytic accounts of lines, where the database has the modules for them. A line names one of each axis by the ids of both: `1/4`.
import type { Row, TrytonClient } from './client.ts';
import { cannotSay } from './errors.ts';
import type { Command } from './stream.ts';

/** Between the id of an axis, which is a root account in Tryton, and that of an account on it. */
const BETWEEN = '/';

/** The field of a line with its entries, one for each axis. */
export const ENTRIES = 'analytic_accounts';

interface EntryRow extends Row {
  root: number;
  account: number | null;
}

interface AnalyticLineRow extends Row {
  account: number;
  'account.': { root: number | null };
}

/** The fields of the lines of a model, with their entries where it has them. */
export const withEntries = async (client: TrytonClient, model: string, fields: readonly string[]): Promise<string[]> =>
  (await client.hasField(model, ENTRIES)) ? [...fields, ENTRIES] : [...fields];

/** A row with its entries; absent where the database has none. */
export interface WithEntries {
  analytic_accounts?: readonly number[];
}

const entriesOf = (client: TrytonClient, rows: readonly WithEntries[]): Promise<Map<number, EntryRow>> =>
  client.rowsOf<EntryRow>(
    'analytic.account.entry',
    rows.flatMap((row) => row.analytic_accounts ?? []),
    ['root', 'account'],
  );

/** The accounts of lines, by their entries. */
export async function analyticAccounts(client: TrytonClient, rows: readonly WithEntries[]): Promise<Map<number, string>> {
  const entries = [...(await entriesOf(client, rows)).values()];
  return new Map(entries.flatMap(({ id, root, account }) => (account === null ? [] : [[id, `${root}${BETWEEN}${account}`] as const])));
}

/** The accounts of a line; none where the database has no entries. */
export const accountsIn = ({ analytic_accounts: entries }: WithEntries, accounts: ReadonlyMap<number, string>) =>
  entries === undefined ? {} : { tracking_category_ids: entries.flatMap((id) => accounts.get(id) ?? []) };

/** Each posting with the accounts that its amount is in, by the ids of its analytic lines. */
export async function postedAccounts(client: TrytonClient, ids: readonly number[]): Promise<Map<number, string>> {
  const lines = await client.rowsOf<AnalyticLineRow>('analytic_account.line', ids, ['account', 'account.root']);
  return new Map(
    [...lines].map(
      ([
        id,
        {
          account,
          'account.': { root },
        },
      ]) => [id, `${root ?? account}${BETWEEN}${account}`],
    ),
  );
}

/** The accounts of a record as Tryton has them: by axis. */
function accountsByAxis(ids: readonly string[]): Map<number, number> {
  const pairs = ids.map((id) => {
    const [, root, account] = /^(\d{1,9})\/(\d{1,9})$/.exec(id) ?? [];
    if (root === undefined) throw cannotSay(`Tryton has no analytic account ${id}: name one by the id of its axis, "/" and its own id`);
    return [Number(root), Number(account)] as const;
  });
  const byAxis = new Map(pairs);
  if (byAxis.size < pairs.length) throw cannotSay('A line has at most one analytic account of each axis in Tryton');
  return byAxis;
}

/** The commands that give a line of a model these accounts; `row` is the line as it is, absent for a new one. */
export async function entryCommands(
  client: TrytonClient,
  model: string,
  ids: readonly string[],
  row: WithEntries = {},
): Promise<Command[]> {
  if (ids.length > 0 && !(await client.hasField(model, ENTRIES)))
    throw cannotSay('The database of Tryton has no analytic accounts for lines like this: activate the module for them');
  const wanted = accountsByAxis(ids);
  const commands: Command[] = [];
  for (const { id, root, account } of (await entriesOf(client, [row])).values()) {
    const next = wanted.get(root) ?? null;
    wanted.delete(root);
    if (next !== account) commands.push(['write', [id], { account: next }]);
  }
  if (wanted.size > 0) commands.push(['create', [...wanted].map(([root, account]) => ({ root, account }))]);
  return commands;
}

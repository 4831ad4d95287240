// The order of a report: each account is followed by those below it, with the sums of an account and all accounts below it.
import { exactSum } from '../writes/exact-sum.ts';

/** An account of a report, or an amount without an account, with its amount in each period. */
interface Placeable {
  accountId: number | null;
  parentId: number | null;
  amounts: readonly number[];
}

/** An account at its place. */
export interface Placed<T> {
  account: T;
  /** How many accounts of the report are above it. */
  level: number;
  /** Its amounts with those of all accounts below it. */
  subtotals: readonly number[];
}

/** The subtotals of a tree in its order. Accounts without an amount that have none with one below them are left out. */
function summed<T extends Placeable>(tree: readonly Omit<Placed<T>, 'subtotals'>[]): Placed<T>[] {
  const found: Placed<T>[] = [];
  /** By level, the subtotals of the accounts whose parent comes next. */
  const below: (readonly number[])[][] = [];
  for (const { account, level } of tree.toReversed()) {
    const parts = below[level + 1] ?? [];
    below[level + 1] = [];
    if (parts.length === 0 && account.amounts.every((amount) => amount === 0)) continue;
    const subtotals =
      parts.length === 0
        ? account.amounts
        : account.amounts.map((amount, period) => exactSum([amount, ...parts.map((amounts) => amounts[period]!)]));
    below[level] ??= [];
    below[level].push(subtotals);
    found.push({ account, level, subtotals });
  }
  return found.toReversed();
}

/**
 * The accounts of a report as trees, in the order in which they are given. One whose parent is not among them is at the top. Where a source says of
 * accounts that they are above each other, the first of them is at the top.
 */
export function treesOf<T extends Placeable>(accounts: readonly T[]): Placed<T>[] {
  const known = new Set(accounts.map(({ accountId }) => accountId));
  const isTop = ({ parentId }: T): boolean => parentId === null || !known.has(parentId);
  const children = Map.groupBy(
    accounts.filter((account) => !isTop(account)),
    ({ parentId }) => parentId,
  );
  const trees = new Map<T, Placed<T>[]>();
  const placed = new Set<T>();
  for (const top of [...accounts.filter(isTop), ...accounts]) {
    if (placed.has(top)) continue;
    const tree = [];
    const open = [{ account: top, level: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { account, level } = next;
      if (placed.has(account)) continue;
      placed.add(account);
      tree.push(next);
      const own = account.accountId === null ? [] : (children.get(account.accountId) ?? []);
      for (const child of own.toReversed()) open.push({ account: child, level: level + 1 });
    }
    trees.set(top, summed(tree));
  }
  return accounts.flatMap((account) => trees.get(account) ?? []);
}

// What the browser keeps: the operations that are open, and those that were run.

/** An operation as it is in the editors. */
export interface Draft {
  readonly document: string;
  readonly variables: string;
}

/** An operation that is open in a tab. */
export interface Tab extends Draft {
  readonly id: number;
  /** Request headers as JSON text; empty without any. */
  readonly headers: string;
  /** Whether it was edited since it was opened or run: closing it would lose something. */
  readonly isEdited: boolean;
}

/** The tabs, and which of them is shown. */
export interface Tabs {
  readonly all: readonly Tab[];
  readonly shown: number;
}

/** An operation that was run, or closed before it was. */
export interface Past extends Draft {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Status and time, as shown; empty for one that was not run. */
  readonly outcome: string;
}

const TABS = 'ledger-gateway:tabs';
const HISTORY = 'ledger-gateway:operations';
const MAX_PAST = 40;

function read<T>(storage: Storage, name: string): T | undefined {
  try {
    return JSON.parse(storage.getItem(name) ?? '') as T;
  } catch {
    return undefined;
  }
}

function write(storage: Storage, name: string, value: unknown): void {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // A full storage forgets; the playground works on.
  }
}

/** The tabs of this visit, or those of the last one. */
export const storedTabs = (): Tabs | undefined => read<Tabs>(sessionStorage, TABS) ?? read<Tabs>(localStorage, TABS);

/** Keeps the tabs. Headers may hold secrets, so they end with the visit, as the key does. */
export function rememberTabs(tabs: Tabs): void {
  write(sessionStorage, TABS, tabs);
  write(localStorage, TABS, { ...tabs, all: tabs.all.map((tab) => ({ ...tab, headers: '' })) });
}

/** What was run, newest first. */
export const storedHistory = (): readonly Past[] => read<Past[]>(localStorage, HISTORY) ?? [];

/** Puts an operation on top; the same text is in the history once. */
export function withPast(history: readonly Past[], past: Past): readonly Past[] {
  const others = history.filter(({ document, variables }) => document !== past.document || variables !== past.variables);
  const next = [past, ...others].slice(0, MAX_PAST);
  write(localStorage, HISTORY, next);
  return next;
}

/** Forgets what was run. */
export function clearHistory(): readonly Past[] {
  localStorage.removeItem(HISTORY);
  return [];
}

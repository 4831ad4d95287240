// What the browser keeps: the present operation for this tab, and the operations that were run.

/** An operation as it is in the editors. */
export interface Draft {
  readonly document: string;
  readonly variables: string;
}

/** An operation that was run, or replaced before it was. */
export interface Past extends Draft {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Status and time, as shown; empty for one that was not run. */
  readonly outcome: string;
}

const DRAFT = 'ledger-gateway:operation';
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

/** The operation of this tab. */
export const storedDraft = (): Draft | undefined => read<Draft>(sessionStorage, DRAFT);
/** Keeps the operation of this tab. */
export const rememberDraft = (draft: Draft): void => write(sessionStorage, DRAFT, draft);

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

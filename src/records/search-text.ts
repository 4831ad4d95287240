// The form of text in which lists compare it with `contains`, `startsWith` and `search`: without case and accents.

import type { Model } from './metadata.ts';

/** The function of the database that folds a text by a named collation, whatever its locale. `folded` does the same here. */
export const FOLD = 'folded_text';

/** The text of a row that `search` looks into, folded, in SQL: its searched columns, a line each. `alias` is the alias of its table with a full stop, or empty. */
export const searchText = (alias: string, columns: readonly string[]): string =>
  `${FOLD}(${columns.map((column) => `coalesce(${alias}${column}, '')`).join(" || E'\\n' || ")})`;

/** The column that all rows of a list share, as the search index has it. No other index has this form, so the planner cannot prefer one of those to it for want of statistics. */
export const searchScope = ({ listColumn, props }: Pick<Model, 'listColumn' | 'props'>): string =>
  [...props.values()].some(({ column, kind }) => column === listColumn && kind === 'ledgerId')
    ? `${listColumn} + 0`
    : `${listColumn} || ''`;

/** A text without case and accents, as the database folds it. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    // The small sigma has a form of its own at the end of a word.
    .replaceAll('ς', 'σ');

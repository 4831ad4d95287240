// Checks the rows of a document against each other and against the stored content. Countries, parents and successors must exist, parents must form no
// cycle, and a code must belong to one country only.
import { Gathering } from '../../records/checked.ts';
import type { InputIssue } from '../../records/input-issue.ts';
import type { Content, ContentRow } from './check.ts';

/** The stored content that the checks read. */
export interface StoredCodes {
  countries: ReadonlyMap<string, { alpha3: string; numeric: string | null; current: boolean }>;
  subdivisions: ReadonlyMap<string, { parent: string | null; current: boolean }>;
}

/** Adds an issue for every row that does not fit. With `replace`, rows that the document leaves out count as gone. */
export function checkRelations(content: Content, stored: StoredCodes, replace: boolean, issues: Gathering): void {
  const countries = new Set([...stored.countries.keys(), ...countriesOf(content.countries)]);
  if (content.countries) checkUnique(content.countries, stored, replace, issues);
  if (!content.subdivisions) return;
  const given = new Map(content.subdivisions.map((row) => [row.values.code!, row]));
  const parents = new Map<string, string | null>();
  for (const [code, { parent, current }] of stored.subdivisions) if (!replace && current) parents.set(code, parent);
  for (const [code, { values }] of given)
    parents.set(code, values.parent !== undefined ? values.parent : (stored.subdivisions.get(code)?.parent ?? null));
  for (const [code, row] of given) {
    if (!countries.has(code.slice(0, 2))) issues.add(row.memberOf('code'), 'NOT_FOUND', `${code} belongs to no known country`);
    const issue = parentIssue(code, parents);
    if (issue) issues.add(row.memberOf('parent'), issue.code, issue.message);
    for (const successor of row.values.superseded_by ?? []) {
      if (stored.subdivisions.has(successor) || given.has(successor) || countries.has(successor)) continue;
      issues.add(row.memberOf('superseded_by'), 'NOT_FOUND', `${successor} is not a known code`);
    }
  }
}

const countriesOf = (rows: readonly ContentRow[] | undefined): string[] => (rows ?? []).map((row) => row.values.alpha2!);

function parentIssue(code: string, parents: ReadonlyMap<string, string | null>): Pick<InputIssue, 'code' | 'message'> | undefined {
  const parent = parents.get(code);
  if (!parent) return undefined;
  if (parent.slice(0, 2) !== code.slice(0, 2))
    return { code: 'MISMATCH', message: `the parent ${parent} of ${code} is in another country` };
  if (!parents.has(parent)) return { code: 'NOT_FOUND', message: `the parent ${parent} of ${code} is not a known subdivision` };
  let at: string | null | undefined = parent;
  // No register has more than three levels; a longer chain is a cycle.
  for (let depth = 0; at && depth < 5; depth++) at = parents.get(at);
  return at ? { code: 'INVALID_VALUE', message: `the parents of ${code} form a cycle` } : undefined;
}

/** Three-letter and numeric codes belong to one current country each. */
function checkUnique(rows: ContentRow[], stored: StoredCodes, replace: boolean, issues: Gathering): void {
  const given = new Set(countriesOf(rows));
  for (const column of ['alpha3', 'numeric'] as const) {
    const owners = new Map<string, string>();
    if (!replace)
      for (const [alpha2, row] of stored.countries) if (row.current && row[column] && !given.has(alpha2)) owners.set(row[column], alpha2);
    for (const row of rows) {
      const value = row.values[column];
      if (!value || row.values.status === 'WITHDRAWN') continue;
      const owner = owners.get(value);
      if (owner) issues.add(row.memberOf(column), 'DUPLICATE', `${value} belongs to ${owner} already`);
      else owners.set(value, row.values.alpha2!);
    }
  }
}

// Stores the open references of written records.
import type { EntityManager } from '../../database/open.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { referencesOf } from '../ledger/references.ts';
import type { Change, WriteScope } from './change.ts';
import { type GivenProperty, type OpenRow, replaceOpen } from './reference.statements.ts';

/** Stores the open references of written records in place of those that they had in the properties given. */
export async function storeOpenReferences(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
): Promise<void> {
  const references = referencesOf(target);
  if (references.length === 0) return;
  const given: GivenProperty[] = [];
  const rows: OpenRow[] = [];
  for (const change of changes) {
    if (!change.stored && !change.open) continue;
    const { stored, input, ledgerId, open = [] } = change;
    // A property with a number has no open reference, unless it is a list.
    for (const { prop, isList } of references)
      if (stored && input[prop.name] !== undefined && (isList || stored[prop.name] == null))
        given.push({ recordId: ledgerId, property: prop.name, kept: open.filter(({ property }) => property === prop.name).length });
    for (const entry of open)
      rows.push({ ...entry, ...parentOf(target, change.values), recordId: ledgerId, dataModel: namesOf(target).dataModel });
  }
  if (given.length > 0 || rows.length > 0) await replaceOpen(em, scope, given, rows);
}

/** The parent of a child, from its values. */
export function parentOf(
  target: RecordClass<LedgerRecord>,
  values: Readonly<Record<string, unknown>>,
): Pick<OpenRow, 'parentModel' | 'parentId'> {
  const { parent } = namesOf(target);
  const reference = referencesOf(target).find(({ isParent }) => isParent);
  if (!reference) return { parentModel: null, parentId: null };
  const parentModel = parent.includes('parentType') ? values.parentType : namesOf(reference.targets()[0]!).dataModel;
  return { parentModel: parentModel as string | null, parentId: values[reference.prop.name] as number | null };
}

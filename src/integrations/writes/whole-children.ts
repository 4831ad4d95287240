// Children that callers write with their parent only and all together, because a rule holds over all of them: the lines of a journal entry.
import { type GatewayError, invalid } from '../../records/errors.ts';
import { modelOf, propOf, type RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { type Change, fieldOf, refuse, type WriteScope } from './change.ts';

/** The type of the parent that a child names. */
function parentOf(target: RecordClass<LedgerRecord>, child: Record<string, unknown>): RecordClass<LedgerRecord> | undefined {
  const name = namesOf(target).parent.at(-1);
  if (name === undefined || child[name] == null) return undefined;
  const { target: only, typedBy } = propOf(modelOf(target), name);
  return typedBy === undefined ? (only?.() as RecordClass<LedgerRecord>) : recordOf(String(child[typedBy]));
}

/** The error of a child that is written or deleted without its parent, where that may not be. */
export function refusalOf(target: RecordClass<LedgerRecord>, child: Record<string, unknown>, field: string): GatewayError | undefined {
  const parent = parentOf(target, child);
  const relation = parent && [...modelOf(parent).relations.values()].find((one) => one.whole && one.target() === target);
  if (!relation) return undefined;
  const label = namesOf(parent).dataModel.toLowerCase().replaceAll('_', ' ');
  return invalid(field, `${field} cannot be written alone: it is written with all ${relation.name} of its ${label}`);
}

/** Refuses changes of a caller that write such children alone, or move them from or to such a parent. One that changes nothing may be sent. */
export function checkWhole(scope: WriteScope, target: RecordClass<LedgerRecord>, changes: Change[]): void {
  if (scope.isPull) return;
  for (const change of changes) {
    const { stored, values, parent } = change;
    if (parent || change.error || (stored && stored.dataHash === values.dataHash)) continue;
    const field = fieldOf(change, namesOf(target).parent.at(-1) ?? '');
    const error = refusalOf(target, values, field) ?? (stored && refusalOf(target, stored, field));
    if (error) refuse(scope, change, error);
  }
}

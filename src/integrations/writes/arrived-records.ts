// Writes the references of records again once what they name is stored, or is stored under another number than before.
import type { EntityManager } from '../../database/open.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, ledgerTypes, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { referencedTypes, referencesOf } from '../ledger/references.ts';
import type { ChangeEvent, CurrentRecord, RecordInput, WriteScope } from './change.ts';
import { parentOf } from './open-references.ts';
import { readStored } from './record.statements.ts';
import { type OpenRow, readOpen, readWaiting, readWaitingFor, replaceOpen, type WaitingRecord } from './reference.statements.ts';
import { writeRemaining } from './remaining.ts';

/** Most records whose references one transaction resolves; the end of a pull resolves what its pages left. */
const MAX_WAITING = 500;

/** Resolves the references that waited for records which a page of a pull, or a caller, created. */
export async function resolveArrived(em: EntityManager, scope: WriteScope): Promise<void> {
  const arrived = [...(scope.arrived ?? [])].flatMap(([target, ids]) => ids.map((id) => [namesOf(target).dataModel, id] as const));
  if (arrived.length === 0) return;
  await resolveWaiting(em, scope, await readWaitingFor(em, scope, arrived, MAX_WAITING));
}

/**
 * Resolves references to records that are stored by now, however they came. It looks at some records after the given one, and returns the last
 * of them, or undefined when there are no more.
 */
export async function resolveStored(em: EntityManager, scope: WriteScope, after: number): Promise<number | undefined> {
  const waiting = await readWaiting(em, scope, referencedTypes(), after, MAX_WAITING);
  await resolveWaiting(em, scope, waiting);
  return waiting.length === MAX_WAITING ? waiting.at(-1)!.recordId : undefined;
}

/**
 * Has the records that name another record, which is gone, name the record of a platform id instead. At the source both are the same. Lists of
 * numbers stay as they are, because no index finds them.
 */
export async function moveReferences(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  gone: number,
  platformId: string,
): Promise<void> {
  const { dataModel } = namesOf(target);
  const rows: OpenRow[] = [];
  for (const owner of ledgerTypes())
    for (const { prop, isParent, isList, typedBy, targets } of referencesOf(owner)) {
      if (isParent || isList || !targets().includes(target)) continue;
      const ofType = typedBy && ` and ${modelOf(owner).props.get(typedBy)!.column} = $4`;
      const found = await readStored(
        em,
        scope,
        modelOf(owner),
        `${prop.column} = $3::bigint${ofType ?? ''}`,
        ofType ? [gone, dataModel] : [gone],
      );
      for (const record of found)
        rows.push({
          ...{ recordId: record.ledgerId, dataModel: namesOf(owner).dataModel, ...parentOf(owner, record) },
          ...{ property: prop.name, position: 0, targetModel: dataModel, platformId, isOpen: true },
        });
    }
  if (rows.length === 0) return;
  await replaceOpen(em, scope, [], rows);
  await resolveWaiting(em, scope, rows);
}

/** Writes the references of waiting records again. One that is rejected, as an account above itself, stays open. */
async function resolveWaiting(em: EntityManager, pull: WriteScope, waiting: readonly WaitingRecord[]): Promise<void> {
  if (waiting.length === 0) return;
  const scope = { ...pull, isPull: true, strict: false, keepsSource: true };
  // Before their children, as every write locks them.
  await locked(
    em,
    scope,
    Map.groupBy(
      waiting.filter(({ parentId }) => parentId !== null),
      ({ parentModel }) => parentModel!,
    ),
    'parentId',
  );
  const byType = Map.groupBy(waiting, ({ dataModel }) => dataModel);
  const stored = await locked(em, scope, byType, 'recordId');
  // Read under the locks of the records, because a write of one of them may have given it another reference.
  const open = Map.groupBy(
    await readOpen(
      em,
      { companyId: scope.company.ledgerId, organisationId: scope.organisationId },
      waiting.map(({ recordId }) => recordId),
    ),
    ({ recordId }) => recordId,
  );
  const isChild = ([dataModel]: [string, unknown]): boolean => namesOf(recordOf(dataModel)!).parent.length > 0;
  const types = [...byType];
  for (const [dataModel, records] of [...types.filter((type) => !isChild(type)), ...types.filter(isChild)]) {
    const target = recordOf(dataModel)!;
    const known = records.filter(({ recordId }) => open.has(recordId) && stored.has(recordId));
    const entries = known.map(({ recordId }) => ({
      path: 'data',
      ledgerId: recordId,
      input: inputOf(target, stored.get(recordId)!, open.get(recordId)!),
    }));
    const own = { ...scope, changes: [...scope.changes] };
    await writeRemaining(em, own, target, entries, 'upsert');
    // A change of what a child names is reported as a change of its parent.
    const isReported = (change: ChangeEvent): boolean => change.target !== target || !isChild([dataModel, records]);
    for (const change of own.changes.slice(scope.changes.length)) if (isReported(change)) scope.changes.push(change);
  }
}

/** Locks records of several types in the order in which writes do; returns them by number. */
async function locked(
  em: EntityManager,
  scope: WriteScope,
  byType: ReadonlyMap<string, readonly WaitingRecord[]>,
  key: 'recordId' | 'parentId',
): Promise<Map<number, CurrentRecord>> {
  const found = new Map<number, CurrentRecord>();
  for (const [dataModel, records] of byType) {
    const ids = [...new Set(records.map((record) => record[key]))];
    for (const row of await readStored(em, scope, modelOf(recordOf(dataModel)!), 'ledger_id = any($3::bigint[])', [ids]))
      found.set(row.ledgerId, row);
  }
  return found;
}

/** The references of a record as the input of a write. */
function inputOf(
  target: RecordClass<LedgerRecord>,
  stored: CurrentRecord,
  open: readonly { property: string; platformId: string }[],
): RecordInput {
  const references = referencesOf(target);
  const byProperty = Map.groupBy(open, ({ property }) => property);
  return Object.fromEntries(
    [...byProperty].map(([property, entries]) => {
      const { prop, field, isList } = references.find((one) => one.prop.name === property)!;
      if (prop.mayBeOpen) return [property, stored[property]];
      const named = entries.map(({ platformId }) => ({ platformId }));
      return [field, isList ? named : named[0]];
    }),
  );
}

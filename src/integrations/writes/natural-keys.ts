// Natural keys: the property that identifies a record within its company besides the platform id, such as the code of a currency.
import type { EntityManager } from '../../database/open.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { type Change, type CurrentRecord, fieldOf, isDecided, refuse, type WriteScope } from './change.ts';
import { adoptRecord, readStored } from './record.statements.ts';

/**
 * Finds the stored records that changes name by their natural key, and rejects a change that would give a second record the key of another. A record
 * that its source has not had under another id becomes the record that a pull brings with its key. So does a record of a former source.
 */
export async function matchNaturalKeys(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: Change[],
  creates: boolean,
): Promise<void> {
  const { naturalKey } = namesOf(target);
  if (naturalKey === undefined) return;
  const given = changes.filter((change) => change.input[naturalKey] != null && !isDecided(scope, change));
  const isKept = ({ input, stored }: Change): boolean => input[naturalKey] === stored?.[naturalKey];
  const wanted = given.filter((change) => !isKept(change));
  if (wanted.length === 0) return;
  const model = modelOf(target);
  const values = wanted.map(({ input }) => input[naturalKey]);
  const rows = await readStored(em, scope, model, `${model.props.get(naturalKey)!.column} = any($3::text[])`, [values]);
  const holders = new Map(rows.map((row) => [row[naturalKey], row]));
  const taken = new Set(changes.flatMap(({ stored }) => stored?.ledgerId ?? []));
  // A rejected record takes no key from the others.
  const seen = new Set<unknown>(given.filter((change) => !change.error && isKept(change)).map(({ input }) => input[naturalKey]));
  for (const change of wanted) {
    const value = change.input[naturalKey];
    const holder = holders.get(value);
    const isRefused = change.error !== undefined;
    // What has no other name than the key means the record of the other change, and `refuseRepeated` rejects one of the two.
    const isTaken = holder !== undefined && taken.has(holder.ledgerId) && change.input.platformId != null;
    if (seen.has(value)) refuse(scope, change, occursTwice(change, naturalKey));
    else if (holder && (isTaken || !isSame(scope, change, holder, creates))) refuse(scope, change, alreadyExists(change, naturalKey));
    else if (holder) await match(em, scope, target, change, holder);
    if (!isRefused) seen.add(value);
  }
}

/** Whether the stored record with the key of a change is the one that it means. */
function isSame(scope: WriteScope, { input, stored }: Change, holder: CurrentRecord, creates: boolean): boolean {
  if (stored || creates) return false;
  // Another request may have stored it since the look by platform id.
  const isOwn = input.platformId == null || input.platformId === holder.platformId;
  return isOwn || scope.isPull === true || holder.ledgerIntegrationType !== scope.company.integrationType;
}

/** Makes a change one of the stored record with its key, which becomes one of the present source. */
async function match(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  change: Change,
  holder: CurrentRecord,
): Promise<void> {
  change.stored = holder;
  change.ledgerId = holder.ledgerId;
  const platformId = change.input.platformId ?? holder.platformId;
  if (platformId !== holder.platformId || holder.ledgerIntegrationType !== scope.company.integrationType)
    await adoptRecord(em, scope, modelOf(target), holder, String(platformId));
}

/**
 * Rejects changes of a record that an earlier one names by another id. Each would be merged with what is stored, so the last would undo the others.
 * `numbered` are those that name it by its number.
 */
export function refuseRepeated(
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  changes: readonly Change[],
  numbered: ReadonlySet<Change>,
): void {
  const seen = new Set<number>();
  for (const change of changes) {
    const { stored, input, error } = change;
    if (!stored || error) continue;
    const name = numbered.has(change) ? 'id' : input.platformId != null ? 'platformId' : namesOf(target).naturalKey!;
    if (seen.has(stored.ledgerId)) refuse(scope, change, occursTwice(change, name));
    seen.add(stored.ledgerId);
  }
}

/** The error of a record whose key another one of the same request has. */
export const occursTwice = (change: Change, name: string): GatewayError =>
  invalid(fieldOf(change, name), `${fieldOf(change, name)} occurs twice in this request`, 'DUPLICATE');

/** The error of a record whose key a stored one has. */
export function alreadyExists(change: Change, name: string): GatewayError {
  const field = fieldOf(change, name);
  const message = `a record with ${name} ${JSON.stringify(String(change.input[name] ?? change.stored?.[name]).slice(0, 100))} exists already`;
  return new GatewayError('RECORD_ALREADY_EXISTS', message, { field, issues: [{ field, code: 'DUPLICATE', message }] });
}

// Decisions on records that changed here and at the source.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { digestOf } from '../../json/digest.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import type { WriteScope } from '../writes/change.ts';
import { readStored } from '../writes/record.statements.ts';
import { keepStored } from '../writes/source-versions.ts';
import { deleteRecord, takeOver } from '../writes/write.ts';
import { recordCoercer } from './source-record.ts';

/**
 * Ends the conflict of a record; returns whether there is such a record. What the source has is noted as seen either way, so that the next pull
 * of the same version is no new conflict.
 */
export async function resolveConflict(
  em: EntityManager,
  { schema }: Pick<Services, 'schema'>,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  ledgerId: number,
  keep: 'LOCAL' | 'SOURCE',
): Promise<boolean> {
  const [stored] = await readStored(em, scope, modelOf(target), 'ledger_id = $3::bigint', [ledgerId]);
  if (!stored) return false;
  if (stored.sourceState !== 'CONFLICT')
    throw new GatewayError('INVALID_STATE_TRANSITION', `the record is ${stored.sourceState}, not in CONFLICT`, { field: 'id' });
  const version = stored.sourceVersion as Record<string, unknown>;
  const isGone = version.deleted === true;
  if (keep === 'LOCAL') {
    // Without a digest the source counts as not having the record, and gets it again.
    const hash = isGone ? null : digestOf(recordCoercer(schema, target)(version, 'data'));
    await keepStored(em, scope, target, stored, hash);
    return true;
  }
  const pulled = { ...scope, isPull: true };
  if (isGone) await deleteRecord(em, pulled, target, ledgerId);
  else {
    const input = recordCoercer(schema, target)(version, 'data');
    await takeOver(em, pulled, target, ledgerId, String(input.platformId), { input, source: { record: version, hash: digestOf(input) } });
  }
  return true;
}

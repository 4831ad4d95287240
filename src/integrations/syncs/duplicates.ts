// Duplicates: records that a pull stored before the response to the push that created them. Changes of a duplicate by callers are moved to the record that they had created.
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { digestOf } from '../../json/digest.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import type { WriteScope } from '../writes/change.ts';
import { readStored } from '../writes/record.statements.ts';
import { type FormOf, type StoredForm, storedForm } from '../writes/source-form.ts';
import { markConflicts, storeStanding } from '../writes/source-version.statements.ts';
import { replaceId, updateRecord } from '../writes/write.ts';
import { movePushes } from './push.statements.ts';
import type { Prepared } from './push-sending.ts';
import { recordCoercer } from './source-record.ts';

/** A duplicate that a caller has changed. */
export interface Duplicate {
  ledgerId: number;
  form: StoredForm;
}

/**
 * Frees the id that the source has given to a pushed record. Returns the duplicate that has this id, where a caller has changed the duplicate. A
 * duplicate that a caller has deleted is gone as intended, and no deletion is sent to the source: the record itself was not deleted. A record that
 * only a caller has given the id is another one.
 */
export async function freeId(em: EntityManager, scope: WriteScope, of: FormOf, platformId: string): Promise<Duplicate | undefined> {
  const model = modelOf(of.target);
  const { companyId, ledgerId } = of;
  const deleted = { companyId, platformId, ledgerId: { $ne: ledgerId }, ledgerDeletedAt: { $ne: null } };
  const ofSource = { ledgerIntegrationType: scope.company.integrationType, sourceState: 'PENDING_PUSH' };
  await em.nativeUpdate(of.target, { ...deleted, ...ofSource }, { sourceState: 'IN_SYNC' });
  const condition = `platform_id = $3 and ledger_integration_type = $4 and ledger_id <> $5::bigint and source_state <> 'IN_SYNC'`;
  const [duplicate] = await readStored(em, scope, model, condition, [platformId, scope.company.integrationType, ledgerId]);
  if (!duplicate) return undefined;
  if (duplicate.sourceHash !== null)
    return { ledgerId: duplicate.ledgerId, form: await storedForm(em, { ...of, ledgerId: duplicate.ledgerId }) };
  await replaceId(em, scope, of.target, duplicate);
  return undefined;
}

/**
 * Writes what a caller made of a duplicate to the record itself. The pushes of the record, which are those of the duplicate too, send it. Values that
 * were written to both since the record was sent are as they were written to the record. `current` is the record now, and `hash` the digest of what
 * the source has.
 */
export async function keepDuplicate(
  em: EntityManager,
  scope: WriteScope,
  of: FormOf,
  { push, form }: Prepared,
  { current, hash }: { current: Row; hash: string },
  { ledgerId, form: duplicate }: Duplicate,
): Promise<void> {
  const model = modelOf(of.target);
  const isWritten = (name: string): boolean => digestOf(current[name] ?? null) !== digestOf(form[name] ?? null);
  const record = Object.fromEntries(
    Object.entries(duplicate.record).map(([name, value]) => [name, isWritten(name) ? current[name] : value]),
  );
  const input = recordCoercer(of.schema, of.target)({ ...record, platform_id: duplicate.platformId }, 'data');
  const result = await updateRecord(em, { ...scope, keepsSource: true }, of.target, of.ledgerId, input);
  if (result instanceof GatewayError) throw result;
  const { sourceVersion: version } = duplicate;
  if (version) await markConflicts(em, scope, model, [{ ledgerId: of.ledgerId, version }]);
  else await storeStanding(em, scope, model, of.ledgerId, 'PENDING_PUSH', hash);
  await movePushes(em, push, ledgerId);
}

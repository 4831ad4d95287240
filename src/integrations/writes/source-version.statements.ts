// The statements about what the source says of stored records: deletions it has not heard of, conflicts, and agreement.
import { arrayLiteral } from '../../database/array-literal.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import type { Model } from '../../records/metadata.ts';
import type { SourceStateName } from '../ledger/source-state.ts';
import type { WriteScope } from './change.ts';
import { NEXT_VERSION } from './record.statements.ts';

/** The source ids, among those given, of records that were deleted here and whose deletion the source has not heard of. */
export async function deletedHere(em: EntityManager, scope: WriteScope, { table }: Model, platformIds: string[]): Promise<Set<string>> {
  if (platformIds.length === 0) return new Set();
  const rows = await executeIn<{ id: string }>(
    em,
    `select platform_id as id from "${table}" where company_id = $1 and source_state = 'PENDING_PUSH' and platform_id = any($2::text[])
       and ledger_integration_type = $3 and ledger_deleted_at is not null`,
    [scope.company.ledgerId, platformIds, scope.company.integrationType],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A record in conflict, with what the source has instead. */
export interface ConflictRow {
  ledgerId: number;
  version: Record<string, unknown>;
}

/** Marks records to be in CONFLICT with a version of the source. */
export async function markConflicts(
  em: EntityManager,
  scope: WriteScope,
  { table }: Model,
  conflicts: readonly ConflictRow[],
): Promise<void> {
  if (conflicts.length === 0) return;
  await executeIn(
    em,
    `update "${table}" t set source_state = 'CONFLICT', source_error = null, source_version = r.version, ledger_updated_at = ${NEXT_VERSION}
     from unnest($4::text::bigint[], $5::text::jsonb[]) as r(id, version)
     where t.company_id = $1 and t.organisation_id = $2 and t.ledger_id = r.id`,
    [
      scope.company.ledgerId,
      scope.organisationId,
      scope.now.toISOString(),
      arrayLiteral(conflicts, ({ ledgerId }) => ledgerId),
      arrayLiteral(conflicts, ({ version }) => JSON.stringify(version)),
    ],
  );
}

/** Stores that the source has records as they are stored, with the digest of what it said. Their version does not change. */
export async function storeAgreement(
  em: EntityManager,
  scope: WriteScope,
  { table }: Model,
  agreed: readonly { ledgerId: number; hash: string }[],
): Promise<void> {
  await executeIn(
    em,
    `update "${table}" t set source_state = 'IN_SYNC', source_error = null, source_version = null, source_hash = r.hash
     from unnest($3::text::bigint[], $4::text::text[]) as r(id, hash)
     where t.company_id = $1 and t.organisation_id = $2 and t.ledger_id = r.id`,
    [
      scope.company.ledgerId,
      scope.organisationId,
      arrayLiteral(agreed, ({ ledgerId }) => ledgerId),
      arrayLiteral(agreed, ({ hash }) => hash),
    ],
  );
}

/** Condition of records that a caller changed since the source had them, unless their conflict says already that the source has deleted them. */
export const CHANGED_HERE = `((source_state in ('PENDING_PUSH', 'PUSH_FAILED', 'LOCAL') and source_hash is not null)
  or (source_state = 'CONFLICT' and source_version ->> 'deleted' is distinct from 'true'))`;

/** Stores the synchronisation state of a record that is not in conflict; `hash` is the digest of what the source has. */
export async function storeStanding(
  em: EntityManager,
  scope: WriteScope,
  { table }: Model,
  ledgerId: number,
  state: SourceStateName,
  hash: string | null,
): Promise<void> {
  await executeIn(
    em,
    `update "${table}" t set source_state = $4, source_version = null, source_hash = $5, ledger_updated_at = ${NEXT_VERSION}
     where company_id = $1 and organisation_id = $2 and ledger_id = $6::bigint`,
    [scope.company.ledgerId, scope.organisationId, scope.now.toISOString(), state, hash, ledgerId],
  );
}

// Statements about the records of a corporation, whose types the files of corporations do not know.
import { evaluate } from '../../database/expression.statements.ts';
import type { EntityManager } from '../../database/open.ts';
import { allModels } from '../../records/metadata.ts';

/** What every record of a corporation has, and the property that archives it. */
interface Dependant {
  organisationId: number;
  corporationId: string;
  [deletedAt: string]: unknown;
}

/** Archives the records of a corporation: the rows of every record type with a `corporationId`. */
export async function archiveDependants(
  em: EntityManager,
  { organisationId, id }: Pick<Dependant, 'organisationId'> & { id: string },
  now: Date,
): Promise<void> {
  for (const { class: record, props, deletedAt } of allModels()) {
    if (props.get('corporationId')?.kind !== 'id' || !deletedAt) continue;
    await em.nativeUpdate<Dependant>(record, { organisationId, corporationId: id, [deletedAt]: null }, { [deletedAt]: now });
  }
}

/** Whether the corporation has a registration. */
export const hasRegistration = async (em: EntityManager, id: string): Promise<boolean> =>
  (await evaluate(em, { sql: 'exists (select 1 from registration where corporation_id = $1)', values: [id] })) === true;

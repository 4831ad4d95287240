// Permanently removes records that were marked deleted before the retention period, page by page, except those another record still references.
import type { EntityManager } from '../database/open.ts';
import { type Model, modelOf, type RecordClass } from '../records/metadata.ts';
import { deletedRows, removeUnreferenced } from './deleted-record-retention.statements.ts';
import { type Chore, cutoff } from './schedules.ts';

/** Rows checked in one transaction; for each, the database searches all records of its company for references to it. */
const PAGE = 20;

/** The position of a run: the record type, the last row checked, and whether this pass over all types removed anything. */
interface Place {
  model: number;
  at: string;
  key: string;
  removed: boolean;
}

const START: Place = { model: 0, at: '-infinity', key: '', removed: false };

/** The chore for those of the given records that have a soft delete. Passes repeat until one removes nothing, because removing a record may free another. */
export function deletedRecordRetention(records: readonly RecordClass[]): Chore {
  const models = records.map(modelOf).filter((model) => model.deletedAt);
  let place = START;
  return {
    name: 'deleted-record-retention',
    async batch(em, services) {
      const before = cutoff(services, services.config.retention.deletedRecordDays);
      const model = models[place.model];
      if (!before || !model) {
        const again = before !== undefined && place.removed;
        place = START;
        return again;
      }
      const { last, removed } = await removePage(em, model, before, place);
      place = last ? { ...place, ...last } : { ...START, model: place.model + 1, removed: place.removed };
      if (removed > 0) place.removed = true;
      return true;
    },
  };
}

async function removePage(
  em: EntityManager,
  model: Model,
  before: string,
  { at, key }: Place,
): Promise<{ last: Pick<Place, 'at' | 'key'> | undefined; removed: number }> {
  const rows = await deletedRows(em, model, before, { at, key }, PAGE);
  const last = rows.at(-1);
  if (!last) return { last, removed: 0 };
  return { last: { at: last.at, key: last.key }, removed: await removeUnreferenced(em, model, rows, before) };
}

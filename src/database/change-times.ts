// Times of changes. Each change of a record is at least a millisecond later than the one before it, whatever the clock says, so that no two versions of
// the record have the same tag.
import type { EventArgs, EventSubscriber } from '@mikro-orm/core';
import { raw } from '@mikro-orm/postgresql';

/** SQL for the time of a change: the SQL value `now`, or a millisecond after the time in the column `stored`, whichever is later. */
export const changeTimeSql = (now: string, stored: string): string => `greatest(${now}::timestamptz, ${stored} + interval '1 millisecond')`;

/** The value of `updatedAt` for a statement that changes a record at `now`. */
export const changeTime = (now: Date) => raw(changeTimeSql('?', 'updated_at'), [now.toISOString()]);

/** Makes the time of a change that the unit of work stores later than that of the change before it. */
export class ChangeTimes implements EventSubscriber<{ updatedAt?: Date }> {
  async beforeUpdate({ entity, changeSet }: EventArgs<{ updatedAt?: Date }>): Promise<void> {
    const stored = changeSet?.originalEntity?.updatedAt as Date | string | undefined;
    if (!entity.updatedAt || !stored) return;
    const earliest = new Date(stored).getTime() + 1;
    if (entity.updatedAt.getTime() < earliest) entity.updatedAt = new Date(earliest);
  }
}

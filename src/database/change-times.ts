// Times of changes. Each change of a record is at least a millisecond later than the one before it, whatever the clock says. So no two versions of
// the record have the same tag.
import type { EventArgs, EventSubscriber } from '@mikro-orm/core';
import { raw } from '@mikro-orm/postgresql';

/** SQL for the time of a change: the SQL value `now`, or a millisecond after the time in the column `stored`, whichever is later. */
export const changeTimeSql = (now: string, stored: string): string => `greatest(${now}::timestamptz, ${stored} + interval '1 millisecond')`;

/** The value of `updatedAt`, or of another column, for a statement that changes a record at `now`. */
export const changeTime = (now: Date, column = 'updated_at') => raw(changeTimeSql('?', column), [now.toISOString()]);

/** The properties that hold the time of a change. */
const TIMES = ['updatedAt', 'ledgerUpdatedAt'] as const;
type Timed = Partial<Record<(typeof TIMES)[number], Date>>;

/** Makes the time of a change that the unit of work stores later than that of the change before it. */
export class ChangeTimes implements EventSubscriber<Timed> {
  async beforeUpdate({ entity, changeSet }: EventArgs<Timed>): Promise<void> {
    for (const name of TIMES) {
      const stored = changeSet?.originalEntity?.[name] as Date | string | undefined;
      const time = entity[name];
      if (!time || !stored) continue;
      const earliest = new Date(stored).getTime() + 1;
      if (time.getTime() < earliest) entity[name] = new Date(earliest);
    }
  }
}

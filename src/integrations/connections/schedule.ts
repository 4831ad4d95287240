// The schedule of a connection: how often each data model is pulled, and when it is next.
import { CronExpressionParser } from 'cron-parser';
import type { InputIssue } from '../../records/input-issue.ts';
import type { ConnectorDefinition } from '../connectors/connector.ts';

/** Key of the data models that have no schedule of their own. */
export const OTHERS = '*';

/** How often something is pulled: every so many minutes, or at the times of a cron expression in a time zone. */
export interface Rhythm {
  intervalMinutes?: number;
  cron?: string;
  timeZone?: string;
  /** Days after which a run is a full one; WEEKLY when absent, 0 for never. */
  fullSyncDays?: number;
}

/** Days between two full runs of a data model, unless its schedule says another number. */
export const WEEKLY = 7;
/** Most days between two full runs. */
export const MAX_DAYS = 366;

/** A part of a schedule as a caller gives it. */
export interface GivenSchedule {
  /** The data model it is for; null or absent for all that no other part names. */
  dataModel?: string | null;
  intervalMinutes?: number | null;
  cron?: string | null;
  timeZone?: string | null;
  fullSyncDays?: number | null;
}

/** What the schedule of a connection is computed from, and what it sets. */
export interface Scheduled {
  intervalMinutes: number;
  rhythms: Record<string, Rhythm>;
  dueAt: Record<string, string>;
  nextRunAt: Date | null;
}

/** Minute, hour, day of the month, month, day of the week. `H`, a random value, is not supported, because it would differ each time it is read. */
const FIVE_FIELDS = /^(?!.*(?:^|[^T])H)[\d*,/#?A-Z-]+(?: +[\d*,/#?A-Z-]+){4}$/i;
const SECONDS = 60;
const MAX_WAIT_MS = 86_400_000;

/** The first time of a cron expression after a moment; throws for one that has none. */
const cronTime = (cron: string, timeZone: string, after: Date): Date =>
  CronExpressionParser.parse(cron.trim(), { tz: timeZone, currentDate: after }).next().toDate();

/**
 * When a rhythm is next. What was scheduled together is spread: an interval varies by a tenth, and a cron expression starts within the minute
 * that it names.
 */
export function nextTime({ intervalMinutes, cron, timeZone = 'UTC' }: Rhythm, after: Date): Date {
  if (cron === undefined) return new Date(after.getTime() + intervalMinutes! * 60_000 * (0.9 + Math.random() * 0.2));
  return new Date(cronTime(cron, timeZone, after).getTime() + Math.floor(Math.random() * SECONDS) * 1_000);
}

/** The rhythms of a connection, by data model. */
export const rhythmsOf = ({ intervalMinutes, rhythms }: Pick<Scheduled, 'intervalMinutes' | 'rhythms'>): Record<string, Rhythm> => ({
  [OTHERS]: { intervalMinutes },
  ...rhythms,
});

/** Of the rhythms of a connection, those whose run is due: one without a time has not run yet. */
export const dueRhythms = (connection: Scheduled, now: Date): string[] =>
  Object.keys(rhythmsOf(connection)).filter((key) => !(Date.parse(connection.dueAt[key] ?? '') > now.getTime()));

/** The data models of some rhythms, among those that the source serves. */
export const modelsOf = ({ rhythms }: Pick<Scheduled, 'rhythms'>, keys: readonly string[], served: readonly string[]): string[] =>
  served.filter((dataModel) => keys.includes(rhythms[dataModel] ? dataModel : OTHERS));

/** Days between two full runs of a data model. */
export const fullSyncDaysOf = ({ rhythms }: Pick<Scheduled, 'rhythms'>, dataModel: string): number =>
  (rhythms[dataModel] ?? rhythms[OTHERS])?.fullSyncDays ?? WEEKLY;

/** Sets when some rhythms are next, and with them the connection. */
export function scheduleNext(connection: Scheduled, keys: readonly string[], now: Date): void {
  const rhythms = rhythmsOf(connection);
  const stay = Object.entries(connection.dueAt).filter(([key]) => rhythms[key] && !keys.includes(key));
  connection.dueAt = {
    ...Object.fromEntries(stay),
    ...Object.fromEntries(keys.map((key) => [key, nextTime(rhythms[key]!, now).toISOString()])),
  };
  connection.nextRunAt = new Date(Math.min(...Object.values(connection.dueAt).map((time) => Date.parse(time))));
}

/** Puts off the next run of a connection that has been failing since `statusSince` by as long again, a day at most. */
export function putOff(connection: Pick<Scheduled, 'nextRunAt'> & { statusSince: Date }, now: Date): void {
  if (connection.nextRunAt === null) return;
  const wait = Math.min(MAX_WAIT_MS, now.getTime() - connection.statusSince.getTime());
  connection.nextRunAt = new Date(Math.max(connection.nextRunAt.getTime(), now.getTime() + wait));
}

/** Changes the rhythms of a connection. One that stays as it was keeps its time; a first run that is due already stays due. */
export function changeRhythms(connection: Scheduled, change: Partial<Pick<Scheduled, 'intervalMinutes' | 'rhythms'>>, now: Date): void {
  const former = rhythmsOf(connection);
  Object.assign(connection, change);
  if (connection.nextRunAt === null || Object.keys(connection.dueAt).length === 0) return;
  const changed = Object.entries(rhythmsOf(connection)).filter(([key, rhythm]) => JSON.stringify(rhythm) !== JSON.stringify(former[key]));
  scheduleNext(
    connection,
    changed.map(([key]) => key),
    now,
  );
}

/** What is wrong with one part of a schedule; every sentence begins with its place. */
function partIssues(
  { dataModel, intervalMinutes, cron, timeZone }: GivenSchedule,
  path: string,
  definition: ConnectorDefinition,
  now: Date,
) {
  const issues: InputIssue[] = [];
  const issue = (field: string, message: string, code: InputIssue['code'] = 'INVALID_VALUE'): void => {
    issues.push({ field, code, message: `${field} ${message}` });
  };
  if (dataModel != null && !definition.capabilities.some((one) => one.dataModel === dataModel && one.pull))
    issue(`${path}.dataModel`, `${dataModel} is not pulled from ${definition.source}`);
  if ((intervalMinutes == null) === (cron == null)) issue(path, 'must have either minutes or a cron expression');
  if (timeZone != null && cron == null) issue(`${path}.timeZone`, 'has no effect without a cron expression');
  if (timeZone != null && !isTimeZone(timeZone))
    issue(`${path}.timeZone`, `must be UTC or an IANA name such as America/New_York, not ${JSON.stringify(timeZone.slice(0, 60))}`);
  if (cron == null || issues.length > 0) return issues;
  const shown = JSON.stringify(cron.slice(0, 60));
  if (!FIVE_FIELDS.test(cron.trim()))
    issue(
      `${path}.cron`,
      `${shown} must have five fields: minute, hour, day of the month, month and day of the week, as in "30 2 * * MON-FRI"`,
      'INVALID_FORMAT',
    );
  else
    try {
      cronTime(cron, timeZone ?? 'UTC', now);
    } catch (error) {
      issue(`${path}.cron`, `${shown} names no time: ${(error as Error).message}`);
    }
  return issues;
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    // An offset such as +02:00 is no place, and knows no summer.
    return /^[A-Z]/i.test(timeZone);
  } catch {
    return false;
  }
}

/** What is wrong with a schedule. */
export function scheduleIssues(given: readonly GivenSchedule[], path: string, definition: ConnectorDefinition, now: Date): InputIssue[] {
  const seen = new Set<string>();
  return given.flatMap((part, index) => {
    const key = part.dataModel ?? OTHERS;
    const field = `${path}[${index}].dataModel`;
    const again: InputIssue[] = seen.has(key)
      ? [{ field, code: 'DUPLICATE', message: `${field} ${part.dataModel ?? 'without a value'} occurs twice` }]
      : [];
    seen.add(key);
    return [...partIssues(part, `${path}[${index}]`, definition, now), ...again];
  });
}

/** A checked schedule as it is stored: by data model. */
export const storedRhythms = (given: readonly GivenSchedule[]): Record<string, Rhythm> =>
  Object.fromEntries(
    given.map(({ dataModel, intervalMinutes, cron, timeZone, fullSyncDays }) => [
      dataModel ?? OTHERS,
      {
        ...(cron == null ? { intervalMinutes: intervalMinutes! } : { cron: cron.trim(), timeZone: timeZone ?? 'UTC' }),
        ...(fullSyncDays == null ? {} : { fullSyncDays }),
      },
    ]),
  );

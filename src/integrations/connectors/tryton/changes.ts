// Which records a pull reads: all of them by their id, or those that changed since the last pull by the source's own time stamps.
import { createHash } from 'node:crypto';
import { GatewayError } from '../../../records/errors.ts';
import type { PullRequest, SourcePage, SourceRecord } from '../connector.ts';
import type { Row, TrytonClient } from './client.ts';
import { type Part, readRecords, type Stream } from './stream.ts';
import { latest, referredId, stampValue } from './values.ts';

/** Records of a page. */
const PAGE = 100;

/**
 * Seconds before the latest change that the last pull knew, from where the next one asks. A transaction has the time of its start, so a change
 * can appear later than one with a later time. Only the source's clock counts.
 */
const OVERLAP_SECONDS = 600;

/** Digests kept of the last records, so that those of the overlap do not come again. More than these come again, which does no harm. */
const MAX_DIGESTS = 500;

/** Position of a pull. */
type Cursor = {
  /** Which model is read: 0 the records themselves, then their parts. */
  model: number;
  /** Time stamp from which changes of it are asked for; null while every record is. */
  since: string | null;
  /** Id of the last row read of it. */
  after: number;
  /** Latest time stamps of the models that this pull knows; the next one asks from there. */
  marks: string[];
  isDone: boolean;
  /** Ids and digests of records, the most recent last. */
  digests: [id: string, digest: string][];
};

const digestOf = (record: SourceRecord): string => createHash('sha256').update(JSON.stringify(record)).digest('base64').slice(0, 12);

async function newestStamp(client: TrytonClient, model: string): Promise<string> {
  const newest = (field: string): Promise<Row[]> =>
    client.rows(model, { domain: [], fields: [], order: [field, 'DESC NULLS LAST'], limit: 1 });
  const rows = [...(await newest('write_date')), ...(await newest('create_date'))];
  return byNow(client, latest(rows.map(({ _timestamp }) => _timestamp)));
}

/** A time stamp, or the clock of the server where that is earlier: a row from a time when that clock was ahead would hide all later changes. */
const byNow = ({ now }: TrytonClient, stamp: string): string => (now !== null && latest([stamp, now]) === stamp ? now : stamp);

/** Whether the clock of the server was set back since the last pull by more than the overlap. Changes since then may have times from before it. */
const isSetBack = ({ now }: TrytonClient, { marks }: Cursor): boolean =>
  now !== null && marks.some((mark) => Number(mark) > Number(now) + OVERLAP_SECONDS);

/** A pull of everything, or of what changed since the last one. */
async function begin(client: TrytonClient, models: readonly string[], last: Cursor | null): Promise<Cursor> {
  // A call, whose response has the time of the server.
  await client.company();
  if (last && !isSetBack(client, last)) return { ...last, model: 0, since: last.marks[0]!, after: 0, isDone: false };
  const marks: string[] = [];
  for (const model of models) marks.push(await newestStamp(client, model));
  return { model: 0, since: null, after: 0, marks, isDone: false, digests: [] };
}

/** Condition for rows that were made or changed since a time stamp. */
function changedSince(stamp: string): unknown[] {
  const from = stampValue(stamp, OVERLAP_SECONDS);
  return [['OR', ['write_date', '>=', from], ['create_date', '>=', from]]];
}

/** The records that rows belong to: their own ids, or those that the field of a part names. */
function rootsOf(rows: readonly Row[], part: Part | undefined, model: string): number[] {
  const named = rows.flatMap((row) => {
    if (!part) return row.id;
    const value = (row as Row & Record<string, unknown>)[part.field] as number | number[] | string | null;
    return typeof value === 'string' ? referredId(value, model) : value;
  });
  return [...new Set(named.filter((id) => id !== null))];
}

/** The digests with those of a page; the oldest beyond the limit are dropped. */
function withDigests(digests: Cursor['digests'], records: readonly SourceRecord[]): Cursor['digests'] {
  const known = new Map(digests);
  for (const record of records) {
    known.delete(String(record.platform_id));
    known.set(String(record.platform_id), digestOf(record));
  }
  return [...known].slice(-MAX_DIGESTS);
}

/** One page: the records of the next rows, without those that the last pulls have returned in the same form. */
async function pageOf(client: TrytonClient, stream: Stream, at: Cursor): Promise<SourcePage & { cursor: Cursor }> {
  const part = stream.parts[at.model - 1];
  const own = stream.domain(await client.company());
  const domain = [['id', '>', at.after], ...(at.since === null ? [] : changedSince(at.since))];
  const rows = await client.rows(part?.model ?? stream.model, {
    domain: part ? domain : [...own, ...domain],
    fields: part ? [part.field] : [],
    limit: PAGE,
  });
  const named = rootsOf(rows, part, stream.model);
  const ids = part ? await ownIds(client, stream, named) : named;
  const records = ids.length > 0 ? await readRecords(client, stream, ids) : [];
  const known = new Map(at.digests);
  const fresh = at.since === null ? records : records.filter((record) => known.get(String(record.platform_id)) !== digestOf(record));
  const marks = at.since !== null && at.after === 0 ? await marksAfter(client, at, part?.model ?? stream.model, rows) : at.marks;
  const cursor = next({ ...at, marks, digests: withDigests(at.digests, fresh) }, stream, rows);
  const found = new Set(records.map(({ platform_id }) => platform_id));
  // An invoice whose total changes its sign is a credit note from then on.
  const gone = at.since === null ? [] : ids.map(String).filter((id) => !found.has(id));
  return { records: fresh, ...(gone.length > 0 ? { deleted: gone } : {}), cursor };
}

/** Those of some ids that are records of the stream. */
async function ownIds(client: TrytonClient, stream: Stream, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const domain = [...stream.domain(await client.company()), ['id', 'in', ids]];
  return (await client.rows(stream.model, { domain, fields: [] })).map(({ id }) => id);
}

/** The marks after the first rows of a model: where they are all that changed, the latest is among them. */
async function marksAfter(client: TrytonClient, at: Cursor, model: string, rows: readonly Row[]): Promise<string[]> {
  const mark =
    rows.length < PAGE ? byNow(client, latest([at.since!, ...rows.map(({ _timestamp }) => _timestamp)])) : await newestStamp(client, model);
  return at.marks.with(at.model, mark);
}

/** Where to continue after these rows. Only a pull of changes reads the parts. */
function next(at: Cursor, stream: Stream, rows: readonly Row[]): Cursor {
  const last = rows.at(-1);
  if (last && last.id <= at.after) throw new GatewayError('PLATFORM_ERROR', 'Tryton returned rows that were not requested');
  if (last && rows.length === PAGE) return { ...at, after: last.id };
  const isLast = at.since === null || at.model === stream.parts.length;
  return isLast ? { ...at, after: 0, isDone: true } : { ...at, model: at.model + 1, since: at.marks[at.model + 1]!, after: 0 };
}

/** The pages of a pull. A cursor in the middle continues its own pull. One at the end begins the next pull, of what changed since. */
export async function* pages(
  client: TrytonClient,
  stream: Stream,
  { cursor, isFull }: PullRequest,
  signal: AbortSignal,
): AsyncIterable<SourcePage> {
  const last = cursor as Cursor | null;
  const models = [stream.model, ...stream.parts.map(({ model }) => model)];
  let at = last && !last.isDone ? last : await begin(client, models, isFull ? null : last);
  while (!at.isDone) {
    signal.throwIfAborted();
    const page = await pageOf(client, stream, at);
    at = page.cursor;
    yield page;
  }
}

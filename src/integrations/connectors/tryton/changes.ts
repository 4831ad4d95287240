// Which records a pull reads: all of them by their id, or those that changed since the last pull by the source's own time stamps.
import { createHash } from 'node:crypto';
import { GatewayError } from '../../../records/errors.ts';
import type { Json, PullRequest, SourcePage, SourceRecord } from '../connector.ts';
import type { Row, TrytonClient } from './client.ts';
import { type Part, platformIdOf, readRecords, type Stream } from './stream.ts';
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

/** Whether the rows of a part are read. */
const isRead = async (client: TrytonClient, part: Part | undefined): Promise<boolean> => !part?.isOptional || client.canRead(part.model);

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
async function begin(client: TrytonClient, { model, parts }: Stream, last: Cursor | null): Promise<Cursor> {
  // A call, whose response has the time of the server.
  await client.company();
  // A cursor of an earlier version knows nothing of the parts that have come since.
  const isKnown = last?.marks.length === parts.length + 1;
  if (last && isKnown && !isSetBack(client, last)) return { ...last, model: 0, since: last.marks[0]!, after: 0, isDone: false };
  const marks = [await newestStamp(client, model)];
  for (const part of parts) marks.push((await isRead(client, part)) ? await newestStamp(client, part.model) : '0');
  return { model: 0, since: null, after: 0, marks, isDone: false, digests: [] };
}

/** Condition for rows that were made or changed since a time stamp. */
function changedSince(stamp: string): unknown[] {
  const from = stampValue(stamp, OVERLAP_SECONDS);
  return [['OR', ['write_date', '>=', from], ['create_date', '>=', from]]];
}

/** The value of a field, which may be one of another row. */
function valueAt(row: object, field: string): unknown {
  const names = field.split('.');
  const inner = names.slice(0, -1).reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[`${name}.`], row);
  return (inner as Record<string, unknown> | null | undefined)?.[names.at(-1)!] ?? null;
}

/** The records that rows belong to: their own ids, or those that the field of a part names. */
function rootsOf(rows: readonly Row[], part: Part | undefined, model: string): number[] {
  const named = rows.flatMap((row) => {
    if (!part) return row.id;
    const value = valueAt(row, part.field) as number | number[] | string | null;
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
  const gone = at.since === null ? [] : ids.map((id) => platformIdOf(stream, id)).filter((id) => !found.has(id));
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

/** Positions in a data model whose records are in two models, of which the second is read after the first. */
type Both = { own: Cursor | null; more: Cursor | null; isMore: boolean };

/** Those of a cursor; one of an earlier version is that of the first model alone. */
function bothOf(cursor: Json): Both {
  const none = { own: null, more: null, isMore: false };
  if (cursor === null) return none;
  return 'isMore' in (cursor as object) ? (cursor as unknown as Both) : { ...none, own: cursor as Cursor };
}

/** The pages of a pull. A cursor in the middle continues its own pull. One at the end begins the next pull, of what changed since. */
export async function* pages(client: TrytonClient, stream: Stream, request: PullRequest, signal: AbortSignal): AsyncIterable<SourcePage> {
  const { more } = stream;
  if (!more) return yield* pagesOf(client, stream, request.cursor as Cursor | null, request.isFull, signal);
  let { own, more: other, isMore } = bothOf(request.cursor);
  if (!isMore)
    for await (const page of pagesOf(client, stream, own, request.isFull, signal)) {
      own = page.cursor;
      isMore = own.isDone && (await client.canRead(more.model));
      yield { ...page, cursor: { own, more: other, isMore } };
    }
  if (!isMore) return;
  for await (const page of pagesOf(client, more, other, request.isFull, signal)) {
    other = page.cursor;
    yield { ...page, cursor: { own, more: other, isMore: !other.isDone } };
  }
}

async function* pagesOf(
  client: TrytonClient,
  stream: Stream,
  last: Cursor | null,
  isFull: boolean,
  signal: AbortSignal,
): AsyncGenerator<SourcePage & { cursor: Cursor }> {
  let at = last && !last.isDone ? last : await begin(client, stream, isFull ? null : last);
  while (!at.isDone) {
    signal.throwIfAborted();
    if (!(await isRead(client, stream.parts[at.model - 1]))) {
      at = next(at, stream, []);
      continue;
    }
    const page = await pageOf(client, stream, at);
    at = page.cursor;
    yield page;
  }
}

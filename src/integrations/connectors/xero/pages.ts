// Which rows a pull reads: all of them, or those that changed since the last pull by the clock of Xero.
import type { PullRequest, SourcePage } from '../connector.ts';
import { withRaw } from '../source-facts.ts';
import type { Row, Rows, XeroClient } from './client.ts';
import type { Stream } from './stream.ts';

/** Rows of a page, where its size may be chosen; a call counts whatever its size. */
const PAGE = 250;
/** Rows of a page where it may not. */
const FIXED_PAGE = 100;
/** How long before the response to the last pull the next one begins: Xero reports changes to the second, and shows some of them late. */
const OVERLAP_MS = 300_000;

/** Position of a pull. */
type Cursor = {
  /** Moment in UTC from which changes are asked for, without its zone; null while every row is. */
  since: string | null;
  /** The next page. */
  page: number;
  /** When the first page was returned, by Xero's clock; the next pull begins there. */
  respondedAt: string | null;
  isDone: boolean;
};

const FROM_THE_FIRST: Cursor = { since: null, page: 1, respondedAt: null, isDone: false };

/** A cursor in the middle continues the pull that it is of; one at the end begins the next. */
function begin(stream: Stream, { cursor, isFull }: PullRequest): Cursor {
  const last = cursor as Cursor | null;
  if (last && !last.isDone) return last;
  if (!last?.respondedAt || isFull || !stream.reportsChanges) return FROM_THE_FIRST;
  return { ...FROM_THE_FIRST, since: new Date(Date.parse(last.respondedAt) - OVERLAP_MS).toISOString().slice(0, 19) };
}

/**
 * The rows of a page. The rows are in the order of their ids, because a row keeps its place there while the pages are read. In the order of changes,
 * a row that is changed in the middle would move the others to a page that was read already. The id is among the three members of invoices by which
 * Xero sorts any number of them (InvoiceId, UpdatedDateUTC, Date). By any other member it rejects lists of more than 500,000.
 */
function pageOf(client: XeroClient, { endpoint, id, pages, query, options }: Stream, { since, page }: Cursor): Promise<Rows> {
  const paging =
    pages === 'none' ? {} : { page: String(page), order: `${id} ASC`, ...(pages === 'sized' ? { pageSize: String(PAGE) } : {}) };
  return client.rows({
    path: endpoint,
    query: { ...query, ...options, ...paging },
    // With its zone: OpenAPI's `date-time`, as Xero describes the header, is that of RFC 3339.
    headers: since === null ? {} : { 'if-modified-since': `${since}Z` },
  });
}

function isLast({ pages }: Stream, { rows, pageCount }: Rows, page: number): boolean {
  if (pages === 'none') return true;
  return pageCount === null ? rows.length < (pages === 'sized' ? PAGE : FIXED_PAGE) : page >= pageCount;
}

/** Whether the clock of the source was set back since the last pull: what it has changed since then may have times from before it. */
const isSetBack = ({ since }: Cursor, { respondedAt }: Rows): boolean =>
  since !== null && respondedAt !== null && respondedAt < new Date(`${since}Z`);

/** The records of some rows, and the ids of those that Xero shows as deleted. */
async function sourcePage(client: XeroClient, stream: Stream, rows: readonly Row[]): Promise<SourcePage> {
  const records = [];
  const deleted: string[] = [];
  for (const row of rows) {
    if (stream.isGone?.(row)) deleted.push(String(row[stream.id]));
    else records.push(withRaw(await stream.record(row, client), row));
  }
  return deleted.length > 0 ? { records, deleted } : { records };
}

/** The pages of a pull. */
export async function* pagesOf(client: XeroClient, stream: Stream, request: PullRequest, signal: AbortSignal): AsyncGenerator<SourcePage> {
  for (let at = begin(stream, request); !at.isDone; ) {
    signal.throwIfAborted();
    const response = await pageOf(client, stream, at);
    if (isSetBack(at, response)) {
      at = FROM_THE_FIRST;
      continue;
    }
    const isDone = isLast(stream, response, at.page);
    at = { ...at, page: at.page + 1, respondedAt: at.respondedAt ?? response.respondedAt?.toISOString() ?? null, isDone };
    // A list without pages can be long. Only its end is a place to continue from.
    for (let start = 0; start < response.rows.length - PAGE; start += PAGE)
      yield sourcePage(client, stream, response.rows.slice(start, start + PAGE));
    const last = response.rows.slice(Math.max(0, Math.ceil(response.rows.length / PAGE) - 1) * PAGE);
    yield { ...(await sourcePage(client, stream, last)), cursor: at };
  }
}

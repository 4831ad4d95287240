// The shapes of successful answers, as JSON text around the record the operation returned.
import type { PageInfo } from '../src/core/connections.ts';
import { type Json, jsonOf as json } from '../src/core/json-text.ts';
import type { Envelope, Row } from './row.ts';

/** What an envelope is made of. */
export interface Outcome {
  /** Value of the row's root path. */
  root: Record<string, unknown>;
  /** Value at the row's result path. */
  record: unknown;
  requestId: string;
  /** Whether the list was asked for with its count. */
  counted: boolean;
  /** Whether the body held one record rather than an array. */
  single: boolean;
}

const messageOf = (row: Row, outcome: Outcome): Json => {
  const warnings = (outcome.root.warnings ?? []) as string[];
  return [row.message ?? 'OK', ...warnings].join('. ');
};

interface ConnectionValue {
  nodes: unknown[];
  pageInfo: PageInfo;
  totalCount?: number;
}

const envelopes: Record<Envelope['kind'], (row: Row, outcome: Outcome) => Json> = {
  data: (row, outcome) => {
    const { name } = row.envelope as { name?: string };
    return json({ data: name ? { [name]: outcome.record } : outcome.record, message: messageOf(row, outcome) });
  },
  message: (row, outcome) => json({ message: messageOf(row, outcome) }),
  empty: () => '',
  list: (row, outcome) => {
    const { nodes, pageInfo, ...more } = outcome.root as unknown as ConnectionValue;
    const name = (row.envelope as { name: string }).name;
    const total = more.totalCount === undefined ? {} : { [`total_${name}`]: more.totalCount };
    return json({
      data: { [name]: nodes, cursor: pageInfo.hasNextPage ? pageInfo.endCursor : '', ...total },
      message: messageOf(row, outcome),
    });
  },
  array: (row, outcome) => json({ data: { [(row.envelope as { name: string }).name]: outcome.record }, message: messageOf(row, outcome) }),
  plain: (_, outcome) => json(outcome.record),
  record: (_, outcome) => json({ data: outcome.record ?? null, request_id: outcome.requestId }),
  page: (_, outcome) => {
    const { nodes, pageInfo, totalCount } = outcome.root as unknown as ConnectionValue;
    const pagination = {
      total_count: outcome.counted ? totalCount : null,
      next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      prev: pageInfo.hasPreviousPage ? pageInfo.startCursor : null,
    };
    return json({ data: nodes, pagination, request_id: outcome.requestId });
  },
  counted: (row, outcome) => {
    const { name, wrapped } = row.envelope as { name: string; wrapped: boolean };
    const { nodes, pageInfo, totalCount } = outcome.root as unknown as ConnectionValue;
    const list = { [name]: nodes, count: totalCount, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
    return json(wrapped ? { data: list, request_id: outcome.requestId } : list);
  },
  write: (_, outcome) => {
    const { record } = outcome;
    const data = outcome.single && Array.isArray(record) ? (record[0] ?? null) : record;
    return json({ data: { sync_id: outcome.root.syncId, ...(data === null ? {} : { data }) }, request_id: outcome.requestId });
  },
};

/** The body of an answer. */
export const envelope = (row: Row, outcome: Outcome): Json => envelopes[row.envelope.kind](row, outcome);

// The envelopes of successful answers: JSON text around the record the operation returned.
import type { PageInfo } from '../../src/graphql/connections.ts';
import { type Json, jsonOf as json } from '../../src/json/fragment.ts';
import type { Envelope, Route } from '../routes/route.ts';

/** The parts of an envelope. */
export interface Outcome {
  /** Value of the route's root path. */
  root: Record<string, unknown>;
  /** Value at the route's result path. */
  record: unknown;
  requestId: string;
  /** Whether the request asked for the count of the list. */
  counted: boolean;
  /** Whether the body held one record rather than an array. */
  single: boolean;
}

const messageOf = (route: Route, outcome: Outcome): Json => {
  const warnings = (outcome.root.warnings ?? []) as string[];
  return [route.message ?? 'OK', ...warnings].join('. ');
};

interface ConnectionValue {
  nodes: unknown[];
  pageInfo: PageInfo;
  totalCount?: number;
}

const envelopes: Record<Envelope['kind'], (route: Route, outcome: Outcome) => Json> = {
  data: (route, outcome) => {
    const { name } = route.envelope as { name?: string };
    return json({ data: name ? { [name]: outcome.record } : outcome.record, message: messageOf(route, outcome) });
  },
  message: (route, outcome) => json({ message: messageOf(route, outcome) }),
  empty: () => '',
  list: (route, outcome) => {
    const { nodes, pageInfo, ...more } = outcome.root as unknown as ConnectionValue;
    const name = (route.envelope as { name: string }).name;
    const total = more.totalCount === undefined ? {} : { [`total_${name}`]: more.totalCount };
    return json({
      data: { [name]: nodes, cursor: pageInfo.hasNextPage ? pageInfo.endCursor : '', ...total },
      message: messageOf(route, outcome),
    });
  },
  array: (route, outcome) =>
    json({ data: { [(route.envelope as { name: string }).name]: outcome.record }, message: messageOf(route, outcome) }),
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
  counted: (route, outcome) => {
    const { name, wrapped } = route.envelope as { name: string; wrapped: boolean };
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
export const envelope = (route: Route, outcome: Outcome): Json => envelopes[route.envelope.kind](route, outcome);

// The envelopes of successful responses: JSON text around the record the operation returned.
import type { PageInfo } from '../../src/graphql/connections.ts';
import { type Json, jsonOf as json } from '../../src/json/fragment.ts';
import type { Route } from '../routes/route.ts';

/** The value of a route's root path, by the members that envelopes use. */
export interface RootValue {
  [member: string]: unknown;
  /** Warnings about accepted input. */
  warnings?: readonly string[] | null;
  nodes?: unknown[];
  pageInfo?: PageInfo;
  /** Since when a feed is complete. */
  recordedSince?: string;
  totalCount?: number;
  totalCountIsEstimate?: boolean;
  syncId?: string;
}

/** The parts of an envelope. */
export interface Outcome {
  root: RootValue;
  /** Value at the route's result path. */
  record: unknown;
  requestId: string;
  /** Whether the request asked for the count of the list. */
  counted: boolean;
  /** Whether the body held one record rather than an array. */
  single: boolean;
}

const messageOf = (route: Route, { root }: Outcome): string => [route.message ?? 'OK', ...(root.warnings ?? [])].join('. ');

const nextOf = (page: PageInfo | undefined): PageInfo['endCursor'] => (page?.hasNextPage ? page.endCursor : null);

/** The number of matches, and that it is an estimate where it is one. */
const counted = (name: string, { totalCount, totalCountIsEstimate }: RootValue): Record<string, unknown> => ({
  [name]: totalCount,
  ...(totalCountIsEstimate ? { [`${name}_is_estimate`]: true } : {}),
});

/** The body of a response. */
export function envelope(route: Route, outcome: Outcome): Json {
  const { root, record, requestId } = outcome;
  const kind = route.envelope;
  switch (kind.kind) {
    case 'data':
      return json({ data: kind.name ? { [kind.name]: record } : record, message: messageOf(route, outcome) });
    case 'message':
      return json({ message: messageOf(route, outcome) });
    case 'empty':
      return '';
    case 'list': {
      const total = root.totalCount === undefined ? {} : counted(`total_${kind.name}`, root);
      return json({ data: { [kind.name]: root.nodes, cursor: nextOf(root.pageInfo) ?? '', ...total }, message: messageOf(route, outcome) });
    }
    case 'array':
      return json({ data: { [kind.name]: record }, message: messageOf(route, outcome) });
    case 'plain':
      return json(record);
    case 'record':
      return json({ data: record ?? null, request_id: requestId });
    case 'page': {
      const pagination = {
        ...(outcome.counted ? counted('total_count', root) : { total_count: null }),
        next: nextOf(root.pageInfo),
        prev: root.pageInfo?.hasPreviousPage ? root.pageInfo.startCursor : null,
        ...(root.pageInfo?.settledUntil ? { settled_until: root.pageInfo.settledUntil } : {}),
      };
      return json({ data: root.nodes, pagination, request_id: requestId });
    }
    case 'feed': {
      const { endCursor, hasNextPage } = root.pageInfo!;
      const { recordedSince } = root;
      const pagination = { next: endCursor, has_more: hasNextPage, ...(recordedSince ? { recorded_since: recordedSince } : {}) };
      return json({
        data: root.nodes,
        pagination,
        ...(route.surface === 'integrations' ? { request_id: requestId } : { message: messageOf(route, outcome) }),
      });
    }
    case 'counted': {
      const list = { [kind.name]: root.nodes, ...counted('count', root), next: nextOf(root.pageInfo) };
      return json(kind.wrapped ? { data: list, request_id: requestId } : list);
    }
    case 'write': {
      const data = outcome.single && Array.isArray(record) ? (record[0] ?? null) : record;
      return json({ data: { sync_id: root.syncId, ...(data === null ? {} : { data }) }, request_id: requestId });
    }
  }
}

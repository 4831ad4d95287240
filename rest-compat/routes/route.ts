// A REST route as data: method and path, credential, the schema field it runs, the sources of its arguments, the shape of its response.
import type { ErrorSurface } from '../../src/records/errors.ts';

/** The surfaces, each with its own error body. */
export type Surface = Exclude<ErrorSurface, 'graphql'>;

/** Largest JSON body of a surface, for routes that set no other. */
export const bodyMegabytes: Record<Surface, number> = { platform: 1, address: 1, integrations: 10 };

/** The documented place of a credential. */
export type Credential = 'bearer' | 'x-api-key' | 'x-service-key' | 'api_key' | 'none';

/** Where one argument of the stored operation comes from. */
export type Source =
  | { from: 'path'; name: string }
  | { from: 'query'; name: string }
  /**
   * A member of the body, or all of it. `optional`: the request may have no body. `orQuery`: query parameters that replace absent members,
   * because some proxies drop bodies. `many`: an array is accepted when this query flag is true; a single record is read as a list of one.
   */
  | { from: 'body'; member?: string; optional?: boolean; orQuery?: string[]; many?: string }
  | { from: 'header'; name: string }
  /** The file of a multipart body, stored while it arrives, and a text part of that body. */
  | { from: 'upload'; name: string; maxBytes: number }
  | { from: 'part'; name: string }
  | { from: 'value'; value: unknown };

/** The shapes of responses. */
export type Envelope =
  | { kind: 'data'; name?: string }
  | { kind: 'message' }
  | { kind: 'empty' }
  /** A whole list under its name, without pages. */
  | { kind: 'array'; name: string }
  | { kind: 'list'; name: string; total?: boolean }
  | { kind: 'plain' }
  | { kind: 'record' }
  | { kind: 'page' }
  /** A page of a feed, which says where the next one begins also when nothing follows yet. */
  | { kind: 'feed' }
  | { kind: 'write' }
  /** A list with its count and cursor, at the top or below `data`. */
  | { kind: 'counted'; name: string; wrapped: boolean };

/** A route. `root` is the path of fields from the root of the schema; `result` is the path from there to the record of the envelope. */
export interface Route {
  surface: Surface;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** A note for callers in the documentation. */
  note?: string;
  /** Whether the interface document names the route; the others are additions in the same style. */
  documented: boolean;
  credential: Credential;
  root: string;
  result?: string;
  /** Sources by argument, as in `company.id` or `account.ledgerId`; a name without a field belongs to the last field of `root`. */
  args: Record<string, Source>;
  envelope: Envelope;
  status: number;
  /** Status of a response without the record: the request was accepted and is processed in the background. */
  statusWithoutResult?: number;
  message?: string;
  /** Name of the operation, where another route has the name made from `root`. */
  operation?: string;
  /** Naming strategy of the response and of the body. */
  naming: 'snake' | 'ledger' | 'camel';
  /** Fields of the record, by REST name, that only this route shows. */
  select?: string[];
  /** Relations that are always shown, as REST names; dots lead deeper. */
  expand?: string[];
  /**
   * Kind of the query parameters besides those of `args`: those of a list or a record of the integrations API, `expand` alone for its writes,
   * `select` alone for a feed, conditions, order and offset for any other list, or those of a summary.
   */
  ledgerQuery?: 'list' | 'one' | 'write' | 'feed' | 'conditions' | 'summary';
  /** Largest JSON body; the limit of the surface when absent. */
  bodyMegabytes?: number;
  /** Statuses that differ from the surface's table. */
  statuses?: Partial<Record<string, number>>;
  /** The columns of the report as CSV, which callers ask for by `Accept`. */
  csv?: string[];
  /** Whether the route is left out on the tax host. */
  notOnTaxHost?: boolean;
}

export const path = (name: string): Source => ({ from: 'path', name });
export const query = (name: string): Source => ({ from: 'query', name });
export const body = (member?: string): Source => ({ from: 'body', ...(member ? { member } : {}) });
export const header = (name: string): Source => ({ from: 'header', name });

// Joins the reads of one level of a response. A data loader per request and field reads together what a field needs in all rows of a list. Where a
// field may join requests, it also joins the reads of requests that wait at the same time.
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { cachesOf, type RequestContext, type Services } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import { CacheKey } from '../runtime/caches.ts';
import { levelOf } from './look-ahead.ts';

/** Reads what the rows of a level ask for. An error in the place of a response belongs to that row alone. */
type ReadLevel<Request, Result> = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  requests: readonly Request[],
) => Promise<readonly (Result | Error)[]>;

/** Most requests whose reads are joined; more have their place in the next statement. */
const MAX_JOINED = 32;

/** Reads that wait to be joined, and whose they are. */
interface Waiting<Request, Result> {
  principal: Principal | null;
  loader: DataLoader<Request, Result>;
}

/** The loaders of one kind of read. */
export class LevelLoaders<Request, Result> {
  readonly #loaders: CacheKey<RequestContext, Map<object, DataLoader<Request, Result>>>;
  readonly #waiting: CacheKey<Services, Map<object, Waiting<Request, Result>>>;
  readonly #read: ReadLevel<Request, Result>;
  readonly #joinsRequests: boolean;

  /**
   * `name` labels the caches of the loaders. With `joinsRequests` the reads of a field that is resolved once are joined with those of other requests
   * with the same key. 32 connections that read one record each then cost PostgreSQL half as much. The first of them counts the statement.
   */
  constructor(name: string, read: ReadLevel<Request, Result>, { joinsRequests = false } = {}) {
    this.#loaders = new CacheKey(name, () => new Map());
    this.#waiting = new CacheKey(`${name}_joined`, () => new Map());
    this.#read = read;
    this.#joinsRequests = joinsRequests;
  }

  /** The response to what a field asks for in one row. */
  load(context: RequestContext, info: GraphQLResolveInfo, request: Request): Promise<Result> {
    if (isBelowList(info)) return this.#loaderOf(context, info).load(request);
    // Requests that may read from a replica need each another state of it.
    return this.#joinsRequests && context.freshness === undefined
      ? this.#joined(context, info).load(request)
      : this.#one(context, info, request);
  }

  async #one(context: RequestContext, info: GraphQLResolveInfo, request: Request): Promise<Result> {
    const [result] = await this.#read(context, info, [request]);
    if (result instanceof Error) throw result;
    return result!;
  }

  /** The loader of the requests with this key that wait at this field. They are read when the process has taken in all requests that have arrived. */
  #joined(context: RequestContext, info: GraphQLResolveInfo): DataLoader<Request, Result> {
    const { principal, services } = context;
    const all = services.caches.of(this.#waiting);
    const level = levelOf(info);
    const known = all.get(level);
    if (known?.principal === principal) return known.loader;
    const loader = new DataLoader<Request, Result>(
      (requests) => {
        if (all.get(level)?.loader === loader) all.delete(level);
        return this.#read(context, info, requests);
      },
      { cache: false, maxBatchSize: MAX_JOINED, batchScheduleFn: setImmediate },
    );
    all.set(level, { principal, loader });
    return loader;
  }

  #loaderOf(context: RequestContext, info: GraphQLResolveInfo): DataLoader<Request, Result> {
    const loaders = cachesOf(context).of(this.#loaders);
    const level = levelOf(info);
    let loader = loaders.get(level);
    if (!loader) {
      loader = new DataLoader((requests) => this.#read(context, info, requests), { cache: false });
      loaders.set(level, loader);
    }
    return loader;
  }
}

/** Whether a field is resolved once for each row of a list; any other is resolved once. */
function isBelowList({ path }: GraphQLResolveInfo): boolean {
  for (let at: GraphQLResolveInfo['path'] | undefined = path; at; at = at.prev) if (typeof at.key === 'number') return true;
  return false;
}

/** Reads the requests of each group together, and returns the results in the order of the requests. An error of a group belongs to each of its requests. */
export async function byGroup<Request, Result>(
  requests: readonly Request[],
  groupOf: (request: Request) => unknown,
  read: (group: readonly Request[]) => Promise<readonly (Result | Error)[]>,
): Promise<(Result | Error)[]> {
  if (requests.length === 1) return [...(await read(requests))];
  const results = new Map<Request, Result | Error>();
  await Promise.all(
    [...Map.groupBy(requests, groupOf).values()].map(async (group) => {
      const found = await read(group).catch((error: Error) => group.map(() => error));
      for (const [index, request] of group.entries()) results.set(request, found[index]!);
    }),
  );
  return requests.map((request) => results.get(request)!);
}

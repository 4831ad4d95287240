// Joins the reads of one level of an answer: what a field needs in all rows of a list is read together, by a data loader per request and field.
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { cachesOf, type RequestContext } from '../access/context.ts';
import { CacheKey } from '../runtime/caches.ts';
import { levelOf } from './look-ahead.ts';

/** Reads what the rows of a level ask for. An error in the place of an answer belongs to that row alone. */
type ReadLevel<Request, Answer> = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  requests: readonly Request[],
) => Promise<readonly (Answer | Error)[]>;

/** The loaders of one kind of read. */
export class LevelLoaders<Request, Answer> {
  readonly #loaders: CacheKey<RequestContext, Map<object, DataLoader<Request, Answer>>>;
  readonly #read: ReadLevel<Request, Answer>;

  /** `name` labels the cache of the loaders. */
  constructor(name: string, read: ReadLevel<Request, Answer>) {
    this.#loaders = new CacheKey(name, () => new Map());
    this.#read = read;
  }

  /** The answer to what a field asks for in one row. */
  load(context: RequestContext, info: GraphQLResolveInfo, request: Request): Promise<Answer> {
    return isBelowList(info) ? this.#loaderOf(context, info).load(request) : this.#one(context, info, request);
  }

  async #one(context: RequestContext, info: GraphQLResolveInfo, request: Request): Promise<Answer> {
    const [answer] = await this.#read(context, info, [request]);
    if (answer instanceof Error) throw answer;
    return answer!;
  }

  #loaderOf(context: RequestContext, info: GraphQLResolveInfo): DataLoader<Request, Answer> {
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

/** Answers the requests of each group together, and returns the answers in the order of the requests. An error of a group belongs to each of its requests. */
export async function byGroup<Request, Answer>(
  requests: readonly Request[],
  groupOf: (request: Request) => unknown,
  read: (group: readonly Request[]) => Promise<readonly (Answer | Error)[]>,
): Promise<(Answer | Error)[]> {
  if (requests.length === 1) return [...(await read(requests))];
  const answers = new Map<Request, Answer | Error>();
  await Promise.all(
    [...Map.groupBy(requests, groupOf).values()].map(async (group) => {
      const found = await read(group).catch((error: Error) => group.map(() => error));
      for (const [index, request] of group.entries()) answers.set(request, found[index]!);
    }),
  );
  return requests.map((request) => answers.get(request)!);
}

// The open subscriptions of a process, whatever carries them: their responses, each made once for all who get the same one, and their end with the
// key.

import { createSourceEventStream, type DocumentNode, type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../access/context.ts';
import { turnLimits } from '../../access/request-turn.ts';
import { GatewayError } from '../../records/errors.ts';
import { others } from '../../runtime/others.ts';
import { endable } from '../../runtime/poll.ts';
import { countingStatements } from '../../runtime/statement-count.ts';
import type { OnLeave } from '../../runtime/turns.ts';

/** How often the keys of open subscriptions are looked up again; a key that was revoked elsewhere counts for five seconds more. */
const REVIEW_MS = 5_000;
/** Subscriptions that are looked at before the process may do other work. */
const REVIEWED = 100;

/** The arguments of graphql-js for one subscription, with what each of its responses needs besides. */
export interface StreamArgs extends ExecutionArgs {
  contextValue: RequestContext;
  /** Makes the context of the next response. */
  renew: () => Promise<RequestContext>;
  /** The most objects that a response has. */
  price?: number;
  /** Why the subscription may not run; sent as the errors of its result. */
  refused?: readonly GraphQLError[];
  /** Runs it, where it is a query or a mutation. */
  run?: () => ExecutionResult | Promise<ExecutionResult>;
}

export const asGraphqlError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError ? error : new GraphQLError((error as Error).message, { originalError: error as Error });

/** The open subscriptions. */
export class Streams {
  readonly #reviews = new Set<() => Promise<void>>();
  readonly #timer = setInterval(() => void this.#review(), REVIEW_MS).unref();
  /**
   * Responses by what they are about. Subscriptions of equal rights and equal operations get the same object, whose response is made once while it is
   * among the last. All of them would be too much: a caller may have 5,000 subscriptions that each get 20,000 objects.
   */
  readonly #results: LRUCache<object, Promise<ExecutionResult>>;

  /** `objects` is the number that the responses kept have together. */
  constructor(objects: number) {
    this.#results = new LRUCache({ maxSize: objects });
  }

  /** Ends the reviews; the subscriptions end with their connections. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Ends the subscriptions whose key is no longer valid. */
  async #review(): Promise<void> {
    // A key that was looked up just before is found without waiting for anything.
    for (const [at, review] of [...this.#reviews].entries()) {
      if (at % REVIEWED === REVIEWED - 1) await others();
      await review();
    }
  }

  /**
   * The responses of a subscription, each of which takes turns as a request of its size does. The key is looked up again for each, and at every review:
   * a revoked key ends the stream.
   */
  async open(args: StreamArgs): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> {
    if (args.refused) return { errors: args.refused };
    const turn = args.contextValue.turn!;
    const asOwner = <T>(run: () => T): T => countingStatements({ sent: 0, owner: turn.messageOwner }, run);
    const source = await asOwner(() => createSourceEventStream(args as StreamArgs & { document: DocumentNode }));
    if (!(Symbol.asyncIterator in source)) return source;
    const payloads = source as AsyncIterableIterator<object>;
    const leaving = new Set<() => void>();
    const onLeave: OnLeave = (leave) => {
      leaving.add(leave);
      return () => void leaving.delete(leave);
    };
    /** Ends the turns of the last response, which the client has taken or will not get. */
    const left = (): void => {
      for (const leave of leaving) leave();
      leaving.clear();
    };
    let ended: GraphQLError | undefined;
    const review = async (): Promise<void> => {
      try {
        await renewed(args);
      } catch (error) {
        if (!(error instanceof GatewayError && error.code === 'UNAUTHENTICATED')) return;
        ended = asGraphqlError(error);
        left();
        await payloads.return?.();
      }
    };
    this.#reviews.add(review);
    const close = (): void => {
      this.#reviews.delete(review);
      left();
      void payloads.return?.();
    };
    const resultOf = async (payload: object): Promise<ExecutionResult> => {
      const make = async (): Promise<ExecutionResult> => this.#resultOf(payload, args, await renewed(args));
      // Small ones never wait, and a turn for each would add a tenth to the CPU of a change that 1,000 follow.
      if (args.price! < turnLimits.objects) return make();
      const message = turn.message(onLeave);
      // The key is looked up when it is the turn of the response, which may be minutes later.
      const result = await message.during(args.price!, make);
      message.made();
      return result;
    };
    async function* results(): AsyncGenerator<ExecutionResult, void> {
      try {
        for await (const payload of payloads) {
          yield await resultOf(payload);
          left();
        }
        if (ended) yield { errors: [ended] };
      } catch (error) {
        yield { errors: [ended ?? asGraphqlError(error)] };
      } finally {
        close();
      }
    }
    const stream = endable(results(), close);
    return { ...stream, next: () => asOwner(() => stream.next()) };
  }

  #resultOf(rootValue: object, args: StreamArgs, contextValue: RequestContext): Promise<ExecutionResult> {
    let result = this.#results.get(rootValue);
    if (!result) {
      const { schema, document, operationName, variableValues } = args;
      result = Promise.resolve(execute({ schema, document, operationName, variableValues, contextValue, rootValue }));
      this.#results.set(rootValue, result, { size: args.price! });
    }
    return result;
  }
}

/** The context of the next response; UNAUTHENTICATED when the key is no longer valid. */
async function renewed(args: StreamArgs): Promise<RequestContext> {
  // For nobody, as for a request before its caller is known. Requests share the look-up, and would wait for the turns of messages.
  const context = await countingStatements({ sent: 0 }, args.renew);
  if (!context.principal) throw new GatewayError('UNAUTHENTICATED', 'the key is no longer valid');
  return context;
}

// One document on both duplicates: by the executor of the gateway, and by graphql-js, which neither compiles nor keeps anything.
import { randomUUID } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, type GraphQLFormattedError, subscribe } from 'graphql';
import type { RequestContext } from '../../../src/access/context.ts';
import { ownerOf, RequestTurn, RequestTurns } from '../../../src/access/request-turn.ts';
import { formatError } from '../../../src/graphql/apollo.ts';
import { coerceVariables, Executor } from '../../../src/graphql/executor.ts';
import { operationLimits } from '../../../src/graphql/query-cost.ts';
import { Streams } from '../../../src/graphql/subscriptions/streams.ts';
import { requestContext } from '../../../src/http/authentication.ts';
import { jsonOf, textOf } from '../../../src/json/fragment.ts';
import { Gathering } from '../../../src/records/checked.ts';
import { GatewayError } from '../../../src/records/errors.ts';
import type { Twin, Twins } from '../../support/twins.ts';

/** A document with what is sent for its variables. */
export interface Sent {
  document: DocumentNode;
  variables: Variables;
}

/** What a document gives: its data, where which errors are, and what it has written. */
export interface Outcome {
  data: unknown;
  errors: string[];
  written: string[];
}

export interface Compared {
  gateway: Outcome;
  oracle: Outcome;
  isEqual: boolean;
  /** Whether the gateway takes values that graphql-js rejects, by its documented rules: both executors then get what it makes of them. */
  isLenient: boolean;
}

/** In which of their parts the outcomes of a document differ; undefined where they count as equal. */
export function differenceOf({ gateway, oracle, isEqual }: Compared): string | undefined {
  if (isEqual) return undefined;
  const parts = (['data', 'errors', 'written'] as const).filter((part) => JSON.stringify(gateway[part]) !== JSON.stringify(oracle[part]));
  return `different ${parts.join(' and ')}`;
}

/** What follows from the ids and keys that are made by chance, and from the clock of the database. */
const CHANCE =
  /(\\?"(?:\w+_hash|\w*[hH]ash|secret_?[pP]review|keep_until|commit_order|sequence|transaction_order|\w*nonce|link_?[eE]xpires_?[aA]t)\\?"): ?(?:\\?"[^"]*"|\d+)/g;

type Variables = Record<string, unknown>;

/** An open subscription, or why it was rejected. */
type Opened = AsyncIterableIterator<ExecutionResult> | ExecutionResult;

/** How long a stream may take that has no result while its duplicate has one. */
const LATE_MS = 10_000;
/** How long streams are read after the last change was reported, where neither duplicate has a result. */
const QUIET_MS = 150;

export class Runs {
  readonly #twins: Twins<unknown>;
  readonly #streams = new Streams(operationLimits.cost);
  readonly #turns = new RequestTurns(operationLimits.cost);
  readonly #key: string;
  /** Values that both databases had from the start; others that look alike are made by chance. */
  readonly #known: ReadonlySet<string>;
  /** The largest number that a record had at the start. A rejected write may use one up, so those of later records differ. */
  readonly #lastNumber: number;

  constructor(twins: Twins<unknown>, key: string, known: ReadonlySet<string>, lastNumber: number) {
    this.#lastNumber = lastNumber;
    this.#twins = twins;
    this.#key = key;
    this.#known = known;
  }

  /** Runs a query or a mutation on both. */
  async compare({ document, variables }: Sent): Promise<Compared> {
    const [ours, theirs] = this.#twins.pair;
    const compiled = (twin: Twin): Promise<Outcome> =>
      this.#outcome(twin, async (context) => {
        const operation = new Executor(twin.services.schema).compile(document);
        return operation.run(context, coerceVariables(operation, variables, context));
      });
    const gateway = await compiled(ours);
    const stock = (twin: Twin): Promise<Outcome> =>
      this.#outcome(twin, (contextValue) =>
        execute({ schema: twin.services.schema, document, contextValue, rootValue: {}, variableValues: variables }),
      );
    let oracle = await stock(theirs);
    // The gateway rejects input of a field below a mutation before it runs, graphql-js when it gets there, or never where the field is skipped.
    // The duplicates
    // stay alike.
    const isEarlier =
      isRefused(gateway) && oracle.written.length > 0 && (oracle.errors.length > 0 || this.#breaksRules({ document, variables }));
    if (isEarlier) await stock(ours);
    const isLenient = oracle.data === undefined && gateway.data !== undefined;
    if (isLenient)
      oracle = await this.#outcome(theirs, async (context) => {
        const operation = new Executor(theirs.services.schema).interpret(document, undefined);
        return operation.run(context, coerceVariables(operation, variables, context));
      });
    // A payload reports a variable that is not of its type at its record of a bulk, and stores the others. graphql-js rejects the whole argument.
    const isByRecord = isLenient && isReported(gateway) && isWithoutResult(oracle) && !JSON.stringify(gateway).includes('INTERNAL_ERROR');
    if (isByRecord && gateway.written.length > 0) await compiled(theirs);
    // The gateway rejects a NUL character in every variable, graphql-js takes it.
    const isRefusedText = JSON.stringify(variables).includes('\\u0000') && gateway.errors.length > 0 && gateway.written.length === 0;
    return {
      gateway,
      oracle,
      isLenient,
      isEqual:
        isEarlier ||
        isByRecord ||
        isRefusedText ||
        areEqual(gateway, oracle) ||
        areBothRefused(gateway, oracle) ||
        (isRefused(gateway) && oracle.written.length === 0 && this.#breaksRules({ document, variables })),
    };
  }

  /**
   * Whether values break rules of input objects and nothing else. The gateway rejects them before anything runs. graphql-js rejects them at the field
   * that takes them, which checks the same rules, and not where it does not reach that field.
   */
  #breaksRules({ document, variables }: Sent): boolean {
    const { variables: declared } = new Executor(this.#twins.pair[0].services.schema).interpret(document, undefined);
    const refused = declared.filter(({ name, path, coercer }) => {
      const issues = new Gathering();
      if (variables[name] !== undefined) coercer(variables[name], path, issues);
      return issues.count > 0;
    });
    return refused.length > 0 && refused.every(({ isInputObject }) => isInputObject);
  }

  /**
   * Opens subscriptions on both, makes a change on both, and compares the first result of each stream. `reported` subscribes to the last of the
   * changes.
   */
  async compareStreams(sent: readonly Sent[], change: DocumentNode, shown: DocumentNode): Promise<Compared[]> {
    const [ours, theirs] = this.#twins.pair;
    const gateway = await this.#opened(ours, sent, (context, { document, variables }) => {
      const operation = new Executor(ours.services.schema).interpret(document, undefined);
      const variableValues = coerceVariables(operation, variables, context);
      context.turn = new RequestTurn(this.#turns, ownerOf(context.principal, ''));
      return this.#streams.open({
        schema: ours.services.schema,
        document,
        contextValue: context,
        variableValues,
        renew: async () => context,
        price: 1,
      });
    });
    const stock = (context: RequestContext, { document, variables }: Sent): Promise<Opened> =>
      subscribe({ schema: theirs.services.schema, document, contextValue: context, variableValues: variables }) as Promise<Opened>;
    const oracle = await this.#opened(theirs, sent, stock);
    const results = sent.map((_, at) => [firstOf(gateway[at]!), firstOf(oracle[at]!)] as const);
    await Promise.all([this.#changed(ours, change, shown), this.#changed(theirs, change, shown)]);
    const compared = await Promise.all(
      results.map(async ([ours, theirs], at): Promise<Compared> => {
        await Promise.race([Promise.all([ours, theirs]), pause(QUIET_MS)]);
        const isQuiet = (await Promise.race([ours, theirs, pause(0)])) === undefined;
        const [first, second] = isQuiet ? [] : await Promise.all([orLate(ours), orLate(theirs)]);
        const [one, other] = [this.#streamed(first), this.#streamed(second)];
        const isLenient = one.data !== undefined && other.data === undefined && other.errors.length > 0;
        const isEqual = isLenient || areEqual(one, other) || (isRefused(one) && this.#breaksRules(sent[at]!));
        return { gateway: one, oracle: other, isLenient, isEqual };
      }),
    );
    for (const stream of [...gateway, ...oracle]) if (Symbol.asyncIterator in stream) await stream.return?.();
    for (const twin of [ours, theirs]) await twin.written();
    return compared;
  }

  /** The first result of a stream as an outcome; without one there was nothing to tell. */
  #streamed(result: ExecutionResult | undefined): Outcome {
    if (!result) return { data: null, errors: [], written: [] };
    const { data } = JSON.parse(this.#masked(textOf(jsonOf({ data: result.data })))) as { data?: unknown };
    return { data, errors: (result.errors ?? []).map(placed).sort(), written: [] };
  }

  #opened(twin: Twin, sent: readonly Sent[], open: (context: RequestContext, one: Sent) => Promise<Opened>): Promise<Opened[]> {
    return Promise.all(
      sent.map(async (one) => {
        const context = await this.#context(twin);
        return resultOf(() => open(context, one));
      }),
    );
  }

  /** Makes a change and waits until it is reported. */
  async #changed(twin: Twin, change: DocumentNode, shown: DocumentNode): Promise<void> {
    const { schema } = twin.services;
    const contextValue = await this.#context(twin);
    const stream = await subscribe({ schema, document: shown, contextValue });
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream.errors));
    const { errors } = await execute({ schema, document: change, contextValue: await this.#context(twin), rootValue: {} });
    if (errors) throw new Error(JSON.stringify(errors));
    await stream.next();
    await stream.return?.();
  }

  async #context({ services }: Twin): Promise<RequestContext> {
    return requestContext(services, randomUUID(), (await services.keys.find(this.#key))!, '127.0.0.1');
  }

  async #outcome(twin: Twin, run: (context: RequestContext) => ExecutionResult | Promise<ExecutionResult>): Promise<Outcome> {
    const context = await this.#context(twin);
    const { data, errors } = await resultOf(() => run(context));
    const text = this.#masked(textOf(jsonOf({ data })));
    const written = (await twin.written())
      .filter(({ table, change }) => table !== 'access_key' || change !== 'UPDATE')
      .map((row) => this.#masked(JSON.stringify(row)));
    return { data: (JSON.parse(text) as { data?: unknown }).data, errors: (errors ?? []).map(placed).sort(), written: written.sort() };
  }

  /** The text without what the clock and chance make of it. */
  #masked(text: string): string {
    return text
      .replaceAll(/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g, (id) => (this.#known.has(id) ? id : '<id>'))
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => (this.#known.has(id) ? id : '<uuid>'))
      .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:?\d\d)?/g, (moment) =>
        Math.abs(Date.now() - Date.parse(moment)) < 7_200_000 ? '<now>' : moment,
      )
      .replaceAll(/(?<![\w.])(\w+_)?(\d{4,6})\b(?!\.)/g, (all, type = '', number: string) =>
        Number(number) > this.#lastNumber ? `${type}0` : all,
      )
      .replaceAll(/\?key=[\w.-]+/g, '?key=<chance>')
      .replaceAll(/"[\w-]+\.[\w-]{22}"/g, '"<cursor>"')
      .replaceAll(CHANCE, '$1:"<chance>"')
      .replaceAll(/(?:\\\\x[0-9a-f]{16,}|\b[0-9a-f]{32,}\b|[\w+/=-]{40,})(?:\.[\w-]{22})?/g, '<chance>');
  }
}

const pause = (milliseconds: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));

/** The first result of a stream, which may be that it was rejected; undefined where it ends without one. */
async function firstOf(stream: Opened): Promise<ExecutionResult | undefined> {
  if (!(Symbol.asyncIterator in stream)) return stream;
  try {
    const { value } = await stream.next();
    return value as ExecutionResult | undefined;
  } catch (error) {
    return { errors: [new GraphQLError((error as Error).message, { originalError: error as Error })] };
  }
}

const orLate = <T>(result: Promise<T>): Promise<T | undefined> => Promise.race([result, pause(LATE_MS)]);

async function resultOf<T>(run: () => T | Promise<T>): Promise<T | ExecutionResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { errors: [new GraphQLError(error.message, { originalError: error })] };
  }
}

/** The place and the code of an error. */
function placed(error: GraphQLError): string {
  const { path, extensions }: GraphQLFormattedError = formatError(
    {
      message: error.message,
      ...(error.path ? { path: error.path } : {}),
      extensions: { code: 'INTERNAL_SERVER_ERROR', ...error.extensions },
    },
    error,
  );
  // graphql-js rejects an argument without a code; the gateway gives it the one of input.
  const code = error.message.startsWith('Argument "') ? 'INVALID_PARAMS' : extensions?.code;
  return `${code} at ${path?.join('.') ?? 'the request'}`;
}

/** A payload reports errors. */
const isReported = ({ data }: Outcome): boolean => JSON.stringify(data ?? null).includes('"errors":[{');

/** Errors in the place of every root field, and nothing written. */
const isWithoutResult = ({ data, errors, written }: Outcome): boolean =>
  errors.length > 0 && written.length === 0 && Object.values(data ?? {}).every((value) => value === null);

/** Both report errors and write nothing: which of several errors is met first, and at which depth of free-form JSON, is not promised. */
const areBothRefused = (ours: Outcome, theirs: Outcome): boolean =>
  [...ours.written, ...theirs.written].length === 0 &&
  [ours, theirs].every((outcome) => outcome.errors.length > 0 || isReported(outcome)) &&
  [...ours.errors, ...theirs.errors].every((error) => !error.startsWith('INTERNAL_ERROR'));

/** Rejected before anything ran. */
const isRefused = ({ data, errors, written }: Outcome): boolean =>
  data === undefined && written.length === 0 && errors.every((error) => !error.startsWith('INTERNAL_ERROR'));

function areEqual(ours: Outcome, theirs: Outcome): boolean {
  if (ours.data !== undefined) return JSON.stringify(ours) === JSON.stringify(theirs);
  if (ours.written.length > 0 || theirs.written.length > 0) return false;
  const codes = ({ errors }: Outcome): string => [...new Set(errors.map((error) => error.split(' at ')[0]))].join();
  // Values that are not of their type; graphql-js has no codes for them.
  if (theirs.data === undefined) return !codes(ours).includes('INTERNAL_ERROR');
  // The gateway rejects values that break a rule before anything runs. graphql-js knows only types, so a field rejects them, or a payload reports the
  // first one it met.
  return theirs.errors.length > 0 || isReported(theirs);
}

// One document on both twins: by the executor of the gateway, and by graphql-js, which neither compiles nor keeps anything.
import { randomUUID } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, execute, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { RequestContext } from '../../../src/access/context.ts';
import { formatError } from '../../../src/graphql/apollo.ts';
import { coerceVariables, Executor } from '../../../src/graphql/executor.ts';
import { requestContext } from '../../../src/http/authentication.ts';
import { jsonOf, textOf } from '../../../src/json/fragment.ts';
import { GatewayError } from '../../../src/records/errors.ts';
import type { Twin } from '../../support/twins.ts';

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
  /** Whether the gateway takes values that graphql-js refuses, by its documented rules: both executors then get what it makes of them. */
  isLenient: boolean;
}

/** What follows from the ids and keys that are made by chance, and from the clock of the database. */
const CHANCE =
  /(\\?"(?:\w+_hash|\w*[hH]ash|secret_?[pP]review|keep_until|commit_order|\w*nonce|link_?[eE]xpires_?[aA]t)\\?"): ?(?:\\?"[^"]*"|\d+)/g;

type Variables = Record<string, unknown>;

export class Runs {
  readonly #pair: readonly [Twin, Twin];
  readonly #key: string;
  /** Values that both databases had from the start; others that look alike are made by chance. */
  readonly #known: ReadonlySet<string>;
  /** The largest number that a record had at the start. A refused write may use one up, so those of later records differ. */
  readonly #lastNumber: number;

  constructor(pair: readonly [Twin, Twin], key: string, known: ReadonlySet<string>, lastNumber: number) {
    this.#lastNumber = lastNumber;
    this.#pair = pair;
    this.#key = key;
    this.#known = known;
  }

  async compare(document: DocumentNode, variables: Variables): Promise<Compared> {
    const [ours, theirs] = this.#pair;
    const { schema } = ours.services;
    const gateway = await this.#outcome(ours, async (context) => {
      const operation = new Executor(schema).compile(document);
      return operation.run(context, coerceVariables(operation, variables, context));
    });
    const stock = (twin: Twin): Promise<Outcome> =>
      this.#outcome(twin, (contextValue) =>
        execute({ schema: twin.services.schema, document, contextValue, rootValue: {}, variableValues: variables }),
      );
    let oracle = await stock(theirs);
    // The gateway refuses input of a field below a mutation before it runs, graphql-js when it gets there. The twins stay alike.
    const isEarlier = gateway.data === undefined && oracle.written.length > 0 && oracle.errors.length > 0;
    if (isEarlier) await stock(ours);
    const isLenient = oracle.data === undefined && gateway.data !== undefined;
    if (isLenient)
      oracle = await this.#outcome(theirs, async (context) => {
        const operation = new Executor(theirs.services.schema).interpret(document, undefined);
        return operation.run(context, coerceVariables(operation, variables, context));
      });
    // The gateway refuses a NUL character in every variable, graphql-js takes it.
    const isRefusedText = JSON.stringify(variables).includes('\\u0000') && gateway.errors.length > 0 && gateway.written.length === 0;
    return {
      gateway,
      oracle,
      isLenient,
      isEqual: isEarlier || isRefusedText || areEqual(gateway, oracle) || areBothRefused(gateway, oracle),
    };
  }

  async #outcome(twin: Twin, run: (context: RequestContext) => ExecutionResult | Promise<ExecutionResult>): Promise<Outcome> {
    const { services } = twin;
    const context = requestContext(services, randomUUID(), (await services.keys.find(this.#key))!, '127.0.0.1');
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

async function resultOf(run: () => ExecutionResult | Promise<ExecutionResult>): Promise<ExecutionResult> {
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
  // graphql-js refuses an argument without a code; the gateway gives it the one of input.
  const code = error.message.startsWith('Argument "') ? 'INVALID_PARAMS' : extensions?.code;
  return `${code} at ${path?.join('.') ?? 'the request'}`;
}

/** Both report errors and write nothing: which of several errors is met first, and at which depth of free-form JSON, is not promised. */
const areBothRefused = (ours: Outcome, theirs: Outcome): boolean =>
  [...ours.written, ...theirs.written].length === 0 &&
  (ours.errors.length > 0 || JSON.stringify(ours.data ?? null).includes('"errors":[{')) &&
  (theirs.errors.length > 0 || JSON.stringify(theirs.data ?? null).includes('"errors":[{')) &&
  [...ours.errors, ...theirs.errors].every((error) => !error.startsWith('INTERNAL_ERROR'));

function areEqual(ours: Outcome, theirs: Outcome): boolean {
  if (ours.data !== undefined) return JSON.stringify(ours) === JSON.stringify(theirs);
  if (ours.written.length > 0 || theirs.written.length > 0) return false;
  const codes = ({ errors }: Outcome): string => [...new Set(errors.map((error) => error.split(' at ')[0]))].join();
  // Values that are not of their type; graphql-js has no codes for them.
  if (theirs.data === undefined) return !codes(ours).includes('INTERNAL_ERROR');
  // The gateway refuses values that break a rule before anything runs; graphql-js knows types alone, so a field refuses them, or a payload reports what it met first.
  return theirs.errors.length > 0 || JSON.stringify(theirs.data ?? null).includes('"errors":[{');
}

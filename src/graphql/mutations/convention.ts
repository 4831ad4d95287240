// The convention of all mutations: one argument `input`, a payload that may report errors as data, and every error of a call at once.
import { authorise } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { Gathering } from '../../records/checked.ts';
import { GatewayError, inputError } from '../../records/errors.ts';
import type { Issues } from '../../records/input-issue.ts';
import { spokenName } from '../../records/naming.ts';
import { argumentPath, joined, segmentsOf, withRenamedFields } from '../input/argument-path.ts';
import { issuesOfVariables } from './deferred-issues.ts';
import { type DryRun, dryRun } from './dry-run.ts';
import type { CallArguments, InputArgument, MutationField } from './input-argument.ts';
import { missingRecords } from './missing-records.ts';
import {
  areAboutValues,
  elsewhere,
  errorAsData,
  errorsOfRecords,
  isData,
  issueAsData,
  type MutationError,
  type Placed,
  type RecordOutcome,
  withinResponse,
} from './mutation-error.ts';
import { selectsErrors, selectsRecordErrors } from './selected-errors.ts';

interface Payload {
  results?: RecordOutcome[] | null;
  errors?: MutationError[];
}

/** Has the resolver of a mutation, guarded before, follow the convention. */
export function follow(field: MutationField, input: InputArgument): void {
  const isBulk = field.extensions.sizedBy !== undefined;
  const inner = field.resolve!;
  const roles = field.extensions.access!;
  field.resolve = (root, sent, context, info) => {
    // Before anything is said about the input: who may not call the mutation learns nothing else.
    authorise(context, roles);
    context.mutation = field.name;
    const known = issuesOfVariables(context, info);
    const given = input.read(sent.input, context, new Set(known?.issues.map((issue) => issue.field)));
    const issues = known ? joinedIssues(known, given.issues) : given.issues;
    const call = new Call(input, given, context);
    const run = (): unknown => inner(root, given.args, context, info);
    const asksErrors = (): boolean => selectsErrors(info.fieldNodes, info.fragments);
    if (issues.count === 0) return call.payload(run, asksErrors);
    if (!areAboutValues(issues)) throw inputError(issues);
    if (isBulk && given.args.atomic === false && !given.isIncomplete && selectsRecordErrors(info.fieldNodes, info.fragments)) {
      const refused = refusedRecords(given.args.data, issues);
      if (refused) {
        context.refused = refused;
        return call.payload(run, asksErrors, issues);
      }
    }
    if (!asksErrors()) throw inputError(issues);
    const trial = given.isIncomplete ? Promise.resolve({}) : dryRun(context, run);
    return trial.then((met) => call.refused(issues, met));
  };
}

/** The issues of the variables of a call, and those of the call itself in other places. */
function joinedIssues(known: Gathering, own: Gathering): Gathering {
  const named = new Set(known.issues.map(({ field }) => field));
  const all = new Gathering();
  all.addAll(known);
  all.addAll({ issues: own.issues.filter(({ field }) => !named.has(field)) });
  return all;
}

/**
 * The records of a bulk form with the errors of their input. Returns undefined when something else is wrong, so that the call is rejected as a whole.
 */
function refusedRecords(data: unknown, { issues }: Issues): WeakMap<object, GatewayError> | undefined {
  const byRecord = Map.groupBy(issues, ({ field }) => RECORD.exec(field)?.[1]);
  if (byRecord.has(undefined) || !Array.isArray(data)) return undefined;
  const refused = new WeakMap<object, GatewayError>();
  for (const [index, own] of byRecord) {
    const record: unknown = data[Number(index)];
    if (typeof record !== 'object' || record === null) return undefined;
    const declared = (text: string): string => text.replaceAll('input.records[', 'data[');
    refused.set(
      record,
      inputError({ issues: own.map((issue) => ({ ...issue, field: declared(issue.field), message: declared(issue.message) })) }),
    );
  }
  return refused;
}

/** A place inside a record of a bulk form. */
const RECORD = /^input\.records\[(\d+)\]\./;

/** One call of a mutation: its errors in the words of the caller. */
class Call {
  readonly #input: InputArgument;
  readonly #given: CallArguments;
  readonly #context: RequestContext;

  constructor(input: InputArgument, given: CallArguments, context: RequestContext) {
    this.#input = input;
    this.#given = given;
    this.#context = context;
  }

  /**
   * The payload of a call; its errors as data where the caller asks for them, or else thrown. The issues are those of records that are rejected:
   * a call that is rejected as a whole reports them too.
   */
  payload(run: () => unknown, asksErrors: () => boolean, issues: Issues = { issues: [] }): unknown {
    const failed = (error: unknown): Promise<Payload> => {
      if (!(error instanceof GatewayError)) throw error;
      if (!isData(error) || !asksErrors()) throw this.#inWordsOfCaller(error);
      return this.refused(issues, { error });
    };
    try {
      const result = run();
      return result instanceof Promise ? result.then(this.#reported, failed) : this.#reported(result);
    } catch (error) {
      return failed(error);
    }
  }

  /** The payload of a call that is rejected for its input or by an error, with what else is wrong. */
  async refused({ issues, count = issues.length }: Issues, { error, result }: DryRun): Promise<Payload> {
    this.#context.isRefused = true;
    const placed: Placed = (field, message) => placedBelowInput(segmentsOf(field ?? ''), field, message);
    const missing = await missingRecords(this.#context, this.#input.declared, this.#given.args);
    const ofRecords = ((await this.#reported(result)) as Payload | null | undefined)?.errors ?? [];
    const later = [...(error && isData(error) ? [error] : []), ...missing].map((other) => errorAsData(other, this.#placed));
    const first = issues.map((issue) => issueAsData(issue, 'INVALID_PARAMS', placed));
    const errors = [...later, ofRecords].reduce((known, more) => known.concat(elsewhere(known, more)), first);
    return { errors: withinResponse(errors, errors.length + count - issues.length) };
  }

  /** A payload of a bulk form, with the errors of its records in the words of the caller. */
  readonly #reported = (result: unknown): unknown => {
    const outcomes = (result as Payload | null)?.results;
    return outcomes ? this.#withErrors(result as Payload, outcomes) : result;
  };

  async #withErrors(payload: Payload, outcomes: readonly RecordOutcome[]): Promise<Payload> {
    const errors = await errorsOfRecords(outcomes, this.#placedAsNamed);
    return { ...payload, errors: withinResponse(errors) };
  }

  /** The place of a field of an error that did not leave the resolver: its path is the one that `guardSchema` would have given it. */
  readonly #placedAsNamed: Placed = (field, message) =>
    this.#placed(field === undefined ? undefined : argumentPath(this.#input.declared, field), message);

  readonly #placed: Placed = (field, message) => {
    if (field === undefined) return { path: [], message };
    return placedBelowInput(this.#input.place(field), field, message);
  };

  /** The same error for a caller that gets it as an error of the request: paths begin with `input`. */
  #inWordsOfCaller(error: GatewayError): GatewayError {
    if (!this.#given.hasMembers) return error;
    const placed = (field: string): string => joined(this.#input.place(field));
    const { field, issues } = error.info;
    const reworded = issues?.map((issue) => ({ ...issue, message: inPlaceOf(issue.field, placed(issue.field), issue.message) }));
    return withRenamedFields(
      new GatewayError(error.code, error.message, { ...error.info, ...(reworded ? { issues: reworded } : {}) }),
      placed,
      field === undefined ? error.message : inPlaceOf(field, placed(field), error.message),
    );
  }
}

/** The segments below `input` as a path of text, and a message with the name of the field. Only the path says where the field is. */
function placedBelowInput(segments: readonly (string | number)[], named: string | undefined, message: string): ReturnType<Placed> {
  const below = segments[0] === 'input' ? segments.slice(1) : segments;
  return { path: below.map(String), message: named === undefined ? message : spokenMessage(named, below, message) };
}

/** A message with the spoken name of a field instead of its path, in any notation, with or without the fields above it. */
function spokenMessage(named: string, below: readonly (string | number)[], message: string): string {
  const name = below.findLast((segment) => typeof segment === 'string');
  const spoken = name === undefined ? 'the input' : spokenName(name);
  const paths = [segmentsOf(named), below, name === undefined ? [] : [name]].filter((path) => path.length > 0);
  if (paths.length === 0) return message;
  // A name that is a part of another, or of a path to elsewhere, stays.
  const written = new RegExp(`(?<![\\w.\\]])(?:${spellingsOf(paths)})(?![\\w[]|\\.\\w)`, 'g');
  return message.replaceAll(written, (_, at: number) => (at === 0 ? spoken[0]!.toUpperCase() + spoken.slice(1) : spoken));
}

/** A message in which a path, written in either notation, is replaced by another. */
function inPlaceOf(named: string, place: string, message: string): string {
  const path = segmentsOf(named);
  if (path.length === 0) return message;
  return message.replaceAll(new RegExp(`(?<![\\w.])(?:${spellingsOf([path])})(?!\\w)`, 'g'), () => place);
}

/** The spellings of paths in either notation, as alternatives of a pattern. */
const spellingsOf = (paths: readonly (readonly (string | number)[])[]): string =>
  [...new Set(paths.flatMap((path) => [joined(path), joined(path, true)]))]
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('|');

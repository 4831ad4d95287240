// Bulk forms of mutations that write one record: made from the mutation, whose resolver runs for each record of the list.
import { type FieldNode, type GraphQLResolveInfo, getNamedType, type OperationDefinitionNode, parse } from 'graphql';
import { Int } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { joined } from '../../access/joined-transaction.ts';
import { FieldTree } from '../../database/reader/field-tree.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { GatewayError } from '../../records/errors.ts';
import { MAX_RECORDS } from '../../records/input-rules.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { joined as pathOf, segmentsOf } from '../input/argument-path.ts';
import { lookAhead, mergeTrees } from '../look-ahead.ts';
import { declaredMutation } from '../mutations/declare.ts';
import { dryRun } from '../mutations/dry-run.ts';
import type { MutationField } from '../mutations/input-argument.ts';
import { isData, type MutationError } from '../mutations/mutation-error.ts';
import { selectsRecordErrors } from '../mutations/selected-errors.ts';
import { argument, type DeclaredField, type FieldOptions, mutation } from './fields.ts';
import { capitalised, objectType, warningsMember } from './object-type.ts';

/** A mutation that writes one record, by its name, and the record in its payload and in that of the bulk form. */
interface Form {
  single: string;
  record: RecordClass;
  member: string;
  many: string;
  warnings: boolean | undefined;
}

/** What the mutation returns for one record. */
type Payload = Record<string, unknown> & { errors?: MutationError[] };

/** The outcome of one record, from which the convention makes errors of the call; `failure` is an unexpected error. */
type Outcome = Record<string, unknown> & { index: number; errors?: MutationError[]; refusal?: GatewayError; failure?: unknown };

/** The mutation that does for many records what another does for one. */
export function bulkForm(form: Form, roles: FieldOptions['roles'], description: string): DeclaredField {
  const args = {
    data: argument<Record<string, unknown>[]>(
      () => [declaredMutation(form.single).input],
      `Inputs of the records, at most ${MAX_RECORDS}, without \`idempotencyKey\`.`,
    ),
    atomic: argument<boolean>(() => Boolean, 'Store all records or none.', { defaultValue: false }),
  };
  return mutation((name) => payloadFor(form, name), { roles })(
    `${description} Takes up to ${MAX_RECORDS} records.`,
    args,
    (given, { context, info }) => new Bulk(form, context, info).run(given),
  );
}

function payloadFor({ record, member, many, warnings }: Form, name: string): RecordClass {
  const capital = capitalised(name);
  const Result = objectType(`${capital}Result`, `Outcome of one record of \`${name}\`.`, {
    index: { type: () => Int, description: 'Index of the record in the input, from 0.' },
    [member]: { type: () => record, description: 'The stored record; null if rejected.' },
    ...(warnings ? { warnings: warningsMember } : {}),
  });
  return objectType(`${capital}Payload`, `Result of \`${name}\`.`, {
    [many]: { type: () => [record], description: 'Stored records, in input order.' },
    results: { type: () => [Result], description: 'Outcome of each record, in input order.' },
  });
}

interface BulkArguments {
  data: Record<string, unknown>[];
  atomic: boolean;
}

/** Asks the mutation of one record for its errors, and for nothing that it would read. */
const errorsOfOne: readonly FieldNode[] = [
  (parse('{ record { errors { code } } }').definitions[0] as OperationDefinitionNode).selectionSet.selections[0] as FieldNode,
];

/** One call of a bulk form. */
class Bulk {
  readonly #form: Form;
  readonly #context: RequestContext;
  readonly #info: GraphQLResolveInfo;
  readonly #field: MutationField;

  constructor(form: Form, context: RequestContext, info: GraphQLResolveInfo) {
    this.#form = form;
    this.#context = context;
    this.#info = info;
    this.#field = context.services.schema.getMutationType()!.getFields()[form.single]!;
  }

  async run({ data, atomic }: BulkArguments): Promise<Row> {
    if (data.length === 0) throw new GatewayError('MISSING_PARAMS', 'data must have at least one record', { field: 'data' });
    if (data.length > MAX_RECORDS)
      throw new GatewayError('BATCH_LIMIT_EXCEEDED', `data has ${data.length} records, more than ${MAX_RECORDS}`, { field: 'data' });
    const isWhole = atomic || !selectsRecordErrors(this.#info.fieldNodes, this.#info.fragments);
    // In the order of their ids: two calls that name the same records in other orders would wait for each other.
    const order = [...data.keys()].sort((a, b) => String(data[a]!.id ?? '').localeCompare(String(data[b]!.id ?? '')));
    const inOrder = await joined(this.#context, data.length, isWhole, (place, own) => this.#one(data[order[place]!]!, order[place]!, own));
    const settled = order.reduce<typeof inOrder>((all, index, place) => Object.assign(all, { [index]: inOrder[place] }), []);
    const outcomes = settled.map(outcomeOf);
    const refused = outcomes.flatMap(errorsOf);
    if (isWhole && refused.length > 0) throw together(refused);
    for (const outcome of outcomes) {
      if (outcome.failure === undefined) continue;
      if (!settled.some(({ status }) => status === 'fulfilled')) throw outcome.failure;
      this.#context.services.log.error({ err: outcome.failure, requestId: this.#context.requestId }, 'a record of a bulk form failed');
      outcome.refusal = new GatewayError('INTERNAL_ERROR', 'the record could not be stored');
    }
    return this.#payload(outcomes);
  }

  /** Runs the mutation for one record, whose input was coerced with the list. */
  async #one(record: Record<string, unknown>, index: number, own: RequestContext): Promise<Payload> {
    const known = own.refused?.get(record);
    if (known) throw await this.#withRest(known, record, index, own);
    if (record.idempotencyKey != null)
      throw new GatewayError('INVALID_PARAMS', 'idempotencyKey belongs to the call', { field: `data[${index}].idempotencyKey` });
    const payload = await this.#single(record, own);
    // The promise of a rejected write rejects, to distinguish it from the other writes of its transaction.
    if (payload.errors?.length) throw new Refused(payload.errors);
    return payload;
  }

  /** The error of a record that is rejected for its input, with what else the mutation finds. */
  async #withRest(error: GatewayError, record: Record<string, unknown>, index: number, own: RequestContext): Promise<GatewayError> {
    const { joining: _, ...alone } = own;
    let rest: MutationError[] = [];
    await dryRun(alone, async () => {
      rest = (await this.#single(record, alone)).errors ?? [];
    });
    const others = rest.map(
      ({ code, message, path }) => new GatewayError(code, message, { field: pathOf(segmentsOf(['data', index, ...path].join('.'))) }),
    );
    return others.length === 0 ? error : new GatewayError(error.code, error.message, { ...error.info, others });
  }

  /** The response of the mutation of one record. */
  async #single(record: Record<string, unknown>, own: RequestContext): Promise<Payload> {
    own.coerced.add(record);
    delete own.deferred;
    const info = Object.assign(Object.create(this.#info) as GraphQLResolveInfo, {
      fieldNodes: errorsOfOne,
      lookAhead: new FieldTree(getNamedType(this.#field.type)),
    });
    return (await this.#field.resolve!(undefined, { input: record }, own, info)) as Payload;
  }

  /** The payload, whose records are read together. */
  async #payload(outcomes: readonly Outcome[]): Promise<Row> {
    const { record, member: one, many } = this.#form;
    const model = modelOf(record);
    const { fields } = lookAhead(this.#info);
    const tree = mergeTrees(fields.get(many), fields.get('results')?.fields.get(one));
    const ids = outcomes.flatMap((outcome) => (outcome[one] as Row | undefined)?.[model.key] ?? []) as string[];
    const where = { [model.key]: { in: ids } };
    const scope = { ...scopeOf(this.#context), includeDeleted: true };
    const rows = tree && ids.length > 0 ? await this.#context.services.reader.findRows(projectionFor(model, tree), { where }, scope) : [];
    const byId = new Map(rows.map((row) => [row[model.key], row]));
    const shown = (id: string): Row => byId.get(id) ?? { [model.key]: id };
    return {
      [many]: ids.map(shown),
      results: outcomes.map((outcome) => {
        const id = (outcome[one] as Row | undefined)?.[model.key] as string | undefined;
        return id === undefined ? outcome : { ...outcome, [one]: shown(id) };
      }),
    };
  }
}

/** The errors of the mutation of one record. */
class Refused extends Error {
  readonly errors: MutationError[];
  constructor(errors: MutationError[]) {
    super('the record was rejected');
    this.errors = errors;
  }
}

function outcomeOf(result: PromiseSettledResult<Payload>, index: number): Outcome {
  if (result.status === 'fulfilled') return { ...result.value, index };
  const { reason } = result;
  if (reason instanceof Refused) return { index, errors: reason.errors.map((error) => placedIn(error, index)) };
  if (reason instanceof GatewayError && isData(reason)) return { index, refusal: reason };
  return { index, failure: reason };
}

const placedIn = (error: MutationError, index: number): MutationError => ({ ...error, path: ['records', String(index), ...error.path] });

/** The errors of an outcome as errors of the resolver, which name its argument. */
const errorsOf = ({ errors = [], refusal }: Outcome): GatewayError[] =>
  refusal
    ? [refusal]
    : errors.map(
        ({ code, message, path }) => new GatewayError(code, message, { field: pathOf(segmentsOf(['data', ...path.slice(1)].join('.'))) }),
      );

/** One error for several: the first, with the others. */
function together([first, ...others]: GatewayError[]): GatewayError {
  const { code, message, info } = first!;
  return others.length === 0 ? first! : new GatewayError(code, message, { ...info, others: [...(info.others ?? []), ...others] });
}

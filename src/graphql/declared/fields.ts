// Root fields declared as data: roles, arguments and a function. They register with type-graphql as decorated methods do.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, type ArgOptions, Args, Ctx, Extensions, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import type { RecordClass } from '../../records/metadata.ts';
import type { RoleName } from '../../records/roles.ts';
import type { PageArguments } from '../connections.ts';
import { RecordArg, RecordsArg } from '../input-types.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../list-inputs.ts';
import { type SummaryArguments, summaryOf } from '../summaries/summary-types.ts';

/** An argument of a field, of which `run` gets a `T`. */
export interface Argument<T> {
  decorate: (name: string) => (prototype: object, method: string, index: number) => void;
  /** Carries the type of the value; it is never set. */
  readonly value?: T;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;

/** What `run` gets for the arguments. */
export type Values<A extends Arguments> = { readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never };

export const argument = <T>(type: () => object, description: string, options: ArgOptions = {}): Argument<T> => ({
  decorate: (name) => Arg(name, type, { description, ...options }),
});

/** An argument that callers may leave out. */
export const optional = <T>(type: () => object, description: string): Argument<T | null> =>
  argument<T | null>(type, description, { nullable: true });

/** The global id of a record. */
export const id = (description: string): Argument<string> => argument<string>(() => ID, description);

/** The number of a record; callers may give its global id. */
export const recordNumber = (record: () => RecordClass, description: string): Argument<number> => ({
  decorate: (name) => RecordArg(name, record, { description }),
});

export const optionalNumber = (record: () => RecordClass, description: string): Argument<number | null> => ({
  decorate: (name) => RecordArg(name, record, { description, nullable: true }),
});

/** Several records, each by the id in an input type. */
export const namedRecords = <T>(record: () => RecordClass, type: () => object, description: string): Argument<T[]> => ({
  decorate: (name) => RecordsArg(name, record, type, { description }),
});

/** The arguments of a list: page, filter and order. */
export const listArguments = (record: RecordClass, page: new () => PageArguments) => ({
  page: { decorate: () => Args(() => page) } as Argument<PageArguments>,
  filter: { decorate: () => FilterArg(record) } as Argument<FilterInput | null>,
  orderBy: { decorate: () => OrderArg(record) } as Argument<OrderInput[] | null>,
});

/** The arguments of a summary. */
export const summaryArguments = (record: RecordClass): Argument<SummaryArguments> => ({
  decorate: () => Args(() => summaryOf(record).Arguments),
});

export interface Call {
  context: RequestContext;
  info: GraphQLResolveInfo;
}

/** What a field says besides its description and arguments. */
export interface FieldOptions {
  /** Any one of them may use the field. */
  roles: readonly RoleName[];
  extensions?: Record<string, unknown>;
}

/** Declares a field under a name on the prototype of a resolver. */
export type DeclaredField = (prototype: object, name: string) => void;

/** Completes a field with its description, its arguments and its function, which gets the name of the field too. */
export type Declare<Result> = <A extends Arguments>(
  description: string,
  args: A,
  run: (args: Values<A>, call: Call, name: string) => Result,
) => DeclaredField;

const field =
  ({ roles, extensions }: FieldOptions, decorator: (description: string, name: string) => MethodDecorator): Declare<unknown> =>
  (description, args, run) =>
  (prototype, name) => {
    const entries = Object.entries(args);
    const value = (...values: unknown[]): unknown => {
      const named: Record<string, unknown> = {};
      for (let index = 0; index < entries.length; index++) named[entries[index]![0]] = values[index];
      const [context, info] = values.slice(entries.length) as [RequestContext, GraphQLResolveInfo];
      return run(named as Values<typeof args>, { context, info }, name);
    };
    const descriptor = { value, configurable: true };
    Object.defineProperty(prototype, name, descriptor);
    // The last one first, as decorators of parameters run.
    for (const [index, [key, { decorate }]] of [...entries.entries()].reverse()) decorate(key)(prototype, name, index);
    Ctx()(prototype, name, entries.length);
    Info()(prototype, name, entries.length + 1);
    access(...roles)(prototype, name, descriptor);
    if (extensions) Extensions(extensions)(prototype, name, descriptor);
    decorator(description, name)(prototype, name, descriptor);
  };

export const query = (type: () => object, options: FieldOptions & { nullable?: boolean }): Declare<unknown> =>
  field(options, (description) => Query(type, { description, nullable: options.nullable ?? false }));

/** A mutation, whose payload type may be made for its name. */
export const mutation = (payload: (name: string) => RecordClass, options: FieldOptions): Declare<unknown> =>
  field(options, (description, name) => {
    const type = payload(name);
    return Mutation(() => type, { description });
  });

/** The resolver class of declared fields, by their names. */
export function resolver(fields: Readonly<Record<string, DeclaredField>>): RecordClass {
  class DeclaredFields {}
  for (const [name, declare] of Object.entries(fields)) declare(DeclaredFields.prototype, name);
  Resolver()(DeclaredFields);
  return DeclaredFields;
}

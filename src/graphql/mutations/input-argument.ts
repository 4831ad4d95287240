// The one argument `input` of a mutation: made of the arguments that its resolver declares, and taken apart again for the resolver.
import {
  type GraphQLArgument,
  type GraphQLField,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLNonNull,
  GraphQLString,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { fromString, toUUID } from 'typeid-js';
import type { RequestContext } from '../../access/context.ts';
import { Gathering } from '../../records/checked.ts';
import { allModels } from '../../records/metadata.ts';
import { UUID } from '../../records/scalars.ts';
import { segmentsOf } from '../input/argument-path.ts';
import { type Coercer, coercerFor, namingStrategies } from '../input/input-coercion.ts';

export type MutationField = GraphQLField<unknown, RequestContext>;

/** A declared argument, and the member of `input` that takes its place. */
interface DeclaredArgument {
  argument: GraphQLArgument;
  /** Name of the member; undefined for the argument whose members are those of `input`. */
  member: string | undefined;
  /** Turns the value of the member into that of the argument, where they differ. */
  convert: ((value: unknown) => unknown) | undefined;
}

/** The declared arguments of a call. */
export interface CallArguments {
  args: Record<string, unknown>;
  /** What is wrong with `input` itself. */
  issues: Gathering;
  /** Whether a required argument is missing, so that the resolver cannot run at all. */
  isIncomplete: boolean;
  /** Whether the caller knows the members of `input`; a REST route knows the declared arguments. */
  hasMembers: boolean;
}

/** The value of `input` from a REST route: the declared arguments, each coerced with the names of the route. */
export class DeclaredArguments {
  readonly args: Readonly<Record<string, unknown>>;
  constructor(args: Readonly<Record<string, unknown>>) {
    this.args = args;
  }
}

const INPUT = 'input';
const IDEMPOTENCY_KEY = 'idempotencyKey';
/** A payload may also have the name of a plain argument: `removeCompany(id, name)` returns `name`. */
const IDS = new Set(['ID', 'UUID']);

const capitalised = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** The name of an argument as a member of `input`: `id` for the number or id of the record that the payload returns. */
function memberName(argument: GraphQLArgument, payload: ReadonlySet<string>, taken: ReadonlySet<string>): string {
  const { name, type } = argument;
  if (name === 'data' && isListType(getNullableType(type))) return 'records';
  if (taken.has('id')) return name;
  return isOwnId(argument, payload) ? 'id' : name;
}

/** Whether an argument names the record that the payload with these members returns. */
export const isOwnId = ({ name, type }: Pick<GraphQLArgument, 'name' | 'type'>, payload: ReadonlySet<string>): boolean =>
  name === 'id' ||
  name === 'ledgerId' ||
  (payload.has(name) && IDS.has(getNamedType(type).name)) ||
  (name.endsWith('Id') && payload.has(name.slice(0, -2)));

/** The type of a member: ids are of the type `ID`, whatever the resolver gets. */
function memberType({ type }: GraphQLArgument | GraphQLInputField): GraphQLInputType {
  if (getNullableType(type) !== UUID) return type;
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLID) : GraphQLID;
}

/** How the id in a member becomes the UUID that a resolver gets: the global id of the record is read too. */
function uuidOf(argument: GraphQLArgument): DeclaredArgument['convert'] {
  if (getNullableType(argument.type) !== UUID) return undefined;
  const prefix = allModels().find((model) => model.name === capitalised(argument.name.slice(0, -2)))?.prefix;
  return (value) => {
    const text = String(value);
    return UUID.parseValue(prefix && text.startsWith(`${prefix}_`) ? toUUID(fromString(text, prefix)) : text);
  };
}

/** A copy of a field for an input type of its own. */
const copied = (field: GraphQLInputField): GraphQLInputFieldConfig => ({
  type: memberType(field),
  description: field.description,
  defaultValue: field.defaultValue,
  extensions: field.extensions,
});

/** The argument whose members become those of `input`: the declared `input`, or the fields of the one record to write. */
function spreadOf(args: readonly GraphQLArgument[]): GraphQLArgument | undefined {
  const spread = args.find(({ name }) => name === INPUT) ?? args.find(({ name }) => name === 'data');
  return spread && isInputObjectType(getNullableType(spread.type)) ? spread : undefined;
}

/** Makes the argument `input` of a mutation, and keeps how it is taken apart. */
export class InputArgument {
  readonly #arguments: DeclaredArgument[];
  readonly #spread: GraphQLArgument | undefined;
  readonly #members: ReadonlyMap<string, DeclaredArgument>;
  readonly #required: DeclaredArgument[];
  readonly #coercer: Coercer;
  /** The argument of the schema. */
  readonly argument: GraphQLArgument;
  /** The arguments that the resolver declares. */
  readonly declared: readonly GraphQLArgument[];

  constructor(field: MutationField) {
    this.declared = field.args;
    this.#spread = spreadOf(field.args);
    const payload = getNamedType(field.type);
    const payloadNames = new Set(isObjectType(payload) ? Object.keys(payload.getFields()) : []);
    const ownType = this.#spread && (getNullableType(this.#spread.type) as GraphQLInputObjectType);
    const own = Object.values(ownType?.getFields() ?? {}).filter(({ extensions }) => !extensions.graphqlOnly && !extensions.isOwnId);
    const taken = new Set(own.map(({ name }) => name));
    this.#arguments = field.args.map((argument): DeclaredArgument => {
      if (argument === this.#spread) return { argument, member: undefined, convert: undefined };
      const member = memberName(argument, payloadNames, taken);
      taken.add(member);
      return { argument, member, convert: uuidOf(argument) };
    });
    this.#members = new Map(this.#arguments.flatMap((found) => (found.member === undefined ? [] : [[found.member, found] as const])));
    this.#required = this.#arguments.filter(({ argument, member }) => member !== undefined && isRequiredArgument(argument));
    const keeps = this.#spread?.name === INPUT;
    this.argument = {
      name: INPUT,
      description: keeps ? this.#spread!.description : 'Input.',
      type: new GraphQLNonNull(keeps ? this.#extended(ownType!) : this.#made(field.name, ownType)),
      defaultValue: undefined,
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
    };
    this.#coercer = coercerFor(this.argument.type, namingStrategies.graphql);
  }

  /** Adds the members to the declared input type. */
  #extended(type: GraphQLInputObjectType): GraphQLInputObjectType {
    const fields = type.getFields();
    for (const [name, { argument }] of this.#members) fields[name] ??= this.#field(name, argument);
    fields[IDEMPOTENCY_KEY] ??= idempotencyField;
    return type;
  }

  #made(mutation: string, spread: GraphQLInputObjectType | undefined): GraphQLInputObjectType {
    const fields = Object.entries(spread?.getFields() ?? {}).filter(([, { extensions }]) => !extensions.isOwnId);
    const own = fields.map(([name, field]) => [name, copied(field)] as const);
    const members = [...this.#members].map(([name, { argument }]) => {
      const { type, description, defaultValue, extensions } = this.#field(name, argument);
      return [name, { type, description, defaultValue, extensions }] as const;
    });
    const { type, description, extensions } = idempotencyField;
    return new GraphQLInputObjectType({
      name: `${capitalised(mutation)}Input`,
      description: `Input of \`${mutation}\`.`,
      fields: Object.fromEntries([...members, ...own, [IDEMPOTENCY_KEY, { type, description, extensions }]]),
      extensions: { ...(spread?.extensions.trims ? { trims: true } : {}) },
    });
  }

  #field(name: string, argument: GraphQLArgument): GraphQLInputField {
    return {
      name,
      description: argument.description,
      type: memberType(argument),
      defaultValue: argument.defaultValue,
      deprecationReason: undefined,
      extensions: { ...argument.extensions, graphqlOnly: true },
      astNode: undefined,
    };
  }

  /** The declared arguments of a call. `known` are the fields that have issues as variables. */
  read(sent: unknown, context: RequestContext, known: ReadonlySet<string>): CallArguments {
    const issues = new Gathering();
    if (sent instanceof DeclaredArguments) return { args: this.#withDefaults(sent.args), issues, isIncomplete: false, hasMembers: false };
    let input = sent as Record<string, unknown> | null | undefined;
    if (input != null && !context.coerced.has(input)) {
      input = this.#coercer(input, INPUT, issues) as Record<string, unknown> | undefined;
      if (input) context.coerced.add(input);
    }
    const args: Record<string, unknown> = {};
    for (const { argument, member, convert } of this.#arguments) {
      if (member === undefined) continue;
      let value = input?.[member];
      if (value != null) {
        if (convert) value = converted(convert, value, member, issues);
        if (typeof value === 'object' && value !== null) context.coerced.add(value);
      }
      args[argument.name] = value ?? argument.defaultValue ?? value;
    }
    if (this.#spread && input != null) args[this.#spread.name] = this.#rest(input, context);
    let isIncomplete = input == null;
    if (input == null && known.size === 0 && issues.count === 0) issues.add(INPUT, 'REQUIRED', `${INPUT} is required`);
    for (const { argument, member } of this.#required) {
      const field = `${INPUT}.${member}`;
      // A value that was rejected is not missing.
      if (input == null || args[argument.name] != null || known.has(field) || issues.issues.some((issue) => issue.field === field))
        continue;
      isIncomplete = true;
      issues.add(field, 'REQUIRED', `${field} is required`);
    }
    return { args, issues, isIncomplete, hasMembers: true };
  }

  #withDefaults(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const args = { ...given };
    for (const { name, defaultValue } of this.declared) if (defaultValue !== undefined) args[name] ??= defaultValue;
    return args;
  }

  /** The members of `input` that belong to the spread argument. The object itself where it has no others. */
  #rest(input: Record<string, unknown>, context: RequestContext): Record<string, unknown> {
    let others = 0;
    for (const name in input) if (this.#members.has(name) || name === IDEMPOTENCY_KEY) others++;
    if (others === 0) return input;
    const rest: Record<string, unknown> = {};
    for (const name in input) if (!this.#members.has(name) && name !== IDEMPOTENCY_KEY) rest[name] = input[name];
    context.coerced.add(rest);
    return rest;
  }

  /** The place in `input` of a declared argument, or of a part of it, as segments. */
  place(named: string): (string | number)[] {
    const segments = segmentsOf(named);
    const [head, ...tail] = segments;
    const found = this.#arguments.find(({ argument }) => argument.name === head);
    if (!found) return segments;
    return found.member === undefined ? [INPUT, ...tail] : [INPUT, found.member, ...tail];
  }
}

const idempotencyField: GraphQLInputField = {
  name: IDEMPOTENCY_KEY,
  type: GraphQLString,
  description: 'Idempotency key.',
  defaultValue: undefined,
  deprecationReason: undefined,
  extensions: { graphqlOnly: true },
  astNode: undefined,
};

function converted(convert: (value: unknown) => unknown, value: unknown, member: string, issues: Gathering): unknown {
  try {
    return convert(value);
  } catch {
    const field = `${INPUT}.${member}`;
    issues.add(field, 'INVALID_FORMAT', `${field} must be the id of the record`);
    return undefined;
  }
}

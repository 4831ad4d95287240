// The one argument `input` of a mutation, taken apart for its resolver.
import {
  assertInputObjectType,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLSchema,
  getNullableType,
  isRequiredArgument,
} from 'graphql';
import { fromString, toUUID } from 'typeid-js';
import type { RequestContext } from '../../access/context.ts';
import { Gathering } from '../../records/checked.ts';
import { allModels } from '../../records/metadata.ts';
import { UUID } from '../../records/scalars.ts';
import { segmentsOf } from '../input/argument-path.ts';
import { type Coercer, coercerFor, namingStrategies } from '../input/input-coercion.ts';
import { declaredMutation, IDEMPOTENCY_KEY, INPUT } from './declare.ts';

export type MutationField = GraphQLField<unknown, RequestContext>;

/** A declared argument, and the member of `input` that takes its place. */
interface GivenArgument {
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

/** How the id in a member becomes the UUID that a resolver gets: the global id of the record is read too. */
function uuidOf(name: string): (value: unknown) => unknown {
  const record = name[0]!.toUpperCase() + name.slice(1, -2);
  const prefix = allModels().find((model) => model.name === record)?.prefix;
  return (value) => {
    const text = String(value);
    return UUID.parseValue(prefix && text.startsWith(`${prefix}_`) ? toUUID(fromString(text, prefix)) : text);
  };
}

/** The argument `input` of a mutation, and how it is taken apart. */
export class InputArgument {
  readonly #arguments: GivenArgument[];
  readonly #spread: GraphQLArgument | undefined;
  readonly #members: ReadonlySet<string | undefined>;
  readonly #required: GivenArgument[];
  readonly #coercer: Coercer;
  /** The argument of the schema. */
  readonly argument: GraphQLArgument;
  /** The arguments that the resolver declares. */
  readonly declared: readonly GraphQLArgument[];

  constructor(schema: GraphQLSchema, { name, args }: MutationField) {
    const { copied, arguments: declared } = declaredMutation(name);
    this.argument = args[0]!;
    const input = assertInputObjectType(getNullableType(this.argument.type));
    this.#arguments = declared.map(({ name, description, getType, typeOptions: { nullable, defaultValue }, member }): GivenArgument => {
      const field = member === undefined ? undefined : input.getFields()[member]!;
      const isUuid = getType() === UUID;
      const named = isUuid ? UUID : copied ? assertInputObjectType(schema.getType(copied.name)) : input;
      const type = field && !isUuid ? field.type : nullable ? named : new GraphQLNonNull(named);
      const { graphqlOnly: _, ...extensions } = field?.extensions ?? {};
      const argument = { name, description, type, defaultValue, deprecationReason: undefined, extensions, astNode: undefined };
      return { argument, member, convert: isUuid ? uuidOf(name) : undefined };
    });
    this.declared = this.#arguments.map(({ argument }) => argument);
    this.#spread = this.#arguments.find(({ member }) => member === undefined)?.argument;
    this.#members = new Set([...this.#arguments.map(({ member }) => member), IDEMPOTENCY_KEY]);
    this.#required = this.#arguments.filter(({ argument, member }) => member !== undefined && isRequiredArgument(argument));
    this.#coercer = coercerFor(this.argument.type, namingStrategies.graphql);
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
    for (const name in input) if (this.#members.has(name)) others++;
    if (others === 0) return input;
    const rest: Record<string, unknown> = {};
    for (const name in input) if (!this.#members.has(name)) rest[name] = input[name];
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

function converted(convert: (value: unknown) => unknown, value: unknown, member: string, issues: Gathering): unknown {
  try {
    return convert(value);
  } catch {
    const field = `${INPUT}.${member}`;
    issues.add(field, 'INVALID_FORMAT', `${field} must be the id of the record`);
    return undefined;
  }
}

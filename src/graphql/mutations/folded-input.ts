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
import type { InputIssue } from '../../records/input-issue.ts';
import { allModels } from '../../records/metadata.ts';
import { PositiveInt, UUID } from '../../records/scalars.ts';
import { segmentsOf } from '../input/argument-path.ts';
import { type Coercer, coercerFor, namingStrategies } from '../input/input-coercion.ts';

export type MutationField = GraphQLField<unknown, RequestContext>;

/** A declared argument, and the member of `input` that takes its place. */
interface Folded {
  argument: GraphQLArgument;
  /** Name of the member; undefined for the argument whose members are those of `input`. */
  member: string | undefined;
  /** Turns the value of the member into that of the argument, where they differ. */
  convert: ((value: unknown) => unknown) | undefined;
}

/** The declared arguments of a call, and where the caller gave them. */
export interface Unfolded {
  args: Record<string, unknown>;
  /** What is wrong with `input` itself. */
  issues: InputIssue[];
  /** Whether a required argument is missing, so that the resolver cannot run at all. */
  isIncomplete: boolean;
  /** The members of `input` that the caller gave in place of arguments. */
  given: ReadonlySet<string>;
}

const INPUT = 'input';
const IDEMPOTENCY_KEY = 'idempotencyKey';
const NOTHING: ReadonlySet<string> = new Set();
/** A payload may also have the name of a plain argument: `removeCompany(id, name)` returns `name`. */
const IDS = new Set(['ID', 'PositiveInt', 'UUID']);
const NO_ISSUES: InputIssue[] = [];

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
function memberType({ type, extensions }: GraphQLArgument | GraphQLInputField): GraphQLInputType {
  const named = getNullableType(type);
  const isId = (named === PositiveInt && extensions.names !== undefined) || named === UUID;
  if (!isId) return type;
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLID) : GraphQLID;
}

/** How the id in a member becomes the UUID that a resolver gets: the global id of the record is read too. */
function uuidOf(argument: GraphQLArgument): Folded['convert'] {
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
export class FoldedInput {
  readonly #declared: readonly GraphQLArgument[];
  readonly #folded: Folded[];
  readonly #added: readonly string[];
  readonly #spread: GraphQLArgument | undefined;
  readonly #members: ReadonlyMap<string, Folded>;
  readonly #required: Folded[];
  readonly #coercer: Coercer;
  /** The argument of the schema. */
  readonly argument: GraphQLArgument;
  /** The arguments that clients sent before, deprecated; none for a mutation that begins with this convention. */
  readonly former: GraphQLArgument[];

  constructor(field: MutationField) {
    const { added = [], isNew = false } = field.extensions.folds ?? {};
    this.#declared = field.args;
    this.#added = added;
    this.#spread = spreadOf(field.args);
    const payload = getNamedType(field.type);
    const payloadNames = new Set(isObjectType(payload) ? Object.keys(payload.getFields()) : []);
    const ownType = this.#spread && (getNullableType(this.#spread.type) as GraphQLInputObjectType);
    const own = Object.values(ownType?.getFields() ?? {}).filter(({ extensions }) => !extensions.graphqlOnly);
    const taken = new Set(own.map(({ name }) => name));
    this.#folded = field.args.map((argument): Folded => {
      if (argument === this.#spread) return { argument, member: undefined, convert: undefined };
      const member = memberName(argument, payloadNames, taken);
      taken.add(member);
      return { argument, member, convert: uuidOf(argument) };
    });
    this.#members = new Map(this.#folded.flatMap((folded) => (folded.member === undefined ? [] : [[folded.member, folded] as const])));
    this.#required = this.#folded.filter(({ argument, member }) => member !== undefined && isRequiredArgument(argument));
    const hasFormer = !isNew && field.args.some((argument) => argument !== this.#spread || argument.name !== INPUT);
    const keeps = this.#spread?.name === INPUT;
    const type = keeps ? this.#extended(ownType!) : this.#made(field.name, ownType);
    this.argument = keeps
      ? this.#spread!
      : {
          name: INPUT,
          description: hasFormer ? 'What is asked; it takes the place of the deprecated arguments.' : 'What is asked.',
          type: hasFormer ? type : new GraphQLNonNull(type),
          defaultValue: undefined,
          deprecationReason: undefined,
          extensions: { isFolded: true },
          astNode: undefined,
        };
    this.former = hasFormer
      ? this.#folded.flatMap(({ argument, member }) => {
          if (argument === this.argument || added.includes(argument.name)) return [];
          const instead = member === undefined ? 'the members of `input`' : `\`input.${member}\``;
          return [
            {
              ...argument,
              type: getNullableType(argument.type),
              defaultValue: undefined,
              deprecationReason: `Use ${instead}; this argument goes with the next release.`,
              extensions: { ...argument.extensions, declared: argument },
            },
          ];
        })
      : [];
    this.#coercer = coercerFor(this.argument.type, namingStrategies.graphql);
  }

  /** Adds the members to the declared input type. They are optional there, because documents of before do not give them. */
  #extended(type: GraphQLInputObjectType): GraphQLInputObjectType {
    const fields = type.getFields();
    for (const [name, { argument }] of this.#members) fields[name] ??= this.#field(name, argument, true);
    fields[IDEMPOTENCY_KEY] ??= idempotencyField;
    return type;
  }

  #made(mutation: string, spread: GraphQLInputObjectType | undefined): GraphQLInputObjectType {
    const own = Object.entries(spread?.getFields() ?? {}).map(([name, field]) => [name, copied(field)] as const);
    const members = [...this.#members].map(([name, { argument }]) => {
      const { type, description, defaultValue, extensions } = this.#field(name, argument, false);
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

  #field(name: string, argument: GraphQLArgument, isOptional: boolean): GraphQLInputField {
    const type = memberType(argument);
    const isNeeded = isOptional && isRequiredArgument(argument);
    return {
      name,
      description: isNeeded ? `${argument.description} Required, unless the deprecated argument is given.` : argument.description,
      type: isOptional ? getNullableType(type) : type,
      defaultValue: isOptional ? undefined : argument.defaultValue,
      deprecationReason: undefined,
      extensions: { ...(argument.extensions.names ? { names: argument.extensions.names } : {}), graphqlOnly: true, isNeeded },
      astNode: undefined,
    };
  }

  /** The declared arguments of a call that gives `input`, deprecated arguments, or both. `known` are the issues of its variables. */
  unfold(sent: Record<string, unknown>, context: RequestContext, known: readonly InputIssue[]): Unfolded {
    const issues: InputIssue[] = [];
    let input = sent[INPUT] as Record<string, unknown> | null | undefined;
    if (input != null && !context.coerced.has(input)) {
      input = this.#coercer(input, INPUT, issues) as Record<string, unknown> | undefined;
      if (input) context.coerced.add(input);
    }
    const args: Record<string, unknown> = {};
    let given: Set<string> | undefined;
    let isIncomplete = false;
    for (const { argument, member, convert } of this.#folded) {
      const { name } = argument;
      if (member === undefined) continue;
      const former = sent[name];
      // What never stood beside `input` has no value without it: the resolver tells by that which form a document has.
      if (input == null && this.#added.includes(name)) continue;
      let value = input?.[member];
      if (value != null) {
        given ??= new Set();
        given.add(name);
        if (former != null) issues.push(twice(member, name));
        if (convert) value = converted(convert, value, member, issues);
        if (typeof value === 'object' && value !== null) context.coerced.add(value);
      } else value = former;
      args[name] = value ?? argument.defaultValue ?? value;
    }
    for (const { argument, member } of this.#required) {
      if (args[argument.name] != null) continue;
      const field = input == null ? argument.name : `${INPUT}.${member}`;
      // A value that was refused is not missing.
      if (known.some((issue) => issue.field === field) || issues.some((issue) => issue.field === field)) continue;
      isIncomplete = true;
      issues.push({ field, code: 'REQUIRED', message: `${field} is required` });
    }
    const spread = this.#spread;
    if (spread) {
      const own = input == null ? sent[spread.name] : this.#rest(input, context);
      if (input != null && spread.name !== INPUT) {
        given ??= new Set();
        given.add(spread.name);
        if (sent[spread.name] != null) issues.push(twice(undefined, spread.name));
      }
      if (own !== undefined) args[spread.name] = own;
      else if (isRequiredArgument(spread)) {
        isIncomplete = true;
        issues.push({ field: INPUT, code: 'REQUIRED', message: `${INPUT} is required` });
      }
    }
    return { args, issues: issues.length === 0 ? NO_ISSUES : issues, isIncomplete, given: given ?? NOTHING };
  }

  /** The members of `input` that belong to the spread argument. The object itself where it has no others, as in documents of before. */
  #rest(input: Record<string, unknown>, context: RequestContext): Record<string, unknown> {
    let others = 0;
    for (const name in input) if (this.#members.has(name) || name === IDEMPOTENCY_KEY) others++;
    if (others === 0) return input;
    const rest: Record<string, unknown> = {};
    for (const name in input) if (!this.#members.has(name) && name !== IDEMPOTENCY_KEY) rest[name] = input[name];
    context.coerced.add(rest);
    return rest;
  }

  /** The place of a declared argument, or of a part of it, in what the caller sent: segments that begin with `input` or a former argument. */
  place(named: string, given: ReadonlySet<string>): (string | number)[] {
    const segments = segmentsOf(named);
    const [head, ...tail] = segments;
    const folded = this.#folded.find(({ argument }) => argument.name === head);
    if (!folded || !given.has(folded.argument.name)) return segments;
    return folded.member === undefined ? [INPUT, ...tail] : [INPUT, folded.member, ...tail];
  }

  /** The arguments that the resolver declares. */
  get declared(): readonly GraphQLArgument[] {
    return this.#declared;
  }
}

const idempotencyField: GraphQLInputField = {
  name: IDEMPOTENCY_KEY,
  type: GraphQLString,
  description:
    'A text of 1 to 128 printable ASCII characters: a request repeated with it within 24 hours gets the first answer again, as with the header `Idempotency-Key`.',
  defaultValue: undefined,
  deprecationReason: undefined,
  extensions: { graphqlOnly: true },
  astNode: undefined,
};

function twice(member: string | undefined, name: string): InputIssue {
  const field = member === undefined ? INPUT : `${INPUT}.${member}`;
  return { field, code: 'MISMATCH', message: `${field} and the deprecated argument ${name} are both given` };
}

function converted(convert: (value: unknown) => unknown, value: unknown, member: string, issues: InputIssue[]): unknown {
  try {
    return convert(value);
  } catch {
    const field = `${INPUT}.${member}`;
    issues.push({ field, code: 'INVALID_FORMAT', message: `${field} must be the id of the record` });
    return undefined;
  }
}

// The convention of all mutations, as declarations: before the schema is built, the arguments of each become one argument `input`, and its payload may
// report errors. The arguments that its resolver declares stay known here, for calls and for REST routes.
import type { GraphQLField, GraphQLInputField } from 'graphql';
import { Arg, Extensions, getMetadataStorage, ID, InputType } from 'type-graphql';
import { allModels, type RecordClass } from '../../records/metadata.ts';
import { UUID } from '../../records/scalars.ts';
import { MutationErrorType } from './mutation-error.ts';

type Storage = ReturnType<typeof getMetadataStorage>;
type Mutation = Storage['mutations'][number];
type FieldMetadata = Storage['fields'][number];
type Parameter = Storage['params'][number];
type Argument = Pick<Extract<Parameter, { kind: 'arg' }>, 'name' | 'description' | 'getType' | 'typeOptions'>;
type Target = FieldMetadata['target'];

/** An argument that a resolver declares. */
export interface DeclaredArgument extends Argument {
  /** The member of `input` that takes its place; undefined for the argument whose members are those of `input`. */
  member: string | undefined;
}

/** A mutation as its resolver declares it. */
export interface DeclaredMutation {
  arguments: readonly DeclaredArgument[];
  parameters: readonly Parameter[];
  input: RecordClass;
  /** The input type whose members `input` has copies of: no field of GraphQL has it, and REST goes by it. */
  copied: RecordClass | undefined;
  /** The argument that names the record whose version `ifMatch` names, where the resolver declares no `ifMatch`. */
  versioned: string | undefined;
}

export const INPUT = 'input';
export const IDEMPOTENCY_KEY = 'idempotencyKey';
export const IF_MATCH = 'ifMatch';
export const ETAG = 'etag';

const declared = new Map<string, DeclaredMutation>();

export function declaredMutation(name: string): DeclaredMutation {
  const mutation = declared.get(name);
  if (!mutation) throw new Error(`${name} is not declared`);
  return mutation;
}

/** Declares the input and the payload of each mutation once, before the schema is built. Returns the input types that no field of GraphQL has. */
export function declareMutations(): RecordClass[] {
  const storage = getMetadataStorage();
  const undeclared = storage.mutations.filter(({ schemaName }) => !declared.has(schemaName));
  const declarations = new Declarations(storage);
  for (const mutation of undeclared) declared.set(mutation.schemaName, declarations.declare(mutation));
  storage.params = storage.params.filter((parameter) => !declarations.replaced.has(parameter));
  return [...declared.values()].flatMap(({ copied }) => copied ?? []);
}

/** Allows null in the place of a value or a whole list. */
export function allowNull(options: FieldMetadata['typeOptions']): void {
  options.nullable = options.nullable === 'items' || options.nullable === 'itemsAndList' ? 'itemsAndList' : true;
}

const argumentsOf = (parameter: Parameter): Argument[] =>
  parameter.kind === 'arg' ? [parameter] : parameter.kind === 'custom' && parameter.options.arg ? [parameter.options.arg] : [];

/** Whether an argument names the record that the payload with these members returns. The payload may also have the name of a plain argument. */
const isOwnId = ({ name, getType }: Argument, payload: ReadonlyMap<string, unknown>): boolean =>
  name === 'id' ||
  name === 'ledgerId' ||
  (payload.has(name) && (getType() === ID || getType() === UUID)) ||
  (name.endsWith('Id') && payload.has(name.slice(0, -2)));

const namedIn = (args: readonly Argument[], name: string): Argument | undefined => args.find((argument) => argument.name === name);

const optionalText = (name: string, description: string): Argument => ({
  name,
  description,
  getType: () => String,
  typeOptions: { nullable: true },
});

/** What type-graphql knows of fields and arguments, by their class. */
class Declarations {
  readonly replaced = new Set<Parameter>();
  readonly #storage: Storage;
  readonly #fields: Map<Target, FieldMetadata[]>;
  readonly #extensions: Map<Target, Storage['fieldExtensions']>;
  readonly #parameters: Map<Target, Parameter[]>;
  readonly #inputs: ReadonlySet<unknown>;
  readonly #versioned = new Set<unknown>(allModels().flatMap((model) => (model.derived.has(ETAG) ? [model.class] : [])));

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#fields = Map.groupBy(storage.fields, ({ target }) => target);
    this.#extensions = Map.groupBy(storage.fieldExtensions, ({ target }) => target);
    this.#parameters = Map.groupBy(storage.params, ({ target }) => target);
    this.#inputs = new Set(storage.inputTypes.map(({ target }) => target));
  }

  declare(mutation: Mutation): DeclaredMutation {
    const { target, methodName, schemaName, getReturnType } = mutation;
    const parameters = (this.#parameters.get(target) ?? []).filter((parameter) => parameter.methodName === methodName);
    const args = parameters.flatMap(argumentsOf);
    const payload = new Map(this.#fieldsOf(getReturnType() as Target).map((field) => [field.name, field]));
    if (payload.size === 0) throw new Error(`${schemaName} has no payload`);
    const takesVersion = !namedIn(args, IF_MATCH) && [...payload.values()].some(({ getType }) => this.#versioned.has(getType()));
    const versioned = takesVersion ? args.find((argument) => isOwnId(argument, payload))?.name : undefined;
    if (versioned !== undefined) args.push(optionalText(IF_MATCH, 'Required `etag` of the record.'));

    const input = this.#declareInput(mutation, args, payload);
    for (const parameter of parameters) if (argumentsOf(parameter).length > 0) this.replaced.add(parameter);
    Arg(INPUT, () => input.input, { description: namedIn(args, INPUT)?.description ?? 'Input.' })(target.prototype, methodName, 0);
    this.#addErrors(getReturnType() as Target);
    const extensions = { ...(payload.has('results') ? { sizedBy: ['input.records'] } : {}), ...(versioned ? { takesVersion: true } : {}) };
    this.#storage.collectExtensionsFieldMetadata({ target, fieldName: methodName, extensions });
    return { ...input, parameters, versioned };
  }

  /** Makes the arguments members: those of a declared `input` stay in it, and those of the one record to write are copied. */
  #declareInput(
    { target, methodName, schemaName }: Mutation,
    args: readonly Argument[],
    payload: ReadonlyMap<string, unknown>,
  ): Pick<DeclaredMutation, 'input' | 'copied' | 'arguments'> {
    const whole = namedIn(args, INPUT) ?? namedIn(args, 'data');
    const spread = whole && this.#inputs.has(whole.getType()) && !whole.typeOptions.array ? whole : undefined;
    const given = spread?.getType() as RecordClass | undefined;
    const copied = spread?.name === INPUT ? undefined : given;
    const name = `${schemaName[0]!.toUpperCase()}${schemaName.slice(1)}Input`;
    const input = given && !copied ? given : ({ [name]: class {} }[name] as RecordClass);

    const own = this.#fieldsOf(given ?? input).filter((field) => !this.#extensionsOf(field).isOwnId);
    const taken = new Set(own.filter((field) => !this.#extensionsOf(field).graphqlOnly).map((field) => field.name));
    const { names } = this.#extensionsOf<GraphQLField<unknown, unknown>['extensions']>({ target, name: methodName });
    const members = args.map((argument): DeclaredArgument => {
      if (argument === spread) return { ...argument, member: undefined };
      const isOwn = !taken.has('id') && isOwnId(argument, payload);
      const member = argument.name === 'data' && argument.typeOptions.array ? 'records' : isOwn ? 'id' : argument.name;
      taken.add(member);
      const numbers = names?.[argument.name] ? { names: names[argument.name], isNumber: argument.getType() === ID } : {};
      this.#add(input, member, argument, { ...numbers, graphqlOnly: true });
      return { ...argument, member };
    });
    if (copied) for (const field of own) this.#add(input, field.name, field, this.#extensionsOf(field));
    this.#add(input, IDEMPOTENCY_KEY, optionalText(IDEMPOTENCY_KEY, 'Idempotency key.'), { graphqlOnly: true });
    if (input !== given) InputType(name, { description: `Input of \`${schemaName}\`.` })(input);
    const trims = copied && this.#storage.classExtensions.some((one) => one.target === copied && one.extensions.trims);
    if (trims) Extensions({ trims })(input);
    return { input, copied, arguments: members };
  }

  /** Adds `errors` to a payload and to its results. Its other members become nullable: a rejected call has none of them. */
  #addErrors(payload: Target): void {
    const shown = this.#fieldsOf(payload);
    if (shown.some(({ name }) => name === 'errors')) return;
    for (const { typeOptions } of shown) allowNull(typeOptions);
    const errors = {
      description: 'Rejected input; empty on success.',
      getType: () => MutationErrorType,
      typeOptions: { array: true, arrayDepth: 1 },
    };
    const results = shown.find(({ name }) => name === 'results')?.getType() as Target | undefined;
    // The size is how many a record usually has, for the price.
    if (results && this.#fields.has(results)) this.#add(results, 'errors', errors, { rest: 'never', size: 1 });
    this.#add(payload, 'errors', errors, { rest: 'never' });
  }

  /** The fields of a class, those of the classes that it extends first. */
  #fieldsOf(target: Target): FieldMetadata[] {
    const base: unknown = Object.getPrototypeOf(target);
    return [...(typeof base === 'function' ? this.#fieldsOf(base) : []), ...(this.#fields.get(target) ?? [])];
  }

  #extensionsOf<E = GraphQLInputField['extensions']>({ target, name }: Pick<FieldMetadata, 'target' | 'name'>): E {
    const own = (this.#extensions.get(target) ?? []).filter(({ fieldName }) => fieldName === name).map(({ extensions }) => extensions);
    return (own.length === 1 ? own[0] : Object.assign({}, ...own)) as E;
  }

  /** Adds a field to a class that has none of the name. */
  #add(target: Target, name: string, field: Omit<Argument, 'name'>, extensions: object): void {
    if (this.#fieldsOf(target).some((known) => known.name === name)) return;
    const { description, getType: typeOf, typeOptions } = field;
    const getType = typeOf() === UUID ? () => ID : typeOf;
    const added = {
      target,
      name,
      schemaName: name,
      description,
      getType,
      typeOptions,
      deprecationReason: undefined,
      complexity: undefined,
    };
    this.#storage.collectClassFieldMetadata(added);
    this.#fields.set(target, [...(this.#fields.get(target) ?? []), added]);
    if (Object.keys(extensions).length === 0) return;
    const extended = { target, fieldName: name, extensions };
    this.#storage.collectExtensionsFieldMetadata(extended);
    this.#extensions.set(target, [...(this.#extensions.get(target) ?? []), extended]);
  }
}

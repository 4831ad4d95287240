// Builds the one GraphQL schema from the registry's resolvers, with its guards.
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import type { RequestContext } from '../access/context.ts';
import type { RecordClass } from '../records/metadata.ts';
import { guardField } from './authorization.ts';
import { declareIds, letFieldsFail } from './declarations.ts';
import { showEnumNames, takeFormerLiterals } from './enum-names.ts';
import { passPlainArguments } from './input/plain-arguments.ts';
import { declareListInputs } from './list-inputs.ts';
import { declarePageSizes } from './lists/page-arguments.ts';
import { follow } from './mutations/convention.ts';
import { declaredMutation, declareMutations } from './mutations/declare.ts';
import { InputArgument } from './mutations/input-argument.ts';
import { shownErrors } from './mutations/mutation-error.ts';
import { takeVersion } from './mutations/versions.ts';

/** type-graphql requires a PubSub once there are subscriptions; every subscription here has its own stream instead. */
const noPubSub = {
  publish: () => {},
  subscribe: (topic: string): never => {
    throw new Error(`the subscription ${topic} has no stream of its own`);
  },
};

/**
 * The executable schema. What clients see is declared before it is built; afterwards resolvers alone change. Argument checks belong to the input
 * coercer, so type-graphql's own validation stays off.
 */
export function buildGatewaySchema(resolvers: readonly RecordClass[], orphans: readonly RecordClass[]): GraphQLSchema {
  declareListInputs();
  declarePageSizes();
  declareIds();
  letFieldsFail();
  const restInputs = declareMutations();
  indexExtensions();
  const schema = buildSchemaSync({
    resolvers: resolvers as NonEmptyArray<RecordClass>,
    orphanedTypes: [...orphans, ...restInputs],
    validate: false,
    // The check runs the introspection query, 0.1 s of every start; Apollo Server validates the schema too.
    skipCheck: true,
    pubSub: noPubSub,
  });
  passPlainArguments((mutation) => declaredMutation(mutation).parameters);
  makeExecutable(schema);
  return schema;
}

/** Completes the resolvers of a schema in place. */
function makeExecutable(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    // type-graphql makes `resolveType` asynchronous, and graphql-jit would read the promise as a type without a name.
    if (isAbstractType(type)) type.resolveType = (value: { __typename?: string }) => value.__typename;
    if (isEnumType(type)) takeFormerLiterals(type);
    // type-graphql has no word for an object of exactly one member.
    if (isInputObjectType(type)) type.isOneOf = type.extensions.isOneOf === true;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      showEnumNames(field);
      if (getNamedType(field.type).name === 'MutationError') field.resolve = shownErrors;
      if (type === roots[1]) followConvention(schema, field);
      else guardField(field, field.args, roots.includes(type));
    }
  }
}

/** Guards the resolver of a mutation, and has it follow the convention. */
function followConvention(schema: GraphQLSchema, field: GraphQLField<unknown, RequestContext>): void {
  const input = new InputArgument(schema, field);
  const { versioned } = declaredMutation(field.name);
  field.extensions = { ...field.extensions, inputArgument: input };
  if (versioned !== undefined) takeVersion(field, input.declared.find(({ name }) => name === versioned)!);
  guardField(field, input.declared, true);
  follow(field, input);
}

/** Extensions of a class, or of a field of it, as type-graphql keeps them. */
interface Extended {
  target: object;
  fieldName?: string;
  extensions: object;
}

interface Storage {
  classExtensions: Extended[];
  fieldExtensions: Extended[];
  findExtensions(target: object, fieldName?: string): object;
}

/**
 * Lets type-graphql find extensions by the name of their field and their class. It looks through all of them for each of some thousand fields, a third
 * of the CPU of a start. Each build takes a copy of the storage, which has the methods of the prototype alone.
 */
function indexExtensions(): void {
  const indexes = new WeakMap<Storage, Map<string | undefined, Map<object, Extended[]>>>();
  const indexOf = (storage: Storage): Map<string | undefined, Map<object, Extended[]>> => {
    const byName = Map.groupBy([...storage.classExtensions, ...storage.fieldExtensions], ({ fieldName }) => fieldName);
    return new Map([...byName].map(([name, own]) => [name, Map.groupBy(own, ({ target }) => target)]));
  };
  const prototype: Storage = Object.getPrototypeOf(getMetadataStorage());
  prototype.findExtensions = function (target, fieldName) {
    let index = indexes.get(this);
    if (!index) {
      // The build has reversed their order: those of a class come before those of the classes that it extends.
      index = indexOf(this);
      indexes.set(this, index);
    }
    const byClass = index.get(fieldName);
    const found: object[] = [];
    for (let at: object | null = target; at && byClass; at = Object.getPrototypeOf(at))
      for (const { extensions } of byClass.get(at) ?? []) found.push(extensions);
    return Object.assign({}, ...found);
  };
}

/**
 * The schema as text, as `schema/schema.graphql` holds it. Each description is on one line, in plain quotes where it contains none, and members
 * follow each other without blank lines. This is the form of the GraphQL specification, and 80 kB less than `printSchema` writes.
 */
export function schemaText(schema: GraphQLSchema): string {
  const lines = printSchema(lexicographicSortSchema(schema)).replaceAll('\n\n ', '\n ').split('\n');
  const written: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const indent = line.slice(0, line.length - line.trimStart().length);
    const isOpen = line.trim() === '"""';
    const text = isOpen ? lines[at + 1]!.trim() : line.trim().match(/^"""(.+)"""$/)?.[1];
    const isOneLine = text !== undefined && (!isOpen || lines[at + 2]!.trim() === '"""');
    if (isOneLine && !/["\\]/.test(text)) {
      written.push(`${indent}"${text}"`);
      if (isOpen) at += 2;
      continue;
    }
    written.push(line);
    if (isOpen)
      do written.push(lines[++at]!);
      while (lines[at]!.trim() !== '"""');
  }
  return `${written.join('\n')}\n`;
}

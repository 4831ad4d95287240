// Builds the one GraphQL schema from the registry's resolvers, with its guards.
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import type { RecordClass } from '../records/metadata.ts';
import { guardSchema } from './authorization.ts';
import { bulkForms } from './bulk-forms.ts';
import { nameEnumValues } from './enum-names.ts';
import { finishInputs } from './input/finish-inputs.ts';
import { passPlainArguments } from './input/plain-arguments.ts';
import { addJsonFields } from './json-lists.ts';
import { declareListInputs } from './list-inputs.ts';
import { declarePageSizes } from './lists/page-arguments.ts';
import { withMutationConvention } from './mutations/convention.ts';
import { takeVersions } from './mutations/versions.ts';

/** type-graphql requires a PubSub once there are subscriptions; every subscription here has its own stream instead. */
const noPubSub = {
  publish: () => {},
  subscribe: (topic: string): never => {
    throw new Error(`the subscription ${topic} has no stream of its own`);
  },
};

/** The executable schema. Argument checks belong to the input coercer, so type-graphql's own validation stays off. */
export function buildGatewaySchema(resolvers: readonly RecordClass[], orphans: readonly RecordClass[]): GraphQLSchema {
  declareListInputs();
  declarePageSizes();
  indexExtensions();
  const schema = buildSchemaSync({
    resolvers: resolvers as NonEmptyArray<RecordClass>,
    orphanedTypes: [...orphans],
    validate: false,
    // The check runs the introspection query, 0.1 s of every start; Apollo Server validates the schema too.
    skipCheck: true,
    pubSub: noPubSub,
  });
  passPlainArguments();
  // type-graphql makes `resolveType` asynchronous, and graphql-jit would read the promise as a type without a name.
  for (const type of Object.values(schema.getTypeMap()))
    if (isAbstractType(type)) type.resolveType = (value: { __typename?: string }) => value.__typename;
  letFieldsFail(schema);
  finishInputs(schema);
  nameEnumValues(schema);
  takeVersions(schema);
  const guarded = withMutationConvention(guardSchema(schema), bulkForms);
  addJsonFields(guarded);
  return guarded;
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
 * Makes the fields of queries and mutations nullable, and lists and summaries everywhere, whatever their resolvers declare. An error then makes only
 * its own field null, and the response keeps the results of the others. A subscription has one root field, so it needs no such change.
 */
function letFieldsFail(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type === schema.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields()))
      if (roots.includes(type) || failsAlone(getNamedType(field.type))) field.type = getNullableType(field.type);
  }
}

/** Whether a type is a page of a list or a summary: a caller's arguments, or the stored records, may make it an error. */
const failsAlone = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && (('pageInfo' in type.getFields() && 'nodes' in type.getFields()) || 'groups' in type.getFields());

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

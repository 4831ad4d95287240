// What differs between two versions of the contracts, by schema coordinates and operations, without descriptions.
import { diff } from '@graphql-inspector/core';
import type { Contracts } from './contracts.ts';
import { type Document, operationsOf, parametersOf, resolve } from './openapi-diff.ts';

/** Members by the type, field or operation that has them; a whole one has no members. */
export type Members = Record<string, string[]>;

/** The changes of one kind of contract; `changed` has sentences. */
export interface Changes {
  added: Members;
  changed: string[];
  deprecated: Members;
  removed: Members;
}

/** The changes of GraphQL and of REST. */
export interface ContractChanges {
  graphql: Changes;
  rest: Changes;
}

type Kind = Exclude<keyof Changes, 'changed'>;

class Collected implements Changes {
  readonly added: Members = {};
  readonly changed: string[] = [];
  readonly deprecated: Members = {};
  readonly removed: Members = {};

  note(kind: Kind, name: string, member?: string): void {
    const members = this[kind][name] ?? [];
    this[kind][name] = member && !members.includes(member) ? [...members, member] : members;
  }
}

/** All changes from one version of the contracts to another. */
export async function changesOf(before: Contracts, after: Contracts): Promise<ContractChanges> {
  const rest = new Collected();
  for (const [name, document] of after.documents) noteRestChanges(rest, before.documents.get(name), document);
  return { graphql: await graphqlChanges(before, after), rest };
}

async function graphqlChanges(before: Contracts, after: Contracts): Promise<Changes> {
  const found = (await diff(before.schema, after.schema)).filter(({ type }) => !/DESCRIPTION|DIRECTIVE_USAGE/.test(type));
  const whole = new Set(found.flatMap(({ type, path }) => (/^(TYPE|FIELD)_(ADDED|REMOVED)$/.test(type) ? [path] : [])));
  const changes = new Collected();
  for (const { type, path = '', message } of found) {
    const [name = '', member, argument] = path.split('.');
    // A type comes and goes with its members, and a field with its arguments.
    if ((member && whole.has(name)) || (argument && whole.has(`${name}.${member}`))) continue;
    const kind = /(?<!DEPRECATION)_(ADDED|REMOVED)$|DEPRECATION_(ADDED)$/.exec(type);
    if (kind)
      changes.note(kind[2] ? 'deprecated' : kind[1] === 'ADDED' ? 'added' : 'removed', name, argument ? `${member}(${argument}:)` : member);
    else changes.changed.push(message);
  }
  return changes;
}

interface Named {
  isDeprecated: boolean;
  members: string[];
}

/** The operations of a document with their parameters, and its schemas with their members. */
function namesOf(document: Document): { operations: Map<string, Named>; schemas: Map<string, Named> } {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(operationsOf(item)).map(([method, operation]) => {
      const members = parametersOf(document, operation).map(({ name }) => name);
      return [`${method.toUpperCase()} ${path}`, { isDeprecated: operation.deprecated === true, members }] as const;
    }),
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const { properties } = resolve(document, schema);
    return [name, { isDeprecated: false, members: Object.keys(properties ?? {}) }] as const;
  });
  return { operations: new Map(operations), schemas: new Map(schemas) };
}

const NOTHING: Document = { paths: {}, components: { schemas: {} } };

function noteRestChanges(changes: Collected, before: Document = NOTHING, after: Document): void {
  const [was, is] = [namesOf(before), namesOf(after)];
  for (const name of was.operations.keys()) if (!is.operations.has(name)) changes.note('removed', name);
  for (const [name, { isDeprecated }] of is.operations) {
    if (!was.operations.has(name)) changes.note('added', name);
    if (isDeprecated && !was.operations.get(name)?.isDeprecated) changes.note('deprecated', name);
  }
  // A new schema comes with the operations that use it, so members are listed only of schemas that were there before.
  for (const [name, { members }] of [...is.operations, ...is.schemas]) {
    const former = (was.operations.get(name) ?? was.schemas.get(name))?.members;
    if (!former) continue;
    for (const member of members) if (!former.includes(member)) changes.note('added', name, member);
    for (const member of former) if (!members.includes(member)) changes.note('removed', name, member);
  }
}

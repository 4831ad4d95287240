// What all declarations of a kind have in common, registered with type-graphql before the schema is built.
import { getMetadataStorage, ID } from 'type-graphql';
import { PositiveInt } from '../records/scalars.ts';
import { allowNull } from './mutations/declare.ts';

/** Clients name records in inputs by `ID`, which is the number or the global id; resolvers get the number. */
export function declareIds(): void {
  const storage = getMetadataStorage();
  const inputs = new Set([...storage.inputTypes, ...storage.argumentTypes].map(({ target }) => target));
  for (const field of storage.fields) {
    if (!inputs.has(field.target) || field.getType() !== PositiveInt) continue;
    field.getType = () => ID;
    storage.collectExtensionsFieldMetadata({ target: field.target, fieldName: field.name, extensions: { isNumber: true } });
  }
}

/**
 * Makes the fields of queries and mutations nullable, and lists and summaries everywhere, whatever their resolvers declare. An error then makes only
 * its own field null, and the response keeps the results of the others. A subscription has one root field, so it needs no such change.
 */
export function letFieldsFail(): void {
  const storage = getMetadataStorage();
  for (const { returnTypeOptions } of [...storage.queries, ...storage.mutations]) allowNull(returnTypeOptions);
  const names = new Map<unknown, Set<string>>();
  for (const { target, name } of storage.fields) names.set(target, (names.get(target) ?? new Set()).add(name));
  // A page of a list or a summary: a caller's arguments, or the stored records, may make it an error.
  const failsAlone = (type: unknown): boolean => {
    const own = names.get(type);
    return own !== undefined && ((own.has('pageInfo') && own.has('nodes')) || own.has('groups'));
  };
  for (const { getType, typeOptions } of [...storage.fields, ...storage.fieldResolvers])
    if (typeOptions && failsAlone(getType?.())) allowNull(typeOptions);
}

// The record types that the model picture shows, by area, from the declarations of the records.
import type { GraphQLSchema } from 'graphql';
import { modelOf } from '../../../src/records/metadata.ts';
import { entities, ledgerRecords } from '../../../src/registry.ts';
import type { PicturedArea, PicturedType } from '../parts/model.ts';

/** Types that nearly every other refers to; their lines would hide the rest. */
const everywhere = new Set(['Company', 'Currency']);

/** The record types of the schema: those of a company's books, and the others. */
export function pictured(schema: GraphQLSchema): PicturedArea[] {
  const ledger = new Set<string>(ledgerRecords.map((record) => modelOf(record).name));
  const types = entities
    .map(modelOf)
    .filter(({ name, scope }) => scope === 'organisation' && schema.getType(name))
    .map(({ name, relations }): PicturedType => {
      const references = [...relations.values()]
        .filter(({ hidden }) => !hidden)
        .map((relation) => ({ ...relation, to: modelOf(relation.target()).name }));
      return { name, references: references.map(({ to, name: label, owned }) => ({ to, label, isOwned: Boolean(owned) })) };
    });
  // A child names its parent too; the line of the parent is enough.
  const owns = (parent: string, child: string): boolean =>
    types.find(({ name }) => name === parent)!.references.some(({ to, isOwned }) => isOwned && to === child);
  const shown = types.map((type) => ({
    ...type,
    references: type.references.filter(
      ({ to, isOwned }) =>
        !(ledger.has(type.name) && everywhere.has(to)) && (isOwned || !types.some(({ name }) => name === to) || !owns(to, type.name)),
    ),
  }));
  return [
    {
      title: 'The books of a company',
      note: 'Every record belongs to a company, and most name a currency.',
      types: shown.filter(({ name }) => ledger.has(name) && !everywhere.has(name)),
    },
    {
      title: 'Entities, products, registrations and what is sent',
      note: 'Everything belongs to the organisation of the key.',
      types: shown.filter(({ name }) => !ledger.has(name)),
    },
  ];
}

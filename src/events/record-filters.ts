// Filters of records by their type, as subscriptions and webhooks take them: the inputs and the meaning are those of the lists.
import type { Filter } from '../database/reader/conditions.ts';
import { type FilterInput, filterField, filterInput, filtersOf, inputOf } from '../graphql/list-inputs.ts';
import { isPlainObject } from '../records/checked.ts';
import type { Model } from '../records/metadata.ts';
import { snakeCase } from '../records/naming.ts';
import { followedModels } from '../records/record-types.ts';

/** The filters of some record types as a caller gave them; null as if absent. */
export type RecordFiltersInput = Readonly<Record<string, FilterInput | null>>;

/** The member of the filters that is about a record type. */
export const filterMember = ({ name }: Model): string => name[0]!.toLowerCase() + name.slice(1);

/** By their names: the order in which modules load is not one to show. */
const byName = (a: Model, b: Model): number => (a.name < b.name ? -1 : 1);

export const RecordFilters = inputOf(
  'RecordFilters',
  'Which records, by type: each member takes the filter of the lists of that type; `{}` for all of its records.',
  () =>
    [...followedModels().values()].sort(byName).map((model) => {
      const filter = filterInput(model.class);
      return filterField(filterMember(model), () => filter, `Which ${model.name} records.`);
    }),
);

/** The conditions for each of the record types that are named. `path` is where errors place the filters. */
export function recordFiltersOf(given: RecordFiltersInput, path = 'filter'): Map<Model, readonly Filter[]> {
  const models = new Map([...followedModels().values()].map((model) => [filterMember(model), model]));
  return new Map(
    Object.entries(given).flatMap(([name, filter]): [Model, Filter[]][] =>
      filter == null ? [] : [[models.get(name)!, filtersOf(models.get(name)!, filter, `${path}.${name}`)]],
    ),
  );
}

/** Filters with the names that REST gives their members and operators. */
export const restFilters = (given: unknown): unknown => {
  if (Array.isArray(given)) return given.map(restFilters);
  if (!isPlainObject(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [snakeCase(name), restFilters(value)]));
};

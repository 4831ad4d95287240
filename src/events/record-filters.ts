// Filters of records by their type, as subscriptions and webhooks take them: the inputs and the meaning are those of the lists.
import type { GraphQLInputObjectType, GraphQLSchema } from 'graphql';
import type { Filter } from '../database/reader/conditions.ts';
import { coercerFor, namingStrategies } from '../graphql/input/input-coercion.ts';
import { type FilterInput, filterField, filterInput, filtersOf, inputOf } from '../graphql/list-inputs.ts';
import { Gathering, isPlainObject } from '../records/checked.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import type { Model } from '../records/metadata.ts';
import { snakeCase } from '../records/naming.ts';
import { followedModels } from '../records/record-types.ts';

/** The filters of some record types as a caller gave them; null as if absent. */
export type RecordFiltersInput = Readonly<Record<string, FilterInput | null>>;

/** The member of the filters that is about a record type. */
export const filterMember = ({ name }: Model): string => name[0]!.toLowerCase() + name.slice(1);

/** By their names: the order in which modules load is not one to show. */
const byName = (a: Model, b: Model): number => (a.name < b.name ? -1 : 1);

const NAME = 'RecordFilters';

export const RecordFilters = inputOf(
  NAME,
  'Which records, by type: each member takes the filter of the lists of that type; `{}` for all of its records; together at most 32,768 characters as JSON.',
  () =>
    [...followedModels().values()].sort(byName).map((model) => {
      const filter = filterInput(model.class);
      return filterField(filterMember(model), () => filter, `Which ${model.name} records.`);
    }),
);

const modelsByMember = (): Map<string, Model> => new Map([...followedModels().values()].map((model) => [filterMember(model), model]));

/** Most characters of filters as JSON: each write of an organisation reads those of all its webhooks, and each change those of its streams. */
const MAX_LENGTH = 32_768;

/** The conditions for each of the record types that are named. `path` is where errors place the filters. */
export function recordFiltersOf(given: RecordFiltersInput, path = 'filter'): Map<Model, readonly Filter[]> {
  if (JSON.stringify(given).length > MAX_LENGTH)
    throw invalid(path, `${path} must have at most ${MAX_LENGTH} characters as JSON`, 'TOO_LONG');
  const models = modelsByMember();
  return new Map(
    Object.entries(given).flatMap(([name, filter]): [Model, Filter[]][] =>
      filter == null ? [] : [[models.get(name)!, filtersOf(models.get(name)!, filter, `${path}.${name}`)]],
    ),
  );
}

/** Filters as this release applies them. */
export interface AppliedFilters {
  filters: ReadonlyMap<Model, readonly Filter[]>;
  /** Paths in the filters of what it does not know, such as a field that is gone. */
  unknown: string[];
}

/**
 * Filters that an earlier release may have stored. A record type with a condition that this release does not know has no conditions. A receiver can
 * drop an event too many, but nothing brings back one that was not sent.
 */
export function appliedFilters(schema: GraphQLSchema, stored: RecordFiltersInput): AppliedFilters {
  const coerce = coercerFor(schema.getType(NAME) as GraphQLInputObjectType, namingStrategies.graphql);
  const filters = new Map<Model, readonly Filter[]>();
  const unknown: string[] = [];
  const models = modelsByMember();
  for (const [member, filter] of Object.entries(stored)) {
    if (filter === null) continue;
    const issues = new Gathering();
    const known = coerce({ [member]: filter }, '', issues) as RecordFiltersInput;
    const model = models.get(member);
    if (model) filters.set(model, issues.count > 0 ? [] : conditionsIn(model, known[member]!, issues));
    for (const { field } of issues.issues) unknown.push(field);
  }
  return { filters, unknown };
}

/** The conditions of a filter, none where one is rejected, which is an issue. */
function conditionsIn(model: Model, filter: FilterInput, issues: Gathering): Filter[] {
  const path = filterMember(model);
  try {
    return filtersOf(model, filter, path);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    issues.add(error.info.field ?? path, 'INVALID_VALUE', error.message);
    return [];
  }
}

/** Filters with the names that REST gives their members and operators. */
export const restFilters = (given: unknown): unknown => {
  if (Array.isArray(given)) return given.map(restFilters);
  if (!isPlainObject(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [snakeCase(name), restFilters(value)]));
};

// The filters of webhooks that an earlier release has stored, by the parts that this release does not know. Read at the start.
import type { GraphQLSchema } from 'graphql';
import type { RunStatement } from '../database/migrations/state.ts';
import { appliedFilters } from '../events/record-filters.ts';
import { type FilteredWebhook, filteredWebhooks } from './all-webhooks.statements.ts';

/** What is wrong, in a sentence for each webhook. */
export async function filterIssues(run: RunStatement, schema: GraphQLSchema): Promise<string[]> {
  const webhooks = await run<FilteredWebhook>(filteredWebhooks);
  return webhooks.flatMap(({ id, filter }) => {
    const { unknown } = appliedFilters(schema, filter);
    if (unknown.length === 0) return [];
    return [
      `the filter of webhook ${id} has ${unknown.join(', ')}, which this release does not know: until it is changed, every event about records of these types is sent`,
    ];
  });
}

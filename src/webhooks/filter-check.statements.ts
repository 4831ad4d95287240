// The statement that reads the filters of webhooks.
import type { RecordFiltersInput } from '../events/record-filters.ts';

/** A webhook with its filter. */
export interface FilteredWebhook {
  id: string;
  filter: RecordFiltersInput;
}

/** The webhooks of all organisations that have a filter. */
export const filteredWebhooks = `select id, filter from webhook where filter is not null and deleted_at is null order by id`;

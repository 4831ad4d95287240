// Reads of the webhooks of all organisations: how many are disabled for each reason, and their filters.
import type { Services } from '../access/context.ts';
import type { RecordFiltersInput } from '../events/record-filters.ts';
import { DisabledReason } from './webhook.ts';

/** The number of disabled webhooks by reason, as the metrics show them. A reason that no webhook has is 0, so that its first one is a change. */
export async function disabledWebhooks({ database }: Pick<Services, 'database'>): Promise<[reason: string, number: number][]> {
  const rows = await database.read(
    {
      name: 'disabled_webhooks',
      text: "select disabled_reason, count(*) from webhook where status = 'DISABLED' and deleted_at is null group by disabled_reason",
    },
    [],
  );
  const counts = new Map(rows.map(([reason, number]) => [reason, Number(number)]));
  return Object.keys(DisabledReason.values).map((reason) => [reason, counts.get(reason) ?? 0]);
}

/** A webhook with its filter. */
export interface FilteredWebhook {
  id: string;
  filter: RecordFiltersInput;
}

/** The webhooks that have a filter. */
export const filteredWebhooks = 'select id, filter from webhook where filter is not null and deleted_at is null order by id';

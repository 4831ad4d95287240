// The tracking of lines: an option of a category, named by both ids.
import type { Row, XeroClient } from './client.ts';
import { cannotSay } from './errors.ts';

/** The option of a category that a line has. Some responses name the option by its name alone. */
export interface TrackingRow {
  TrackingCategoryID?: string;
  TrackingOptionID?: string;
  Option?: string;
}

interface Category {
  TrackingCategoryID: string;
  Name: string;
  Options?: { TrackingOptionID: string; Name: string }[];
}

/** Between the id of a category and that of its option. */
const BETWEEN = '/';

const categories = (client: XeroClient): Promise<Category[]> =>
  client.remembered({ path: 'TrackingCategories', query: { includeArchived: 'true' } }) as Promise<never>;

/** The ids of the options of a line. An option that Xero has no longer is named by its category alone. */
export async function trackingOf(client: XeroClient, rows: readonly TrackingRow[] | undefined): Promise<string[]> {
  const ids: string[] = [];
  for (const { TrackingCategoryID: category, TrackingOptionID, Option } of rows ?? []) {
    if (!category) continue;
    const named = async (): Promise<string | undefined> =>
      (await categories(client))
        .find(({ TrackingCategoryID }) => TrackingCategoryID === category)
        ?.Options?.find(({ Name }) => Name === Option)?.TrackingOptionID;
    const option = TrackingOptionID ?? (Option ? await named() : undefined);
    ids.push(option === undefined ? category : `${category}${BETWEEN}${option}`);
  }
  return ids;
}

/** The options of a line for Xero, which takes them by their names. */
export async function trackingRows(client: XeroClient, ids: unknown): Promise<Row[] | undefined> {
  if (!Array.isArray(ids)) return undefined;
  const known = ids.length > 0 ? await categories(client) : [];
  return ids.map((id) => {
    const [categoryId, optionId] = String(id).split(BETWEEN);
    const category = known.find(({ TrackingCategoryID }) => TrackingCategoryID === categoryId);
    const option = category?.Options?.find(({ TrackingOptionID }) => TrackingOptionID === optionId);
    if (!category || !option)
      throw cannotSay(`Xero has no tracking option ${id}: name one by the id of its category, "${BETWEEN}" and its own id`);
    return { TrackingCategoryID: categoryId, TrackingOptionID: optionId, Name: category.Name, Option: option.Name };
  });
}

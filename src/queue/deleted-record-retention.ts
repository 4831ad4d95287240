// Permanently removes records that were marked deleted before the retention period, page by page, except those another record still references.
import { type EntityManager, executeIn } from '../database/open.ts';
import { allModels, type Model, modelOf, type RecordClass } from '../records/metadata.ts';
import { cutoff, type Schedule } from './schedules.ts';

/** Rows checked in one transaction; for each, the database searches all records of its company for references to it. */
const PAGE = 20;

/** The position of a run: the record type, the last row checked, and whether this pass over all types removed anything. */
interface Place {
  model: number;
  at: string;
  key: string;
  removed: boolean;
}

const START: Place = { model: 0, at: '-infinity', key: '', removed: false };

/** The schedule for those of the given records that have a soft delete. Passes repeat until one removes nothing, because removing a record may free another. */
export function deletedRecordRetention(records: readonly RecordClass[]): Schedule {
  const models = records.map(modelOf).filter((model) => model.deletedAt);
  let place = START;
  return {
    name: 'deleted-record-sweep',
    everyMs: 86_400_000,
    async batch(em, services) {
      const before = cutoff(services, services.config.retention.deletedRecordDays);
      const model = models[place.model];
      if (!before || !model) {
        const again = before !== undefined && place.removed;
        place = START;
        return again;
      }
      const { last, removed } = await removePage(em, model, before, place);
      place = last ? { ...place, ...last } : { ...START, model: place.model + 1, removed: place.removed };
      if (removed > 0) place.removed = true;
      return true;
    },
  };
}

async function removePage(
  em: EntityManager,
  model: Model,
  before: string,
  { at, key }: Place,
): Promise<{ last: Pick<Place, 'at' | 'key'> | undefined; removed: number }> {
  const deletedAt = model.props.get(model.deletedAt!)!.column;
  const keyProp = model.props.get(model.key)!;
  const [type, first] = keyProp.kind === 'ledgerId' ? ['bigint', '0'] : ['text', ''];
  const rows = await executeIn<{ at: string; key: string; company: string | null }>(
    em,
    `select ${deletedAt}::text as at, ${keyProp.column}::text as key, ${model.companyColumn ? `${model.companyColumn}::text` : 'null'} as company from "${model.table}"
     where ${deletedAt} < $1::timestamptz and (${deletedAt}, ${keyProp.column}) > ($2::text::timestamptz, $3::text::${type}) order by ${deletedAt}, ${keyProp.column} limit ${PAGE}`,
    [before, at, key || first],
  );
  if (rows.length === 0) return { last: undefined, removed: 0 };
  const references = referencesTo(model).map((condition) => ` and not exists (select 1 from ${condition})`);
  const gone = await executeIn(
    em,
    `delete from "${model.table}" t using unnest($1::text[]::${type}[], $2::text[]::bigint[]) as page(key, company)
     where t.${keyProp.column} = page.key${model.companyColumn ? ` and t.${model.companyColumn} = page.company` : ''} and t.${deletedAt} < $3::timestamptz${references.join('')}
     returning 1`,
    [rows.map((row) => row.key), rows.map((row) => row.company), before],
  );
  const last = rows.at(-1)!;
  return { last: { at: last.at, key: last.key }, removed: gone.length };
}

/** Tables with the conditions under which their row `o` references the row `t`: by a reference, in a list, or as its parent. */
function referencesTo(model: Model): string[] {
  const key = `t.${model.props.get(model.key)!.column}`;
  const idName = `${model.name[0]!.toLowerCase()}${model.name.slice(1)}Id`;
  return allModels().flatMap((other) => {
    const columns = new Set<string>();
    const conditions: string[] = [];
    for (const { owned, from, to, target } of other.relations.values())
      if (!owned && to === model.key && target() === model.class) columns.add(other.props.get(from)!.column);
    for (const { name, kind, column, target } of other.props.values()) {
      if (kind === 'id' && name === idName) columns.add(column);
      if (target?.() !== model.class) continue;
      if (kind === 'list') conditions.push(`o.${column} @> to_jsonb(${key})`);
      else columns.add(column);
    }
    for (const column of columns) conditions.push(`o.${column} = ${key}`);
    const [type, parent] = [other.props.get('parentType'), other.props.get('parentId')];
    if (type && parent && model.key === 'ledgerId')
      conditions.push(`o.${type.column} = '${model.table.toUpperCase()}' and o.${parent.column} = ${key}`);
    const scope = other.companyColumn && model.companyColumn ? ` and o.${other.companyColumn} = t.${model.companyColumn}` : '';
    return conditions.map((condition) => `"${other.table}" o where ${condition}${scope}`);
  });
}

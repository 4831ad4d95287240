// The statements of the retention of deleted records: a page of old rows, and the removal of those that no record references.
import { type EntityManager, executeIn } from '../database/open.ts';
import { allModels, type Model } from '../records/metadata.ts';

/** The position of a row in the order of the pages: when it was deleted, to the microsecond, and its key. */
export interface PagePlace {
  at: string;
  key: string;
}

/** A row of a page, and its company where the type has one. */
export interface PageRow extends PagePlace {
  company: string | null;
}

const keyType = (model: Model): { column: string; type: 'bigint' | 'text'; first: string } => {
  const { column, kind } = model.props.get(model.key)!;
  return kind === 'ledgerId' ? { column, type: 'bigint', first: '0' } : { column, type: 'text', first: '' };
};

const deletedColumn = (model: Model): string => model.props.get(model.deletedAt!)!.column;

/** The rows deleted before a moment that follow a place, oldest first. */
export function deletedRows(em: EntityManager, model: Model, before: string, { at, key }: PagePlace, limit: number): Promise<PageRow[]> {
  const deletedAt = deletedColumn(model);
  const { column, type, first } = keyType(model);
  return executeIn<PageRow>(
    em,
    `select ${deletedAt}::text as at, ${column}::text as key, ${model.companyColumn ? `${model.companyColumn}::text` : 'null'} as company from "${model.table}"
     where ${deletedAt} < $1::timestamptz and (${deletedAt}, ${column}) > ($2::text::timestamptz, $3::text::${type}) order by ${deletedAt}, ${column} limit ${limit}`,
    [before, at, key || first],
  );
}

/** Removes those rows of a page that no record references and that are still deleted; returns how many. */
export async function removeUnreferenced(em: EntityManager, model: Model, rows: readonly PageRow[], before: string): Promise<number> {
  const { column, type } = keyType(model);
  const references = referencesTo(model).map((condition) => ` and not exists (select 1 from ${condition})`);
  const gone = await executeIn(
    em,
    `delete from "${model.table}" t using unnest($1::text[]::${type}[], $2::text[]::bigint[]) as page(key, company)
     where t.${column} = page.key${model.companyColumn ? ` and t.${model.companyColumn} = page.company` : ''} and t.${deletedColumn(model)} < $3::timestamptz${references.join('')}
     returning 1`,
    [rows.map((row) => row.key), rows.map((row) => row.company), before],
  );
  return gone.length;
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

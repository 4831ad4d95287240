// The foreign keys that the declarations of records require.
import { type Model, modelOf } from '../../records/metadata.ts';

/** A foreign key that the declarations require. */
export interface ForeignKey {
  name: string;
  /** The table it leads to. */
  target: string;
  sql: string;
}

/** The foreign keys of a record. They include the company, so that no record can reference one of another company even through a defect in the code. */
export function foreignKeysOf(model: Model): ForeignKey[] {
  const keys: ForeignKey[] = [];
  if (model.companyColumn === 'company_id') {
    keys.push(foreignKey(model, 'company', 'organisation_id, company_id', 'company', 'organisation_id, ledger_id'));
    for (const prop of model.props.values()) {
      // A foreign key cannot cover the items of a list; the write path checks those.
      if (prop.target && prop.kind !== 'list')
        keys.push(foreignKey(model, prop.column, `company_id, ${prop.column}`, modelOf(prop.target()).table, 'company_id, ledger_id'));
    }
  } else if (model.scope === 'organisation') {
    keys.push(foreignKey(model, 'organisation', 'organisation_id', 'organisation', 'id'));
  }
  return keys;
}

function foreignKey(model: Model, label: string, columns: string, target: string, targetColumns: string): ForeignKey {
  const name = `${model.table}_${label}_fkey`;
  const sql = `alter table "${model.table}" add constraint "${name}" foreign key (${columns}) references "${target}" (${targetColumns})`;
  return { name, target, sql };
}

// The fields of the records of a data model by the names of REST bodies, those of its children among them.
import { type RecordClass, writableProps } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { fieldsOfPulled, type LedgerRecord, namesOf, recordOf } from './ledger-record.ts';
import { nestedRelations } from './references.ts';

/** The names of what a write of a record takes; a field of a child has that of its list before it: `line_items.quantity`. */
export function recordFields(dataModel: string): string[] {
  const target = recordOf(dataModel);
  if (!target) return [...(fieldsOfPulled(dataModel) ?? [])];
  const lists = nestedRelations(target).filter(({ owned }) => owned);
  return [
    ...ownFields(target),
    ...lists.flatMap(({ name, target: child }) =>
      ownFields(child() as RecordClass<LedgerRecord>).map((field) => `${snakeCase(name)}.${field}`),
    ),
  ];
}

function ownFields(target: RecordClass<LedgerRecord>): string[] {
  const parent = new Set(namesOf(target).parent);
  return writableProps(target)
    .filter(({ name }) => !parent.has(name))
    .map(({ name, jsonName }) => jsonName ?? snakeCase(name));
}

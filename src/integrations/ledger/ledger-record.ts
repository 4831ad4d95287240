// The base class of all ledger records (identity, times, origin) and the decorators that declare a record type and its children.

import { ID } from 'type-graphql';
import { Node } from '../../graphql/node.ts';
import {
  declaredProps,
  derived,
  type IndexOptions,
  ledgerNumber,
  moment,
  object,
  record,
  related,
  text,
} from '../../records/decorators.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { filterOperators, modelOf, type Prop, type RecordClass } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { addDataModel } from './enums.ts';

/** The entity tag of a version of a record. */
export const etagOf = (row: Record<string, unknown>): string => `"${row.ledgerId}-${row.ledgerUpdatedAt}"`;

/** The entity tag of an answer with expanded records, which change without the version: the version and `digest`, a hash of the whole. */
export const expandedEtag = (etag: string, digest: string): string => `${etag.slice(0, -1)};${digest}"`;

/** The entity tag of the version alone, from either form of tag. */
export const versionOf = (etag: string): string => etag.replace(/;[0-9a-f]+"$/, '"');

/** Base of all records of the integrations API. */
export abstract class LedgerRecord {
  @derived(
    () => ID,
    'Global id: the name of the record type and its `ledgerId`.',
    ['ledgerId'],
    () => '',
    { rest: 'never' },
  )
  id!: string;
  @derived(
    () => String,
    'Version of the record: the `ETag` header of REST answers, and the value that `ifMatch` takes.',
    ['ledgerId', 'ledgerUpdatedAt'],
    (row) => etagOf(row),
    { rest: 'never' },
  )
  etag!: string;
  @ledgerNumber('Number of the record, unique over all records.', { required: true, write: 'never' })
  ledgerId!: number;
  @ledgerNumber('Organisation that owns the record.', { required: true, write: 'never', hidden: true })
  organisationId!: number;
  @ledgerNumber('Company the record belongs to.', { required: true, write: 'never', hidden: true })
  companyId!: number;
  @moment('When the record was stored first.', { required: true, write: 'never' })
  ledgerCreatedAt!: string;
  @moment('When the record last changed here.', { required: true, write: 'never' })
  ledgerUpdatedAt!: string;
  @text('Name of the source system.', { required: true, write: 'never', filter: true })
  ledgerIntegrationType!: string;
  @text('Id of the record in the source system; unique per company, source and record type (children: per parent).', {
    required: true,
    filter: true,
    rules: { minLength: 1, maxLength: 255 },
  })
  platformId!: string;
  @moment('When the record was deleted; null for a live record.', { write: 'never', rest: 'deleted', filter: false })
  ledgerDeletedAt!: string | null;
  @object('Further members of the source record, stored unchanged.', { rest: 'select' })
  rawData!: Record<string, unknown> | null;
  @text('SHA-256 of the content; versions with equal hashes have equal content.', { required: true, write: 'never', rest: 'select' })
  dataHash!: string;
}

/** Base of records that belong to a parent of one of several types. */
export abstract class ChildRecord extends LedgerRecord {
  @ledgerNumber(
    '`ledgerId` of the record this one belongs to: of this company and of the type `parentType` names, where that type is stored here.',
  )
  parentId!: number | null;
}

interface LedgerOptions {
  description: string;
  /** Plural of the record name where adding an s is wrong. */
  plural?: string;
  /** Description of the data model, where the plural of its name is not clear: `Credit notes on bills.`. */
  dataModel?: string;
  /** The one property that names the parent, for a child whose parents are all of one type. */
  parent?: string;
  /** Whether a computed record replaces one that the company has not stored; its `storedOnly` fields are null. */
  standsIn?: boolean;
}

/** Fields that only a stored record has. */
const storedOnly = ['etag', 'ledgerId', 'ledgerCreatedAt', 'ledgerUpdatedAt', 'ledgerIntegrationType', 'platformId', 'dataHash'];

/** The names of a ledger record type. */
export interface LedgerNames {
  /** GraphQL field of one record, `billCreditNote`. */
  one: string;
  /** GraphQL field of the list, `billCreditNotes`. */
  many: string;
  /** Data model name, `BILL_CREDIT_NOTE`. */
  dataModel: string;
  /** Properties that name the parent of a child record; empty for a record without a parent. */
  parent: readonly string[];
}

const namesByClass = new Map<RecordClass, LedgerNames>();

/** The names of a ledger record type; throws for any other class. */
export function namesOf(target: RecordClass): LedgerNames {
  const names = namesByClass.get(target);
  if (!names) throw new Error(`${target.name} is not a ledger record`);
  return names;
}

/** The ledger record type with a data model name; undefined for a type that is not stored here. */
export const recordOf = (dataModel: string): RecordClass | undefined =>
  [...namesByClass].find(([, names]) => names.dataModel === dataModel)?.[0];

/** Partial indexes for the filters of lists: ranges and the status. Values of the source system are often null, and nulls take no space here. */
const listIndexes = (table: string, props: readonly Prop[]): IndexOptions[] =>
  props
    .filter((prop) => !prop.required && (prop.name === 'status' || filterOperators(prop).includes('gte')))
    .map(({ column }) => ({
      name: `${table}_${column}`,
      columns: `company_id, ${column}, ledger_id`,
      where: `${column} is not null`,
    }));

/** `taxRates` as a description: `Tax rates.` */
const labelOf = (many: string): string => `${many[0]!.toUpperCase()}${snakeCase(many).replaceAll('_', ' ').slice(1)}.`;

/** Class decorator of a ledger record type: registers its names, table, unique key and indexes. */
export function ledgerRecord(options: LedgerOptions): ClassDecorator {
  return (target) => {
    const one = target.name[0]!.toLowerCase() + target.name.slice(1);
    const table = snakeCase(target.name);
    const parent = options.parent ? [options.parent] : target.prototype instanceof ChildRecord ? ['parentType', 'parentId'] : [];
    const parentColumns = parent.map((name) => `${snakeCase(name)}, `).join('');
    // Many sources number lines within their document, so a child's platform id is unique inside its parent.
    const within = parent.map((name) => `coalesce(${snakeCase(name)}, ${name.endsWith('Id') ? '0' : "''"}), `).join('');
    const many = options.plural ?? `${one}s`;
    const dataModel = table.toUpperCase();
    namesByClass.set(target, { one, many, dataModel, parent });
    addDataModel(dataModel, options.dataModel ?? labelOf(many));
    record({
      description: options.description,
      scope: 'organisation',
      companyColumn: 'company_id',
      key: 'ledgerId',
      prefix: table,
      deletedAt: 'ledgerDeletedAt',
      primaryKey: ['companyId', 'ledgerId'],
      unique: [
        {
          name: `${table}_platform_id_key`,
          columns: `company_id, ledger_integration_type, ${within}platform_id`,
          where: 'ledger_deleted_at is null',
        },
      ],
      indexes: [
        { name: `${table}_updated`, columns: 'company_id, ledger_updated_at, ledger_id' },
        { name: `${table}_deleted`, columns: 'ledger_deleted_at, ledger_id', where: 'ledger_deleted_at is not null' },
        { name: `${table}_created`, columns: 'company_id, ledger_created_at, ledger_id' },
        ...listIndexes(table, declaredProps(target)),
        ...(parent.length > 0 ? [{ name: `${table}_parent`, columns: `company_id, ${parentColumns}ledger_id` }] : []),
      ],
      implements: Node,
      ...(options.standsIn ? { lackedByStandIn: storedOnly } : {}),
    })(target);
    const model = modelOf(target);
    model.derived.set('id', { ...model.derived.get('id')!, compute: (row) => ledgerGlobalId(table, row.ledgerId as unknown as number) });
  };
}

/** How the children of a record are found and shown. */
interface OwnedOptions {
  /** The one property that names their parent; `parentType` and `parentId` when absent. */
  by?: string;
  /** `always`: REST shows the children with the record; `expand`: only when the caller expands them. */
  rest?: 'always' | 'expand';
}

/** Declares child records, which are written and deleted with this record. */
export function owned(target: () => RecordClass, description: string, { by, rest = 'expand' }: OwnedOptions = {}): PropertyDecorator {
  return (prototype, key) => {
    related({
      description,
      target,
      from: 'ledgerId',
      to: by ?? 'parentId',
      ...(by ? {} : { where: { parentType: snakeCase(prototype.constructor.name).toUpperCase() } }),
      many: true,
      rest,
      owned: true,
      nested: true,
    })(prototype, key);
  };
}

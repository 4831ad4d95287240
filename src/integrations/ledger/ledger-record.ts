// The base class of all ledger records (identity, times, origin) and the decorators that declare a record type and its children.

import type { Opt } from '@mikro-orm/core';
import { ID } from 'type-graphql';
import { DataModel } from '../../events/data-model.ts';
import { Node } from '../../graphql/node.ts';
import {
  amount,
  belongsTo,
  type DecoratorOf,
  derived,
  enumeration,
  ledgerNumber,
  list,
  moment,
  namedValues,
  object,
  record,
  recordInterface,
  related,
  sharedInterface,
  text,
} from '../../records/decorators.ts';
import { addEnumValue } from '../../records/enums.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { ExternalId } from '../../records/scalars.ts';
import { Company } from '../companies/company.ts';
import { CustomField, CustomFieldInput } from './custom-field.ts';
import { AttachableDocument, addDataModel } from './enums.ts';
import { SourceState } from './source-state.ts';

/** The entity tag of a version of a record. */
export const etagOf = (row: Record<string, unknown>): string => `"${row.ledgerId}-${row.ledgerUpdatedAt}"`;

/** The entity tag of a response with expanded records, which change without the version: the version and `digest`, a hash of the whole. */
export const expandedEtag = (etag: string, digest: string): string => `${etag.slice(0, -1)};${digest}"`;

/** Base of all records of the integrations API. */
export abstract class LedgerRecord {
  @derived(
    () => ID,
    'Global id: the record type and its `ledgerId`.',
    ['ledgerId'],
    () => '',
    { rest: 'never' },
  )
  id!: Opt<string>;
  @derived(
    () => String,
    'Version of the record, for `ifMatch`; the `ETag` header on REST.',
    ['ledgerId', 'ledgerUpdatedAt'],
    (row) => etagOf(row),
    { rest: 'never' },
  )
  etag!: Opt<string>;
  @ledgerNumber('Number, unique in the gateway.', { required: true, write: 'never' })
  ledgerId!: number;
  @ledgerNumber('Organisation that owns the record.', { required: true, write: 'never', hidden: true })
  organisationId!: number;
  @ledgerNumber('Company the record belongs to.', { required: true, write: 'never', hidden: true })
  companyId!: number;
  @belongsTo(() => Company, 'companyId', { to: 'ledgerId', within: true, shown: 'Company that the record belongs to.' })
  company?: Company;
  @moment('When it was first stored here.', { required: true, write: 'never', settles: true })
  ledgerCreatedAt!: Date;
  @moment('When it last changed here.', { required: true, write: 'never', settles: true })
  ledgerUpdatedAt!: Date;
  @text('Name of the source system.', { required: true, write: 'never' })
  ledgerIntegrationType!: string;
  @text('Id in the source system.', {
    required: true,
    // The source compares it as it is.
    rules: { minLength: 1, maxLength: 255, key: 'exact' },
  })
  platformId!: string;
  @moment('When the record was deleted; null for a live record.', { write: 'never', rest: 'deleted', list: 'scanned' })
  ledgerDeletedAt!: Date | null;
  @object('Record as its source sent it.', { rest: 'select' })
  rawData!: Record<string, unknown> | null;
  @text("The source's own status.", { rest: 'select', list: 'scanned', rules: { maxLength: 100 } })
  sourceStatus!: string | null;
  @namedValues(() => CustomField, 'Further fields by name.', {
    rest: 'select',
    list: 'scanned',
    input: () => [CustomFieldInput],
    rules: { maxItems: 100 },
  })
  customFields!: CustomField[] | null;
  // Never listed: its values are digests of the whole record, and no caller knows one of a record it has not read.
  @text('Hash of the content; equal for equal content.', {
    required: true,
    write: 'never',
    rest: 'select',
    list: 'never',
  })
  dataHash!: string;
}

/** Base of records that are pulled and pushed on their own, with the synchronisation state of each. Its children share that state. */
export abstract class SourcedRecord extends LedgerRecord {
  @enumeration(SourceState, 'Synchronisation state with the source.', {
    required: true,
    write: 'never',
    rest: 'select',
    list: 'scanned',
    columnDefault: "'IN_SYNC'",
  })
  sourceState!: Opt<string>;
  @text('Error of the source for the last failed push. For one that the source took, the fields that it does not take.', {
    write: 'never',
    rest: 'select',
    list: 'never',
  })
  sourceError!: string | null;
  @object('Version at the source, for a record in CONFLICT. `deleted` is true if it is gone there.', {
    write: 'never',
    rest: 'select',
  })
  sourceVersion!: Record<string, unknown> | null;
  // The digest of what the source last sent or took over: a pull that brings it again finds nothing to do.
  @text('SHA-256 of what the source last said.', { hidden: true, write: 'never' }) sourceHash!: string | null;
}

export const LedgerRecordType = recordInterface(LedgerRecord, {
  description: 'A stored record of a company, with where it comes from.',
  implements: Node,
});

const SourcedRecordType = recordInterface(SourcedRecord, {
  description: 'A ledger record that is synchronised with its source on its own.',
  implements: [Node, LedgerRecordType],
});

/** What documents of every type have. */
class Document {}

/** Declares what all documents share, once the record types are known. */
export const declareDocuments = (records: readonly RecordClass<LedgerRecord>[]): void =>
  sharedInterface(Document, records.filter(isDocument), {
    description: 'A ledger record that files can be attached to: an invoice, a payment, a journal entry and so on.',
    implements: [Node, LedgerRecordType, SourcedRecordType],
  });

/** The interfaces of a record type. A stand-in has none of ledger records, because it lacks what they promise. */
const interfacesOf = (target: RecordClass, { standsIn }: LedgerOptions): RecordClass[] => [
  Node as unknown as RecordClass,
  ...(standsIn ? [] : [LedgerRecordType, ...(isSourced(target) ? [SourcedRecordType] : []), ...(isDocument(target) ? [Document] : [])]),
];

/** Base of documents: records that files can be attached to. */
export abstract class DocumentRecord extends SourcedRecord {}

/** The property that orders the children of a record. */
export const POSITION = 'position';

/** Base of records that belong to another one and are written with it. */
export abstract class OwnedRecord extends LedgerRecord {
  @amount('Position in the list of its parent.', {
    required: true,
    isPlace: true,
    isMoney: false,
    rest: 'select',
    list: 'indexed',
    columnDefault: '0',
  })
  position!: Opt<number>;
}

/** Base of records that belong to a parent of one of several types. */
export abstract class ChildRecord extends OwnedRecord {
  @ledgerNumber('`ledgerId` of the parent.', { list: 'scanned', typedBy: 'parentType' })
  parentId!: number | null;
  /** The parent, for the ORM to populate; which types it can be follows from the records that declare these children with `owned`. */
  parent?: LedgerRecord | null;
}

/**
 * Declares a list of records of which some may not be stored yet. A caller may name any; what a number or an id of the source names is found out
 * when such a record is there. With `isOtherSide` the records it names have a list of these already, which leads both ways.
 */
export const openList = (target: () => RecordClass<LedgerRecord>, what: string, isOtherSide = false): PropertyDecorator =>
  list(() => ExternalId, `${what}: the \`ledgerId\` of each, or its \`platformId\` as a string until it is stored.`, {
    target,
    mayBeOpen: true,
    isOtherSide,
    rules: { key: 'exact' },
  });

interface LedgerOptions {
  description: string;
  /** Plural of the record name where adding an s is wrong. */
  plural?: string;
  /** Description of the data model, where the plural of its name is not clear: `Credit notes on bills.`. */
  dataModel?: string;
  /** The one property that names the parent, for a child whose parents are all of one type. */
  parent?: string;
  /** The required property that identifies a record within its company besides the platform id: no two live records share a value. */
  naturalKey?: string;
  /** Whether a computed record replaces one that the company has not stored; its `storedOnly` fields are null. */
  standsIn?: boolean;
}

/** Fields that only a stored record has. */
const storedOnly = [
  'etag',
  'ledgerId',
  'ledgerCreatedAt',
  'ledgerUpdatedAt',
  'ledgerIntegrationType',
  'platformId',
  'dataHash',
  'sourceState',
];

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
  /** The property that identifies a record within its company besides the platform id. */
  naturalKey: string | undefined;
  /** Whether a computed record replaces one that the company has not stored. */
  standsIn: boolean;
}

const namesByClass = new Map<RecordClass<LedgerRecord>, LedgerNames>();

/** The names of a ledger record type; throws for any other class. */
export function namesOf(target: RecordClass<LedgerRecord>): LedgerNames {
  const names = namesByClass.get(target);
  if (!names) throw new Error(`${target.name} is not a ledger record`);
  return names;
}

/** Every ledger record type. */
export const ledgerTypes = (): RecordClass<LedgerRecord>[] => [...namesByClass.keys()];

/** Whether records of a type are pulled and pushed on their own. */
export const isSourced = (target: RecordClass): boolean => target.prototype instanceof SourcedRecord;

/** Whether files can be attached to records of a type. */
export const isDocument = (target: RecordClass): boolean => target.prototype instanceof DocumentRecord;

/** The data models that are pulled and are no record type of callers, with the names of their fields at a source. */
const pulledModels = new Map<string, readonly string[]>();

/** Adds a data model that is pulled and that callers cannot write. */
export function addPulledModel(name: string, description: string, fields: readonly string[]): void {
  pulledModels.set(name, fields);
  addEnumValue(DataModel, name, description);
}

/** The data models of records that are pulled and pushed on their own, sorted by name, because the order in which modules load means nothing. */
export const sourcedModels = (): string[] =>
  [...[...namesByClass].flatMap(([target, { dataModel }]) => (isSourced(target) ? [dataModel] : [])), ...pulledModels.keys()].sort();

/** The fields of a data model that callers cannot write; undefined for a record type. */
export const fieldsOfPulled = (dataModel: string): readonly string[] | undefined => pulledModels.get(dataModel);

/** The ledger record type with a data model name; undefined for a type that is not stored here. */
export const recordOf = (dataModel: string): RecordClass<LedgerRecord> | undefined =>
  [...namesByClass].find(([, names]) => names.dataModel === dataModel)?.[0];

/** `taxRates` as a description: `Tax rates.` */
const labelOf = (many: string): string => `${many[0]!.toUpperCase()}${snakeCase(many).replaceAll('_', ' ').slice(1)}.`;

/** Class decorator of a ledger record type: registers its names, table, unique key and indexes. */
export function ledgerRecord(options: LedgerOptions): ClassDecorator {
  return (target) => {
    const one = target.name[0]!.toLowerCase() + target.name.slice(1);
    const table = snakeCase(target.name);
    const parent = options.parent ? [options.parent] : target.prototype instanceof ChildRecord ? ['parentType', 'parentId'] : [];
    const parentColumns = parent.map(snakeCase).join(', ');
    const many = options.plural ?? `${one}s`;
    const dataModel = table.toUpperCase();
    const { naturalKey, standsIn = false } = options;
    namesByClass.set(target, { one, many, dataModel, parent, naturalKey, standsIn });
    const label = options.dataModel ?? labelOf(many);
    addDataModel(dataModel, label);
    if (isDocument(target as unknown as RecordClass)) addEnumValue(AttachableDocument, dataModel, label);
    record({
      description: options.description,
      scope: 'organisation',
      companyColumn: 'company_id',
      key: 'ledgerId',
      prefix: table,
      deletedAt: 'ledgerDeletedAt',
      primaryKey: ['companyId', 'ledgerId'],
      node: { roles: ['INTEGRATIONS'] },
      unique: [
        parent.length === 0
          ? {
              name: `${table}_source_id_key`,
              columns: 'company_id, platform_id, ledger_integration_type',
              where: 'ledger_deleted_at is null',
            }
          : {
              // Many sources number lines within their document, so a child's platform id is unique inside its parent. Plain columns, because under
              // row-level security an index finds nothing by an expression, which might leak rows.
              name: `${table}_source_key`,
              columns: `company_id, platform_id, ledger_integration_type, ${parentColumns}`,
              nullsEqual: true,
              where: 'ledger_deleted_at is null',
            },
        ...(naturalKey
          ? [{ name: `${table}_natural_key`, columns: `company_id, ${snakeCase(naturalKey)}`, where: 'ledger_deleted_at is null' }]
          : []),
      ],
      indexes: [
        { name: `${table}_updated`, columns: 'company_id, ledger_updated_at, ledger_id' },
        { name: `${table}_deleted`, columns: 'ledger_deleted_at, ledger_id', where: 'ledger_deleted_at is not null' },
        { name: `${table}_created`, columns: 'company_id, ledger_created_at, ledger_id' },
        // The queue of a source, and the deleted records that a pull must not bring back before the source has heard of it.
        ...(isSourced(target as unknown as RecordClass)
          ? [{ name: `${table}_unsent`, columns: 'company_id, platform_id', where: "source_state = 'PENDING_PUSH'" }]
          : []),
        ...(parent.length > 0 ? [{ name: `${table}_places`, columns: `company_id, ${parentColumns}, ${POSITION}, ledger_id` }] : []),
      ],
      listed: true,
      followed: true,
      plural: many,
      implements: interfacesOf(target as unknown as RecordClass, options),
      ...(options.standsIn ? { lackedByStandIn: storedOnly } : {}),
    })(target);
    const model = modelOf(target);
    model.derived.set('id', { ...model.derived.get('id')!, compute: (row) => ledgerGlobalId(table, row.ledgerId!) });
  };
}

/** How the children of a record are found and shown. */
interface OwnedOptions {
  /** The one property that names their parent; `parentType` and `parentId` when absent. */
  by?: string;
  /** `always`: REST shows the children with the record; `expand`: only when the caller expands them. */
  rest?: 'always' | 'expand';
  /** Whether callers write them with this record only and all together, because a rule holds over all of them. */
  whole?: boolean;
}

/** Declares child records, which are written and deleted with this record. */
export function owned(
  target: () => RecordClass<LedgerRecord>,
  description: string,
  { by, rest = 'expand', whole = false }: OwnedOptions = {},
): DecoratorOf<'ledgerId'> {
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
      orderedBy: POSITION,
      nested: true,
      whole,
    })(prototype, key);
  };
}

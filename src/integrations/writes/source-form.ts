// A stored record in the form its source takes: the REST record with its children, its references as the ids of the source.
import type { GraphQLSchema } from 'graphql';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { restRecords } from '../../graphql/rest/rest-record.ts';
import { type Model, modelOf, type Prop, type RecordClass, type Relation, typedTargets } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { etagOf, type LedgerRecord } from '../ledger/ledger-record.ts';
import { nestedRelations } from '../ledger/references.ts';
import { readOpen } from './reference.statements.ts';
import { readChildren, readSourceIds, readStanding } from './source-form.statements.ts';

/** Which record. */
export interface FormOf {
  schema: GraphQLSchema;
  organisationId: number;
  companyId: number;
  target: RecordClass<LedgerRecord>;
  ledgerId: number;
}

/** Members that only this gateway gives a record. */
const isOwn = (name: string): boolean => name.startsWith('ledger_') || name.startsWith('source_');

/** A stored record on its way to its source. */
export interface StoredForm {
  /** Without the members that only this gateway gives it. */
  record: Row;
  platformId: string;
  etag: string;
  sourceState: string;
  sourceError: string | null;
  sourceHash: string | null;
  /** The other version of a record in conflict. */
  sourceVersion: Row | null;
  isDeleted: boolean;
  /** Whether the source has it. */
  isKnown: boolean;
}

/** The record, live or deleted, locked, so that a decision about the record is based on its current version. */
export async function storedForm(em: EntityManager, query: FormOf): Promise<StoredForm> {
  const { table } = modelOf(query.target);
  const { state, error, hash, version, deleted, at } = await readStanding(em, query, table);
  const [form] = await formsOf(em, query, query.target, [query.ledgerId]);
  return {
    record: form!,
    platformId: String(form!.platform_id),
    etag: etagOf({ ledgerId: query.ledgerId, ledgerUpdatedAt: at }),
    sourceState: state,
    sourceError: error,
    sourceHash: hash,
    sourceVersion: version,
    isDeleted: deleted,
    isKnown: hash !== null,
  };
}

async function formsOf(em: EntityManager, query: FormOf, target: RecordClass<LedgerRecord>, keys: readonly number[]): Promise<Row[]> {
  const { schema, organisationId, companyId } = query;
  const records = await restRecords(em, { schema, organisationId, companyId, target, keys, selected: ['customFields'] });
  const model = modelOf(target);
  const platformIds = await namesOfReferences(em, query, model, [...records.values()]);
  // What the source named and has not sent yet is empty here, but not at the source.
  const waiting = Map.groupBy(await readOpen(em, query, keys), ({ recordId }) => recordId);
  const children = new Map<Relation, Map<number, Row[]>>();
  for (const relation of nestedRelations(target).filter(({ owned }) => owned))
    children.set(relation, await childrenOf(em, query, relation, keys));
  return keys.flatMap((key) => {
    const record = records.get(key);
    if (!record) return [];
    const form = Object.fromEntries(Object.entries(record).filter(([name]) => !isOwn(name)));
    for (const prop of model.props.values()) {
      const name = snakeCase(prop.name);
      const open = prop.mayBeOpen ? [] : (waiting.get(key)?.filter(({ property }) => property === prop.name) ?? []);
      const named = tableOf(model, prop, form);
      if (open.length > 0) form[name] = prop.kind === 'list' ? open.map((entry) => entry.platformId) : open[0]!.platformId;
      else if (named && form[name] != null) form[name] = platformIds(named, form[name], prop.mayBeOpen);
    }
    for (const [{ name }, byParent] of children) form[snakeCase(name)] = byParent.get(key) ?? [];
    return [form];
  });
}

/** The live children of records by their parents, in their own form. */
async function childrenOf(em: EntityManager, query: FormOf, relation: Relation, parents: readonly number[]): Promise<Map<number, Row[]>> {
  const target = relation.target() as RecordClass<LedgerRecord>;
  const model = modelOf(target);
  const rows = await readChildren(em, query, model, relation, parents);
  const forms = await formsOf(
    em,
    query,
    target,
    rows.map(({ id }) => id),
  );
  const parentNames = new Set([snakeCase(relation.to), 'parent_type']);
  const byParent = Map.groupBy(
    rows.map(({ parent }, index) => ({ parent, form: forms[index]! })),
    ({ parent }) => parent,
  );
  return new Map(
    [...byParent].map(([parent, entries]) => [
      parent,
      entries.map(({ form }) => Object.fromEntries(Object.entries(form).filter(([name]) => !parentNames.has(name)))),
    ]),
  );
}

/** The table of the records that a property of a record names; undefined where it names none that are stored. */
function tableOf(model: Model, prop: Prop, record: Row): string | undefined {
  if (prop.target) return modelOf(prop.target()).table;
  return prop.shownAs ? typedTargets(model, prop).get(String(record[snakeCase(prop.typedBy!)]))?.table : undefined;
}

/** Returns the source ids for the numbers in the references of records; one statement per type that is referred to. */
async function namesOfReferences(
  em: EntityManager,
  query: FormOf,
  model: Model,
  records: readonly Row[],
): Promise<(table: string, value: unknown, mayBeOpen?: boolean) => unknown> {
  const wanted = new Map<string, Set<number>>();
  for (const prop of model.props.values()) {
    for (const record of records) {
      const table = tableOf(model, prop, record);
      if (!table) continue;
      const ids = wanted.get(table) ?? new Set();
      wanted.set(table, ids);
      // A text is an id of the source already.
      for (const id of [record[snakeCase(prop.name)] ?? []].flat()) if (typeof id === 'number') ids.add(id);
    }
  }
  const names = new Map<string, string>();
  for (const [table, ids] of wanted) {
    if (ids.size === 0) continue;
    for (const { id, name } of await readSourceIds(em, query, table, [...ids])) names.set(`${table} ${id}`, name);
  }
  return (table, value, mayBeOpen = false) => {
    const named = (id: unknown): string | null => names.get(`${table} ${id}`) ?? (mayBeOpen ? String(id) : null);
    return Array.isArray(value) ? value.map(named) : named(value);
  };
}

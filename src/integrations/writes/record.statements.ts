// The statements of the write path: find, insert, update and stamp records, and find the records they refer to. Each works on any number of records.
import { arrayLiteral } from '../../database/array-literal.ts';
import { engineOf } from '../../database/engine/engine.ts';
import { laterBy } from '../../database/expression.statements.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { executeParts, type NewColumn, newRows } from '../../database/parts.statements.ts';
import { jsonOfRow } from '../../database/reader/json-expression.ts';
import { STAMP } from '../../database/settled.statements.ts';
import { kinds, type Model, modelOf, type Prop, propOf, type RecordClass, type Relation } from '../../records/metadata.ts';
import { isSourced, type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import type { SourceStateName } from '../ledger/source-state.ts';
import { type Change, type CurrentRecord, contentProps, storedHash, type WriteScope } from './change.ts';

/** A stored record whose content hash can be compared. */
const current = (row: CurrentRecord): CurrentRecord => ({ ...row, dataHash: storedHash(row.dataHash as string) });

/** The properties of a record that an event of its deletion needs. */
export const VERSION = ['ledgerId', 'ledgerUpdatedAt', 'dataHash'] as const;

/** Live records that meet a condition, locked in the order of their numbers unless they are only read. The condition's parameters begin with $3. */
export async function readStored(
  em: EntityManager,
  scope: WriteScope,
  model: Model,
  condition: string,
  values: unknown[],
  { isLocked = true, select }: { isLocked?: boolean; select?: typeof VERSION } = {},
): Promise<CurrentRecord[]> {
  const rows = await executeIn<{ row: CurrentRecord }>(
    em,
    `select ${jsonOfRow(model, select)} as row from "${model.table}" where company_id = $1 and organisation_id = $2 and ${condition}
       and ledger_deleted_at is null order by ledger_id${isLocked ? ' for update' : ''}`,
    [scope.company.ledgerId, scope.organisationId, ...values],
  );
  return rows.map(({ row }) => current(row));
}

/** The table of the children of a relation under an alias, the column that names their parent, and the condition that they are of that type. */
function childrenOf({ target, to, where = {} }: Relation, alias: string): { table: string; column: string; within: string } {
  const model = modelOf(target());
  const within = Object.entries(where).map(([name, value]) => ` and ${alias}.${propOf(model, name).column} = '${value}'`);
  return { table: model.table, column: `${alias}.${propOf(model, to).column}`, within: within.join('') };
}

/** The last places among the children of a type, by the numbers of their locked parents. A statement that waited for the locks would not see them. */
export async function readLastPlaces(
  em: EntityManager,
  scope: WriteScope,
  relation: Relation,
  parents: readonly number[],
): Promise<Map<number, number>> {
  const { table, column, within } = childrenOf(relation, 'c');
  const rows = await executeIn<{ id: string | number; last: string | number }>(
    em,
    `select p.id, c.position as last from unnest($3::bigint[]) as p(id) cross join lateral (
       select c.position from "${table}" c where c.company_id = $1 and c.organisation_id = $2 and ${column} = p.id${within}
         and c.ledger_deleted_at is null order by c.position desc limit 1) c`,
    [scope.company.ledgerId, scope.organisationId, parents],
  );
  return new Map(rows.map(({ id, last }) => [Number(id), Number(last)]));
}

/** The relations under which some of the parents have live children. */
export async function readParental(
  em: EntityManager,
  scope: WriteScope,
  relations: readonly Relation[],
  parents: readonly number[],
): Promise<Relation[]> {
  if (relations.length === 0) return [];
  const parts = relations.map((relation, place) => {
    const { table, column, within } = childrenOf(relation, 'c');
    return `select ${place} as place where exists (select from unnest($3::bigint[]) as p(id) cross join lateral (
      select from "${table}" c where c.company_id = $1 and c.organisation_id = $2 and ${column} = p.id${within} and c.ledger_deleted_at is null limit 1) c)`;
  });
  const rows = await executeIn<{ place: number }>(em, parts.join(' union all '), [scope.company.ledgerId, scope.organisationId, parents]);
  return rows.map(({ place }) => relations[place]!);
}

/** The values of properties of live records by their numbers. Not locked: what they name is to be locked before them. */
export const readNames = (
  em: EntityManager,
  scope: WriteScope,
  model: Model,
  names: readonly string[],
  ids: readonly number[],
): Promise<Record<string, unknown>[]> =>
  executeIn(
    em,
    `select ${names.map((name) => `${propOf(model, name).column} as "${name}"`).join(', ')} from "${model.table}"
     where company_id = $1 and organisation_id = $2 and ledger_id = any($3::bigint[]) and ledger_deleted_at is null`,
    [scope.company.ledgerId, scope.organisationId, ids],
  );

/**
 * Reads the stored records that changes name by a property, children within their parents, and locks them in the order of their names. The conditions
 * are the columns of the unique index, and each name is one index lookup. With `= any`, a plan made for a small table reads every record of the
 * company and compares it with every name. That took half the time of a batch on a table that had grown since its statistics.
 */
export async function readMatching(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass<LedgerRecord>,
  name: string,
  changes: Change[],
): Promise<CurrentRecord[]> {
  const model = modelOf(target);
  const parts = [name, ...namesOf(target).parent].map((property) => model.props.get(property)!);
  // An index finds values or their absence, not `is not distinct from`. Children without a parent, or of one that is not stored here, are therefore
  // read apart, and so are stored ones of a former source.
  const sourceOf = ({ stored }: Change): string => String(stored?.ledgerIntegrationType ?? scope.company.integrationType);
  const absentIn = (change: Change): string =>
    [sourceOf(change), ...parts.map((part) => (change.input[part.name] == null ? part.column : ''))].join(' ');
  const found: CurrentRecord[] = [];
  for (const [, alike] of [...Map.groupBy(changes, absentIn)].sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const record of await readAlike(em, scope, model, parts, alike, sourceOf(alike[0]!))) found.push(record);
  return found;
}

/** Reads and locks the records of a source that changes name, all of which give the first of the properties and the same of the others. */
async function readAlike(
  em: EntityManager,
  scope: WriteScope,
  model: Model,
  parts: Prop[],
  changes: Change[],
  source: string,
): Promise<CurrentRecord[]> {
  const [first] = parts as [Prop];
  const nameOf = ({ input }: Change): string => String(input[first.name]);
  const sorted = changes.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  const given = parts.filter((part) => changes[0]!.input[part.name] != null);
  const conditions = parts.map(({ column }) => {
    const place = given.findIndex((part) => part.column === column);
    return place < 0 ? `${column} is null` : `${column} = wanted.part${place}`;
  });
  const rows = await executeIn<{ row: CurrentRecord }>(
    em,
    `select found.row from unnest(${given.map((part, place) => `$${place + 4}::${sqlType(part)}[]`).join(', ')}) as wanted(${given.map((_, place) => `part${place}`).join(', ')})
     cross join lateral (
       select ${jsonOfRow(model)} as row from "${model.table}" where company_id = $1 and organisation_id = $2 and ledger_integration_type = $3 and ledger_deleted_at is null
         and ${conditions.join(' and ')} for update) found`,
    [scope.company.ledgerId, scope.organisationId, source, ...given.map((part) => sorted.map(({ input }) => input[part.name]))],
  );
  return rows.map(({ row }) => current(row));
}

/** The live records of the company among those named, by table; each as its table and number. */
export async function readReferences(
  em: EntityManager,
  scope: WriteScope,
  wanted: ReadonlyMap<string, readonly number[]>,
): Promise<{ table: string; id: string | number }[]> {
  const parts = [...wanted.keys()].map(
    (table, index) =>
      `select '${table}' as table, ledger_id as id from "${table}" where company_id = $1 and organisation_id = $2 and ledger_deleted_at is null and ledger_id = any($${index + 3}::bigint[])`,
  );
  return executeIn(em, parts.join(' union all '), [scope.company.ledgerId, scope.organisationId, ...wanted.values()]);
}

/** Which of the records are their own ancestors through a property that refers to their type; `type` says which do, of one that names several. */
export async function readCircular(
  em: EntityManager,
  { company }: WriteScope,
  { table }: Model,
  { column }: Prop,
  ids: number[],
  type: { prop: Prop; name: string } | undefined,
): Promise<Set<number>> {
  const own = type ? ` and t.${type.prop.column} = $3` : '';
  const rows = await executeIn<{ id: string | number }>(
    em,
    `with recursive above(start, id) as (
       select t.ledger_id, t.${column} from "${table}" t where t.company_id = $1 and t.ledger_id = any($2::bigint[])${own}
       union
       select above.start, t.${column} from above join "${table}" t on t.company_id = $1 and t.ledger_id = above.id${own} where above.id <> above.start)
     select distinct start as id from above where id = start`,
    [company.ledgerId, ids, ...(type ? [type.name] : [])],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

const sqlType = ({ kind }: Prop): string => kinds[kind].column;

/** A value in the form its column takes: JSON text for a JSON column, in which a text has quotes; otherwise the value itself. */
const sentValue = (prop: Prop, value: unknown) =>
  value !== null && sqlType(prop) === 'jsonb' ? JSON.stringify(value) : (value as string | number | boolean | null);

/** The properties that a write stores. */
const contentOf = (model: Model): Prop[] => [...contentProps(model), model.props.get('dataHash')!];

/** Whether any of the changes has a value of a property; a column that is null in all of them is not sent. */
const isSent = (changes: readonly Change[], { name }: Prop): boolean => changes.some((change) => change.values[name] !== null);

/** Changes as the table `r` of a statement: one array parameter per column, from `$first` on. */
function rowsOf(
  model: Model,
  changes: Change[],
  first: number,
): { table: string; values: string[]; columns: string[]; contents: string[] } {
  const content = contentOf(model);
  const sent = content.filter((prop) => isSent(changes, prop));
  const arrays = ['bigint', 'text', ...sent.map(sqlType)].map((type, index) => `$${first + index}::text::${type}[]`);
  return {
    table: `unnest(${arrays.join(', ')}) as r(${['id', 'source_hash', ...sent.map(({ column }) => column)].join(', ')})`,
    values: [
      arrayLiteral(changes, ({ ledgerId }) => ledgerId),
      arrayLiteral(changes, ({ source }) => source?.hash ?? null),
      ...sent.map((prop) => arrayLiteral(changes, ({ values }) => sentValue(prop, values[prop.name]))),
    ],
    columns: content.map(({ column }) => column),
    contents: content.map((prop) => (sent.includes(prop) ? `r.${prop.column}` : 'null')),
  };
}

/** The columns that hold the synchronisation state of written records, and their values: texts that need no quoting, and a digest per record. */
function sourceColumns(scope: WriteScope, model: Model): { column: string; value: string }[] {
  if (!isSourced(model.class) || scope.keepsSource) return [];
  const common = [
    { column: 'source_state', value: `'${stateOf(scope, model.class)}'` },
    { column: 'source_error', value: 'null' },
    { column: 'source_version', value: 'null' },
  ];
  return [...common, { column: 'source_hash', value: scope.isPull ? GIVEN_HASH : KNOWN_HASH }];
}

/** The digest of what the source says of a record. */
const GIVEN_HASH = 'r.source_hash';

/**
 * The digest of a record that a caller changes, which says whether the source has the record. An empty one marks a record of the source
 * that was stored before digests were.
 */
const KNOWN_HASH = `case when t.source_state = 'IN_SYNC' then coalesce(t.source_hash, '') else t.source_hash end`;

/** The synchronisation state of a record that this write stores. */
export function stateOf({ isPull, pushed }: WriteScope, target: RecordClass): SourceStateName {
  if (isPull) return 'IN_SYNC';
  return pushed?.has(namesOf(target as RecordClass<LedgerRecord>).dataModel) ? 'PENDING_PUSH' : 'LOCAL';
}

/** The stamp of a write at a moment of the clock of its process, which may be behind that of the database. */
const stampAfter = (moment: string): string => `greatest(${moment}, ${STAMP})`;

/** Rows of one statement: those of a record with very many children would all be written as text before anything else runs. */
const INSERTED = 2_000;

/** Inserts new records. */
export async function insertRecords(em: EntityManager, scope: WriteScope, model: Model, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  const now = { type: 'timestamptz', all: scope.now.toISOString(), as: stampAfter };
  // A new record of a caller is not known to the source.
  const source = sourceColumns(scope, model).filter(({ value }) => value !== KNOWN_HASH);
  const columns: NewColumn<Change>[] = [
    { column: 'ledger_id', type: 'bigint', each: ({ ledgerId }) => ledgerId },
    { column: 'organisation_id', type: 'bigint', all: scope.organisationId },
    { column: 'company_id', type: 'bigint', all: scope.company.ledgerId },
    { column: 'ledger_integration_type', type: 'text', all: scope.company.integrationType },
    { column: 'ledger_created_at', ...now },
    { column: 'ledger_updated_at', ...now },
    ...contentOf(model).map((prop) => {
      const column = { column: prop.column, type: sqlType(prop) };
      return isSent(changes, prop)
        ? { ...column, each: ({ values }: Change) => sentValue(prop, values[prop.name]) }
        : { ...column, sql: 'null' };
    }),
    ...source.map(({ column, value }) =>
      value === GIVEN_HASH
        ? { column, type: 'text', each: (change: Change) => change.source?.hash ?? null }
        : { column, type: 'text', sql: value },
    ),
  ];
  for (let at = 0; at < changes.length; at += INSERTED)
    await executeParts(em, [newRows(em, { table: model.table, rows: changes.slice(at, at + INSERTED), columns })]);
}

/** Two changes in one millisecond must not share a version. */
export const NEXT_VERSION = `greatest($3::timestamptz, ${STAMP}, ${laterBy('t.ledger_updated_at', "interval '1 millisecond'")})`;

/**
 * Stores the content of changed records as their next version. The records are locked, so they stay at their places until the statement has updated
 * them. Each is one lookup by its number. Joined directly, a table without statistics is read whole for its company, which took 1 to 3 s of 1,000
 * changes.
 */
export async function updateRecords(em: EntityManager, scope: WriteScope, model: Model, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  const { table, values, columns, contents } = rowsOf(model, changes, 4);
  const source = sourceColumns(scope, model).map(({ column, value }) => `, ${column} = ${value}`);
  const node = engineOf(em).nodeColumn(model);
  await executeIn(
    em,
    `update "${model.table}" t set ledger_updated_at = ${NEXT_VERSION}, ${columns.map((column, index) => `${column} = ${contents[index]}`).join(', ')}${source.join('')}
     from ${table} cross join lateral (
       select o.ctid as place from "${model.table}" o where o.company_id = $1 and o.organisation_id = $2 and o.ledger_id = r.id offset 0) found
     where t.ctid = found.place${node === undefined ? '' : ` and t.${node} = $1`}`,
    [scope.company.ledgerId, scope.organisationId, scope.now.toISOString(), ...values],
  );
}

/** Makes a stored record the one that the present source has under an id. Nothing remains of what a former source said of it. */
export async function adoptRecord(
  em: EntityManager,
  scope: WriteScope,
  { table }: Model,
  stored: CurrentRecord,
  platformId: string,
): Promise<void> {
  const { company, organisationId } = scope;
  const isOther = stored.ledgerIntegrationType !== company.integrationType;
  await executeIn(
    em,
    `update "${table}" set platform_id = $4, ledger_integration_type = $5${isOther ? ', source_hash = null' : ''} where company_id = $1 and organisation_id = $2 and ledger_id = $3::bigint`,
    [company.ledgerId, organisationId, stored.ledgerId, platformId, company.integrationType],
  );
}

/** The open references of deleted records go with them. */
const CLOSED = `, closed as (delete from open_reference o using stamped where o.company_id = $1 and o.organisation_id = $2 and o.record_id = stamped.ledger_id)`;

/** A new version of records without new content. */
export interface Stamp {
  isDeleted: boolean;
  /** Which live records; its parameters begin with $4. */
  condition: string;
  values: unknown[];
  /** Whether the source may still reject the deletion: the open references stay for a record that comes back. */
  mayReturn?: boolean;
  /** The moment, of the same transaction, that the deletion is not before. */
  notBefore?: string;
}

/** Gives live records their next version, or marks them deleted; returns their numbers. */
export async function stampRecords(
  em: EntityManager,
  scope: WriteScope,
  model: Model,
  { isDeleted, condition, values, mayReturn = false, notBefore }: Stamp,
): Promise<number[]> {
  const source =
    isSourced(model.class) && !scope.keepsSource
      ? `, source_state = '${stateOf(scope, model.class)}', source_error = null${scope.isPull ? '' : `, source_hash = ${KNOWN_HASH}`}`
      : '';
  const rows = await executeIn<{ id: string | number }>(
    em,
    `with stamped as (
       update "${model.table}" t set ${isDeleted ? `ledger_deleted_at = ${notBefore ? `greatest(${NEXT_VERSION}, ${notBefore})` : NEXT_VERSION}, ` : ''}ledger_updated_at = ${NEXT_VERSION}${source}
       where company_id = $1 and organisation_id = $2 and ledger_deleted_at is null and ${condition} returning t.ledger_id)
     ${isDeleted && !mayReturn ? CLOSED : ''} select ledger_id as id from stamped`,
    [scope.company.ledgerId, scope.organisationId, scope.now.toISOString(), ...values],
  );
  return rows.map(({ id }) => Number(id));
}

/**
 * Makes a deleted record live again, unless another live record has its source id or its natural key; returns when it was deleted. What was
 * deleted with it has the same moment or, within the same transaction, a later one.
 */
export async function reviveRecord(em: EntityManager, scope: WriteScope, model: Model, ledgerId: number): Promise<string | undefined> {
  const { naturalKey } = namesOf(model.class as RecordClass<LedgerRecord>);
  const key = naturalKey && ` or o.${propOf(model, naturalKey).column} = t.${propOf(model, naturalKey).column}`;
  const [row] = await executeIn<{ at: string }>(
    em,
    `with gone as (select ledger_deleted_at::text as at from "${model.table}" where company_id = $1 and organisation_id = $2 and ledger_id = $4::bigint),
       live as (update "${model.table}" t set ledger_deleted_at = null, ledger_updated_at = ${NEXT_VERSION}
         where company_id = $1 and organisation_id = $2 and ledger_id = $4::bigint and ledger_deleted_at is not null and not exists (
           select 1 from "${model.table}" o where o.company_id = $1 and o.ledger_deleted_at is null
             and ((o.platform_id = t.platform_id and o.ledger_integration_type = t.ledger_integration_type)${key ?? ''}))
         returning t.ledger_id)
     select gone.at from gone, live`,
    [scope.company.ledgerId, scope.organisationId, scope.now.toISOString(), ledgerId],
  );
  return row?.at;
}

/** Makes the children of records live again that were deleted with them; returns their numbers. */
export async function reviveChildren(
  em: EntityManager,
  scope: WriteScope,
  relation: Relation,
  parents: readonly number[],
  deletedAt: string,
): Promise<number[]> {
  const { column, table, within } = childrenOf(relation, 't');
  const rows = await executeIn<{ id: string | number }>(
    em,
    `update "${table}" t set ledger_deleted_at = null, ledger_updated_at = ${NEXT_VERSION}
     where company_id = $1 and organisation_id = $2 and ${column} = any($4::bigint[])${within} and ledger_deleted_at >= $5::timestamptz
     returning t.ledger_id as id`,
    [scope.company.ledgerId, scope.organisationId, scope.now.toISOString(), parents, deletedAt],
  );
  return rows.map(({ id }) => Number(id));
}

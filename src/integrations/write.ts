// The write path of ledger records: any number of records of one type, with what is nested in them, in set-based statements of one transaction.
import { createHash, randomUUID } from 'node:crypto';
import type { RequestContext } from '../core/context.ts';
import { type EntityManager, executeIn } from '../core/database.ts';
import { GatewayError, invalid, missing } from '../core/errors.ts';
import { type Model, modelOf, type Prop, type RecordClass, type Relation } from '../core/kit.ts';
import type { CompanyRow } from './company.ts';
import { ChildRecord, namesOf } from './ledger-record.ts';
import { nestedRelations } from './record-input.ts';

/** What a write may do with a record whose platform id is known, or is not. */
export type WriteMode = 'create' | 'upsert';

/** The values of one record as the input coercer left them, by property and relation name. */
export type RecordInput = Record<string, unknown>;

/** What became of one record: its number, or why it was refused. */
export interface WriteOutcome {
  ledgerId: number;
  changed: 'created' | 'updated' | 'unchanged';
}

export type RecordResult = WriteOutcome | GatewayError;

/** Who writes, for which company, when. */
export interface WriteScope {
  context: Pick<RequestContext, 'services'>;
  organisationId: number;
  company: CompanyRow;
  now: Date;
}

interface Draft {
  index: number;
  path: string;
  input: RecordInput;
  /** Column values as they will be stored. */
  values: Record<string, unknown>;
  stored: StoredRow | undefined;
  ledgerId: number;
  error?: GatewayError;
}

type StoredRow = Record<string, unknown> & { ledgerId: number };

/** Writes records and everything nested in them. The result has one entry per record, in order; refused records store nothing. */
export async function writeRecords(em: EntityManager, scope: WriteScope, target: RecordClass, inputs: RecordInput[], mode: WriteMode, path = 'data'): Promise<RecordResult[]> {
  const drafts = inputs.map((input, index): Draft => ({ index, path: `${path}[${index}]`, input, values: {}, stored: undefined, ledgerId: 0 }));
  return writeDrafts(em, scope, target, drafts, mode);
}

/** Updates one record by its number. */
export async function updateRecord(em: EntityManager, scope: WriteScope, target: RecordClass, ledgerId: number, input: RecordInput): Promise<RecordResult> {
  const model = modelOf(target);
  const stored = (await readStored(em, scope, model, 'ledger_id = $3::bigint', [ledgerId]))[0];
  if (!stored) throw recordNotFound(target, ledgerId);
  const draft: Draft = { index: 0, path: '', input, values: {}, stored, ledgerId };
  if (input.platformId != null && input.platformId !== stored.platformId) throw invalid('platformId', 'platformId cannot be changed');
  return (await writeDrafts(em, scope, target, [draft], 'upsert'))[0]!;
}

export const recordNotFound = (target: RecordClass, ledgerId: number): GatewayError =>
  new GatewayError('RECORD_NOT_FOUND', `${namesOf(target).one} ${ledgerId} was not found`, { field: 'id' });

/** Marks a record and what it owns deleted; RECORD_NOT_FOUND when it is not there. */
export async function deleteRecord(em: EntityManager, scope: WriteScope, target: RecordClass, ledgerId: number): Promise<void> {
  const model = modelOf(target);
  const rows = await executeIn(
    em,
    `update "${model.table}" set ledger_deleted_at = $3::timestamptz, ledger_updated_at = $3::timestamptz
     where company_id = $1 and organisation_id = $4 and ledger_id = $2 and ledger_deleted_at is null returning ledger_id`,
    [scope.company.ledgerId, ledgerId, scope.now.toISOString(), scope.organisationId],
  );
  if (rows.length === 0) throw recordNotFound(target, ledgerId);
  for (const relation of model.relations.values()) if (relation.owned) await deleteChildren(em, scope, relation, [ledgerId]);
}

async function writeDrafts(em: EntityManager, scope: WriteScope, target: RecordClass, drafts: Draft[], mode: WriteMode): Promise<RecordResult[]> {
  const model = modelOf(target);
  await writeLinked(em, scope, target, drafts);
  await findStored(em, scope, target, drafts, mode);
  for (const draft of drafts) checked(draft, () => compose(model, draft));
  await checkReferences(em, scope, model, drafts);
  const live = drafts.filter((draft) => !draft.error);
  const fresh = live.filter((draft) => !draft.stored);
  const ids = await scope.context.services.ledgerIds.take(em, fresh.length);
  for (const [position, draft] of fresh.entries()) draft.ledgerId = ids[position]!;
  const changed = live.filter((draft) => draft.stored && draft.stored.dataHash !== draft.values.dataHash);
  await store(em, scope, model, fresh, changed);
  const touched = await writeOwned(em, scope, target, live, fresh);
  return drafts.map((draft): RecordResult => {
    if (draft.error) return draft.error;
    const isChanged = changed.includes(draft) || touched.has(draft);
    return { ledgerId: draft.ledgerId, changed: draft.stored ? (isChanged ? 'updated' : 'unchanged') : 'created' };
  });
}

/** Runs a check of one draft; what it throws becomes the draft's error, so that the other records go on. */
function checked(draft: Draft, check: () => void): void {
  if (draft.error) return;
  try {
    check();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    draft.error = error;
  }
}

const fieldOf = (draft: Draft, name: string): string => (draft.path ? `${draft.path}.${name}` : name);

/** Writes nested contacts and currencies first and puts their number or code into the draft. */
async function writeLinked(em: EntityManager, scope: WriteScope, target: RecordClass, drafts: Draft[]): Promise<void> {
  for (const relation of nestedRelations(target).filter((entry) => !entry.owned)) {
    const given = drafts.flatMap((draft) => {
      const value = draft.input[relation.name];
      const single = Array.isArray(value) ? value[0] : value;
      if (Array.isArray(value) && value.length > 1) draft.error = invalid(fieldOf(draft, relation.name), `${fieldOf(draft, relation.name)} must have at most one entry`);
      return single == null || draft.error ? [] : [{ draft, input: single as RecordInput }];
    });
    if (given.length === 0) continue;
    const linked = modelOf(relation.target());
    const children = given.map(({ draft, input }, index): Draft => ({ index, path: fieldOf(draft, relation.name), input, values: {}, stored: undefined, ledgerId: 0 }));
    const results = await writeDrafts(em, scope, relation.target(), children, 'upsert');
    for (const [position, { draft, input }] of given.entries()) {
      const result = results[position]!;
      if (result instanceof GatewayError) draft.error = result;
      else draft.input = { ...draft.input, [relation.from]: relation.to === linked.key ? result.ledgerId : input[relation.to] };
    }
  }
}

/** Property by which an upsert finds a stored record: the code of a currency, the platform id of everything else. */
const matchProperty = (model: Model, draft: Draft): string => (model.name === 'Currency' && draft.input.platformId == null ? 'code' : 'platformId');

async function findStored(em: EntityManager, scope: WriteScope, target: RecordClass, drafts: Draft[], mode: WriteMode): Promise<void> {
  const model = modelOf(target);
  const child = target.prototype instanceof ChildRecord;
  for (const name of ['platformId', 'code']) {
    const wanted = drafts.filter((draft) => !draft.stored && !draft.error && matchProperty(model, draft) === name && draft.input[name] != null);
    if (wanted.length === 0) continue;
    const column = model.props.get(name)!.column;
    const values = [...new Set(wanted.map((draft) => String(draft.input[name])))];
    const rows = await readStored(em, scope, model, `ledger_integration_type = $3 and ${column} = any($4::text[])`, [scope.company.integrationType, values]);
    const key = (row: RecordInput): string => (child ? [row.parentType, row.parentId, row[name]].join('\u0001') : String(row[name]));
    const byKey = new Map(rows.map((row) => [key(row), row]));
    const seen = new Set<string>();
    for (const draft of wanted) {
      const own = key(draft.input);
      draft.stored = byKey.get(own);
      draft.ledgerId = draft.stored?.ledgerId ?? 0;
      if (seen.has(own)) draft.error = invalid(fieldOf(draft, name), `${fieldOf(draft, name)} occurs twice in this request`, 'DUPLICATE');
      else if (draft.stored && mode === 'create') draft.error = alreadyExists(fieldOf(draft, name), String(draft.input[name]));
      seen.add(own);
    }
  }
}

const alreadyExists = (field: string, value: string): GatewayError => {
  const message = `a record with ${field.split('.').at(-1)} ${JSON.stringify(value.slice(0, 100))} exists already`;
  return new GatewayError('RECORD_ALREADY_EXISTS', message, { field, faults: [{ field, code: 'DUPLICATE', message }] });
};

async function readStored(em: EntityManager, scope: WriteScope, model: Model, condition: string, values: unknown[]): Promise<StoredRow[]> {
  const columns = [...model.props.values()].map((prop) => `'${prop.name}', ${prop.kind === 'moment' ? wireMoment(prop.column) : prop.column}`);
  // json_build_object takes at most 100 arguments, so long records are built in two halves.
  const half = Math.ceil(columns.length / 2);
  const row = `jsonb_build_object(${columns.slice(0, half).join(', ')}) || jsonb_build_object(${columns.slice(half).join(', ')})`;
  const rows = await executeIn<{ row: StoredRow }>(
    em,
    `select ${row} as row from "${model.table}" where company_id = $1 and organisation_id = $2 and ${condition} and ledger_deleted_at is null order by ledger_id for update`,
    [scope.company.ledgerId, scope.organisationId, ...values],
  );
  return rows.map((entry) => entry.row);
}

/** A timestamp in the form the input coercer gives, so that hashes of stored and given values agree. */
const wireMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', case when date_trunc('milliseconds', ${column}) = ${column} then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end)`;

const contentProps = (model: Model): Prop[] => [...model.props.values()].filter((prop) => prop.write !== 'never');

/** Puts the new values together from the stored record and the input, and checks what one record can tell. */
function compose(model: Model, draft: Draft): void {
  const { input, stored } = draft;
  for (const prop of contentProps(model)) {
    const given = input[prop.name];
    if (given === 'UNKNOWN' && prop.choices && stored?.[prop.name] !== 'UNKNOWN') throw invalid(fieldOf(draft, prop.name), `${fieldOf(draft, prop.name)} must not be UNKNOWN in a write`);
    draft.values[prop.name] = given === undefined ? (stored?.[prop.name] ?? null) : given;
    if (prop.required && draft.values[prop.name] === null && prop.name !== 'platformId') throw missing(fieldOf(draft, prop.name));
  }
  if (!stored && Object.keys(input).length === 0) throw missing(draft.path || 'data', `${draft.path || 'data'} has no field`);
  draft.values.platformId ??= randomUUID();
  draft.values.dataHash = contentHash(model, draft.values);
}

function contentHash(model: Model, values: Record<string, unknown>): string {
  const content = contentProps(model).map((prop) => canonical(values[prop.name] ?? null));
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** JSON columns do not keep the order of members, so hashes must not depend on it. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, entry]) => [key, canonical(entry)]));
}

/** Refuses drafts that name a record the company does not have, in one statement for all kinds of records. */
async function checkReferences(em: EntityManager, scope: WriteScope, model: Model, drafts: Draft[]): Promise<void> {
  const wanted = new Map<string, Set<number>>();
  const uses: { draft: Draft; prop: Prop; table: string; id: number }[] = [];
  for (const prop of model.props.values()) {
    if (!prop.target) continue;
    const table = modelOf(prop.target()).table;
    for (const draft of drafts) {
      const id = draft.values[prop.name];
      if (draft.error || id == null || id === draft.stored?.[prop.name]) continue;
      uses.push({ draft, prop, table, id: id as number });
      wanted.set(table, (wanted.get(table) ?? new Set()).add(id as number));
    }
  }
  if (uses.length === 0) return;
  const parts = [...wanted.keys()].map(
    (table, index) => `select '${table}' as kind, ledger_id as id from "${table}" where company_id = $1 and organisation_id = $2 and ledger_deleted_at is null and ledger_id = any($${index + 3}::bigint[])`,
  );
  const rows = await executeIn<{ kind: string; id: string | number }>(em, parts.join(' union all '), [scope.company.ledgerId, scope.organisationId, ...[...wanted.values()].map((ids) => [...ids])]);
  const found = new Set(rows.map((row) => `${row.kind} ${row.id}`));
  for (const { draft, prop, table, id } of uses) {
    const field = fieldOf(draft, prop.name);
    if (!draft.error && !found.has(`${table} ${id}`)) draft.error = invalid(field, `${field} ${id} names no ${table.replaceAll('_', ' ')} of this company`, 'NOT_FOUND');
  }
}

const jsonKinds = new Set(['json', 'object', 'list']);
const recordTypes: Partial<Record<Prop['kind'], string>> = { ledgerId: 'bigint', integer: 'integer', amount: 'numeric', flag: 'boolean', moment: 'timestamptz', date: 'date', json: 'jsonb', object: 'jsonb', list: 'jsonb' };
const recordType = (prop: Prop): string => recordTypes[prop.kind] ?? 'text';

/** Inserts the new records and updates the changed ones, one statement each. */
async function store(em: EntityManager, scope: WriteScope, model: Model, fresh: Draft[], changed: Draft[]): Promise<void> {
  const content = [...contentProps(model), model.props.get('dataHash')!];
  const columns = content.map((prop) => prop.column);
  const typed = content.map((prop) => `${prop.column} ${recordType(prop)}`).join(', ');
  const rowsOf = (drafts: Draft[]): string => JSON.stringify(drafts.map((draft) => ({ ledger_id: draft.ledgerId, ...toColumns(content, draft.values) })));
  const now = scope.now.toISOString();
  if (fresh.length > 0) {
    await executeIn(
      em,
      `insert into "${model.table}" (ledger_id, organisation_id, company_id, ledger_integration_type, ledger_created_at, ledger_updated_at, ${columns.join(', ')})
       select ledger_id, $2::bigint, $3::bigint, $4, $5::timestamptz, $5::timestamptz, ${columns.join(', ')} from jsonb_to_recordset($1::text::jsonb) as r(ledger_id bigint, ${typed})`,
      [rowsOf(fresh), scope.organisationId, scope.company.ledgerId, scope.company.integrationType, now],
    );
  }
  if (changed.length > 0) {
    await executeIn(
      em,
      `update "${model.table}" t set ledger_updated_at = greatest($4::timestamptz, t.ledger_updated_at + interval '1 millisecond'), ${columns.map((column) => `${column} = r.${column}`).join(', ')}
       from jsonb_to_recordset($1::text::jsonb) as r(ledger_id bigint, ${typed}) where t.company_id = $2 and t.organisation_id = $3 and t.ledger_id = r.ledger_id`,
      [rowsOf(changed), scope.company.ledgerId, scope.organisationId, now],
    );
  }
}

/** Column values for jsonb_to_recordset. A JSON null in a jsonb column would be stored as JSON null rather than as no value. */
const toColumns = (props: Prop[], values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(props.filter((prop) => !(jsonKinds.has(prop.kind) && values[prop.name] === null)).map((prop) => [prop.column, values[prop.name]]));

/** Writes the children that were given, replacing those stored. Returns the drafts whose children changed. */
async function writeOwned(em: EntityManager, scope: WriteScope, target: RecordClass, live: Draft[], fresh: Draft[]): Promise<Set<Draft>> {
  const touched = new Set<Draft>();
  for (const relation of nestedRelations(target).filter((entry) => entry.owned)) {
    const given = live.filter((draft) => draft.input[relation.name] !== undefined && !draft.error);
    const children = given.flatMap((parent) => {
      const entries = (parent.input[relation.name] ?? []) as RecordInput[];
      return entries.map((entry, index) => ({
        parent,
        draft: { index, path: `${fieldOf(parent, relation.name)}[${index}]`, input: { ...entry, ...relation.where, parentId: parent.ledgerId }, values: {}, stored: undefined, ledgerId: 0 } as Draft,
      }));
    });
    const results = children.length > 0 ? await writeDrafts(em, scope, relation.target(), children.map((child) => child.draft), 'upsert') : [];
    const kept: number[] = [];
    for (const [position, { parent }] of children.entries()) {
      const result = results[position]!;
      if (result instanceof GatewayError) parent.error ??= result;
      else {
        kept.push(result.ledgerId);
        if (result.changed !== 'unchanged') touched.add(parent);
      }
    }
    const replaced = given.filter((draft) => !fresh.includes(draft));
    if (replaced.length > 0) {
      const gone = await deleteChildren(em, scope, relation, replaced.map((draft) => draft.ledgerId), kept);
      for (const draft of replaced) if (gone.has(draft.ledgerId)) touched.add(draft);
    }
  }
  return touched;
}

async function deleteChildren(em: EntityManager, scope: WriteScope, relation: Relation, parents: number[], kept: number[] = []): Promise<Set<number>> {
  const rows = await executeIn<{ parent: string | number }>(
    em,
    `update "${modelOf(relation.target()).table}" set ledger_deleted_at = $1::timestamptz, ledger_updated_at = $1::timestamptz
     where company_id = $2 and organisation_id = $3 and parent_type = $4 and parent_id = any($5::bigint[]) and ledger_deleted_at is null and ledger_id <> all($6::bigint[])
     returning parent_id as parent`,
    [scope.now.toISOString(), scope.company.ledgerId, scope.organisationId, relation.where!.parentType, parents, kept],
  );
  return new Set(rows.map((row) => Number(row.parent)));
}

// The statements of references: the records that ids of the source name, and the references that are open.

import { type EntityManager, executeIn } from '../../database/open.ts';
import { executeParts, type NewColumn, newRows, type Part } from '../../database/parts.statements.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import type { OpenEntry, WriteScope } from './change.ts';

/** A record that a platform id names, and the parent of a child. */
export interface NamedRecord {
  id: number;
  parentType: string | null;
  parentId: number | null;
}

/** The records of each type by their platform ids. */
export type FoundRecords = ReadonlyMap<RecordClass<LedgerRecord>, ReadonlyMap<string, readonly NamedRecord[]>>;

/**
 * The live records of the company and its source that platform ids name, by type. Each id is one lookup in the index of platform ids. `offset 0`
 * keeps the plan from reading all records of the company where the table was small when its statistics were taken.
 */
export async function readNamed(
  em: EntityManager,
  { company, organisationId }: WriteScope,
  wanted: ReadonlyMap<RecordClass<LedgerRecord>, ReadonlySet<string>>,
): Promise<FoundRecords> {
  const targets = [...wanted.keys()];
  if (targets.length === 0) return new Map();
  const parts = targets.map((target, index) => {
    const { table } = modelOf(target);
    const [type, id] = namesOf(target).parent.length === 2 ? ['parent_type', 'parent_id'] : ['null::text', 'null::bigint'];
    return `select ${index} as place, named.* from unnest($${index + 4}::text[]) as wanted(name) cross join lateral (
      select platform_id, ledger_id, ${type} as parent_type, ${id} as parent_id from "${table}"
      where company_id = $1 and organisation_id = $2 and ledger_integration_type = $3 and ledger_deleted_at is null and platform_id = wanted.name
      offset 0) named`;
  });
  const rows = await executeIn<NamedRow>(em, parts.join(' union all '), [
    company.ledgerId,
    organisationId,
    company.integrationType,
    ...[...wanted.values()].map((ids) => [...ids]),
  ]);
  const found = Map.groupBy(rows, ({ place }) => targets[place]!);
  return new Map(
    [...found].map(([target, ofTarget]) => {
      const named = Map.groupBy(ofTarget, (row) => row.platform_id);
      return [target, new Map([...named].map(([id, records]) => [id, records.map(namedRecord)]))];
    }),
  );
}

interface NamedRow {
  place: number;
  platform_id: string;
  ledger_id: string | number;
  parent_type: string | null;
  parent_id: string | number | null;
}

const namedRecord = ({ ledger_id, parent_type, parent_id }: NamedRow): NamedRecord => ({
  id: Number(ledger_id),
  parentType: parent_type,
  parentId: parent_id === null ? null : Number(parent_id),
});

/** The platform ids of records of the company by their numbers, by type; those of deleted records too. */
export async function readPlatformIds(
  em: EntityManager,
  { company, organisationId }: WriteScope,
  wanted: ReadonlyMap<RecordClass<LedgerRecord>, ReadonlySet<number>>,
): Promise<ReadonlyMap<RecordClass<LedgerRecord>, ReadonlyMap<number, string | null>>> {
  const targets = [...wanted.keys()];
  const parts = targets.map(
    (target, index) => `select ${index} as place, ledger_id, platform_id from "${modelOf(target).table}"
      where company_id = $1 and organisation_id = $2 and ledger_id = any($${index + 3}::bigint[])`,
  );
  const rows = await executeIn<Pick<NamedRow, 'place' | 'ledger_id'> & { platform_id: string | null }>(em, parts.join(' union all '), [
    company.ledgerId,
    organisationId,
    ...[...wanted.values()].map((numbers) => [...numbers]),
  ]);
  return new Map(
    [...Map.groupBy(rows, ({ place }) => targets[place]!)].map(([target, ofTarget]) => [
      target,
      new Map(ofTarget.map(({ ledger_id, platform_id }) => [Number(ledger_id), platform_id])),
    ]),
  );
}

/** An entry of an open reference, as it is stored. */
export interface OpenRow extends OpenEntry {
  recordId: number;
  dataModel: string;
  parentModel: string | null;
  parentId: number | null;
}

/** A property of a record that a write gave, and how many entries of it are kept. */
export interface GivenProperty {
  recordId: number;
  property: string;
  kept: number;
}

/**
 * Stores open references; entries of given properties beyond those that are kept are removed. The lookups are laterals with `offset 0`. Each is
 * therefore one in the index, also where the table was empty when its statistics were taken.
 */
export async function replaceOpen(
  em: EntityManager,
  { company, organisationId }: WriteScope,
  given: readonly GivenProperty[],
  rows: readonly OpenRow[],
): Promise<void> {
  const gone: Part = (bound) => {
    const [ofCompany, ofOrganisation] = [bound(company.ledgerId), bound(organisationId)];
    const records = bound(given.map(({ recordId }) => recordId));
    const properties = bound(given.map(({ property }) => property));
    return `delete from open_reference where company_id = ${ofCompany}::bigint and ctid = any(array(
      select entry.ctid from unnest(${records}::bigint[], ${properties}::text[], ${bound(given.map(({ kept }) => kept))}::int[]) as given(record_id, property, kept) cross join lateral (
        select o.ctid from open_reference o where o.company_id = ${ofCompany}::bigint and o.organisation_id = ${ofOrganisation}::bigint
          and o.record_id = given.record_id and o.property = given.property and o.position >= given.kept offset 0) entry))`;
  };
  const columns: NewColumn<OpenRow>[] = [
    { column: 'company_id', type: 'bigint', all: company.ledgerId },
    { column: 'organisation_id', type: 'bigint', all: organisationId },
    { column: 'integration_type', type: 'text', all: company.integrationType },
    { column: 'record_id', type: 'bigint', each: ({ recordId }) => recordId },
    { column: 'property', type: 'text', each: ({ property }) => property },
    { column: 'position', type: 'int', each: ({ position }) => position },
    { column: 'data_model', type: 'text', each: ({ dataModel }) => dataModel },
    { column: 'parent_model', type: 'text', each: ({ parentModel }) => parentModel },
    { column: 'parent_id', type: 'bigint', each: ({ parentId }) => parentId },
    { column: 'target_model', type: 'text', each: ({ targetModel }) => targetModel },
    { column: 'platform_id', type: 'text', each: ({ platformId }) => platformId },
    { column: 'is_open', type: 'boolean', each: ({ isOpen }) => isOpen },
  ];
  const rest = `on conflict (company_id, record_id, property, position) do update
      set integration_type = excluded.integration_type, target_model = excluded.target_model, platform_id = excluded.platform_id, is_open = excluded.is_open
      where (open_reference.platform_id, open_reference.is_open, open_reference.integration_type) is distinct from (excluded.platform_id, excluded.is_open, excluded.integration_type)`;
  const parts = [
    ...(given.length > 0 ? [gone] : []),
    ...(rows.length > 0 ? [newRows(em, { table: 'open_reference', rows, columns, rest })] : []),
  ];
  if (parts.length > 0) await executeParts(em, parts);
}

/** A record with an open reference. */
export interface WaitingRecord {
  recordId: number;
  dataModel: string;
  parentModel: string | null;
  parentId: number | null;
}

const WAITING = 'o.record_id as id, o.data_model, o.parent_model, o.parent_id';

/** The records that wait for one of some records, each given as its data model and platform id. */
export async function readWaitingFor(
  em: EntityManager,
  { company, organisationId }: WriteScope,
  arrived: readonly (readonly [dataModel: string, platformId: string])[],
  limit: number,
): Promise<WaitingRecord[]> {
  const rows = await executeIn<WaitingRow>(
    em,
    `select distinct w.* from unnest($4::text[], $5::text[]) as arrived(model, id) cross join lateral (
       select ${WAITING} from open_reference o
       where o.company_id = $1 and o.organisation_id = $2 and o.integration_type = $3 and o.is_open and o.target_model = arrived.model and o.platform_id = arrived.id
       order by o.record_id limit $6) w
     order by w.id limit $6`,
    [company.ledgerId, organisationId, company.integrationType, arrived.map(([model]) => model), arrived.map(([, id]) => id), limit],
  );
  return rows.map(waitingRecord);
}

/** The records after one that wait for records which are stored. */
export async function readWaiting(
  em: EntityManager,
  { company, organisationId }: WriteScope,
  targets: readonly RecordClass<LedgerRecord>[],
  after: number,
  limit: number,
): Promise<WaitingRecord[]> {
  // A `case` looks up each reference in the table it names; as alternatives the tables would be read whole.
  const cases = targets.map((target) => {
    const { table } = modelOf(target);
    return `when '${namesOf(target).dataModel}' then exists (select 1 from "${table}" t where t.company_id = o.company_id and t.organisation_id = o.organisation_id
      and t.platform_id = o.platform_id and t.ledger_integration_type = o.integration_type and t.ledger_deleted_at is null)`;
  });
  const rows = await executeIn<WaitingRow>(
    em,
    `select distinct ${WAITING} from open_reference o where o.company_id = $1 and o.organisation_id = $2 and o.integration_type = $3 and o.is_open and o.record_id > $4::bigint
       and case o.target_model ${cases.join(' ')} end
     order by o.record_id limit $5`,
    [company.ledgerId, organisationId, company.integrationType, after, limit],
  );
  return rows.map(waitingRecord);
}

interface WaitingRow {
  id: string | number;
  data_model: string;
  parent_model: string | null;
  parent_id: string | number | null;
}

const waitingRecord = ({ id, data_model, parent_model, parent_id }: WaitingRow): WaitingRecord => ({
  recordId: Number(id),
  dataModel: data_model,
  parentModel: parent_model,
  parentId: parent_id === null ? null : Number(parent_id),
});

/** The entries of the properties with an open reference of some records, in their order. */
export async function readOpen(
  em: EntityManager,
  { companyId, organisationId }: { companyId: number; organisationId: number },
  recordIds: readonly number[],
): Promise<{ recordId: number; property: string; platformId: string }[]> {
  const rows = await executeIn<{ id: string | number; property: string; platform_id: string }>(
    em,
    `select record_id as id, property, platform_id from open_reference
     where company_id = $1 and organisation_id = $2 and record_id = any($3::bigint[]) order by record_id, property, position`,
    [companyId, organisationId, recordIds],
  );
  return rows.map(({ id, property, platform_id }) => ({ recordId: Number(id), property, platformId: platform_id }));
}

/** Removes the open references of a record that stays deleted, and those of its children. */
export async function closeReferences(
  em: EntityManager,
  companyId: number,
  target: RecordClass<LedgerRecord>,
  ledgerId: number,
): Promise<void> {
  await executeIn(
    em,
    'delete from open_reference where company_id = $1 and (record_id = $2::bigint or (parent_model = $3 and parent_id = $2::bigint))',
    [companyId, ledgerId, namesOf(target).dataModel],
  );
}

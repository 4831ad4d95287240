// An organisation in which every record type and every relation has rows: those that callers make, and generated ones where they make none.
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { newId } from '../../src/records/ids.ts';
import { type KindName, kinds, type Model, modelOf, type Prop, propOf, type Relation } from '../../src/records/metadata.ts';
import { entities } from '../../src/registry.ts';
import type { Tenant } from '../suites/tenants.ts';
import type { Gateway } from './gateway.ts';
import { buildNestedData } from './nested-data.ts';

type Rows = Record<string, string>[];

/** A value of each kind as the text of a column. */
const samples: Record<KindName, (prop: Prop) => string> = {
  text: ({ name }) => name,
  country: () => 'DE',
  email: () => 'someone@example.com',
  url: () => 'https://example.com/',
  ipAddress: () => '192.0.2.1',
  uuid: () => '018f2f6e-0000-7000-8000-000000000000',
  id: () => newId('evt'),
  ledgerId: () => '1',
  integer: () => '1',
  amount: () => '1',
  flag: () => 'true',
  moment: () => '2026-03-01T10:20:30Z',
  date: () => '2026-03-01',
  json: () => '{}',
  object: () => '{}',
  list: () => '[]',
  namedValues: () => '[{"name": "region", "value": "North"}]',
  enumeration: ({ choices }) => Object.keys(choices!.values)[0]!,
  bytes: () => '\\x00',
};

/** The tables of one organisation, read and written as the owner of the database. */
class Tables {
  readonly #gateway: Gateway;
  readonly #organisationId: number;

  constructor(gateway: Gateway, organisationId: number) {
    this.#gateway = gateway;
    this.#organisationId = organisationId;
  }

  run(text: string, values: unknown[] = []): Promise<Rows> {
    return systemTransaction(this.#gateway.services.database, (em) => executeIn(em, text, values));
  }

  /** The record types: those of organisations, and the shared ones that the schema shows. */
  get models(): Model[] {
    const { schema } = this.#gateway.services;
    return entities.map(modelOf).filter(({ scope, name }) => scope === 'organisation' || schema.getType(name) !== undefined);
  }

  /** The condition that a row is of the organisation. */
  own({ props }: Model, alias: string): string {
    return props.has('organisationId') ? `${alias}.organisation_id = ${this.#organisationId}` : 'true';
  }

  async isEmpty(model: Model): Promise<boolean> {
    return (await this.run(`select 1 from "${model.table}" t where ${this.own(model, 't')} limit 1`)).length === 0;
  }

  /** The condition between the rows `s` of a record and `t` of its relation. */
  pairs(model: Model, { target, from, to, where }: Relation): string {
    const other = modelOf(target());
    const isOfCompany = model.companyProp !== undefined && model.companyColumn === other.companyColumn;
    return [
      `s.${propOf(model, from).column}::text = t.${propOf(other, to).column}::text`,
      ...(isOfCompany ? [`s.${model.companyColumn} = t.${model.companyColumn}`] : []),
      ...Object.entries(where ?? {}).map(([name, value]) => `t.${propOf(other, name).column} = '${value}'`),
      this.own(model, 's'),
      this.own(other, 't'),
    ].join(' and ');
  }

  async isUnrelated(model: Model, relation: Relation): Promise<boolean> {
    const { table } = modelOf(relation.target());
    return (await this.run(`select 1 from "${model.table}" s join "${table}" t on ${this.pairs(model, relation)} limit 1`)).length === 0;
  }

  async isUnset(model: Model, { column }: Prop): Promise<boolean> {
    const set = `t.${column} is not null and to_jsonb(t.${column}) <> '[]'`;
    return (await this.run(`select 1 from "${model.table}" t where ${this.own(model, 't')} and ${set} limit 1`)).length === 0;
  }

  /** A row with a value in every column; those of foreign keys are of a row that is there. */
  async fill(model: Model): Promise<void> {
    const values = new Map<string, string>();
    for (const prop of model.props.values()) if (!prop.sequence && !prop.sealed) values.set(prop.column, samples[prop.kind](prop));
    if (model.props.has('organisationId')) values.set('organisation_id', String(this.#organisationId));
    for (const row of await this.#foreignKeys(model)) for (const [column, value] of Object.entries(row)) values.set(column, value);
    const columns = [...values.keys()];
    const kindOf = (column: string): KindName => [...model.props.values()].find((prop) => prop.column === column)!.kind;
    const casts = columns.map((column, at) => `$${at + 1}::text::${kinds[kindOf(column)].column}`);
    await this.run(`insert into "${model.table}" (${columns.join(', ')}) values (${casts.join(', ')}) returning 1`, [...values.values()]);
  }

  /** The values of the columns of each foreign key of a table, of the newest row that they may name. */
  async #foreignKeys(model: Model): Promise<Rows> {
    const keys = await this.run(
      `select c.confrelid::regclass::text as target, string_agg(a.attname, ',' order by k.n) as columns, string_agg(b.attname, ',' order by k.n) as named
       from pg_constraint c cross join lateral unnest(c.conkey, c.confkey) with ordinality k(own, other, n)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.other
       where c.contype = 'f' and c.conrelid = $1::text::regclass group by c.oid, c.confrelid`,
      [`"${model.table}"`],
    );
    const found: Rows = [];
    for (const { target, columns, named } of keys) {
      const other = this.models.find(({ table }) => table === target!.replaceAll('"', ''));
      const selected = named!.split(',').map((column, at) => `t.${column}::text as ${columns!.split(',')[at]}`);
      const own = other ? this.own(other, 't') : 'true';
      found.push(
        ...(await this.run(`select ${selected.join(', ')} from ${target} t where ${own} order by ${selected.length} desc limit 1`)),
      );
    }
    return found;
  }

  /** Has a row of the record name one of the relation. */
  async relate(model: Model, { target, from, to }: Relation): Promise<void> {
    const other = modelOf(target());
    const [source, named] = [propOf(model, from).column, propOf(other, to).column];
    const isOfCompany = model.companyProp !== undefined && model.companyColumn === other.companyColumn;
    const on = [
      this.own(model, 's'),
      this.own(other, 't'),
      ...(isOfCompany ? [`s.${model.companyColumn} = t.${model.companyColumn}`] : []),
      ...(model === other ? ['s.ctid <> t.ctid'] : []),
    ];
    await this.run(
      `update "${model.table}" u set ${source} = pair.named from
         (select s.ctid as place, t.${named} as named from "${model.table}" s, "${other.table}" t where ${on.join(' and ')} limit 1) pair
       where u.ctid = pair.place returning 1`,
    );
  }

  /** Has the records name others in a list that none of them uses. */
  async list(model: Model, { column, target }: Prop): Promise<void> {
    const other = modelOf(target!());
    await this.run(
      `update "${model.table}" s set ${column} = jsonb_build_array((select max(t.ledger_id) from "${other.table}" t where t.company_id = s.company_id))
       where ${this.own(model, 's')} and exists (select 1 from "${other.table}" t where t.company_id = s.company_id) returning 1`,
    );
  }
}

const references = (model: Model): Prop[] => [...model.props.values()].filter(({ target, typedBy }) => target ?? typedBy);

/** What has no row: the names of record types, relations and references. */
export async function missingData(gateway: Gateway, organisationId: number): Promise<string[]> {
  const tables = new Tables(gateway, organisationId);
  const missing: string[] = [];
  for (const model of tables.models) {
    if (await tables.isEmpty(model)) missing.push(model.name);
    for (const relation of model.relations.values())
      if (await tables.isUnrelated(model, relation)) missing.push(`${model.name}.${relation.name}`);
    for (const prop of references(model)) if (await tables.isUnset(model, prop)) missing.push(`${model.name}.${prop.name}`);
  }
  return missing;
}

/** Makes the organisation. The background work of the gateway ends first, because generated rows are not work that it could do. */
export async function buildFullData(gateway: Gateway, name: string): Promise<Tenant> {
  const tenant = await buildNestedData(gateway, name);
  await gateway.stopWork();
  // Requests are stored some seconds after they ended. Until then the log of requests is empty and would be given a row that no request made.
  await gateway.storeRequests();
  const tables = new Tables(gateway, tenant.organisationId);
  for (const model of tables.models) if (await tables.isEmpty(model)) await tables.fill(model);
  for (const model of tables.models) {
    for (const relation of model.relations.values()) if (await tables.isUnrelated(model, relation)) await tables.relate(model, relation);
    for (const prop of references(model)) if (prop.kind === 'list' && (await tables.isUnset(model, prop))) await tables.list(model, prop);
  }
  return tenant;
}

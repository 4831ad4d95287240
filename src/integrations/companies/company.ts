// Companies: their table, GraphQL types and resolver, and the check that the caller may see a company, cached for five seconds.
import type { GraphQLResolveInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Arg, Args, Ctx, Extensions, Field, ID, Info, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { projectionOf, propOf } from '../../database/reader/projection.ts';
import {
  connectionOf,
  filterConditions,
  orderBy,
  type Page,
  type PageArguments,
  pageArguments,
  readConnection,
} from '../../graphql/connections.ts';
import { filterInput } from '../../graphql/input-types.ts';
import { exposeNode, Node } from '../../graphql/node.ts';
import { derived, enumeration, ledgerNumber, moment, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { emitConnection } from './connection-events.ts';

const PageOptions = pageArguments(100);

export const ConnectionStatus = defineEnum('ConnectionStatus', 'Whether a company is connected to its source system.', {
  ACTIVE: 'Connected; records can be written and pulled.',
  DISCONNECTED: 'Disconnected; stored records can be read.',
});

@record({
  description: 'A company whose accounting and commerce records are stored here.',
  scope: 'organisation',
  companyColumn: 'ledger_id',
  key: 'ledgerId',
  prefix: 'company',
  primaryKey: ['ledgerId'],
  unique: [{ name: 'company_organisation_key', columns: 'organisation_id, ledger_id' }],
  implements: Node,
})
export class Company {
  @derived(
    () => ID,
    'Global id: `company_` and the ledger id.',
    ['ledgerId'],
    (row) => ledgerGlobalId('company', row.ledgerId as unknown as number),
    { rest: 'never' },
  )
  id!: string;
  @ledgerNumber('Number of the company; the `companyId` of paths and arguments.', { required: true, write: 'never' })
  ledgerId!: number;
  @ledgerNumber('Organisation that owns the company.', { required: true, write: 'never', hidden: true })
  organisationId!: number;
  @text('Name of the company.', { required: true, filter: true, rules: { minLength: 1, maxLength: 255 } })
  name!: string;
  @text('Source system the company is connected to; records written through the API carry it.', {
    required: true,
    filter: true,
    rules: { pattern: /^[A-Z][A-Z0-9_]{0,63}$/, expectation: 'an upper snake case name such as XERO' },
  })
  integrationType!: string;
  @enumeration(ConnectionStatus, 'Whether it is connected to the source system.', { required: true, write: 'never' })
  connectionStatus!: string;
  @moment('When the company was created.', { required: true, write: 'never' })
  ledgerCreatedAt!: string;
  @moment('When the company last changed.', { required: true, write: 'never' })
  ledgerUpdatedAt!: string;
}
exposeNode('Company', 'INTEGRATIONS');

/** The fields of a company that the resolvers of its records read. */
export interface CompanyRow {
  id: string;
  ledgerId: number;
  name: string;
  integrationType: string;
  connectionStatus: string;
  ledgerCreatedAt: string;
  ledgerUpdatedAt: string;
}

/** Reads and writes may use a company cached up to this long ago: a company never changes its owner. */
const CACHE_MS = 5_000;
const caches = new WeakMap<object, LRUCache<string, { company: CompanyRow; until: number }>>();

/**
 * Returns the company with this number, without a promise when it is cached. Throws COMPANY_NOT_FOUND, which names the argument, when the
 * caller may not see it.
 */
export function companyOf(context: RequestContext, ledgerId: number, argument = 'companyId'): CompanyRow | Promise<CompanyRow> {
  const tenant = tenantOf(context);
  if (tenant.companyIds !== null && !tenant.companyIds.includes(ledgerId)) throw unknownCompany(ledgerId, argument);
  const { reader, clock } = context.services;
  let cache = caches.get(reader);
  if (!cache) {
    cache = new LRUCache({ max: 10_000 });
    caches.set(reader, cache);
  }
  const key = `${tenant.organisationId}:${ledgerId}`;
  const now = clock.now().getTime();
  const known = cache.get(key);
  if (known && known.until > now) return known.company;
  return readCompany(context, ledgerId, argument).then((company) => {
    cache.set(key, { company, until: now + CACHE_MS });
    return company;
  });
}

const unknownCompany = (ledgerId: number, field = 'companyId'): GatewayError =>
  new GatewayError('COMPANY_NOT_FOUND', `company ${ledgerId} was not found`, { field });

let companyProjection: ReturnType<typeof projectionOf> | undefined;

async function readCompany(context: RequestContext, ledgerId: number, argument: string): Promise<CompanyRow> {
  const model = modelOf(Company);
  companyProjection ??= projectionOf(model, [
    'ledgerId',
    'name',
    'integrationType',
    'connectionStatus',
    'ledgerCreatedAt',
    'ledgerUpdatedAt',
  ]);
  const row = await context.services.reader.row({
    projection: companyProjection,
    tenant: tenantOf(context),
    where: [{ prop: propOf(model, 'ledgerId'), operator: 'eq', value: ledgerId }],
    primary: context.primary,
  });
  if (!row) throw unknownCompany(ledgerId, argument);
  return { ...row, id: ledgerGlobalId('company', ledgerId) } as CompanyRow;
}

/**
 * Reads the company a transaction writes to and locks it, so that it stays connected until the transaction ends. Throws
 * CONNECTION_DISCONNECTED when it is disconnected already. Bypasses the cache, whose entries may be five seconds old.
 */
export async function connectedCompany(em: EntityManager, organisationId: number, ledgerId: number): Promise<CompanyRow> {
  const rows = await executeIn<CompanyRow & { ledgerId: string | number }>(
    em,
    `select ledger_id as "ledgerId", name, integration_type as "integrationType", connection_status as "connectionStatus", ledger_created_at as "ledgerCreatedAt",
       ledger_updated_at as "ledgerUpdatedAt" from company where organisation_id = $1 and ledger_id = $2 for share`,
    [organisationId, ledgerId],
  );
  if (!rows[0]) throw unknownCompany(ledgerId);
  if (rows[0].connectionStatus !== 'ACTIVE')
    throw new GatewayError('CONNECTION_DISCONNECTED', `company ${ledgerId} is not connected to a source system`, { field: 'companyId' });
  return { ...rows[0], id: ledgerGlobalId('company', ledgerId), ledgerId };
}

/** Drops a company from the cache after a change, so that this process answers with its current state. */
export function forgetCompany(context: RequestContext, ledgerId: number): void {
  caches.get(context.services.reader)?.delete(`${tenantOf(context).organisationId}:${ledgerId}`);
}

@InputType({ description: 'A company to create.' })
export class CreateCompanyInput {
  @Field(() => String, { description: 'Name of the company.' })
  @Extensions({ rules: modelOf(Company).props.get('name')!.rules })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Source system the company is connected to, such as XERO; SANDBOX when absent.' })
  @Extensions({ rules: modelOf(Company).props.get('integrationType')!.rules })
  integrationType?: string | null;
}

@ObjectType({ description: 'Result of `createCompany`.', simpleResolvers: true })
export class CreateCompanyPayload {
  @Field(() => Company, { description: 'The company.' }) company!: Company;
}

const CompanyFilter = filterInput(Company);
const CompanyConnection = connectionOf(Company);

@Resolver()
export class CompanyResolver {
  @access('INTEGRATIONS')
  @Query(() => Company, { nullable: true, description: 'The company with this number. COMPANY_NOT_FOUND when the key may see none.' })
  company(
    @Arg('id', () => PositiveInt, { description: 'Number of the company.' }) id: number,
    @Ctx() context: RequestContext,
  ): CompanyRow | Promise<CompanyRow> {
    return companyOf(context, id, 'id');
  }

  @access('INTEGRATIONS')
  @Query(() => CompanyConnection as never, { description: 'The companies the key may see, oldest first.' })
  companies(
    @Args(() => PageOptions) page: PageArguments,
    @Arg('filter', () => CompanyFilter, { nullable: true, description: 'Which companies to return.' }) filter: Record<string, never> | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const model = modelOf(Company);
    return readConnection(context, info, page, {
      model,
      list: 'companies',
      where: filterConditions(model, filter),
      filter,
      order: orderBy(model, [], false),
    });
  }

  @access('INTEGRATIONS')
  @Mutation(() => CreateCompanyPayload, { description: "Creates a company of the caller's organisation." })
  async createCompany(
    @Arg('input', () => CreateCompanyInput, { description: 'The company.' }) input: CreateCompanyInput,
    @Ctx() context: RequestContext,
  ): Promise<{ company: CompanyRow }> {
    const tenant = tenantOf(context);
    if (tenant.companyIds !== null) throw new GatewayError('FORBIDDEN', 'a key limited to some companies cannot create others');
    const now = context.services.clock.now().toISOString();
    const integrationType = input.integrationType ?? 'SANDBOX';
    const companyId = await transaction(context, async (em) => {
      const rows = await executeIn<{ ledger_id: string | number }>(
        em,
        `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
         values (nextval('company_id'), $1, $2, $3, 'ACTIVE', $4::timestamptz, $4::timestamptz) returning ledger_id`,
        [tenant.organisationId, input.name, integrationType, now],
      );
      const id = Number(rows[0]!.ledger_id);
      const source = { services: context.services, organisationId: tenant.organisationId, organisation: context.principal!.organisation };
      await emitConnection(em, source, { ledgerId: id, integrationType }, 'ACTIVE');
      return id;
    });
    return { company: await readCompany(context, companyId, 'companyId') };
  }
}

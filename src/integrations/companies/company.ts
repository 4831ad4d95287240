// Companies: their table, GraphQL types and resolver, and the check that the caller may see a company, cached for five seconds.
import { LockMode, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Arg, Ctx, Extensions, Field, FieldResolver, ID, Info, Int, ObjectType, Resolver } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { type RequestContext, type Services, scopeOf, tenantOf } from '../../access/context.ts';
import { requireQuota } from '../../access/quotas.ts';
import { transaction } from '../../access/transaction.ts';
import { Viewer } from '../../administration/viewer.ts';
import type { EntityManager } from '../../database/open.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { argument, mutation, query, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { listField, summaryField } from '../../graphql/declared/record-reads.ts';
import { createInput, updateInput } from '../../graphql/input-types.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { Node } from '../../graphql/node.ts';
import { accept } from '../../records/checked.ts';
import { derived, enumeration, ledgerNumber, list, moment, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError, invalid, missing } from '../../records/errors.ts';
import { checkChange, checkNew, differing, type Given } from '../../records/fields.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { modelOf, type StoredRecord } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { atMost, CacheKey } from '../../runtime/caches.ts';
import { lockedCompany } from './company.statements.ts';
import { emitConnection } from './connection-events.ts';

export const ConnectionStatus = defineEnum('ConnectionStatus', 'Whether a company is connected to its source system.', {
  ACTIVE: 'Connected; records can be written and pulled.',
  DISCONNECTED: 'Disconnected; stored records can be read.',
});

@record({
  description: 'A company with its accounting and commerce records.',
  scope: 'organisation',
  companyColumn: 'ledger_id',
  key: 'ledgerId',
  prefix: 'company',
  notFound: 'COMPANY_NOT_FOUND',
  listed: true,
  deletedAt: 'removedAt',
  unique: [{ name: 'company_organisation_key', columns: 'organisation_id, ledger_id' }],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class Company {
  [PrimaryKeyProp]?: 'ledgerId';
  @derived(
    () => ID,
    'Global id: `company_` and the `ledgerId`.',
    ['ledgerId'],
    (row) => ledgerGlobalId('company', row.ledgerId),
    { rest: 'never' },
  )
  id!: Opt<string>;
  @ledgerNumber('Number of the company: `companyId` in paths and arguments.', {
    required: true,
    write: 'never',
    sequence: 'company_id',
  })
  ledgerId!: number;
  @ledgerNumber('Organisation that owns the company.', { required: true, write: 'never', hidden: true })
  organisationId!: number;
  @text('Name of the company.', { required: true, list: 'indexed', search: true, rules: { minLength: 1, maxLength: 255 } })
  name!: string;
  @text('Source system of the company; records written through the API carry it too.', {
    required: true,
    write: 'create',
    list: 'indexed',
    fallback: 'SANDBOX',
    createDescription: 'Source system of the company, such as XERO; default SANDBOX.',
    rules: { pattern: /^[A-Z][A-Z0-9_]{0,63}$/, expectation: 'an upper snake case name such as XERO' },
  })
  integrationType!: string;
  @enumeration(ConnectionStatus, 'Whether the company is connected to its source system.', { required: true, write: 'never' })
  connectionStatus!: string;
  @moment('When the company was created.', { required: true, write: 'never' })
  ledgerCreatedAt!: Date;
  @moment('When the company last changed.', { required: true, write: 'never' })
  ledgerUpdatedAt!: Date;
  @list(() => String, 'Data models whose records are sent to its source; null for none.', { write: 'never', hidden: true })
  pushedModels!: string[] | null;
  @moment('When it was removed; its rows follow in the background.', { write: 'never', hidden: true })
  removedAt!: Date | null;
}

/** The properties of a company that the resolvers of its records read. */
const COMPANY_PROPS = [
  'ledgerId',
  'name',
  'integrationType',
  'connectionStatus',
  'ledgerCreatedAt',
  'ledgerUpdatedAt',
  'pushedModels',
] as const;

/** A company as those resolvers get it, with its global id. */
export type CompanyRow = StoredRecord<Company, 'id' | (typeof COMPANY_PROPS)[number]>;

/**
 * Reads and writes may use a company cached up to this long ago: a company never changes its owner, and every process is notified of a new name or a
 * removal.
 */
const CACHE_MS = 5_000;
const companies = new CacheKey<Services, LRUCache<string, { company: CompanyRow; until: number }>>('companies', ({ notifications }) => {
  const cache: LRUCache<string, { company: CompanyRow; until: number }> = new LRUCache(atMost(10_000));
  // A name that changed, or a company that was removed by another process.
  notifications.subscribe(CHANNEL, (changed) => (changed === undefined ? cache.clear() : cache.delete(changed)));
  return cache;
});

const CHANNEL = 'company';

const cacheKey = (organisationId: number, ledgerId: number): string => `${organisationId}:${ledgerId}`;

/** Drops a company from the cache of every process after the transaction of its change commits. */
export const announceChange = (
  em: EntityManager,
  { notifications }: Services,
  { organisationId, ledgerId }: Pick<Company, 'organisationId' | 'ledgerId'>,
): void => notifications.announce(em, CHANNEL, cacheKey(organisationId, ledgerId));

/**
 * Returns the company with this number, without a promise when it is cached. Throws COMPANY_NOT_FOUND, which names the argument, when the
 * caller may not see it.
 */
export function companyOf(context: RequestContext, ledgerId: number, argument = 'companyId'): CompanyRow | Promise<CompanyRow> {
  const tenant = tenantOf(context);
  if (tenant.companyIds !== null && !tenant.companyIds.includes(ledgerId)) throw notFound(Company, ledgerId, argument);
  const { caches, clock } = context.services;
  const cache = caches.of(companies);
  const key = cacheKey(tenant.organisationId, ledgerId);
  const now = clock.now().getTime();
  const known = cache.get(key);
  if (known && known.until > now) return known.company;
  return readCompany(context, ledgerId, argument).then((company) => {
    cache.set(key, { company, until: now + CACHE_MS });
    return company;
  });
}

async function readCompany(context: RequestContext, ledgerId: number, argument: string): Promise<CompanyRow> {
  const company = await context.services.reader.one(Company, { ledgerId }, COMPANY_PROPS, scopeOf(context));
  if (!company) throw notFound(Company, ledgerId, argument);
  return withId(company);
}

const withId = (company: Omit<CompanyRow, 'id'>): CompanyRow => ({ ...company, id: ledgerGlobalId('company', company.ledgerId) });

/**
 * Reads the company a transaction writes to and locks it, so that it stays connected until the transaction ends. Throws
 * CONNECTION_DISCONNECTED when it is disconnected already. Bypasses the cache, whose entries may be five seconds old.
 */
export async function connectedCompany(em: EntityManager, organisationId: number, ledgerId: number): Promise<CompanyRow> {
  const company = await lockedCompany(em, modelOf(Company), organisationId, ledgerId, COMPANY_PROPS);
  if (!company) throw notFound(Company, ledgerId, 'companyId');
  if (company.connectionStatus !== 'ACTIVE')
    throw new GatewayError('CONNECTION_DISCONNECTED', `company ${ledgerId} is not connected to a source system`, { field: 'companyId' });
  return withId(company);
}

/** Drops a company from the cache after a change, so that this process returns its current state. */
export function forgetCompany(context: RequestContext, ledgerId: number): void {
  context.services.caches.of(companies).delete(cacheKey(tenantOf(context).organisationId, ledgerId));
}

export const CreateCompanyInput = createInput(Company, 'A company to create.', { trims: false });
export const UpdateCompanyInput = updateInput(Company, 'Fields of a company to change.', { trims: false });

@ObjectType({ description: 'Result of `createCompany`.', simpleResolvers: true })
export class CreateCompanyPayload {
  @Field(() => Company, { description: 'Company as stored.' }) company!: Company;
}

@ObjectType({ description: 'Result of `updateCompany`.', simpleResolvers: true })
export class UpdateCompanyPayload {
  @Field(() => Company, { description: 'The stored company.' }) company!: Company;
}

const roles = ['INTEGRATIONS'] as const;
const companyNumber = recordNumber(() => Company, 'Id of the company.');

export const CompanyResolver = resolver({
  company: query(() => Company, { roles, nullable: true })(
    'Company with this id or number. COMPANY_NOT_FOUND if you cannot read it.',
    { id: companyNumber },
    ({ id }, { context }) => companyOf(context, id, 'id'),
  ),
  companies: listField(Company, { roles, description: 'Companies that the key can read, oldest first.', order: { by: [] }, size: 100 }),
  companiesSummary: summaryField(Company, {
    roles,
    description: 'Counts and extremes of the companies that the key can read, in groups.',
  }),
  createCompany: mutation(() => CreateCompanyPayload, { roles })(
    "Creates a company of the caller's organisation.",
    { input: argument<Given<Company>>(() => CreateCompanyInput, 'The company.') },
    async ({ input }, { context }) => {
      const tenant = tenantOf(context);
      if (tenant.companyIds !== null) throw new GatewayError('FORBIDDEN', 'a key limited to some companies cannot create others');
      const { organisationId } = tenant;
      const source = { services: context.services, organisationId, organisation: context.principal!.organisation };
      const now = context.services.clock.now();
      const { name, integrationType } = accept(checkNew(Company, input), 'input.');
      const companyId = await transaction(context, async (em) => {
        await requireQuota(em, context.services.config, organisationId, 'companies');
        const company = em.create(Company, {
          organisationId,
          name,
          integrationType,
          connectionStatus: 'ACTIVE',
          ledgerCreatedAt: now,
          ledgerUpdatedAt: now,
        });
        await em.flush();
        emitConnection(em, source, company, 'ACTIVE');
        return company.ledgerId;
      });
      return { company: await readCompany(context, companyId, 'companyId') };
    },
  ),
  updateCompany: mutation(() => UpdateCompanyPayload, { roles })(
    'Renames a company; `connectCompany` changes its source system. COMPANY_NOT_FOUND if you cannot read it.',
    { id: companyNumber, input: argument<Given<Company>>(() => UpdateCompanyInput, 'The fields to change.') },
    async ({ id, input }, { context }) => {
      await companyOf(context, id, 'id');
      const { services } = context;
      if (Object.keys(input).length === 0) throw missing('input', 'at least one field to change is required');
      await transaction(context, async (em) => {
        const stored = await em.findOne(Company, { ledgerId: id, removedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (!stored) throw notFound(Company, id, 'id');
        const changed = differing(accept(checkChange(Company, input, stored), 'input.'), stored);
        if (Object.keys(changed).length === 0) {
          auditRecords(em, [{ id: ledgerGlobalId('company', id) }]);
          return;
        }
        em.assign(stored, { ...changed, ledgerUpdatedAt: services.clock.now() });
        announceChange(em, services, { organisationId: tenantOf(context).organisationId, ledgerId: id });
      });
      forgetCompany(context, id);
      return { company: await readCompany(context, id, 'id') };
    },
  ),
});

/** Most companies that a caller is shown at once; `companies` lists all. */
const MAX_OF_VIEWER = 1_000;

@Resolver(() => Viewer)
export class ViewerCompaniesResolver {
  @FieldResolver(() => [Company], {
    description: `Companies whose records the caller can read, oldest first, at most ${MAX_OF_VIEWER}; empty without the role INTEGRATIONS.`,
  })
  @Extensions({ size: MAX_OF_VIEWER })
  async companies(
    @Arg('first', () => Int, {
      nullable: true,
      description: `Maximum number of companies, 1 to ${MAX_OF_VIEWER}; default all. The cost of the query counts this number.`,
    })
    first: number | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row[]> {
    const limit = first ?? MAX_OF_VIEWER;
    if (limit < 1 || limit > MAX_OF_VIEWER) throw invalid('first', `first must be an integer from 1 to ${MAX_OF_VIEWER}`, 'OUT_OF_RANGE');
    const { roles, organisationId } = context.principal!;
    if (!roles.has('INTEGRATIONS') || organisationId === null) return [];
    const projection = projectionFor(modelOf(Company), lookAhead(info));
    return context.services.reader.findRows(projection, { where: {}, order: { by: [] }, limit }, scopeOf(context));
  }
}

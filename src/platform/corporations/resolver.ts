// Operations on corporations.
import { LockMode } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import type { TopicName } from '../../events/topics.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { readSummary, type Summary } from '../../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../../graphql/summaries/summary-types.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { checkNew, differing, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { emit, recordEvent } from '../shared/event-data.ts';
import { ownerOf } from '../shared/organisation.ts';
import { acceptedWithWarnings, payloadOf, readBack, requireChange, type Written, withUnique } from '../shared/payloads.ts';
import { lockRecord } from '../shared/transitions.ts';
import { enqueueNexus, requireCompanies } from './companies.ts';
import { archiveDependants, hasRegistration } from './corporation.statements.ts';
import { Corporation, CreateCorporationInput, UpdateCorporationInput } from './corporation.ts';
import { checkCorporationChange } from './rules.ts';

const PageOptions = pageArguments(10);

const CorporationConnection = connectionOf(Corporation);
const CorporationTotals = summaryOf(Corporation);
const CreatePayload = payloadOf(Corporation, 'createCorporation', 'corporation', { warnings: true });
const UpdatePayload = payloadOf(Corporation, 'updateCorporation', 'corporation', { warnings: true });
const DeletePayload = payloadOf(Corporation, 'deleteCorporation', 'corporation');

/** A corporation, locked so that nobody can archive it before the transaction ends; CORPORATION_NOT_FOUND when there is none. */
export const shareLockCorporation = (em: EntityManager, organisationId: number, id: string, field: string): Promise<Corporation> =>
  lockRecord(em, Corporation, { organisationId, id, archivedAt: null }, { id, field }, LockMode.PESSIMISTIC_READ);

/** Which of these corporations the organisation has; they cannot be archived until the transaction ends. */
export async function shareLockCorporations(
  em: EntityManager,
  organisationId: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await em.find(
    Corporation,
    { organisationId, id: { $in: [...ids] }, archivedAt: null },
    { fields: ['id'], orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_READ },
  );
  return new Set(found.map(({ id }) => id));
}

const duplicate = (field: string): GatewayError => {
  const message = `${field} belongs to another corporation`;
  return new GatewayError('RECORD_ALREADY_EXISTS', message, {
    field: `input.${field}`,
    issues: [{ field: `input.${field}`, code: 'DUPLICATE', message }],
  });
};
const uniqueErrors = {
  corporation_external_id_key: () => duplicate('externalId'),
  corporation_email_alias_key: () => duplicate('emailAlias'),
};

/** The live corporation, locked for a change. */
const lockCorporation = (em: EntityManager, id: string): Promise<Corporation> =>
  lockRecord(em, Corporation, { id, archivedAt: null }, { id, field: 'id' });

const emitCorporation = (em: EntityManager, context: RequestContext, topic: TopicName, id: string): void =>
  emit(em, context, recordEvent(em, context.services, tenantOf(context).organisationId, topic, Corporation, id));

/** Lets a corporation name companies; null and undefined name none. */
async function nameCompanies(context: RequestContext, em: EntityManager, id: string, companyIds?: number[] | null): Promise<void> {
  if (!companyIds) return;
  await requireCompanies(context, em, companyIds);
  enqueueNexus(em, context.services, { organisationId: tenantOf(context).organisationId, corporationId: id });
}

/** Creates a corporation; returns its id and the warnings about its input. */
export function createCorporation(context: RequestContext, input: Given<Corporation>): Promise<Written> {
  const { value: fields, warnings } = acceptedWithWarnings(checkNew(Corporation, input));
  const { organisationId } = tenantOf(context);
  const now = context.services.clock.now();
  const id = newId('corp');
  return withUnique(uniqueErrors, () =>
    transaction(context, async (em) => {
      em.persist(em.create(Corporation, { ...fields, id, organisationId, createdAt: now, updatedAt: now }));
      await nameCompanies(context, em, id, fields.companyIds);
      emitCorporation(em, context, 'CORPORATIONS.CREATED', id);
      return { id, warnings };
    }),
  );
}

/** Throws when the corporation has a registration, because its jurisdiction is then fixed. */
async function requireUnregistered(em: EntityManager, id: string): Promise<void> {
  if (await hasRegistration(em, id))
    throw invalid('input.jurisdiction', 'jurisdiction cannot change once the corporation has a registration');
}

@Resolver(() => Corporation)
export class CorporationResolver {
  @needs(Corporation, 'organisationId')
  @FieldResolver(() => ID, { description: 'Organisation that owns the corporation: the sales tax partner.' })
  organizationId(
    @Root() row: { organisationId: number },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): string | Promise<string> {
    return ownerOf(context, info, row);
  }

  @access('PLATFORM')
  @Query(() => Corporation, { nullable: true, description: 'Corporation with this id. CORPORATION_NOT_FOUND if there is none.' })
  corporation(
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, Corporation, { id }, { id, field: 'id' });
  }

  @access('PLATFORM')
  @Query(() => CorporationConnection, { description: 'The corporations of the organisation, newest first.' })
  corporations(
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(Corporation) filter: FilterInput | null,
    @OrderArg(Corporation) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const order = { by: ['createdAt'] as const, descending: true };
    return readConnection(context, info, page, { record: Corporation, list: 'corporations', filter, orderBy, order });
  }

  @access('PLATFORM')
  @Query(() => CorporationTotals.type, { description: 'Counts, sums and extremes of the corporations of the organisation, in groups.' })
  @Extensions(PRICED)
  corporationsSummary(
    @Args(() => CorporationTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    return readSummary(context, info, args, { record: Corporation });
  }

  @access('PLATFORM')
  @Mutation(() => CreatePayload, { description: 'Creates a corporation.' })
  @Extensions({ bulk: 'createCorporations' })
  async createCorporation(
    @Arg('input', () => CreateCorporationInput, { description: 'The corporation.' }) input: Given<Corporation>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { id, warnings } = await createCorporation(context, input);
    return { corporation: await readBack(context, info, Corporation, 'corporation', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => UpdatePayload, { description: 'Updates the given fields of a corporation.' })
  @Extensions({ bulk: 'updateCorporations' })
  async updateCorporation(
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) id: string,
    @Arg('input', () => UpdateCorporationInput, { description: 'The fields to change.' }) input: Given<Corporation>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    requireChange(input);
    const warnings = await withUnique(uniqueErrors, () =>
      transaction(context, async (em) => {
        const stored = await lockCorporation(em, id);
        const { value: fields, warnings } = acceptedWithWarnings(checkCorporationChange(input, stored));
        const { jurisdiction } = fields;
        if (jurisdiction !== undefined && jurisdiction !== stored.jurisdiction) await requireUnregistered(em, id);
        const changed = differing(fields, stored);
        if (Object.keys(changed).length === 0) {
          auditRecords(em, [{ id }]);
          return warnings;
        }
        await nameCompanies(context, em, id, changed.companyIds);
        em.assign(stored, { ...changed, updatedAt: context.services.clock.now() }, { mergeObjectProperties: false });
        emitCorporation(em, context, 'CORPORATIONS.UPDATED', id);
        return warnings;
      }),
    );
    return { corporation: await readBack(context, info, Corporation, 'corporation', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => DeletePayload, { description: 'Archives a corporation with its products and registrations.' })
  @Extensions({ bulk: 'deleteCorporations' })
  async deleteCorporation(
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = tenantOf(context);
    await transaction(context, async (em) => {
      const now = context.services.clock.now();
      const stored = await lockCorporation(em, id);
      em.assign(stored, { archivedAt: now, updatedAt: now });
      await archiveDependants(em, organisationId, id, now);
      emitCorporation(em, context, 'CORPORATIONS.DELETED', id);
    });
    return { corporation: await readBack(context, info, Corporation, 'corporation', id) };
  }
}

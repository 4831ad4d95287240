// Operations on corporations.
import { LockMode } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { type Row, resolverNeeds } from '../../database/reader/projection.ts';
import type { TopicName } from '../../events/topics.ts';
import { connectionOf, orderBy, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { allModels, modelOf } from '../../records/metadata.ts';
import { emit, recordEvent } from '../shared/event-data.ts';
import { ownerOf } from '../shared/organisation.ts';
import { accepted, payloadOf, readBack, requireChange, withUnique } from '../shared/payloads.ts';
import { Corporation, CreateCorporationInput, UpdateCorporationInput } from './corporation.ts';
import { checkCorporation } from './rules.ts';

const PageOptions = pageArguments(10);

const model = modelOf(Corporation);
const CorporationConnection = connectionOf(Corporation);
const CreatePayload = payloadOf(Corporation, 'createCorporation', 'corporation', { warnings: true });
const UpdatePayload = payloadOf(Corporation, 'updateCorporation', 'corporation', { warnings: true });
const DeletePayload = payloadOf(Corporation, 'deleteCorporation', 'corporation');
resolverNeeds('Corporation', 'organizationId', ['organisationId']);

/** CORPORATION_NOT_FOUND, the same for an unknown id, an archived corporation and one of another organisation. */
export const corporationNotFound = (field: string): GatewayError => {
  const message = 'no such corporation';
  return new GatewayError('CORPORATION_NOT_FOUND', message, { field, issues: [{ field, code: 'NOT_FOUND', message }] });
};

/** Locks a corporation, so that nobody can archive it before the transaction ends; CORPORATION_NOT_FOUND when there is none. */
export async function shareLockCorporation(em: EntityManager, organisation: number, id: string, field: string): Promise<void> {
  const rows = await executeIn(em, 'select 1 from corporation where organisation_id = $1 and id = $2 and archived_at is null for share', [
    organisation,
    id,
  ]);
  if (rows.length === 0) throw corporationNotFound(field);
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

/** Archives the records of a corporation: the rows of every record type with a `corporationId`. */
async function archiveDependants(em: EntityManager, organisation: number, id: string, now: Date): Promise<void> {
  for (const { table, props, deletedAt } of allModels()) {
    if (props.get('corporationId')?.kind !== 'id' || !deletedAt) continue;
    const { column } = props.get(deletedAt)!;
    await executeIn(
      em,
      `update "${table}" set ${column} = $3::timestamptz where organisation_id = $1 and corporation_id = $2 and ${column} is null`,
      [organisation, id, now.toISOString()],
    );
  }
}

/** The live corporation, locked for a change. */
async function lockCorporation(em: EntityManager, id: string): Promise<Corporation> {
  const found = await em.findOne(Corporation, { id, archivedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw corporationNotFound('id');
  return found;
}

const emitCorporation = (em: EntityManager, context: RequestContext, topic: TopicName, id: string): Promise<void> =>
  emit(em, context, recordEvent(em, context.services, tenantOf(context).organisationId, topic, Corporation, id));

/** Creates a corporation; returns its id and the warnings about its input. */
export function createCorporation(context: RequestContext, input: Record<string, unknown>): Promise<{ id: string; warnings: string[] }> {
  const { fields, warnings } = accepted(checkCorporation(input, null));
  const { organisationId } = tenantOf(context);
  const now = context.services.clock.now();
  const id = newId('corp');
  return withUnique(uniqueErrors, () =>
    transaction(context, async (em) => {
      const values = { ...fields, taxIds: fields.taxIds ?? [], id, organisationId, createdAt: now, updatedAt: now };
      em.persist(em.create(Corporation, values as never));
      await emitCorporation(em, context, 'CORPORATIONS.CREATED', id);
      return { id, warnings };
    }),
  );
}

/** Throws when the corporation has a registration, because its jurisdiction is then fixed. */
async function requireUnregistered(em: EntityManager, id: string): Promise<void> {
  const rows = await executeIn(em, 'select 1 from registration where corporation_id = $1 limit 1', [id]);
  if (rows.length > 0) throw invalid('input.jurisdiction', 'jurisdiction cannot change once the corporation has a registration');
}

@Resolver(() => Corporation)
export class CorporationResolver {
  @FieldResolver(() => ID, { description: 'Organisation the corporation belongs to: the sales tax partner.' })
  organizationId(@Root() row: { organisationId: number }, @Ctx() context: RequestContext): string | Promise<string> {
    return ownerOf(context, row);
  }

  @access('PLATFORM')
  @Query(() => Corporation, { nullable: true, description: 'The corporation with this id. CORPORATION_NOT_FOUND when there is none.' })
  corporation(
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, model, { id }, () => corporationNotFound('id'));
  }

  @access('PLATFORM')
  @Query(() => CorporationConnection as never, { description: 'The corporations of the organisation, newest first.' })
  corporations(
    @Args(() => PageOptions) page: PageArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const order = orderBy(model, ['createdAt'], true);
    return readConnection(context, info, page, { model, list: 'corporations', where: [], order });
  }

  @access('PLATFORM')
  @Mutation(() => CreatePayload as never, { description: 'Creates a corporation.' })
  async createCorporation(
    @Arg('input', () => CreateCorporationInput, { description: 'The corporation.' }) input: Record<string, unknown>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { id, warnings } = await createCorporation(context, input);
    return { corporation: await readBack(context, info, Corporation, 'corporation', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => UpdatePayload as never, { description: 'Changes the given fields of a corporation.' })
  async updateCorporation(
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) id: string,
    @Arg('input', () => UpdateCorporationInput, { description: 'The fields to change.' }) input: Record<string, unknown>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    requireChange(input);
    const warnings = await withUnique(uniqueErrors, () =>
      transaction(context, async (em) => {
        const stored = await lockCorporation(em, id);
        const checked = accepted(checkCorporation(input, stored));
        const { jurisdiction } = checked.fields;
        if (jurisdiction !== undefined && jurisdiction !== stored.jurisdiction) await requireUnregistered(em, id);
        const { taxIds, ...fields } = checked.fields;
        em.assign(
          stored,
          { ...fields, ...(taxIds === undefined ? {} : { taxIds: taxIds ?? [] }), updatedAt: context.services.clock.now() } as never,
          { mergeObjectProperties: false },
        );
        await emitCorporation(em, context, 'CORPORATIONS.UPDATED', id);
        return checked.warnings;
      }),
    );
    return { corporation: await readBack(context, info, Corporation, 'corporation', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => DeletePayload as never, { description: 'Archives a corporation with its products and registrations.' })
  async deleteCorporation(
    @Arg('id', () => ID, { description: 'Id of the corporation.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = tenantOf(context);
    await transaction(context, async (em) => {
      const now = context.services.clock.now();
      const stored = await lockCorporation(em, id);
      em.assign(stored, { archivedAt: now, updatedAt: now } as never);
      await archiveDependants(em, organisationId, id, now);
      await emitCorporation(em, context, 'CORPORATIONS.DELETED', id);
    });
    return { corporation: await readBack(context, info, Corporation, 'corporation', id) };
  }
}

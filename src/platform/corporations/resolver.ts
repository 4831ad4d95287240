// Operations on corporations.
import { LockMode } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { needs } from '../../database/reader/projection.ts';
import type { NewEvent } from '../../events/events.ts';
import { invalid } from '../../records/errors.ts';
import { recordEvents } from '../shared/event-data.ts';
import { ownerOf } from '../shared/organisation.ts';
import { knownTopicOf, resource } from '../shared/resource.ts';
import { lockRecord } from '../shared/transitions.ts';
import { enqueueNexus, requireCompanies } from './companies.ts';
import { archiveDependants, hasRegistration } from './corporation.statements.ts';
import { Corporation } from './corporation.ts';
import { checkCorporationChange } from './rules.ts';

/** A corporation, locked so that it cannot be archived before the transaction ends; CORPORATION_NOT_FOUND if it does not exist. */
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

/** Throws when the corporation has a registration, because its jurisdiction is then fixed. */
async function requireUnregistered(em: EntityManager, id: string): Promise<void> {
  if (await hasRegistration(em, id))
    throw invalid('input.jurisdiction', 'jurisdiction cannot change once the corporation has a registration');
}

/** Archives the records of a corporation; returns the events of those whose deletion has a topic. */
async function archiveWithEvents(
  em: EntityManager,
  { services }: RequestContext,
  corporation: Corporation,
  now: Date,
): Promise<NewEvent[]> {
  const archived = await archiveDependants(em, corporation, now);
  return archived.flatMap(([record, changed]) => {
    const known = knownTopicOf(record, 'DELETED');
    return known ? recordEvents(em, services, corporation.organisationId, known.topic, record, changed) : [];
  });
}

export const corporations = resource(Corporation, {
  roles: ['PLATFORM'],
  events: ['CREATED', 'UPDATED', 'DELETED'],
  rules: () => ({ change: checkCorporationChange }),
  saving: async ({ em, context, id, stored, fields }) => {
    if (stored && fields.jurisdiction !== undefined) await requireUnregistered(em, id);
    if (fields.companyIds) {
      await requireCompanies(context, em, fields.companyIds);
      enqueueNexus(em, context.services, { organisationId: tenantOf(context).organisationId, corporationId: id });
    }
    return [];
  },
  removed: archiveWithEvents,
  texts: {
    summary: 'Counts, sums and extremes of the corporations of the organisation, in groups.',
    remove: 'Archives a corporation with its products and registrations.',
  },
});

@Resolver(() => Corporation)
export class CorporationOwnerResolver {
  @needs(Corporation, 'organisationId')
  @FieldResolver(() => ID, { description: 'Organisation that owns the corporation: the sales tax partner.' })
  organizationId(
    @Root() row: { organisationId: number },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): string | Promise<string> {
    return ownerOf(context, info, row);
  }
}

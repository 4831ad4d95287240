// Operations on incorporation requests for their organisation: creation, reads, the re-issue of the form link.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { operate, reasonArgument } from '../../administration/operator-transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import type { FieldTree } from '../../database/reader/field-tree.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { loadRecord } from '../../graphql/graph/record-loader.ts';
import { createInput } from '../../graphql/input-types.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { readSummary, type Summary } from '../../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../../graphql/summaries/summary-types.ts';
import { accept, memberOf } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import { checkNew, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { JSONObject, URLScalar } from '../../records/scalars.ts';
import { showsSecret } from '../../records/schema-extensions.ts';
import { BusinessEntity } from '../business-entities/business-entity.ts';
import { offeredType } from '../entity-forms/entity-type.ts';
import { checkCorporationTypeInfo, formOfRequest, typeNameOf } from '../shared/corporation-types.ts';
import { payloadOf } from '../shared/payloads.ts';
import { formLink, type LinkFacts, newLink, reissueLink } from './form-link.ts';
import { IncorporationRequest, isOpen, lockRequest } from './request.ts';
import { CorporationTypeInput } from './type-input.ts';

const PageOptions = pageArguments(10);

/** A request as its organisation sees it, the caller's when absent. */
const readRequest = async (context: RequestContext, id: string, tree: FieldTree | undefined, organisationId?: number): Promise<Row> =>
  tree ? ownRecord(context, tree, IncorporationRequest, { id }, { id, field: 'id' }, scopeOf(context, organisationId)) : {};

/** The payload of a mutation on a request. */
export const readPayload = async (
  context: RequestContext,
  info: GraphQLResolveInfo,
  id: string,
  organisationId?: number,
): Promise<Row> => ({
  incorporationRequest: await readRequest(context, id, lookAhead(info).fields.get('incorporationRequest'), organisationId),
});

export const CreateIncorporationRequestInput = createInput(IncorporationRequest, 'A company to form.', {
  more: [
    {
      name: 'corporationTypeInfo',
      type: () => JSONObject,
      nullable: false,
      description:
        'One entry with the country as its key, with `state` and `corporationType`: a name, ISO 20275 code or local abbreviation.',
      supersededBy: 'corporationType',
    },
    {
      name: 'corporationType',
      type: () => CorporationTypeInput,
      nullable: true,
      description: 'Corporation type to form. Required unless the deprecated `corporationTypeInfo` is present.',
      graphqlOnly: true,
    },
  ],
});

const CreatePayload = payloadOf(IncorporationRequest, 'createIncorporationRequest', 'incorporationRequest');
const ReissuePayload = payloadOf(IncorporationRequest, 'reissueIncorporationLink', 'incorporationRequest');
const IncorporationRequestConnection = connectionOf(IncorporationRequest);
const IncorporationRequestTotals = summaryOf(IncorporationRequest);

/** The entry of the country with the type by its name in requests, where the caller wrote the ISO 20275 code or the abbreviation. */
function withRequestName(country: unknown, info: unknown): unknown {
  const entry = typeof country === 'string' ? memberOf(info, country) : undefined;
  const written = memberOf(entry, 'corporationType');
  if (typeof country !== 'string' || typeof written !== 'string' || formOfRequest(country, written.trim())) return info;
  const state = memberOf(entry, 'state');
  const offered = offeredType(country, typeof state === 'string' ? state.trim() : null, written);
  return offered ? { ...(info as object), [country]: { ...(entry as object), corporationType: offered.request } } : info;
}

/** Country, state and type of a new request; CORPORATION_TYPE_MISMATCH when there is not exactly one entry, that of the country. */
function typeOf({ country, corporationType, corporationTypeInfo }: Given<IncorporationRequest>) {
  if (corporationType != null && corporationTypeInfo != null)
    throw invalid('input.corporationTypeInfo', 'corporationTypeInfo stands beside corporationType, which takes its place', 'MISMATCH');
  const checked =
    corporationTypeInfo == null
      ? checkCorporationTypeInfo(country, corporationType, 'corporationType', typeNameOf)
      : checkCorporationTypeInfo(country, withRequestName(country, corporationTypeInfo));
  const isMismatch = !checked.ok && checked.issues.some((issue) => issue.code === 'MISMATCH');
  return accept(checked, 'input.', isMismatch ? 'CORPORATION_TYPE_MISMATCH' : undefined);
}

@Resolver(() => BusinessEntity)
export class EntityOriginResolver {
  @needs(BusinessEntity, 'incorporationRequestId', 'organisationId')
  @FieldResolver(() => IncorporationRequest, {
    nullable: true,
    description: 'The incorporation request. FORBIDDEN without the role PLATFORM.',
  })
  @Extensions({ rest: 'never' })
  incorporationRequest(
    @Root() { incorporationRequestId: key, organisationId }: Pick<BusinessEntity, 'incorporationRequestId' | 'organisationId'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> | null {
    return key === null ? null : loadRecord(context, info, IncorporationRequest, { key, organisationId });
  }
}

@Resolver(() => IncorporationRequest)
export class IncorporationRequestResolver {
  @needs(IncorporationRequest, 'businessEntityId', 'organisationId')
  @FieldResolver(() => BusinessEntity, {
    nullable: true,
    description: 'The business entity. FORBIDDEN without the role ENTITIES.',
  })
  @Extensions({ rest: 'never' })
  businessEntity(
    @Root() { businessEntityId: key, organisationId }: Pick<IncorporationRequest, 'businessEntityId' | 'organisationId'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> | null {
    return key === null ? null : loadRecord(context, info, BusinessEntity, { key, organisationId });
  }

  @showsSecret
  @FieldResolver(() => URLScalar, {
    nullable: true,
    description: 'Link to the form, valid for 24 hours; null if it has expired or the form cannot be submitted now.',
  })
  @needs(IncorporationRequest, 'id', 'country', 'nonce', 'linkExpiresAt', 'status')
  signedFormUrl(@Root() facts: LinkFacts & Pick<IncorporationRequest, 'status'>, @Ctx() { services }: RequestContext): string | null {
    return isOpen(facts.status) && facts.linkExpiresAt > services.clock.now().toISOString() ? formLink(services, facts) : null;
  }

  @access('PLATFORM')
  @Query(() => IncorporationRequest, {
    nullable: true,
    description: 'Incorporation request with this id. INCORPORATION_REQUEST_NOT_FOUND if you cannot read it.',
  })
  incorporationRequest(
    @Arg('id', () => ID, { description: 'Id of the request.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return readRequest(context, id, lookAhead(info));
  }

  @access('PLATFORM')
  @Query(() => IncorporationRequestConnection, { description: 'Incorporation requests of the organisation, newest first.' })
  incorporationRequests(
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(IncorporationRequest) filter: FilterInput | null,
    @OrderArg(IncorporationRequest) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const order = { by: ['createdAt'] as const, descending: true };
    const request = { record: IncorporationRequest, list: 'incorporationRequests', filter, orderBy, order };
    return readConnection(context, info, page, request);
  }

  @access('PLATFORM')
  @Query(() => IncorporationRequestTotals.type, {
    description: 'Counts, sums and extremes of the incorporation requests of the organisation, in groups.',
  })
  @Extensions(PRICED)
  incorporationRequestsSummary(
    @Args(() => IncorporationRequestTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    return readSummary(context, info, args, { record: IncorporationRequest });
  }

  @access('PLATFORM')
  @Mutation(() => CreatePayload, { description: 'Requests the formation of a company. The response has the link to the form.' })
  async createIncorporationRequest(
    @Arg('input', () => CreateIncorporationRequestInput, { description: 'The company.' }) input: Given<IncorporationRequest>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { state, corporationType } = typeOf(input);
    const { corporationTypeInfo: _former, corporationType: _type, ...given } = input;
    const fields = accept(checkNew(IncorporationRequest, given), 'input.');
    const { organisationId } = tenantOf(context);
    const link = newLink(context.services);
    const id = newId('inc');
    const now = context.services.clock.now();
    await transaction(context, async (em) => {
      const made = { ...fields, ...link, id, organisationId, state, corporationType, createdAt: now, updatedAt: now };
      em.persist(em.create(IncorporationRequest, { ...made, status: 'NotSubmitted' }));
    });
    return readPayload(context, info, id);
  }

  @access('PLATFORM', 'ADMIN')
  @Mutation(() => ReissuePayload, {
    description: 'Issues a new form link, valid for 24 hours. The previous link expires.',
  })
  async reissueIncorporationLink(
    @Arg('id', () => ID, { description: 'Id of the request.' }) id: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const work = async (em: EntityManager): Promise<void> => reissueLink(await lockRequest(em, id), context.services);
    if (!context.principal!.roles.has('ADMIN')) {
      await transaction(context, work);
      return readPayload(context, info, id);
    }
    const { organisationId } = await operate(context, IncorporationRequest, { id, reason }, work);
    return readPayload(context, info, id, organisationId);
  }
}

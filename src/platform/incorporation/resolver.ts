// Operations on incorporation requests for their organisation: creation, reads, the re-issue of the form link.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { operate, reason } from '../../administration/operator-transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { argument, id, query, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation } from '../../graphql/declared/payloads.ts';
import { listField, summaryField } from '../../graphql/declared/record-reads.ts';
import { loadRecord } from '../../graphql/graph/record-loader.ts';
import { createInput } from '../../graphql/input-types.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { accept, memberOf } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import { checkNew, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { JSONObject, URLScalar } from '../../records/scalars.ts';
import { showsSecret } from '../../records/schema-extensions.ts';
import { BusinessEntity } from '../business-entities/business-entity.ts';
import { offeredType } from '../entity-forms/entity-type.ts';
import { checkCorporationTypeInfo, formOfRequest, typeNameOf } from '../shared/corporation-types.ts';
import { formLink, type LinkFacts, newLink, reissueLink } from './form-link.ts';
import { IncorporationRequest, isOpen, lockRequest } from './request.ts';
import { CorporationTypeInput } from './type-input.ts';

export const requestId = id('Id of the request.');

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
    throw invalid(
      'input.corporationTypeInfo',
      'corporationTypeInfo cannot be combined with corporationType, which replaces it',
      'MISMATCH',
    );
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
export class IncorporationFieldResolver {
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
}

const roles = ['PLATFORM'] as const;

export const IncorporationRequestResolver = resolver({
  incorporationRequest: query(() => IncorporationRequest, { roles, nullable: true })(
    'Incorporation request with this id. INCORPORATION_REQUEST_NOT_FOUND if you cannot read it.',
    { id: requestId },
    ({ id }, { context, info }) => ownRecord(context, info, IncorporationRequest, { id }, { id, field: 'id' }),
  ),
  incorporationRequests: listField(IncorporationRequest, {
    roles,
    description: 'Incorporation requests of the organisation, newest first.',
  }),
  incorporationRequestsSummary: summaryField(IncorporationRequest, {
    roles,
    description: 'Counts, sums and extremes of the incorporation requests of the organisation, in groups.',
  }),
  createIncorporationRequest: recordMutation(IncorporationRequest, { roles })(
    'Requests the formation of a company. The response has the link to the form.',
    { input: argument<Given<IncorporationRequest>>(() => CreateIncorporationRequestInput, 'The company.') },
    async ({ input }, { context }) => {
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
      return { id };
    },
  ),
  reissueIncorporationLink: recordMutation(IncorporationRequest, { roles: ['PLATFORM', 'ADMIN'] })(
    'Issues a new form link, valid for 24 hours. The previous link expires.',
    { id: requestId, reason },
    async ({ id, reason }, { context }) => {
      const work = async (em: EntityManager): Promise<void> => reissueLink(await lockRequest(em, id), context.services);
      if (!context.principal!.roles.has('ADMIN')) {
        await transaction(context, work);
        return { id };
      }
      const { organisationId } = await operate(context, IncorporationRequest, { id, reason }, work);
      return { id, organisationId };
    },
  ),
});

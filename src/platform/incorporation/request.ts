// Incorporation requests: the record, its creation, its reads and the re-issue of its form link.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Field, FieldResolver, ID, Info, InputType, Mutation, Query, Resolver, Root } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { reasonArgument } from '../../administration/audit-log.ts';
import { operate } from '../../administration/operator-transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { projectionFor, propOf, type Row, resolverNeeds } from '../../database/reader/projection.ts';
import { emitEvents } from '../../events/events.ts';
import type { TopicName } from '../../events/topics.ts';
import { connectionOf, orderBy, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { exposeNode, Node } from '../../graphql/node.ts';
import { derived, enumeration, identifier, ledgerNumber, moment, object, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { JSONObject, PositiveInt, UUID } from '../../records/scalars.ts';
import { accept } from '../shared/checks.ts';
import { checkCorporationTypeInfo } from '../shared/corporation-types.ts';
import { payloadOf } from '../shared/payloads.ts';
import type { StateOf } from '../shared/states.ts';
import { formLink, type LinkFacts, newLink } from './form-link.ts';

const PageOptions = pageArguments(10);

export const IncorporationStatus = defineEnum<StateOf<'incorporationStatus'>>(
  'IncorporationStatus',
  'Status of an incorporation request.',
  {
    NotSubmitted: 'The form has not been filled in.',
    InProgress: 'The form was submitted; the company is being formed.',
    NeedsAdditionalInfo: 'More information is needed: the form has to be submitted again through a new link.',
    Succeeded: 'The company exists.',
    Failed: 'The company could not be formed.',
  },
);

const set = { required: true, write: 'never' } as const;
const own = { ...set, rest: 'never' } as const;

@record({
  description: 'A request to form a company.',
  scope: 'organisation',
  key: 'id',
  prefix: 'inc',
  primaryKey: ['id'],
  indexes: [{ name: 'incorporation_request_list', columns: 'organisation_id, created_at, id' }],
  implements: Node,
})
export class IncorporationRequest {
  @derived(
    () => JSONObject,
    'State and corporation type, under the country.',
    ['country', 'state', 'corporationType'],
    (row) => ({
      [row.country!]: { ...(row.state === null ? {} : { state: row.state }), corporationType: row.corporationType },
    }),
  )
  corporationTypeInfo!: object;
  @identifier('Identifier, `inc_…`.', set) id!: string;
  @ledgerNumber('Organisation.', { ...set, hidden: true }) organisationId!: number;
  @text('Your own reference to the company.', { ...own, type: () => UUID }) companyId!: string;
  @text('Country, two letters.', set) country!: string;
  @text('Sub-division of formation, ISO 3166-2 suffix.', { rest: 'never' }) state!: string | null;
  @text('Corporation type, as the request names it.', own) corporationType!: string;
  @enumeration(IncorporationStatus, 'Status of the request.', set) status!: string;
  @text('What an operator still needs to know.', { rest: 'never' }) note!: string | null;
  @object('Answers of the form, as they were accepted.', { rest: 'never' }) answers!: Record<string, unknown> | null;
  @moment('When the form was last submitted.', { rest: 'never' }) submittedAt!: string | null;
  @moment('When the current form link expires.', own) linkExpiresAt!: string;
  @text('Random part of the current form link.', { ...set, hidden: true }) nonce!: string;
  @ledgerNumber('Number of the business entity it led to.', { rest: 'never', type: () => PositiveInt }) businessEntityId!: number | null;
  @moment('When it was created.', own) createdAt!: string;
  @moment('When it last changed.', own) updatedAt!: string;
}
exposeNode('IncorporationRequest', 'PLATFORM');
resolverNeeds('IncorporationRequest', 'signedFormUrl', ['id', 'country', 'nonce', 'linkExpiresAt', 'status']);

const model = modelOf(IncorporationRequest);

/** The table of incorporation requests, for operator mutations. */
export const incorporationRequests = {
  table: 'incorporation_request',
  noun: 'incorporation request',
  unknown: 'INCORPORATION_REQUEST_NOT_FOUND',
} as const;
/** The state machine of a request. */
export const incorporationState = { ...incorporationRequests, column: 'status', machine: 'incorporationStatus' } as const;

/** States in which the form can be submitted. */
export const isOpen = (status: string): boolean => status === 'NotSubmitted' || status === 'NeedsAdditionalInfo';

/** INCORPORATION_REQUEST_NOT_FOUND, the same for an unknown id and a request of another organisation. */
export const unknownRequest = (): GatewayError =>
  new GatewayError('INCORPORATION_REQUEST_NOT_FOUND', 'no such incorporation request', { field: 'id' });

/** A request as its organisation sees it. */
export async function readRequest(
  context: RequestContext,
  organisationId: number,
  id: string,
  tree: ReturnType<typeof lookAhead> | undefined,
): Promise<Row> {
  if (!tree) return {};
  const where = [{ prop: propOf(model, 'id'), operator: 'eq' as const, value: id }];
  const row = await context.services.reader.row({
    projection: projectionFor(model, tree),
    tenant: { organisationId, companyIds: null },
    where,
    primary: context.primary,
  });
  if (!row) throw unknownRequest();
  return row;
}

/** Emits the event that the status of a request changed. */
export const emitIncorporation = (
  em: EntityManager,
  { services }: RequestContext,
  organisationId: number,
  id: string,
  topic: TopicName,
): Promise<void> =>
  emitEvents(em, { services, organisationId, organisation: null }, [
    { topic, data: { incorporation_request_id: id, corporation_id: null } },
  ]);

/** Issues a new form link for an open request; the previous link stops working. */
export async function reissueLink(em: EntityManager, { services }: RequestContext, id: string): Promise<void> {
  const rows = await executeIn<{ status: string }>(em, 'select status from incorporation_request where id = $1 for update', [id]);
  if (!rows[0]) throw unknownRequest();
  if (!isOpen(rows[0].status)) {
    throw new GatewayError(
      'INVALID_STATE_TRANSITION',
      `incorporationStatus is ${rows[0].status}; a link is issued only while it is NotSubmitted or NeedsAdditionalInfo`,
      { field: 'id' },
    );
  }
  const { nonce, linkExpiresAt } = newLink(services);
  const now = services.clock.now().toISOString();
  await executeIn(
    em,
    'update incorporation_request set nonce = $2, link_expires_at = $3::timestamptz, updated_at = $4::timestamptz where id = $1',
    [id, nonce, linkExpiresAt, now],
  );
}

@InputType({ description: 'A company to form.' })
@Extensions({ trims: true })
export class CreateIncorporationRequestInput {
  @Field(() => UUID, { description: 'Your own reference to the company.' }) companyId!: string;
  @Field(() => String, { description: 'Country, two letters.' }) country!: string;
  @Field(() => JSONObject, { description: 'One entry under the country, with `state` and `corporationType`.' })
  corporationTypeInfo!: Record<string, unknown>;
}

const CreatePayload = payloadOf(IncorporationRequest, 'createIncorporationRequest', 'incorporationRequest');
const ReissuePayload = payloadOf(IncorporationRequest, 'reissueIncorporationLink', 'incorporationRequest');
const IncorporationRequestConnection = connectionOf(IncorporationRequest);

/** Country, state and type of a new request; CORPORATION_TYPE_MISMATCH when there is not exactly one entry, that of the country. */
function typeOf(input: CreateIncorporationRequestInput) {
  const checked = checkCorporationTypeInfo(input.country, input.corporationTypeInfo);
  const isMismatch = !checked.ok && checked.issues.some((issue) => issue.code === 'MISMATCH');
  return accept(checked, 'input.', isMismatch ? 'CORPORATION_TYPE_MISMATCH' : undefined);
}

@Resolver(() => IncorporationRequest)
export class IncorporationRequestResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Link to the form, good for 24 hours; null once it has expired, or when the form cannot be submitted now.',
  })
  signedFormUrl(@Root() row: Row, @Ctx() { services }: RequestContext): string | null {
    const facts = row as unknown as LinkFacts & { status: string };
    return isOpen(facts.status) && facts.linkExpiresAt > services.clock.now().toISOString() ? formLink(services, facts) : null;
  }

  @access('PLATFORM')
  @Query(() => IncorporationRequest, {
    nullable: true,
    description: 'The request with this id. INCORPORATION_REQUEST_NOT_FOUND when the caller may see none.',
  })
  incorporationRequest(
    @Arg('id', () => ID, { description: 'Id of the request.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return readRequest(context, tenantOf(context).organisationId, id, lookAhead(info));
  }

  @access('PLATFORM')
  @Query(() => IncorporationRequestConnection as never, { description: 'The requests of the organisation, newest first.' })
  incorporationRequests(
    @Args(() => PageOptions) page: PageArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const order = orderBy(model, ['createdAt'], true);
    return readConnection(context, info, page, { model, list: 'incorporationRequests', where: [], order });
  }

  @access('PLATFORM')
  @Mutation(() => CreatePayload as never, { description: 'Requests the formation of a company; the answer has the link to the form.' })
  async createIncorporationRequest(
    @Arg('input', () => CreateIncorporationRequestInput, { description: 'The company.' }) input: CreateIncorporationRequestInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { country, state, corporationType } = typeOf(input);
    const { organisationId } = tenantOf(context);
    const { nonce, linkExpiresAt } = newLink(context.services);
    const id = newId('inc');
    const companyId = input.companyId.replace(/[{}]/g, '').toLowerCase();
    await transaction(context, (em) =>
      executeIn(
        em,
        `insert into incorporation_request (id, organisation_id, company_id, country, state, corporation_type, status, nonce, link_expires_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, 'NotSubmitted', $7, $8::timestamptz, $9::timestamptz, $9::timestamptz)`,
        [id, organisationId, companyId, country, state, corporationType, nonce, linkExpiresAt, context.services.clock.now().toISOString()],
      ),
    );
    return { incorporationRequest: await readRequest(context, organisationId, id, lookAhead(info).fields.get('incorporationRequest')) };
  }

  @access('PLATFORM', 'ADMIN')
  @Mutation(() => ReissuePayload as never, {
    description: 'Issues a new form link, good for 24 hours. The previous link stops working.',
  })
  async reissueIncorporationLink(
    @Arg('id', () => ID, { description: 'Id of the request.' }) id: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const tree = lookAhead(info).fields.get('incorporationRequest');
    if (!context.principal!.roles.has('ADMIN')) {
      await transaction(context, (em) => reissueLink(em, context, id));
      return { incorporationRequest: await readRequest(context, tenantOf(context).organisationId, id, tree) };
    }
    const { organisationId } = await operate(context, incorporationRequests, { action: 'reissueIncorporationLink', id, reason }, (em) =>
      reissueLink(em, context, id),
    );
    return { incorporationRequest: await readRequest(context, organisationId, id, tree) };
  }
}

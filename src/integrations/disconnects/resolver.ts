// Disconnect requests in GraphQL: list, create, approve, reject, cancel; also connects a company again.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Field, Info, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { brokenConstraint } from '../../database/errors.ts';
import type { Row } from '../../database/reader/projection.ts';
import type { EventSource } from '../../events/events.ts';
import { connectionOf, forwardArguments, type Page, type PageArguments, readConnection } from '../../graphql/connections.ts';
import { RecordArg } from '../../graphql/input-types.ts';
import { FilterArg, type FilterInput, narrowed, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { ownProperties, ownRecord } from '../../graphql/own-record.ts';
import { readSummary, type Summary } from '../../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../../graphql/summaries/summary-types.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { EmailAddress, PositiveInt } from '../../records/scalars.ts';
import { Company, type CompanyRow, companyOf, connectedCompany, forgetCompany } from '../companies/company.ts';
import { removeCompany } from './removal.ts';
import { connect, type Decision, DisconnectRequest, DisconnectStatus, decide, type ResolvedBy } from './request.ts';

const PageOptions = forwardArguments(20);

@InputType({ description: 'A disconnect request to create.' })
export class CreateDisconnectRequestInput {
  @Field(() => PositiveInt, { description: 'Company to disconnect.' })
  @Extensions({ names: () => [modelOf(Company)] })
  companyId!: number;
}

@InputType({ description: 'Person who decides on a request.' })
export class ResolvedByInput {
  @Field(() => PositiveInt, { nullable: true, description: 'Number of the user.' }) ledgerId?: number | null;
  @Field(() => String, { nullable: true, description: 'Name of the user.' }) @Extensions({ rules: { maxLength: 255 } }) name?:
    | string
    | null;
  @Field(() => EmailAddress, { nullable: true, description: 'Email address of the user.' })
  @Extensions({ rules: { maxLength: 255 } })
  email?: string | null;
}

@InputType({ description: 'A decision on a disconnect request.' })
export class DecisionInput {
  @Field(() => ResolvedByInput, { nullable: true, description: 'User who decides; defaults to the organisation of the key.' })
  resolvedBy?: ResolvedByInput | null;
}

@InputType({ description: 'Company to connect, and its source.' })
export class ConnectCompanyInput {
  @Field(() => String, { nullable: true, description: 'Source system to connect to; defaults to the previous one.' })
  @Extensions({ rules: modelOf(Company).props.get('integrationType')!.rules })
  integrationType?: string | null;
}

@ObjectType({ description: 'Result of changing a disconnect request.', simpleResolvers: true })
export class DisconnectRequestPayload {
  @Field(() => DisconnectRequest, { description: 'The stored request.' }) disconnectRequest!: DisconnectRequest;
}

@ObjectType({ description: 'Result of `connectCompany`.', simpleResolvers: true })
export class ConnectCompanyPayload {
  @Field(() => Company, { description: 'The company.' }) company!: Company;
}

@ObjectType({ description: 'Result of `removeCompany`.', simpleResolvers: true })
export class RemoveCompanyPayload {
  @Field(() => PositiveInt, { description: 'Number of the removed company.' }) ledgerId!: number;
  @Field(() => String, { description: 'Name of the removed company.' }) name!: string;
}

const DisconnectConnection = connectionOf(DisconnectRequest);
const DisconnectTotals = summaryOf(DisconnectRequest);

const eventSource = (context: RequestContext): EventSource => ({
  services: context.services,
  organisationId: tenantOf(context).organisationId,
  organisation: context.principal?.organisation ?? null,
});

/** The request with what the operation selected of it. */
async function answer(context: RequestContext, info: GraphQLResolveInfo, ledgerId: number): Promise<{ disconnectRequest: Row }> {
  const tree = lookAhead(info).fields.get('disconnectRequest');
  const given = { id: ledgerId, field: 'ledgerId' };
  return { disconnectRequest: tree ? await ownRecord(context, tree, DisconnectRequest, { ledgerId }, given) : { ledgerId } };
}

async function transition(
  context: RequestContext,
  info: GraphQLResolveInfo,
  ledgerId: number,
  decision: Omit<Decision, 'now'>,
): Promise<{ disconnectRequest: Row }> {
  const now = context.services.clock.now();
  const given = { id: ledgerId, field: 'ledgerId' };
  const { ledgerCompanyId } = await ownProperties(context, DisconnectRequest, { ledgerId }, ['ledgerCompanyId'], given);
  await transaction(context, (em) => decide(em, eventSource(context), { ledgerId, ledgerCompanyId }, { ...decision, now }));
  forgetCompany(context, ledgerCompanyId);
  return answer(context, info, ledgerId);
}

/** The user named in the request; otherwise the organisation of the key, because keys have no user. */
function decider(context: RequestContext, input: DecisionInput | null): ResolvedBy {
  const by = input?.resolvedBy;
  if (by) return { ledgerId: by.ledgerId ?? null, name: by.name ?? null, email: by.email ?? null };
  return { ledgerId: tenantOf(context).organisationId, name: context.principal?.organisationName ?? null, email: null };
}

@Resolver()
export class DisconnectResolver {
  @access('INTEGRATIONS')
  @Query(() => DisconnectConnection, { description: "The disconnect requests of the organisation's companies, newest first." })
  disconnectRequests(
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(DisconnectRequest) filter: FilterInput | null,
    @OrderArg(DisconnectRequest) orderBy: OrderInput[] | null,
    @Arg('status', () => DisconnectStatus.values, { nullable: true, description: 'Only requests in this state.' }) status: string | null,
    @RecordArg('companyId', () => Company, { nullable: true, description: 'Only requests for this company.' }) companyId: number | null,
    @Arg('integrationType', () => String, { nullable: true, description: 'Only requests for this source system.' }) integrationType:
      | string
      | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      record: DisconnectRequest,
      list: 'disconnectRequests',
      filter: narrowed(filter, { status, ledgerCompanyId: companyId, integrationType }),
      orderBy,
      order: { by: ['ledgerCreatedAt'], descending: true },
    });
  }

  @access('INTEGRATIONS')
  @Query(() => DisconnectRequest, {
    nullable: true,
    description: 'Disconnect request with this number. RECORD_NOT_FOUND if you cannot read it.',
  })
  disconnectRequest(
    @RecordArg('ledgerId', () => DisconnectRequest, { description: 'Number of the request.' }) ledgerId: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, DisconnectRequest, { ledgerId }, { id: ledgerId, field: 'ledgerId' });
  }

  @access('INTEGRATIONS')
  @Query(() => DisconnectTotals.type, {
    description: "Counts and extremes of the disconnect requests of the organisation's companies, in groups.",
  })
  @Extensions(PRICED)
  disconnectRequestsSummary(
    @Args(() => DisconnectTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    return readSummary(context, info, args, { record: DisconnectRequest });
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, {
    description: 'Requests to disconnect a company. RECORD_ALREADY_EXISTS if another request is pending.',
  })
  async createDisconnectRequest(
    @Arg('input', () => CreateDisconnectRequestInput, { description: 'The request.' }) input: CreateDisconnectRequestInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    const { companyId } = input;
    await companyOf(context, companyId);
    const { organisationId } = tenantOf(context);
    const { clock, ledgerIds } = context.services;
    const ledgerId = await transaction(context, async (em) => {
      const company = await connectedCompany(em, organisationId, companyId);
      const [ledgerId] = await ledgerIds.take(em, 1);
      em.create(DisconnectRequest, {
        ledgerId: ledgerId!,
        organisationId,
        ledgerCompanyId: companyId,
        companyName: company.name,
        integrationType: company.integrationType,
        status: 'PENDING',
        requesterIp: context.ip,
        ledgerCreatedAt: clock.now(),
      });
      return ledgerId!;
    }).catch((error: unknown) => {
      if (brokenConstraint(error) !== 'disconnect_request_pending') throw error;
      throw new GatewayError('RECORD_ALREADY_EXISTS', `a disconnect request for company ${companyId} waits for a decision already`, {
        field: 'companyId',
      });
    });
    return answer(context, info, ledgerId);
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, {
    description: 'Approves a request and disconnects the company. SYNC_IN_PROGRESS if a sync of the company is running.',
  })
  approveDisconnectRequest(
    @RecordArg('ledgerId', () => DisconnectRequest, { description: 'Number of the request.' }) ledgerId: number,
    @Arg('input', () => DecisionInput, { nullable: true, description: 'Request and decision.' }) input: DecisionInput | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    return transition(context, info, ledgerId, { status: 'APPROVED', by: decider(context, input) });
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, { description: 'Rejects a request; the company stays connected.' })
  rejectDisconnectRequest(
    @RecordArg('ledgerId', () => DisconnectRequest, { description: 'Number of the request.' }) ledgerId: number,
    @Arg('input', () => DecisionInput, { nullable: true, description: 'Request and decision.' }) input: DecisionInput | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    return transition(context, info, ledgerId, { status: 'REJECTED', by: decider(context, input) });
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, { description: 'Withdraws a request before it is decided.' })
  cancelDisconnectRequest(
    @RecordArg('ledgerId', () => DisconnectRequest, { description: 'Number of the request.' }) ledgerId: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    return transition(context, info, ledgerId, { status: 'CANCELLED', by: null });
  }

  @access('INTEGRATIONS')
  @Mutation(() => ConnectCompanyPayload, {
    description:
      'Reconnects a company, or connects it to another source system. Cancels a pending disconnect request. INVALID_STATE_TRANSITION if a connection of the company uses another source.',
  })
  async connectCompany(
    @RecordArg('companyId', () => Company, { description: 'Company to connect.' }) companyId: number,
    @Arg('input', () => ConnectCompanyInput, { nullable: true, description: 'The connection.' }) input: ConnectCompanyInput | null,
    @Ctx() context: RequestContext,
  ): Promise<{ company: CompanyRow }> {
    await companyOf(context, companyId);
    const company = await transaction(context, (em) =>
      connect(em, eventSource(context), companyId, input?.integrationType ?? null, context.services.clock.now()),
    );
    forgetCompany(context, companyId);
    return { company };
  }

  @access('INTEGRATIONS')
  @Mutation(() => RemoveCompanyPayload, {
    description:
      'Removes a disconnected company with its records, syncs and requests. They disappear from reads immediately and are purged in the background. INVALID_STATE_TRANSITION if it is connected, SYNC_IN_PROGRESS if a sync is running.',
  })
  async removeCompany(
    @RecordArg('id', () => Company, { description: 'Id of the company.' }) id: number,
    @Arg('name', () => String, { description: 'Name of the company, typed in full.' }) name: string,
    @Ctx() context: RequestContext,
  ): Promise<RemoveCompanyPayload> {
    await companyOf(context, id, 'id');
    const { organisationId } = tenantOf(context);
    await transaction(context, (em) => removeCompany(em, context.services, organisationId, id, name));
    forgetCompany(context, id);
    return { ledgerId: id, name };
  }
}

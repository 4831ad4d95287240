// Disconnect requests in GraphQL: list, create, approve, reject, cancel; also connects a company again.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Field, Info, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { brokenConstraint } from '../../database/errors.ts';
import { executeIn } from '../../database/open.ts';
import { type Projection, projectionFor, projectionOf, propOf, type Row } from '../../database/reader/projection.ts';
import type { Condition } from '../../database/reader/reader.ts';
import type { EventSource } from '../../events/events.ts';
import { connectionOf, forwardArguments, orderBy, type Page, type PageArguments, readConnection } from '../../graphql/connections.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { Company, type CompanyRow, companyOf, connectedCompany, forgetCompany } from '../companies/company.ts';
import { connect, DisconnectRequest, DisconnectStatus, decide, lockRequest, type ResolvedBy, requestNotFound } from './request.ts';

const PageOptions = forwardArguments(20);

@InputType({ description: 'A disconnect request to make.' })
export class CreateDisconnectRequestInput {
  @Field(() => PositiveInt, { description: 'Company to disconnect.' }) companyId!: number;
}

@InputType({ description: 'Who decides on a request.' })
export class ResolvedByInput {
  @Field(() => PositiveInt, { nullable: true, description: 'Number of the user.' }) ledgerId?: number | null;
  @Field(() => String, { nullable: true, description: 'Name of the user.' }) @Extensions({ rules: { maxLength: 255 } }) name?:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'E-mail address of the user.' }) @Extensions({ rules: { maxLength: 255 } }) email?:
    | string
    | null;
}

@InputType({ description: 'A decision on a disconnect request.' })
export class DecisionInput {
  @Field(() => ResolvedByInput, { nullable: true, description: 'The user who decides; the organisation of the key when absent.' })
  resolvedBy?: ResolvedByInput | null;
}

@InputType({ description: 'A connection to make.' })
export class ConnectCompanyInput {
  @Field(() => String, { nullable: true, description: 'Source system to connect to; the one the company had when absent.' })
  @Extensions({ rules: modelOf(Company).props.get('integrationType')!.rules })
  integrationType?: string | null;
}

@ObjectType({ description: 'Result of a change of a disconnect request.', simpleResolvers: true })
export class DisconnectRequestPayload {
  @Field(() => DisconnectRequest, { description: 'The request as it is now.' }) disconnectRequest!: DisconnectRequest;
}

@ObjectType({ description: 'Result of `connectCompany`.', simpleResolvers: true })
export class ConnectCompanyPayload {
  @Field(() => Company, { description: 'The company.' }) company!: Company;
}

const DisconnectConnection = connectionOf(DisconnectRequest);
const model = modelOf(DisconnectRequest);
const keyOnly = projectionOf(model, ['ledgerId']);

const eventSource = (context: RequestContext): EventSource => ({
  services: context.services,
  organisationId: tenantOf(context).organisationId,
  organisation: context.principal?.organisation ?? null,
});

async function readRequest(context: RequestContext, ledgerId: number, projection: Projection): Promise<Row> {
  const row = await context.services.reader.row({
    projection,
    tenant: tenantOf(context),
    where: [{ prop: propOf(model, 'ledgerId'), operator: 'eq', value: ledgerId }],
    primary: context.primary,
  });
  if (!row) throw requestNotFound(ledgerId);
  return row;
}

async function answer(context: RequestContext, info: GraphQLResolveInfo, ledgerId: number): Promise<{ disconnectRequest: Row }> {
  const tree = lookAhead(info).fields.get('disconnectRequest');
  return { disconnectRequest: await readRequest(context, ledgerId, tree ? projectionFor(model, tree) : keyOnly) };
}

async function transition(
  context: RequestContext,
  info: GraphQLResolveInfo,
  ledgerId: number,
  status: 'APPROVED' | 'REJECTED' | 'CANCELLED',
  by: ResolvedBy | null,
): Promise<{ disconnectRequest: Row }> {
  await readRequest(context, ledgerId, keyOnly);
  const { organisationId } = tenantOf(context);
  const companyId = await transaction(context, async (em) => {
    const request = await lockRequest(em, organisationId, ledgerId);
    await decide(em, eventSource(context), request, status, by, context.services.clock.now());
    return request.companyId;
  });
  forgetCompany(context, companyId);
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
  @Query(() => DisconnectConnection as never, { description: "The disconnect requests of the organisation's companies, newest first." })
  disconnectRequests(
    @Args(() => PageOptions) page: PageArguments,
    @Arg('status', () => DisconnectStatus.values, { nullable: true, description: 'Only requests in this state.' }) status: string | null,
    @Arg('companyId', () => PositiveInt, { nullable: true, description: 'Only requests for this company.' }) companyId: number | null,
    @Arg('integrationType', () => String, { nullable: true, description: 'Only requests for this source system.' }) integrationType:
      | string
      | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const filter = { status, ledgerCompanyId: companyId, integrationType };
    const where = Object.entries(filter).flatMap(([name, value]): Condition[] =>
      value == null ? [] : [{ prop: propOf(model, name), operator: 'eq', value }],
    );
    return readConnection(context, info, page, {
      model,
      list: 'disconnectRequests',
      where,
      filter,
      order: orderBy(model, ['ledgerCreatedAt'], true),
    });
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, {
    description: 'Asks to disconnect a company. RECORD_ALREADY_EXISTS while another request waits for a decision.',
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
      const [id] = await ledgerIds.take(em, 1);
      await executeIn(
        em,
        `insert into disconnect_request (ledger_id, organisation_id, ledger_company_id, company_name, integration_type, status, requester_ip, ledger_created_at)
         values ($1, $2, $3, $4, $5, 'PENDING', $6, $7::timestamptz)`,
        [id, organisationId, companyId, company.name, company.integrationType, context.ip, clock.now().toISOString()],
      );
      return id!;
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
    description: 'Approves a request and disconnects the company. SYNC_IN_PROGRESS while a sync of the company runs.',
  })
  approveDisconnectRequest(
    @Arg('ledgerId', () => PositiveInt, { description: 'Number of the request.' }) ledgerId: number,
    @Arg('input', () => DecisionInput, { nullable: true, description: 'Who decides.' }) input: DecisionInput | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    return transition(context, info, ledgerId, 'APPROVED', decider(context, input));
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, { description: 'Rejects a request; the company stays connected.' })
  rejectDisconnectRequest(
    @Arg('ledgerId', () => PositiveInt, { description: 'Number of the request.' }) ledgerId: number,
    @Arg('input', () => DecisionInput, { nullable: true, description: 'Who decides.' }) input: DecisionInput | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    return transition(context, info, ledgerId, 'REJECTED', decider(context, input));
  }

  @access('INTEGRATIONS')
  @Mutation(() => DisconnectRequestPayload, { description: 'Withdraws a request before it is decided.' })
  cancelDisconnectRequest(
    @Arg('ledgerId', () => PositiveInt, { description: 'Number of the request.' }) ledgerId: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ disconnectRequest: Row }> {
    return transition(context, info, ledgerId, 'CANCELLED', null);
  }

  @access('INTEGRATIONS')
  @Mutation(() => ConnectCompanyPayload, {
    description: 'Connects a company again, or to another source system; a pending disconnect request is cancelled.',
  })
  async connectCompany(
    @Arg('companyId', () => PositiveInt, { description: 'Company to connect.' }) companyId: number,
    @Arg('input', () => ConnectCompanyInput, { nullable: true, description: 'The connection.' }) input: ConnectCompanyInput | null,
    @Ctx() context: RequestContext,
  ): Promise<{ company: CompanyRow }> {
    await companyOf(context, companyId);
    await transaction(context, (em) =>
      connect(em, eventSource(context), companyId, input?.integrationType ?? null, context.services.clock.now()),
    );
    forgetCompany(context, companyId);
    return { company: await companyOf(context, companyId) };
  }
}

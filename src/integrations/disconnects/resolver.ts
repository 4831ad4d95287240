// Disconnect requests in GraphQL: list, create, approve, reject, cancel; also connects a company again.
import { Extensions, Field, InputType, ObjectType } from 'type-graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { brokenConstraint } from '../../database/errors.ts';
import type { EventSource } from '../../events/events.ts';
import { connectionOf, forwardArguments, readConnection } from '../../graphql/connections.ts';
import {
  argument,
  listArguments,
  mutation,
  optional,
  optionalNumber,
  query,
  recordNumber,
  resolver,
} from '../../graphql/declared/fields.ts';
import { recordMutation, type Written } from '../../graphql/declared/payloads.ts';
import { summaryField } from '../../graphql/declared/record-reads.ts';
import { narrowed } from '../../graphql/list-inputs.ts';
import { ownProperties, ownRecord } from '../../graphql/own-record.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { EmailAddress, PositiveInt } from '../../records/scalars.ts';
import { Company, companyOf, connectedCompany, forgetCompany } from '../companies/company.ts';
import { removeCompany } from './removal.ts';
import { connect, type Decision, DisconnectRequest, DisconnectStatus, decide, type ResolvedBy } from './request.ts';

@InputType({ description: 'A disconnect request to create.' })
export class CreateDisconnectRequestInput {
  @Field(() => PositiveInt, { description: 'Company to disconnect.' })
  @Extensions({ names: () => [modelOf(Company)] })
  companyId!: number;
}

@InputType({ description: 'Person who decides on a request.' })
export class ResolvedByInput {
  @Field(() => PositiveInt, { nullable: true, description: 'Number of the user.' })
  @Extensions({ names: () => [] })
  ledgerId?: number | null;
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
  @Field(() => Company, { description: 'Company, as connected.' }) company!: Company;
}

@ObjectType({ description: 'Result of `removeCompany`.', simpleResolvers: true })
export class RemoveCompanyPayload {
  @Field(() => PositiveInt, { description: 'Number of the removed company.' }) ledgerId!: number;
  @Field(() => String, { description: 'Name of the removed company.' }) name!: string;
}

const DisconnectConnection = connectionOf(DisconnectRequest);

const eventSource = (context: RequestContext): EventSource => ({
  services: context.services,
  organisationId: tenantOf(context).organisationId,
  organisation: context.principal?.organisation ?? null,
});

async function transition(context: RequestContext, ledgerId: number, decision: Omit<Decision, 'now'>): Promise<Written> {
  const now = context.services.clock.now();
  const given = { id: ledgerId, field: 'ledgerId' };
  const { ledgerCompanyId } = await ownProperties(context, DisconnectRequest, { ledgerId }, ['ledgerCompanyId'], given);
  await transaction(context, (em) => decide(em, eventSource(context), { ledgerId, ledgerCompanyId }, { ...decision, now }));
  forgetCompany(context, ledgerCompanyId);
  return { id: ledgerId };
}

/** The user named in the request; otherwise the organisation of the key, because keys have no user. */
function decider(context: RequestContext, input: DecisionInput | null): ResolvedBy {
  const by = input?.resolvedBy;
  if (by) return { ledgerId: by.ledgerId ?? null, name: by.name ?? null, email: by.email ?? null };
  return { ledgerId: tenantOf(context).organisationId, name: context.principal?.organisationName ?? null, email: null };
}

const roles = ['INTEGRATIONS'] as const;
const ledgerId = recordNumber(() => DisconnectRequest, 'Number of the request.');
const decision = { ledgerId, input: optional<DecisionInput>(() => DecisionInput, 'Request and decision.') };

const change = recordMutation(DisconnectRequest, { roles, payload: DisconnectRequestPayload });

export const DisconnectResolver = resolver({
  disconnectRequests: query(() => DisconnectConnection, { roles })(
    "The disconnect requests of the organisation's companies, newest first.",
    {
      ...listArguments(DisconnectRequest, forwardArguments(20)),
      status: optional<string>(() => DisconnectStatus.values, 'Only requests in this state.'),
      companyId: optionalNumber(() => Company, 'Only requests for this company.'),
      integrationType: optional<string>(() => String, 'Only requests for this source system.'),
    },
    ({ page, filter, orderBy, status, companyId, integrationType }, { context, info }) =>
      readConnection(context, info, page, {
        record: DisconnectRequest,
        list: 'disconnectRequests',
        filter: narrowed(filter, { status, ledgerCompanyId: companyId, integrationType }),
        orderBy,
        order: { by: ['ledgerCreatedAt'], descending: true },
      }),
  ),
  disconnectRequest: query(() => DisconnectRequest, { roles, nullable: true })(
    'Disconnect request with this number. RECORD_NOT_FOUND if you cannot read it.',
    { ledgerId },
    ({ ledgerId }, { context, info }) => ownRecord(context, info, DisconnectRequest, { ledgerId }, { id: ledgerId, field: 'ledgerId' }),
  ),
  disconnectRequestsSummary: summaryField(DisconnectRequest, {
    roles,
    description: "Counts and extremes of the disconnect requests of the organisation's companies, in groups.",
  }),
  createDisconnectRequest: change(
    'Requests to disconnect a company. RECORD_ALREADY_EXISTS if another request is pending.',
    { input: argument<CreateDisconnectRequestInput>(() => CreateDisconnectRequestInput, 'Company to disconnect.') },
    async ({ input }, { context }) => {
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
      return { id: ledgerId };
    },
  ),
  approveDisconnectRequest: change(
    'Approves a request and disconnects the company. SYNC_IN_PROGRESS if a sync of the company is running.',
    decision,
    ({ ledgerId, input }, { context }) => transition(context, ledgerId, { status: 'APPROVED', by: decider(context, input) }),
  ),
  rejectDisconnectRequest: change('Rejects a request; the company stays connected.', decision, ({ ledgerId, input }, { context }) =>
    transition(context, ledgerId, { status: 'REJECTED', by: decider(context, input) }),
  ),
  cancelDisconnectRequest: change('Withdraws a request before it is decided.', { ledgerId }, ({ ledgerId }, { context }) =>
    transition(context, ledgerId, { status: 'CANCELLED', by: null }),
  ),
  connectCompany: mutation(() => ConnectCompanyPayload, { roles })(
    'Reconnects a company, or connects it to another source system. Cancels a pending disconnect request. INVALID_STATE_TRANSITION if a connection of the company uses another source.',
    {
      companyId: recordNumber(() => Company, 'Company to connect.'),
      input: optional<ConnectCompanyInput>(() => ConnectCompanyInput, 'Source system to connect to.'),
    },
    async ({ companyId, input }, { context }) => {
      await companyOf(context, companyId);
      const company = await transaction(context, (em) =>
        connect(em, eventSource(context), companyId, input?.integrationType ?? null, context.services.clock.now()),
      );
      forgetCompany(context, companyId);
      return { company };
    },
  ),
  removeCompany: mutation(() => RemoveCompanyPayload, { roles })(
    'Removes a disconnected company with its records, syncs and requests. They disappear from reads immediately and are purged in the background. INVALID_STATE_TRANSITION if it is connected, SYNC_IN_PROGRESS if a sync is running.',
    {
      id: recordNumber(() => Company, 'Id of the company.'),
      name: argument<string>(() => String, 'Name of the company, typed in full.'),
    },
    async ({ id, name }, { context }) => {
      await companyOf(context, id, 'id');
      const { organisationId } = tenantOf(context);
      await transaction(context, (em) => removeCompany(em, context.services, organisationId, id, name));
      forgetCompany(context, id);
      return { ledgerId: id, name };
    },
  ),
});

// Requests to end the connection of a company with its source system, and the transitions of their state.
import { Field, Int, ObjectType } from 'type-graphql';
import { type EntityManager, executeIn } from '../../database/open.ts';
import type { EventSource } from '../../events/events.ts';
import { enumeration, ledgerNumber, moment, object, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import { emitConnection } from '../companies/connection-events.ts';
import { forbiddenTransition } from '../syncs/sync-state.ts';

export const DisconnectStatus = defineEnum('DisconnectStatus', 'State of a disconnect request.', {
  PENDING: 'Waiting for a decision.',
  APPROVED: 'The company was disconnected.',
  REJECTED: 'The company stays connected.',
  CANCELLED: 'Withdrawn before a decision.',
});

@ObjectType({ description: 'Who decided on a request.', simpleResolvers: true })
export class ResolvedBy {
  @Field(() => Int, { nullable: true, description: 'Number of the user.' }) ledgerId!: number | null;
  @Field(() => String, { nullable: true, description: 'Name of the user; the organisation where only a key is known.' }) name!:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'E-mail address of the user.' }) email!: string | null;
}

@record({
  description: 'A request to disconnect a company from its source system.',
  scope: 'organisation',
  companyColumn: 'ledger_company_id',
  key: 'ledgerId',
  prefix: 'disconnect_request',
  primaryKey: ['ledgerId'],
  unique: [{ name: 'disconnect_request_pending', columns: 'ledger_company_id, integration_type', where: "status = 'PENDING'" }],
  indexes: [{ name: 'disconnect_request_organisation', columns: 'organisation_id, ledger_created_at, ledger_id' }],
})
export class DisconnectRequest {
  @ledgerNumber('Number of the request.', { required: true }) ledgerId!: number;
  @ledgerNumber('Organisation that owns the company.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company to disconnect.', { required: true }) ledgerCompanyId!: number;
  @text('Name of the company when the request was made.', { required: true }) companyName!: string;
  @text('Source system to disconnect from.', { required: true, filter: true }) integrationType!: string;
  @enumeration(DisconnectStatus, 'State of the request.', { required: true }) status!: string;
  @text('Address the request came from, as the trusted proxy reports it.') requesterIp!: string | null;
  @ledgerNumber('Number of the user who decided.') resolvedByUserId!: number | null;
  @moment('When it was decided.') resolvedAt!: string | null;
  @moment('When it was made.', { required: true }) ledgerCreatedAt!: string;
  @object('Who decided.', { type: () => ResolvedBy }) resolvedBy!: ResolvedBy | null;
}

/** The fields of a request that its transitions read. */
export interface RequestState {
  ledgerId: number;
  companyId: number;
  integrationType: string;
  status: string;
}

/** Locks a request; throws RECORD_NOT_FOUND when the organisation has none with this number. */
export async function lockRequest(em: EntityManager, organisationId: number, ledgerId: number): Promise<RequestState> {
  const rows = await executeIn<RequestState & { companyId: string | number }>(
    em,
    `select ledger_company_id as "companyId", integration_type as "integrationType", status from disconnect_request where organisation_id = $1 and ledger_id = $2 for update`,
    [organisationId, ledgerId],
  );
  if (!rows[0]) throw requestNotFound(ledgerId);
  return { ...rows[0], companyId: Number(rows[0].companyId), ledgerId };
}

export const requestNotFound = (ledgerId: number): GatewayError =>
  new GatewayError('RECORD_NOT_FOUND', `disconnect request ${ledgerId} was not found`, { field: 'ledgerId' });

/** Decides a pending request; every other state is final. */
export async function decide(
  em: EntityManager,
  source: EventSource,
  request: RequestState,
  status: 'APPROVED' | 'REJECTED' | 'CANCELLED',
  by: ResolvedBy | null,
  now: Date,
): Promise<void> {
  if (request.status !== 'PENDING') throw forbiddenTransition('disconnect request', request.status, status, 'ledgerId');
  if (status === 'APPROVED') await disconnect(em, source, request, now);
  await executeIn(
    em,
    `update disconnect_request set status = $2, resolved_at = $3::timestamptz, resolved_by_user_id = $4::bigint, resolved_by = $5::jsonb where ledger_id = $1`,
    [request.ledgerId, status, now.toISOString(), by?.ledgerId ?? null, by && JSON.stringify(by)],
  );
}

/** Ends the connection. Throws SYNC_IN_PROGRESS while a sync runs, because its records could no longer be stored. */
async function disconnect(em: EntityManager, source: EventSource, request: RequestState, now: Date): Promise<void> {
  await executeIn(em, `update company set connection_status = 'DISCONNECTED', ledger_updated_at = $2::timestamptz where ledger_id = $1`, [
    request.companyId,
    now.toISOString(),
  ]);
  const running = await executeIn<{ id: string }>(
    em,
    `select id from sync where company_id = $1 and status in ('PENDING', 'RUNNING') order by created_at limit 1`,
    [request.companyId],
  );
  if (running[0])
    throw new GatewayError('SYNC_IN_PROGRESS', `sync ${running[0].id} of this company is under way`, { retryAfterSeconds: 30 });
  await emitConnection(em, source, { ledgerId: request.companyId, integrationType: request.integrationType }, 'DISCONNECTED');
}

/** Connects a company again, or to another source system; pending requests to disconnect it are cancelled. */
export async function connect(
  em: EntityManager,
  source: EventSource,
  companyId: number,
  integrationType: string | null,
  now: Date,
): Promise<void> {
  const { organisationId } = source;
  const rows = await executeIn<{ integrationType: string }>(
    em,
    `update company set connection_status = 'ACTIVE', integration_type = coalesce($3, integration_type), ledger_updated_at = $4::timestamptz where organisation_id = $1 and ledger_id = $2
     returning integration_type as "integrationType"`,
    [organisationId, companyId, integrationType, now.toISOString()],
  );
  await executeIn(
    em,
    `update disconnect_request set status = 'CANCELLED', resolved_at = $3::timestamptz where organisation_id = $1 and ledger_company_id = $2 and status = 'PENDING'`,
    [organisationId, companyId, now.toISOString()],
  );
  await emitConnection(em, source, { ledgerId: companyId, integrationType: rows[0]!.integrationType }, 'ACTIVE');
}

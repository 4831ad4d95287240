// Requests to end the connection of a company with its source system, and the transitions of their state.
import { LockMode, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { ID } from 'type-graphql';
import { changeTime } from '../../database/change-times.ts';
import type { EntityManager } from '../../database/open.ts';
import type { EventSource } from '../../events/events.ts';
import { Node } from '../../graphql/node.ts';
import {
  belongsTo,
  derived,
  email,
  embeddable,
  embedded,
  enumeration,
  integer,
  ipAddress,
  ledgerNumber,
  moment,
  record,
  text,
} from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { notFound } from '../../records/not-found.ts';
import { Company, type CompanyRow, connectedCompany } from '../companies/company.ts';
import { emitConnection } from '../companies/connection-events.ts';
import { Connection, liveOf } from '../connections/connection.ts';
import { endConnection } from '../connections/connection-store.ts';
import { endPushes } from '../syncs/push-outcome.ts';
import { forbiddenTransition, refuseDuringSync } from '../syncs/state/sync-state.ts';

export const DisconnectStatus = defineEnum('DisconnectStatus', 'State of a disconnect request.', {
  PENDING: 'Waiting for a decision.',
  APPROVED: 'The company was disconnected.',
  REJECTED: 'The company stays connected.',
  CANCELLED: 'Withdrawn before a decision.',
});

@embeddable('Person who decided on a request.')
export class ResolvedBy {
  @integer('Number of the user.') ledgerId!: number | null;
  @text('Name of the user, or of the organisation if only a key is known.') name!: string | null;
  @email('Email address of the user.') email!: string | null;
}

@record({
  description: 'A request to disconnect a company from its source system.',
  scope: 'organisation',
  companyColumn: 'ledger_company_id',
  key: 'ledgerId',
  prefix: 'disconnect_request',
  primaryKey: ['ledgerId', 'ledgerCompanyId'],
  unique: [{ name: 'disconnect_request_pending', columns: 'ledger_company_id, integration_type', where: "status = 'PENDING'" }],
  indexes: [
    { name: 'disconnect_request_organisation', columns: 'organisation_id, ledger_created_at, ledger_id' },
    { name: 'disconnect_request_company', columns: 'ledger_company_id, ledger_id' },
  ],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class DisconnectRequest {
  [PrimaryKeyProp]?: ['ledgerId', 'ledgerCompanyId'];
  @derived(
    () => ID,
    'Global id: `disconnect_request_` and the number.',
    ['ledgerId'],
    (row) => ledgerGlobalId('disconnect_request', row.ledgerId),
    { rest: 'never' },
  )
  id!: Opt<string>;
  @ledgerNumber('Number of the request.', { required: true }) ledgerId!: number;
  @ledgerNumber('Organisation that owns the company.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company to disconnect.', { required: true }) ledgerCompanyId!: number;
  @belongsTo(() => Company, 'ledgerCompanyId', {
    to: 'ledgerId',
    within: true,
    shown: 'Company to be disconnected.',
    inverse: 'disconnectRequests',
  })
  company?: Company;
  @text('Name of the company at the time of the request.', { required: true, search: true }) companyName!: string;
  @text('Source system to disconnect from.', { required: true, list: 'indexed' }) integrationType!: string;
  @enumeration(DisconnectStatus, 'State of the request.', { required: true }) status!: string;
  @ipAddress('IP address of the requester, as the trusted proxy reports it.') requesterIp!: string | null;
  @ledgerNumber('Number of the user who decided.') resolvedByUserId!: number | null;
  @moment('When the decision was made.') resolvedAt!: Date | null;
  @moment('When it was created.', { required: true }) ledgerCreatedAt!: Date;
  @embedded(() => ResolvedBy, 'Person who decided.') resolvedBy!: ResolvedBy | null;
}

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** A decision on a request. */
export interface Decision {
  status: 'APPROVED' | 'REJECTED' | 'CANCELLED';
  by: ResolvedBy | null;
  now: Date;
}

/**
 * Decides a pending request; every other state is final. Throws RECORD_NOT_FOUND where it has been removed. A decision that ends the connection
 * locks the company before the request, as `connect` does: in the other order the two would deadlock.
 */
export async function decide(
  em: EntityManager,
  source: EventSource,
  { ledgerId, ledgerCompanyId }: Pick<DisconnectRequest, 'ledgerId' | 'ledgerCompanyId'>,
  { status, by, now }: Decision,
): Promise<DisconnectRequest> {
  if (status === 'APPROVED') await em.findOne(Company, { ledgerId: ledgerCompanyId }, { ...LOCKED, fields: ['ledgerId'] });
  const request = await em.findOne(DisconnectRequest, { ledgerId, ledgerCompanyId }, LOCKED);
  if (!request) throw notFound(DisconnectRequest, ledgerId, 'ledgerId');
  if (request.status !== 'PENDING') throw forbiddenTransition('disconnect request', request.status, status, 'ledgerId');
  if (status === 'APPROVED') await disconnect(em, source, request, now);
  request.status = status;
  request.resolvedAt = now;
  request.resolvedBy = by;
  request.resolvedByUserId = by?.ledgerId ?? null;
  return request;
}

/** Ends the connection. Throws SYNC_IN_PROGRESS while a sync runs, because its records could no longer be stored. */
async function disconnect(em: EntityManager, source: EventSource, request: DisconnectRequest, now: Date): Promise<void> {
  const { ledgerCompanyId, integrationType } = request;
  // Changed before the check, because the change waits for the transactions that begin syncs.
  await em.nativeUpdate(
    Company,
    { ledgerId: ledgerCompanyId },
    { connectionStatus: 'DISCONNECTED', ledgerUpdatedAt: changeTime(now, 'ledger_updated_at') },
  );
  await endPushes(em, source, ledgerCompanyId);
  await refuseDuringSync(em, ledgerCompanyId);
  if (!(await endConnection(em, source, ledgerCompanyId)))
    emitConnection(em, source, { ledgerId: ledgerCompanyId, integrationType }, 'DISCONNECTED');
}

/**
 * Connects a company again, or to another source system; pending requests to disconnect it are cancelled. Returns the company. Throws
 * INVALID_STATE_TRANSITION while a connection leads to another source, whose schedule and credentials only a disconnect request ends.
 */
export async function connect(
  em: EntityManager,
  source: EventSource,
  companyId: number,
  integrationType: string | null,
  now: Date,
): Promise<CompanyRow> {
  await em.nativeUpdate(
    Company,
    { ledgerId: companyId },
    {
      connectionStatus: 'ACTIVE',
      ledgerUpdatedAt: changeTime(now, 'ledger_updated_at'),
      ...(integrationType ? { integrationType } : {}),
    },
  );
  const live = await em.findOne(Connection, liveOf(companyId), { disableIdentityMap: true });
  if (live && integrationType !== null && integrationType !== live.source)
    throw new GatewayError(
      'INVALID_STATE_TRANSITION',
      `the company is connected to ${live.source}; approve a disconnect request before it is connected to ${integrationType}`,
      { field: 'input.integrationType' },
    );
  const pending = { ledgerCompanyId: companyId, status: 'PENDING' };
  await em.nativeUpdate(DisconnectRequest, pending, { status: 'CANCELLED', resolvedAt: now });
  const company = await connectedCompany(em, source.organisationId, companyId);
  emitConnection(em, source, company, 'ACTIVE');
  return company;
}

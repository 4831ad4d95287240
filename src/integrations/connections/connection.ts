// Connections of companies to their source systems: the table and GraphQL types, and the transitions of their state.
import type { Opt } from '@mikro-orm/core';
import { auditRecords } from '../../access/audit.ts';
import type { EntityManager } from '../../database/open.ts';
import { type EventSource, emitEvents } from '../../events/events.ts';
import type { TopicName } from '../../events/topics.ts';
import { Node } from '../../graphql/node.ts';
import { belongsTo, enumeration, flag, identifier, integer, ledgerNumber, moment, object, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { Company } from '../companies/company.ts';
import { emitConnection } from '../companies/connection-events.ts';
import type { CustomFieldRule, Json } from '../connectors/connector.ts';
import type { Rhythm } from './schedule.ts';

export const ConnectionState = defineEnum('ConnectionState', 'Whether a connection works, and what it waits for.', {
  PENDING: 'Not tried yet: the settings are incomplete, or the first run has not ended.',
  CONNECTED: 'The last run reached the source; `statusReason` names the data models that fail.',
  NEEDS_REAUTH: 'The source no longer accepts the credentials; enter new ones through a link.',
  ERROR: 'The last run failed; the next one retries.',
  PAUSED: 'The schedule was stopped on request.',
  DISCONNECTED: 'Ended; the credentials are destroyed, tokens as soon as the source has revoked them.',
});

/** The name of a state of a connection. */
export type ConnectionStateName = keyof typeof ConnectionState.values;

/** How the last pull of a data model ended, and how many of its records there were then. */
export interface PullState {
  lastSuccessAt: string | null;
  /** Why the last one failed; null where it did not. */
  lastError: string | null;
  stored: number;
  refused: number;
  deleted: number;
  /** Bytes of what is kept of the source's records; absent where none is. */
  rawBytes?: number;
}

/** Longest schedule, in minutes: thirty days. */
export const MAX_MINUTES = 43_200;

@record({
  description: 'Connection of a company to its source system: settings, schedule and state.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'connection',
  primaryKey: ['id', 'companyId'],
  indexes: [
    { name: 'connection_company', columns: 'company_id, created_at, id' },
    { name: 'connection_due', columns: 'next_run_at', where: 'next_run_at is not null' },
  ],
  unique: [{ name: 'connection_live', columns: 'company_id', where: "status <> 'DISCONNECTED'" }],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class Connection {
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the company.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company that is connected.', { required: true }) companyId!: number;
  @belongsTo(() => Company, 'companyId', {
    to: 'ledgerId',
    within: true,
    shown: 'Company that the record belongs to.',
    inverse: 'connections',
  })
  company?: Company;
  @text('Source system, one of `connectors`.', { required: true }) source!: string;
  @enumeration(ConnectionState, 'State of the connection.', { required: true }) status!: string;
  @text('Reason of the state and what to do, in one sentence; if CONNECTED, the data models that fail and why.')
  statusReason!: string | null;
  @moment('Start of the current state.', { required: true }) statusSince!: Date;
  @moment('When a run last stored every record.') lastSuccessAt!: Date | null;
  @moment('When the schedule starts the next run; null if it starts none.') nextRunAt!: Date | null;
  @integer('Minutes between runs, varied by a tenth, for data models without an entry in `schedules`.', {
    required: true,
    rules: { min: 1, max: MAX_MINUTES },
  })
  intervalMinutes!: number;
  @object('The rhythm of each data model that has one of its own, by its name; `*` for all others.', {
    required: true,
    hidden: true,
    columnDefault: "'{}'",
  })
  rhythms!: Opt<Record<string, Rhythm>>;
  @object('When each rhythm is next due, by the same names; absent for one that has not run yet.', {
    required: true,
    hidden: true,
    columnDefault: "'{}'",
  })
  dueAt!: Opt<Record<string, string>>;
  @object('Settings of the source without secrets, by name.', { required: true }) settings!: Record<string, string>;
  @text('The secret settings, as JSON text, sealed for this row.', { hidden: true, sealed: ['id'] }) sealedCredentials!: string | null;
  @text('Random part of the link that is open; null while none is.', { hidden: true }) linkNonce!: string | null;
  @moment('When that link expires.', { hidden: true }) linkExpiresAt!: Date | null;
  @moment('When the holder of an expired link requested a new one; null once a new one exists.') linkRequestedAt!: Date | null;
  @text('The sign-in in progress at the source, as JSON text, sealed for this row.', { hidden: true, sealed: ['id'] }) sealedSignIn!:
    | string
    | null;
  @moment('Until when one process alone may renew the access token.', { hidden: true }) renewalUntil!: Date | null;
  @moment('When the allowance of calls at the source is whole again.', { hidden: true }) callsPacedUntil!: Date | null;
  @moment('Until when no call is made, because the source limits them.', { hidden: true }) callsPausedUntil!: Date | null;
  @flag('Whether its records keep what the source sent of them, in `rawData`.', { required: true, columnDefault: 'false' })
  keepsRawData!: Opt<boolean>;
  @object('The custom fields of its records, a list of rules.', { required: true, hidden: true, columnDefault: "'[]'" })
  customFieldRules!: Opt<CustomFieldRule[]>;
  @object('The cursor of each data model, by its name.', { required: true, hidden: true }) cursors!: Record<string, Json>;
  @object('How the last pull of each data model ended, by its name.', { required: true, hidden: true, columnDefault: "'{}'" })
  pullStates!: Opt<Record<string, PullState>>;
  @moment('When it was created.', { required: true }) createdAt!: Date;
  @moment('When the settings or the state last changed.', { required: true }) updatedAt!: Date;
}

/** What names a connection to a statement: with the company, it reaches the row of that company alone. */
export type ConnectionKey = Pick<Connection, 'id' | 'companyId'>;

/** Conditions of the one connection of a company that has not ended. */
export const liveOf = (companyId: number) => ({ companyId, status: { $ne: 'DISCONNECTED' } });

/** Stores the state of a connection. A new state is sent to subscribers; the same state again changes only its reason. */
export function setState(
  em: EntityManager,
  source: EventSource,
  connection: Connection,
  status: ConnectionStateName,
  reason: string | null,
): void {
  const now = source.services.clock.now();
  const isNew = connection.status !== status;
  if (!isNew && connection.statusReason === reason) return;
  connection.statusReason = reason;
  connection.updatedAt = now;
  if (!isNew) return;
  connection.status = status;
  connection.statusSince = now;
  auditRecords(em, [{ id: connection.id }]);
  const company = { ledgerId: connection.companyId, integrationType: connection.source };
  emitConnection(em, source, company, status === 'DISCONNECTED' ? 'DISCONNECTED' : 'ACTIVE');
  if (status !== 'PENDING') emitState(em, source, connection, `CONNECTIONS.${status}`);
}

/** Emits an event with a connection as it is now. */
export function emitState(em: EntityManager, source: EventSource, connection: Connection, topic: TopicName): void {
  const { id, companyId, source: integrationType, status, statusReason, statusSince } = connection;
  const data = {
    connection_id: id,
    ledger_company_id: companyId,
    integration_type: integrationType,
    status,
    status_reason: statusReason,
    status_since: statusSince.toISOString(),
  };
  emitEvents(em, source, [{ topic, companyId, integrationType, subject: id, data }]);
}

/** Ends the link of a connection, where one is open. */
export function endLink(connection: Connection): void {
  connection.linkNonce = null;
  connection.linkExpiresAt = null;
  connection.linkRequestedAt = null;
  connection.sealedSignIn = null;
}

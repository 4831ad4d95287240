// Writes of connections: made, changed, paused, resumed and ended.
import { LockMode } from '@mikro-orm/core';
import { auditRecords } from '../../access/audit.ts';
import { type RequestContext, type Services, scopeOf, tenantOf } from '../../access/context.ts';
import { requireQuota } from '../../access/quotas.ts';
import { transaction } from '../../access/transaction.ts';
import { changeTime } from '../../database/change-times.ts';
import { brokenConstraint } from '../../database/errors.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import type { EventSource } from '../../events/events.ts';
import { GatewayError, inputError, invalid, missing } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { announceChange, Company, companyOf, forgetCompany } from '../companies/company.ts';
import { emitConnection } from '../companies/connection-events.ts';
import type { CustomFieldRule } from '../connectors/connector.ts';
import { type ConnectorDefinition, takesWrites } from '../connectors/connector.ts';
import { Connection, type ConnectionKey, emitState, endLink, liveOf, setState } from './connection.ts';
import { connectorsOf } from './connectors.ts';
import { DISCONNECTED_REASON, keepForRevocation } from './revocation-queue.ts';
import { startAtOnce } from './run-queue.ts';
import { changeRhythms, fullSyncDaysOf, type GivenSchedule, type Rhythm, rhythmsOf, scheduleIssues, storedRhythms } from './schedule.ts';
import { checkSettings, type GivenSettings, lacking, openCredentials, partsOf, type Settings, sealCredentials } from './settings.ts';

/** Minutes between two runs unless a connection says otherwise. */
export const HOURLY = 60;

/** A connection to make. */
export interface NewConnection {
  source: string;
  settings?: Record<string, unknown> | null;
  intervalMinutes?: number | null;
  schedules?: GivenSchedule[] | null;
  keepsRawData?: boolean | null;
  customFields?: CustomFieldRule[] | null;
}

/** Changes of a connection; what is absent stays. */
export interface ConnectionChanges {
  settings?: Record<string, unknown> | null;
  intervalMinutes?: number | null;
  schedules?: GivenSchedule[] | null;
  keepsRawData?: boolean | null;
  customFields?: CustomFieldRule[] | null;
}

const eventSource = (context: RequestContext): EventSource => ({
  services: context.services,
  organisationId: tenantOf(context).organisationId,
  organisation: context.principal?.organisation ?? null,
});

/** The connector of a source; INVALID_PARAMS that lists the sources for any other name. */
export function definitionOf(services: Services, source: string): ConnectorDefinition {
  const connectors = connectorsOf(services);
  const definition = connectors.get(source);
  if (definition) return definition;
  const known = [...connectors.keys()].join(', ');
  throw invalid(
    'input.source',
    `input.source ${JSON.stringify(source.slice(0, 64))} has no connector here; ${known ? `use ${known}` : 'no connectors are installed'}`,
  );
}

/** Sets the source of a company and which of its records are sent there, in every process. */
async function storeSource(
  em: EntityManager,
  { services, organisationId }: EventSource,
  ledgerId: number,
  definition: ConnectorDefinition | null,
): Promise<void> {
  const pushed = definition?.capabilities.filter(takesWrites).map(({ dataModel }) => dataModel) ?? [];
  await em.nativeUpdate(
    Company,
    { ledgerId },
    {
      pushedModels: pushed.length > 0 ? pushed : null,
      ledgerUpdatedAt: changeTime(services.clock.now(), 'ledger_updated_at'),
      ...(definition ? { integrationType: definition.source, connectionStatus: 'ACTIVE' } : {}),
    },
  );
  announceChange(em, services, { organisationId, ledgerId });
}

/** What a connection waits for; null when it has every setting it needs. */
function waitsFor(definition: ConnectorDefinition, settings: Settings): string | null {
  const titles = lacking(definition, settings);
  return titles.length > 0 ? `it needs ${titles.join(', ')}; its link takes them` : null;
}

/** The schedule of a connection as it is stored. Throws INVALID_PARAMS that names every wrong part. */
function checkSchedules({ clock }: Services, definition: ConnectorDefinition, given: readonly GivenSchedule[]): Record<string, Rhythm> {
  const issues = scheduleIssues(given, 'input.schedules', definition, clock.now());
  if (issues.length > 0) throw inputError({ issues });
  return storedRhythms(given);
}

/** The rules of custom fields as they are stored. Throws INVALID_PARAMS for a data model that the source does not have, or a name that comes twice. */
function checkCustomFields({ title, capabilities }: ConnectorDefinition, given: readonly CustomFieldRule[]): CustomFieldRule[] {
  const known = new Set(capabilities.map(({ dataModel }) => dataModel));
  const seen = new Set<string>();
  return given.map(({ dataModel, name, from }, index) => {
    const path = `input.customFields[${index}]`;
    if (!known.has(dataModel)) throw invalid(`${path}.dataModel`, `${path}.dataModel: ${title} has no ${dataModel} records`);
    const key = `${dataModel} ${name}`;
    if (seen.has(key)) throw invalid(`${path}.name`, `${path}.name names ${name} of ${dataModel} a second time`, 'DUPLICATE');
    seen.add(key);
    return { dataModel, name, from };
  });
}

/** A connection whose parts are checked. */
interface CheckedConnection {
  settings: GivenSettings;
  intervalMinutes: number;
  rhythms: Record<string, Rhythm>;
  keepsRawData?: boolean;
  customFieldRules?: CustomFieldRule[];
}

/** Stores a connection of a company, whose source it becomes; its first run starts at once when its settings are complete. Returns its id. */
export async function storeConnection(
  em: EntityManager,
  source: EventSource,
  companyId: number,
  definition: ConnectorDefinition,
  { settings: { shown, secret }, intervalMinutes, rhythms, keepsRawData = false, customFieldRules = [] }: CheckedConnection,
): Promise<string> {
  const { services, organisationId } = source;
  const id = newId('connection');
  const now = services.clock.now();
  const reason = waitsFor(definition, { ...shown, ...secret });
  await requireQuota(em, services.config, organisationId, 'connections');
  const connection = em.create(Connection, {
    id,
    organisationId,
    companyId,
    source: definition.source,
    status: 'PENDING',
    statusReason: reason,
    statusSince: now,
    nextRunAt: null,
    intervalMinutes,
    rhythms,
    keepsRawData,
    customFieldRules,
    dueAt: {},
    settings: shown,
    sealedCredentials: sealCredentials(services, id, secret),
    linkNonce: null,
    linkExpiresAt: null,
    sealedSignIn: null,
    renewalUntil: null,
    callsPacedUntil: null,
    callsPausedUntil: null,
    cursors: {},
    createdAt: now,
    updatedAt: now,
  });
  if (!reason) startAtOnce(em, services, connection);
  await em.flush();
  await storeSource(em, source, companyId, definition);
  emitConnection(em, source, { ledgerId: companyId, integrationType: definition.source }, 'ACTIVE');
  emitState(em, source, connection, 'CONNECTIONS.CREATED');
  return id;
}

/** Makes a connection; its first run starts at once when its settings are complete. Returns its id. */
export async function createConnection(context: RequestContext, companyId: number, input: NewConnection): Promise<string> {
  await companyOf(context, companyId);
  const { services } = context;
  const definition = definitionOf(services, input.source);
  const checked: CheckedConnection = {
    settings: checkSettings(definition, input.settings ?? {}, 'input.settings'),
    intervalMinutes: input.intervalMinutes ?? HOURLY,
    rhythms: checkSchedules(services, definition, input.schedules ?? []),
    keepsRawData: input.keepsRawData ?? false,
    customFieldRules: checkCustomFields(definition, input.customFields ?? []),
  };
  const id = await transaction(context, (em) => storeConnection(em, eventSource(context), companyId, definition, checked)).catch(
    (error: unknown) => {
      if (brokenConstraint(error) !== 'connection_live') throw error;
      throw new GatewayError('RECORD_ALREADY_EXISTS', `company ${companyId} has a connection already; end it first`, {
        field: 'companyId',
      });
    },
  );
  forgetCompany(context, companyId);
  return id;
}

/** How a caller names a connection. */
export interface NamedConnection {
  id: string;
  /** The company it must belong to; any that the caller may see when absent or null. */
  companyId?: number | null;
}

/** What the resolvers of a connection read of it. */
const NAMED_PROPS = ['companyId', 'source', 'status'] as const;

/** The live connection that a caller names; also checks that the caller may see its company. `field` is the argument with the id. */
export async function liveConnection(
  context: RequestContext,
  { id, companyId = null }: NamedConnection,
  field = 'id',
): Promise<StoredRecord<Connection, (typeof NAMED_PROPS)[number]>> {
  const unseen: GatewayError[] = [];
  if (companyId !== null) await Promise.resolve(companyOf(context, companyId)).catch((error: GatewayError) => void unseen.push(error));
  const found = await context.services.reader.one(Connection, { id }, NAMED_PROPS, scopeOf(context));
  if (!found || (companyId !== null && companyId !== found.companyId)) unseen.push(notFound(Connection, id, field));
  const [first, ...others] = unseen;
  if (first) throw new GatewayError(first.code, first.message, { ...first.info, others });
  if (found!.status === 'DISCONNECTED')
    throw new GatewayError('CONNECTION_DISCONNECTED', `connection ${id} has ended; make a new one`, { field });
  return found!;
}

/** Runs a change of a live connection the caller may see, under its lock. */
export async function changeConnection(
  context: RequestContext,
  named: NamedConnection,
  work: (em: EntityManager, source: EventSource, connection: Connection) => void | Promise<void>,
  field = 'id',
): Promise<void> {
  const { companyId } = await liveConnection(context, named, field);
  const { id } = named;
  const source = eventSource(context);
  await transaction(context, async (em) => {
    const connection = await em.findOne(Connection, { ...liveOf(companyId), id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection) throw notFound(Connection, id, field);
    auditRecords(em, [{ id }]);
    await work(em, source, connection);
  });
}

/** Adds given settings to those a connection has; it is tried again at once when they are complete. */
export function storeSettings(
  em: EntityManager,
  source: EventSource,
  connection: Connection,
  given: Readonly<Record<string, unknown>>,
): void {
  storeParts(em, source, connection, checkSettings(definitionOf(source.services, connection.source), given, 'input.settings'));
}

/** Adds checked settings and credentials to those a connection has; it is tried again at once when they are complete. */
export function storeParts(em: EntityManager, source: EventSource, connection: Connection, { shown, secret }: GivenSettings): void {
  const { services } = source;
  const credentials = { ...openCredentials(services, connection), ...secret };
  connection.settings = { ...connection.settings, ...shown };
  connection.sealedCredentials = sealCredentials(services, connection.id, credentials);
  connection.updatedAt = services.clock.now();
  if (connection.status !== 'PAUSED') tryAgain(em, source, connection);
}

/** Starts a run at once where the settings are complete. */
function tryAgain(em: EntityManager, source: EventSource, connection: Connection): void {
  const { services } = source;
  const credentials = openCredentials(services, connection);
  const reason = waitsFor(definitionOf(services, connection.source), { ...connection.settings, ...credentials });
  setState(em, source, connection, 'PENDING', reason);
  if (reason) connection.nextRunAt = null;
  else startAtOnce(em, services, connection);
}

/**
 * Stores settings that the source itself has changed in a run, such as a new refresh token, in addition to the existing ones. It also updates the
 * credentials of the connection that the run uses. One that has ended keeps no credentials.
 */
export function storeChangedSettings(
  services: Services,
  organisationId: number,
  used: ConnectionKey & Pick<Connection, 'sealedCredentials'>,
  definition: ConnectorDefinition,
  changed: Readonly<Settings>,
): Promise<void> {
  const { shown, secret } = partsOf(definition, changed);
  return organisationTransaction(services.database, organisationId, async (em) => {
    const { id, companyId } = used;
    const connection = await em.findOne(Connection, { id, companyId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection || connection.status === 'DISCONNECTED') return;
    const isUsed = connection.sealedCredentials === used.sealedCredentials;
    connection.settings = { ...connection.settings, ...shown };
    connection.sealedCredentials = sealCredentials(services, id, { ...openCredentials(services, connection), ...secret });
    if (isUsed) used.sealedCredentials = connection.sealedCredentials;
  });
}

/** Whether two schedules start the same runs: one may leave out what the other says. */
function isSameSchedule(one: Schedule, other: Schedule): boolean {
  const settingOf = (of: Schedule): unknown =>
    Object.entries(rhythmsOf(of))
      .map(([key, rhythm]) => [
        key,
        rhythm.intervalMinutes,
        rhythm.cron,
        rhythm.cron && (rhythm.timeZone ?? 'UTC'),
        fullSyncDaysOf(of, key),
      ])
      .sort();
  return JSON.stringify(settingOf(one)) === JSON.stringify(settingOf(other));
}

type Schedule = Pick<Connection, 'intervalMinutes' | 'rhythms'>;

/** Changes settings or schedule of a connection. */
export async function updateConnection(
  context: RequestContext,
  named: NamedConnection,
  { settings, intervalMinutes, schedules, keepsRawData, customFields }: ConnectionChanges,
): Promise<void> {
  if ([settings, intervalMinutes, schedules, keepsRawData, customFields].every((given) => given == null))
    throw missing(
      'input.settings',
      'input.settings, input.intervalMinutes, input.schedules, input.keepsRawData or input.customFields is required',
    );
  const { services } = context;
  await changeConnection(context, named, (em, source, connection) => {
    const change = {
      ...(intervalMinutes == null ? {} : { intervalMinutes }),
      ...(schedules == null ? {} : { rhythms: checkSchedules(services, definitionOf(services, connection.source), schedules) }),
    };
    if (settings && Object.keys(settings).length > 0) storeSettings(em, source, connection, settings);
    const kept = {
      ...(keepsRawData == null ? {} : { keepsRawData }),
      ...(customFields == null ? {} : { customFieldRules: checkCustomFields(definitionOf(services, connection.source), customFields) }),
    };
    if (Object.entries(kept).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(connection[name as keyof typeof kept])))
      Object.assign(connection, kept, { updatedAt: services.clock.now() });
    if (isSameSchedule(connection, { ...connection, ...change })) return;
    connection.updatedAt = services.clock.now();
    changeRhythms(connection, change, services.clock.now());
  });
}

/** Stops the schedule of a connection. */
export const pauseConnection = (context: RequestContext, named: NamedConnection): Promise<void> =>
  changeConnection(context, named, (em, source, connection) => {
    setState(em, source, connection, 'PAUSED', 'paused on request');
    connection.nextRunAt = null;
  });

/** Starts the schedule of a paused connection again, with a run at once. */
export const resumeConnection = (context: RequestContext, named: NamedConnection): Promise<void> =>
  changeConnection(context, named, (em, source, connection) => {
    if (connection.status !== 'PAUSED')
      throw new GatewayError('INVALID_STATE_TRANSITION', `the connection is ${connection.status}, not PAUSED`, { field: 'id' });
    tryAgain(em, source, connection);
  });

/** Ends the connection of a company: its schedule stops and its credentials are destroyed, tokens once they are revoked. Returns whether it had one. */
export async function endConnection(em: EntityManager, source: EventSource, companyId: number): Promise<boolean> {
  const connection = await em.findOne(Connection, liveOf(companyId), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!connection) return false;
  setState(em, source, connection, 'DISCONNECTED', DISCONNECTED_REASON);
  connection.nextRunAt = null;
  keepForRevocation(em, source.services, connection);
  endLink(connection);
  await storeSource(em, source, companyId, null);
  return true;
}

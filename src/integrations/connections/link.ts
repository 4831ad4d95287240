// The link to the hosted page of a connection: made for an hour, one per connection. Its key is the permission to give settings.

import { randomBytes } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { auditRecords } from '../../access/audit.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import { transactionFor } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { systemTransaction } from '../../database/transaction.ts';
import type { EventSource } from '../../events/events.ts';
import { Gathering } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import { notFound } from '../../records/not-found.ts';
import { publicOrigin } from '../../security/signed-urls.ts';
import { Company } from '../companies/company.ts';
import type { Capability, ConnectorDefinition, SettingField } from '../connectors/connector.ts';
import { Connection, emitState } from './connection.ts';
import { changeConnection, definitionOf, type NamedConnection, storeParts } from './connection-store.ts';
import { checkSettings, type GivenSettings, openCredentials, settingIssues } from './settings.ts';
import { trySettings } from './sources.ts';

/** How long a link works. */
const LINK_MS = 3_600_000;

/** The mutation that the audit log names for what a person does on the page. */
const MUTATION = 'linkConnection';

/** A link to the page of a connection. */
export interface ConnectionLink {
  url: string;
  expiresAt: string;
}

const payloadOf = (id: string, nonce: string, expiry: string): string => `v1.${id}.${nonce}.${expiry}`;

/** The path of the page, with the key of the link. */
function linkPath({ signer }: Services, id: string, nonce: string, expiresAt: Date): string {
  const expiry = Math.floor(expiresAt.getTime() / 1_000).toString(36);
  return `/connect/${id}?key=${expiry}.${nonce}.${signer.sign('connection', payloadOf(id, nonce, expiry))}`;
}

/** Makes the link of a live connection; the one before it stops working. */
export async function createConnectionLink(context: RequestContext, named: NamedConnection): Promise<ConnectionLink> {
  const { services } = context;
  const nonce = randomBytes(12).toString('base64url');
  // The key holds whole seconds.
  const expiresAt = new Date(Math.floor((services.clock.now().getTime() + LINK_MS) / 1_000) * 1_000);
  await changeConnection(
    context,
    named,
    (_, __, connection) => {
      const definition = definitionOf(services, connection.source);
      if (definition.oauth && !services.config.connectorOauthClients[definition.source])
        throw new GatewayError(
          'OPERATION_NOT_SUPPORTED',
          `the operator has no client at ${definition.source}; see CONNECTOR_OAUTH_CLIENTS`,
          {
            field: 'connectionId',
          },
        );
      connection.linkNonce = nonce;
      connection.linkExpiresAt = expiresAt;
      connection.linkRequestedAt = null;
      connection.sealedSignIn = null;
    },
    'connectionId',
  );
  const url = publicOrigin(services.config) + linkPath(services, named.id, nonce, expiresAt);
  return { url, expiresAt: expiresAt.toISOString() };
}

/** A connection whose link is open. */
export interface OpenLink {
  connection: Connection;
  definition: ConnectorDefinition;
  /** Names of those who ask. */
  organisation: string;
  company: string;
}

const ended = (): GatewayError =>
  new GatewayError(
    'LINK_EXPIRED',
    'this link was used already, a newer one replaced it, or its connection has ended; ask its sender for a new one',
  );

/** A live connection by its id, with the names the page shows; undefined for one that has ended or never was. */
async function liveConnection({ database }: Services, id: string): Promise<Omit<OpenLink, 'definition'> | undefined> {
  const options = { filters: { tenant: false } };
  return systemTransaction(database, async (em) => {
    const connection = await em.findOne(Connection, { id, status: { $ne: 'DISCONNECTED' } }, options);
    if (!connection) return undefined;
    const company = await em.findOneOrFail(Company, { ledgerId: connection.companyId }, options);
    const organisation = await em.findOneOrFail(Organisation, { id: connection.organisationId });
    return { connection, company: company.name, organisation: organisation.name };
  });
}

const isOver = ({ clock }: Services, { linkExpiresAt }: Connection): boolean => linkExpiresAt!.getTime() <= clock.now().getTime();

/** Whether the open link of a connection has this random part, and has not expired. Throws LINK_EXPIRED otherwise. */
export function checkOpen(services: Services, connection: Connection, nonce: string): void {
  if (connection.linkNonce !== nonce) throw ended();
  if (isOver(services, connection)) throw new GatewayError('LINK_EXPIRED', 'this link has expired; ask its sender for a new one');
}

/**
 * The live connection whose present link has this key, open or expired. A wrong key gets the error of an unknown id, so that it does not show
 * which ids exist.
 */
async function linked(services: Services, id: string, key: string): Promise<Omit<OpenLink, 'definition'>> {
  const [expiry = '', nonce = '', signature = ''] = key.split('.');
  if (!services.signer.verify('connection', payloadOf(id, nonce, expiry), signature)) throw notFound(Connection, id, 'id');
  const found = await liveConnection(services, id);
  if (found?.connection.linkNonce !== nonce) throw ended();
  return found;
}

/** The connection that the key of a link opens. */
export async function openLink(services: Services, id: string, key: string): Promise<OpenLink> {
  const found = await linked(services, id, key);
  checkOpen(services, found.connection, found.connection.linkNonce!);
  return { ...found, definition: definitionOf(services, found.connection.source) };
}

/** Who can renew the expired link with this key, and whether they were asked already. Throws LINK_EXPIRED for one that a newer one replaced. */
export async function expiredLink(services: Services, id: string, key: string): Promise<{ organisation: string; isAsked: boolean }> {
  const { connection, organisation } = await linked(services, id, key);
  if (!isOver(services, connection)) throw new GatewayError('INVALID_STATE_TRANSITION', 'this link still works');
  return { organisation, isAsked: connection.linkRequestedAt !== null };
}

/** Notifies the organisation once that the person with an expired link requests a new one. The person gets nothing from the gateway: the organisation sends the link. */
export async function askForLink(context: RequestContext, id: string, key: string): Promise<void> {
  const { services } = context;
  const { connection: found } = await linked(services, id, key);
  const { organisationId, companyId, linkNonce } = found;
  context.mutation = 'requestConnectionLink';
  await transactionFor(context, organisationId, async (em) => {
    const connection = await em.findOne(Connection, { id, companyId, linkNonce }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection || connection.status === 'DISCONNECTED') throw ended();
    if (!isOver(services, connection)) throw new GatewayError('INVALID_STATE_TRANSITION', 'this link still works');
    if (connection.linkRequestedAt) return;
    auditRecords(em, [{ id }]);
    connection.linkRequestedAt = services.clock.now();
    emitState(em, { services, organisationId, organisation: null }, connection, 'CONNECTIONS.LINK_REQUESTED');
  });
}

/** The connection of an id whose link is open; undefined without one. For a person who comes back from a sign-in. */
export async function linkInUse(services: Services, id: string): Promise<OpenLink | undefined> {
  const found = await liveConnection(services, id);
  return found?.connection.linkNonce ? { ...found, definition: definitionOf(services, found.connection.source) } : undefined;
}

/** A setting as the page asks for it. */
export interface LinkField extends SettingField {
  /** Its value; empty for a secret. */
  value: string;
  /** Whether a secret is stored, which stays when it is left empty. */
  isStored: boolean;
}

/** What the page shows of a connection. */
export interface LinkForm {
  id: string;
  /** Where the form is sent: the path of the link. */
  path: string;
  organisation: string;
  company: string;
  title: string;
  capabilities: readonly Capability[];
  fields: readonly LinkField[];
  /** Whether the person is sent to the source to sign in. */
  signsIn: boolean;
  status: string;
  statusReason: string | null;
  expiresAt: Date;
}

/** The page of an open link. */
export function formOf(services: Services, { connection, definition, organisation, company }: OpenLink): LinkForm {
  const { id, status, statusReason, settings, linkNonce, linkExpiresAt } = connection;
  const credentials = openCredentials(services, connection);
  return {
    id,
    path: linkPath(services, id, linkNonce!, linkExpiresAt!),
    organisation,
    company,
    title: definition.title,
    capabilities: definition.capabilities,
    fields: definition.settings.map((field) => ({
      ...field,
      value: field.kind === 'secret' ? '' : (settings[field.name] ?? ''),
      isStored: field.kind === 'secret' && credentials[field.name] !== undefined,
    })),
    signsIn: definition.oauth !== undefined,
    status,
    statusReason,
    expiresAt: linkExpiresAt!,
  };
}

/** Settings of a posted form, checked. */
export interface LinkedSettings extends GivenSettings {
  /** Names of the settings that are not secret and were emptied. */
  emptied: string[];
}

const isBlank = (value: string | undefined): boolean => value === undefined || value.trim() === '';

/** Checks the texts of the posted form. Throws INVALID_PARAMS that names every wrong field, never its value. */
export function checkPosted(
  services: Services,
  { connection, definition }: OpenLink,
  posted: Readonly<Record<string, string>>,
): LinkedSettings {
  const credentials = openCredentials(services, connection);
  const lacks = ({ name, kind, isRequired }: SettingField): boolean =>
    isRequired && isBlank(posted[name]) && !(kind === 'secret' && credentials[name] !== undefined);
  const filled = Object.fromEntries(Object.entries(posted).filter(([, value]) => !isBlank(value)));
  const issues = new Gathering();
  for (const { name } of definition.settings.filter(lacks))
    issues.add(`settings.${name}`, 'REQUIRED', `settings.${name} must not be empty`);
  issues.addAll(settingIssues(definition, filled, 'settings'));
  issues.refuse();
  const isEmptied = ({ name, kind }: SettingField): boolean => kind !== 'secret' && isBlank(posted[name]);
  return {
    ...checkSettings(definition, filled, 'settings'),
    emptied: definition.settings.filter(isEmptied).map(({ name }) => name),
  };
}

/** Tries given settings at the source of an open link. Returns them as they are afterwards. Throws the error of the source. */
export async function tryLinked<T extends GivenSettings>(services: Services, { connection }: OpenLink, given: T): Promise<T> {
  const { organisationId, companyId: ledgerId, source: integrationType } = connection;
  const { shown, secret } = await trySettings(services, { organisationId, ledgerId, integrationType }, given);
  return { ...given, shown: { ...given.shown, ...shown }, secret: { ...given.secret, ...secret } };
}

/** Runs a change of the connection of an open link, under its lock. LINK_EXPIRED where the link has ended since it was opened. */
export function changeLinked(
  context: RequestContext,
  { connection: { id, organisationId, companyId, linkNonce } }: OpenLink,
  work: (em: EntityManager, source: EventSource, connection: Connection) => void | Promise<void>,
): Promise<Connection> {
  const { services } = context;
  context.mutation = MUTATION;
  return transactionFor(context, organisationId, async (em) => {
    const connection = await em.findOne(Connection, { id, companyId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection || connection.status === 'DISCONNECTED') throw ended();
    checkOpen(services, connection, linkNonce!);
    auditRecords(em, [{ id }]);
    await work(em, { services, organisationId, organisation: null }, connection);
    return connection;
  });
}

/** Stores settings of the page; the connection is tried at once when they are complete. */
export function storeLinked(em: EntityManager, source: EventSource, connection: Connection, { emptied, ...parts }: LinkedSettings): void {
  connection.settings = Object.fromEntries(Object.entries(connection.settings).filter(([name]) => !emptied.includes(name)));
  storeParts(em, source, connection, parts);
}

// The source of a company: its connection and connector, or the files in its inbox, opened for one run.
import type { ReadScope, RequestContext, Services } from '../../access/context.ts';
import { hasReached } from '../../access/quotas.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { GatewayError } from '../../records/errors.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import { CacheKey } from '../../runtime/caches.ts';
import type { Connector, ConnectorCompany, ConnectorDefinition, ConnectorSession, CustomFieldRule } from '../connectors/connector.ts';
import { demoLedger as demoConnector } from '../connectors/demo/demo-connector.ts';
import { FILES, InboxConnector, inboxModels } from '../connectors/files/inbox.ts';
import { Secrets } from '../connectors/programs/secrets.ts';
import { keepingFacts, type SourceFacts } from '../connectors/source-facts.ts';
import { type OpenSourceHttp, openSourceHttp } from '../connectors/source-http.ts';
import { readableOnly } from '../connectors/unreadable.ts';
import { recordOf } from '../ledger/ledger-record.ts';
import { callGate } from './call-gate.ts';
import { Connection } from './connection.ts';
import { storeChangedSettings } from './connection-store.ts';
import { connectorsOf } from './connectors.ts';
import { type GivenSettings, lacking, openCredentials, partsOf, type Settings } from './settings.ts';
import { isFresh, sessionCredentials } from './sign-in.ts';

/** What a connection keeps of the records of its source. */
const FACTS = ['keepsRawData', 'customFieldRules'] as const;

/** What a run reads of a connection. */
export const RUN_PROPS = [
  'id',
  'companyId',
  'source',
  'status',
  'settings',
  'sealedCredentials',
  'cursors',
  'callsPausedUntil',
  ...FACTS,
] as const;

/** A connection as a run finds it. */
export type RunConnection = StoredRecord<Connection, (typeof RUN_PROPS)[number]>;

/** Longest that a source is asked while a person or caller waits. A program is started several times in it. */
const TRY_MS = 45_000;

const timedOut = (): GatewayError => new GatewayError('PLATFORM_TIMEOUT', `the source did not respond within ${TRY_MS / 1_000} seconds`);

/** Questions of one organisation that sources are asked at a time by one process. */
const MAX_ASKED = 5;
const askedSources = new CacheKey<Services, Map<number, number>>('asked_sources', () => new Map());

/** States in which a connection is the source of its company. */
export const LIVE = ['PENDING', 'CONNECTED', 'NEEDS_REAUTH', 'ERROR', 'PAUSED'];

/** An opened source. */
export interface OpenSource {
  connector: Connector;
  /** The connection it was opened for; undefined for the files of the inbox. */
  connection: RunConnection | undefined;
  /** Ends with an error what the source still does. */
  stop(error: GatewayError): void;
  close(): Promise<void>;
}

const scopeOf = (organisationId: number): ReadScope => ({ tenant: { organisationId, companyIds: null } });

/** The live connections of companies of one organisation, with their connectors. */
async function connectionsOf(
  services: Services,
  companies: readonly ConnectorCompany[],
): Promise<Map<number, { connection: RunConnection; definition: ConnectorDefinition }>> {
  const where = { companyId: { in: companies.map(({ ledgerId }) => ledgerId) }, status: { in: LIVE } };
  const found: RunConnection[] = await services.reader.find(Connection, { where }, RUN_PROPS, scopeOf(companies[0]!.organisationId));
  return new Map(
    found.flatMap((connection) => {
      const definition = connectorsOf(services).get(connection.source);
      return definition ? [[connection.companyId, { connection, definition }] as const] : [];
    }),
  );
}

/** The hosts at private addresses that the runs of a connection may call: those of the operator, and the demo ledger of this process. */
function privateHostsOf({ config, demoLedger }: Services, { source, settings: { url } }: RunConnection): readonly string[] {
  if (source !== demoConnector.source || demoLedger === undefined || url !== demoLedger) return config.connectorPrivateHosts;
  return [...config.connectorPrivateHosts, new URL(demoLedger).host];
}

/** The hosts that the settings of a connection name: those of one server are called by all connections to it. */
const addressOf = ({ settings: declared }: ConnectorDefinition, { settings }: RunConnection): string =>
  declared.flatMap(({ name, kind }) => (kind === 'url' && settings[name] ? [new URL(settings[name]).host] : [])).join(' ');

/** The calls that are made for a connection. */
export const wayOut = (
  services: Services,
  organisationId: number,
  connection: RunConnection,
  definition: ConnectorDefinition,
  signal: AbortSignal,
): OpenSourceHttp =>
  openSourceHttp({
    privateHosts: privateHostsOf(services, connection),
    signal,
    callMs: services.config.sourceTimes.callMs,
    now: () => services.clock.now(),
    gate: callGate(services, {
      connection: { ...connection, organisationId },
      address: addressOf(definition, connection),
      limits: definition.limits,
    }),
    problemHeader: definition.limits?.problemHeader,
  });

/**
 * Tries settings at the source of a company before they are stored: `given` in addition to those that its connection has. Returns what the
 * source has changed
 * of them, such as a refresh token that was used up. Throws the error of the source, without the secrets.
 */
export async function trySettings(services: Services, company: ConnectorCompany, given: GivenSettings): Promise<GivenSettings> {
  const { organisationId, ledgerId } = company;
  const found = (await connectionsOf(services, [company])).get(ledgerId);
  if (!found) throw new GatewayError('CONNECTION_DISCONNECTED', `company ${ledgerId} has no connection`);
  const { definition } = found;
  const connection = { ...found.connection, settings: { ...found.connection.settings, ...given.shown } };
  const secret = { ...openCredentials(services, connection), ...given.secret };
  const changed: Settings = {};
  const saveSettings = async (more: Settings): Promise<void> => {
    Object.assign(changed, more);
    // A stored token that was used up is gone, whatever the outcome of this attempt.
    const used = Object.entries(more).filter(([name]) => name in secret && !(name in given.secret));
    if (used.length > 0) await storeChangedSettings(services, organisationId, connection, definition, Object.fromEntries(used));
  };
  const signal = AbortSignal.timeout(TRY_MS);
  const { http, close } = wayOut(services, organisationId, connection, definition, signal);
  const settings = { ...connection.settings, ...secret };
  try {
    const session = { company, settings, http, accessToken: async () => secret.accessToken!, saveSettings, signal };
    await openConnector(services, definition, session).check();
    return partsOf(definition, changed);
  } catch (error) {
    if (signal.aborted) throw timedOut();
    if (!(error instanceof GatewayError)) throw error;
    const secrets = new Secrets();
    secrets.add(Object.values(secret));
    throw new GatewayError(error.code, secrets.remove(error.message));
  } finally {
    await close();
  }
}

/** Opens a connector. What it cannot read of its source is an error of the source. */
export const openConnector = ({ log }: Services, definition: ConnectorDefinition, session: ConnectorSession): Connector =>
  readableOnly(definition.open(session), definition.title, log);

/** What a run keeps of the records of a source. */
async function factsOf(services: Services, organisationId: number, connection: RunConnection): Promise<SourceFacts> {
  const { keepsRawData, customFieldRules } = connection;
  const customFields = customFieldRules as CustomFieldRule[];
  if (!keepsRawData) return { rawData: 'none', customFields };
  const isFull = await organisationTransaction(services.database, organisationId, (em) =>
    hasReached(em, services.config, organisationId, 'rawMegabytes'),
  );
  return { rawData: isFull ? 'full' : 'kept', customFields };
}

/**
 * Opens the source of a company for one run. `onFound` gets the connection before it is opened, so that a rejection is known to be about the
 * credentials that it had then.
 */
export async function openSource(
  services: Services,
  company: ConnectorCompany,
  ending: AbortSignal,
  onFound?: (connection: RunConnection) => void,
): Promise<OpenSource> {
  const found = (await connectionsOf(services, [company])).get(company.ledgerId);
  if (!found) return { connector: new InboxConnector(services, company), connection: undefined, stop: () => {}, close: async () => {} };
  const { connection, definition } = found;
  onFound?.(connection);
  const titles = lacking(definition, { ...connection.settings, ...openCredentials(services, connection) });
  if (titles.length > 0)
    throw new GatewayError('CONNECTION_EXPIRED', `the connection of company ${company.ledgerId} needs ${titles.join(', ')}`);
  const stopping = new AbortController();
  const signal = AbortSignal.any([ending, stopping.signal]);
  const { http, close } = wayOut(services, company.organisationId, connection, definition, signal);
  const saveSettings = (changed: Settings): Promise<void> =>
    storeChangedSettings(services, company.organisationId, connection, definition, changed);
  try {
    const { organisationId } = company;
    let credentials = await sessionCredentials(services, organisationId, definition, connection, { http, signal });
    const settings = { ...connection.settings, ...credentials };
    const accessToken = async (): Promise<string> => {
      if (!isFresh(services, credentials))
        credentials = await sessionCredentials(services, organisationId, definition, connection, { http, signal });
      return credentials.accessToken!;
    };
    const facts = await factsOf(services, organisationId, connection);
    const { customFields } = facts;
    const wantsRaw = facts.rawData === 'kept' || customFields.length > 0;
    const session = { company, settings, http, saveSettings, signal, wantsRaw, customFields, ...(definition.oauth ? { accessToken } : {}) };
    const connector = keepingFacts(openConnector(services, definition, session), facts, (dataModel) => recordOf(dataModel) !== undefined);
    return { connector, connection, stop: (error) => stopping.abort(error), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Asks the source of a company something while a caller waits. This runs outside any transaction, within the limits of the connection, and no longer
 * than the caller stays. `ask` is given the connection too, undefined for the files of the inbox.
 */
export async function askSource<T>(
  { services, onLeave }: RequestContext,
  company: ConnectorCompany,
  ask: (source: OpenSource) => Promise<T>,
): Promise<T> {
  const { organisationId } = company;
  const asked = services.caches.of(askedSources);
  const count = asked.get(organisationId) ?? 0;
  if (count >= MAX_ASKED)
    throw new GatewayError('RATE_LIMIT_EXCEEDED', `sources are asked ${MAX_ASKED} questions of an organisation at a time`, {
      retryAfterSeconds: 1,
    });
  asked.set(organisationId, count + 1);
  const left = new AbortController();
  const stay = onLeave?.(() => left.abort());
  const late = AbortSignal.timeout(TRY_MS);
  const signal = AbortSignal.any([late, left.signal]);
  try {
    const source = await openSource(services, company, signal);
    return await ask(source).finally(() => source.close());
  } catch (error) {
    if (signal.aborted) throw timedOut();
    throw error;
  } finally {
    stay?.();
    const others = asked.get(organisationId)! - 1;
    if (others > 0) asked.set(organisationId, others);
    else asked.delete(organisationId);
  }
}

/** The data models that the source of each company has records of; the companies are of one organisation. */
export async function dataModelsOf(services: Services, companies: readonly ConnectorCompany[]): Promise<string[][]> {
  const found = await connectionsOf(services, companies);
  // The inbox has records of the data models of its files alone.
  const hasInbox = ({ ledgerId }: ConnectorCompany): boolean => (found.get(ledgerId)?.definition.source ?? FILES) === FILES;
  const others = companies.filter(hasInbox);
  const models = others.length > 0 ? await inboxModels(services, others) : [];
  const ofOthers = new Map(others.map((company, index) => [company, models[index]!]));
  return companies.map((company) => {
    const definition = found.get(company.ledgerId)?.definition;
    return definition && !hasInbox(company)
      ? definition.capabilities.filter(({ pull }) => pull).map(({ dataModel }) => dataModel)
      : ofOthers.get(company)!;
  });
}
